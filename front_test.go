package cbkit_test

import (
	"bytes"
	"context"
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
	"cbkit/internal/testkit/gen"
	"cbkit/model"
	_ "cbkit/parquet"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"
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
	if testing.Short() {
		return // it would link a program
	}
	dir := gen.Folder(t)
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
	path := filepath.Join(gen.Folder(t), "a.parquet")
	want := library()
	if err := cbkit.Save(t.Context(), path, want, cbkit.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := cbkit.Save(t.Context(), path, want, cbkit.SaveOptions{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("saved over: %v", err)
	}
	check(t, path, want)
}

// What Save selects and how it writes is what its options say.
func TestSaveOptions(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "a.pgn")
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

// The clock sets stamps inside of files, never when they were changed: with the same
// clock, the same sizes and other content, whoever has the database open notices, and
// whoever searches finds what is there now, also with a clock that is behind or ahead.
func TestClockHidesNoChange(t *testing.T) {
	for _, year := range []int{1999, 2024, 2099} {
		now := func() time.Time { return time.Date(year, 5, 1, 12, 0, 0, 0, time.UTC) }
		path := filepath.Join(gen.Folder(t), "a.cbh")
		sealed := cbkit.SaveOptions{Now: now, Boosters: &write.BoosterOptions{}, Force: true}
		if err := cbkit.Save(t.Context(), path, manyGames(50), sealed); err != nil {
			t.Fatal(err)
		}
		edit := func(to string) {
			ed, err := write.Edit(context.Background(), path, write.EditOptions{Now: now})
			if err != nil {
				t.Fatal(err)
			}
			defer ed.Close()
			id, err := ed.Players().Find(model.Player{LastName: "Somebody"})
			if err == nil {
				err = ed.Players().Change(id, model.Player{LastName: to})
			}
			if err == nil {
				err = ed.Commit()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		replaced := manyGames(50)
		for _, rec := range replaced.List {
			rec.Game.Result = model.BlackWins
		}
		for what, change := range map[string]func(){
			"edit": func() { edit("Anyone x") },
			"replace": func() {
				if err := cbkit.Save(t.Context(), path, replaced, sealed); err != nil {
					t.Fatal(err)
				}
			},
		} {
			if err := cbkit.Save(t.Context(), path, manyGames(50), sealed); err != nil {
				t.Fatal(err)
			}
			db, err := read.Open(path, read.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			before, err := search.Open(path, search.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer before.Close()
			sizes := sizesIn(t, filepath.Dir(path))
			change()
			if now := sizesIn(t, filepath.Dir(path)); !maps.Equal(sizes, now) {
				t.Fatalf("%s: sizes %v, were %v", what, now, sizes)
			}
			if info, err := os.Stat(path); err != nil || time.Since(info.ModTime()).Abs() > time.Hour {
				t.Errorf("%d: %s: the clock has set a change time: %v, %v", year, what, info.ModTime(), err)
			}
			if _, err := db.Record(t.Context(), 1, model.WantAll); !errors.Is(err, model.ErrChanged) {
				t.Errorf("%d: %s: an open reader goes on: %v", year, what, err)
			}
			if _, err := before.Find(t.Context(), search.Player(search.AnySide, "Somebody")); !errors.Is(err, model.ErrChanged) {
				t.Errorf("%d: %s: an open search goes on: %v", year, what, err)
			}
			after, err := search.Open(path, search.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer after.Close()
			found, err := after.Find(t.Context(), search.Player(search.AnySide, "Somebody"))
			if want := map[string]int{"replace": 50}[what]; err != nil || len(found.IDs) != want {
				t.Errorf("%d: %s: %d of the old name, %v", year, what, len(found.IDs), err)
			}
			found, err = after.Find(t.Context(), search.Results(model.BlackWins))
			if want := map[string]int{"replace": 50}[what]; err != nil || len(found.IDs) != want {
				t.Errorf("%d: %s: %d of the new result, %v", year, what, len(found.IDs), err)
			}
		}
	}
}

// sizesIn returns the sizes of the files in a folder.
func sizesIn(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	sizes := map[string]int64{}
	for _, name := range namesIn(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		sizes[name] = info.Size()
	}
	return sizes
}

// What is saved in memory, boosters included, is what is saved on the disk, and opens
// from there; nothing appears on the disk. Archives and embedded files open in the same
// way.
func TestSavedInMemory(t *testing.T) {
	dir, memory := gen.Folder(t), write.NewMemory()
	opt := cbkit.SaveOptions{Now: func() time.Time { return time.Unix(1e9, 0) }, AcceptLosses: true, Boosters: &write.BoosterOptions{NoSeal: true}}
	want := library()
	for _, name := range []string{"a.cbh", "b.dci", "c.pgn", "d.pgn.gz", "e.jsonl", "f.parquet"} {
		if err := cbkit.Save(t.Context(), filepath.Join(dir, name), want, opt); err != nil {
			t.Fatal(err)
		}
		within := opt
		within.In = memory
		if err := cbkit.Save(t.Context(), "deep/"+name, want, within); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := cbkit.Save(t.Context(), "deep/"+name, want, within); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: saved over: %v", name, err)
		}
		if within.Force = true; cbkit.Save(t.Context(), "deep/"+name, want, within) != nil {
			t.Errorf("%s: not replaced", name)
		}
		src, err := cbkit.Open("deep/"+name, cbkit.Options{FS: memory})
		if err != nil {
			t.Fatal(err)
		}
		got, err := model.Load(t.Context(), src)
		if err != nil || len(got.List) != len(want.List) {
			t.Errorf("%s: %d records, %v", name, len(got.List), err)
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
	names, err := fs.ReadDir(memory, "deep")
	if err != nil {
		t.Fatal(err)
	}
	if on := namesIn(t, dir); len(on) != len(names) {
		t.Errorf("on the disk %v, in memory %v", on, names)
	}
	for _, e := range names {
		there, err := fs.ReadFile(memory, "deep/"+e.Name())
		here, failed := os.ReadFile(filepath.Join(dir, e.Name()))
		if err = errors.Join(err, failed); err != nil || !bytes.Equal(there, here) {
			t.Errorf("%s differs, %v", e.Name(), err)
		}
	}
	both, err := cbkit.OpenAll([]string{"deep/c.pgn", "deep/d.pgn.gz"}, cbkit.Options{FS: memory})
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	if all, err := model.Load(t.Context(), both); err != nil || len(all.List) != 2*len(want.List) {
		t.Errorf("two as one: %v", err)
	}
	packed, remove := packedClassics()
	defer remove()
	archived, err := cbkit.Open(filepath.Base(packed), cbkit.Options{FS: os.DirFS(filepath.Dir(packed))})
	if err != nil {
		t.Fatal(err)
	}
	if err := archived.Close(); err != nil {
		t.Error(err)
	}
	for name, wanted := range map[string]error{"none.cbh": fs.ErrNotExist, "none.pgn": fs.ErrNotExist, "none.parquet": fs.ErrNotExist} {
		if _, err := cbkit.Open(name, cbkit.Options{FS: memory}); !errors.Is(err, wanted) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
