package posindex

import (
	"context"
	"errors"
	"io"
	"testing"

	"cbkit/board"
	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// The file with the first moves has 86 bytes for each record, however long its game is:
// check.Options says so.
func TestSizeOfBeginnings(t *testing.T) {
	b := NewBeginnings(extsort.Options{Memory: 200, FS: fsys.OS{}, Dir: t.TempDir()})
	defer b.Close()
	long, short := model.NewGame(), model.NewGame()
	for range 50 {
		for _, m := range []model.Move{model.NewMove(6, 21), model.NewMove(62, 45), model.NewMove(21, 6), model.NewMove(45, 62)} {
			long.Moves.Append(m)
		}
	}
	n := int64(0)
	for range 100 {
		for _, g := range []*model.Game{long, short, nil} {
			must.Do(t, b.Add(Record{Game: g}))
			n++
		}
	}
	if b.file == nil {
		t.Fatal("it is in memory")
	}
	must.Do(t, b.out.Flush())
	var one [1]byte
	if _, err := b.ReadAt(one[:], 86*n-1); err != nil || b.Size() != 86*n {
		t.Errorf("%d records have %d bytes, %v", n, b.Size(), err)
	}
	if k, err := b.ReadAt(one[:], 86*n); k != 0 || err != io.EOF {
		t.Errorf("the file goes on: %v", err)
	}
}

// oneGame is a database in which each record is the same game, or cannot be read.
type oneGame struct {
	Games
	game *model.Game
	err  error
}

func (g oneGame) Record(context.Context, model.RecordID, model.Want) (model.Record, error) {
	return model.Record{Game: g.game}, g.err
}

// A game without the position that it is listed under is told from a database that another
// program changes: only the first is the fault of an index.
func TestNoPositionIsNoOtherProgram(t *testing.T) {
	b := NewBeginnings(extsort.Options{Memory: 200, FS: fsys.OS{}, Dir: t.TempDir()})
	defer b.Close()
	game := model.NewGame()
	game.Moves.Append(model.NewMove(model.E2, model.E4))
	x := must.Get(opened(built(t, 4, 2, false, []*model.Game{game})))(t)
	p := board.Start()
	p.Make(game.Moves.Move(0))
	key := positionKey(&p)
	for _, c := range []struct {
		oneGame
		want error
		lack bool
	}{
		{oneGame{game: game}, nil, false},
		{oneGame{game: model.NewGame()}, model.ErrChanged, true},
		{oneGame{err: model.ErrChanged}, model.ErrChanged, false},
	} {
		_, ids, _, err := b.Under(t.Context(), x, c.oneGame, key, 4)
		if !errors.Is(err, c.want) || errors.Is(err, ErrNoPosition) != c.lack || err == nil && len(ids) != 1 {
			t.Errorf("%v, %v; want %v", ids, err, c.want)
		}
	}
}
