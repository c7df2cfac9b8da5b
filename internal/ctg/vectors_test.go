package ctg

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

func position(t testing.TB, fen string) board.Position {
	t.Helper()
	m := must.Get(board.ParseModel(fen))(t)
	return must.Get(board.New(&m))(t)
}

func TestHashVectors(t *testing.T) {
	for in, want := range map[string]uint32{"": 0, "00": 0x3d08f9e4, "ff": 0x65c3f750, "0102": 0x7c462e24} {
		b := must.Get(hex.DecodeString(in))(t)
		if got := Hash(b); got != want {
			t.Errorf("hash of %q = %08x, want %08x", in, got, want)
		}
	}
}

// vectors are those of docs/formats/ctg.md 10.
var vectors = []struct {
	fen, key string
	hash     uint32
	moves    map[string]byte
}{
	{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"56b60f7960f3a60f58b078e0c1e1a60f5960f3b60f7f", 0xeb7ed3d7,
		map[string]byte{"e2e4": 0x5f, "d2d4": 0xe6, "g1f3": 0xf3, "b1c3": 0x34, "a2a3": 0xec, "h2h4": 0x4a, "d2d3": 0xcf}},
	{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
		"56b60f7960f3a60f58b078e0c721a60f5960f3b60f7f", 0x8c978593,
		map[string]byte{"e7e5": 0x5f, "c7c5": 0x9b}},
	{"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1",
		"77b60f7960f3a60f58b1c8e019e1a6395960f3b60f705f", 0xbb3ebdd9,
		map[string]byte{"e5f6": 0x00}},
	{"2kr3r/ppp2ppp/8/3p4/2pP4/8/PPP2PPP/R4RK1 b - d3 0 1",
		"31b60e60f0b07b8058dc418ce60e60f704", 0x39cc5d41,
		map[string]byte{"c4d3": 0x82, "a7a5": 0x4a, "h7h5": 0xdb}},
	{"8/5k2/8/8/8/8/1K3P2/8 w - - 0 1", "0b00006084000000800000", 0xbc060c0b,
		map[string]byte{"b2c2": 0x97, "f2f4": 0xdb}},
	{"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b Kq - 0 1",
		"51b60f760e60e60e83078583983ad83dc9", 0xd4ee43d0,
		map[string]byte{"e8c8": 0xf6}},
	{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "4db017000000800840002c05cf", 0xeb95c67a,
		map[string]byte{"e1g1": 0x6b, "e1c1": 0xf6, "h1h8": 0x69}},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		p := position(t, v.fen)
		key, view := Encode(&p)
		if key.String() != v.key {
			t.Errorf("%s:\nkey  %s\nwant %s", v.fen, &key, v.key)
		}
		if h := key.Hash(); h != v.hash {
			t.Errorf("%s: hash %08x, want %08x", v.fen, h, v.hash)
		}
		for uci, want := range v.moves {
			m := must.Get(p.ParseUCI(uci))(t)
			code, ok := EncodeMove(&p, view, m, PortableCodes)
			if !ok || code != want {
				t.Errorf("%s: %s = %02x (%v), want %02x", v.fen, uci, code, ok, want)
			}
			back, ok := DecodeMove(&p, view, want)
			if !ok || back != m {
				t.Errorf("%s: %02x = %v (%v), want %v", v.fen, want, back, ok, m)
			}
		}
	}
}

// The table must have what docs/formats/ctg.md 4.1 counts: 165 portable codes with the two
// castlings, 62 for third pieces and the one that everybody reads wrongly.
func TestMoveTableCounts(t *testing.T) {
	count := map[codeKind]int{}
	for _, c := range moveTable {
		count[c.kind]++
	}
	want := map[codeKind]int{portable: 163, shortCastling: 1, longCastling: 1, extended: 63, alias: 6, noMove: 22}
	if fmt.Sprint(count) != fmt.Sprint(want) {
		t.Errorf("kinds %v, want %v", count, want)
	}
}

// No two codes that a writer may use may mean the same.
func TestMoveTableIsUnambiguous(t *testing.T) {
	type meaning struct {
		piece        model.PieceType
		index        uint8
		file, rank   int
		isCastling   bool
		castlingSide codeKind
	}
	seen := map[meaning]int{}
	for code, c := range moveTable {
		m := meaning{c.piece, c.index, int(c.dx) & 7, int(c.dy) & 7, false, 0}
		switch c.kind {
		case noMove, alias:
			continue
		case shortCastling, longCastling:
			m = meaning{isCastling: true, castlingSide: c.kind}
		}
		if other, twice := seen[m]; twice {
			t.Errorf("codes %02x and %02x both mean %+v", other, code, m)
		}
		seen[m] = code
	}
}

// Of every piece that has codes at all, every way it can go must have one.
func TestMoveTableIsComplete(t *testing.T) {
	ways := map[model.PieceType]int{
		model.King: 8, model.Queen: 27, model.Rook: 14, model.Bishop: 13, model.Knight: 8, model.Pawn: 4,
	}
	count := map[[2]int]int{}
	for _, c := range moveTable {
		if c.kind == portable || c.kind == extended {
			count[[2]int{int(c.piece), int(c.index)}]++
		}
	}
	for k, n := range count {
		if want := ways[model.PieceType(k[0])]; n != want {
			t.Errorf("piece %d number %d has %d codes, want %d", k[0], k[1], n, want)
		}
	}
	if len(count) != 1+3+3+3+3+8 {
		t.Errorf("%d pieces have codes, want 21", len(count))
	}
}

func TestSecondQueenSixToTheRight(t *testing.T) {
	p := position(t, "k7/8/8/8/8/8/8/Q1QK4 w - - 0 1")
	// The king on the d-file mirrors the board: c1 becomes f1, a1 h1, so the
	// queen on a1 is the second one.
	_, view := Encode(&p)
	m := must.Get(p.ParseUCI("a1b1"))(t) // one to the left on the mirrored board
	if code, ok := EncodeMove(&p, view, m, PortableCodes); !ok || code != 0xf0 {
		t.Errorf("a1b1 = %02x (%v), want f0", code, ok)
	}
	p = position(t, "k7/8/8/8/8/8/6K1/Q1Q5 w - - 0 1")
	_, view = Encode(&p)
	m = must.Get(p.ParseUCI("c1a3"))(t)
	if code, ok := EncodeMove(&p, view, m, PortableCodes); !ok || code != 0x8e {
		t.Errorf("c1a3 = %02x (%v), want 8e", code, ok)
	}
	p = position(t, "k7/8/8/8/8/8/6K1/Q3Q3 w - - 0 1")
	_, view = Encode(&p)
	m = must.Get(p.ParseUCI("e1c1"))(t)
	if code, ok := EncodeMove(&p, view, m, PortableCodes); ok {
		t.Errorf("two to the left of the second queen has the portable code %02x", code)
	}
	if code, ok := EncodeMove(&p, view, m, AllCodes); !ok || code != 0xf9 {
		t.Errorf("e1c1 = %02x (%v) among all codes, want f9", code, ok)
	}
}

func TestMovesWithoutACode(t *testing.T) {
	for _, c := range []struct{ fen, uci, why string }{
		{"8/4P1k1/8/8/8/8/6K1/8 w - - 0 1", "e7e8n", "underpromotion"},
		{"7k/8/8/8/8/8/6K1/QQQQ4 w - - 0 1", "d1d4", "a fourth queen"},
		{"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "0000", "the null move"},
	} {
		p := position(t, c.fen)
		m := must.Get(p.ParseUCI(c.uci))(t)
		_, view := Encode(&p)
		if code, ok := EncodeMove(&p, view, m, AllCodes); ok {
			t.Errorf("%s has the code %02x", c.why, code)
		}
	}
	p := position(t, "4k3/8/8/8/8/8/8/4K2R w - - 0 1")
	_, view := Encode(&p)
	if code, ok := EncodeMove(&p, view, model.NewCastling(model.E1, model.H1), AllCodes); ok {
		t.Errorf("castling without the right has the code %02x", code)
	}
}

func TestTwinOfPinnedEnPassant(t *testing.T) {
	for _, c := range []struct {
		fen  string
		twin bool
	}{
		{"8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", true},
		{"8/8/8/3pP2r/8/8/8/K3k3 w - d6 0 1", false},
		{"8/8/8/3p3r/8/8/8/K3k3 w - d6 0 1", false},
		{"8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1", false},
	} {
		p := position(t, c.fen)
		key, _ := Encode(&p)
		twin, ok := EncodeTwin(&p)
		if ok != c.twin {
			t.Errorf("%s: twin %v, want %v", c.fen, ok, c.twin)
		}
		if !ok {
			continue
		}
		plain := p.Model()
		plain.EnPassant = model.NoFile
		q := must.Get(board.New(&plain))(t)
		want, _ := Encode(&q)
		if twin != want || twin == key {
			t.Errorf("%s: twin %s, want %s (key %s)", c.fen, &twin, &want, &key)
		}
	}
}

func TestHeaderIsTheOneOfRealBooks(t *testing.T) {
	h := NewHeader()
	h.SetCounts(1, 4, 1)
	got := hex.EncodeToString(h.Bytes()[:32])
	if want := "0020100000010001000010007fff7fff00000001ffffffff0000000400000001"; got != want {
		t.Errorf("header %s, want %s", got, want)
	}
	got = hex.EncodeToString(h.Bytes()[0x400:0x418])
	if want := "0001000500017fff00037fff0005001e0006000200070001"; got != want {
		t.Errorf("words at 0x400 %s, want %s", got, want)
	}
}

func TestSmallestPortableDirectory(t *testing.T) {
	d := newDirectory()
	d.Split(0)
	d.SetPage(1, 0)
	d.SetPage(2, 1)
	if got := hex.EncodeToString(d.AppendBitmap(nil)); got != "000c0001000000000000000801" {
		t.Errorf(".ctb %s", got)
	}
	cto := d.AppendPages(nil, true)
	want := "00100001000000190000000000000000" + "ffffffff0000000000000001"
	for range 22 {
		want += "ffffffff"
	}
	if got := hex.EncodeToString(cto); got != want {
		t.Errorf(".cto %s,\nwant %s", got, want)
	}
}

// docs/formats/ctg.md 4.1 prints the table of move bytes.
func TestMoveTableOfTheReference(t *testing.T) {
	page := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", "formats", "ctg.md")))(t)
	block := "\n    table: move bytes\n"
	for first := 0; first < len(moveTable); first += 8 {
		line := fmt.Sprintf("    %02x ", first)
		for _, c := range moveTable[first : first+8] {
			line += fmt.Sprintf(" %-10s", printed(c))
		}
		block += strings.TrimRight(line, " ") + "\n"
	}
	if !strings.Contains(string(page), block) {
		t.Errorf("docs/formats/ctg.md should have%s", block)
	}
}

// printed is what the page says of a move byte.
func printed(c moveCode) string {
	mark := map[codeKind]string{extended: "*", alias: "="}[c.kind]
	switch c.kind {
	case noMove:
		return "-"
	case shortCastling:
		return "O-O"
	case longCastling:
		return "O-O-O"
	}
	return fmt.Sprintf("%c%d(%d,%d)%s", c.piece.Letter(), c.index, c.dx, c.dy, mark)
}
