package read

import (
	"context"
	"io/fs"
	"iter"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/cbh2"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// Random databases are read as they were written: order and kinds of records, deleted ones,
// names, headers, starts, moves and annotations.
func TestRandomChessBase2(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inNewFormat(t, gen.Database(gen.Config{NoHalfMoves: true, NoTags: true}).Draw(t, "database"))
	})
}

// Headers alone are those that come with moves.
func TestHeadersOfChessBase2(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := must.Get(gen.ChessBase2(context.Background(), gen.Database(gen.Config{NoHalfMoves: true}).Draw(t, "database")))(t)
		db := must.Get(OpenFS(files, "Games.2cbh", Options{Damage: func(error) {}}))(t)
		defer db.Close()
		headers := func(want model.Want) (list []model.Header) {
			for rec := range must.All(t, db.Records(context.Background(), 1, want)) {
				h := model.Header{}
				if rec.Game != nil {
					h = rec.Clone().Game.Header
				}
				list = append(list, h)
			}
			return list
		}
		all := headers(model.WantMoves)
		if got := headers(model.WantHeaders); !reflect.DeepEqual(got, all) {
			t.Errorf("headers alone are %+v, with moves %+v", got, all)
		}
		if least := headers(0); !reflect.DeepEqual(least, all) { // no player has an id here
			t.Errorf("the least are %+v, with moves %+v", least, all)
		}
	})
}

// What real databases hold, up to 500 records of each, is read as it was written.
func TestRealGamesAsChessBase2(t *testing.T) {
	files, records := 0, 0
	err := filepath.WalkDir(corpus.Path(t, "."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.EqualFold(filepath.Ext(path), ".cbh") {
			return err
		}
		db, err := Open(path, Options{KeepGoing: true, Warn: func(error) {}, Damage: func(error) {}})
		if err != nil {
			return nil // a damaged one
		}
		defer db.Close()
		made, err := model.Load(t.Context(), first{db, 500})
		if err != nil {
			t.Logf("%s: %v", path, err)
			return nil
		}
		files, records = files+1, records+len(made.List)
		t.Run(d.Name(), func(t *testing.T) { inNewFormat(t, made) })
		return nil
	})
	if err != nil || files < 5 {
		t.Fatalf("%d databases, %v", files, err)
	}
	t.Logf("%d records of %d databases", records, files)
}

// first are so many records of a source that can be read whole.
type first struct {
	model.Source
	n model.RecordID
}

func (f first) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range f.Source.Records(ctx, from, want&^model.WantRaw) {
			if rec.ID > f.n || err == nil && len(rec.Faults()) == 0 && !yield(rec, nil) {
				return
			}
		}
	}
}

// inNewFormat writes what was made, and compares what is read of it.
func inNewFormat(t rapid.TB, made *model.Database) {
	files := must.Get(gen.ChessBase2(context.Background(), made))(t)
	db := must.Get(OpenFS(files, "Games.2cbh", Options{Damage: func(err error) { t.Error(err) }}))(t)
	defer db.Close()
	if db.Count() != len(made.List) {
		t.Fatalf("%d records of %d", db.Count(), len(made.List))
	}
	was, is := &made.Tables, db.Entities()
	for rec := range must.All(t, db.Records(context.Background(), 1, model.WantAll)) {
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
