package cbhedit

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"time"

	"cbkit/internal/booster"
	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/moveenc"
)

// indexEdit is what a transaction does to the index of positions.
type indexEdit struct {
	*posindex.Index                   // as it was; nil if there is nothing to do
	changes         []byte            // that come behind it
	segment         *posindex.Builder // in their place, where they are too many
}

// close removes the files of a segment.
func (e *indexEdit) close() error {
	if e.segment == nil {
		return nil
	}
	return e.segment.Close()
}

// followIndex computes what the index of positions has to say of the records whose moves
// have changed, or that have come. One that did not fit before goes; with dry nothing else
// is found out.
func (d *DB) followIndex(dry bool) error {
	d.index = indexEdit{}
	changed, err := d.set.IsChanged()
	changed = changed || len(d.moves.waiting)+len(d.annotations.waiting) > 0 || d.moves.compacted != nil && d.headersChanged
	if err != nil || !changed || !d.has(posindex.Ext) {
		return err
	}
	x, err := posindex.Open(oldFiles{d})
	switch {
	case errors.Is(err, posindex.ErrNotFit), dbfile.IsDamage(err), err == nil && x.Records != d.before:
		return d.drop(posindex.Ext)
	case err != nil || dry:
		return err
	}
	ids := d.moves.ids()
	for id := d.before + 1; id <= d.headers.Count; id++ {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	edit := indexEdit{Index: x}
	var into moveenc.Game
	for _, id := range ids {
		g, text, err := d.played(&into, id)
		if err != nil {
			return err
		}
		edit.changes = x.AppendChange(edit.changes, id, g, text)
		if _, fits := x.Follow(len(edit.changes)); !fits {
			return d.renewIndex(x, ids)
		}
	}
	d.index = edit
	return nil
}

// renewIndex makes a segment of the index, of what records have now.
func (d *DB) renewIndex(x *posindex.Index, ids []model.RecordID) error {
	var into moveenc.Game
	b, err := x.Renew(ids, func(id model.RecordID) (*model.Game, bool, error) { return d.played(&into, id) }, d.set.Sorting())
	if dbfile.IsDamage(err) {
		return d.drop(posindex.Ext)
	}
	if err == nil {
		d.index = indexEdit{Index: x, segment: b}
	}
	return err
}

// played returns a game with its moves, nil if they cannot be played through, or that it
// is a text.
func (d *DB) played(into *moveenc.Game, id model.RecordID) (g *model.Game, text bool, err error) {
	h, err := d.Header(id)
	if err != nil || h.Type().IsText() {
		return nil, true, err
	}
	record, err := d.moves.record(h.MovesAt(), id)
	if err != nil {
		return nil, false, passOver(err)
	}
	if moveenc.DecodeLegal(record, into) != nil {
		return nil, false, nil
	}
	return &model.Game{Start: into.SetUp(), Moves: into.Moves}, false, nil
}

// putIndex writes what followIndex has computed, with the states that files get with the
// commit: the main file, and what changes, that change time.
func (d *DB) putIndex(at time.Time) error {
	x := d.index.Index
	if x == nil {
		return nil
	}
	states := x.States
	for _, ext := range booster.Bases() {
		if err := d.date(ext, states.Of(ext), at); err != nil {
			return err
		}
	}
	f, err := d.file(posindex.Ext)
	if err != nil {
		return err
	}
	head, _ := d.index.Follow(len(d.index.changes))
	switch b := d.index.segment; {
	case b == nil:
		_, err = f.Append(d.index.changes)
	case b.At() == posindex.HeadSize:
		err = writeIndexAnew(f, b, d.headers.Count)
		head = b.Head
	default:
		if err = f.Truncate(b.At()); err == nil {
			err = b.Write(io.NewOffsetWriter(f, b.At()), d.headers.Count)
		}
		head = b.Head
	}
	if err == nil {
		_, err = f.WriteAt(head.Block(d.headers.Count, states), 0)
	}
	return err
}

// writeIndexAnew writes all of an index but for its header.
func writeIndexAnew(f *journal.File, b *posindex.Builder, records model.RecordID) error {
	r, err := f.Rewrite()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(r, 1<<16)
	_, err = out.Write(make([]byte, posindex.HeadSize))
	if err == nil {
		err = b.Write(out, records)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return errors.Join(err, r.Discard())
	}
	return r.Done()
}
