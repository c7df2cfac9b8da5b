package moveenc

import (
	"bytes"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// Words of docs/formats/cbg.md 5.3 and 11, both ways.
func TestWords(t *testing.T) {
	const castles = "r2k2r1/8/8/8/8/8/8/R2K2R1 "
	for _, test := range []struct {
		fen  string
		move model.Move
		word uint16
	}{
		{castles + "w GAga - 0 1", model.NewCastling(model.D1, model.G1), 0x0C30},
		{castles + "w GAga - 0 1", model.NewCastling(model.D1, model.A1), 0x0410},
		{castles + "b GAga - 0 1", model.NewCastling(model.D8, model.G8), 0x0DF7},
		{castles + "b GAga - 0 1", model.NewCastling(model.D8, model.A8), 0x05D7},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", model.NewCastling(model.E1, model.H1), 32 | 48<<6},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", model.NewCastling(model.E8, model.A8), 39 | 23<<6},
		{"3rk3/4P3/8/8/8/8/8/K7 w - - 0 1", model.NewPromotion(model.E7, model.D8, model.Knight), 0x37E6},
		{"3rk3/4P3/8/8/8/8/8/K7 w - - 0 1", model.NewPromotion(model.E7, model.D8, model.Queen), 0x07E6},
		{"4k3/8/8/8/8/8/1p6/K7 b - - 0 1", model.NewPromotion(model.B2, model.A1, model.Rook), 0x1009},
		{"4k3/8/8/8/8/8/1p6/K7 b - - 0 1", model.NewPromotion(model.B2, model.B1, model.Bishop), 0x2209},
		{"4k3/8/8/8/8/8/8/K7 w - - 0 1", model.NullMove, 0},
		{"4k3/8/8/8/8/8/8/P3K3 w - - 0 1", model.NullMove, 0}, // a1a1 is no promotion
	} {
		p := must.Get(board.ParseModel(test.fen))(t)
		mode := &modes[0]
		if p.Chess960 {
			mode = &modes[10]
		}
		var s state
		must.Get(s.beginAt(appendStart(nil, &p), mode))(t)
		if got := s.word(test.move); got != test.word {
			t.Errorf("%s: %v is %#04x, want %#04x", test.fen, test.move, got, test.word)
		}
		if got, ok := s.parseWord(test.word); got != test.move || !ok {
			t.Errorf("%s: %#04x is %v, %v, want %v", test.fen, test.word, got, ok, test.move)
		}
	}
}

// The bits of the simple encoder, docs/formats/cbg.md 7: e4 e5 (1...c5 2.Nf3) in the
// words of every mode.
func TestSimpleWords(t *testing.T) {
	var moves model.Tree
	e4 := moves.AddStored(model.NoNode, model.NewMove(model.E2, model.E4))
	moves.AddStored(e4, model.NewMove(model.E7, model.E5))
	c5 := moves.AddStored(e4, model.NewMove(model.C7, model.C5))
	moves.AddStored(c5, model.NewMove(model.G1, model.F3))
	// e2 33, e4 35, e7 38, e5 36, c7 22, c5 20, g1 48, f3 42
	words := map[bool][]uint16{
		false: {33 | 35<<6, 38 | 36<<6 | 3<<14, 22 | 20<<6, 48 | 42<<6 | 1<<14},
		true:  {35 | 33<<6, 36 | 38<<6 | 3<<14, 20 | 22<<6, 42 | 48<<6 | 1<<14},
	}
	for mode := range Mode(8) {
		if !modes[mode].simple {
			continue
		}
		c := newCipher(mode)
		want := []byte{byte(mode), 0, 0, 12}
		for n, w := range words[modes[mode].reverse] {
			want = append(want, c.encode(byte(w>>8), byte(n)), c.encode(byte(w), byte(n)))
		}
		got, err := Append(nil, nil, &moves, &Form{Mode: mode})
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("mode %d: % x, %v, want % x", mode, got, err, want)
		}
	}
}

// Bits for a promotion mean nothing where no pawn reaches the last rank, and come back
// (docs/formats/cbg.md 7): castling and a null move among them.
func TestBitsOfNoPromotion(t *testing.T) {
	p := must.Get(board.ParseModel("r3k3/8/8/8/8/8/2P3p1/R3K3 w Qq - 0 1"))(t)
	moves := []model.Move{model.NewMove(model.C2, model.C4), model.NewCastling(model.E8, model.A8), model.NullMove,
		model.NewPromotion(model.G2, model.G1, model.Rook), model.NewMove(model.E1, model.E2)}
	for mode := range Mode(numModes) {
		if !modes[mode].simple {
			continue
		}
		for bits := range uint32(4) {
			var tree model.Tree
			form := Form{Mode: mode}
			for i, m := range moves {
				tree.Append(m)
				if bits > 0 && m.Promotion() == model.NoPieceType {
					form.Bits = append(form.Bits, uint32(i)<<2|bits)
				}
			}
			rec := must.Get(Append(nil, &p, &tree, &form))(t)
			var g Game
			if err := Decode(rec, &g); err != nil || g.Moves.Len() != len(moves) || len(g.Form.Bits) != len(form.Bits) {
				t.Fatalf("mode %d, bits %d: %v, %v, %+v", mode, bits, err, g.Moves.Nodes(), g.Form)
			}
			for i, m := range moves {
				if g.Moves.Move(i) != m {
					t.Errorf("mode %d, bits %d: %v, want %v", mode, bits, g.Moves.Move(i), m)
				}
			}
			if again, err := Append(nil, &p, &g.Moves, &g.Form); err != nil || !bytes.Equal(again, rec) {
				t.Errorf("mode %d, bits %d: % x, %v, want % x", mode, bits, again, err, rec)
			}
			if plain, err := Append(nil, &p, &g.Moves, &Form{Mode: mode}); err != nil || bytes.Equal(plain, rec) != (bits == 0) {
				t.Errorf("mode %d, bits %d: % x, %v without the bits", mode, bits, plain, err)
			}
			form.Bits = []uint32{3<<2 | 1} // a promotion says itself of what
			if _, err := Append(nil, &p, &tree, &form); err == nil {
				t.Error("no error")
			}
		}
	}
}

// A null move in two bytes can have bits for a promotion (docs/formats/cbg.md 5.3: only
// the squares count). They come back.
func TestNullWords(t *testing.T) {
	for mode := range Mode(numModes) {
		if modes[mode].variant != regular {
			continue
		}
		c := newCipher(mode)
		for bits := range uint16(4) {
			w := bits << 12
			rec := []byte{byte(mode), 0, 0, 0}
			if modes[mode].simple {
				rec = append(rec, c.encode(byte((w|wordEnds)>>8), 0), c.encode(0, 0))
			} else {
				rec = append(rec, c.encode(codeTwoBytes, 0), c.encode(byte(w>>8), 0), c.encode(0, 0), c.encode(codePop, 1))
			}
			rec[3] = byte(len(rec))
			var g Game
			if err := Decode(rec, &g); err != nil || g.Moves.Len() != 1 || !g.Moves.Move(0).IsNull() {
				t.Errorf("mode %d: %#04x is %v, %v", mode, w, g.Moves.Nodes(), err)
				continue
			}
			form, err := DecodeForm(AppendForm(nil, &g.Form))
			if err != nil {
				t.Error(err)
			}
			if got, err := Append(nil, nil, &g.Moves, &form); err != nil || !bytes.Equal(got, rec) {
				t.Errorf("mode %d: % x, %v, want % x", mode, got, err, rec)
			}
		}
	}
	// Bits for a move that is no null move belong to another game.
	var moves model.Tree
	moves.Append(model.NewMove(model.E2, model.E4))
	if _, err := Append(nil, nil, &moves, &Form{Words: []uint32{0}, Bits: []uint32{1}}); err == nil {
		t.Error("no error")
	}
}
