package cbkit_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"cbkit"
	"cbkit/archive"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
)

// Every kind of source opens by its ending, gives equal games, and closes twice.
func TestOpenEveryKind(t *testing.T) {
	dir, ctx, want := t.TempDir(), context.Background(), library()
	for _, name := range []string{"a.cbh", "b.dci", "c.pgn", "d.pgn.gz", "e.pgn.zst", "f.jsonl", "g.ndjson.gz"} {
		path := filepath.Join(dir, name)
		if err := cbkit.Save(ctx, path, want, cbkit.SaveOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := cbkit.Save(ctx, path, want, cbkit.SaveOptions{}); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: saved over: %v", name, err)
		}
		if err := cbkit.Save(ctx, path, want, cbkit.SaveOptions{Force: true}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		check(t, path, want)
	}
	packed := filepath.Join(dir, "a.cbv")
	var names []string
	parts, _ := filepath.Glob(filepath.Join(dir, "a.*"))
	for _, path := range parts {
		names = append(names, filepath.Base(path))
	}
	files, err := archive.Files(os.DirFS(dir), names...)
	if err == nil {
		err = archive.Create(ctx, packed, files, archive.CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	check(t, packed, want)
	// A copy of a ChessBase database is one to the byte.
	src, err := cbkit.Open(filepath.Join(dir, "a.cbh"), cbkit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if _, ok := src.Unwrap().(*read.ChessBase); !ok {
		t.Errorf("%T", src.Unwrap())
	}
	if err := cbkit.Save(ctx, filepath.Join(dir, "copy.cbh"), src, cbkit.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	one, _ := os.ReadFile(filepath.Join(dir, "a.cbg"))
	two, _ := os.ReadFile(filepath.Join(dir, "copy.cbg"))
	if string(one) != string(two) || len(one) == 0 {
		t.Error("the copy differs")
	}
}

// A searcher closes twice like every source.
func TestSearcherClosesTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Games.cbh")
	if err := cbkit.Save(t.Context(), path, library(), cbkit.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	s, err := search.Open(path, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
}

// check reads a source and compares its main lines.
func check(t *testing.T, path string, want *model.Database) {
	t.Helper()
	src, err := cbkit.Open(path, cbkit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := model.Load(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.List) != len(want.List) {
		t.Fatalf("%s: %d games", path, len(got.List))
	}
	for i := range got.List {
		if !got.List[i].Game.Moves.Equal(&want.List[i].Game.Moves) {
			t.Errorf("%s: game %d has other moves", path, i+1)
		}
	}
	if err := errors.Join(src.Close(), src.Close()); err != nil {
		t.Errorf("%s: closed twice: %v", path, err)
	}
}

// What cannot be opened or saved is said, and leaves nothing.
func TestCannot(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"none.cbh", "none.pgn", "none.jsonl", "none.cbv", "none.parquet", "none"} {
		if src, err := cbkit.Open(filepath.Join(dir, name), cbkit.Options{}); err == nil {
			t.Errorf("%s: %v", name, src.Close())
		}
	}
	if err := cbkit.Save(t.Context(), filepath.Join(dir, "x.doc"), library(), cbkit.SaveOptions{}); !errors.Is(err, model.ErrOption) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := cbkit.Save(ctx, filepath.Join(dir, "x.pgn"), library(), cbkit.SaveOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
