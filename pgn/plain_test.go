package pgn

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/gen"
	"cbkit/model"
)

// plainMoves writes a game of one move with annotations, and returns the moves
// as written and what was reported.
func plainMoves(t *testing.T, list ...model.Value) (moves, losses string) {
	t.Helper()
	g := &model.Game{Header: model.NewHeader()}
	b := model.NewTreeBuilder()
	b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	b.Build(&g.Moves)
	for _, v := range list {
		g.Annotate(0, v)
	}
	db := &model.Database{}
	db.AddGame(g)
	out, reported := writeAll(t, db, WriterOptions{Plain: true})
	_, text, _ := strings.Cut(string(out), "\n\n")
	var kinds []string
	for _, l := range reported {
		kinds = append(kinds, string(l.Kind)+" "+l.Field)
	}
	if again := AppendPlainGame(nil, g, &db.Tables); !bytes.Equal(again, out) {
		t.Errorf("AppendPlainGame: %s", again)
	}
	return strings.Join(strings.Fields(text), " "), strings.Join(kinds, ", ")
}

// Comments say in words, and commands of other programs, what the annotations
// say; the rest is reported.
func TestPlain(t *testing.T) {
	quotation := model.Quotation{
		White: "Tal,M", Black: "Aronin,L", Event: "URS-ch24", Site: "Moscow", Date: model.Date{Year: 1957}, Round: 17, Result: model.WhiteWins,
	}
	question := model.Training{
		Seconds: 60, Points: 2, Question: list(en("Which move?")), FirstHint: list(en("a pawn")), WrongReply: list(en("no")),
		Solutions: append(solutions(2, en("right"), de("richtig")), model.Solution{From: model.D2, To: model.D4, Points: 1}),
	}
	for _, c := range []struct {
		name         string
		list         []model.Value
		want, losses string
	}{
		{"text", []model.Value{text("best by test")}, "1. e4 {best by test} *", ""},
		{"two texts", []model.Value{text("one"), text("two")}, "1. e4 {one two} *", "changed text"},
		{"text in a language", []model.Value{model.Text{Language: model.German, Text: "gut"}}, "1. e4 {(de) gut} *", "changed text"},
		{"text in front", []model.Value{text("behind"), before("in front")}, "{in front} 1. e4 {behind} *", "changed text"},
		{"figurines and signs", []model.Value{text("\uE028f3\uE00D\uE029e5 \uE005")}, "1. e4 {Nf3∆e5 [#]} *", "changed text"},
		{"odd characters", []model.Value{text(" a {b}\r\nc\xFF ")}, "1. e4 {a (b) c\uFFFD} *", "changed text"},
		{"no text", []model.Value{text(" ")}, "1. e4 *", "annotation text"},
		{"commands of others", []model.Value{text("[%clk 0:01:00]"), model.Squares{{Color: model.Green, Square: model.E4}}, model.Medals(1)},
			"1. e4 {[%clk 0:01:00] [%csl Ge4][%mdl 1]} *", ""},
		{"time with a part more", []model.Value{model.TimeSpent{Minutes: 3, Extra: 30}}, "1. e4 {[%emt 0:03:00]} *", "changed time-spent"},
		{"symbols", []model.Value{model.Symbols{Move: 1, Prefix: 142, Position: 14}}, "1. e4 $142 $1 $14 *", ""},
		{"symbol in an odd place", []model.Value{model.Symbols{Position: 1}}, "1. e4 $1 *", "changed symbols"},
		{"quotation", []model.Value{text("see"), quotation}, "1. e4 {see 1-0 Tal,M-Aronin,L URS-ch24 Moscow 1957 (17)} *", "changed quotation"},
		{"training", []model.Value{question},
			"{Training (60 seconds): Which move?; hint: a pawn; e2-e4, 2 points: (en) right (de) richtig; d2-d4, 1 point; otherwise: no} 1. e4 *",
			"changed training"},
		{"critical position", []model.Value{model.Critical(model.CriticalEndgame)}, "1. e4 {Critical position of the endgame.} *", "changed critical"},
		{"web link", []model.Value{model.WebLink{URL: "http://a.b", Caption: "more"}}, "1. e4 {more http://a.b} *", "changed web-link"},
		{"clock", []model.Value{model.Clock{Player: model.Black, Centiseconds: 372300}}, "1. e4 {Black's clock: 1:02:03} *", "changed clock"},
		{"no words", []model.Value{model.Opaque{Format: "cbh", Type: 8, Data: []byte{1}}, model.PawnStructure(3), model.Critical(9)},
			"1. e4 *", "annotation opaque, annotation pawn-structure, annotation critical"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, losses := plainMoves(t, c.list...)
			if got != c.want || losses != c.losses {
				t.Errorf("%s\nwant %s\nreported %q, want %q", got, c.want, losses, c.losses)
			}
		})
	}
}

// No command of our own is in plain comments, the moves read back as they are,
// and so do the annotations unless something was reported.
func TestPlainReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{}).Draw(t, "db")
		reported := map[model.RecordID]bool{}
		var out bytes.Buffer
		w := NewWriter(&out, WriterOptions{Plain: true, Deleted: true, Report: func(l model.Loss) {
			if l.Kind == model.Changed || l.Kind == model.LostAnnotation {
				reported[l.Record] = true
			}
		}})
		if err := model.Copy(context.Background(), w, db, model.CopyOptions{}); err != nil {
			t.Fatal(err)
		}
		if s := out.String(); strings.Contains(s, "[%cb") {
			t.Fatalf("a command of our own: %s", s)
		}
		back, err := model.Load(context.Background(), NewReader(&out, ReaderOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for _, rec := range db.List {
			if rec.Game == nil {
				continue
			}
			got := back.List[i].Game
			i++
			if !rec.Game.Moves.Equal(&got.Moves) {
				t.Fatalf("record %d: other moves", rec.ID)
			}
			if !reported[rec.ID] && len(rec.Game.Annotations) != 0 && len(got.Annotations) == 0 {
				t.Fatalf("record %d: annotations lost in silence", rec.ID)
			}
		}
	})
}
