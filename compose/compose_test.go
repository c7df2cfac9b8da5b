package compose_test

import (
	"bytes"
	"strings"
	"testing"

	"cbkit/compose"
	"cbkit/model"
	"cbkit/pgn"
)

// written is a database of one game as PGN.
func written(t *testing.T, g *compose.Game) string {
	t.Helper()
	db := &model.Database{}
	if _, err := g.AddTo(db); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := model.Copy(t.Context(), pgn.NewWriter(&out, pgn.WriterOptions{}), db, model.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
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

// The first mistake is told at the end.
func TestMistakes(t *testing.T) {
	for says, g := range map[string]*compose.Game{
		`compose: move 2, "Nf9": `:         compose.New(compose.Header{}),
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
