package moveenc_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/moveenc"
)

func TestDecodeErrors(t *testing.T) {
	for _, test := range []struct {
		name, hex string
		kind      error
		offset    int64
		text      string
	}{
		{"nothing", ``, model.ErrTruncated, 0, "truncated"},
		{"half a head", `00 00 00`, model.ErrTruncated, 3, "truncated"},
		{"size 0", `00 00 00 00`, model.ErrCorrupt, 1, "size"},
		{"size 3", `00 00 00 03 0C`, model.ErrCorrupt, 1, "size"},
		{"size beyond the bytes", `00 00 00 06 0C`, model.ErrTruncated, 5, "6 bytes, 5 are there"},
		{"mode 12", `0C 00 00 05 0C`, model.ErrUnsupported, 0, "mode 12 is not known"},
		{"mode 63", `7F 00 00 05 0C`, model.ErrUnsupported, 0, "mode 63 is not known"},
		{"losing chess", `08 00 00 05 0C`, model.ErrUnsupported, 0, "mode 8 is losing chess"},
		{"half a start", `40 00 00 05 01`, model.ErrCorrupt, 5, "truncated"},
		{"Chess960 from nowhere", `0A 00 00 05 0C`, model.ErrCorrupt, 0, "without a start position"},
		{"piece code 7", `40 00 00 21 01 00 0F 01 B8` + strings.Repeat("00", 23) + `0C`, model.ErrCorrupt, 4, "piece code"},
		{"two kings", `40 00 00 21 01 00 0F 01 8C 40` + strings.Repeat("00", 22) + `0C`, model.ErrUnsupported, 4, "more than one king"},
		// The rest is plain text under mode 0: n is 0 throughout the first move.
		{"rook through a pawn", plain(0x28, 0xFF), model.ErrCorrupt, 4, "move 1: illegal move a1a3"},
		{"onto an own piece", plain(0x27, 0xFF), model.ErrCorrupt, 4, "move 1: illegal move a1a2"},
		{"queen 2", plain(0x8F, 0xFF), model.ErrCorrupt, 4, "move 1: no such piece"},
		{"unused code", plain(0xF0, 0xFF), model.ErrCorrupt, 4, "move 1: code without a meaning"},
		{"castling through pieces", plain(0x09, 0xFF), model.ErrCorrupt, 4, "move 1: illegal move e1g1"},
		{"half a word", plain(0xEB, 0x00), model.ErrCorrupt, 4, "half a move"},
		{"word with bit 15", plain(0xEB, 0x86, 0x4C, 0xFF), model.ErrCorrupt, 4, "bits without a meaning"},
		{"promotion without a pawn", plain(0xEB, 0x14, 0x20, 0xFF), model.ErrCorrupt, 4, "illegal move"},
		{"standing still", plain(0xEB, 0x04, 0x51, 0xFF), model.ErrCorrupt, 4, "illegal move"},
		{"PUSH PUSH", plain(0xFE, 0xFE, 0xFF), model.ErrCorrupt, 5, "PUSH without a move"},
		{"PUSH POP", plain(0xFE, 0xFF, 0xFF), model.ErrCorrupt, 5, "alternative missing"},
		{"PUSH alone", plain(0xFE), model.ErrCorrupt, 5, "alternative missing"},
		{"no alternative", `00 00 00 08` + cipher0(0, 0xFE, 0x80) + cipher0(1, 0xFF, 0xFF), model.ErrCorrupt, 7, "alternative missing"},
		{"end for an alternative", `00 00 00 07` + cipher0(0, 0xFE, 0x80) + cipher0(1, 0xFF), model.ErrCorrupt, 7, "alternative missing"},
		{"end within a variation", `00 00 00 06` + cipher0(0, 0xFE, 0x80), model.ErrCorrupt, 6, "alternative missing"},
		{"unproven mode", `06 00 00 05 00`, model.ErrUnsupported, 4, "move 1"},
	} {
		var g moveenc.Game
		err := moveenc.Decode(unhex(test.hex), &g)
		var where *model.FormatError
		if !errors.Is(err, test.kind) || !errors.As(err, &where) || where.Offset != test.offset || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v", test.name, err)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than a line: %v", test.name, err)
		}
	}
}

// Castling in Chess960 stands in a word with the king's new square twice, and
// in nothing else (docs/formats/cbg.md 5.3).
func TestChess960CastlingErrors(t *testing.T) {
	start := must.Get(board.ParseModel960("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"))(t)
	empty := must.Get(moveenc.Append(nil, &start, &model.Tree{}, nil))(t)
	block := empty[moveenc.HeadSize : len(empty)-1]
	for _, test := range []struct {
		codes []byte
		good  bool
	}{
		{[]byte{0xEB, 0x0C, 0x30, 0xFF}, true},  // g1g1
		{[]byte{0xEB, 0x04, 0x10, 0xFF}, true},  // c1c1
		{[]byte{0xEB, 0x2C, 0x30, 0xFF}, false}, // with a promotion
		{[]byte{0xEB, 0x0A, 0x28, 0xFF}, false}, // f1f1
		{[]byte{0xEB, 0x0C, 0x20, 0xFF}, false}, // e1g1
		{[]byte{0x09, 0xFF}, false},
		{[]byte{0x0A, 0xFF}, false},
	} {
		rec := record(0x4A, slices.Concat(block, moveenc.Encipher(10, test.codes)))
		var g moveenc.Game
		err := moveenc.Decode(rec, &g)
		if test.good != (err == nil) || err != nil && !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("% X: %v", test.codes, err)
		}
	}
}

// The simple encoder's promise of alternatives must be kept.
func TestSimpleAlternativeMissing(t *testing.T) {
	moves := vector{moves: "e2e4 e7e5 c7c5", parents: []int{-1, 0, 0}}.tree(t)
	for _, kept := range []int{1, 2, 3, 4, 5} { // bytes after the head
		rec := must.Get(moveenc.Append(nil, nil, &moves, &moveenc.Form{Mode: 5}))(t)
		var g moveenc.Game
		err := moveenc.Decode(record(5, rec[moveenc.HeadSize:moveenc.HeadSize+kept]), &g)
		if (err == nil) != (kept == 2) || err != nil && !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%d bytes: %v", kept, err)
		}
	}
}

// plain returns a record of mode 0 with the given values and n always 0.
func plain(values ...byte) string {
	return "00 00 00 0" + string("0123456789"[4+len(values)]) + cipher0(0, values...)
}

// cipher0 returns values as bytes of mode 0 after n moves.
func cipher0(n byte, values ...byte) string {
	const hex = "0123456789ABCDEF"
	var s strings.Builder
	for _, v := range values {
		raw := table0Inverse[v] + n
		s.WriteByte(hex[raw>>4])
		s.WriteByte(hex[raw&15])
	}
	return s.String()
}

// table0Inverse holds the bytes of mode 0 that these tests need; real records
// confirm them all (docs/formats/cbg.md 11, 12) or the table's own test does.
var table0Inverse = moveenc.Inverse(0)

func TestEncodeErrors(t *testing.T) {
	standard := model.StartPosition()
	e4 := tree(model.NewMove(model.E2, model.E4))
	twoKings := standard
	twoKings.Board[model.E4] = model.WhiteKing
	chess960 := board.Chess960Start(0)
	otherRook := board.Chess960Start(0)
	otherRook.Board = [64]model.Piece{model.A1: model.WhiteRook, model.C1: model.WhiteRook, model.E1: model.WhiteKing,
		model.E8: model.BlackKing}
	otherRook.Rights = model.NoRights()
	for _, test := range []struct {
		name  string
		start *model.Position
		moves model.Tree
		form  moveenc.Form
		kind  error
	}{
		{"illegal", nil, tree(model.NewMove(model.E2, model.E5)), moveenc.Form{}, model.ErrCorrupt},
		{"Black's move", nil, tree(model.NewMove(model.E7, model.E5)), moveenc.Form{}, model.ErrCorrupt},
		{"empty square", nil, tree(model.NewMove(model.E5, model.E6)), moveenc.Form{}, model.ErrCorrupt},
		{"bad promotion", nil, tree(model.NewPromotion(model.E2, model.E4, model.Queen)), moveenc.Form{}, model.ErrCorrupt},
		{"castling", nil, tree(model.NewCastling(model.E1, model.H1)), moveenc.Form{}, model.ErrCorrupt},
		{"illegal, simple", nil, tree(model.NewMove(model.E2, model.E5)), moveenc.Form{Mode: 5}, model.ErrCorrupt},
		{"two kings", &twoKings, e4, moveenc.Form{}, model.ErrUnsupported},
		{"another rook", &otherRook, tree(model.NewCastling(model.E1, model.C1)), moveenc.Form{}, model.ErrUnsupported},
		{"Chess960 in mode 5", &chess960, model.Tree{}, moveenc.Form{Mode: 5}, model.ErrUnsupported},
		{"regular in mode 10", &standard, model.Tree{}, moveenc.Form{Mode: 10}, model.ErrUnsupported},
		{"no start in mode 11", nil, model.Tree{}, moveenc.Form{Mode: 11}, model.ErrUnsupported},
		{"mode 12", nil, e4, moveenc.Form{Mode: 12}, model.ErrUnsupported},
		{"mode 9", nil, e4, moveenc.Form{Mode: 9}, model.ErrUnsupported},
		{"dummy nowhere", nil, e4, moveenc.Form{Dummies: []uint32{2}}, model.ErrCorrupt},
		{"word nowhere", nil, e4, moveenc.Form{Words: []uint32{1}}, model.ErrCorrupt},
		{"no twin", nil, e4, moveenc.Form{Twins: []uint32{0}}, model.ErrCorrupt},
		{"descending", nil, e4, moveenc.Form{Dummies: []uint32{1, 0}}, model.ErrCorrupt},
		{"dummies, simple", nil, e4, moveenc.Form{Mode: 1, Dummies: []uint32{0}}, model.ErrCorrupt},
		{"trailer after no end", nil, e4, moveenc.Form{NoEnd: true, Trailer: []byte{0}}, model.ErrCorrupt},
		{"no end, simple and empty", nil, model.Tree{}, moveenc.Form{Mode: 3, NoEnd: true}, model.ErrCorrupt},
		{"trailer, simple and empty", nil, model.Tree{}, moveenc.Form{Mode: 3, Trailer: []byte{0}}, model.ErrCorrupt},
		{"start of another game", &standard, e4, moveenc.Form{Start: make([]byte, 28)}, model.ErrCorrupt},
		{"start of another length", &standard, e4, moveenc.Form{Start: make([]byte, 5)}, model.ErrCorrupt},
		{"start without one", nil, e4, moveenc.Form{Start: make([]byte, 28)}, model.ErrCorrupt},
		{"too large", nil, e4, moveenc.Form{Trailer: make([]byte, moveenc.MaxSize)}, model.ErrTooLarge},
	} {
		got, err := moveenc.Append([]byte{42}, test.start, &test.moves, &test.form)
		if !errors.Is(err, test.kind) {
			t.Errorf("%s: %v, want %v", test.name, err, test.kind)
		}
		if len(got) != 1 || got[0] != 42 {
			t.Errorf("%s: %x", test.name, got)
		}
	}
}

func tree(moves ...model.Move) (t model.Tree) {
	for _, m := range moves {
		t.Append(m)
	}
	return t
}

// A record cut short at any byte gives an error, or a game without an end.
func TestCutRecords(t *testing.T) {
	hexes := []string{vector7}
	for _, v := range vectors {
		hexes = append(hexes, v.hex)
	}
	for _, hex := range hexes {
		rec := unhex(hex)
		for n := range rec {
			var g moveenc.Game
			if err := moveenc.Decode(rec[:n], &g); err == nil {
				t.Fatalf("%x: %d of %d bytes decode", rec, n, len(rec))
			}
			if n < moveenc.HeadSize {
				continue
			}
			cut := record(rec[0], rec[moveenc.HeadSize:n])
			if err := moveenc.Decode(cut, &g); err == nil && !g.Form.NoEnd {
				t.Fatalf("%x decodes and has an end", cut)
			}
		}
	}
}

// Bytes beyond the record are not looked at.
func TestDecodeReadsOneRecord(t *testing.T) {
	var g moveenc.Game
	if err := moveenc.Decode(unhex(`000000050C FFFF`), &g); err != nil || !g.Form.IsZero() || g.Moves.Len() != 0 {
		t.Errorf("%v, %+v", err, g.Form)
	}
	// Stray bytes inside it are kept.
	if err := moveenc.Decode(unhex(`000000070C FFFF`), &g); err != nil || len(g.Form.Trailer) != 2 {
		t.Errorf("%v, %+v", err, g.Form)
	}
	// No moves at all, not even a POP.
	if err := moveenc.Decode(unhex(`00000004`), &g); err != nil || !g.Form.NoEnd {
		t.Errorf("%v, %+v", err, g.Form)
	}
}

// Castling is accepted without its right (docs/formats/cbg.md 4).
func TestCastlingWithoutTheRight(t *testing.T) {
	start := must.Get(board.ParseModel("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"))(t)
	for _, mode := range []moveenc.Mode{0, 1, 2, 3} {
		var g moveenc.Game
		moves := tree(model.NewCastling(model.E1, model.H1), model.NewCastling(model.E8, model.A8))
		checkRoundTrip(t, &g, game{&start, moves}, moveenc.Form{Mode: mode})
	}
}

// TestEncodeNil: no tree is a tree without moves.
func TestEncodeNil(t *testing.T) {
	got := must.Get(moveenc.Append(nil, nil, nil, nil))(t)
	want, err := moveenc.Append(nil, nil, new(model.Tree), nil)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("% x, without moves % x, error %v", got, want, err)
	}
}

// TestLargestRecord: a record of MaxSize bytes is written and read, one byte
// more is refused.
func TestLargestRecord(t *testing.T) {
	moves := tree(model.NewMove(model.E2, model.E4))
	plain := must.Get(moveenc.Append(nil, nil, &moves, nil))(t)
	trailer := make([]byte, moveenc.MaxSize-len(plain)+1)
	rec, err := moveenc.Append(nil, nil, &moves, &moveenc.Form{Trailer: trailer[1:]})
	if err != nil || len(rec) != moveenc.MaxSize {
		t.Fatalf("%d bytes, error %v", len(rec), err)
	}
	var g moveenc.Game
	if err := moveenc.Decode(rec, &g); err != nil || len(g.Form.Trailer) != len(trailer)-1 {
		t.Errorf("decoded with a trailer of %d bytes, error %v", len(g.Form.Trailer), err)
	}
	if _, err := moveenc.Append(nil, nil, &moves, &moveenc.Form{Trailer: trailer}); !errors.Is(err, model.ErrTooLarge) {
		t.Errorf("one byte more: error %v", err)
	}
}
