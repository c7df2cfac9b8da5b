package cbkit_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit"
	"cbkit/model"
	_ "cbkit/parquet"
)

// A program that opens and saves databases carries few packages of other modules:
// Parquet comes with its import alone, and without it the error names the line.
func TestFrontDoorIsLight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	foreign := regexp.MustCompile(`(?m)^[^/\s]*\.[^/\s]*/.*$`).FindAllString(string(out), -1)
	foreign = slices.DeleteFunc(foreign, func(name string) bool { return name == root || strings.HasPrefix(name, root+"/") })
	if len(foreign) == 0 || len(foreign) > 25 {
		t.Errorf("package cbkit needs %d packages of other modules:\n%s", len(foreign), strings.Join(foreign, "\n"))
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "light.go")
	code := `package main

import (
	"context"
	"fmt"

	"cbkit"
	"cbkit/model"
)

func main() {
	_, err := cbkit.Open("x.parquet", cbkit.Options{})
	fmt.Println(err)
	fmt.Println(cbkit.Save(context.Background(), "x.parquet", &model.Database{}, cbkit.SaveOptions{}))
}
`
	if err := os.WriteFile(program, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err = exec.Command("go", "run", program).CombinedOutput()
	if err != nil || strings.Count(string(out), `import _ "cbkit/parquet"`) != 2 {
		t.Errorf("%s%v", out, err)
	}
	if _, err := os.Stat("x.parquet"); err == nil {
		t.Error("something was made of what is refused")
	}
}

// Parquet opens and saves like all others where its package is imported.
func TestParquetByTheFrontDoor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	want := library()
	if err := cbkit.Save(t.Context(), path, want, cbkit.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := cbkit.Save(t.Context(), path, want, cbkit.SaveOptions{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("saved over: %v", err)
	}
	check(t, path, want)
}

// With a clock the same input gives the same bytes, in every file of every format, by
// Save and by Create.
func TestSameClockSameBytes(t *testing.T) {
	source := filepath.Join(t.TempDir(), "s.pgn")
	if err := cbkit.Save(t.Context(), source, library(), cbkit.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	opt := cbkit.SaveOptions{Now: func() time.Time { return time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC) }, AcceptLosses: true}
	made := func(create bool) map[string][]byte {
		dir := t.TempDir()
		for _, name := range []string{"a.cbh", "b.dci", "c.pgn", "d.pgn.gz", "e.jsonl.zst", "f.parquet"} {
			src, err := cbkit.Open(source, cbkit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			path := filepath.Join(dir, name)
			if create {
				sink, err := cbkit.Create(t.Context(), path, opt)
				if err == nil {
					err = model.Copy(t.Context(), sink, src, model.CopyOptions{})
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := sink.Abort(); err != nil {
					t.Errorf("%s: Abort after all: %v", name, err)
				}
			} else if err := cbkit.Save(t.Context(), path, src, opt); err != nil {
				t.Fatal(err)
			}
		}
		files := map[string][]byte{}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
		return files
	}
	first := made(false)
	time.Sleep(1100 * time.Millisecond) // stamps count seconds
	for how, again := range map[string]map[string][]byte{"Save": made(false), "Create": made(true)} {
		if !maps.EqualFunc(first, again, bytes.Equal) || len(first) < 12 {
			for name, content := range first {
				if !bytes.Equal(content, again[name]) {
					t.Errorf("%s: %s differs", how, name)
				}
			}
			t.Errorf("%s: %d files, %d again", how, len(first), len(again))
		}
	}
}

// What Save selects and how it writes is what its options say.
func TestSaveOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.pgn")
	seen := 0
	opt := cbkit.SaveOptions{Plain: true, AcceptLosses: true,
		Keep: func(rec model.Record) bool { return rec.ID > 1 }, Progress: func(model.RecordID) { seen++ }}
	if err := cbkit.Save(t.Context(), path, library(), opt); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || seen != 3 || strings.Contains(string(text), "Tartakower") || !strings.Contains(string(text), "Morphy") {
		t.Errorf("%d told, %v:\n%s", seen, err, text)
	}
	left, err := cbkit.Create(t.Context(), filepath.Join(filepath.Dir(path), "b.cbh"), cbkit.SaveOptions{})
	if err == nil {
		err = errors.Join(left.Begin(library()), left.Abort(), left.Abort())
	}
	if names, _ := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
		t.Errorf("an aborted sink leaves %v, %v", names, err)
	}
}
