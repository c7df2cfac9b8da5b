package jsonl_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/read"
)

// TestCorpus takes the real databases to JSON Lines and back: the records are
// equal, and what another ChessBase database needs is there.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector")
	}
	paths, err := filepath.Glob(filepath.Join(corpus.Path(t, "cbh"), "*", "*.cbh"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no databases: %v", err)
	}
	for _, path := range paths {
		if _, err := os.Stat(strings.TrimSuffix(path, "cbh") + "cbg"); err != nil {
			continue // a database without its moves cannot be opened
		}
		t.Run(filepath.Base(path), func(t *testing.T) { roundTripFile(t, path) })
	}
}

func roundTripFile(t *testing.T, path string) {
	src := must.Get(read.Open(path, read.Options{}))(t)
	defer src.Close()
	file := must.Get(os.Create(filepath.Join(gen.Folder(t), "copy.jsonl")))(t)
	defer file.Close()
	must.Do(t, model.Copy(context.Background(), jsonl.NewWriter(file, jsonl.WriterOptions{AcceptLosses: true}), src, model.CopyOptions{}))
	lines := must.Get(jsonl.Open(file.Name(), jsonl.ReaderOptions{}))(t)
	want := must.Get(model.Load(context.Background(), src))(t)
	got := must.Get(model.Load(context.Background(), lines))(t)
	jsonl.CheckSame(t, want, got)
	if info, err := file.Stat(); err == nil {
		t.Logf("%d records, %d bytes", len(got.List), info.Size())
	}
}
