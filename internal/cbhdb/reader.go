package cbhdb

import (
	"context"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Reader reads stored records. It is for one goroutine, and does not see what is
// written meanwhile.
type Reader struct {
	*HeaderReader
	Moves, Annotations *BlockReader
}

// Reader returns a reader that reads at least so many bytes of each file at
// once. A .cbj file that is damaged counts as missing.
func (db *DB) Reader(ahead int) (*Reader, error) {
	headers, err := db.HeaderFile()
	if err != nil {
		return nil, err
	}
	extensions, err := db.ExtensionFile()
	if err != nil && !dbfile.IsDamage(err) {
		return nil, err
	}
	moves, err := db.MoveFile()
	if err != nil {
		return nil, err
	}
	annotations, err := db.AnnotationFile()
	if err != nil {
		return nil, err
	}
	return &Reader{headers.Headers(extensions, ahead), moves.Reader(ahead), annotations.Reader(ahead)}, nil
}

// Extents returns where the parts of the next record of a reading of all lie,
// those without size that it does not have. Of parts with a fault the first is the error; the other one is
// returned all the same.
func (r *Reader) Extents(id model.RecordID) (moves, annotations Extent, err error) {
	h, err := r.At(id)
	if err != nil {
		return moves, annotations, err
	}
	moves, err = r.Moves.Next(h.MovesAt(), id)
	if err != nil && !dbfile.IsDamage(err) {
		return moves, annotations, err
	}
	if at := h.AnnotationsAt(); at != 0 {
		var other error
		if annotations, other = r.Annotations.Next(at, id); err == nil {
			err = other
		}
	}
	return moves, annotations, err
}

// contextStep is how many records go by between two looks at a context.
const contextStep = 512

// Preflight looks at the extents of all records. It returns the first fault as
// an error, with the number of the others; records that are missing at the end
// of the .cbh file come before all.
func (db *DB) Preflight(ctx context.Context) error {
	r, err := db.Reader(dbfile.FarAhead)
	if err != nil {
		return err
	}
	return dbfile.Preflight(ctx, r.headers.Count, r.headers.Cut(), func(id model.RecordID) error {
		_, _, err := r.Extents(id)
		return err
	})
}

// End returns where the records of a file of records end, as an offset; 0 if
// there is no such file. What lies behind is not part of the database.
//
// The records of a .cbg or .cba file end where the header says, or with the last
// one if that lies further on: up to there unused bytes are holes. Only where the
// file is longer than its header says the records are looked at.
func (db *DB) End(ctx context.Context, ext string) (int64, error) {
	switch ext {
	case ".cbh":
		h, err := db.HeaderFile()
		if err != nil {
			return 0, err
		}
		return h.Offset(h.Count + 1), nil
	case ".cbj":
		return db.extsEnd()
	case movesExt:
		return db.blocksEnd(ctx, db.MoveFile, func(moves, _ Extent) Extent { return moves })
	case annotationsExt:
		return db.blocksEnd(ctx, db.AnnotationFile, func(_, annotations Extent) Extent { return annotations })
	}
	for _, kind := range cbh.EntityFiles {
		if kind.Ext == ext {
			e, err := db.Entities(kind)
			if e == nil {
				return 0, err
			}
			return e.End(), nil
		}
	}
	return 0, nil
}

// extsEnd is End for the .cbj file; its records behind the last one of the .cbh
// file do not count.
func (db *DB) extsEnd() (int64, error) {
	x, err := db.ExtensionFile()
	if x == nil {
		return 0, err
	}
	h, err := db.HeaderFile()
	if err != nil {
		return 0, err
	}
	return x.Offset(min(model.RecordID(min(x.Stored, cbh.MaxRecords)), h.Count) + 1), nil
}

// blocksEnd is End for .cbg and .cba files.
func (db *DB) blocksEnd(ctx context.Context, open func() (*Blocks, error), of func(moves, annotations Extent) Extent) (int64, error) {
	b, err := open()
	if err != nil {
		return 0, err
	}
	end := b.DeclaredEnd()
	if end >= b.Size() {
		return end, nil
	}
	r, err := db.Reader(dbfile.FarAhead)
	if err != nil {
		return 0, err
	}
	for id := model.RecordID(1); id <= r.Count(); id++ {
		if id%contextStep == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		moves, annotations, err := r.Extents(id)
		if err != nil && !dbfile.IsDamage(err) {
			return 0, err
		}
		end = max(end, of(moves, annotations).End())
	}
	return end, nil
}

// FilesOf returns the files of a set that opens them for all readers, such as
// cbkit/read.FileSet.
func FilesOf[F fsys.ReadFile](set opener[F]) Files { return files[F]{set} }

// opener is a set of files that knows nothing of this package.
type opener[F fsys.ReadFile] interface {
	Has(ext string) bool
	Name(ext string) string
	Open(ext string) (F, error)
	Changed(ext string) (time.Time, error)
}

type files[F fsys.ReadFile] struct{ opener[F] }

// Open implements Files.
func (f files[F]) Open(ext string) (*dbfile.File, error) {
	file, err := f.opener.Open(ext)
	if err != nil {
		return nil, err
	}
	return dbfile.New(file, f.Name(ext)), nil
}
