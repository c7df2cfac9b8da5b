package compose_test

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cbkit"
	"cbkit/compose"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
)

// written is a database of one game as PGN.
func written(t *testing.T, g *compose.Game) string {
	t.Helper()
	db := &model.Database{}
	must.Get(g.AddTo(db))(t)
	var out bytes.Buffer
	must.Do(t, model.Copy(t.Context(), pgn.NewWriter(&out, pgn.WriterOptions{AcceptLosses: true}), db, model.CopyOptions{}))
	_, moves, _ := strings.Cut(out.String(), "\n\n")
	return strings.TrimSpace(strings.ReplaceAll(moves, "\n", " "))
}

// Variations in variations, and annotations of each, stand where PGN has them.
func TestMovetext(t *testing.T) {
	g := compose.New(compose.Header{Result: "0-1"})
	g.Play("f3").Symbol(model.NAGMistake)
	g.Variation(func(v *compose.Line) {
		v.Play("e4", "e5").Variation(func(w *compose.Line) { w.Play("c5").Comment("Sicilian") })
		v.Play("Nf3")
	}).Variation(func(v *compose.Line) { v.Play("d2d4") })
	g.Play("e5", "g4").Symbol(model.NAGBlunder).Play("Qh4#").Comment("Mate.")
	want := "1. f3 $2 (1. e4 e5 (1... c5 {Sicilian}) 2. Nf3) (1. d4) 1... e5 2. g4 $4 Qh4# {Mate.} 0-1"
	got := written(t, g)
	// The writer may print signs for the commonest symbols.
	got = strings.NewReplacer("g4??", "g4 $4", "f3?", "f3 $2").Replace(got)
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// What people say of games, with texts before and behind moves, in lines of their own.
func TestEverythingSaid(t *testing.T) {
	arrows := make(model.Arrows, 1, 4)
	arrows[0] = model.ColoredArrow{Color: model.Red, From: model.A1, To: model.A2}
	g := compose.New(compose.Header{
		White: "A", Black: "B", WhiteTeam: "One", BlackTeam: "Two", Event: "League", Round: 3, Subround: 2,
		Source: "Bulletin", Title: "The Immortal", Annotator: "Me", Tags: []model.Tag{{Name: "TimeControl", Value: "40/7200"}},
	})
	g.Before("Begin").Before("here.").Play("e4").Clock(63*time.Minute).Comment("Best").Comment("by test.").Evaluation(0.35, 20)
	g.Play("e5").Annotate(arrows).Arrows(model.Green, "g1f3", "f1c4").Squares(model.Yellow, "f7").Squares(model.Red, "e5")
	g.Variation(func(v *compose.Line) {
		v.Before("Or").Play("c5").Symbol(model.NAGGood).Symbol(model.NAGEqual).Annotate(nil)
	})
	g.Play("Nf3").Clock(59 * time.Second)
	want := "{[%cbtext next] Begin here.} 1. e4 {[%clk 1:03:00] Best by test. [%eval 35,20]} 1... e5 {[%cal Ra1a2,Gg1f3,Gf1c4][%csl Yf7,Re5]} ({Or} 1... c5 $1 $11) 2. Nf3 {[%clk 0:00:59]} *"
	if got := written(t, g); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if arrows[:4][1] != (model.ColoredArrow{}) {
		t.Error("what the caller holds was changed")
	}
	db := &model.Database{}
	must.Get(g.AddTo(db))(t)
	h := db.List[0].Header(&db.Tables)
	if got := fmt.Sprint(h, h.WhiteTeam.Title, h.BlackTeam.Title, h.Source.Title, h.GameTitle.Titles[0], h.Annotator.Name, db.List[0].Game.Tags); got !=
		"A - B, League (3.2)OneTwoBulletinThe ImmortalMe[{TimeControl 40/7200}]" {
		t.Error(got)
	}
}

// What is said wrongly is told, too.
func TestSaidWrongly(t *testing.T) {
	for says, say := range map[string]func(*compose.Game){
		`compose: text before a move, "end": no`:                                      func(g *compose.Game) { g.Before("end") },
		`compose: in the variation in place of 1.e4: text before a move, "inner": no`: func(g *compose.Game) { g.Variation(func(v *compose.Line) { v.Before("inner") }) },
		`compose: clock -1s: `:                      func(g *compose.Game) { g.Clock(-time.Second) },
		`compose: evaluation NaN, depth 1: `:        func(g *compose.Game) { g.Evaluation(math.NaN(), 1) },
		`compose: evaluation 400, depth 1: out of `: func(g *compose.Game) { g.Evaluation(400, 1) },
		`compose: arrow "e2": not two squares`:      func(g *compose.Game) { g.Arrows(model.Red, "e2") },
		`compose: arrow "e2e9": not two squares`:    func(g *compose.Game) { g.Arrows(model.Red, "e2e9") },
		`compose: 1...Ke7: `:                        func(g *compose.Game) { g.Play("Ke7") },
		`compose: in the variation in place of 1...e5: symbols: there is no move yet`: func(g *compose.Game) {
			g.Play("e5").Variation(func(v *compose.Line) { v.Symbol(model.NAGGood).Play("c5") })
		},
		`compose: in the variation in place of 1.e4: text: there is no move yet`: func(g *compose.Game) {
			g.Variation(func(v *compose.Line) { v.Clock(time.Second).Play("d4") })
		},
		`compose: in the variation in place of 1.e4: variation: there is no move that it could replace`: func(g *compose.Game) {
			g.Variation(func(v *compose.Line) { v.Variation(func(w *compose.Line) { w.Play("d4") }) })
		},
		`compose: in the variation in place of 2.Nf3: variation: there is no move that it could replace`: func(g *compose.Game) {
			g.Play("e5", "Nf3").Variation(func(v *compose.Line) { v.Variation(func(w *compose.Line) { w.Play("d4") }) })
		},
		`compose: square "x": not understood`: func(g *compose.Game) { g.Squares(model.Red, "x") },
	} {
		g := compose.New(compose.Header{})
		g.Play("e4")
		say(g)
		if _, err := g.Build(&model.Entities{}); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// The first mistake is told at the end.
func TestMistakes(t *testing.T) {
	for says, g := range map[string]*compose.Game{
		`compose: 2.Nf9: `:                 compose.New(compose.Header{}),
		`compose: FEN "8/8": `:             compose.New(compose.Header{FEN: "8/8"}),
		`compose: date "yesterday": `:      compose.New(compose.Header{Date: "yesterday"}),
		`compose: result "won": `:          compose.New(compose.Header{Result: "won"}),
		`compose: ECO "Z99": `:             compose.New(compose.Header{ECO: "Z99"}),
		`compose: round: -1 is out of`:     compose.New(compose.Header{Round: -1}),
		`compose: variation: there is no `: compose.New(compose.Header{}),
	} {
		if strings.Contains(says, "Nf9") {
			g.Play("e4", "e5", "Nf9", "Qh9").Comment("never said")
		}
		if strings.Contains(says, "variation") {
			g.Variation(func(*compose.Line) { t.Error("called") })
		}
		db := &model.Database{}
		if _, err := g.AddTo(db); err == nil || !strings.HasPrefix(err.Error(), says) || len(db.List) != 0 || db.Tables.Players.Len() != 0 {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// What is said before the first move of a variation belongs to it, and not to the line it
// leaves.
func TestSaidOfVariation(t *testing.T) {
	g := compose.New(compose.Header{})
	g.Play("e4", "e5").Comment("open").Variation(func(v *compose.Line) {
		v.Comment("Or").Comment("Sicilian:").Play("c5").Comment("sharp")
	})
	want := "1. e4 e5 {open} ({Or Sicilian:} 1... c5 {sharp}) *"
	if got := written(t, g); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A game that was not begun, and one without a database, are errors.
func TestNoGame(t *testing.T) {
	var g compose.Game
	g.Play("e4").Before("x").Comment("y").Clock(-1).Symbol(model.NAGGood).Arrows(model.Red, "e2").Squares(model.Red, "x").Evaluation(1e9, -1)
	g.Variation(func(v *compose.Line) { v.Play("d4") }).Annotate(model.Text{Text: "z"})
	if _, err := g.AddTo(&model.Database{}); err == nil || !strings.Contains(err.Error(), "compose: a game begins with New") {
		t.Error(err)
	}
	if _, err := (*compose.Game)(nil).Build(&model.Entities{}); err == nil {
		t.Error("a game that is nil was built")
	}
	sound := compose.New(compose.Header{White: "A"})
	if _, err := sound.AddTo(nil); err == nil || !strings.Contains(err.Error(), "compose: ") {
		t.Error(err)
	}
	if _, err := sound.Build(nil); err == nil {
		t.Error("built without tables")
	}
}

// A composed game is in a tournament of its year, as a game read from PGN is: no format
// says that the date of the tournament is not known.
func TestDates(t *testing.T) {
	db := &model.Database{}
	for _, date := range []string{"2024-03-05", "2024.03.??", ""} {
		must.Get(compose.New(compose.Header{White: "A", Event: "Open", Date: date}).AddTo(db))(t)
	}
	if d := db.List[0].Game.Date; d != (model.Date{Year: 2024, Month: 3, Day: 5}) {
		t.Error(d)
	}
	name := filepath.Join(t.TempDir(), "a.cbh")
	must.Do(t, cbkit.Save(t.Context(), name, db, cbkit.SaveOptions{}))
	src := must.Get(cbkit.Open(name, cbkit.Options{}))(t)
	defer src.Close()
	for _, from := range []model.Source{db, src} {
		var out bytes.Buffer
		must.Do(t, model.Copy(t.Context(), pgn.NewWriter(&out, pgn.WriterOptions{}), from, model.CopyOptions{}))
		if strings.Contains(out.String(), "EventDate") || !strings.Contains(out.String(), `[Date "2024.03.05"]`) {
			t.Error(out.String())
		}
	}
}
