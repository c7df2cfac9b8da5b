package house

import (
	"context"
	"errors"
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
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"
)

// A program that opens and saves databases carries few packages of other modules:
// Parquet comes with its import alone, and without it the error names the line.
func TestFrontDoorIsLight(t *testing.T) {
	out := must.Get(exec.Command("go", "list", "-deps", root).Output())(t)
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
	must.Do(t, os.WriteFile(program, []byte(code), 0o666))
	out, err := exec.Command("go", "run", program).CombinedOutput()
	if err != nil || strings.Count(string(out), `import _ "cbkit/parquet"`) != 2 {
		t.Errorf("%s%v", out, err)
	}
	if _, err := os.Stat("x.parquet"); err == nil {
		t.Error("something was made of what is refused")
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
		must.Do(t, cbkit.Save(t.Context(), path, manyGames(50), sealed))
		edit := func(to string) {
			ed := must.Get(write.Edit(context.Background(), path, write.EditOptions{Now: now}))(t)
			defer ed.Close()
			id := must.Get(ed.Players().Find(model.Player{LastName: "Somebody"}))(t)
			must.Do(t, ed.Players().Change(id, model.Player{LastName: to}))
			must.Do(t, ed.Commit())
		}
		somebody, err1 := search.Term("player", "Somebody")
		lost, err2 := search.Term("result", "0-1")
		must.Do(t, err1, err2)
		replaced := manyGames(50)
		for _, rec := range replaced.List {
			rec.Game.Result = model.BlackWins
		}
		for what, change := range map[string]func(){
			"edit": func() { edit("Anyone x") },
			"replace": func() {
				must.Do(t, cbkit.Save(t.Context(), path, replaced, sealed))
			},
		} {
			must.Do(t, cbkit.Save(t.Context(), path, manyGames(50), sealed))
			db := must.Get(read.Open(path, read.Options{}))(t)
			defer db.Close()
			before := must.Get(search.Open(path, search.Options{}))(t)
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
			if _, err := before.Find(t.Context(), somebody); !errors.Is(err, model.ErrChanged) {
				t.Errorf("%d: %s: an open search goes on: %v", year, what, err)
			}
			after := must.Get(search.Open(path, search.Options{}))(t)
			defer after.Close()
			found, err := after.Find(t.Context(), somebody)
			if want := map[string]int{"replace": 50}[what]; err != nil || len(found.IDs) != want {
				t.Errorf("%d: %s: %d of the old name, %v", year, what, len(found.IDs), err)
			}
			found, err = after.Find(t.Context(), lost)
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
		info := must.Get(os.Stat(filepath.Join(dir, name)))(t)
		sizes[name] = info.Size()
	}
	return sizes
}
