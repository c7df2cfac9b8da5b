package atomicset_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/atomicset"
	"cbkit/internal/testkit/crashfs"
	"cbkit/model"

	"github.com/google/go-cmp/cmp"
)

// calls returns how many calls writing the new set over the old files takes.
func calls(t *testing.T, old map[string][]byte, force bool) int {
	disk := diskWith(old)
	disk.Plan(nil)
	if err := writeNew(disk, force); err != nil {
		t.Fatal(err)
	}
	return disk.Calls()
}

// situations are what may be at the target before the new set is written.
func situations() map[string]map[string][]byte {
	partly := oldFiles()
	delete(partly, "b.CTG")
	furnished := oldFiles()
	furnished["b.media/old/2.bmp"] = []byte("old picture")
	return map[string]map[string][]byte{
		"fresh": {"b.ini": []byte("settings")}, "old set": oldFiles(), "old set without main": partly, "old set with media": furnished,
	}
}

// afterCrashes calls check with every state of the disk that a crash at call
// n can leave behind: with and without the effect of that call, with all,
// some and none of what was not synced.
func afterCrashes(old map[string][]byte, n int, run func(*crashfs.FS), check func(string, *crashfs.FS)) {
	keeps := map[string]func(int) int{
		"all names":  func(pending int) int { return pending },
		"half":       func(pending int) int { return pending / 2 },
		"some names": func(pending int) int { return rand.IntN(pending + 1) },
		"no names":   func(int) int { return 0 },
	}
	for keepName, keep := range keeps {
		for _, content := range []bool{false, true} {
			for _, lost := range []bool{false, true} {
				disk := diskWith(old)
				disk.CrashAt(n, lost)
				run(disk)
				after := disk.Restart(keep, func(string) bool { return content })
				check(fmt.Sprintf("call %d, %s, unsynced content %v, lost %v", n, keepName, content, lost), after)
			}
		}
	}
}

// completeSet reports whether the disk shows a complete set under the rule of
// the package: the main file in place, or one in a folder whose name says so.
func completeSet(disk *crashfs.FS, old map[string][]byte) error {
	files := disk.Files()
	has := func(folder string, set map[string][]byte) bool {
		for name, data := range set {
			if !slices.Contains(bystanders, name) && string(files[folder+name]) != string(data) {
				return false
			}
		}
		return true
	}
	isNew := string(files["b.ctg"]) == "new main"
	isOld := string(files["b.CTG"]) == "old main"
	switch {
	case isNew && !has("", newFiles()):
		return errors.New("the new main file without the rest of its set")
	case isOld && !has("", old):
		return errors.New("the old main file without the rest of its set")
	case isNew && (isOld || files["b.ctb"] != nil):
		return errors.New("the new set with old files")
	case isOld || isNew:
		return nil
	case old["b.CTG"] == nil: // there was no complete old set
		return nil
	case !has("b.ctg.cbkit-complete/", newFiles()) && !has("b.ctg.cbkit-backup/", old):
		return errors.New("no complete set anywhere")
	}
	return nil
}

// TestCrashAtEveryCall stops the machine at every call of writing a set. A
// complete set must be there, and Recover must bring one in place: the old
// one or the new one, and nothing else.
func TestCrashAtEveryCall(t *testing.T) {
	for name, old := range situations() {
		total := calls(t, old, true)
		outcomes := map[bool]int{}
		for n := range crashfs.Tried(total, 17, 3) {
			afterCrashes(old, n, func(d *crashfs.FS) { _ = writeNew(d, true) }, func(where string, disk *crashfs.FS) {
				if err := completeSet(disk, old); err != nil {
					t.Errorf("%s, %s: %v; disk: %v", name, where, err, disk.Names())
				}
				said, err := atomicset.Recover(disk, "b.ctg", options(false))
				if err != nil {
					t.Errorf("%s, %s: recovering: %v", name, where, err)
				}
				replaced := checkOutcome(t, name+", "+where, disk, old)
				if said.Outcome != model.RecoveryNothing && replaced != (said.Outcome == model.RecoveryCompleted) {
					t.Errorf("%s, %s: replaced %t, but Recover says: %v", name, where, replaced, said.Outcome)
				}
				outcomes[replaced]++
			})
		}
		if outcomes[false] == 0 || outcomes[true] == 0 {
			t.Errorf("%s: %d crashes gave the old set, %d the new one; expected some of each", name, outcomes[false], outcomes[true])
		}
	}
}

// checkOutcome checks that the disk holds exactly the old or the new state,
// and reports which.
func checkOutcome(t *testing.T, where string, disk *crashfs.FS, old map[string][]byte) (replaced bool) {
	t.Helper()
	files := ownFiles(t, disk)
	replaced = files["b.ctg"] != nil
	if want := wanted(old, replaced); !crashfs.Same(want, files) {
		t.Errorf("%s: %s", where, cmp.Diff(want, files))
	}
	for _, n := range ownNames(disk) {
		if strings.Contains(strings.ReplaceAll(n, keptFolder, ""), "cbkit") {
			t.Errorf("%s: %s is left", where, n)
		}
	}
	return replaced
}

// TestCrashWhileRecovering stops the machine a second time, at every call of
// the recovery from every crash, or at some.
func TestCrashWhileRecovering(t *testing.T) {
	old := oldFiles()
	for n := range crashfs.Tried(calls(t, old, true), 3, 1) {
		crashed := func() *crashfs.FS {
			disk := diskWith(old)
			disk.CrashAt(n, false)
			_ = writeNew(disk, true)
			return disk.Restart(func(pending int) int { return pending }, nil)
		}
		disk := crashed()
		disk.Plan(nil)
		if _, err := atomicset.Recover(disk, "b.ctg", options(false)); err != nil {
			t.Fatal(err)
		}
		for second := range disk.Calls() {
			if step := int(crashfs.Of(31, 5, 1)); (n+second)%step != 0 {
				continue
			}
			for _, lost := range []bool{false, true} {
				disk := crashed()
				disk.CrashAt(second, lost)
				_, _ = atomicset.Recover(disk, "b.ctg", options(false))
				disk = disk.Restart(func(pending int) int { return rand.IntN(pending + 1) }, nil)
				where := fmt.Sprintf("call %d, then call %d of the recovery, lost %v", n, second, lost)
				if err := completeSet(disk, old); err != nil {
					t.Errorf("%s: %v; disk: %v", where, err, disk.Names())
				}
				if _, err := atomicset.Recover(disk, "b.ctg", options(false)); err != nil {
					t.Errorf("%s: %v", where, err)
				}
				checkOutcome(t, where, disk, old)
			}
		}
	}
}

// TestFailureAtEveryCall lets every call fail once, with and without its
// effect, while the program lives on: it must then say so and have changed
// nothing, or have finished.
func TestFailureAtEveryCall(t *testing.T) {
	for name, old := range situations() {
		for n := range crashfs.Tried(calls(t, old, true), 5, 1) {
			for _, fate := range []crashfs.Fate{crashfs.Fail, crashfs.Cut} {
				disk := diskWith(old)
				disk.Plan(func(call int) crashfs.Fate {
					if call == n {
						return fate
					}
					return crashfs.Succeed
				})
				err := writeNew(disk, true)
				where := fmt.Sprintf("%s, call %d, fate %d", name, n, fate)
				if err == nil {
					t.Errorf("%s: no error", where)
				}
				if fate == crashfs.Cut || model.IsDone(err) {
					// What a call did although it failed may be left lying
					// about; it must be recoverable.
					if _, err := atomicset.Recover(disk, "b.ctg", options(false)); err != nil {
						t.Errorf("%s: recovering: %v", where, err)
					}
					checkOutcome(t, where, disk, old)
					continue
				}
				if checkOutcome(t, where, disk, old) {
					t.Errorf("%s: error %v, but the set was replaced", where, err)
				}
			}
		}
	}
}

// TestDiskThatStaysBroken: every call from one on fails; nothing can be undone
// then, but a later recovery gives one of the two sets.
func TestDiskThatStaysBroken(t *testing.T) {
	old := oldFiles()
	for n := range calls(t, old, true) {
		disk := diskWith(old)
		disk.CrashAt(n, true)
		err := writeNew(disk, true)
		if !errors.Is(err, crashfs.ErrInjected) {
			t.Errorf("call %d: error %v", n, err)
		}
		left := slices.ContainsFunc(ownNames(disk), func(name string) bool { return strings.Contains(name, "cbkit-") })
		if left && !errors.Is(err, model.ErrNeedsRecovery) && !model.IsDone(err) || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("call %d: with %v the error is %v", n, disk.Names(), err)
		}
		disk.Plan(nil)
		if _, err := atomicset.Recover(disk, "b.ctg", options(false)); err != nil {
			t.Errorf("call %d: %v", n, err)
		}
		checkOutcome(t, fmt.Sprint("call ", n), disk, old)
	}
}

// The harness must notice a writer that does not take care.
func TestHarnessSeesCarelessness(t *testing.T) {
	old := oldFiles()
	careless := func(disk *crashfs.FS) {
		for _, name := range slices.Sorted(maps.Keys(old)) {
			if !slices.Contains(bystanders, name) {
				_ = disk.Remove(name)
			}
		}
		files := newFiles()
		_ = disk.Mkdir("b.media", 0o777)
		_ = disk.Mkdir("b.media/x", 0o777)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			disk.WriteFile(name, files[name])
		}
	}
	seen := 0
	for n := range 6 {
		afterCrashes(old, n, careless, func(_ string, disk *crashfs.FS) {
			if completeSet(disk, old) != nil {
				seen++
			}
		})
	}
	if seen == 0 {
		t.Error("deleting the old set before writing the new one was not noticed")
	}
}
