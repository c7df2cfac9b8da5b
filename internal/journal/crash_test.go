package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// restarts are what a crash can make of a disk: everything written is there,
// nothing that was not synced is, or anything in between.
func restarts(r *rand.Rand, disk *crashfs.FS) map[string]*crashfs.FS {
	all := func(n int) int { return n }
	yes := func(string) bool { return true }
	after := map[string]*crashfs.FS{
		"everything written": disk.Restart(all, yes),
		"nothing unsynced":   disk.Restart(nil, nil),
		"names only":         disk.Restart(all, nil),
		"contents only":      disk.Restart(nil, yes),
	}
	for i := range 3 {
		after[fmt.Sprint("scattered ", i)] = disk.RestartScattered(r.IntN, true)
		after[fmt.Sprint("scattered, names too ", i)] = disk.RestartScattered(r.IntN, false)
	}
	return after
}

// recovered plays the journal back and reports whether the state is one of
// those allowed.
func recovered(t *testing.T, where string, disk *crashfs.FS, allowed ...state) {
	t.Helper()
	if _, err := journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{}); err != nil {
		t.Errorf("%s: %v", where, err)
		return
	}
	for _, st := range allowed {
		if holds(disk, st) {
			return
		}
	}
	t.Errorf("%s: neither the old state nor the new one", where)
	for _, st := range allowed {
		tell(t, disk, st)
	}
}

// Whatever fails in taking a change back, the error says that it is to be done.
func TestFailureOfRecovery(t *testing.T) {
	told := 0
	for seed := range crashfs.Of(2, 5, 20) {
		before := kill(rand.New(rand.NewPCG(seed, 9)), start()).disk
		for name, do := range map[string]func(*crashfs.FS) error{
			"recover": func(disk *crashfs.FS) error {
				_, err := journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{})
				return err
			},
			"open": func(disk *crashfs.FS) error {
				set, err := journal.Open(t.Context(), disk, "b.one", journal.Options{})
				if err == nil {
					err = set.Close()
				}
				return err
			},
		} {
			for n, calls := 0, 1; n < calls; n++ {
				disk := before.Clone()
				disk.FailAt(n)
				err := do(disk)
				calls = disk.Calls()
				disk.Plan(nil)
				if left, look := journal.Interrupted(disk, "b.one"); look != nil {
					t.Fatal(look)
				} else if left != "" && errors.Is(err, model.ErrNeedsRecovery) {
					told++
				} else if left != "" {
					t.Errorf("script %d, %s, call %d: %v", seed, name, n, err)
				}
			}
		}
	}
	if told == 0 {
		t.Error("nothing failed")
	}
}

// After a commit that failed, at whatever call, the same set does the same again.
func TestCommitAfterFailure(t *testing.T) {
	script := everyKind()
	next := start()
	for _, s := range script {
		if s.do != "commit" {
			s.apply(next)
		}
	}
	calls, again := 1, 0
	for n := 0; n < calls; n += int(crashfs.Of(11, 1, 1)) {
		disk := diskWith(start())
		set := must.Get(journal.Open(t.Context(), disk, "b.one", journal.Options{}))(t)
		attempt := func(plan func(*crashfs.FS)) error {
			for _, s := range script {
				if s.do != "commit" {
					must.Do(t, s.perform(set))
				}
			}
			plan(disk)
			defer disk.Plan(nil)
			err := set.Commit()
			calls = disk.Calls()
			return err
		}
		if n == 0 {
			must.Do(t, attempt(func(disk *crashfs.FS) { disk.Plan(nil) }))
			continue
		}
		undisturbed := calls
		err := attempt(func(disk *crashfs.FS) { disk.FailAt(n) })
		if err != nil && !errors.Is(err, model.ErrUncertain) {
			again++
			if second := attempt(func(disk *crashfs.FS) { disk.Plan(nil) }); second != nil {
				t.Fatalf("call %d failed with %v, and then: %v", n, err, second)
			}
		}
		calls = undisturbed
		must.Do(t, set.Close())
		if !holds(disk, next) {
			tell(t, disk, next)
			t.Fatalf("call %d failed: not the new state", n)
		}
	}
	if again == 0 {
		t.Error("no commit failed")
	}
}

// What is collected at the end of a file that is written anew is not forgotten when it
// cannot be written: a commit after that has all of it.
func TestCollectedAfterFailure(t *testing.T) {
	disk := diskWith(start())
	set := must.Get(journal.Open(t.Context(), disk, "b.one", journal.Options{}))(t)
	f := must.Get(set.File("b.two"))(t)
	must.Do(t, f.Fill([]byte("head")))
	part, want := bytes.Repeat([]byte{'x'}, 40_000), []byte("head")
	failed := 0
	for range 4 {
		disk.FailAt(0) // what is collected is written at once, or not at all
		if _, err := f.Append(part); err != nil {
			failed++
			disk.Plan(nil)
			must.Get(f.Append(part))(t)
		}
		disk.Plan(nil)
		want = append(want, part...)
	}
	must.Do(t, set.Commit(), set.Close())
	next := start()
	if next["b.two"] = want; failed == 0 || !holds(disk, next) {
		tell(t, disk, next)
		t.Errorf("after %d failures: not the new state", failed)
	}
}

// Every commit and every recovery makes the change time of the main file later,
// whatever the clock says.
func TestChangeTime(t *testing.T) {
	disk := diskWith(start())
	changed := func() time.Time {
		info := must.Get(disk.Stat("b.one"))(t)
		return info.ModTime()
	}
	last := changed()
	for i := range 30 {
		disk.Advance(time.Duration(i%3-1) * time.Second)
		set := must.Get(journal.Open(t.Context(), disk, "b.one", journal.Options{}))(t)
		name := []string{"b.one", "b.two", "b.three"}[i%3]
		f := must.Get(set.File(name))(t)
		must.Get(f.WriteAt([]byte{byte(i), byte(i + 1)}, 7))(t)
		crash := i%4 == 3
		if crash {
			calls := 0 // since the journal is there
			disk.Plan(func(int) crashfs.Fate {
				if disk.Files()[journalName] != nil {
					calls++
				}
				if calls > 3 {
					return crashfs.Fail
				}
				return crashfs.Succeed
			})
		}
		if err := set.Commit(); (err != nil) != crash {
			t.Fatal(i, err)
		}
		disk.Plan(nil)
		if err := set.Close(); err != nil && !crash { // its locks go, as with its process
			t.Fatal(i, err)
		}
		must.Get(journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{}))(t)
		if now := changed(); !now.After(last) {
			t.Errorf("commit %d: %v after %v", i, now, last)
		} else {
			last = now
		}
	}
}

// TestCrashWhileForced stops the machine at every call of a recovery that is forced: once
// anything has changed, the copy of all files is on the disk.
func TestCrashWhileForced(t *testing.T) {
	disk, _ := interrupted(t)
	content := disk.Files()["b.one"]
	content[14]++ // beside a change
	disk.WriteFile("b.one", content)
	disk.FoldersApart()
	before := disk.Files()
	r := rand.New(rand.NewPCG(1, 9))
	changed := 0
	for n := 0; ; n += int(crashfs.Of(7, 1, 1)) {
		forced := disk.Clone()
		forced.CrashAt(n, r.IntN(2) == 0)
		_, err := journal.Recover(t.Context(), forced, "b.one", journal.RecoverOptions{Force: true})
		if err == nil {
			break
		}
		for how, after := range restarts(r, forced) {
			files := after.Files()
			same := true
			for name, was := range before {
				is, there := files[name]
				same = same && there && bytes.Equal(was, is)
			}
			if same {
				continue
			}
			changed++
			for name, was := range near.Without(before) {
				if kept := files["b.one.cbkit-kept/"+name]; !bytes.Equal(kept, was) {
					t.Errorf("call %d, %s: %s: %d bytes of %d are kept", n, how, name, len(kept), len(was))
				}
			}
		}
	}
	if changed == 0 {
		t.Error("nothing was changed")
	}
}

// A journal that was removed by a commit whose process is killed then may come back, and needs what
// that commit has left: who clears it away makes sure that it does not.
func TestClearAfterKill(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	cleared := 0
	before := diskWith(start())
	before.FoldersApart()
	for n := 0; ; n++ {
		disk := before.Clone()
		disk.CrashAt(n, false)
		done, next, err := run(disk, everyKind(), journal.Options{})
		if err == nil {
			break
		}
		if disk.Files()[journalName] != nil || len(disk.Names()) <= len(next) {
			continue
		}
		for m := 0; ; m++ {
			killed := disk.Clone()
			killed.CrashAt(m, false)
			_, err := journal.Recover(t.Context(), killed, "b.one", journal.RecoverOptions{})
			for range crashfs.Of(1, 4, 4) {
				recovered(t, fmt.Sprintf("calls %d and %d", n, m), killed.RestartScattered(r.IntN, false), done, next)
				cleared++
			}
			if err == nil {
				break
			}
		}
	}
	if cleared == 0 {
		t.Error("nothing was cleared")
	}
}

// Where a killed process has left nothing but that, its journal may come back beside the first
// working files of the next one, which have the names of its own.
func TestWorkAfterKill(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 10))
	made := []step{{do: "rewrite", name: "b.new", data: []byte("new")}}
	before := diskWith(start())
	before.FoldersApart()
	for n := 0; ; n++ {
		disk := before.Clone()
		disk.CrashAt(n, false)
		done, next, err := run(disk, append(slices.Clone(made), step{do: "commit"}), journal.Options{})
		if err == nil {
			break
		}
		for m := 0; ; m++ {
			killed := disk.Clone()
			killed.CrashAt(m, false)
			_, _, err := run(killed, made, journal.Options{})
			for range crashfs.Of(1, 8, 8) {
				recovered(t, fmt.Sprintf("calls %d and %d", n, m), killed.RestartScattered(r.IntN, false), done, next)
			}
			if err == nil {
				break
			}
		}
	}
}

// A journal may come back, too, whose removal a commit could not bring to the disk: it needs
// the old files, which go when the set is closed.
func TestClearAfterUncertain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for n := 0; ; n++ {
		plan := func(last int) (*crashfs.FS, state, error) {
			disk := diskWith(start())
			disk.FoldersApart()
			disk.Plan(func(call int) crashfs.Fate {
				if call == n || call > last {
					return crashfs.Fail
				}
				return crashfs.Succeed
			})
			_, next, err := run(disk, everyKind(), journal.Options{})
			return disk, next, err
		}
		whole, _, err := plan(math.MaxInt)
		if whole.Calls() <= n {
			t.Fatal("no commit was uncertain")
		}
		if !errors.Is(err, model.ErrUncertain) {
			continue
		}
		for last := n; last < whole.Calls(); last++ {
			disk, next, _ := plan(last)
			for range 8 {
				recovered(t, fmt.Sprintf("call %d failed, and all after %d", n, last), disk.RestartScattered(r.IntN, false), start(), next)
			}
		}
		return
	}
}

// A commit whose error is none, or ErrCommitted, is there after every crash; with none the
// files have the change times that they were to get. What can go is ErrUncertain, and no
// error is both.
func TestLateErrors(t *testing.T) {
	stamp := time.Unix(2e9, 0)
	change := step{do: "write", name: "b.two", at: 20, data: []byte("new")}
	next := start()
	change.apply(next)
	var committed, uncertain int
	for n, hit := 0, true; hit; n++ {
		for _, plan := range []func(*crashfs.FS, int){(*crashfs.FS).FailAt, (*crashfs.FS).CutAt} {
			disk := diskWith(start())
			disk.StrictNames()
			set, err := journal.Open(t.Context(), disk, "b.one", journal.Options{})
			if err == nil {
				err = change.perform(set)
			}
			f, open := set.File("b.two")
			if err = errors.Join(err, open); err != nil {
				t.Fatal(err)
			}
			f.SetChanged(stamp)
			plan(disk, n)
			err = set.Commit()
			hit = disk.Calls() > n
			disk.Plan(nil)
			info := must.Get(disk.Stat("b.two"))(t)
			if err == nil && !info.ModTime().Equal(stamp) {
				t.Errorf("call %d: nothing is told, and the change time is %v", n, info.ModTime())
			}
			isCommitted, isUncertain := errors.Is(err, model.ErrCommitted), errors.Is(err, model.ErrUncertain)
			if isCommitted && isUncertain {
				t.Errorf("call %d: %v", n, err)
			}
			if isUncertain {
				uncertain++
			}
			if isCommitted {
				committed++
			}
			if err == nil || isCommitted {
				recovered(t, fmt.Sprintf("call %d: %v", n, err), disk.Restart(nil, nil), next)
			}
		}
	}
	if committed == 0 || uncertain == 0 {
		t.Errorf("%d committed, %d uncertain", committed, uncertain)
	}
}

// What a commit could not remove goes with the next rollback.
func TestRollbackTidies(t *testing.T) {
	tidied := 0
	for n, hit := 0, true; hit; n++ {
		disk := diskWith(start())
		set, err := journal.Open(t.Context(), disk, "b.one", journal.Options{})
		for _, s := range everyKind() {
			if err == nil && s.do != "commit" {
				err = s.perform(set)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		disk.FailAt(n)
		err = set.Commit()
		hit = disk.Calls() > n
		disk.Plan(nil)
		if err != nil || !hit {
			continue
		}
		isLeft := func() bool {
			return slices.Contains(disk.Names(), "b.two.cbkit-undo") || slices.Contains(disk.Names(), "b.three.cbkit-drop")
		}
		if isLeft() {
			tidied++
		}
		if err := set.Rollback(); err != nil || isLeft() {
			t.Errorf("call %d: %v, or old files are left", n, err)
		}
	}
	if tidied == 0 {
		t.Error("nothing was left")
	}
}

// After a recovery the journal does not come back, whatever becomes of the machine, also where a
// recovery before it failed with a sync that drops what it was to bring to the disk.
func TestRecoveryIsPermanent(t *testing.T) {
	disks, old, _ := interruptions(t, start(), []step{
		{do: "write", name: "b.one", at: 10, data: []byte("one")}, {do: "write", name: "b.two", at: 20000, data: []byte("longer")},
		{do: "cut", name: "b.three", at: 5}, {do: "commit"},
	})
	dropped := 0
	for i, before := range disks {
		for drop := range 5 {
			disk := before.Clone()
			disk.StrictNames()
			syncs := 0
			disk.Decide = func(op, _ string) crashfs.Fate {
				if op == "sync" {
					if syncs++; syncs == drop {
						return crashfs.Drop
					}
				}
				return crashfs.Succeed
			}
			_, err := journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{})
			if err != nil {
				dropped++
				_, err = journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{})
			}
			if err != nil {
				t.Fatal(err)
			}
			if after := disk.Restart(nil, nil); !holds(after, old) {
				t.Errorf("interruption %d, sync %d dropped: something is not on the disk", i, drop)
				tell(t, after, old)
			}
		}
	}
	if dropped == 0 {
		t.Error("no sync failed")
	}
}
