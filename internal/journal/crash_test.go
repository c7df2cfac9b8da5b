package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
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

// TestCrashAtEveryCall stops the machine at every call of random scripts, with
// and without that call's effect; later calls are lost, and of what was not
// synced any part. After recovery the state is that before or that after a
// commit.
func TestCrashAtEveryCall(t *testing.T) {
	scripts, step := crashfs.Of(3, 7, 40), crashfs.Of(17, 3, 1)
	points, old, fresh := 0, 0, 0
	for seed := range scripts {
		r := rand.New(rand.NewPCG(seed, 2))
		script := newScript(r)
		opt := journal.Options{Memory: 1 + r.IntN(4)<<12}
		strict := seed%2 == 0
		before := diskWith(start())
		for n := int(seed % step); ; n += int(step) {
			crashed := true
			for _, lost := range []bool{false, true} {
				disk := before.Clone()
				if strict {
					disk.StrictNames()
				}
				disk.CrashAt(n, lost)
				done, next, err := run(disk, script, opt)
				if crashed = err != nil; !crashed {
					break
				}
				if !errors.Is(err, crashfs.ErrInjected) {
					t.Fatalf("script %d, call %d: %v", seed, n, err)
				}
				for how, after := range restarts(r, disk) {
					where := fmt.Sprintf("script %d, call %d, lost %v, %s", seed, n, lost, how)
					recovered(t, where, after, done, next)
					points++
					if holds(after, done) {
						old++
					} else {
						fresh++
					}
				}
			}
			if !crashed {
				break
			}
		}
	}
	t.Logf("%d points: %d gave the state before the commit, %d the one after it", points, old, fresh)
	if old == 0 || fresh == 0 {
		t.Error("only one of both states was seen")
	}
}

// TestCrashAgain kills a writer at every call, kills whoever puts it right at
// every call, and then stops the machine; by default after some of them.
func TestCrashAgain(t *testing.T) {
	scripts, step := crashfs.Of(1, 1, 6), int(crashfs.Of(97, 5, 1))
	points := 0
	before := diskWith(start())
	for seed := range scripts {
		r := rand.New(rand.NewPCG(seed, 3))
		script := newScript(r)
		for n := 0; ; n++ {
			disk := before.Clone()
			disk.StrictNames()
			disk.CrashAt(n, false)
			done, next, err := run(disk, script, journal.Options{Memory: 1})
			if err == nil {
				break
			}
			for m := n % step; ; m += step {
				killed := disk.Clone()
				killed.CrashAt(m, r.IntN(2) == 0)
				_, err := journal.Recover(t.Context(), killed, "b.one", journal.RecoverOptions{})
				if err != nil && !errors.Is(err, crashfs.ErrInjected) {
					t.Fatalf("script %d, calls %d and %d: %v", seed, n, m, err)
				}
				for how, after := range restarts(r, killed) {
					recovered(t, fmt.Sprintf("script %d, calls %d and %d, %s", seed, n, m, how), after, done, next)
					points++
				}
				if err == nil {
					break
				}
			}
		}
	}
	t.Logf("%d points", points)
}

// TestFailure lets every single call fail, or do its work and then fail; the
// disk is in order again at once, without a recovery, and nothing is left on it that is not told.
func TestFailure(t *testing.T) {
	scripts, step := crashfs.Of(2, 7, 30), crashfs.Of(23, 3, 1)
	before := diskWith(start())
	for seed := range scripts {
		r := rand.New(rand.NewPCG(seed, 4))
		script := newScript(r)
		opt := journal.Options{Memory: 1 + r.IntN(4)<<12}
		for n := int(seed % step); ; n += int(step) {
			failed := false
			for _, plan := range []func(*crashfs.FS, int){(*crashfs.FS).FailAt, (*crashfs.FS).CutAt} {
				disk := before.Clone()
				plan(disk, n)
				done, next, err := run(disk, script, opt)
				if disk.Calls() <= n {
					break
				}
				failed = true
				disk.Plan(nil)
				where := fmt.Sprintf("script %d, call %d: %v", seed, n, err)
				want := done
				if errors.Is(err, model.ErrUncertain) {
					want = next
				}
				if !errors.Is(err, model.ErrUntidy) && !holds(disk, want) {
					tell(t, disk, want)
					t.Errorf("%s: not in order", where)
				}
				after := disk.Restart(func(n int) int { return n }, func(string) bool { return true })
				if left, err := journal.Interrupted(after, "b.one"); left != "" || err != nil {
					t.Errorf("%s: a journal is left", where)
				}
				recovered(t, where, after, want)
			}
			if !failed {
				break
			}
		}
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

// A commit whose error is none, or ErrCommitted, is there after every crash; with none the
// files have the change times that they were to get. What can go is ErrUncertain, and no
// error is both.
func TestLateErrors(t *testing.T) {
	stamp := time.Unix(2e9, 0)
	change := step{do: "write", name: "b.two", at: 20, data: []byte("new")}
	next := start()
	change.apply(next)
	var committed, uncertain int
	for n, calls := 0, 1; n < calls; n++ {
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
			calls = disk.Calls()
			disk.Plan(nil)
			info, stat := disk.Stat("b.two")
			if stat != nil {
				t.Fatal(stat)
			}
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
		set, err := journal.Open(t.Context(), disk, "b.one", journal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		attempt := func(plan func(*crashfs.FS)) error {
			for _, s := range script {
				if s.do != "commit" {
					if err := s.perform(set); err != nil {
						t.Fatal(err)
					}
				}
			}
			plan(disk)
			defer disk.Plan(nil)
			err := set.Commit()
			calls = disk.Calls()
			return err
		}
		if n == 0 {
			if err := attempt(func(disk *crashfs.FS) { disk.Plan(nil) }); err != nil {
				t.Fatal(err)
			}
			continue
		}
		undisturbed := calls
		err = attempt(func(disk *crashfs.FS) { disk.FailAt(n) })
		if err != nil && !errors.Is(err, model.ErrUncertain) {
			again++
			if second := attempt(func(disk *crashfs.FS) { disk.Plan(nil) }); second != nil {
				t.Fatalf("call %d failed with %v, and then: %v", n, err, second)
			}
		}
		calls = undisturbed
		if err := set.Close(); err != nil {
			t.Fatal(err)
		}
		if !holds(disk, next) {
			tell(t, disk, next)
			t.Fatalf("call %d failed: not the new state", n)
		}
	}
	if again == 0 {
		t.Error("no commit failed")
	}
}

// TestHarnessSeesCarelessness: writing in place without a journal is noticed.
func TestHarnessSeesCarelessness(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	seen := 0
	for n := range 12 {
		disk := diskWith(start())
		disk.CrashAt(n, false)
		next := start()
		for _, name := range []string{"b.one", "b.two", "b.three"} {
			next[name] = bytes.Repeat([]byte("new"), 100)
			f, err := disk.OpenFile(name, 2, 0)
			if err != nil {
				break
			}
			_, err = f.WriteAt(next[name], 0)
			if err = errors.Join(err, f.Truncate(300), f.Sync(), f.Close()); err != nil {
				break
			}
		}
		for _, after := range restarts(r, disk) {
			if !holds(after, start()) && !holds(after, next) {
				seen++
			}
		}
	}
	if seen == 0 {
		t.Error("a mixture of old and new was not noticed")
	}
}

// Every commit and every recovery makes the change time of the main file later,
// whatever the clock says.
func TestChangeTime(t *testing.T) {
	disk := diskWith(start())
	changed := func() time.Time {
		info, err := disk.Stat("b.one")
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	last := changed()
	for i := range 30 {
		disk.Advance(time.Duration(i%3-1) * time.Second)
		set, err := journal.Open(t.Context(), disk, "b.one", journal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		name := []string{"b.one", "b.two", "b.three"}[i%3]
		f, err := set.File(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt([]byte{byte(i), byte(i + 1)}, 7); err != nil {
			t.Fatal(err)
		}
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
		if _, err := journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{}); err != nil {
			t.Fatal(err)
		}
		if now := changed(); !now.After(last) {
			t.Errorf("commit %d: %v after %v", i, now, last)
		} else {
			last = now
		}
	}
}

// TestCrashAfterUncertain stops the machine at every call after a commit whose last sync
// failed: its journal may come back, and needs what that commit has left until the
// folder knows that it has gone.
func TestCrashAfterUncertain(t *testing.T) {
	states := []state{start()}
	script := append(everyKind(), step{do: "write", name: "b.one", at: 20, data: []byte("more")}, step{do: "commit"})
	now := start()
	for _, s := range script {
		if s.do == "commit" {
			states = append(states, maps.Clone(now))
		} else {
			s.apply(now)
		}
	}
	before := diskWith(start())
	before.StrictNames()
	uncertain := 0
	for ; ; uncertain++ {
		disk := before.Clone()
		disk.FailAt(uncertain)
		if _, _, err := run(disk, script, journal.Options{}); errors.Is(err, model.ErrUncertain) {
			break
		} else if disk.Calls() <= uncertain {
			t.Fatal("no commit was uncertain")
		}
	}
	r := rand.New(rand.NewPCG(1, 8))
	for _, commits := range []int{1, 2} {
		for n := uncertain + 1; ; n += int(crashfs.Of(11, 1, 1)) {
			disk := before.Clone()
			disk.Plan(func(call int) crashfs.Fate {
				switch {
				case call == n && r.IntN(2) == 0:
					return crashfs.Cut
				case call == uncertain || call >= n:
					return crashfs.Fail
				}
				return crashfs.Succeed
			})
			set, err := journal.Open(t.Context(), disk, "b.one", journal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			left := commits
			for _, s := range script {
				if s.do != "commit" {
					err = s.perform(set)
				} else if err = set.Commit(); errors.Is(err, model.ErrUncertain) {
					err = nil
				}
				if s.do == "commit" {
					left--
				}
				if err != nil || left == 0 {
					break
				}
			}
			if err = errors.Join(err, set.Close()); err == nil {
				break
			}
			for range crashfs.Of(2, 4, 20) {
				for how, after := range restarts(r, disk) {
					recovered(t, fmt.Sprintf("%d commits, call %d of %d, %s", commits, n, uncertain, how), after, states...)
				}
			}
		}
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

// TestCrashWhileForced stops the machine at every call of a recovery that is forced: once
// anything has changed, the copy of all files is on the disk.
func TestCrashWhileForced(t *testing.T) {
	disk, _ := interrupted(t)
	content := disk.Files()["b.one"]
	content[14]++ // beside a change
	disk.WriteFile("b.one", content)
	disk.StrictNames()
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
