package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"
	pqformat "github.com/parquet-go/parquet-go/format"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// rowsIn returns the rows of files as text, column by column, whatever table
// they are of.
func rowsIn(t *testing.T, pattern string) (list []string) {
	t.Helper()
	paths := must.Get(filepath.Glob(pattern))(t)
	for _, path := range paths {
		file := must.Get(os.Open(path))(t)
		defer file.Close()
		reader := pq.NewReader(file)
		for rows := make([]pq.Row, 64); ; {
			n, err := reader.ReadRows(rows)
			for _, row := range rows[:n] {
				list = append(list, fmt.Sprintf("%+v", row))
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
	}
	return list
}

// sameRows compares the rows of two tables.
func sameRows(t *testing.T, what string, want, got []string) {
	t.Helper()
	if len(want) == 0 || !slices.Equal(want, got) {
		t.Errorf("%s: %d rows that are not the same as %d", what, len(got), len(want))
	}
}

// Tables become the database they were made of.
func TestTablesThereAndBack(t *testing.T) {
	db := newDatabase(t)
	want := mustRun(t, "export", "--format", "jsonl", db, "-").out
	dir := filepath.Dir(db)
	for _, compression := range []string{"", "zstd", "snappy", "gzip", "none"} {
		out := filepath.Join(dir, "tables"+compression)
		r := mustRun(t, "export", db, out, "--format", "parquet", "--tables", "games,positions", "--compression", compression)
		if !strings.Contains(r.errOut, "4 games, ") || !strings.Contains(r.errOut, " positions") {
			t.Errorf("the rows are not told: %s", r.errOut)
		}
		back := filepath.Join(dir, "back"+compression+".cbh")
		mustRun(t, "import", filepath.Join(out, "games", "*.parquet"), back)
		if got := mustRun(t, "export", "--format", "jsonl", back, "-").out; headless(got) != headless(want) {
			t.Errorf("%q: %s", compression, cmp.Diff(want, got))
		}
	}
	one := filepath.Join(dir, "one.parquet")
	mustRun(t, "export", db, one)
	sameRows(t, "one file", rowsIn(t, filepath.Join(dir, "tables", "games", "*")), rowsIn(t, one))
	mustRun(t, "export", db, filepath.Join(dir, "positions.parquet"), "--tables", "positions", "--variations", "--fen")
}

// headless takes what only the database itself says out of JSON Lines.
func headless(lines string) string {
	var games []string
	for line := range strings.Lines(lines) {
		if strings.Contains(line, `"kind":"game"`) {
			game, _, _ := strings.Cut(strings.TrimSuffix(line, "}\n"), `,"cbh":`)
			games = append(games, game)
		}
	}
	return strings.Join(games, "\n")
}

// Each compression is the one that was asked for.
func TestCompressionOfTables(t *testing.T) {
	db := newDatabase(t)
	for name, codec := range map[string]pqformat.CompressionCodec{
		"zstd": pqformat.Zstd, "snappy": pqformat.Snappy, "gzip": pqformat.Gzip, "none": pqformat.Uncompressed,
	} {
		path := filepath.Join(filepath.Dir(db), name+".parquet")
		mustRun(t, "export", db, path, "--compression", name)
		data := must.Get(os.ReadFile(path))(t)
		file := must.Get(pq.OpenFile(strings.NewReader(string(data)), int64(len(data))))(t)
		if got := file.Metadata().RowGroups[0].Columns[1].MetaData.Codec; got != codec {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The parts of a source together have exactly the rows of one run, in their
// order, from a database, its archive and a PGN file.
func TestPartsOfTables(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the tables of large databases")
	}
	dir := gen.Folder(t)
	db := filepath.Join(dir, "twic1134.cbh")
	games := "1-300"
	if corpus.EveryGame() {
		games = "1-1500"
	}
	mustRun(t, "export", corpus.Path(t, "cbh/twic1134/twic1134.cbh"), filepath.Join(dir, "twic1134.jsonl"), "--games", games)
	mustRun(t, "import", filepath.Join(dir, "twic1134.jsonl"), db)
	mustRun(t, "pack", db, filepath.Join(dir, "twic1134.cbv"))
	save(t, filepath.Join(dir, "sample.pgn"), manyGames("", 50))
	for _, source := range []string{"twic1134.cbh", "twic1134.cbv", "sample.pgn"} {
		at := func(name string) string { return filepath.Join(dir, source+" "+name) }
		args := []string{"export", filepath.Join(dir, source), "--format", "parquet", "--tables", "games,positions", "--fen", "-q"}
		mustRun(t, append(args, at("whole"))...)
		for part := 1; part <= 4; part++ {
			mustRun(t, append(args, at("parts"), "--part", fmt.Sprint(part, "/4"))...)
		}
		mustRun(t, append(args, at("parts"), "--part", "2/4")...) // once more
		for _, table := range []string{"games", "positions"} {
			sameRows(t, source+" "+table, rowsIn(t, filepath.Join(at("whole"), table, "*")), rowsIn(t, filepath.Join(at("parts"), table, "*")))
		}
	}
	for _, table := range []string{"games", "positions"} {
		sameRows(t, "archive, "+table, rowsIn(t, filepath.Join(dir, "twic1134.cbh whole", table, "*")), rowsIn(t, filepath.Join(dir, "twic1134.cbv whole", table, "*")))
	}
}

// What cannot be written or read is said in one line, with the right status.
func TestErrorsOfTables(t *testing.T) {
	db := newDatabase(t)
	t.Chdir(filepath.Dir(db))
	mustRun(t, "export", db, "tables", "--format", "parquet", "--tables", "games,positions", "-q")
	whole := must.Get(os.ReadFile("tables/games/db.1-of-1.0001.parquet"))(t)
	save(t, "cut.parquet", string(whole[:len(whole)/2]))
	save(t, "foreign.parquet", "a text that is no table at all")
	saveRows(t, "columns.parquet", struct{ A int }{1})
	saveRows(t, "types.parquet", struct {
		UCI string `parquet:"uci"`
	}{"e2e4"})
	mustRun(t, "export", db, "games.jsonl", "--format", "jsonl")
	for _, c := range []struct {
		status int
		says   string
		args   string
	}{
		{exitFailed, "cut.parquet: truncated: ", "import cut.parquet x.cbh"},
		{exitFailed, "foreign.parquet: not a database: ", "import foreign.parquet x.cbh"},
		{exitFailed, "columns.parquet: unsupported: it has no column game, moves, uci or movetext", "import columns.parquet x.cbh"},
		{exitFailed, "types.parquet (column uci): unsupported: its type is STRING, and it should be a list of texts", "import types.parquet x.cbh"},
		{exitFailed, "it is a table of positions; games are in the table of games", "import tables/positions/*.parquet x.cbh"},
		{exitFailed, "no*.parquet: no file has such a name", "import no*.parquet x.cbh"},
		{exitFailed, "no.parquet: ", "import no.parquet x.cbh"},
		{exitUsage, "is no Parquet file as the others are", "import tables/games/*.parquet sample.pgn x.cbh"},
		{exitFailed, "cut.parquet: truncated: ", "book build cut.parquet x.ctg"},
		{exitFailed, "foreign.parquet: not a database: ", "book build foreign.parquet x.ctg"},
		{exitFailed, "columns.parquet: unsupported: ", "book build columns.parquet x.ctg"},
		{exitFailed, "exists already; choose another name or use --force", "export db.cbh tables --format parquet"},
		{exitFailed, "is of a run in 1 parts", "export db.cbh tables --format parquet --part 1/2"},
		{exitFailed, "is a file; name a folder", "export db.cbh sample.pgn --format parquet"},
		{exitUsage, `there is no table "moves"`, "export db.cbh x.parquet --tables moves"},
		{exitUsage, `must be one of`, "export db.cbh x.parquet --compression lz4"},
		{exitUsage, "name a folder for several tables", "export db.cbh x.parquet --tables games,positions"},
		{exitUsage, "name a folder for parts", "export db.cbh x.parquet --part 1/2"},
		{exitUsage, `"5/4" is no part; the second of four is 2/4`, "export db.cbh x --format parquet --part 5/4"},
		{exitUsage, `"0/4" is no part`, "export db.cbh x --format parquet --part 0/4"},
		{exitUsage, "standard input has no parts", "export - x --format parquet --part 1/4"},
		{exitUsage, "only databases and PGN files have parts", "export games.jsonl x --format parquet --part 1/4"},
		{exitUsage, "--no-game: is for tables", "export db.cbh x.pgn --no-game"},
		{exitUsage, "--part: is for tables", "export db.cbh x.pgn --part 1/4"},
	} {
		r := cbkit(t, "", strings.Fields(c.args)...)
		if r.status != c.status || !strings.Contains(r.errOut, c.says) || strings.Count(r.errOut, "\n") != 1 || r.out != "" {
			t.Errorf("cbkit %s: status %d, %q%q; want %d, %q", c.args, r.status, r.out, r.errOut, c.status, c.says)
		}
	}
	for _, pattern := range []string{"x*", ".*"} {
		if left, _ := filepath.Glob(pattern); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
	}
}

// saveRows writes a table of any kind.
func saveRows[T any](t *testing.T, path string, rows ...T) {
	t.Helper()
	must.Do(t, pq.WriteFile(path, rows))
}

// Tables of an interrupted export are refused by what reads them, until they are written
// again.
func TestInterruptedTables(t *testing.T) {
	t.Chdir(gen.Folder(t))
	mustRun(t, "demo", "games.pgn")
	mustRun(t, "export", "-q", "games.pgn", "rows", "--format", "parquet")
	if r := mustRun(t, "recover", "rows/"); !strings.HasPrefix(r.out, "rows/: nothing to recover") {
		t.Errorf("%+v", r)
	}
	first := "rows/games/games.1-of-1.0001.parquet"
	must.Do(t, os.Rename("rows/_manifest.games.1-of-1.jsonl", "rows/.games.1-of-1.17.cbkit-writing"))
	save(t, "rows/games/.games.1-of-1.0002.parquet.1-0.cbkit-writing", "half")
	says(t, cbkit(t, "", "import", "-q", first, "new.cbh"), exitFailed, "the files of part 1 of 1 are being replaced; if no program is at work there any more, write the tables again")
	mustRun(t, "export", "-q", "games.pgn", "rows", "--format", "parquet")
	mustRun(t, "import", "-q", first, "new.cbh")
	if left, err := filepath.Glob("rows/*/.*"); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// Positions can be in the order of their keys, and nothing else can.
func TestTablesByKey(t *testing.T) {
	here(t)
	mustRun(t, "export", "-q", "games.pgn", "tables", "--format", "parquet", "--tables", "games,positions", "--sort", "key")
	manifest, err := os.ReadFile(filepath.Join("tables", "_manifest.games.1-of-1.jsonl"))
	if err != nil || !strings.Contains(string(manifest), `"order":"key,id,variation,ply"`) {
		t.Errorf("%s, %v", manifest, err)
	}
	for line, says := range map[string]string{
		"export games.pgn x.parquet --sort key":                    "--sort: is for positions",
		"export games.pgn x.pgn --sort key":                        "--sort: is for tables",
		"export games.pgn x.parquet --tables positions --sort ply": "--sort must be one of",
	} {
		if r := cbkit(t, "", strings.Fields(line)...); r.status != exitUsage || !strings.Contains(r.errOut, says) || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("%s: %+v", line, r)
		}
	}
}
