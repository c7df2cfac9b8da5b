package parquet_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
	"cbkit/read"
)

// write returns the file of a table.
func write(t rapid.TB, src model.Source, opt parquet.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	opt.AcceptLosses = true
	w := must.Get(parquet.NewWriter(&out, opt))(t)
	must.Do(t, model.Copy(context.Background(), w, src, model.CopyOptions{}))
	return out.Bytes()
}

// load reads the games of files.
func load(t rapid.TB, files ...[]byte) *model.Database {
	t.Helper()
	dir := must.Get(os.MkdirTemp("", "parquet"))(t)
	defer os.RemoveAll(dir)
	var paths []string
	for i, data := range files {
		path := filepath.Join(dir, string(rune('a'+i))+".parquet")
		must.Do(t, os.WriteFile(path, data, 0o600))
		paths = append(paths, path)
	}
	r := must.Get(parquet.Open(paths...))(t)
	return must.Get(model.Load(context.Background(), r))(t)
}

// games returns a database without its guiding texts.
func games(db *model.Database) *model.Database {
	only := *db
	only.List = slices.DeleteFunc(slices.Clone(db.List), func(r model.Record) bool { return r.Game == nil })
	return &only
}

// TestRoundTrip writes generated databases and reads them back through the
// column game: every game is equal.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := gen.Config{Undecodable: true, Wild: rapid.Bool().Draw(rt, "wild")}
		db := gen.Database(c).Draw(rt, "db")
		got := load(rt, write(rt, db, parquet.Options{}))
		checkEqual(rt, games(db), got)
	})
}

// checkEqual compares two databases game by game.
func checkEqual(t rapid.TB, want, got *model.Database) {
	t.Helper()
	if len(want.List) != len(got.List) {
		t.Fatalf("%d games, want %d", len(got.List), len(want.List))
	}
	for i, w := range want.List {
		if !model.EqualRecords(w, &want.Tables, got.List[i], &got.Tables) {
			t.Fatalf("game %d differs:\nwant %+v\nhave %+v", w.ID, w.Game.Resolve(&want.Tables), got.List[i].Game.Resolve(&got.Tables))
		}
	}
}

// headerOnly is a game as the columns besides game have it.
func headerOnly(g *model.Game, e *model.Entities) model.ResolvedGame {
	r := g.Resolve(e)
	r.Tournament = model.Tournament{Title: r.Tournament.Title, Place: r.Tournament.Place}
	r.Source = model.Publication{Title: r.Source.Title}
	r.WhiteTeam, r.BlackTeam = model.Team{Title: r.WhiteTeam.Title}, model.Team{Title: r.BlackTeam.Title}
	r.GameTitle = model.GameTitle{Titles: [8]string{r.GameTitle.String()}}
	r.White, r.Black = model.ParsePlayer(r.White.String()), model.ParsePlayer(r.Black.String())
	r.Annotations = nil
	r.Opaque = [2][]byte{}
	r.Moves = nil
	for i := range g.Moves.MainLen() {
		r.Moves = append(r.Moves, model.Node{Move: g.Moves.Move(i), Parent: int32(i - 1), Next: model.NoNode})
	}
	return r
}

// realGames are the databases that people have.
func realGames(t *testing.T) map[string]*model.Database {
	all := map[string]*model.Database{}
	for name, path := range map[string]string{
		"hedgehog": "cbh/hedgehog/Hedgehog.cbh", "twic1134": "cbh/twic1134/twic1134.cbh",
	} {
		db := must.Get(read.Open(corpus.Path(t, path), read.Options{}))(t)
		defer db.Close()
		all[name] = must.Get(model.Load(t.Context(), db))(t)
	}
	r := must.Get(pgn.Open(pgn.ReaderOptions{}, corpus.Path(t, "pgn/lichess-big.pgn")))(t)
	all["lichess"] = must.Get(model.Load(t.Context(), r))(t)
	return all
}

// TestRealGames writes real databases and reads them back: through the column
// game every game is equal, without it headers and main lines are.
func TestRealGames(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and reads large databases")
	}
	for name, db := range realGames(t) {
		want := games(db)
		checkEqual(t, want, load(t, write(t, db, parquet.Options{})))
		got := load(t, write(t, db, parquet.Options{NoGame: true}))
		if len(got.List) != len(want.List) {
			t.Fatalf("%s: %d games without the column game, want %d", name, len(got.List), len(want.List))
		}
		for i, w := range want.List {
			a, b := headerOnly(w.Game, &want.Tables), got.List[i].Game.Resolve(&got.Tables)
			if !a.Equal(b) || w.Deleted != got.List[i].Deleted {
				t.Fatalf("%s: game %d without the column game:\nwant %+v\nhave %+v", name, w.ID, a, b)
			}
		}
	}
}
