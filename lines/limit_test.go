package lines

import (
	"context"
	"errors"
	"slices"
	"testing"

	"cbkit/model"
)

// A forest that would grow beyond all formats takes no more games, and says so of the
// whole, not of one of them.
func TestForestHasALimit(t *testing.T) {
	f := NewForest(Options{})
	f.most = 4
	g := model.NewGame()
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Moves.Append(model.NewMove(model.E7, model.E5))
	rec := &model.Record{ID: 1, Game: g}
	var refused *model.RecordError
	for n := range 4 {
		other := g.Moves.Clone()
		other.Cut(0)
		other.Append([]model.Move{model.NewMove(model.D2, model.D4), model.NewMove(model.C2, model.C4), model.NewMove(model.B2, model.B4), model.NewMove(model.A2, model.A4)}[n])
		other.Append(model.NewMove(model.E7, model.E5))
		g.Moves = other
		err := f.Add(rec, &model.Entities{})
		if (err != nil) != (n >= 2) || n >= 2 && (!errors.Is(err, model.ErrTooLarge) || errors.As(err, &refused)) {
			t.Errorf("%d: %v", n, err)
		}
	}
	if f.Games() != 2 {
		t.Errorf("%d games", f.Games())
	}
}

// A tree whose lines would fill the disk is refused, alone.
func TestUntangleHasALimit(t *testing.T) {
	defer func(most int) { mostPlies = most }(mostPlies)
	mostPlies = 5
	db := &model.Database{}
	for _, more := range []bool{false, true, false} {
		b := new(model.TreeBuilder)
		first := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
		b.Add(first, model.NewMove(model.E7, model.E5))
		b.Add(first, model.NewMove(model.C7, model.C5))
		if more {
			b.Add(first, model.NewMove(model.D7, model.D5))
		}
		g := model.NewGame()
		g.Moves = b.Tree()
		db.AddGame(g)
	}
	var got []model.RecordID
	for rec, err := range Untangle(db).Records(context.Background(), 1, model.WantAll) {
		var refused *model.RecordError
		if err != nil && (!errors.Is(err, model.ErrTooLarge) || !errors.As(err, &refused) || refused.Record != rec.ID || rec.ID != 3) {
			t.Errorf("%d: %v", rec.ID, err)
		} else if err == nil {
			got = append(got, rec.ID)
		}
	}
	if !slices.Equal(got, []model.RecordID{1, 2, 4, 5}) {
		t.Errorf("%v", got)
	}
}
