package moveenc

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// Each bit of the second, third and fourth byte, docs/formats/cbg.md 4.
func TestStartFields(t *testing.T) {
	standard := model.StartPosition()
	for _, test := range []struct {
		flags, rights, number byte
		fen                   string // the fields after the board
	}{
		{0x00, 0x0F, 1, "w KQkq - 0 1"},
		{0x00, 0x01, 1, "w Q - 0 1"},
		{0x00, 0x02, 1, "w K - 0 1"},
		{0x00, 0x04, 1, "w q - 0 1"},
		{0x00, 0x08, 1, "w k - 0 1"},
		{0x01, 0x00, 79, "w - a6 0 79"},
		{0x08, 0x00, 255, "w - h6 0 255"},
		{0x16, 0x00, 53, "b - f3 0 53"},
		{0x10, 0x0F, 0, "b KQkq - 0 1"}, // 0 means 1
		{0x0F, 0xF0, 1, "w - - 0 1"},    // no such file, reserved bits
		{0xE3, 0xF2, 2, "w K c6 0 2"},   // reserved bits
		{0x19, 0x0F, 1, "b KQkq - 0 1"}, // no such file
		{0x12, 0x05, 254, "b Qq b3 0 254"},
	} {
		block := appendStart(nil, &standard)
		block[1], block[2], block[3] = test.flags, test.rights, test.number
		s := must.Get(parseStart(block, false))(t)
		want := "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR " + test.fen
		if got := board.FormatFEN(&s.position); got != want {
			t.Errorf("%02x %02x %02x: %s, want %s", test.flags, test.rights, test.number, got, want)
		}
	}
}

// The squares of the Chess960 part, docs/formats/cbg.md 4, and what stands in for them.
func TestChess960Rooks(t *testing.T) {
	tests := []struct{ fen, squares, rooks string }{
		{"bnrkrbnq/pppppppp/8/8/8/8/PPPPPPPP/BNRKRBNQ w ECec - 0 1", "18 1F 20 10 27 17", "e1 c1 e8 c8"},
		{"bnqrnbkr/pppppppp/8/8/8/8/PPPPPPPP/BNQRNBKR w HDhd - 0 1", "30 37 38 18 3F 1F", "h1 d1 h8 d8"},
		// No valid squares: the outermost rooks.
		{"bnrkrbnq/pppppppp/8/8/8/8/PPPPPPPP/BNRKRBNQ w ECec - 0 1", "FF FF FF FF FF FF", "e1 c1 e8 c8"},
		{"rrrkrrrr/8/8/8/8/8/8/RRRKRRRR w HAha - 0 1", "00 00 00 00 00 00", "h1 a1 h8 a8"},
		// An inner rook is named.
		{"rrrkrrrr/8/8/8/8/8/8/RRRKRRRR w GBfc - 0 1", "18 1F 30 08 2F 17", "g1 b1 f8 c8"},
		// Neither a king nor a rook.
		{"8/8/8/8/8/8/8/R7 w - - 0 1", "00 00 00 00 00 00", "- - - -"},
	}
	for _, test := range tests {
		p := must.Get(board.ParseModel960(test.fen))(t)
		block := appendStart(nil, &p)
		if len(block) != startSize960 {
			t.Fatalf("%d bytes", len(block))
		}
		for i, hex := range strings.Fields(test.squares) {
			must.Get(fmt.Sscanf(hex, "%x", &block[startSize+i]))(t)
		}
		s := must.Get(parseStart(block, true))(t)
		r := s.rooks
		if got := fmt.Sprint(r[0][0], r[0][1], r[1][0], r[1][1]); got != test.rooks {
			t.Errorf("%s with %s: rooks %s, want %s", test.fen, test.squares, got, test.rooks)
		}
		if s.position.Rights != p.Rights {
			t.Errorf("%s with %s: rights %v, want %v", test.fen, test.squares, s.position.Rights, p.Rights)
		}
	}
}

// What is not there is written as 0.
func TestChess960WithoutKings(t *testing.T) {
	p := must.Get(board.ParseModel960("8/8/8/8/8/8/8/7R w - - 0 1"))(t)
	if got := appendStart(nil, &p)[startSize:]; !bytes.Equal(got, make([]byte, 8)) {
		t.Errorf("% x", got)
	}
}

// The number of the start position is the true one, for all 960.
func TestChess960StartNumber(t *testing.T) {
	for n := range 960 {
		p := board.Chess960Start(n)
		block := appendStart(nil, &p)
		if got := int(block[34])<<8 | int(block[35]); got != n {
			t.Fatalf("number %d, want %d", got, n)
		}
	}
}

func TestInvalidBoards(t *testing.T) {
	full := func(piece byte) []byte { // the same five bits 38 times
		var b []byte
		bits := strings.Repeat(fmt.Sprintf("%05b", piece), 38)
		for len(bits) >= 8 {
			var v byte
			fmt.Sscanf(bits[:8], "%b", &v)
			b, bits = append(b, v), bits[8:]
		}
		return append(b, 0xFF)[:24]
	}
	for name, stream := range map[string][]byte{
		"piece code 0":     {0x80},
		"piece code 7":     {0xB8},
		"more than 32":     full(0b10110),
		"black, code 0":    {0xC0},
		"end inside piece": bytes.Repeat([]byte{0xFF}, 24),
	} {
		block := append([]byte{1, 0, 0, 1}, stream...)
		block = append(block, make([]byte, startSize)...)[:startSize]
		if _, err := parseStart(block, false); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// What Losses does not name survives; what it names does not.
func TestLossesAreAllThatIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p model.Position
		if rapid.Bool().Draw(t, "Chess960") {
			p = board.Chess960Start(rapid.IntRange(0, 959).Draw(t, "number"))
		} else {
			p = model.StartPosition()
		}
		p.HalfMoves = rapid.SampledFrom([]uint16{0, 0, 0, 7}).Draw(t, "half-moves")
		p.FullMove = rapid.SampledFrom([]uint16{1, 255, 256, 1000}).Draw(t, "move number")
		for c := range p.Rights {
			for side := range p.Rights[c] {
				if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
					p.Rights[c][side] = model.Square(rapid.IntRange(0, 64).Draw(t, "rook"))
				}
			}
		}
		for range rapid.IntRange(0, 6).Draw(t, "pieces gone") {
			p.Board[rapid.IntRange(0, 63).Draw(t, "square")] = model.NoPiece
		}
		s := must.Get(parseStart(appendStart(nil, &p), p.Chess960))(t)
		if losses := Losses(&p); (s.position == p) != (len(losses) == 0) {
			t.Fatalf("%+v\nread back as %+v\nlosses %v", p, s.position, losses)
		}
	})
}

func TestLosses(t *testing.T) {
	if losses := Losses(nil); losses != nil {
		t.Error(losses)
	}
	p := model.StartPosition()
	p.HalfMoves, p.FullMove, p.Rights[model.Black][model.KingSide] = 12, 300, model.G8
	if block := appendStart(nil, &p); block[3] != 255 {
		t.Errorf("move number %d", block[3])
	}
	got := fmt.Sprint(Losses(&p))
	want := "[start: half-move clock 12 start: move number 300, written as 255 start: right of black to castle with g8]"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A block that is not the one we would write comes back as it was.
func FuzzStart(f *testing.F) {
	p, p960 := model.StartPosition(), board.Chess960Start(17)
	f.Add(appendStart(nil, &p), false)
	f.Add(appendStart(nil, &p960), true)
	f.Fuzz(func(t *testing.T, block []byte, is960 bool) {
		if len(block) != startLen(is960) {
			return
		}
		s, _, err := openStart(block, is960)
		if err != nil {
			return
		}
		again, err := parseStart(appendStart(nil, &s.position), is960)
		if err != nil || again.position != s.position {
			t.Fatalf("%v: %+v\nbecame %+v", err, s.position, again.position)
		}
	})
}
