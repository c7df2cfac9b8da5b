package write

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cbkit/internal/booster"
	"cbkit/internal/posindex"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
	"cbkit/read"
)

// replaceOn replaces the database on a disk by one with the given player.
func replaceOn(disk *crashfs.FS, player string) error { return replaceWith(disk, player, nil) }

func replaceWith(disk *crashfs.FS, player string, boosters *BoosterOptions) error {
	sink, err := Create(context.Background(), "db.cbh", Options{
		Force: true, files: disk, Boosters: boosters,
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
func copyOn(t *testing.T, player string) func(*crashfs.FS, *BoosterOptions) error {
	t.Helper()
	disk := crashfs.New()
	if err := replaceOn(disk, player); err != nil {
		t.Fatal(err)
	}
	dir := gen.Folder(t)
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
	return func(disk *crashfs.FS, boosters *BoosterOptions) error {
		sink, err := CreateCopy(context.Background(), "db.cbh", src.(*read.ChessBase), Options{Force: true, Boosters: boosters, files: disk})
		if err != nil {
			return err
		}
		return model.Copy(context.Background(), sink, src, model.CopyOptions{})
	}
}

// replacers are the ways to replace a database by one that has a new player.
func replacers(t *testing.T) map[string]func(*crashfs.FS) error {
	copied := copyOn(t, "new")
	return map[string]func(*crashfs.FS) error{
		"created": func(disk *crashfs.FS) error { return replaceOn(disk, "new") },
		"copied":  func(disk *crashfs.FS) error { return copied(disk, nil) },
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

// A database and its search boosters are one commit: after a crash at any call, and
// recovery, the old one is there with its own or the new one with its own, and after a
// failure the old one with its own.
func TestBoostersAreOneCommit(t *testing.T) {
	both := func() *BoosterOptions { return &BoosterOptions{Jobs: 1, Files: BoosterExts(), Positions: 6} }
	before := crashfs.New()
	if err := replaceWith(before, "old", both()); err != nil {
		t.Fatal(err)
	}
	neighbours.On(before, "db.cbh")
	copied := copyOn(t, "new")
	for name, change := range map[string]func(*crashfs.FS) error{
		"created": func(disk *crashfs.FS) error { return replaceWith(disk, "new", both()) },
		"copied":  func(disk *crashfs.FS) error { return copied(disk, both()) },
	} {
		after := before.Clone()
		if err := change(after); err != nil {
			t.Fatal(err)
		}
		for _, ext := range append(BoosterExts(), booster.SealExt, posindex.Ext) {
			if files := after.Files(); files["db"+ext] == nil || bytes.Equal(files["db.cbp"], before.Files()["db.cbp"]) {
				t.Fatalf("%s: no db%s, or the old database: %q", name, ext, after.Names())
			}
		}
		trial := crashfs.Trial{
			Before: before, Change: change, Seed: 7, Step: crashfs.Of(40, 12, 1),
			Next: func(disk *crashfs.FS) error {
				_, err := recoverSet(disk, "db", model.RecoverOptions{})
				return err
			},
		}
		report := func(format string, args ...any) { t.Errorf(name+": "+format, args...) }
		all := trial.Crash(report)
		t.Logf("%s: %d points: %d gave the old database, %d the new one", name, all.Points, all.Old, all.New)
		if all.Old == 0 || all.New == 0 {
			t.Error("too few points")
		}
		trial.Fail(model.IsDone, report)
	}
}

// Where a recovery has put everything right, and only the disk does not say that it will
// keep it, the error says that, and there is nothing left to recover.
func TestRecoverUncertain(t *testing.T) {
	for name, c := range map[string]struct {
		before *crashfs.FS
		change func(*crashfs.FS) error
	}{
		"boosters": {newDisk(), func(disk *crashfs.FS) error { return placeOn(disk, "new", ".cbgi") }},
		"database": {diskWith(t, "old"), func(disk *crashfs.FS) error { return replaceOn(disk, "new") }},
	} {
		counted := c.before.Clone()
		counted.Plan(nil)
		if err := c.change(counted); err != nil {
			t.Fatal(err)
		}
		uncertain := 0
		for n := 0; n < counted.Calls() && uncertain == 0; n++ {
			crashed := c.before.Clone()
			crashed.CrashAt(n, true)
			_ = c.change(crashed)
			crashed = crashed.Restart(func(pending int) int { return pending }, func(string) bool { return true })
			whole := crashed.Clone()
			whole.Plan(nil)
			if r, err := recoverSet(whole, "db", model.RecoverOptions{}); err != nil || r.Outcome == model.RecoveryNothing {
				continue
			}
			for k := range whole.Calls() {
				disk := crashed.Clone()
				disk.FailAt(k)
				_, err := recoverSet(disk, "db", model.RecoverOptions{})
				if !errors.Is(err, model.ErrUncertain) {
					continue
				}
				uncertain++
				disk.Plan(nil)
				if r, err := recoverSet(disk, "db", model.RecoverOptions{}); err != nil || r.Outcome != model.RecoveryNothing {
					t.Errorf("%s, call %d, then %d: there is still %v to do, %v", name, n, k, r.Outcome, err)
				}
				if !crashfs.Same(disk.Files(), c.before.Files()) {
					t.Errorf("%s, call %d, then %d: %v", name, n, k, crashfs.Differing(disk.Files(), c.before.Files(), nil))
				}
			}
		}
		if uncertain == 0 {
			t.Errorf("%s: no failure was told as one of keeping", name)
		}
	}
}

// After a crash at any call, and recovery, the disk has the complete old
// database or the complete new one.
func TestCrashAtEveryCall(t *testing.T) {
	for name, replace := range replacers(t) {
		t.Run(name, func(t *testing.T) { crashAtEveryCall(t, replace) })
	}
}

func crashAtEveryCall(t *testing.T, replace func(*crashfs.FS) error) {
	old := diskWith(t, "old")
	before, after := old.Files(), diskWith(t, "new").Files()
	counted := old.Clone()
	counted.Plan(nil)
	if err := replace(counted); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for n := range crashfs.Tried(counted.Calls(), 17, 1) {
		for _, lost := range []bool{false, true} {
			disk := old.Clone()
			disk.CrashAt(n, lost)
			if err := replace(disk); err == nil && n < counted.Calls()-1 {
				t.Fatalf("call %d: the crash went unnoticed", n)
			}
			disk = disk.Restart(nil, nil)
			if _, err := recoverSet(disk, "db", model.RecoverOptions{}); err != nil {
				t.Fatalf("call %d: Recover: %v", n, err)
			}
			switch {
			case disk.Is(before):
				seen["old"]++
			case disk.Is(after):
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
	old := diskWith(t, "old")
	before, counted := old.Files(), old.Clone()
	counted.Plan(nil)
	if err := replace(counted); err != nil {
		t.Fatal(err)
	}
	for n := range crashfs.Tried(counted.Calls(), 17, 1) {
		disk := old.Clone()
		disk.FailAt(n)
		err := replace(disk)
		if model.IsDone(err) {
			continue // the call did not matter, or only cleaning up failed
		}
		disk.Plan(nil)
		if _, err := recoverSet(disk, "db", model.RecoverOptions{}); err != nil {
			t.Fatalf("call %d: Recover: %v", n, err)
		}
		if !disk.Is(before) {
			t.Errorf("call %d: after %v the disk has %q", n, err, disk.Names())
		}
	}
}
