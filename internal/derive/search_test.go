package derive_test

import (
	"bytes"
	"testing"

	"cbkit/board"
	"cbkit/internal/dcdb"
	"cbkit/internal/derive"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// mainLine plays moves given in SAN.
func mainLine(t *testing.T, start *model.Position, moves ...string) []model.Node {
	t.Helper()
	pos := must.Get(board.New(start))(t)
	var tree model.Tree
	for _, san := range moves {
		m, err := pos.ParseSAN(san)
		if err != nil {
			t.Fatalf("%s: %v", san, err)
		}
		pos.Make(m)
		tree.Append(m)
	}
	return tree.Nodes()
}

// The example of the format's description, g4 e5 f4, is 06 0C 05 (docs/formats/dcdb.md
// 2.2). Second moves of a pawn and captured pawns do not count.
func TestSearchFields(t *testing.T) {
	f := must.Get(derive.Search(nil, mainLine(t, nil, "g4", "e5", "f4")))(t)
	want := [16]uint8{6, 12, 5, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16}
	if f.PawnMoves != want || f.HalfMoves != 3 || f.FinalMaterial != 0 {
		t.Errorf("%+v", f)
	}
	f = must.Get(derive.Search(nil, mainLine(t, nil, "e4", "d5", "e5", "f5", "exf6", "--", "fxg7", "h5", "gxh8=Q")))(t)
	if !bytes.Equal(f.PawnMoves[:6], []byte{4, 11, 13, 15, 16, 16}) || f.HalfMoves != 9 {
		t.Errorf("%+v", f)
	}
	// Black: 6 pawns, 2 knights, 2 bishops, 1 rook, 1 queen; White: 7, 2, 2,
	// 2, 2.
	material := uint32(1)<<31 | 6<<28 | 2<<26 | 2<<24 | 1<<22 | 1<<20 | 7<<12 | 2<<10 | 2<<8 | 2<<6 | 2<<4
	if f.FinalMaterial != material {
		t.Errorf("material %08x, want %08x", f.FinalMaterial, material)
	}
}

// Set-up games have no pawn moves; the standard position set up is none.
func TestSearchFieldsOfSetUps(t *testing.T) {
	start := must.Get(board.ParseModel("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1"))(t)
	f, err := derive.Search(&start, mainLine(t, &start, "a4"))
	if err != nil || f.PawnMoves[0] != dcdb.NoPawnMove || f.FinalMaterial != 1<<31|4<<12 {
		t.Errorf("%+v, %v", f, err)
	}
	standard := model.StartPosition()
	if f, err = derive.Search(&standard, mainLine(t, nil, "a4")); err != nil || f.PawnMoves[0] != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}
