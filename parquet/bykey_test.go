package parquet_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/parquet"
)

// positionsOf returns the table of positions of made games.
func positionsOf(t *testing.T, games int, opt parquet.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	opt.Tables, opt.AcceptLosses = []parquet.Table{parquet.Positions}, true
	w := must.Get(parquet.NewWriter(&out, opt))(t)
	src := bulk.New(bulk.Options{Games: games, Seed: 5, Annotated: 10})
	must.Do(t, model.Copy(context.Background(), w, src, model.CopyOptions{}))
	return out.Bytes()
}

// By their keys there are the same rows as without, and what a file keeps of its row groups
// says which of them can have a key.
func TestPositionsByKey(t *testing.T) {
	temp, games := t.TempDir(), 1800
	if testing.Short() {
		games = 300 // of one row group
	}
	opt := parquet.Options{Variations: true, FEN: true, Database: "made"}
	want := readRows[positionRow](t, positionsOf(t, games, opt))
	slices.SortStableFunc(want, func(a, b positionRow) int { return cmp.Compare(a.Key, b.Key) })
	opt.ByKey, opt.Memory, opt.TempDir = true, 1, temp
	data := positionsOf(t, games, opt)
	if !testing.Short() {
		if again := positionsOf(t, games, parquet.Options{Variations: true, FEN: true, Database: "made", ByKey: true}); !bytes.Equal(again, data) {
			t.Error("with more memory it is another file")
		}
	}
	for i, got := range readRows[positionRow](t, data) {
		if i == len(want) || !reflect.DeepEqual(got, want[i]) {
			t.Fatalf("row %d: %+v", i, got)
		}
	}
	file := must.Get(pq.OpenFile(bytes.NewReader(data), int64(len(data))))(t)
	groups := file.Metadata().RowGroups
	if len(groups) < 2 && !testing.Short() {
		t.Fatalf("%d row groups of %d rows", len(groups), len(want))
	}
	last := uint64(0)
	for i, g := range groups {
		var order []string
		for _, c := range g.SortingColumns {
			order = append(order, file.Schema().Columns()[c.ColumnIdx][0])
		}
		if want := []string{"key", "id", "variation", "ply"}; !slices.Equal(order, want) {
			t.Errorf("row group %d is in the order of %v", i, order)
		}
		keys := g.Columns[g.SortingColumns[0].ColumnIdx].MetaData.Statistics
		first := pq.Int64.Value(keys.MinValue).Uint64()
		if first < last || i == 0 && first != want[0].Key || g.NumRows > 128<<10 {
			t.Errorf("row group %d has %d rows from key %d on, after %d", i, g.NumRows, first, last)
		}
		last = pq.Int64.Value(keys.MaxValue).Uint64()
	}
	if last != want[len(want)-1].Key {
		t.Errorf("the last key is %d", last)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// The manifest says the order; a writer that is aborted leaves no file.
func TestByKeyInAFolder(t *testing.T) {
	ctx, temp := context.Background(), t.TempDir()
	for _, games := range []int{0, 300} {
		dir := filepath.Join(t.TempDir(), "tables")
		opt := parquet.Options{Tables: []parquet.Table{parquet.Games, parquet.Positions}, Database: "made", ByKey: true, Memory: 1, TempDir: temp, AcceptLosses: true}
		w := must.Get(parquet.Create(ctx, dir, opt))(t)
		must.Do(t, model.Copy(ctx, w, bulk.New(bulk.Options{Games: games, Seed: 5}), model.CopyOptions{}))
		data := must.Get(os.ReadFile(filepath.Join(dir, "_manifest.made.1-of-1.jsonl")))(t)
		want := []string{"", "key,id,variation,ply"}
		for line := range bytes.Lines(data) {
			var e parquet.ManifestEntry
			if err := json.Unmarshal(line, &e); err != nil || games > 0 && e.Order != want[0] || e.FirstID != nil && (*e.FirstID != 1 || *e.LastID != 300) {
				t.Errorf("%s: %v, want %v", line, err, want[0])
			}
			want = want[1:]
		}
		w = must.Get(parquet.Create(ctx, dir+"2", opt))(t)
		src := bulk.New(bulk.Options{Games: 2000, Seed: 5})
		err := w.Begin(src)
		for rec, failed := range src.Records(ctx, 1, model.WantAll) {
			err = errors.Join(err, failed, w.Put(rec))
		}
		if err := errors.Join(err, w.Abort()); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("left are %v, %v", left, err)
		}
	}
	if _, err := parquet.Create(ctx, filepath.Join(t.TempDir(), "x"), parquet.Options{ByKey: true}); !errors.Is(err, model.ErrOption) {
		t.Errorf("%v", err)
	}
}
