package parquet

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// A file that has the name of a manifest that is being written, by a second link, is not
// written to.
func TestPlacingTouchesNothingForeign(t *testing.T) {
	dir := gen.Folder(t)
	f := &folder{files: fsys.OS{}, path: dir, opt: &Options{Part: 1, Parts: 1}, name: "db"}
	precious := filepath.Join(dir, "precious")
	must.Do(t, os.WriteFile(precious, []byte("mine"), 0o600))
	must.Do(t, os.Link(precious, filepath.Join(dir, fmt.Sprintf(".%s.%d.cbkit-writing", f.part(), os.Getpid()))))
	if _, _, err := f.writeManifest(); !errors.Is(err, os.ErrExist) {
		t.Errorf("written: %v", err)
	}
	if b, err := os.ReadFile(precious); string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
}

// whole reports whether the manifest of part 1 of 2 is there, and names files that are
// there as it says.
func whole(disk *crashfs.FS) bool {
	_, there := disk.Files()["out/_manifest.db.1-of-2.jsonl"]
	return there
}

// some reports whether all files of a part are among those of a state.
func some(got, state map[string]string) bool {
	for name, data := range got {
		if state[name] != data {
			return false
		}
	}
	return true
}

// afterStop judges a disk on which a run was stopped: files of two runs are never there
// together, a part of which some are missing is refused, and the next run, if it is tried,
// leaves its own files and nothing else.
func afterStop(t *testing.T, disk *crashfs.FS, old, fresh map[string]string, again bool, where string) {
	t.Helper()
	got, complete := content(disk), whole(disk)
	switch isOld, isFresh := maps.Equal(got, old), maps.Equal(got, fresh); {
	case !some(got, old) && !some(got, fresh):
		t.Errorf("%s: files of two runs: %v", where, disk.Names())
	case complete && !isOld && !isFresh:
		t.Errorf("%s: a manifest and not its files: %v", where, disk.Names())
	case complete || isOld:
	case len(got) > 0:
		if err := checkPlaced(fsys.FromFS(disk), "out/games/db.1-of-2.0001.parquet"); !errors.Is(err, model.ErrNeedsRecovery) {
			t.Errorf("%s: a part that is not complete is read: %v, %v", where, err, disk.Names())
		}
	}
	if !again {
		return
	}
	disk = disk.Clone()
	if err := run(disk, someGames(3), 1, 2, false); err != nil {
		t.Errorf("%s: the next run: %v", where, err)
	}
	if got := content(disk); !maps.Equal(got, fresh) || !whole(disk) {
		t.Errorf("%s: after the next run: %v", where, disk.Names())
	}
	for name := range own(disk) {
		if strings.Contains(name, "cbkit-") {
			t.Errorf("%s: after the next run %s is left", where, name)
		}
	}
}

// A run is stopped at every call, by the power or by a kill after which the power is cut,
// and it meets an error at every call.
func TestStoppedAtEveryCall(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, before := range []int{0, 2} {
		disk := crashfs.New()
		disk.FoldersApart()
		if before > 0 {
			must.Do(t, run(disk, someGames(before), 1, 2, false))
		}
		done := disk.Clone()
		done.Plan(nil)
		must.Do(t, run(done, someGames(3), 1, 2, false))
		old, fresh, gone := content(disk), content(done), 0
		for n := range crashfs.Tried(done.Calls(), 4, 1) {
			cut := disk.Clone()
			cut.CrashAt(n, n%2 == 1)
			_ = run(cut, someGames(3), 1, 2, false)
			for what, after := range cut.Restarts(r) {
				afterStop(t, after, old, fresh, what == "scattered with names", fmt.Sprintf("%d games before, cut at call %d, %s", before, n, what))
			}
			for range 8 {
				after := cut.RestartUnordered(func(int) bool { return r.IntN(2) == 0 }, nil)
				afterStop(t, after, old, fresh, false, fmt.Sprintf("%d games before, cut at call %d, names in any order", before, n))
			}
			killed := cut.Kill()
			afterStop(t, killed, old, fresh, false, fmt.Sprintf("%d games before, killed at call %d", before, n))
			if before > 0 && len(content(killed)) == 0 {
				gone++
			}
			// The next run of a killed one is cut, too.
			killed.CrashAt(r.IntN(done.Calls()), false)
			_ = run(killed, someGames(3), 1, 2, false)
			afterStop(t, killed.RestartUnordered(func(int) bool { return r.IntN(2) == 0 }, nil), old, fresh, true,
				fmt.Sprintf("%d games before, killed at call %d and cut in the next run", before, n))
			for _, fails := range []func(*crashfs.FS, int){(*crashfs.FS).FailAt, (*crashfs.FS).CutAt} {
				failing := disk.Clone()
				fails(failing, n)
				err := run(failing, someGames(3), 1, 2, false)
				failing.Plan(nil)
				got, where := content(failing), fmt.Sprintf("%d games before, call %d fails with %v", before, n, err)
				switch {
				case err == nil || errors.Is(err, model.ErrCommitted) || errors.Is(err, model.ErrUncertain):
					if !maps.Equal(got, fresh) || !whole(failing) {
						t.Errorf("%s: %v", where, failing.Names())
					}
				case !maps.Equal(got, old) && !maps.Equal(got, fresh) && !strings.Contains(err.Error(), "write them again"):
					t.Errorf("%s, and files are gone: %v", where, failing.Names())
				}
				afterStop(t, failing, old, fresh, n%4 == 0, where)
				for range 8 { // what was said to be done lasts
					after := failing.RestartUnordered(func(int) bool { return r.IntN(2) == 0 }, nil)
					if (err == nil || errors.Is(err, model.ErrCommitted)) && (!maps.Equal(content(after), fresh) || !whole(after)) {
						t.Errorf("%s, and the power is cut: %v", where, after.Names())
						break
					}
				}
				// So is the next run of one that failed, which meets an error first.
				for range 4 {
					again := failing.Clone()
					fails(again, r.IntN(done.Calls()))
					_ = run(again, someGames(3), 1, 2, false)
					afterStop(t, again.RestartUnordered(func(int) bool { return r.IntN(2) == 0 }, nil), old, fresh, false, where+", and so does the next run, which is cut")
				}
			}
		}
		if before > 0 && gone == 0 {
			t.Error("no kill met the files between two runs")
		}
	}
}
