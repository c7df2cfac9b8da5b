package parquet_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/parquet"
)

// saved writes a file into a folder of its own.
func saved(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(gen.Folder(t), "x.parquet")
	must.Do(t, os.WriteFile(path, data, 0o600))
	return path
}

// table returns a file with rows of any kind.
func table[T any](t testing.TB, rows ...T) []byte {
	t.Helper()
	path := filepath.Join(gen.Folder(t), "x.parquet")
	must.Do(t, pq.WriteFile(path, rows))
	return must.Get(os.ReadFile(path))(t)
}

// readAll reads all games of a file and returns the errors.
func readAll(t testing.TB, path string) (games int, failed []error) {
	t.Helper()
	r, err := parquet.Open(path)
	if err != nil {
		return 0, []error{err}
	}
	for _, err := range r.Records(t.Context(), 1, model.WantAll) {
		if err != nil {
			failed = append(failed, err)
			continue
		}
		games++
	}
	return games, failed
}

// TestForeignFiles opens what is no table of games: one clear line.
func TestForeignFiles(t *testing.T) {
	type other struct{ A int }
	type badUCI struct {
		UCI string `parquet:"uci"`
	}
	type badElo struct {
		Moves    []byte `parquet:"moves"`
		WhiteElo string `parquet:"WhiteElo"`
	}
	whole := table(t, other{1})
	for name, c := range map[string]struct {
		data []byte
		kind error
		says string
	}{
		"text":        {[]byte("[Event \"x\"]\n\n1. e4 *\n"), model.ErrNotDatabase, "does not begin with PAR1"},
		"empty":       {nil, model.ErrNotDatabase, "no Parquet file"},
		"truncated":   {whole[:len(whole)-3], model.ErrTruncated, "does not end with PAR1"},
		"no games":    {whole, model.ErrUnsupported, "no column game, moves, uci or movetext"},
		"type of uci": {table(t, badUCI{"e2e4"}), model.ErrUnsupported, "a list of texts"},
		"type of Elo": {table(t, badElo{[]byte{}, "2800"}), model.ErrUnsupported, "column WhiteElo): unsupported: its type is STRING, and it should be a whole number"},
		"positions":   {write(t, realGame(t), parquet.Options{Tables: []parquet.Table{parquet.Positions}}), model.ErrUnsupported, "it is a table of positions"},
		"footer":      {[]byte("PAR1\xff\xff\xff\x7f\xff\xff\xff\x7fPAR1"), model.ErrCorrupt, "footer"},
	} {
		_, failed := readAll(t, saved(t, c.data))
		if len(failed) != 1 || !errors.Is(failed[0], c.kind) || !strings.Contains(failed[0].Error(), c.says) || strings.Contains(failed[0].Error(), "\n") {
			t.Errorf("%s: %v", name, failed)
		}
	}
	if _, err := parquet.Open(filepath.Join(gen.Folder(t), "no.parquet")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestPagesOfAnySize reads pages whose size is that of the library's buffers, or
// nearly, in all compressions. LZ4, of which it makes zeros, is refused.
func TestPagesOfAnySize(t *testing.T) {
	type row struct {
		Moves []byte `parquet:"moves"`
	}
	e4 := []byte{0x0c, 0x07}
	for name, codec := range map[string]compress.Codec{
		"zstd": &pq.Zstd, "snappy": &pq.Snappy, "gzip": &pq.Gzip, "none": &pq.Uncompressed, "lz4": &pq.Lz4Raw,
	} {
		for _, rows := range []int{1, 681, 682, 683, 1364, 1365, 1366, 2730, 2731} { // of 6 bytes
			var file bytes.Buffer
			w := pq.NewGenericWriter[row](&file, pq.Compression(codec), pq.DataPageVersion(1))
			must.Get(w.Write(slices.Repeat([]row{{e4}}, rows)))(t)
			must.Do(t, w.Close())
			games, failed := readAll(t, saved(t, file.Bytes()))
			switch {
			case name != "lz4" && (games != rows || len(failed) > 0):
				t.Errorf("%s: %d of %d games, %v", name, games, rows, failed)
			case name == "lz4" && (games != 0 || len(failed) != 1 || !errors.Is(failed[0], model.ErrUnsupported)):
				t.Errorf("lz4: %d games, %v", games, failed)
			}
		}
	}
}

// TestBadRows reads the good rows around one that makes no sense.
func TestBadRows(t *testing.T) {
	type row struct {
		Movetext string  `parquet:"movetext"`
		Result   *string `parquet:"Result"`
		FEN      *string `parquet:"fen"`
	}
	good := row{Movetext: "1. e4 { [%clk 0:03:00] } 1... e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6! 3. Bb5 1-0", Result: some("1-0")}
	path := saved(t, table(t, good, row{Movetext: "1. e5"}, row{Result: some("7-0")}, row{FEN: some("x")}, good))
	games, failed := readAll(t, path)
	if games != 2 || len(failed) != 3 {
		t.Fatalf("%d games, errors %v", games, failed)
	}
	for i, says := range []string{`x.parquet: row 2: column movetext: corrupt: move 1, "e5"`, "row 3: column Result", "row 4: column fen"} {
		var one *parquet.RowError
		if !errors.As(failed[i], &one) || !strings.Contains(failed[i].Error(), says) {
			t.Errorf("%v, want %q", failed[i], says)
		}
	}
}

// TestTruncatedAnywhere cuts a file at every place of its end and at many
// others: an error, never a panic, never games without one.
func TestTruncatedAnywhere(t *testing.T) {
	data := write(t, realGame(t), parquet.Options{})
	path := saved(t, data)
	for n := len(data) - 1; n >= 0; n -= 1 + (len(data)-n)/50 {
		must.Do(t, os.Truncate(path, int64(n)))
		if games, failed := readAll(t, path); games > 0 || len(failed) == 0 {
			t.Fatalf("%d of %d bytes: %d games, %v", n, len(data), games, failed)
		}
	}
}

// realGame is a database of one game.
func realGame(t testing.TB) *model.Database {
	t.Helper()
	db := &model.Database{}
	g := model.NewGame()
	g.White = db.Tables.Players.Intern(model.ParsePlayer("Anderssen, Adolf"))
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Annotate(0, model.Text{Text: "[%clk 0:03:00]"})
	db.AddGame(g)
	return db
}

// FuzzRead reads anything: no panic, no endless loop, no huge allocation.
func FuzzRead(f *testing.F) {
	for _, opt := range []parquet.Options{{}, {NoGame: true}, {Compression: "snappy"}, {Compression: "none"}, {Tables: []parquet.Table{parquet.Positions}}} {
		f.Add(write(f, realGame(f), opt))
	}
	f.Add(table(f, struct {
		FEN   string `parquet:"fen"`
		Move  string `parquet:"move"`
		Games int64  `parquet:"games"`
	}{"8/8/8/8/8/8/8/8 w - -", "e2e4", 1}))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := saved(t, data)
		readAll(t, path)
	})
}
