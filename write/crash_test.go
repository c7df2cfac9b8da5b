package write

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cbkit/internal/fsys/crashfs"
	"cbkit/internal/neighbours"
	"cbkit/model"
	"cbkit/read"
)

// replaceOn replaces the database on a disk by one with the given player.
func replaceOn(disk *crashfs.FS, player string) error {
	sink, err := Create("db.cbh", Options{
		Force: true, files: disk,
		Now: func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) },
	})
	if err != nil {
		return err
	}
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.White = db.Tables.Players.Intern(model.Player{LastName: player})
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Annotate(0, model.Text{Text: player})
	db.AddGame(g)
	return model.Copy(context.Background(), sink, db, model.CopyOptions{})
}

// copyOn returns what replaces the database on a disk by a copy of one that has
// the given player.
func copyOn(t *testing.T, player string) func(*crashfs.FS) error {
	t.Helper()
	disk := crashfs.New()
	if err := replaceOn(disk, player); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range disk.Files() {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := read.Open(filepath.Join(dir, "db.cbh"), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return func(disk *crashfs.FS) error {
		sink, err := CreateCopy("db.cbh", src.(*read.ChessBase), CopyOptions{Force: true, files: disk})
		if err != nil {
			return err
		}
		return model.Copy(context.Background(), sink, src, model.CopyOptions{})
	}
}

// replacers are the ways to replace a database by one that has a new player.
func replacers(t *testing.T) map[string]func(*crashfs.FS) error {
	return map[string]func(*crashfs.FS) error{
		"created": func(disk *crashfs.FS) error { return replaceOn(disk, "new") }, "copied": copyOn(t, "new"),
	}
}

// diskWith returns a disk with a database.
func diskWith(t *testing.T, player string) *crashfs.FS {
	t.Helper()
	disk := crashfs.New()
	if err := replaceOn(disk, player); err != nil {
		t.Fatal(err)
	}
	neighbours.On(disk, "db.cbh")
	return disk.Restart(nil, nil)
}

// After a crash at any call, and recovery, the disk has the complete old
// database or the complete new one.
func TestCrashAtEveryCall(t *testing.T) {
	for name, replace := range replacers(t) {
		t.Run(name, func(t *testing.T) { crashAtEveryCall(t, replace) })
	}
}

func crashAtEveryCall(t *testing.T, replace func(*crashfs.FS) error) {
	before := diskWith(t, "old").Files()
	after := diskWith(t, "new").Files()
	counted := diskWith(t, "old")
	counted.Plan(nil)
	if err := replace(counted); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for n := range counted.Calls() {
		for _, lost := range []bool{false, true} {
			disk := diskWith(t, "old")
			disk.CrashAt(n, lost)
			if err := replace(disk); err == nil && n < counted.Calls()-1 {
				t.Fatalf("call %d: the crash went unnoticed", n)
			}
			disk = disk.Restart(nil, nil)
			if _, err := recoverSet(disk, "db", RecoverOptions{}); err != nil {
				t.Fatalf("call %d: Recover: %v", n, err)
			}
			switch files := disk.Files(); {
			case maps.EqualFunc(files, before, bytes.Equal):
				seen["old"]++
			case maps.EqualFunc(files, after, bytes.Equal):
				seen["new"]++
			default:
				t.Errorf("call %d (lost %v): neither the old nor the new database: %q", n, lost, disk.Names())
			}
		}
	}
	if seen["old"] == 0 || seen["new"] == 0 {
		t.Errorf("crashes led to %v; both outcomes were expected", seen)
	}
}

// After a failure of any call there is an error, and the database that was
// there is there still, unless the new one is complete.
func TestFailureAtEveryCall(t *testing.T) {
	for name, replace := range replacers(t) {
		t.Run(name, func(t *testing.T) { failureAtEveryCall(t, replace) })
	}
}

func failureAtEveryCall(t *testing.T, replace func(*crashfs.FS) error) {
	before := diskWith(t, "old").Files()
	counted := diskWith(t, "old")
	counted.Plan(nil)
	if err := replace(counted); err != nil {
		t.Fatal(err)
	}
	for n := range counted.Calls() {
		disk := diskWith(t, "old")
		disk.FailAt(n)
		err := replace(disk)
		if model.IsDone(err) {
			continue // the call did not matter, or only cleaning up failed
		}
		disk.Plan(nil)
		if _, err := recoverSet(disk, "db", RecoverOptions{}); err != nil {
			t.Fatalf("call %d: Recover: %v", n, err)
		}
		if !maps.EqualFunc(disk.Files(), before, bytes.Equal) {
			t.Errorf("call %d: after %v the disk has %q", n, err, disk.Names())
		}
	}
}
