package dcdb

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	return must.Get(hex.DecodeString(strings.ReplaceAll(s, " ", "")))(t)
}

// latin1 stands for the code page.
func latin1(b []byte) string {
	r := make([]rune, len(b))
	for i, c := range b {
		r[i] = rune(c)
	}
	return string(r)
}

// decode reads a body; the warnings are returned in one line each.
func decode(body []byte, p Promotions) (*model.Game, []string, error) {
	var warnings []string
	report := func(e *model.FormatError) { warnings = append(warnings, e.Error()) }
	d := Decoder{Promotions: p, Foreign: latin1, Warn: report, Note: report}
	var out Decoded
	err := d.Decode(body, &out)
	return &model.Game{Header: model.NewHeader(), Start: out.Start, Moves: out.Moves, Annotations: out.Annotations}, warnings, err
}

// encode writes a body and collects the losses.
func encode(g *model.Game, p Promotions) ([]byte, []string, error) {
	var losses []string
	e := Encoder{Promotions: p, Lost: func(k model.LossKind, field, _ string, _ ...any) { losses = append(losses, string(k)+" "+field) }}
	body, _, err := e.Encode(g)
	return body, losses, err
}

// plain returns the moves of a game as one string with variations in brackets.
func plain(g *model.Game) string {
	var b strings.Builder
	var write func(node int)
	write = func(node int) {
		for ; node != model.NoNode; node = g.Moves.Main(node) {
			b.WriteString(" " + g.Moves.Move(node).String())
			if !g.Moves.IsMain(node) {
				continue
			}
			for a := g.Moves.NextAlternative(node); a != model.NoNode; a = g.Moves.NextAlternative(a) {
				b.WriteString(" (")
				write(a)
				b.WriteString(" )")
			}
		}
	}
	write(g.Moves.Main(model.NoNode))
	return strings.TrimSpace(b.String())
}

// The vectors of docs/formats/dcdb.md 7, without their lengths.
func TestVectors(t *testing.T) {
	for _, v := range []struct{ body, moves string }{
		{"00 031c", "e2e4"},
		{"00 02db 0ce3", "d2d4 d7d5"},
		{"00", ""},
		{"00 031c 88 02db 87 01 2c 0ce3", "e2e4 0000 d2d4 d7d5"},
		{"00 031c 86 03 616263 84 02db 0ce3 85 84 029a 85 0d24", "e2e4 ( d2d4 d7d5 ) ( c2c4 ) e7e5"},
	} {
		body := unhex(t, v.body)
		g, warnings, err := decode(body, FromTwo)
		if err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %q", v.body, err, warnings)
			continue
		}
		if got := plain(g); got != v.moves {
			t.Errorf("%s: %s, want %s", v.body, got, v.moves)
		}
		again, losses, err := encode(g, FromTwo)
		if err != nil || len(losses) > 0 || string(again) != string(body) {
			t.Errorf("%s: written as %x, %q, %v", v.body, again, losses, err)
		}
	}
}

func TestLengths(t *testing.T) {
	for n, want := range map[uint32]string{
		0: "00", 126: "7e", 127: "817f", 128: "8180", 129: "8181", 254: "81fe", 255: "8200ff", 256: "820100", 257: "820101",
		65534: "82fffe", 65535: "8300ffff", 65536: "83010000", 65537: "83010001",
		16777214: "83fffffe", 16777215: "8400ffffff", 4294967295: "84ffffffff",
	} {
		b := AppendLength(nil, n)
		if hex.EncodeToString(b) != want {
			t.Errorf("%d: %x, want %s", n, b, want)
		}
		if got, size := DecodeLength(b); got != n || size != len(b) {
			t.Errorf("%x: %d in %d bytes", b, got, size)
		}
		for cut := range b {
			if _, size := DecodeLength(b[:cut]); size != 0 {
				t.Errorf("%x is no length", b[:cut])
			}
		}
	}
	for _, s := range []string{"", "80", "85 00 00 00 00 01", "ff"} {
		if _, size := DecodeLength(unhex(t, s)); size != 0 {
			t.Errorf("%s is no length", s)
		}
	}
	for s, want := range map[string]uint32{"7f": 127, "8105": 5, "820005": 5, "8400000005": 5} {
		if n, _ := DecodeLength(unhex(t, s)); n != want {
			t.Errorf("%s: %d, want %d", s, n, want)
		}
	}
}

// Both numberings of promotions, and what is left of a queen in two bits.
func TestPromotions(t *testing.T) {
	const fen = "8/PPPP1k2/8/8/8/8/5K2/8 w - - 0 1"
	start := append(AppendLength([]byte{markFEN}, uint32(len(fen))), fen...)
	for _, v := range []struct {
		move   string
		coding Promotions
		want   string
		warns  bool
	}{
		{"2c38", FromTwo, "a7a8n", false}, {"3c79", FromTwo, "b7b8b", false},
		{"4cba", FromTwo, "c7c8r", false}, {"5cfb", FromTwo, "d7d8q", false},
		{"1c38", FromOne, "a7a8n", false}, {"2c79", FromOne, "b7b8b", false},
		{"3cba", FromOne, "c7c8r", false}, {"4cfb", FromOne, "d7d8q", false},
		{"0cfb", FromTwo, "d7d8q", true}, {"0cfb", FromOne, "d7d8q", true},
		{"5cfb", FromOne, "d7d8q", true}, {"1c38", FromTwo, "a7a8n", true},
		{"6cfb", FromOne, "", true}, {"7cfb", FromTwo, "", true},
	} {
		body := append(start[:len(start):len(start)], unhex(t, v.move)...)
		g, warnings, err := decode(body, v.coding)
		if (err != nil) != (v.want == "") || plain(g) != v.want || (len(warnings) > 0 || err != nil) != v.warns {
			t.Errorf("%s: %q %q %v, want %q", v.move, plain(g), warnings, err, v.want)
		}
		if v.warns {
			continue
		}
		if again, _, _ := encode(g, v.coding); string(again) != string(body) {
			t.Errorf("%s: written as %x", v.move, again)
		}
	}
	for body, want := range map[string]Promotions{"5cfb": FromTwo, "1cfb 5cfb": FromTwo, "1cfb": FromOne, "2c38 4cfb": 0, "031c": 0} {
		if got := SeenPromotions(append(start[:len(start):len(start)], unhex(t, body)...)); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
}

// Damage of docs/formats/dcdb.md: what comes before it is kept, and it is said; an
// error where the game cannot go on.
func TestDamagedGames(t *testing.T) {
	cut := []string{"unknown item", "illegal move", "a1a1 is no null move", "half a move", "comment without a length"}
	for _, v := range []struct{ name, body, moves, says string }{
		{"no end of variation", "00 031c 84 02db", "e2e4 ( d2d4 )", "do not end"},
		{"stray end", "00 85 031c 85 0d24", "e2e4 e7e5", "has not begun"},
		{"variation before any move", "00 84 02db 85 031c", "e2e4", "no move that it could replace"},
		{"nested variation before any move", "00 031c 84 84 02db 84 86 01 61 85 85 85 0d24", "e2e4 e7e5", "no move that it could replace"},
		{"old begin", "00 031c 80 02db 85 0d24", "e2e4 ( d2d4 ) e7e5", ""},
		{"unknown item", "00 031c 89 0d24", "e2e4", "89 has no meaning"},
		{"illegal move", "00 031c 031c 0d24", "e2e4", "not legal"},
		{"a1a1 is no null move", "00 031c 0000 0d24", "e2e4", "not legal"},
		{"half a move", "00 031c 0d", "e2e4", "half a move"},
		{"comment past the end", "00 031c 86 20 61 62", "e2e4", "32 bytes are announced, the game has 2"},
		{"comment without a length", "00 031c 86 80 61 62", "e2e4", "no length"},
		{"7f as a length", "00 031c 86 7f 61 62", "e2e4", "127 bytes are announced"},
		{"promotion of a knight", "00 1195", "g1f3", "promotion"},
		{"empty blocks", "00 031c 86 00 87 00 0d24", "e2e4 e7e5", ""},
	} {
		g, warnings, err := decode(unhex(t, v.body), FromTwo)
		if (err != nil) != slices.Contains(cut, v.name) {
			t.Errorf("%s: %v", v.name, err)
		}
		if err != nil {
			warnings = append(warnings, err.Error())
		}
		if plain(g) != v.moves {
			t.Errorf("%s: %q, want %q", v.name, plain(g), v.moves)
		}
		if all := strings.Join(warnings, "\n"); (v.says == "") != (all == "") || !strings.Contains(all, v.says) {
			t.Errorf("%s: warnings %q, want %q", v.name, all, v.says)
		}
	}
	for name, body := range map[string]string{"nothing": "", "marker": "02 031c", "no FEN": "01", "empty FEN": "01 00", "bad FEN": "01 03 616263"} {
		if _, _, err := decode(unhex(t, body), FromTwo); !errors.Is(err, model.ErrCorrupt) && !errors.Is(err, model.ErrTruncated) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// No comment is lost, wherever it stands.
func TestCommentsInEveryPlace(t *testing.T) {
	g, warnings, err := decode(unhex(t, "00 86 01 61 86 01 62"+ // game, joined
		"031c 87 01 01 86 01 63 87 01 0a 86 01 64"+ // after a move, joined; more NAGs
		"84 86 01 65 02db 85"+ // before a variation's first move
		"86 01 66"+ // after the variation: of the main line
		"84 86 01 67 85"+ // of a variation without moves
		"0d24 86 02 e4 80"), FromTwo) // not UTF-8
	if err != nil || len(warnings) != 1 {
		t.Fatal(err, warnings)
	}
	want := []model.Annotation{
		{Node: -1, Value: model.Text{Text: "a b"}},
		{Node: 0, Value: model.Symbols{Move: 1, Position: 10}},
		{Node: 0, Value: model.Text{Text: "c d f g"}},
		{Node: 1, Value: model.Text{Text: "\u00e4\u0080"}},
		{Node: 2, Value: model.Text{Text: "e", Before: true}},
	}
	if d := cmp.Diff(want, g.Annotations); d != "" {
		t.Error(d)
	}
}

func TestMarksInComments(t *testing.T) {
	squares := model.Squares{{Color: model.Green, Square: model.E4}, {Color: model.Blue, Square: model.D5}}
	arrows := model.Arrows{{Color: model.Red, From: model.E2, To: model.E4}}
	text := model.Text{Text: "why [%clk 1:00:00] not"}
	for _, v := range []struct {
		comment string
		want    []model.Value
	}{
		{"[%csl Ge4,Bd5]", []model.Value{squares}},
		{"[%csl Ge4,Bd5][%cal Re2e4]", []model.Value{squares, arrows}},
		{"[%cal Re2e4] why [%clk 1:00:00] not [%csl Ge4,Bd5]", []model.Value{arrows, text, squares}},
		{"why [%clk 1:00:00] not [%csl Ge4,Bd5][%cal Re2e4]", []model.Value{text, squares, arrows}},
		{"see [%csl Ge4] there", []model.Value{model.Text{Text: "see [%csl Ge4] there"}}},
		{"[%csl Xe4]", []model.Value{model.Text{Text: "[%csl Xe4]"}}},
		{"[%csl Ge9", []model.Value{model.Text{Text: "[%csl Ge9"}}},
		{"[%csl ]", []model.Value{model.Text{Text: "[%csl ]"}}},
	} {
		g := &model.Game{Header: model.NewHeader()}
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		for _, value := range v.want {
			g.Annotate(0, value)
		}
		body, losses, err := encode(g, FromOne)
		if err != nil || len(losses) > 0 || string(body[5:]) != v.comment {
			t.Errorf("%s: written as %q, %q, %v", v.comment, body[5:], losses, err)
		}
		back, _, _ := decode(body, FromOne)
		if d := cmp.Diff(g.Annotations, back.Annotations); d != "" {
			t.Errorf("%s: %s", v.comment, d)
		}
	}
	g := &model.Game{Header: model.NewHeader()}
	g.Annotate(model.NoNode, model.Squares{{Color: 9, Square: model.E4}})
	g.Annotate(model.NoNode, model.Arrows{{Color: model.Red, From: 70, To: 3}})
	g.Annotate(model.NoNode, model.Text{Text: "[%csl Ge4]"})
	if _, losses, _ := encode(g, FromOne); strings.Join(losses, ", ") != "annotation squares, annotation arrows, changed annotations" {
		t.Errorf("losses: %q", losses)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"Tal, Mikhail": "Tal, Mikhail", " blanks ": "blanks", "": "", "?": "?",
		strings.Repeat("x", 36):       strings.Repeat("x", 36),
		strings.Repeat("x", 37):       strings.Repeat("x", 36),
		"x" + strings.Repeat("é", 18): "x" + strings.Repeat("é", 17),
		strings.Repeat("世", 13):       strings.Repeat("世", 12),
	} {
		n := EncodeName(name)
		if got, ok := DecodeName(n[:], latin1); got != want || !ok {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	cut := Name([]byte("x" + strings.Repeat("é", 18))[:36])
	if got, ok := DecodeName(cut[:], latin1); got != "x"+strings.Repeat("é", 17) || !ok {
		t.Errorf("cut inside a character: %q", got)
	}
	if got, ok := DecodeName([]byte("ab\x00cd"), latin1); got != "ab" || !ok {
		t.Errorf("NUL: %q", got)
	}
	if got, ok := DecodeName([]byte("Z\xfcrich  "), latin1); got != "Zürich" || ok {
		t.Errorf("not UTF-8: %q", got)
	}
}

// Any name is cut between characters, and a second encoding changes nothing.
func TestNamesAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "name")
		n := EncodeName(s)
		name, ok := DecodeName(n[:], latin1)
		if !ok || !utf8.ValidString(name) {
			t.Fatalf("%q became %q", s, name)
		}
		if EncodeName(name) != EncodeName(strings.TrimRight(name, " ")) {
			t.Fatalf("%q is not stable", name)
		}
		p := Player(name)
		if p == (model.Player{}) {
			return
		}
		again := EncodeName(p.String())
		if back, _ := DecodeName(again[:], latin1); Player(back) != p {
			t.Fatalf("%+v became %+v", p, Player(back))
		}
	})
}

// The entry of docs/formats/dcdb.md 2.
func TestEntryVector(t *testing.T) {
	raw := unhex(t, "00 000000000000000a 0000002e 00000076 0003 0000002e 00000196 0a8d 0a5f 01 433635 07e2 0a 16")
	want := Entry{Offset: 10, White: 46, Black: 118, Round: 3, Site: 46, Event: 406, WhiteElo: 2701, BlackElo: 2655,
		Result: 1, ECO: [3]byte{'C', '6', '5'}, Year: 2018, Month: 10, Day: 22}
	e := V0.DecodeEntry(raw)
	if d := cmp.Diff(want, e); d != "" {
		t.Fatal(d)
	}
	if e.GameResult() != model.WhiteWins || e.Opening().String() != "C65" || e.Date().String() != "2018.10.22" || !e.Plain() {
		t.Errorf("%v %v %v", e.GameResult(), e.Opening(), e.Date())
	}
	if again := V0.AppendEntry(nil, &e); string(again) != string(raw) {
		t.Errorf("written as %x", again)
	}
}

// Every entry comes back in both layouts.
func TestEntriesThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 61, 61).Draw(t, "entry")
		for _, l := range []Layout{V0, V1} {
			e := l.DecodeEntry(raw)
			if again := l.AppendEntry(nil, &e); string(again) != string(raw[:l.EntrySize()]) {
				t.Fatalf("%v: %x became %x", l, raw, again)
			}
			f := Entry{}
			f.SetDate(e.Date())
			f.SetOpening(e.Opening())
			f.SetResult(e.GameResult())
			if f.Date() != e.Date() || f.Opening() != e.Opening() || f.GameResult() != e.GameResult() || !f.Plain() {
				t.Fatalf("%+v and %+v", e, f)
			}
		}
	})
}

// The layout is found whatever the version says, and a partial last entry or
// one damaged entry does not deceive.
func TestDetect(t *testing.T) {
	for l := V1; l <= v1NinePawns; l++ {
		for _, games := range []int{1, 3, 40} {
			for _, rest := range []int{0, 5} {
				if l == v1NinePawns && games == 1 && rest > 0 {
					continue // the beginning of its entry is one of v1Short
				}
				head := AppendMagic(nil, Index)
				if l.HeaderSize() > MagicSize {
					head = append(head, 0)
					if l == V1 || l == v1NinePawns {
						head[MagicSize] = 1
					}
				}
				head = append(head, make([]byte, l.HeaderSize()-len(head))...)
				for i := range games {
					e := Entry{Offset: uint64(MagicSize + 100*i), White: 10, Black: 46, Site: 10, Event: 10, Result: 1, WhiteElo: 2700, Year: 2018, Month: 12, Day: 24}
					if games > 3 && i == 1 {
						e.Offset = 1 << 60
					}
					entry := V1.AppendEntry(nil, &e)
					if layouts[l].noEvent {
						entry = append(entry[:23:23], entry[27:]...)
					}
					head = append(head, entry[:l.EntrySize()]...)
				}
				head = append(head, make([]byte, rest)...)
				got, err := Detect(head[:min(len(head), ProbeSize)], int64(len(head)), 5000)
				if err != nil || got != l {
					t.Errorf("%v, %d games, %d more bytes: %v, %v", l, games, rest, got, err)
				}
			}
		}
	}
	if _, err := Detect(append(AppendMagic(nil, Index), 7, 1, 2, 3), 14, 100); !errors.Is(err, model.ErrUnsupported) {
		t.Errorf("version 7: %v", err)
	}
}

// Games of every shape come back; what does not is reported.
func TestGamesThereAndBack(t *testing.T) {
	lossless := 0
	rapid.Check(t, func(t *rapid.T) {
		c := gen.Config{Kinds: []model.Kind{model.KindText, model.KindSymbols, model.KindSquares, model.KindArrows}, TextBytes: 70_000}
		if rapid.Bool().Draw(t, "plain") {
			c.Kinds = []model.Kind{model.KindText}
		}
		g := gen.Game(c, gen.Entities(c).Draw(t, "entities")).Draw(t, "game")
		p := rapid.SampledFrom([]Promotions{FromOne, FromTwo}).Draw(t, "promotions")
		body, losses, err := encode(g, p)
		if err != nil {
			t.Fatal(err)
		}
		body = append([]byte(nil), body...)
		back, warnings, err := decode(body, p)
		if err != nil || len(warnings) > 0 {
			t.Fatal(err, warnings)
		}
		again, more, err := encode(back, p)
		if err != nil || len(more) > 0 || string(again) != string(body) {
			t.Fatalf("%x became %x, %q, %v", body, again, more, err)
		}
		if len(losses) > 0 {
			return
		}
		lossless++
		if back.StartPosition() != g.StartPosition() || !back.Moves.Equal(&g.Moves) {
			t.Fatalf("%s became %s", plain(g), plain(back))
		}
		if d := cmp.Diff(g.Annotations, back.Annotations); d != "" {
			t.Fatal(d)
		}
	})
	if lossless == 0 {
		t.Error("no game came back without a loss")
	}
}

// Variations nested to the limit come back, one more level is reported.
func TestNesting(t *testing.T) {
	build := func(depth int) *model.Game {
		b := new(model.TreeBuilder)
		moves := [...]model.Move{model.NewMove(model.G1, model.F3), model.NewMove(model.G8, model.F6), model.NewMove(model.F3, model.G1), model.NewMove(model.F6, model.G8)}
		other := [...]model.Move{model.NewMove(model.B1, model.C3), model.NewMove(model.B8, model.C6), model.NewMove(model.B1, model.C3), model.NewMove(model.B8, model.C6)}
		parent := model.NoNode
		for ply := range depth + 1 {
			b.Add(parent, other[ply%4])
			parent = b.Add(parent, moves[ply%4])
		}
		g := &model.Game{Header: model.NewHeader()}
		b.Build(&g.Moves)
		return g
	}
	for _, v := range []struct{ depth, losses int }{{10, 0}, {MaxDepth - 1, 0}, {MaxDepth, 1}, {MaxDepth + 5, 1}} {
		g := build(v.depth)
		body, losses, err := encode(g, FromOne)
		if err != nil || len(losses) != v.losses {
			t.Errorf("depth %d: %q, %v", v.depth, losses, err)
		}
		back, warnings, err := decode(body, FromOne)
		if err != nil || len(warnings) > 0 || v.losses == 0 && !back.Moves.Equal(&g.Moves) {
			t.Errorf("depth %d: %q, %v", v.depth, warnings, err)
		}
	}
}

func FuzzGame(f *testing.F) {
	for _, s := range []string{"00", "00031c", "00031c8402db85", "00031c860361626384 02db0ce385 84029a85 0d24", "0100", "00888702 0110"} {
		f.Add(unhex(f, s), true)
	}
	const fen = "8/PPPP1k2/8/8/8/8/5K2/8 w - - 0 1"
	f.Add(append(append(AppendLength([]byte{markFEN}, uint32(len(fen))), fen...), 0x2c, 0x38), false)
	f.Fuzz(func(t *testing.T, body []byte, one bool) {
		p := FromTwo
		if one {
			p = FromOne
		}
		SeenPromotions(body)
		g, _, err := decode(body, p)
		if err != nil {
			return
		}
		once, _, err := encode(g, p)
		if err != nil {
			t.Fatal(err)
		}
		once = append([]byte(nil), once...)
		back, warnings, err := decode(once, p)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%x: written as %x, which has %q, %v", body, once, warnings, err)
		}
		if !back.Moves.Equal(&g.Moves) {
			t.Fatalf("%x: %s became %s", body, plain(g), plain(back))
		}
	})
}

func FuzzNames(f *testing.F) {
	f.Add([]byte("Tal, Mikhail"))
	f.Add([]byte("Z\xfcrich\x00garbage"))
	f.Fuzz(func(t *testing.T, record []byte) {
		name, ok := DecodeName(record[:min(len(record), NameSize)], latin1)
		if ok && !utf8.ValidString(name) {
			t.Fatalf("%q", name)
		}
		Player(name)
		EncodeName(name)
	})
}

func FuzzIndex(f *testing.F) {
	f.Add(V0.AppendEntry(V0.AppendIndexHeader(nil, 0), &Entry{Offset: 10}), int64(100))
	f.Add(V1.AppendEntry(V1.AppendIndexHeader(nil, 0), &Entry{Offset: 10}), int64(100))
	f.Fuzz(func(t *testing.T, b []byte, games int64) {
		if _, err := CheckMagic(b, Index); err != nil {
			return
		}
		l, err := Detect(b[:min(len(b), ProbeSize)], int64(len(b)), games)
		if err != nil {
			return
		}
		l.OpenDefault(b[:l.HeaderSize()])
		for at := l.HeaderSize(); at+l.EntrySize() <= len(b); at += l.EntrySize() {
			e := l.DecodeEntry(b[at:])
			e.Date()
			e.Opening()
			e.GameResult()
			e.Plain()
		}
	})
}

// Comments that become one keep their order: what stands in front of the move
// comes first, and signs and marks stay where they are.
func TestJoinedCommentsKeepTheirOrder(t *testing.T) {
	text := func(s string, before bool) model.Value { return model.Text{Text: s, Before: before} }
	squares := model.Squares{{Color: model.Green, Square: model.E4}}
	for _, test := range []struct {
		values []model.Value
		want   string
	}{
		{[]model.Value{text("b", false), text("a", true)}, "a b"},
		{[]model.Value{text("a", true), text("b", false)}, "a b"},
		{[]model.Value{text("c", false), text("a", true), text("d", false), text("b", true)}, "a b c d"},
		{[]model.Value{model.Symbols{Move: 1}, text("b", false), squares, text("a", true)}, "a [%csl Ge4] b"},
		{[]model.Value{text("b", false), text("c", false)}, "b c"},
	} {
		g := &model.Game{Header: model.NewHeader()}
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		for _, v := range test.values {
			g.Annotations = append(g.Annotations, model.Annotation{Node: 0, Value: v})
		}
		body, _, err := encode(g, FromTwo)
		if err != nil || !bytes.Contains(body, []byte(test.want)) {
			t.Errorf("%v: %q, %v, want %q", test.values, body, err, test.want)
		}
	}
}
