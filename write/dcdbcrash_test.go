package write

import (
	"context"
	"testing"

	"cbkit/internal/atomicset"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
)

// replaceSimpleOn replaces the Simple Chess Database on a disk by one with the
// given player.
func replaceSimpleOn(disk *crashfs.FS, player string) error {
	sink, err := CreateSimple(context.Background(), "db.dci", Options{Force: true, files: disk})
	if err != nil {
		return err
	}
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.White = db.Tables.Players.Intern(model.Player{LastName: player})
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	db.AddGame(g)
	return model.Copy(context.Background(), sink, db, model.CopyOptions{})
}

// simpleDiskWith returns a disk with a database, and its files.
func simpleDiskWith(t *testing.T, player string) (*crashfs.FS, map[string][]byte) {
	t.Helper()
	disk := crashfs.New()
	if err := replaceSimpleOn(disk, player); err != nil {
		t.Fatal(err)
	}
	neighbours.On(disk, "db.dci")
	disk = disk.Restart(nil, nil)
	return disk, disk.Files()
}

// After a crash or a failure at any call, and recovery, the disk has the
// complete old database or the complete new one.
func TestSimpleCrashAtEveryCall(t *testing.T) {
	old, before := simpleDiskWith(t, "old")
	counted := old.Clone()
	_, after := simpleDiskWith(t, "new")
	counted.Plan(nil)
	if err := replaceSimpleOn(counted, "new"); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for n := range crashfs.Tried(counted.Calls(), 7, 1) {
		for name, plan := range map[string]func(*crashfs.FS){
			"crash":           func(d *crashfs.FS) { d.CrashAt(n, false) },
			"crash with loss": func(d *crashfs.FS) { d.CrashAt(n, true) },
			"failure":         func(d *crashfs.FS) { d.FailAt(n) },
		} {
			disk := old.Clone()
			plan(disk)
			_ = replaceSimpleOn(disk, "new")
			disk = disk.Restart(nil, nil)
			if _, err := atomicset.Recover(disk, "db.dci", atomicset.Options{Extensions: simpleExtensions}); err != nil {
				t.Fatalf("%s at call %d: Recover: %v", name, n, err)
			}
			switch {
			case disk.Is(before):
				seen["old"]++
			case disk.Is(after):
				seen["new"]++
			default:
				t.Errorf("%s at call %d: neither the old nor the new database: %q", name, n, disk.Names())
			}
		}
	}
	if seen["old"] == 0 || seen["new"] == 0 {
		t.Errorf("crashes led to %v; both outcomes were expected", seen)
	}
}
