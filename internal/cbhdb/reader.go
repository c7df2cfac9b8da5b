package cbhdb

import (
	"context"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Reader reads stored records. It is for one goroutine, and does not see what is
// written meanwhile.
type Reader struct {
	*HeaderReader
	Moves, Notes *BlockReader
}

// Reader returns a reader that reads at least so many bytes of each file at
// once. A .cbj file that is damaged counts as missing.
func (db *DB) Reader(ahead int) (*Reader, error) {
	heads, err := db.Heads()
	if err != nil {
		return nil, err
	}
	exts, err := db.Exts()
	if err != nil && !dbfile.IsDamage(err) {
		return nil, err
	}
	moves, err := db.Moves()
	if err != nil {
		return nil, err
	}
	notes, err := db.Notes()
	if err != nil {
		return nil, err
	}
	return &Reader{heads.Headers(exts, ahead), moves.Reader(ahead), notes.Reader(ahead)}, nil
}

// Extents returns where the parts of a record lie, those without size that it
// does not have. Of parts with a fault the first is the error; the other one is
// returned all the same.
func (r *Reader) Extents(id model.RecordID) (moves, notes Extent, err error) {
	h, err := r.At(id)
	if err != nil {
		return moves, notes, err
	}
	moves, err = r.Moves.Find(h.MovesAt(), id)
	if err != nil && !dbfile.IsDamage(err) {
		return moves, notes, err
	}
	if at := h.NotesAt(); at != 0 {
		var other error
		if notes, other = r.Notes.Find(at, id); err == nil {
			err = other
		}
	}
	return moves, notes, err
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
	return dbfile.Preflight(ctx, r.heads.Count, r.heads.Cut(), func(id model.RecordID) error {
		_, _, err := r.Extents(id)
		return err
	})
}

// End returns where the records of the .cbg or .cba file end, as an offset: where
// the header says, or with the last one if that lies further on. Up to there
// unused bytes are holes; what lies behind is not part of the database.
//
// Only where the file is longer than its header says the records are looked at.
func (db *DB) End(ctx context.Context, ext string) (int64, error) {
	r, err := db.Reader(dbfile.FarAhead)
	if err != nil {
		return 0, err
	}
	b := r.Moves
	if ext == notesExt {
		b = r.Notes
	}
	end := b.DeclaredEnd()
	if end >= b.Size() {
		return end, nil
	}
	for id := model.RecordID(1); id <= r.heads.Count; id++ {
		if id%contextStep == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		moves, notes, err := r.Extents(id)
		if err != nil && !dbfile.IsDamage(err) {
			return 0, err
		}
		if ext == notesExt {
			moves = notes
		}
		end = max(end, moves.End())
	}
	return end, nil
}

// FilesOf returns the files of a set that opens them for everybody, such as
// cbkit/read.FileSet.
func FilesOf[F fsys.ReadFile](set opener[F]) Files { return files[F]{set} }

// opener is a set of files that knows nothing of this package.
type opener[F fsys.ReadFile] interface {
	Has(ext string) bool
	Name(ext string) string
	Open(ext string) (F, error)
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
