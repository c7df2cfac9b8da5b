package jsonl

import (
	"bytes"
	"strings"
	"testing"

	"cbkit/model"
)

// What was stored about moves and annotations goes when these are edited, and
// stays when keys that say nothing about them are.
func TestStaleLeftovers(t *testing.T) {
	e := &model.Entities{}
	g := &model.Game{Header: model.NewHeader()}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Moves.Append(model.NewMove(model.E7, model.E5))
	g.Annotate(0, model.Text{Text: "best"})
	g.Leftovers = model.GameLeftovers{Header: cbhLeftover(1), Derived: cbhLeftover(2), Moves: cbhLeftover(3), Annotations: cbhLeftover(4)}
	line := AppendRecord(nil, model.Record{ID: 1, Game: g}, e)
	for _, test := range []struct {
		name, from, to string
		derived, moves bool
	}{
		{"nothing", "", "", true, true},
		{"a player", `"kind":"game"`, `"kind":"game","white":"A"`, true, true},
		{"a move", "e7e5", "e7e6", false, false},
		{"the moves cut", `,{"uci":"e7e5"}`, "", false, false},
		{"the start", `"result"`, `"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","result"`, false, false},
		{"a text", `"text","text":"best"`, `"text","text":"worst"`, false, true},
		{"a readable copy", `"after":[{"text":"best"}]`, `"after":[{"text":"worst"}]`, true, true},
		{"a new annotation", `"uci":"e7e5"`, `"uci":"e7e5","nags":[1]`, false, true},
		{"no sums", "", "", false, false},
	} {
		text := bytes.Replace(line, []byte(test.from), []byte(test.to), 1)
		if test.name == "no sums" {
			text = append(text[:bytes.Index(text, []byte(`,"sums"`))], "}}"...)
		}
		rec, err := newDecoder(&model.Entities{}).decode(text, model.WantAll)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		l := rec.Game.Leftovers
		if (l.Derived != nil) != test.derived || (l.Moves != nil) != test.moves || l.Header == nil || l.Annotations == nil {
			t.Errorf("%s: derived %v, moves %v", test.name, l.Derived, l.Moves)
		}
	}
	if !strings.Contains(string(line), `"sums":{"moves":"`) {
		t.Errorf("no sums in %s", line)
	}
}
