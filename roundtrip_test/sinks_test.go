package roundtrip

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
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
			path := filepath.Join(gen.Folder(t), "sink"+ending)
			sink := must.Get(create(path))(t)
			return sink, func() *model.Database {
				db := must.Get(read.Open(path, read.Options{}))(t)
				defer db.Close()
				return load(t, db)
			}
		}
	}
	return map[string]func() (model.Sink, func() *model.Database){
		"cbh": database(".cbh", func(path string) (model.Sink, error) {
			return write.Create(context.Background(), path, write.Options{Report: report})
		}),
		"dci": database(".dci", func(path string) (model.Sink, error) {
			return write.CreateSimple(context.Background(), path, write.Options{Report: report})
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

// TestSinksRefuseNonsense: what no game can have is an error of that record when
// it is handed in, and costs the others nothing.
func TestSinksRefuseNonsense(t *testing.T) {
	kings := model.StartPosition()
	kings.Board[model.E4] = model.WhiteKing
	for what, spoil := range map[string]func(*model.Game){
		"an illegal move":              func(g *model.Game) { g.Moves.Append(model.NewMove(model.E2, model.E5)) },
		"a king left in check":         func(g *model.Game) { playTo(g, "e2e4 f7f6 d1h5 a7a6") },
		"a start that nobody can play": func(g *model.Game) { g.Start = &kings },
		"a player outside the table":   func(g *model.Game) { g.White = 3 },
		"a negative id":                func(g *model.Game) { g.Tournament = -2 },
		"an annotation behind the end": func(g *model.Game) { g.Annotate(1, model.Text{Text: "where?"}) },
		"an annotation at move -2":     func(g *model.Game) { g.Annotate(-2, model.Text{Text: "where?"}) },
	} {
		for name, open := range sinks(t, nil) {
			db := &model.Database{}
			sound := model.NewGame()
			sound.Moves.Append(model.NewMove(model.E2, model.E4))
			bad := model.NewGame()
			spoil(bad)
			db.AddGame(bad)
			db.AddGame(sound)

			sink, _ := open()
			var refused *model.RecordError
			if err := model.Copy(t.Context(), sink, db, model.CopyOptions{}); !errors.As(err, &refused) || refused.Record != 1 {
				t.Errorf("%s: %s: %v", name, what, err)
			}
			sink, reopen := open()
			told := 0
			err := model.Copy(t.Context(), sink, db, model.CopyOptions{OnError: func(id model.RecordID, err error) error {
				told++
				return nil
			}})
			if err != nil || told != 1 {
				t.Fatalf("%s: %s: told %d times, %v", name, what, told, err)
			}
			if got := reopen(); got.Count() != 1 || got.List[0].Game.Moves.Len() != 1 {
				t.Errorf("%s: %s: %d games", name, what, got.Count())
			}
		}
	}
}

// playTo appends moves in UCI notation.
func playTo(g *model.Game, line string) {
	for _, word := range strings.Fields(line) {
		from, _ := model.ParseSquare(word[:2])
		to, _ := model.ParseSquare(word[2:])
		g.Moves.Append(model.NewMove(from, to))
	}
}

// TestSinksLoseNothingInSilence: without anybody to tell, a loss fails the
// whole, and nothing is in place.
func TestSinksLoseNothingInSilence(t *testing.T) {
	db := &model.Database{}
	g := model.NewGame()
	g.Tags = []model.Tag{{Name: "Mode", Value: "OTB"}}
	g.LineEvaluation = 14
	db.AddGame(g)
	db.Tables.Players.Intern(model.Player{LastName: "Nobody"})
	for name, open := range sinks(t, nil) {
		sink, _ := open()
		err := model.Copy(t.Context(), sink, db, model.CopyOptions{})
		var lost *model.LossError
		if !errors.As(err, &lost) || lost.Count == 0 || len(lost.Losses) != lost.Count {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := gen.Folder(t)
	sink := must.Get(write.Create(context.Background(), filepath.Join(dir, "x.cbh"), write.Options{}))(t)
	err := model.Copy(t.Context(), sink, db, model.CopyOptions{})
	if _, lost := errors.AsType[*model.LossError](err); !lost {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	sink = must.Get(write.Create(context.Background(), filepath.Join(dir, "x.cbh"), write.Options{AcceptLosses: true}))(t)
	if err := model.Copy(t.Context(), sink, db, model.CopyOptions{}); err != nil {
		t.Error(err)
	}
}
