package parquet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/fsys/crashfs"
	"cbkit/model"
)

// someGames is a database of so many games.
func someGames(n int) *model.Database {
	db := &model.Database{}
	for range n {
		g := model.NewGame()
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		db.AddGame(g)
	}
	return db
}

// run writes a part into the folder "out", with both tables.
func run(files fsys.FS, db *model.Database, part, parts int, force bool) error {
	w, err := createIn(files, "out", Options{
		Database: "db", Tables: []Table{Games, Positions}, Part: part, Parts: parts, Force: force, Jobs: 1,
	})
	if err != nil {
		return err
	}
	return model.Copy(context.Background(), w, db, model.CopyOptions{})
}

// content returns the complete files of a disk.
func content(disk *crashfs.FS) map[string]string {
	all := map[string]string{}
	for name, data := range disk.Files() {
		if strings.HasSuffix(name, ".parquet") {
			all[filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name)] = string(data)
		}
	}
	return all
}

func TestParts(t *testing.T) {
	disk := crashfs.New()
	for part := 1; part <= 3; part++ {
		if err := run(disk, someGames(part), part, 3, false); err != nil {
			t.Fatal(err)
		}
	}
	was := content(disk)
	if len(was) != 6 {
		t.Fatalf("%d files, want 6", len(was))
	}
	// A part that is run again replaces its own files and no others.
	if err := run(disk, someGames(10), 2, 3, false); err != nil {
		t.Fatal(err)
	}
	for name, is := range content(disk) {
		if own := strings.Contains(name, ".2-of-3."); own == (is == was[name]) {
			t.Errorf("%s: changed %v", name, own)
		}
	}
	if err := run(disk, someGames(1), 1, 2, true); err == nil || !strings.Contains(err.Error(), "would be there twice") {
		t.Errorf("a part of two beside parts of three: %v", err)
	}
}

func TestForce(t *testing.T) {
	disk := crashfs.New()
	if err := run(disk, someGames(1), 0, 0, false); err != nil {
		t.Fatal(err)
	}
	was := content(disk)
	if err := run(disk, someGames(2), 0, 0, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("without force: %v", err)
	}
	if err := run(disk, someGames(2), 0, 0, true); err != nil {
		t.Error(err)
	}
	if is := content(disk); len(is) != 2 || is["games/db.1-of-1.0001.parquet"] == was["games/db.1-of-1.0001.parquet"] {
		t.Error("with force the file is as it was")
	}
}

// TestOneWriterOfAPart begins several runs at once.
func TestOneWriterOfAPart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	first, err := Create(dir, Options{Database: "db", Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, Options{Database: "db", Force: true}); !errors.Is(err, model.ErrLocked) {
		t.Errorf("a second one: %v", err)
	}
	other, err := Create(dir, Options{Database: "other"})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*Writer{first, other} {
		if err := model.Copy(t.Context(), w, someGames(1), model.CopyOptions{}); err != nil {
			t.Error(err)
		}
	}
	again, err := Create(dir, Options{Database: "db", Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Abort(); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*cbkit*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestMeanwhile makes files that come into being while others of their names are
// written.
func TestMeanwhile(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir, Options{Database: "db"})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "games", "db.1-of-1.0001.parquet")
	if err := os.WriteFile(name, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := model.Copy(t.Context(), w, someGames(1), model.CopyOptions{}); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if b, err := os.ReadFile(name); err != nil || string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(name)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestCrashAtEveryCall stops the machine at every call of writing a part. Each
// file that has its name is the complete old one or the complete new one, and
// files of other parts are what they were.
func TestCrashAtEveryCall(t *testing.T) {
	before := func() *crashfs.FS {
		disk := crashfs.New()
		for part := 1; part <= 2; part++ {
			if err := run(disk, someGames(part), part, 2, false); err != nil {
				t.Fatal(err)
			}
		}
		return disk
	}
	was := content(before())
	whole := before()
	whole.Plan(nil)
	if err := run(whole, someGames(7), 1, 2, false); err != nil {
		t.Fatal(err)
	}
	is, calls := content(whole), whole.Calls()
	if calls < 10 {
		t.Fatalf("only %d calls", calls)
	}
	for n := range calls {
		for _, lost := range []bool{false, true} {
			disk := before()
			disk.CrashAt(n, lost)
			_ = run(disk, someGames(7), 1, 2, false)
			after := disk.Restart(func(pending int) int { return pending }, func(string) bool { return false })
			got := content(after)
			for name, data := range got {
				if data != was[name] && data != is[name] {
					t.Fatalf("crash at call %d: %s is neither the old nor the new file", n, name)
				}
			}
			for name, data := range was {
				if strings.Contains(name, ".2-of-2.") && got[name] != data {
					t.Fatalf("crash at call %d: %s of another part has changed", n, name)
				}
			}
		}
	}
}

// TestFailAtEveryCall lets every call fail once: the error is told, and no file
// that has its name is incomplete.
func TestFailAtEveryCall(t *testing.T) {
	whole := crashfs.New()
	whole.Plan(nil)
	if err := run(whole, someGames(3), 1, 2, false); err != nil {
		t.Fatal(err)
	}
	is := content(whole)
	for n := range whole.Calls() {
		disk := crashfs.New()
		disk.FailAt(n)
		err := run(disk, someGames(3), 1, 2, false)
		got := content(disk)
		if err == nil && len(got) != len(is) {
			t.Errorf("call %d failed: no error, and %d files", n, len(got))
		}
		for name, data := range got {
			if data != is[name] {
				t.Errorf("call %d failed: %s is incomplete", n, name)
			}
		}
	}
}

// TestManyFiles writes more row groups than a file has.
func TestManyFiles(t *testing.T) {
	disk := crashfs.New()
	w, err := createIn(disk, "out", Options{Database: "db", Jobs: 1, NoGame: true})
	if err != nil {
		t.Fatal(err)
	}
	w.tables[0].groupRows, w.tables[0].maxGroups = 1, 2
	if err := model.Copy(context.Background(), w, someGames(batchGames*5), model.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for name, data := range content(disk) {
		p, err := readFooter(bytes.NewReader([]byte(data)), int64(len(data)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		total += p.NumRows()
	}
	if n := len(content(disk)); n != 3 || total != batchGames*5 {
		t.Errorf("%d files with %d rows, want 3 with %d", n, total, batchGames*5)
	}
}

func TestFileNames(t *testing.T) {
	for database, want := range map[string]string{"Mega.2024": "Mega.2024", "": "games", "a/b:c": "a_b_c", "..x": "x"} {
		if got := fileName(database); got != want {
			t.Errorf("%q: %q, want %q", database, got, want)
		}
	}
	if fmt.Sprint(ownFile.FindStringSubmatch(".1-of-4.0001.parquet")[1:]) != "[1 4]" {
		t.Error("a name is not known again")
	}
}
