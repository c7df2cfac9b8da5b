package duckdb

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/search"
)

const twic = "cbh/twic1134/twic1134.cbh"

// TestQuestions asks DuckDB the ten questions of docs/analysis.md. What it
// answers is what the document prints, what a count in Go gives, and what
// cbkit's own search finds.
func TestQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the tables of a large database")
	}
	doc := readDocument(t)
	path := corpus.Path(t, twic)
	db := open(t, path)
	dir := t.TempDir()
	writeTables(t, filepath.Join(dir, "tables"), db, parquet.Options{Database: "twic1134"})
	statements := doc.setUp
	for _, q := range doc.questions {
		statements = append(statements, q.sql)
	}
	answers := ask(t, dir, statements)[len(doc.setUp):]
	s := must.Get(search.Open(path, search.Options{}))(t)
	defer s.Close()
	all := loadGames(t, db)
	for i, q := range doc.questions {
		t.Run(q.title, func(t *testing.T) {
			got := answers[i]
			if q.answer == nil { // there is nothing to print
				got = got[1:]
			}
			if d := cmp.Diff(append([][]string{}, q.answer...), got); d != "" {
				t.Errorf("the document prints something else (-document +DuckDB):\n%s", d)
			}
			if d := cmp.Diff(naive[i](all), answers[i][1:]); d != "" {
				t.Errorf("a count in Go gives something else (-Go +DuckDB):\n%s", d)
			}
			if searched[i] != nil {
				searched[i](t, s, all, answers[i][1:])
			}
		})
	}
}

// TestBlunders asks the question about games with clocks.
func TestBlunders(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the tables of a large database")
	}
	doc := readDocument(t)
	games := must.Get(pgn.Open(pgn.ReaderOptions{}, corpus.Path(t, "pgn/lichess-big.pgn")))(t)
	dir := t.TempDir()
	writeTables(t, filepath.Join(dir, "tables"), games, parquet.Options{Database: "lichess-big"})
	answers := ask(t, dir, append(doc.setUp, doc.blunders.sql))
	if d := cmp.Diff(doc.blunders.answer, answers[len(doc.setUp)]); d != "" {
		t.Errorf("the document prints something else (-document +DuckDB):\n%s", d)
	}
}

// TestWhatFilesSay lets DuckDB read the metadata and the manifest.
func TestWhatFilesSay(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the tables of a large database")
	}
	db := open(t, corpus.Path(t, twic))
	dir := t.TempDir()
	writeTables(t, filepath.Join(dir, "tables"), db, parquet.Options{Database: "twic1134", Program: "cbkit test"})
	answers := ask(t, dir, []string{
		"SELECT decode(key), decode(value) FROM parquet_kv_metadata('tables/games/*.parquet') WHERE decode(key) LIKE 'cbkit.%' ORDER BY 1",
		`SELECT m."table", m.rows, m.firstId, m.lastId FROM read_json('tables/_manifest.*.jsonl') m ORDER BY 1`,
		"SELECT count(*), min(id), max(id) FROM 'tables/positions/*.parquet'",
	})
	positions := answers[2][1]
	want := [][][]string{
		{{"cbkit.options", "no-game,fen"}, {"cbkit.part", "1/1"}, {"cbkit.program", "cbkit test"}, {"cbkit.schema", "2"}, {"cbkit.source", "twic1134"}, {"cbkit.table", "games"}},
		{{"games", "6117", "1", "6117"}, append([]string{"positions"}, positions...)},
	}
	for i := range want {
		if d := cmp.Diff(want[i], answers[i][1:]); d != "" {
			t.Errorf("answer %d (-want +DuckDB):\n%s", i+1, d)
		}
	}
}

// TestPositionsByKeyInDuckDB lets DuckDB look for positions in tables in both orders.
func TestPositionsByKeyInDuckDB(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the tables of a large database twice")
	}
	db := open(t, corpus.Path(t, twic))
	dir := t.TempDir()
	writeTables(t, filepath.Join(dir, "tables"), db, parquet.Options{Database: "twic1134"})
	writeTables(t, filepath.Join(dir, "sorted"), db, parquet.Options{Database: "twic1134", ByKey: true})
	answers := ask(t, dir, []string{
		"SELECT count(*) FROM (FROM 'tables/positions/*.parquet' EXCEPT ALL FROM 'sorted/positions/*.parquet')",
		"SELECT (SELECT count(*) FROM 'tables/positions/*.parquet') - (SELECT count(*) FROM 'sorted/positions/*.parquet')",
		`SELECT count(*) FROM (SELECT key, lag(key) OVER (ORDER BY file_row_number) AS before
			FROM read_parquet('sorted/positions/*.parquet', file_row_number = true)) WHERE key < before`,
		`WITH k AS (SELECT key FROM 'tables/positions/*.parquet' WHERE id = 17 AND ply = 20)
			SELECT count(*) <= 2 FROM parquet_metadata('sorted/positions/*.parquet'), k
			WHERE path_in_schema = 'key' AND stats_min_value::UBIGINT <= key AND stats_max_value::UBIGINT >= key`,
		`SELECT m."order" FROM read_json('sorted/_manifest.*.jsonl') m WHERE m."table" = 'positions'`,
	})
	for i, want := range [][][]string{{{"0"}}, {{"0"}}, {{"0"}}, {{"true"}}, {{"key,id,variation,ply"}}} {
		if d := cmp.Diff(want, answers[i][1:]); d != "" {
			t.Errorf("answer %d (-want +DuckDB):\n%s", i+1, d)
		}
	}
}

// open opens a database for the length of the test.
func open(t *testing.T, path string) read.Database {
	t.Helper()
	db := must.Get(read.Open(path, read.Options{}))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// writeTables writes both tables.
func writeTables(t *testing.T, dir string, src model.Source, opt parquet.Options) {
	t.Helper()
	opt.Tables, opt.FEN, opt.NoGame, opt.AcceptLosses = []parquet.Table{parquet.Games, parquet.Positions}, true, true, true
	w := must.Get(parquet.Create(context.Background(), dir, opt))(t)
	must.Do(t, model.Copy(t.Context(), w, src, model.CopyOptions{}))
}

// find returns how many games meet conditions, each written as name:value.
func find(t *testing.T, s *search.Searcher, conditions ...string) []model.RecordID {
	t.Helper()
	var all []search.Condition
	for _, c := range conditions {
		name, value, _ := strings.Cut(c, ":")
		term := must.Get(search.Term(name, value))(t)
		all = append(all, term)
	}
	found := must.Get(s.Find(t.Context(), search.And(all...)))(t)
	return found.IDs
}
