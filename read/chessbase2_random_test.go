package read

import (
	"reflect"
	"slices"
	"testing"

	"cbkit/internal/cbh2"
	"cbkit/internal/testkit/gen"
	"cbkit/model"

	"pgregory.net/rapid"
)

// Random databases are read as they were written: order and kinds of records, deleted ones,
// names, headers, starts, moves and annotations.
func TestRandomChessBase2(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		made := gen.Database(gen.Config{NoHalfMoves: true, NoTags: true}).Draw(t, "database")
		files, err := gen.ChessBase2(t.Context(), made)
		if err != nil {
			t.Fatal(err)
		}
		db, err := OpenFS(files, "Games.2cbh", Options{Damage: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if db.Count() != len(made.List) {
			t.Fatalf("%d records of %d", db.Count(), len(made.List))
		}
		was, is := &made.Tables, db.Entities()
		for rec, err := range db.Records(t.Context(), 1, model.WantAll) {
			if err != nil {
				t.Fatal(err)
			}
			want := &made.List[rec.ID-1]
			if faults := rec.Faults(); rec.Deleted != want.Deleted || (rec.Game == nil) != (want.Game == nil) || len(faults) > 0 {
				t.Fatalf("record %d is %+v, not %+v: %v", rec.ID, rec, want, faults)
			}
			if rec.Game == nil {
				contents := slices.DeleteFunc(slices.Clone(want.Text.Contents), func(text model.LocalText) bool { return text.Text == "" })
				if len(rec.Text.Contents) != len(contents) || was.Sources.Value(want.Text.Source) != is.Sources.Value(rec.Text.Source) {
					t.Errorf("text %d: %+v, not %+v", rec.ID, rec.Text, want.Text)
				}
				for _, text := range contents {
					if !slices.ContainsFunc(rec.Text.Contents, func(x model.LocalText) bool { return x.Language == text.Language && x.Text == text.Text }) {
						t.Errorf("text %d: %+v, not %+v", rec.ID, rec.Text.Contents, want.Text.Contents)
					}
				}
				continue
			}
			g, w := rec.Game, want.Game
			if was.Players.Value(w.White) != is.Players.Value(g.White) || was.Players.Value(w.Black) != is.Players.Value(g.Black) ||
				was.Teams.Value(w.WhiteTeam).Title != is.Teams.Value(g.WhiteTeam).Title || was.Sources.Value(w.Source) != is.Sources.Value(g.Source) ||
				was.Tournaments.Value(w.Tournament).Title != is.Tournaments.Value(g.Tournament).Title {
				t.Errorf("game %d has other names", rec.ID)
			}
			if g.Date != w.Date || g.Result != w.Result || g.LineEvaluation != w.LineEvaluation || g.ECO != w.ECO || g.Round != w.Round || g.Subround != w.Subround {
				t.Errorf("game %d: %+v, not %+v", rec.ID, g.Header, w.Header)
			}
			if int16(w.WhiteElo) >= 0 && g.WhiteElo != w.WhiteElo || int16(w.BlackElo) >= 0 && g.BlackElo != w.BlackElo {
				t.Errorf("game %d: ratings %d and %d, not %d and %d", rec.ID, g.WhiteElo, g.BlackElo, w.WhiteElo, w.BlackElo)
			}
			if is.Annotators.Value(g.Annotator).Name != model.ParsePlayer(was.Annotators.Value(w.Annotator).Name).String() {
				t.Errorf("game %d: annotator %v, not %v", rec.ID, is.Annotators.Value(g.Annotator), was.Annotators.Value(w.Annotator))
			}
			title, wantTitle := is.GameTitles.Value(g.GameTitle), was.GameTitles.Value(w.GameTitle)
			if wantTitle.Titles[7] = ""; title != wantTitle { // the eighth has no number
				t.Errorf("game %d: title %q, not %q", rec.ID, title, wantTitle)
			}
			if !slices.Equal(g.Moves.Nodes(), w.Moves.Nodes()) || (g.Start == nil) != (w.Start == nil) || g.Start != nil && *g.Start != *w.Start {
				t.Errorf("game %d has other moves, or another start: %+v, not %+v", rec.ID, g.Start, w.Start)
			}
			held := slices.DeleteFunc(slices.Clone(w.Annotations), func(a model.Annotation) bool {
				_, has := cbh2.AppendValue(nil, a.Value)
				return !has
			})
			if !slices.EqualFunc(g.Annotations, held, func(a, b model.Annotation) bool { return a.Node == b.Node && a.Value.Kind() == b.Value.Kind() }) {
				t.Errorf("game %d: %+v, not %+v", rec.ID, g.Annotations, held)
				continue
			}
			for i := range held {
				if got, want := plainValue(g.Annotations[i].Value), plainValue(held[i].Value); !reflect.DeepEqual(got, want) {
					t.Errorf("game %d: %#v, not %#v", rec.ID, got, want)
				}
			}
		}
	})
}

// plainValue returns an annotation without what the format cannot say of each: languages without
// a number, and of quotations the category and how names were split.
func plainValue(v model.Value) model.Value {
	switch v := v.(type) {
	case model.Text:
		v.Language = 0
		return v
	case model.Training:
		plain := func(list []model.TrainingText) (texts []model.TrainingText) {
			for _, text := range list {
				texts = append(texts, model.TrainingText{Text: text.Text})
			}
			return texts
		}
		v.Question, v.WrongReply, v.FirstHint, v.SecondHint = plain(v.Question), plain(v.WrongReply), plain(v.FirstHint), plain(v.SecondHint)
		v.Solutions = slices.Clone(v.Solutions)
		for i := range v.Solutions {
			v.Solutions[i].Reply = plain(v.Solutions[i].Reply)
		}
		return v
	case model.Quotation:
		v.Category, v.White, v.Black = 0, "", ""
		return v
	}
	return v
}
