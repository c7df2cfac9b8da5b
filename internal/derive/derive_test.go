package derive

import (
	"fmt"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

func TestMaterialOfStart(t *testing.T) {
	p := board.Start()
	for _, c := range []model.Color{model.White, model.Black} {
		if m := MaterialOf(&p, c); m != StartMaterial {
			t.Errorf("%v: %04x, want %04x", c, m, StartMaterial)
		}
	}
	for kind, want := range map[model.PieceType]int{
		model.Pawn: 8, model.Queen: 1, model.Knight: 2, model.Bishop: 2, model.Rook: 2, model.King: 0,
	} {
		if n := StartMaterial.Count(kind); n != want {
			t.Errorf("Count(%c) = %d, want %d", kind.Letter(), n, want)
		}
	}
}

func TestMaterialFieldsDoNotOverflow(t *testing.T) {
	start := must.Get(board.ParseModel("QQQQQQQQ/Q6k/8/8/8/8/8/K7 w - - 0 1"))(t)
	f := must.Get(Moves(&start, &model.Tree{}))(t)
	if f.Material != [2]Material{7 << 9, 0} {
		t.Errorf("nine queens: %04x", f.Material)
	}
	if a, b := Sorted([2]Material{1, 2}); a != 2 || b != 1 {
		t.Errorf("Sorted: %d, %d", a, b)
	}
}

func TestFullMoves(t *testing.T) {
	for _, c := range []struct {
		plies int
		turn  model.Color
		want  uint8
	}{
		{0, model.White, 0}, {1, model.White, 1}, {2, model.White, 1}, {3, model.White, 2},
		{0, model.Black, 0}, {1, model.Black, 1}, {2, model.Black, 2}, {3, model.Black, 2},
		{509, model.White, 255}, {510, model.White, 255}, {511, model.White, 255}, {2000, model.Black, 255},
	} {
		if got := fullMoves(c.plies, c.turn); got != c.want {
			t.Errorf("%d plies, %v starts: %d, want %d", c.plies, c.turn, got, c.want)
		}
	}
}

func TestVariationMagnitude(t *testing.T) {
	for plies, want := range map[int]uint16{1: 0, 50: 0, 51: 1, 300: 1, 301: 2, 1000: 2, 1001: 3} {
		if got := variationMagnitude(plies); got != want {
			t.Errorf("%d plies: %d, want %d", plies, got, want)
		}
	}
}

func TestMovesOfVariations(t *testing.T) {
	b := new(model.TreeBuilder)
	e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	b.Add(e4, model.NewMove(model.E7, model.E5))
	b.Add(e4, model.NewMove(model.C7, model.C5))
	tree := b.Tree()
	f := must.Get(Moves(nil, &tree))(t)
	want := MoveFacts{Flags: FlagVariations, FullMoves: 1, Material: [2]Material{StartMaterial, StartMaterial}}
	if f != want {
		t.Errorf("%+v, want %+v", f, want)
	}
}

func TestMovesOfChess960(t *testing.T) {
	start := board.Chess960Start(0)
	f := must.Get(Moves(&start, &model.Tree{}))(t)
	if f.Flags != FlagSetup|FlagUnorthodox {
		t.Errorf("flags %08x", f.Flags)
	}
}

func ExampleMoves() {
	var tree model.Tree
	tree.Append(model.NewMove(model.E2, model.E4))
	tree.Append(model.NewMove(model.D7, model.D5))
	tree.Append(model.NewMove(model.E4, model.D5))
	f, _ := Moves(nil, &tree)
	first, second := Sorted(f.Material)
	fmt.Printf("%d full moves, material %04x and %04x\n", f.FullMoves, first, second)
	// Output: 2 full moves, material 8292 and 7292
}

// StartMaterial is the material of either side in the starting position.
const StartMaterial Material = 0x8292

// Count returns how many pieces of a kind the word holds; a full field may
// stand for more. Kings are not counted.
func (m Material) Count(kind model.PieceType) int {
	for _, f := range materialFields {
		if f.kind == kind {
			return int(m>>f.shift) & f.limit
		}
	}
	return 0
}
