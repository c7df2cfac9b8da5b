package pgn

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// writeAll writes a database and returns the text and the losses.
func writeAll(t testing.TB, db model.Source, opt WriterOptions) (text []byte, losses []model.Loss) {
	t.Helper()
	var out bytes.Buffer
	opt.Report = func(l model.Loss) { losses = append(losses, l) }
	must.Do(t, model.Copy(context.Background(), NewWriter(&out, opt), db, model.CopyOptions{}))
	return out.Bytes(), losses
}

// readAll reads a text in which everything can be read.
func readAll(t testing.TB, text []byte) *model.Database {
	t.Helper()
	db, err := model.Load(context.Background(), NewReader(bytes.NewReader(text), ReaderOptions{File: "test.pgn"}))
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return db
}

// expressible returns a game without the fields that PGN has no tags for.
func expressible(g model.ResolvedGame) model.ResolvedGame {
	g.GameTitle = model.GameTitle{}
	g.LineEvaluation = 0
	for _, team := range []*model.Team{&g.WhiteTeam, &g.BlackTeam} {
		team.Number, team.Season, team.Year = 0, false, 0
	}
	t := &g.Tournament
	*t = model.Tournament{
		Title: t.Title, Place: t.Place, Start: t.Start, Type: t.Type,
		Nation: t.Nation, Category: t.Category, Rounds: t.Rounds,
	}
	return g
}

// checkRoundTrip writes a database, reads it back and compares: moves and
// annotations always, the rest where no change was reported.
func checkRoundTrip(t *rapid.T, c gen.Config, mayChange bool) {
	db := gen.Database(c).Draw(t, "db")
	var out bytes.Buffer
	changed := map[model.RecordID]bool{}
	w := NewWriter(&out, WriterOptions{Deleted: true, Report: func(l model.Loss) {
		if l.Kind == model.Changed || l.Kind == model.LostTag || l.Kind == model.LostField && (l.Field == "ECO" || l.Field == "Result") {
			if !mayChange {
				t.Fatalf("reported: %v", l)
			}
			changed[l.Record] = true
		}
	}})
	must.Do(t, model.Copy(context.Background(), w, db, model.CopyOptions{}))
	back := must.Get(model.Load(context.Background(), NewReader(&out, ReaderOptions{})))(t)
	i := 0
	for _, rec := range db.List {
		if rec.Game == nil {
			continue
		}
		if i == len(back.List) {
			t.Fatalf("only %d games were read", i)
		}
		want, got := expressible(rec.Game.Resolve(&db.Tables)), back.List[i].Game.Resolve(&back.Tables)
		i++
		if !cmp.Equal(want.Start, got.Start) || !cmp.Equal(want.Moves, got.Moves) {
			t.Fatalf("moves: %s", cmp.Diff(want, got))
		}
		if len(want.Annotations) != len(got.Annotations) {
			t.Fatalf("annotations: %s", cmp.Diff(want.Annotations, got.Annotations))
		}
		for k, a := range want.Annotations {
			if b := got.Annotations[k]; a.Node != b.Node || !a.Value.Equal(b.Value) {
				t.Fatalf("annotation %d: %s", k, cmp.Diff(a, b))
			}
		}
		if !changed[rec.ID] && !want.Equal(got) {
			t.Fatalf("header: %s", cmp.Diff(want, got))
		}
	}
	if i != len(back.List) {
		t.Fatalf("%d games were written and %d read", i, len(back.List))
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRoundTrip(t, gen.Config{}, true) })
}

// TestRoundTripPlainNames uses characters of which every name can be written.
func TestRoundTripPlainNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRoundTrip(t, gen.Config{Runes: []rune(`abcXYZ"\{}[]%;ä∆`)}, false) })
}

func TestRoundTripWild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRoundTrip(t, gen.Config{Wild: true}, true) })
}

// nasty are texts that look like something else in a comment.
var nasty = []string{
	"", " ", "text", " outer ", "two  blanks", "a\nb", "a\r\nb", "tab\t", "a } b", "a { b", "[%csl Ge4]", "[%csl Ge4] x",
	"x [%clk 0:01:00] y", "[%eval 0.17]", "[%eval 17,20]", "[%eval", "[%tqu \"", "[#]", "\uE005", "\uE005 [%x \uE005]",
	"[%cbtext next] a", "[%cbraw kind=text]", "a;b", "% c", "[Event \"x\"]", "1-0", "$1", "(e4)", "\uE024f3", "\x04",
	"a\x00b", "\u00A0", "[%a", "[", "]", "[%", "]]", "[%emt 0:00:05]", "[%emt 00:00:05]", "[%mdl 1]", "-", "?", "\xff",
}

// questions are training questions of which the command says all, and not.
var questions = []model.Value{
	model.Training{Points: 3, Solutions: []model.Solution{{From: model.E2, To: model.E4, Points: 3}}},
	model.Training{
		Question:  []model.TrainingText{{Language: model.English, Text: "which move?"}},
		Solutions: []model.Solution{{From: model.E2, To: model.E4}, {From: model.D2, To: model.D4}},
	},
	model.Training{Seconds: 60, Solutions: []model.Solution{{From: model.E2, To: model.E4}}},
	model.Training{Solutions: []model.Solution{{From: model.A1, To: model.A1, Promotion: 5}}},
	model.Training{},
}

// TestRoundTripPlaces puts many odd values at few places.
func TestRoundTripPlaces(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) model.Value {
		switch rapid.IntRange(0, 4).Draw(t, "sort") {
		case 0:
			return gen.Value(gen.Config{Wild: true}).Draw(t, "value")
		case 1:
			return gen.Value(gen.Config{}).Draw(t, "value")
		case 2:
			return rapid.SampledFrom(questions).Draw(t, "question")
		}
		return model.Text{
			Language: rapid.SampledFrom([]model.Language{0, 0, 42, 53, 200}).Draw(t, "language"),
			Before:   rapid.Bool().Draw(t, "before"),
			Text:     rapid.SampledFrom(nasty).Draw(t, "text"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		g := gen.Moves(gen.Config{Plies: 6}).Draw(t, "moves")
		g.Header = model.NewHeader()
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) model.Annotation {
			return model.Annotation{
				Node:  int32(rapid.IntRange(model.NoNode, g.Moves.Len()-1).Draw(t, "node")),
				Value: value.Draw(t, "value"),
			}
		}), 1, 12).Draw(t, "annotations")
		g.SetAnnotations(list)

		text := AppendGame(nil, g, &model.Entities{})
		back, err := model.Load(context.Background(), NewReader(bytes.NewReader(text), ReaderOptions{}))
		if err != nil || len(back.List) != 1 {
			t.Fatalf("%d games, %v in:\n%s", len(back.List), err, text)
		}
		var e model.Entities
		if want, got := g.Resolve(&e), back.List[0].Game.Resolve(&back.Tables); !want.Equal(got) {
			t.Fatalf("%s\nin:\n%s", cmp.Diff(want, got), text)
		}
	})
}
