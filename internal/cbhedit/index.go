package cbhedit

import (
	"errors"
	"slices"
	"time"

	"cbkit/internal/booster"
	"cbkit/internal/dbfile"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/moveenc"
)

// indexEdit is what a transaction does to the index of positions.
type indexEdit struct {
	*posindex.Index        // as it was; nil if there is nothing to do
	changes         []byte // that come behind it
}

// followIndex computes what the index of positions has to say of the records whose moves
// have changed, or that have come. One that did not fit before goes, and so does one of
// which too much changes.
func (d *DB) followIndex() error {
	d.index = indexEdit{}
	changed, err := d.set.IsChanged()
	if err != nil || !d.has(posindex.Ext) || !changed && len(d.moves.waiting)+len(d.notes.waiting) == 0 {
		return err
	}
	x, err := posindex.Open(oldFiles{d})
	switch {
	case errors.Is(err, posindex.ErrNotFit), dbfile.IsDamage(err), err == nil && x.Records != d.before:
		return d.drop(posindex.Ext)
	case err != nil:
		return err
	}
	ids := d.moves.ids()
	if few := posindex.MostChanged / changeSize; int(d.heads.Count-d.before)+len(ids) > few {
		return d.drop(posindex.Ext)
	}
	for id := d.before + 1; id <= d.heads.Count; id++ {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	edit := indexEdit{Index: x}
	var played moveenc.Game
	for _, id := range slices.Compact(ids) {
		g, text, err := d.played(&played, id)
		if err != nil {
			return err
		}
		edit.changes = x.AppendChange(edit.changes, id, g, text)
	}
	if _, fits := x.Follow(len(edit.changes), d.heads.Count, x.States); !fits {
		return d.drop(posindex.Ext)
	}
	d.index = edit
	return nil
}

// changeSize is less than a game takes in the changes of an index.
const changeSize = 20

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
	head, _ := x.Follow(len(d.index.changes), d.heads.Count, states)
	if _, err := f.WriteAt(d.index.changes, f.Size()); err != nil {
		return err
	}
	_, err = f.WriteAt(head, 0)
	return err
}
