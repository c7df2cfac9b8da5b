package write_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/soundness"
	"cbkit/model"
	"cbkit/write"
)

// everyEdit has one edit of each kind, of a game and of a guiding text, where there is one.
var everyEdit = []struct {
	name string
	do   func(ed *write.Editor, game, text model.RecordID) error
}{
	{"append", func(ed *write.Editor, _, _ model.RecordID) error {
		return appendAll(ed, namedGame("appended"), oneGame("Nobody"))
	}},
	{"replace", func(ed *write.Editor, game, _ model.RecordID) error {
		by := namedGame("replaced")
		by.List[0].Game.Annotations = comment(1, "replaced")
		return ed.Replace(game, by.List[0], by.Entities())
	}},
	{"header", func(ed *write.Editor, game, _ model.RecordID) error {
		h, err := ed.Header(game)
		if err != nil {
			return err
		}
		by := namedGame("header")
		h.White, h.Black, h.WhiteTeam, h.BlackTeam = 0, 1, 0, 1
		h.Tournament, h.Annotator, h.Source, h.GameTitle = 0, 0, 0, model.NoEntity
		h.Round, h.WhiteElo, h.Result = 9, 2500, model.Draw
		return ed.SetHeader(game, h, by.Entities())
	}},
	{"no names", func(ed *write.Editor, game, _ model.RecordID) error {
		return ed.SetHeader(game, model.NewHeader(), new(model.Entities))
	}},
	{"annotations", func(ed *write.Editor, game, _ model.RecordID) error {
		return ed.SetAnnotations(game, comment(1, "said"))
	}},
	{"no annotations", func(ed *write.Editor, game, _ model.RecordID) error { return ed.SetAnnotations(game, nil) }},
	{"annotate", func(ed *write.Editor, game, _ model.RecordID) error {
		g, err := ed.Game(game)
		if err != nil {
			return err
		}
		g.Annotations = comment(1, "by another")
		return ed.Annotate(game, g)
	}},
	{"delete", func(ed *write.Editor, game, text model.RecordID) error { return ed.Delete(game, max(text, 1)) }},
	{"undelete", func(ed *write.Editor, game, text model.RecordID) error { return ed.Undelete(game, max(text, 1)) }},
	{"text", func(ed *write.Editor, _, text model.RecordID) error {
		if text == 0 {
			return nil
		}
		t, err := ed.Text(text)
		if err != nil {
			return err
		}
		by := namedGame("text")
		t.Tournament, t.Annotator, t.Source, t.GameTitle = 0, 0, 0, model.NoEntity
		return errors.Join(ed.SetTextHeader(text, t, by.Entities()), ed.Replace(text, model.Record{Text: t}, by.Entities()))
	}},
	{"rename", func(ed *write.Editor, game, _ model.RecordID) error {
		h, err := ed.Header(game)
		if err != nil {
			return err
		}
		return ed.Players().Change(h.White, model.Player{LastName: "Renamed"})
	}},
	{"merge", func(ed *write.Editor, game, _ model.RecordID) error {
		h, err := ed.Header(game)
		if err != nil || h.White == h.Black {
			return err
		}
		return ed.Players().Merge(h.Black, h.White)
	}},
	{"remove unused", func(ed *write.Editor, _, _ model.RecordID) error {
		_, err := ed.RemoveUnused()
		return err
	}},
}

// appendAll adds the records of several sources.
func appendAll(ed *write.Editor, list ...*model.Database) error {
	for _, db := range list {
		if err := ed.Append(context.Background(), db, model.CopyOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// firstOf returns the first game that can be played through and the first guiding text.
func firstOf(ed *write.Editor) (game, text model.RecordID) {
	for id := model.RecordID(1); int(id) <= ed.Count() && (game == 0 || text == 0); id++ {
		g, err := ed.Game(id)
		switch {
		case err != nil && text == 0:
			text = id
		case err == nil && game == 0 && g.MovesErr == nil && g.AnnotationsErr == nil && g.Moves.Len() > 0:
			game = id
		}
	}
	return game, text
}

// Every kind of edit on every real database, first with the search boosters that it has
// and then with all: check finds no error that was not there before.
func TestEditMakesNoErrors(t *testing.T) {
	list, err := filepath.Glob(filepath.Join(corpus.Path(t, "cbh"), "*", "*.cbh"))
	must.Do(t, err)
	for _, from := range list {
		if testing.Short() && filepath.Base(filepath.Dir(from)) == "twic1134" {
			continue // it is large
		}
		for _, boosters := range []bool{false, true} {
			if testing.Short() && boosters && !strings.Contains(from, "mate2") {
				continue
			}
			t.Run(fmt.Sprintf("%s boosters %v", filepath.Base(from), boosters), func(t *testing.T) {
				if _, err := os.Stat(strings.TrimSuffix(from, ".cbh") + ".cbg"); err != nil {
					t.Skipf("a database without moves cannot be edited: %v", err)
				}
				dir := gen.Folder(t)
				must.Do(t, os.CopyFS(dir, os.DirFS(filepath.Dir(from))))
				path := filepath.Join(dir, filepath.Base(from))
				if boosters {
					_, err := write.Boosters(t.Context(), path, write.BoosterOptions{})
					must.Do(t, err)
				}
				before, err := soundness.Errors(t, path)
				must.Do(t, err)
				var game, text model.RecordID
				for _, e := range everyEdit {
					ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: clock, AcceptLosses: true})
					must.Do(t, err)
					if game == 0 {
						game, text = firstOf(ed)
					}
					if err := e.do(ed, game, text); err != nil {
						t.Errorf("%s: %v", e.name, err)
						must.Do(t, ed.Close())
						continue
					}
					commit(t, ed)
					after, err := soundness.Errors(t, path)
					must.Do(t, err)
					for what, f := range after {
						if before[what] == "" {
							t.Errorf("%s: %s", e.name, f)
						}
					}
					before = after
				}
			})
		}
	}
}
