package eco_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/notnil/chess/opening"

	"cbkit/board"
	"cbkit/eco"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

var update = flag.Bool("update", false, "make the embedded table anew")

// original returns the lines of the table as its source has them.
func original() []string {
	var lines []string
	for _, o := range opening.NewBookECO().Possible(nil) {
		lines = append(lines, o.Code()+"\t"+o.Title()+"\t"+o.PGN()+"\n")
	}
	slices.Sort(lines)
	return lines
}

// The embedded table is the one that its source has.
func TestTable(t *testing.T) {
	want := original()
	if *update {
		var buf bytes.Buffer
		w, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression)
		_, _ = w.Write([]byte(strings.Join(want, "")))
		must.Do(t, w.Close())
		must.Do(t, os.WriteFile("openings.tsv.gz", buf.Bytes(), 0o666))
	}
	var got []string
	for o := range eco.All() {
		p := board.Start()
		var moves []string
		for _, m := range o.Moves {
			text := m.String()
			if m.IsCastling() {
				text = map[model.Square]string{model.H1: "e1g1", model.A1: "e1c1", model.H8: "e8g8", model.A8: "e8c8"}[m.To()]
			}
			moves = append(moves, text)
			p.Make(m)
		}
		got = append(got, o.Code.String()+"\t"+o.Name+"\t"+strings.Join(moves, " ")+"\n")
		if at, ok := eco.At(&p); !ok || at.Name != o.Name {
			t.Errorf("%s: its position is %q", o.Name, at.Name)
		}
	}
	if !slices.Equal(got, want) || len(got) != 3397 {
		t.Errorf("%d openings, the source has %d", len(got), len(want))
	}
}

// game reads a game of PGN.
func game(t *testing.T, text string) *model.Game {
	t.Helper()
	db, err := model.Load(context.Background(), pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}))
	if err != nil || len(db.List) != 1 {
		t.Fatalf("%q: %v", text, err)
	}
	return db.List[0].Game
}

// Openings are found by position, and the last one counts.
func TestClassify(t *testing.T) {
	for _, c := range []struct {
		moves, code, name string
		ply               int
	}{
		{"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5", "C50", "Giuoco Piano", 6},
		{"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. h4 h5 5. a3", "C50", "Giuoco Piano", 6},
		{"1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation", 10},
		{"1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation", 10},
		{"1. e4", "B00", "King's Pawn", 1},
		{"1. Nf3 Nf6 2. Ng1 Ng8 3. e4", "B00", "King's Pawn", 5},
		{`[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]` + "\n\n1... c5", "B20", "Sicilian Defense", 1},
		{"[White \"A\"]\n\n*", "", "", 0},
		{`[FEN "8/8/8/8/8/5k2/8/4K2R w K - 0 1"]` + "\n\n1. O-O+", "", "", 0},
	} {
		o, ply, ok := eco.Classify(game(t, c.moves))
		if o.Code.String() != c.code || o.Name != c.name || ply != c.ply || ok != (c.code != "") {
			t.Errorf("%s: %v %q at %d", c.moves, o.Code, o.Name, ply)
		}
	}
}

// A game may be very long: of each move its place is counted, and not looked for. Each
// four plies lead back to the start, so the last opening is near the end.
func TestClassifyLongGame(t *testing.T) {
	const rounds = 50000
	g := game(t, "1. Nf3 Nf6 2. Ng1 Ng8")
	for range rounds - 1 {
		for n := range 4 {
			g.Moves.Append(g.Moves.Move(n))
		}
	}
	o, ply, ok := eco.Classify(g)
	if !ok || o.Code.String() != "A05" || ply != 4*rounds-2 {
		t.Errorf("%+v %d %v", o, ply, ok)
	}
}

// Codes have the name that people know, each of the 500 one of the table.
func TestNamed(t *testing.T) {
	known := map[string]bool{}
	for o := range eco.All() {
		known[o.Name] = true
	}
	for i := range 500 {
		code := model.NewECO(i, 0)
		if o, ok := eco.Named(code); !ok || !known[o.Name] || o.Code != code || len(o.Moves) == 0 {
			t.Errorf("%v: %+v", code, o)
		}
	}
	for code, want := range map[string]string{
		"B90": "Sicilian Defense: Najdorf Variation", "C50/08": "Italian Game", "E60": "King's Indian Defense", "": "",
		"B33": "Sicilian Defense: Lasker-Pelikan Variation, Sveshnikov Variation", "C67": "Ruy Lopez: Berlin Defense",
		"B21": "Sicilian Defense: Smith-Morra Gambit", "D52": "Queen's Gambit Declined: Cambridge Springs Defense", "E57": "Nimzo-Indian Defense: Normal Variation, Bernstein Defense",
	} {
		parsed, _ := model.ParseECO(code)
		if o, ok := eco.Named(parsed); o.Name != want || ok != (code != "") {
			t.Errorf("%s: %q", code, o.Name)
		}
	}
}

// ChessBase and the table agree on 96 games of 100 of a real database.
func TestRealDatabase(t *testing.T) {
	db := must.Get(read.Open(corpus.Path(t, "cbh/twic1134/twic1134.cbh"), read.Options{}))(t)
	defer db.Close()
	games, classified, same := 0, 0, 0
	for rec := range must.All(t, db.Records(context.Background(), 1, model.WantMoves)) {
		if rec.Game == nil || !rec.Game.ECO.Valid() || rec.Game.Moves.Len() == 0 {
			continue
		}
		games++
		if o, _, ok := eco.Classify(rec.Game); ok {
			classified++
			if o.Code.Index() == rec.Game.ECO.Index() {
				same++
			}
		}
	}
	t.Logf("%d games, %d classified, %d as ChessBase has them", games, classified, same)
	if games < 6000 || classified < games || 100*same < 96*games {
		t.Errorf("%d games, %d classified, %d as ChessBase has them", games, classified, same)
	}
}

// A source of classified games keeps what it should.
func TestSource(t *testing.T) {
	const text = `[ECO "B20/01"]

1. e4 c5 *

[ECO "A00"]
[Opening "Mine"]

1. d4 d5 *

[ECO "E99"]

*
`
	src := pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{})
	db := must.Get(model.Load(context.Background(), src))(t)
	codes := func(opt eco.Options) (list []string) {
		for rec := range must.All(t, eco.Source(db, opt).Records(context.Background(), 1, model.WantAll)) {
			list = append(list, rec.Game.ECO.String()+" "+rec.Game.Tag("Opening"))
		}
		return list
	}
	db.List[1].Unread = []model.Unread{{Field: "result"}, {Field: "ECO"}}
	for rec, err := range eco.Source(db, eco.Options{}).Records(context.Background(), 1, model.WantAll) {
		if err != nil || rec.ID == 2 && !slices.Equal(rec.Unread, []model.Unread{{Field: "result"}}) {
			t.Errorf("a code that nothing could be made of has become one: %v %v", rec.Unread, err)
		}
	}
	found := 0
	first := db.List[0].Game.ECO.String()
	if got := codes(eco.Options{Names: true, Found: func(*model.Record, eco.Opening) { found++ }}); found != 2 ||
		!slices.Equal(got, []string{first + " Sicilian Defense", "D00 Queen's Pawn Game", "E99 "}) {
		t.Errorf("%q", got)
	}
	if got := codes(eco.Options{Keep: true}); !slices.Equal(got, []string{first + " ", "A00 Mine", "E99 "}) {
		t.Errorf("kept: %q", got)
	}
	if db.List[1].Game.ECO.String() != "A00" || db.List[1].Game.Tag("Opening") != "Mine" {
		t.Error("the source was changed")
	}
}
