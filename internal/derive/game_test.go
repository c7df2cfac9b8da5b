package derive

import (
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// someAnnotations are annotations whose bits no move sets.
type someAnnotations struct{}

func (someAnnotations) Flags() uint32     { return 1 << 2 }
func (someAnnotations) Magnitude() uint16 { return 1 << 3 }
func (someAnnotations) Medals() uint16    { return 1 << 4 }

func TestGame(t *testing.T) {
	start := must.Get(board.ParseModel("4k3/8/8/8/8/8/7P/4K3 b - - 0 1"))(t)
	b := new(model.TreeBuilder)
	b.Add(model.NoNode, model.NewMove(model.E8, model.E7))
	b.Add(model.NoNode, model.NewMove(model.E8, model.D7))
	tree := b.Tree()
	f := must.Get(Game(&start, &tree, someAnnotations{}))(t)
	want := GameFacts{
		Flags: FlagSetup | FlagVariations | 1<<2, Magnitude: 1 << 3, Medals: 1 << 4, FullMoves: 1,
		Material: [2]Material{1 << 12, 0},
	}
	if f != want {
		t.Errorf("%+v, want %+v", f, want)
	}
}

func TestGameRefused(t *testing.T) {
	var kings model.Position
	kings.Board[model.A1], kings.Board[model.A3] = model.WhiteKing, model.WhiteKing
	if _, err := Game(&kings, &model.Tree{}, someAnnotations{}); err == nil {
		t.Error("two white kings make no position")
	}
}
