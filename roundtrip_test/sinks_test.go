package roundtrip

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// sinks makes a sink of every format, and a function that reads back what was
// committed.
func sinks(t *testing.T, report model.Report) map[string]func() (model.Sink, func() *model.Database) {
	database := func(ending string, create func(path string) (model.Sink, error)) func() (model.Sink, func() *model.Database) {
		return func() (model.Sink, func() *model.Database) {
			path := filepath.Join(t.TempDir(), "sink"+ending)
			sink, err := create(path)
			if err != nil {
				t.Fatal(err)
			}
			return sink, func() *model.Database {
				db, err := read.Open(path, read.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer db.Close()
				return load(t, db)
			}
		}
	}
	return map[string]func() (model.Sink, func() *model.Database){
		"cbh": database(".cbh", func(path string) (model.Sink, error) {
			return write.Create(path, write.Options{Report: report})
		}),
		"dci": database(".dci", func(path string) (model.Sink, error) {
			return write.CreateSimple(path, write.SimpleOptions{Report: report})
		}),
		"pgn": func() (model.Sink, func() *model.Database) {
			var out bytes.Buffer
			return pgn.NewWriter(&out, pgn.WriterOptions{Report: report}), func() *model.Database {
				return load(t, pgn.NewReader(&out, pgn.ReaderOptions{}))
			}
		},
		"jsonl": func() (model.Sink, func() *model.Database) {
			var out bytes.Buffer
			return jsonl.NewWriter(&out, jsonl.WriterOptions{Report: report}), func() *model.Database {
				return load(t, jsonl.NewReader(&out, jsonl.ReaderOptions{}))
			}
		},
	}
}

// foreign is a value of a type that the model does not have.
type foreign struct{ model.Text }

// TestSinksAndForeignValues: what a list of annotations can hold beside the
// values of the model costs no sink its game, and nothing goes without a word.
func TestSinksAndForeignValues(t *testing.T) {
	pointed := model.Text{Text: "pointer"}
	var losses []model.Loss
	for name, open := range sinks(t, func(l model.Loss) { losses = append(losses, l) }) {
		db := &model.Database{}
		g := model.NewGame()
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		g.Annotations = []model.Annotation{
			{Node: 0, Value: nil},
			{Node: 0, Value: &pointed},
			{Node: 0, Value: (*model.Medals)(nil)},
			{Node: 0, Value: foreign{}},
		}
		db.AddGame(g)

		losses = losses[:0]
		sink, reopen := open()
		if err := model.Copy(t.Context(), sink, db, model.CopyOptions{}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := len(slices.DeleteFunc(losses, func(l model.Loss) bool { return l.Kind != model.LostAnnotation })); n != 3 {
			t.Errorf("%s: %d annotations were reported, want 3: %v", name, n, losses)
		}
		list := reopen().List[0].Game.Annotations
		if len(list) != 1 || list[0].Node != 0 || !list[0].Value.Equal(pointed) {
			t.Errorf("%s: annotations %v, want %q", name, list, pointed.Text)
		}
	}
}

// TestSinksKeepTheOrder: every call out of the order that [model.Sink] asks for
// is an error, in all sinks alike, and does no harm to what is there.
func TestSinksKeepTheOrder(t *testing.T) {
	db := &model.Database{}
	game := model.Record{ID: 1, Game: model.NewGame()}
	for name, open := range sinks(t, nil) {
		fails := func(what string, err error) {
			t.Helper()
			if err == nil {
				t.Errorf("%s: %s is no error", name, what)
			}
		}
		works := func(what string, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %s: %v", name, what, err)
			}
		}
		sink, reopen := open()
		fails("Put before Begin", sink.Put(game))
		fails("Commit before Begin", sink.Commit())
		works("Begin", sink.Begin(db))
		fails("a second Begin", sink.Begin(db))
		fails("Put of nothing", sink.Put(model.Record{ID: 1}))
		fails("Put of a game that is a text", sink.Put(model.Record{ID: 1, Game: game.Game, Text: model.NewGuidingText()}))
		works("Put", sink.Put(game))
		fails("Put of the same id", sink.Put(game))
		works("Commit", sink.Commit())
		fails("Put after Commit", sink.Put(model.Record{ID: 2, Game: game.Game}))
		fails("a second Commit", sink.Commit())
		fails("Begin after Commit", sink.Begin(db))
		works("Abort after Commit", sink.Abort())
		if n := reopen().Count(); n != 1 {
			t.Errorf("%s: %d records, want 1", name, n)
		}

		sink, _ = open()
		works("Abort before Begin", sink.Abort())
		works("a second Abort", sink.Abort())
		fails("Begin after Abort", sink.Begin(db))
		fails("Put after Abort", sink.Put(game))
		fails("Commit after Abort", sink.Commit())
	}
}
