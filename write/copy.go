package write

import (
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
	"cbkit/internal/journal"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/read"
)

// Copier writes a new ChessBase database with the stored records of another one. It is a
// [model.Sink] for that source alone. It uses only the ids of the records it is given:
// stored bytes are copied, and changes made to a record on the way are ignored.
//
// If all records are put, every file is copied byte for byte, right or wrong, except for
// holes, which are left out; sealed boosters are sealed anew. If some records are left
// out, the others get new numbers, reference counts are computed, and entities that lost
// all references are deleted. Search boosters are then not copied, nor are files that
// depend on record numbers and cannot be read; each of these is reported as a loss.
// (docs/formats/cbh.md, A copy of a ChessBase database)
type Copier struct {
	*target
	src    *read.ChessBase
	from   *cbhdb.DB
	reader *cbhdb.Reader

	headers, extensions *journal.File // extensions is nil if the source has none that can be used
	moves, annotations  blockCopy
	extras              int // .cbj records written

	put      []bool // by the numbers in the source
	examined examinedMarks
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

// Wants implements [model.Wanter]: records are decoded to find damage.
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
		media, err := c.from.Content(mediaExt)
		if err != nil {
			return err
		}
		if media != nil {
			if c.purge.media, err = cbh.DecodeMediaFile(media); err != nil {
				c.purge.media = nil // it is copied as it is
			}
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
	if err := c.begin(&rec); err != nil {
		return err
	}
	err := c.copyRecord(rec.ID)
	if err != nil {
		if changed := c.src.Changed(); changed != nil {
			return changed // which it can come from
		}
	}
	return err
}

// copyRecord copies a record; its parts have new places.
func (c *Copier) copyRecord(id model.RecordID) error {
	h, err := c.reader.At(id)
	if err != nil {
		return err
	}
	here := c.count + 1
	moves, err := c.moves.put(h.MovesAt(), id, nil)
	if err != nil {
		return &model.RecordError{Record: id, Err: err}
	}
	annotations := int64(0)
	if at := h.AnnotationsAt(); at != 0 {
		renumber := func(record []byte) { cbh.RenumberAnnotations(record, id, here) }
		if annotations, err = c.annotations.put(at, id, renumber); err != nil {
			return &model.RecordError{Record: id, Err: err}
		}
	}
	c.count, c.put[id] = here, true
	c.examined.put(here, id)
	c.head.Head = append(c.head.Head[:0], h.Head...)
	c.head.Ext = append(c.head.Ext[:0], h.Ext...)
	if err := errors.Join(c.head.SetMovesAt(moves), c.head.SetAnnotationsAt(annotations)); err != nil {
		return &model.RecordError{Record: id, Err: err}
	}
	if c.purge != nil {
		c.purge.put(&c.head, c.moves.last)
	}
	if _, err := c.headers.Append(c.head.Head); err != nil || h.Ext == nil {
		return err
	}
	c.extras++
	_, err = c.extensions.Append(c.head.Ext)
	return err
}

// Written implements [model.Counter].
func (c *Copier) Written() int { return int(c.count) }

// isWhole reports whether no record was left out, and none was missing.
func (c *Copier) isWhole() bool { return c.purge == nil && c.count == c.reader.Count() && !c.cut }

// isMoved reports whether a whole copy has records at other places.
func (c *Copier) isMoved() bool { return c.isWhole() && (c.moves.moved || c.annotations.moved) }

// Commit implements [model.Sink].
func (c *Copier) Commit() error {
	if err := c.lifecycle.Commit(); err != nil {
		return err
	}
	// What was read beside the records must be of the same state as these.
	err := c.commit(c.finishEntities, c.finishFiles, c.finishRecords, c.seal, c.src.Changed)
	if model.IsDone(err) {
		_ = c.from.Close() // it was only read
	}
	return err
}

// Abort implements [model.Sink].
func (c *Copier) Abort() error {
	_ = c.from.Close() // it was only read
	return c.target.Abort()
}

// finishFiles copies the files that are not written record by record, unless they go by
// numbers that have changed, and the folders of media.
func (c *Copier) finishFiles() error {
	set, whole := c.src.Files(), c.isWhole()
	settings, err := c.from.Content(".ini")
	if err == nil {
		err = c.writeSettings(settings)
	}
	if err != nil {
		return err
	}
	elsewhere := []string{".cbh", ".cbg", ".cba", ".ini", posindex.Ext} // the index is of the files that it was made of alone
	for _, kind := range cbh.EntityFiles {
		elsewhere = append(elsewhere, kind.Ext)
	}
	for _, ext := range set.Endings() {
		switch {
		case !dbfile.IsChessBase(ext), slices.Contains(elsewhere, ext), ext == ".cbj" && c.extensions != nil:
		case c.opt.Boosters != nil && (ext == booster.SealExt || dbfile.IsBooster(ext)): // they are made anew
		case ext == offsetsBooster && c.isMoved():
			err = c.writeOffsets()
		case ext == booster.SealExt && c.isMoved(): // there is another one behind the records
		case ext == mediaExt && c.purge != nil && c.purge.media != nil:
			head := c.purge.media.Header
			head.Records = int32(len(c.purge.lists) / int(head.RecordSize))
			err = c.writeFile(ext, append(head.Append(nil), c.purge.lists...))
		case whole, ext == ".cbtt", ext == mediaExt:
			err = c.copyMember(set, ext)
		case ext == ".flags":
			if content, ok := c.examined.file(int(c.count)); ok {
				err = c.writeFile(ext, content)
			} else {
				c.leftBehind(ext, "cannot be read, and records have other numbers now")
			}
		case ext == ".cbj":
			c.leftBehind(ext, "it is damaged or of an unknown version; only a copy without changes keeps it")
		case !dbfile.IsBooster(ext):
			c.leftBehind(ext, "not copied: it may go by the numbers of records and names, which have changed")
		}
		if err != nil {
			return err
		}
	}
	if c.purge != nil && c.purge.links > 0 {
		c.opt.Report.Add(model.LostField, 0, "links", "%d links in guiding texts go by the numbers of games and texts, which have changed", c.purge.links)
	}
	return c.copyMedia(set)
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
	head := make([]byte, cbh.RecordSize)
	in := io.NewSectionReader(c.headers, cbh.RecordSize, math.MaxInt64-cbh.RecordSize)
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

// seal seals boosters anew where records have other places: those that are sealed in the
// source.
func (c *Copier) seal() error {
	from := cbhdb.FilesOf(c.src.Files())
	if !c.isMoved() || c.opt.Boosters != nil || !from.Has(booster.SealExt) {
		return nil
	}
	exts := booster.Bases()
	for _, ext := range BoosterExts() {
		if !from.Has(ext) {
			continue
		}
		err := booster.CheckSeal(from, ext)
		if errors.Is(err, booster.ErrNoSeal) {
			err = booster.CheckSums(from, ext)
		}
		if err == nil {
			exts = append(exts, ext)
		} else if !errors.Is(err, booster.ErrNoSeal) {
			return err
		}
	}
	if len(exts) == len(booster.Bases()) {
		return nil
	}
	files, err := c.written()
	if err != nil {
		return err
	}
	seal, err := booster.SealOf(cbhdb.FilesOf(files), exts)
	if err != nil {
		return err
	}
	return c.writeFile(booster.SealExt, seal.Append(nil))
}

// finishRecords completes the files that grew with the records. A whole copy has
// the headers of the original, right or wrong, and what lies behind the records
// there.
func (c *Copier) finishRecords() error {
	headers, err := c.from.HeaderFile()
	if err != nil {
		return err
	}
	head := headers.Head
	var ext cbh.ExtHeader
	if c.extensions != nil {
		extensions, err := c.from.ExtensionFile()
		if err != nil {
			return err
		}
		ext = extensions.Head
	}
	whole := c.isWhole()
	if !whole {
		head.SetRecords(uint32(c.count))
		ext.Records = int32(c.extras)
	}
	for _, f := range []struct {
		file   *journal.File
		ext    string
		header func(end int64) []byte // end is that of the original's records
	}{
		{c.moves.to, ".cbg", func(end int64) []byte { return c.moves.header(whole, end) }},
		{c.annotations.to, ".cba", func(end int64) []byte { return c.annotations.header(whole, end) }},
		{c.extensions, ".cbj", func(int64) []byte { return ext.Append(nil) }},
		{c.headers, ".cbh", func(int64) []byte { return head.Append(nil) }},
	} {
		if f.file == nil {
			continue // the original has no such file
		}
		end, err := c.from.End(c.context, f.ext)
		if err != nil {
			return err
		}
		header := f.header(end)
		if whole {
			from, err := c.from.File(f.ext)
			if err == nil {
				_, err = io.Copy(io.NewOffsetWriter(f.file, f.file.Size()), io.NewSectionReader(from, end, max(from.Size()-end, 0)))
			}
			if err != nil {
				return err
			}
		}
		if _, err := f.file.WriteAt(header, 0); err != nil {
			return err
		}
	}
	return c.staged.Complete()
}

// purging is what a copy leaves out besides records: entities, and lists of media that no
// record refers to.
type purging struct {
	media *cbh.MediaFile // nil if there is none that can be read
	// lists are the records of the new file, in the order in which records refer to them;
	// places says where they are.
	lists  []byte
	places map[int32]int32
	links  int // from texts to games and texts, by numbers that have changed
}

// mediaExt is the ending of the file with lists of media.
const mediaExt = ".cbm"

// put takes a record that stays: its list of media gets another place, and its
// links are counted.
func (p *purging) put(h *cbhdb.Header, text []byte) {
	if h.Type().IsText() {
		p.links += cbh.GuideLinks(text)
	}
	if p.media == nil || h.Ext == nil {
		return
	}
	ext := cbh.DecodeExtRecord(h.Ext)
	here, known := p.places[ext.Media]
	if !known {
		size := int(p.media.Header.RecordSize)
		i, ok := cbh.MediaIndex(int64(ext.Media), size)
		if !ok {
			return
		}
		_, list, _, err := p.media.List(i)
		if err != nil {
			return
		}
		here = int32(cbh.MediaOffset(len(p.lists)/size, size))
		p.places[ext.Media], p.lists = here, append(p.lists, list...)
	}
	if here != ext.Media {
		ext.SetMedia(here)
		h.Ext = ext.Append(h.Ext[:0], len(h.Ext))
	}
}
