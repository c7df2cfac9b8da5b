package cbkit_test

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"cbkit"
	"cbkit/internal/testkit/gen"
	"cbkit/model"
)

// saveZip makes a zip of files.
func saveZip(t *testing.T, path string, files ...string) {
	t.Helper()
	contents := map[string]string{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		contents[filepath.Base(name)] = string(data)
	}
	saveZipOf(t, path, contents)
}

// saveZipOf makes a zip of names and contents.
func saveZipOf(t *testing.T, path string, contents map[string]string) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(out)
	for name, content := range contents {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
}

// countIn returns how many records there are under a name, read twice.
func countIn(t *testing.T, path string, opt cbkit.Options) (n int) {
	t.Helper()
	src, err := cbkit.Open(path, opt)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer src.Close()
	passes := 2
	if opt.FS != nil {
		passes = 1 // text can be read once there
	}
	for range passes {
		n = 0
		for _, err := range src.Records(context.Background(), 1, model.WantMoves) {
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			n++
		}
	}
	return n
}

// What is in a zip is opened as if it was not: texts one after the other, a database and
// an archive in a temporary folder that goes with the source.
func TestOpenZip(t *testing.T) {
	dir := gen.Folder(t)
	t.Setenv("TMPDIR", dir)
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"Games.cbh", "Games.dci", "a.pgn", "b.pgn.gz", "c.jsonl"} {
		if err := cbkit.Save(context.Background(), path(name), library(), cbkit.SaveOptions{AcceptLosses: true}); err != nil {
			t.Fatal(err)
		}
	}
	chess, err := filepath.Glob(path("Games.cb*"))
	if err != nil {
		t.Fatal(err)
	}
	simple, err := filepath.Glob(path("Games.dc*"))
	if err != nil {
		t.Fatal(err)
	}
	one := countIn(t, path("a.pgn"), cbkit.Options{})
	saveZip(t, path("texts.ZIP"), path("a.pgn"), path("b.pgn.gz"))
	saveZip(t, path("mixed.zip"), path("a.pgn"), path("c.jsonl"))
	saveZip(t, path("chess.zip"), chess...)
	saveZip(t, path("simple.zip"), simple...)
	saveZip(t, path("both.zip"), append(append(chess, simple...), path("a.pgn"))...)
	before, _ := os.ReadDir(dir)
	for name, want := range map[string]int{
		"texts.ZIP": 2 * one, "mixed.zip": 2 * one, "chess.zip": one, "simple.zip": one, "texts.ZIP:a.pgn": one, "texts.ZIP:b.pgn.gz": one,
		"both.zip:Games.cbh": one, "both.zip:games.dci": one, "both.zip:a.pgn": one, "chess.zip:Games": one,
	} {
		if got := countIn(t, path(name), cbkit.Options{GuessCodePage: true}); got != want {
			t.Errorf("%s: %d games, want %d", name, got, want)
		}
		if strings.HasPrefix(name, "both.zip:g") {
			continue // names in file systems are as they are spelt
		}
		if got := countIn(t, name, cbkit.Options{FS: os.DirFS(dir)}); got != want {
			t.Errorf("%s in a file system: %d games, want %d", name, got, want)
		}
	}
	if src, err := cbkit.OpenAll([]string{path("texts.ZIP"), path("chess.zip"), path("a.pgn")}, cbkit.Options{}); err != nil {
		t.Error(err)
	} else if err := src.Close(); err != nil {
		t.Error(err)
	}
	if p, err := cbkit.Locate(path("chess.zip"), cbkit.Options{}); err != nil || filepath.Base(p.Name) != "Games.cbh" {
		t.Errorf("%+v, %v", p, err)
	} else if err := p.Close(); err != nil {
		t.Error(err)
	}
	for name, says := range map[string]string{
		"both.zip": "name one of them", "both.zip:x.cbh": `there is no "x.cbh" in the zip`, "chess.zip:../Games.cbh": "there is no",
	} {
		if _, err := cbkit.Open(path(name), cbkit.Options{}); !errors.Is(err, model.ErrOption) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after, _ := os.ReadDir(dir); len(after) != len(before) {
		t.Errorf("something is left: %v", after)
	}
}

// A zip that cannot be unpacked leaves nothing.
func TestZipLeavesNothing(t *testing.T) {
	dir := gen.Folder(t)
	t.Setenv("TMPDIR", dir)
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := cbkit.Save(context.Background(), path("Games.cbh"), library(), cbkit.SaveOptions{AcceptLosses: true}); err != nil {
		t.Fatal(err)
	}
	chess, _ := filepath.Glob(path("Games.cb*"))
	saveZip(t, path("x.zip"), chess...)
	data, err := os.ReadFile(path("x.zip"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(data) / 2 { // the files, not the directory
		data[i] ^= 0x55
	}
	if err := os.WriteFile(path("x.zip"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before, _ := os.ReadDir(dir)
	if _, err := cbkit.Open(path("x.zip"), cbkit.Options{}); err == nil || !strings.Contains(err.Error(), "x.zip:Games.") {
		t.Errorf("damaged: %v", err)
	}
	if _, err := cbkit.Unzip(ctx, path("x.zip")); err == nil {
		t.Error("unpacked though it was to stop")
	}
	if after, _ := os.ReadDir(dir); len(after) != len(before) {
		t.Errorf("something is left: %v", after)
	}
	if _, err := cbkit.Open("x.zip", cbkit.Options{FS: fstest.MapFS{"x.zip": {Data: []byte("no zip")}}}); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("no zip: %v", err)
	}
}

// A damaged text in a zip is named with the zip, and what stands before the damage is
// read.
func TestDamagedTextInZip(t *testing.T) {
	dir := gen.Folder(t)
	path := filepath.Join(dir, "x.zip")
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "[Event \"%d\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n", i)
	}
	saveZipOf(t, path, map[string]string{"a.pgn": text.String()})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(data), "PK\x01\x02")
	data[at-20] ^= 0xFF // the end of the compressed text
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	src, err := cbkit.Open(path, cbkit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	n, last := 0, error(nil)
	for _, err := range src.Records(context.Background(), 1, model.WantMoves) {
		if last = err; err == nil {
			n++
		}
	}
	if n == 0 || last == nil || strings.Count(last.Error(), path+":a.pgn: ") != 1 {
		t.Errorf("%d games, then %v", n, last)
	}
}
