package epd

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// through reads a text and returns what the writer makes of it, with errors and losses.
func through(t *testing.T, text string, change func(*model.Game, *model.Entities)) (out string, bad []error, losses []model.Loss) {
	t.Helper()
	src := must.Get(NewReader(strings.NewReader(text), "x.epd", func(b []byte) string { return string(b) }))(t)
	var b bytes.Buffer
	w := NewWriter(&b, func(l model.Loss) { losses = append(losses, l) }, false)
	must.Do(t, w.Begin(src))
	for rec, err := range src.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			bad = append(bad, err)
			continue
		}
		if change != nil {
			change(rec.Game, src.Entities())
		}
		must.Do(t, w.Put(rec))
	}
	must.Do(t, w.Commit())
	return b.String(), bad, losses
}

const suite = `2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";
8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id "WAC.002"; c0 "deep; quiet"; c1 "see [1]"; ce 230; acd 12;
r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 17 bm Qxh7+; pv Qxh7+ Kxh7 hxg6+;
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - am f3 g4
4k2r/8/8/8/8/8/8/R3K2R w QkK -   bm O-O O-O-O; am a1a8;hmvc 3; fmvn 40; dm 2;
8/P7/8/8/8/8/8/k1K5 w - - bm a8=N;id "under";
8/P7/8/8/8/8/8/k1K5 w - -
`

// Every line comes back as it was, and nothing is lost.
func TestLinesComeBack(t *testing.T) {
	out, bad, losses := through(t, "\ufeff# a suite\r\n\n"+suite, nil)
	if out != suite || bad != nil || losses != nil {
		t.Errorf("%s\n%v %v", out, bad, losses)
	}
}

// What the operations say stands where the model has it.
func TestPlaces(t *testing.T) {
	src := must.Get(NewReader(strings.NewReader(suite), "x.epd", func(b []byte) string { return string(b) }))(t)
	for rec := range must.All(t, src.Records(context.Background(), 1, model.WantAll)) {
		g := rec.Game
		switch q := first(g.Annotations); rec.ID {
		case 2:
			said := g.Annotations[0].Value.(model.Text).Text
			if !strings.HasPrefix(said, "deep; quiet see [1] [%eval -2.30,12] [%epd ") || src.entities.Players.Value(g.White).LastName != "WAC.002" {
				t.Errorf("%q", said)
			}
		case 3:
			if g.Moves.Len() != 3 || g.Start.FullMove != 17 {
				t.Errorf("%d moves from move %d", g.Moves.Len(), g.Start.FullMove)
			}
		case 4:
			if len(q.Solutions) != 2 || q.Solutions[0].Points != 0 || g.Moves.Len() != 1 {
				t.Errorf("%+v", q)
			}
		case 5:
			if len(q.Solutions) != 3 || q.Solutions[0].To != model.G1 || q.Solutions[2].Points != 0 || g.Start.HalfMoves != 3 || g.Start.FullMove != 40 {
				t.Errorf("%+v", q)
			}
		}
	}
}

// What was changed in a game is what its line says, and the rest is as it was.
func TestChangedGame(t *testing.T) {
	line := strings.SplitAfter(suite, "\n")[1]
	for _, c := range []struct {
		change   func(*model.Game, *model.Entities)
		old, new string
	}{
		{func(g *model.Game, e *model.Entities) { g.White = e.Players.Intern(model.Player{LastName: "B"}) }, `"WAC.002"`, `"B"`},
		{func(g *model.Game, e *model.Entities) {
			text := g.Annotations[0].Value.(model.Text)
			text.Text = strings.Replace(text.Text, "deep; quiet see [1]", `a "new" word`, 1)
			g.SetAnnotations(append([]model.Annotation{{Node: model.NoNode, Value: text}}, g.Annotations[1:]...))
		}, ` c0 "deep; quiet"; c1 "see [1]"; ce 230; acd 12;`, ` ce 230; acd 12; c0 "a 'new' word";`},
		{func(g *model.Game, e *model.Entities) {
			q := first(g.Annotations)
			q.Solutions = []model.Solution{{From: model.B3, To: model.A3, Points: 1}}
			g.SetAnnotations([]model.Annotation{g.Annotations[0], {Node: 0, Value: q}})
		}, ` bm Rxb2; id "WAC.002"; c0 "deep; quiet"; c1 "see [1]"; ce 230; acd 12;`, ` id "WAC.002"; c0 "deep; quiet"; c1 "see [1]"; ce 230; acd 12; bm Rxa3;`},
	} {
		if out, bad, losses := through(t, line, c.change); out != strings.Replace(line, c.old, c.new, 1) || bad != nil || losses != nil {
			t.Errorf("%s%v %v", out, bad, losses)
		}
	}
}

// A bad line is told with its number, and costs no other.
func TestBadLines(t *testing.T) {
	out, bad, _ := through(t, "\n8/8/8/8/8/8/8/8 w - - bm e4;\nfoo\n"+`4k3/8/8/8/8/8/8/4K3 w - - id "x`+"\n4k3/8/8/8/8/8/8/4K3 w - - 7 x;\n4k3/8/8/8/8/8/8/4K3 w - -", nil)
	if out != "4k3/8/8/8/8/8/8/4K3 w - -\n" || len(bad) != 4 {
		t.Fatalf("%s%v", out, bad)
	}
	for i, want := range []string{"x.epd:2: corrupt: bm e4: no legal move", "x.epd:3: corrupt: FEN", "x.epd:4: corrupt: a quotation mark is not closed", "x.epd:5: corrupt: 7: no operation begins so"} {
		if !strings.HasPrefix(bad[i].Error(), want) {
			t.Error(bad[i])
		}
	}
	long := strings.Repeat(" ", maxLine) + "x"
	if _, bad, _ := through(t, long, nil); len(bad) != 1 || !strings.Contains(bad[0].Error(), "x.epd:1: corrupt: longer than 1 MB") {
		t.Error(bad)
	}
}

// A game that is of no line is one by its question or its set-up; what is not in it is told.
func TestOrdinaryGames(t *testing.T) {
	for _, c := range []struct {
		change func(*model.Game, *model.Entities)
		want   string
		losses int
	}{
		{func(g *model.Game, e *model.Entities) { g.SetAnnotations(nil); g.White = 0 }, ` pv Qg6; id "WAC.001 - , game 1";` + "\n", 0},
		{func(g *model.Game, e *model.Entities) { *g = *model.NewGame() }, "", 1},
		{func(g *model.Game, e *model.Entities) {
			g.Tags = []model.Tag{{Name: "X", Value: "y"}}
			g.WhiteElo = 2000
		}, ` bm Qg6; id "WAC.001";` + "\n", 2},
		{func(g *model.Game, e *model.Entities) { // the line has the question, and not what follows
			g.Moves.Append(g.Moves.Move(0))
			g.SetAnnotations([]model.Annotation{{Node: 0, Value: model.Training{}}})
		}, ` bm Qg6; id "WAC.001 - , game 1";` + "\n", 1},
	} {
		out, bad, losses := through(t, strings.SplitAfter(suite, "\n")[0], c.change)
		if !strings.HasSuffix(out, c.want) || (out == "") != (c.want == "") || bad != nil || len(losses) != c.losses {
			t.Errorf("%s%v %v", out, bad, losses)
		}
	}
}

// FuzzReader reads anything. What can be read is written, and read again as the same.
func FuzzReader(f *testing.F) {
	for line := range strings.Lines(suite) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		once, _, _ := through(t, text, nil)
		if twice, bad, _ := through(t, once, nil); twice != once || bad != nil {
			t.Errorf("%q\nis written as %q\nwhich reads as %q, %v", text, once, twice, bad)
		}
	})
}
