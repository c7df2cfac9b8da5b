package cbhedit

import (
	"errors"
	"io"
	"slices"
	"time"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/moveenc"
)

// followIndex computes what the index of positions has to say of the records that have
// changed, or that have come. One that did not fit before goes; with dry nothing else
// is found out.
func (d *DB) followIndex(dry bool) error {
	d.index = nil
	changed, err := d.set.IsChanged()
	changed = changed || len(d.moves.waiting)+len(d.annotations.waiting) > 0 || d.moves.compacted != nil && d.headersChanged
	if err != nil || !changed || !d.has(posindex.Ext) {
		return err
	}
	x, err := posindex.Open(oldFiles{files{d}})
	switch {
	case errors.Is(err, posindex.ErrNotFit), dbfile.IsDamage(err), err == nil && x.Records != d.before:
		return d.drop(posindex.Ext)
	case err != nil || dry:
		return err
	}
	ids := slices.AppendSeq(d.moves.ids(), d.changedHeaders.all())
	edit := x.Edit()
	old := &oldRecords{db: cbhdb.New(oldFiles{files{d}})}
	var into moveenc.Game
	for _, id := range d.withNew(ids) {
		_, moves := d.moves.waiting[id]
		change := posindex.Change{ID: id, Moves: moves || id > d.before}
		if id <= d.before {
			is, err := d.followOld(old, edit, &change)
			if err != nil {
				return err
			}
			if !is {
				continue
			}
		}
		if change.Record, err = d.indexed(&into, id, change.Moves); err != nil {
			return err
		}
		edit.Add(&change)
	}
	err = edit.Finish(d.headers.Count, func(id model.RecordID) (posindex.Record, error) { return d.indexed(&into, id, true) }, d.set.Sorting())
	switch {
	case dbfile.IsDamage(err):
		return d.drop(posindex.Ext)
	case err == nil:
		d.index = edit
	}
	return err
}

// oldRecords are the records as they were before the transaction.
type oldRecords struct {
	db    *cbhdb.DB
	heads *cbhdb.HeaderReader
	moves *cbhdb.BlockReader
}

// followOld completes the change of a record that was there before by what it was, and
// reports whether it is one.
func (d *DB) followOld(old *oldRecords, edit *posindex.Edit, change *posindex.Change) (is bool, err error) {
	if old.heads == nil {
		headers, err := old.db.Headers()
		if err != nil {
			return false, err
		}
		moves, err := old.db.MoveFile()
		if err != nil {
			return false, err
		}
		old.heads, old.moves = headers.Reader(near), moves.Reader(near)
	}
	was, err := old.heads.At(change.ID)
	if err != nil {
		return false, err
	}
	now, err := d.Header(change.ID)
	if err != nil || !change.Moves && isSame(was.View(), now.View()) {
		return false, err
	}
	if !edit.WantsWas(change.ID) {
		return change.Moves || was.Type().IsDeleted() != now.Type().IsDeleted(), nil
	}
	change.Was = []byte{}
	if was.Type().IsText() || was.Type().IsDeleted() {
		return true, nil
	}
	at, err := old.moves.Find(was.MovesAt(), change.ID)
	var moves []byte
	if err == nil {
		moves, err = old.moves.Bytes(at)
	}
	if err != nil {
		return true, passOver(err) // it did not count
	}
	change.Was = slices.Concat(was.Head, moves)
	return true, nil
}

// isSame reports whether two headers say the same of what the index, and its summaries, tell
// of a game.
func isSame(a, b cbh.HeaderView) bool {
	whiteA, blackA := a.Elo()
	whiteB, blackB := b.Elo()
	return a.Type() == b.Type() && a.White() == b.White() && a.Black() == b.Black() && a.Tournament() == b.Tournament() &&
		a.Date() == b.Date() && a.Result() == b.Result() && whiteA == whiteB && blackA == blackB
}

// indexed returns what the index has to know of a record, with its moves if they are wanted.
func (d *DB) indexed(into *moveenc.Game, id model.RecordID, moves bool) (rec posindex.Record, err error) {
	h, err := d.Header(id)
	if err != nil {
		return rec, err
	}
	if rec.Text, rec.Deleted = h.Type().IsText(), h.Type().IsDeleted(); rec.Text || !moves {
		return rec, nil
	}
	record, err := d.moves.record(&h)
	if err != nil {
		return rec, passOver(err)
	}
	if moveenc.DecodeLegal(record, into) == nil {
		rec.Game = &model.Game{Start: into.SetUp(), Moves: into.Moves}
	}
	return rec, nil
}

// putIndex writes what followIndex has computed, with the states that files get with the
// commit: the main file, and what changes, that change time.
func (d *DB) putIndex(at time.Time) error {
	if d.index == nil {
		return nil
	}
	states := d.index.States
	for _, ext := range booster.Bases() {
		if err := d.date(ext, states.Of(ext), at); err != nil {
			return err
		}
	}
	f, err := d.file(posindex.Ext)
	if err != nil {
		return err
	}
	place := d.index.At()
	if place == posindex.HeadSize { // all of it is new
		err = f.Fill(make([]byte, posindex.HeadSize))
	} else {
		err = f.Truncate(place)
	}
	if err == nil {
		err = d.index.Write(io.NewOffsetWriter(f, place))
	}
	if err == nil {
		d.index.States = states
		_, err = f.WriteAt(d.index.Block(), 0)
	}
	return err
}
