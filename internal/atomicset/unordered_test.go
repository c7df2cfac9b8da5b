package atomicset_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"cbkit/internal/atomicset"
	"cbkit/internal/testkit/crashfs"
)

// unordered calls check with what a crash can leave where changes of names
// reach the disk in any order: all but one of those that were not synced, one
// of them alone, and some at random.
func unordered(disk *crashfs.FS, check func(what string, after *crashfs.FS)) {
	for i := range disk.Pending() {
		check(fmt.Sprintf("all but change %d", i), disk.RestartUnordered(func(change int) bool { return change != i }, nil))
		check(fmt.Sprintf("change %d alone", i), disk.RestartUnordered(func(change int) bool { return change == i }, nil))
	}
	for range 4 {
		check("some changes", disk.RestartUnordered(func(int) bool { return rand.IntN(2) == 0 }, nil))
	}
}

// TestCrashWithoutOrder stops the machine at every call of writing a set, on a
// file system that keeps no order but that of syncs, each of which is of one folder
// alone. A complete set must be there, and Recover must bring one in place. Each sync
// between two steps of a replacement is needed here.
func TestCrashWithoutOrder(t *testing.T) {
	for name, old := range situations() {
		for n := range crashfs.Tried(calls(t, old, true), 11, 1) {
			disk := diskWith(old)
			disk.FoldersApart()
			disk.CrashAt(n, false)
			_ = writeNew(disk, true)
			unordered(disk, func(what string, after *crashfs.FS) {
				where := fmt.Sprintf("%s, call %d, %s", name, n, what)
				if err := completeSet(after, old); err != nil {
					t.Errorf("%s: %v; disk: %v", where, err, after.Names())
				}
				if _, err := atomicset.Recover(after, "b.ctg", options(false)); err != nil {
					t.Errorf("%s: recovering: %v", where, err)
				}
				checkOutcome(t, where, after, old)
			})
		}
	}
}

// TestAbortWithoutOrder stops the machine at every call of undoing a set, on a file
// system that keeps no order but that of syncs: Recover must know what is left as ours.
func TestAbortWithoutOrder(t *testing.T) {
	undo := func(disk *crashfs.FS, plan func()) error {
		set, err := atomicset.New(disk, "b.ctg", options(true))
		if err == nil {
			err = fill(set)
		}
		if err != nil {
			t.Fatal(err)
		}
		plan()
		return set.Abort()
	}
	for name, old := range situations() {
		disk := diskWith(old)
		if err := undo(disk, func() { disk.Plan(nil) }); err != nil {
			t.Fatal(err)
		}
		for n := range disk.Calls() {
			disk := diskWith(old)
			disk.FoldersApart()
			_ = undo(disk, func() { disk.CrashAt(n, false) })
			unordered(disk, func(what string, after *crashfs.FS) {
				where := fmt.Sprintf("%s, call %d, %s", name, n, what)
				if _, err := atomicset.Recover(after, "b.ctg", options(false)); err != nil {
					t.Errorf("%s: recovering: %v", where, err)
				}
				if checkOutcome(t, where, after, old) {
					t.Errorf("%s: the new set is there", where)
				}
			})
		}
	}
}

// TestKilled kills the process at every call of writing a set, whose changes of names nobody has
// synced then, and cuts the power at some call of the recovery.
func TestKilled(t *testing.T) {
	for name, old := range situations() {
		for n := range crashfs.Tried(calls(t, old, true), 31, 13) {
			disk := diskWith(old)
			disk.FoldersApart()
			disk.CrashAt(n, false)
			_ = writeNew(disk, true)
			disk = disk.Kill()
			whole := disk.Clone()
			_, _ = atomicset.Recover(whole, "b.ctg", options(false))
			for second := range whole.Calls() {
				disk := disk.Clone()
				disk.CrashAt(second, false)
				_, _ = atomicset.Recover(disk, "b.ctg", options(false))
				after := disk.RestartUnordered(func(int) bool { return rand.IntN(2) == 0 }, nil)
				where := fmt.Sprintf("%s, killed at call %d, power cut at call %d of the recovery", name, n, second)
				if err := completeSet(after, old); err != nil {
					t.Errorf("%s: %v; disk: %v", where, err, after.Names())
				}
				if _, err := atomicset.Recover(after, "b.ctg", options(false)); err != nil {
					t.Errorf("%s: recovering: %v", where, err)
				}
				checkOutcome(t, where, after, old)
			}
		}
	}
}
