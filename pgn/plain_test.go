package pgn

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// plainMoves writes a game of one move with annotations, and returns the moves
// as written and what was reported.
func plainMoves(t *testing.T, list ...model.Value) (moves, losses string) {
	t.Helper()
	g := &model.Game{Header: model.NewHeader()}
	b := new(model.TreeBuilder)
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
		{"text in a language", []model.Value{model.Text{Language: model.German, Text: "gut"}}, "1. e4 {gut} *", "changed text"},
		{"texts in two languages", []model.Value{model.Text{Language: model.German, Text: "gut"}, model.Text{Language: model.English, Text: "good"}},
			"1. e4 {(de) gut (en) good} *", "changed text, changed text"},
		{"text in front", []model.Value{text("behind"), before("in front")}, "{in front} 1. e4 {behind} *", "changed text"},
		{"figurines and signs", []model.Value{text("\uE028f3\uE00D\uE029e5 \uE005")}, "1. e4 {Nf3∆e5 [#]} *", "changed text"},
		{"odd characters", []model.Value{text(" a {b}\r\nc\xFF ")}, "1. e4 {a (b) c\uFFFD} *", "changed text"},
		{"no text", []model.Value{text(" ")}, "1. e4 *", "annotation text"},
		{"commands of others", []model.Value{text("[%clk 0:01:00]"), model.Squares{{Color: model.Green, Square: model.E4}}},
			"1. e4 {[%clk 0:01:00] [%csl Ge4]} *", ""},
		{"commands that ChessBase alone knows", []model.Value{model.Medals(1), model.Evaluations{{Value: 3}}},
			"1. e4 *", "annotation medals, annotation evaluations"},
		{"a command of our own in a text", []model.Value{text("[%cbtext] a [b]")}, "1. e4 {(%cbtext] a [b]} *", "changed text"},
		{"verdicts", []model.Value{model.Engine{Value: 81, Depth: 28}}, "1. e4 {[%eval 0.81,28]} *", ""},
		{"a verdict below a pawn", []model.Value{model.Engine{Value: -7, Depth: 1}}, "1. e4 {[%eval -0.07,1]} *", ""},
		{"a mate", []model.Value{model.Engine{Type: 1, Value: -3, Depth: 20}}, "1. e4 {[%eval #-3,20]} *", ""},
		{"a verdict without depth", []model.Value{model.Engine{Value: 120}}, "1. e4 {[%eval 1.20]} *", "changed engine"},
		{"a verdict of another type", []model.Value{model.Engine{Type: 2, Value: 120}}, "1. e4 *", "annotation engine"},
		{"symbols behind a text", []model.Value{text("a"), model.Symbols{Move: 1}, text("b")}, "1. e4 $1 {a b} *", "changed text"},
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

// There is one comment between two moves, symbols stand in front of it, and
// none stands behind a variation, in front of the move that goes on.
func TestPlainPlaces(t *testing.T) {
	for _, c := range []struct{ name, game, want string }{
		{"behind one move and before the next", "1. e4 {a} {[%cbtext next] b} 1... e5 {[%cbtext before] c} *",
			"1. e4 {a b c} 1... e5 *"},
		{"before the first move", "{a} {[%cbtext next] b} 1. e4 *", "{a b} 1. e4 *"},
		{"before a side line", "1. e4 {a} ({b} 1. d4 $1 {[%cbtext before] c} 1... d5 {d}) {[%cbtext next] e} 1... e5 {f} *",
			"1. e4 {a} ({b c} 1. d4 $1 d5 {d}) 1... e5 {e f} *"},
		{"symbols without a move", "[White \"A\"]\n\n$1 {a} 1. e4 *", "{a} 1. e4 *"},
		{"tags for us alone", "[CbTag_a_2Db \"x\"]\n\n1. e4 *", "1. e4 *"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := readAll(t, []byte(c.game))
			text := string(AppendPlainGame(nil, db.List[0].Game, &db.Tables))
			tags, moves, _ := strings.Cut(text, "\n\n")
			if got := strings.Join(strings.Fields(moves), " "); got != c.want || strings.Contains(tags, "CbTag") {
				t.Errorf("%s\n%s\nwant %s", tags, got, c.want)
			}
		})
	}
}

// Lines are wrapped by characters.
func TestPlainLines(t *testing.T) {
	g := model.Game{Header: model.NewHeader()}
	g.Annotate(model.NoNode, text(strings.Repeat("слон ", 40)))
	longest := 0
	for line := range strings.Lines(string(AppendPlainGame(nil, &g, &model.Entities{}))) {
		longest = max(longest, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))
	}
	if longest < 75 || longest > 79 {
		t.Errorf("the longest line has %d characters", longest)
	}
}

// No command of our own is in plain comments, the moves read back as they are,
// and so do the annotations unless something was reported.
func TestPlainReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{}).Draw(t, "db")
		reported, changedSymbols := map[model.RecordID]bool{}, map[model.RecordID]bool{}
		var out bytes.Buffer
		w := NewWriter(&out, WriterOptions{Plain: true, Deleted: true, Report: func(l model.Loss) {
			if l.Kind == model.Changed || l.Kind == model.LostAnnotation {
				reported[l.Record] = true
				changedSymbols[l.Record] = changedSymbols[l.Record] || l.Field == string(model.KindSymbols)
			}
		}})
		must.Do(t, model.Copy(context.Background(), w, db, model.CopyOptions{}))
		if s := out.String(); strings.Contains(s, "[%cb") {
			t.Fatalf("a command of our own: %s", s)
		}
		back := must.Get(model.Load(context.Background(), NewReader(&out, ReaderOptions{})))(t)
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
			if a, b := symbolsOf(rec.Game), symbolsOf(got); !changedSymbols[rec.ID] && !slices.Equal(a, b) {
				t.Fatalf("record %d: symbols %v became %v", rec.ID, a, b)
			}
			if !reported[rec.ID] && len(rec.Game.Annotations) != 0 && len(got.Annotations) == 0 {
				t.Fatalf("record %d: annotations lost in silence", rec.ID)
			}
		}
	})
}

// symbolsOf lists the symbols of a game with their moves.
func symbolsOf(g *model.Game) (list []string) {
	for _, a := range g.Annotations {
		if s, ok := a.Value.(model.Symbols); ok {
			list = append(list, fmt.Sprint(a.Node, s.NAGs()))
		}
	}
	return list
}

// Words of a comment are separated by single blanks, whatever they are separated by.
func TestAppendPlainWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("[ab \\t\\n{}\\[é]{0,12}").Draw(t, "text")
		want := strings.Join(strings.FieldsFunc(strings.NewReplacer("{", "(", "}", ")").Replace(text), func(r rune) bool { return r <= ' ' }), " ")
		if got := string(appendPlainWords([]byte("x"), text)); got != "x"+want {
			t.Errorf("%q is written as %q, want %q", text, got, "x"+want)
		}
	})
}
