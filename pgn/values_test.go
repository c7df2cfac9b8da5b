package pgn

import (
	"context"
	"errors"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// The tags of a game, read again, make the header that the whole game has when it is
// read.
func TestTagsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{NoTexts: true, Plies: 1, Kinds: []model.Kind{}, Runes: []rune("abÄß♞,.- %?*\"'[]{}();\\")}).Draw(t, "database")
		for _, rec := range db.List {
			g := model.NewGame()
			g.Header = rec.Game.Header
			text := string(AppendGame(nil, g, &db.Tables))
			r := NewReader(strings.NewReader(text), ReaderOptions{})
			read := model.NewGame()
			for got, err := range r.Records(context.Background(), 1, model.WantAll) {
				if err != nil {
					t.Skip(err)
				}
				read.Header = got.Game.Clone().Header
			}
			var e model.Entities
			back := model.NewGame()
			back.Header = ParseTags(AppendTags(nil, &rec, &db.Tables, nil), &e)
			if want, got := read.Resolve(r.Entities()), back.Resolve(&e); !want.Equal(got) {
				t.Fatalf("%s\nread %+v\ntags %+v", text, want, got)
			}
		}
	})
}

// What cannot be read is not written, and the writer goes on.
func TestWriterRefusesWhatIsTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("writes games of megabytes")
	}
	large, deep := model.NewGame(), model.NewGame()
	large.Annotate(model.NoNode, model.Text{Text: strings.Repeat("a long comment ", maxGame/15)})
	deep.Moves = nested(maxDepth + 1)
	fits := model.NewGame()
	fits.Moves = nested(maxDepth)
	for _, g := range []*model.Game{large, deep} {
		var db model.Database
		var text strings.Builder
		w := NewWriter(&text, WriterOptions{})
		must.Do(t, w.Begin(&db))
		err := w.Put(model.Record{ID: 1, Game: g})
		var refused *model.RecordError
		if !errors.Is(err, model.ErrTooLarge) || !errors.As(err, &refused) {
			t.Fatalf("%v", err)
		}
		if err := errors.Join(w.Put(model.Record{ID: 2, Game: fits}), w.Commit()); err != nil || w.Written() != 1 {
			t.Fatalf("%v, %d written", err, w.Written())
		}
		r := NewReader(strings.NewReader(text.String()), ReaderOptions{})
		n := 0
		for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
			if n++; err != nil || !rec.Game.Moves.Equal(&fits.Moves) {
				t.Errorf("%v", err)
			}
		}
		if n != 1 {
			t.Errorf("%d games", n)
		}
	}
}

// nested returns a tree whose variations are nested so deep: one knight goes out and
// home again, and another could go out at every move.
func nested(deep int) (tree model.Tree) {
	out := [2]model.Move{model.NewMove(model.G1, model.F3), model.NewMove(model.G8, model.F6)}
	other := [4]model.Move{
		model.NewMove(model.B1, model.C3), model.NewMove(model.B8, model.C6),
		model.NewMove(model.C3, model.B1), model.NewMove(model.C6, model.B8),
	}
	parent := model.NoNode
	for n := range deep {
		tree.AddStored(parent, out[n%2])
		parent = tree.AddStored(parent, other[n%4])
	}
	return tree
}
