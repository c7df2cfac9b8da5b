package jsonl

import (
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/model"
)

// one decodes a single line.
func one(t *testing.T, line string) (*model.Game, *model.Entities) {
	t.Helper()
	e := &model.Entities{}
	rec, err := newDecoder(e).decode([]byte(line), model.WantAll)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return rec.Game, e
}

// TestEdited changes a neutral key and leaves "cbh" as it was: the neutral
// key counts, the rest stays.
func TestEdited(t *testing.T) {
	g, e := one(t, `{"white":"Tal, Mikhail","event":"new","site":"Riga","source":"s","whiteTeam":"w","gameTitle":"t","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1",`+
		`"cbh":{"start":{"board":"8/8/8/8/8/8/8/8","turn":"white"},"white":{"last":"Other","first":"One"},"tournament":{"rounds":9},`+
		`"source":{"publisher":"p"},"whiteTeam":{"number":2},"gameTitles":["","x"]}}`)
	r := g.Resolve(e)
	if r.White != (model.Player{LastName: "Tal", FirstName: "Mikhail"}) || r.Tournament != (model.Tournament{Title: "new", Place: "Riga", Rounds: 9}) ||
		r.Source != (model.Publication{Title: "s", Publisher: "p"}) || r.WhiteTeam != (model.Team{Title: "w", Number: 2}) ||
		r.GameTitle != (model.GameTitle{Titles: [8]string{"t"}}) || board.FormatFEN(g.Start) != "4k3/8/8/8/8/8/8/4K3 w - - 0 1" {
		t.Errorf("have %+v", r)
	}
}

// TestReadableCopies leaves "annotations" out, as a small program would.
func TestReadableCopies(t *testing.T) {
	g, _ := one(t, `{"medals":["novelty"],"moves":[{"uci":"e2e4","after":[{"lang":"en","text":"a"},{"text":"b"}],"before":[{"lang":"de","text":"c"}],"nags":[1,16,2]},`+
		`{"uci":"e7e5","nags":[1],"annotations":[{"kind":"critical","phase":"opening"}]},{"uci":"g1f3","nags":[1],"annotations":[]},{"uci":"b8c6","nags":[],"before":null}]}`)
	want := []model.Annotation{
		{Node: model.NoNode, Value: model.Medals(1 << 3)},
		{Node: 0, Value: model.Symbols{Move: 1, Position: 16, More: []model.NAG{2}}},
		{Node: 0, Value: model.Text{Language: model.German, Before: true, Text: "c"}},
		{Node: 0, Value: model.Text{Language: model.English, Text: "a"}},
		{Node: 0, Value: model.Text{Text: "b"}},
		{Node: 1, Value: model.CriticalOpening},
	}
	if len(g.Annotations) != len(want) {
		t.Fatalf("have %+v", g.Annotations)
	}
	for i, a := range g.Annotations {
		if a.Node != want[i].Node || !a.Value.Equal(want[i].Value) {
			t.Errorf("annotation %d: have %+v, want %+v", i, a, want[i])
		}
	}
	for _, line := range []string{
		`{"medals":["novelty"],"annotations":[]}`,
		`{"medals":["novelty"],"moves":[{"uci":"e2e4","annotations":[{"kind":"medals","medals":["novelty"]}]}]}`,
	} {
		if g, _ := one(t, line); len(g.AnnotationsAt(model.NoNode)) != 0 {
			t.Errorf("%s: have %+v", line, g.Annotations)
		}
	}
}

// TestByHand reads what a person or a small program would write.
func TestByHand(t *testing.T) {
	g, e := one(t, `{ "white" : "Tal" , "black":null, "round":3, "subround":"", "date":"1960", "eco":"", "deleted":false, "fen":null,`+
		` "tags":{"Board":"1","Opening":"x"}, "result":"1-0", "termination":"forfeit", "moves":[{"uci":"e2e4","alternatives":[[{"uci":"d2d4"},{"uci":"d7d5"}],[],[{"uci":"c2c4"}]]},{"alternatives":[[{"uci":"c7c5"}]],"uci":"e7e5"}] }`)
	if e.Players.Value(g.White).LastName != "Tal" || g.Black != model.NoEntity || g.Round != 3 || g.Subround != 0 ||
		g.Date != (model.Date{Year: 1960}) || g.Result != model.WhiteWinsByForfeit || g.Tag("Opening") != "x" || g.Start != nil {
		t.Errorf("have %+v", g.Header)
	}
	var moves []string
	for _, n := range g.Moves.Nodes() {
		moves = append(moves, n.Move.String())
	}
	if got := strings.Join(moves, " "); got != "e2e4 e7e5 c7c5 d2d4 d7d5 c2c4" {
		t.Errorf("have %s", got)
	}
}

func TestCastlingNotation(t *testing.T) {
	for _, c := range []struct {
		line string
		want model.Move
	}{
		{`{"fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1","moves":[{"uci":"e1g1"}]}`, model.NewCastling(model.E1, model.H1)},
		{`{"fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1","moves":[{"uci":"e1h1"}]}`, model.NewCastling(model.E1, model.H1)},
		{`{"fen":"4k3/8/8/8/8/8/8/5K1R w K - 0 1","variant":"chess960","moves":[{"uci":"f1h1"}]}`, model.NewCastling(model.F1, model.H1)},
		{`{"fen":"4k3/8/8/8/8/8/8/5K1R w K - 0 1","variant":"chess960","moves":[{"uci":"f1g1"}]}`, model.NewMove(model.F1, model.G1)},
		{`{"variant":"chess960","moves":[{"uci":"0000"}]}`, model.NullMove},
	} {
		g, e := one(t, c.line)
		if got := g.Moves.Move(0); got != c.want {
			t.Errorf("%s: have %#x, want %#x", c.line, got, c.want)
		}
		written := AppendRecord(nil, model.Record{ID: 1, Game: g}, e)
		if again, _ := one(t, string(written)); !again.Moves.Equal(&g.Moves) {
			t.Errorf("%s: written as %s", c.line, written)
		}
	}
}
