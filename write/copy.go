package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/read"
)

// Copier writes a new ChessBase database with the stored records of another
// one. It is a [model.Sink] for that source alone. Of the records it is given
// it uses the ids only: stored bytes are copied, and changes made to a record
// on the way are ignored.
//
// If all records are put, every file is carried byte for byte, right or wrong,
// except for holes, which are left out. If some are left out, the others get
// new numbers; reference counts are computed; entities that have lost all their
// references are deleted; search boosters are left behind; and files that go by
// the numbers of records and cannot be read are left behind with a loss for
// each. (docs/formats/cbh.md, A copy of a ChessBase database)
type Copier struct {
	*target
	src    *read.ChessBase
	from   *cbhdb.DB
	reader *cbhdb.Reader

	headers, extensions *blockFile // extensions is nil if the source has none that can be used
	moves, annotations  blockCopy
	extras              int // .cbj records written

	put      []bool // by the numbers in the source
	examined examinedMarks
	last     model.RecordID // of the source
	count    model.RecordID // records written
	cut      bool           // records are missing at the end of the source
	purge    *purging       // nil unless what no record refers to is left out
	head     cbhdb.Header   // memory
}

var (
	_ model.Sink    = (*Copier)(nil)
	_ model.Counter = (*Copier)(nil)
	_ model.Wanter  = (*Copier)(nil)
)

// CreateCopy begins a copy of a ChessBase database. About the path and errors see
// [Create].
func CreateCopy(ctx context.Context, path string, src *read.ChessBase, opt Options) (*Copier, error) {
	t, err := newTarget(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	return &Copier{target: t, src: src, from: cbhdb.New(cbhdb.FilesOf(src.Files()))}, nil
}

// Wants implements [model.Wanter]: what is in a record is decoded to be judged.
func (c *Copier) Wants() model.Want {
	return model.WantMoves | model.WantAnnotations
}

// Begin implements [model.Sink]. The source must be the one to be copied.
func (c *Copier) Begin(src model.Source) error {
	if err := c.lifecycle.IsNew(); err != nil {
		return err
	}
	if src != model.Source(c.src) {
		return fmt.Errorf("%w: a copy is made of %s alone; use Create for other sources", model.ErrOption, c.src.Files().Name(".cbh"))
	}
	if err := c.lifecycle.Begin(src); err != nil {
		return err
	}
	if err := c.reserve(c.src.Files()); err != nil {
		return err
	}
	return c.lifecycle.Begun(c.open())
}

// open opens the files of the source and begins those that grow with every
// record.
func (c *Copier) open() (err error) {
	if c.reader, err = c.from.Reader(dbfile.FarAhead); err != nil {
		return err
	}
	headers, err := c.from.Headers()
	if err != nil {
		return err
	}
	c.cut = headers.Cut() != nil
	c.put = make([]bool, headers.Count+1)
	marks, err := c.from.Content(".flags")
	if err != nil {
		return err
	}
	c.examined = newExaminedMarks(marks, headers.Count)
	if c.purge != nil {
		if err := c.purge.open(c.from); err != nil {
			return err
		}
	}
	if c.headers, err = c.createBlocks(".cbh", cbh.RecordSize); err != nil {
		return err
	}
	if headers.Extensions != nil {
		if c.extensions, err = c.createBlocks(".cbj", cbh.ExtHeaderSize); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		to   *blockCopy
		from *cbhdb.BlockReader
		ext  string
	}{{&c.moves, c.reader.Moves, ".cbg"}, {&c.annotations, c.reader.Annotations, ".cba"}} {
		file, err := c.createBlocks(f.ext, int(f.from.Head.Size))
		if err != nil {
			return err
		}
		*f.to = blockCopy{from: f.from, to: file}
	}
	return nil
}

// Put implements [model.Sink]. Records are numbered from 1 in the order in
// which they come.
func (c *Copier) Put(rec model.Record) error {
	if err := c.lifecycle.Put(&rec); err != nil {
		return err
	}
	if rec.ID <= c.last {
		return fmt.Errorf("write: record %d after record %d: records must come in ascending order", rec.ID, c.last)
	}
	c.last = rec.ID
	err := c.putRecord(&rec)
	if err != nil {
		if changed := c.src.Changed(); changed != nil {
			return changed // which it can come from
		}
	}
	return err
}

// putRecord copies a record.
func (c *Copier) putRecord(rec *model.Record) error {
	h, err := c.reader.At(rec.ID)
	if err != nil {
		return err
	}
	here := c.count + 1
	moves, err := c.moves.put(h.MovesAt(), rec.ID, nil)
	if err != nil {
		return &model.RecordError{Record: rec.ID, Err: err}
	}
	annotations := int64(0)
	if at := h.AnnotationsAt(); at != 0 {
		renumber := func(record []byte) { cbh.RenumberAnnotations(record, rec.ID, here) }
		if annotations, err = c.annotations.put(at, rec.ID, renumber); err != nil {
			return &model.RecordError{Record: rec.ID, Err: err}
		}
	}
	c.count, c.put[rec.ID] = here, true
	c.examined.put(here, rec.ID)
	return c.putHeader(&h, moves, annotations)
}

// putHeader writes the headers of a record whose parts have new places.
func (c *Copier) putHeader(h *cbhdb.Header, moves, annotations int64) error {
	c.head.Head = append(c.head.Head[:0], h.Head...)
	c.head.Ext = append(c.head.Ext[:0], h.Ext...)
	if err := errors.Join(c.head.SetMovesAt(moves), c.head.SetAnnotationsAt(annotations)); err != nil {
		return &model.RecordError{Record: h.ID, Err: err}
	}
	if c.purge != nil {
		c.purge.put(&c.head, c.moves.last)
	}
	if err := c.headers.append(c.head.Head); err != nil || h.Ext == nil {
		return err
	}
	c.extras++
	return c.extensions.append(c.head.Ext)
}

// Written implements [model.Counter].
func (c *Copier) Written() int { return int(c.count) }

// isWhole reports whether no record was left out, and none was missing.
func (c *Copier) isWhole() bool { return c.purge == nil && c.count == c.reader.Count() && !c.cut }

// Commit implements [model.Sink].
func (c *Copier) Commit() error {
	if err := c.lifecycle.Commit(); err != nil {
		return err
	}
	// What was read beside the records must be of the same state as these.
	err := c.commit(c.finishEntities, c.finishFiles, c.finishRecords, c.src.Changed)
	if model.IsDone(err) {
		err = cmp.Or(c.from.Close(), err)
	}
	return err
}

// Abort implements [model.Sink].
func (c *Copier) Abort() error {
	_ = c.from.Close() // it was only read
	return c.target.Abort()
}

// finishFiles copies the files that are not written record by record, and the
// folders of media.
func (c *Copier) finishFiles() error {
	set := c.src.Files()
	settings, err := c.from.Content(".ini")
	if err == nil {
		err = c.writeSettings(settings)
	}
	for _, ext := range set.Endings() {
		if err == nil && dbfile.IsChessBase(ext) {
			err = c.finishFile(ext)
		}
	}
	if err != nil {
		return err
	}
	if c.purge != nil {
		c.purge.reportLinks(c.report)
	}
	return c.copyMedia(set)
}

// finishFile copies a file, unless it goes by numbers that have changed. Files of
// records are written elsewhere; the .cbj file only if it can be used.
func (c *Copier) finishFile(ext string) error {
	whole := c.isWhole()
	switch {
	case slices.Contains([]string{".cbh", ".cbg", ".cba", ".ini"}, ext), ext == ".cbj" && c.extensions != nil, isEntities(ext):
		return nil
	case ext == posindex.Ext:
		return nil // it is of the files that it was made of alone
	case c.opt.Boosters != nil && (ext == booster.SealExt || dbfile.IsBooster(ext)):
		return nil // they are made anew
	case ext == offsetsBooster && whole && (c.moves.moved || c.annotations.moved):
		return c.writeOffsets()
	case ext == mediaExt && c.purge != nil && c.purge.media.old != nil:
		return c.writeFile(ext, c.purge.media.file())
	case whole, ext == ".cbtt", ext == mediaExt:
		return c.copyMember(c.src.Files(), ext)
	case ext == ".flags":
		return c.writeExamined()
	case ext == ".cbj":
		c.leftBehind(ext, "it is damaged or of an unknown version; only a copy without changes keeps it")
	case !dbfile.IsBooster(ext):
		c.leftBehind(ext, "not copied: it may go by the numbers of records and names, which have changed")
	}
	return nil
}

// isEntities reports whether a file is one of entities.
func isEntities(ext string) bool {
	return slices.ContainsFunc(cbh.EntityFiles, func(f *cbh.EntityFile) bool { return f.Ext == ext })
}

// offsetsBooster holds the places of all records. A copy has its own, since
// leaving out holes moves them.
const offsetsBooster = ".cbgi"

// writeOffsets makes the .cbgi file of the headers that were written.
func (c *Copier) writeOffsets() error {
	out, err := c.createBlocks(offsetsBooster, 0)
	if err != nil {
		return err
	}
	b, err := newOffsetBuilder(out, c.count)
	if err == nil {
		err = c.headers.flush()
	}
	head := make([]byte, cbh.RecordSize)
	in := io.NewSectionReader(c.headers.file, cbh.RecordSize, math.MaxInt64-cbh.RecordSize)
	for id := model.RecordID(1); err == nil && id <= c.count; id++ {
		if _, err = io.ReadFull(in, head); err == nil {
			err = b.add(head)
		}
	}
	if err != nil {
		return err
	}
	return b.finish(c.count)
}

// writeExamined writes the .flags file.
func (c *Copier) writeExamined() error {
	content, ok := c.examined.file(int(c.count))
	if !ok {
		c.leftBehind(".flags", "cannot be read, and records have other numbers now")
		return nil
	}
	return c.writeFile(".flags", content)
}

// finishRecords completes the files that grew with the records. A whole copy has
// the headers of the original, right or wrong, and what lies behind the records
// there.
func (c *Copier) finishRecords() error {
	for _, f := range []struct {
		file   *blockFile
		ext    string
		header func(end int64) []byte // end is that of the original's records
	}{
		{c.moves.to, ".cbg", func(end int64) []byte { return c.blockHeader(&c.moves, end) }},
		{c.annotations.to, ".cba", func(end int64) []byte { return c.blockHeader(&c.annotations, end) }},
		{c.extensions, ".cbj", c.extHeader},
		{c.headers, ".cbh", c.fileHeader},
	} {
		if f.file == nil {
			continue // the original has no such file
		}
		end, err := c.from.End(c.context, f.ext)
		if err != nil {
			return err
		}
		header := f.header(end)
		if c.isWhole() {
			if err := c.copyTail(f.file, f.ext, end); err != nil {
				return err
			}
		}
		if err := f.file.finish(header); err != nil {
			return err
		}
	}
	return nil
}

// fileHeader returns the header of the .cbh file.
func (c *Copier) fileHeader(int64) []byte {
	headers, err := c.from.HeaderFile()
	if err != nil {
		return nil // cannot be: it was read before
	}
	h := headers.Head
	if !c.isWhole() {
		h.SetRecords(uint32(c.count))
	}
	return h.Append(nil)
}

// extHeader returns the header of the .cbj file.
func (c *Copier) extHeader(int64) []byte {
	extensions, err := c.from.ExtensionFile()
	if err != nil {
		return nil // cannot be: it was read before
	}
	h := extensions.Head
	if !c.isWhole() {
		h.Records = int32(c.extras)
	}
	return h.Append(nil)
}

// blockHeader returns the header of the .cbg or .cba file. Where something was
// left out its sizes are those of the new file.
func (c *Copier) blockHeader(b *blockCopy, end int64) []byte {
	h := b.from.Head
	if !c.isWhole() || b.to.size != end {
		h.SetSizes(uint64(b.to.size), 0)
	}
	return h.Append(nil)
}

// copyTail appends what lies behind the records of a file of the original.
func (c *Copier) copyTail(to *blockFile, ext string, end int64) error {
	from, err := c.from.File(ext)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, io.NewSectionReader(from, end, max(from.Size()-end, 0)))
	return err
}
