package journal_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
)

var journals = flag.Int("journals", 100, "how many crafted, foreign, stale, cut and mixed journals are tried")

// killed is a commit that was cut off: what it left, and the states before and
// after it.
type killed struct {
	disk       *crashfs.FS
	old, fresh state
}

// kill begins with the files of a state, commits a few times, and stops the machine
// in a commit, when its journal was there.
func kill(r *rand.Rand, from state) killed {
	for {
		disk := diskWith(from)
		script := newScriptOn(r, from)
		calls, at := 0, 1+r.IntN(60)
		disk.Plan(func(int) crashfs.Fate {
			if disk.Files()[journalName] == nil {
				calls = 0
				return crashfs.Succeed
			}
			if calls++; calls > at {
				return crashfs.Fail
			}
			return crashfs.Succeed
		})
		done, next, err := runFrom(disk, from, script, journal.Options{})
		if err == nil {
			continue
		}
		after := slices.Collect(maps.Values(restarts(r, disk)))[r.IntN(4)]
		if after.Files()[journalName] != nil {
			return killed{after, done, next}
		}
	}
}

// spoil makes of an interrupted commit one of which the journal does not fit the
// files, or is none.
func spoil(r *rand.Rand, what string, k killed) *crashfs.FS {
	disk := k.disk.Clone()
	whole := disk.Files()[journalName]
	switch what {
	case "crafted":
		names := append(slices.Collect(maps.Keys(k.old)), "other.one", "b", "../b.one", "b.two.cbkit-edit-1", "b.three.cbkit-undo", "")
		content, err := journal.Crafted(r, whole, names)
		if err != nil {
			panic(err)
		}
		disk.WriteFile(journalName, content)
	case "foreign":
		from := start()
		for name, data := range from {
			for range 1 + r.IntN(20) {
				data[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
			}
			from[name] = data[:len(data)-r.IntN(2)]
		}
		disk.WriteFile(journalName, kill(r, from).disk.Files()[journalName])
	case "stale":
		disk.Plan(nil)
		if _, err := journal.Recover(context.Background(), disk, "b.one", journal.RecoverOptions{}); err != nil {
			panic(err)
		}
		if r.IntN(2) == 0 { // the commit was done after all
			disk = diskWith(k.fresh)
		}
		now := state(near.Without(disk.Files()))
		if _, _, err := runFrom(disk, now, newScriptOn(r, now), journal.Options{}); err != nil {
			panic(err)
		}
		disk.WriteFile(journalName, whole)
	case "cut":
		content := slices.Clone(whole)
		if r.IntN(2) == 0 {
			content[r.IntN(len(content))] ^= 1 << r.IntN(8)
		} else {
			content = content[:r.IntN(len(content))]
		}
		disk.WriteFile(journalName, content)
	case "mixed":
		others := []state{k.old, k.fresh, kill(r, start()).fresh}
		for name := range disk.Files() {
			content := others[r.IntN(3)][name]
			if name == journalName || near.Has(name) || r.IntN(2) == 0 || content == nil {
				continue
			}
			disk.WriteFile(name, content)
		}
	}
	return disk
}

// lostBytes names what a recovery has taken that the commit of a journal did not
// bring: where a byte changes, or goes, it was the new one, and where something
// comes, it is the old one.
func lostBytes(before, after state, k killed) string {
	for name, was := range before {
		if strings.Contains(name, ".cbkit-") {
			continue
		}
		is, stays := after[name]
		old, fresh := k.old[name], k.fresh[name]
		if !stays && !bytes.Equal(was, fresh) {
			return name + " is gone"
		}
		for i := range was {
			switch {
			case i < len(is) && was[i] == is[i]:
			case i < len(is) && (i >= len(old) || is[i] != old[i]):
				return fmt.Sprintf("%s at %d is what it never was", name, i)
			case i < len(fresh) && was[i] == fresh[i], was[i] == 0 && i >= min(len(old), len(fresh)):
			case bytes.Equal(was, fresh) && bytes.Equal(is, old): // replaced as a whole
			default:
				return fmt.Sprintf("%s at %d is lost", name, i)
			}
		}
	}
	for name, is := range after {
		if before[name] == nil && !bytes.Equal(is, k.old[name]) {
			return name + " has come"
		}
	}
	return ""
}

// Journals that somebody made up, that are of another database or of an earlier
// state, that are cut, or that lie beside files of several states, are played back
// rightly or refused with nothing changed.
func TestJournalsOfAllKinds(t *testing.T) {
	n := *journals
	if testing.Short() {
		n = min(n, 10)
	}
	type tally struct{ refused, played, whole int }
	totals := map[string]*tally{}
	for i := range n {
		what := []string{"crafted", "foreign", "stale", "cut", "mixed"}[i%5]
		r := rand.New(rand.NewPCG(uint64(i), 6))
		k := kill(r, start())
		disk := spoil(r, what, k)
		if totals[what] == nil {
			totals[what] = &tally{}
		}
		count := totals[what]
		before := state(disk.Files())
		where := fmt.Sprintf("%s journal %d", what, i)
		did, err := journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{})
		after := state(disk.Files())
		if wrong := near.WrongAmong(after); wrong != "" {
			t.Errorf("%s: %s", where, wrong)
		}
		switch {
		case err != nil:
			if count.refused++; !same(before, after) {
				t.Errorf("%s: refused (%v), and something was changed", where, err)
			}
			continue
		case !did.PlayedBack && what == "crafted" && same(before, after):
			count.refused++ // it says that it is of another main file
			continue
		case !did.PlayedBack:
			t.Errorf("%s: neither refused nor played back", where)
		case holds(disk, k.old):
			count.whole++
		default:
			count.played++
		}
		if what == "crafted" { // it can say what it likes of the bytes of its own set
			for name, data := range after {
				if sizes := []int{len(before[name]), len(k.old[name]), len(k.fresh[name])}; before[name] != nil && !slices.Contains(sizes, len(data)) {
					t.Errorf("%s: %s has %d bytes, of %v", where, name, len(data), sizes)
				}
			}
			continue
		}
		if !holds(disk, k.old) {
			t.Errorf("%s: played back, and is not the state before", where)
		}
		if lost := lostBytes(before, after, k); lost != "" {
			t.Errorf("%s: %s", where, lost)
		}
	}
	for what, count := range totals {
		t.Logf("%s: %d refused with nothing changed, %d played back to the state before, %d otherwise", what, count.refused, count.whole, count.played)
	}
}

// With force an interrupted commit of which files came from elsewhere is taken back
// all the same, and a copy of all files is there.
func TestForce(t *testing.T) {
	disk, old := interrupted(t)
	content := disk.Files()["b.one"]
	content[14]++ // beside a change
	disk.WriteFile("b.one", content)
	before := disk.Files()
	if _, err := journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{}); err == nil {
		t.Fatal("taken back without force")
	}
	did, err := journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{Force: true})
	if err != nil || !did.PlayedBack || did.Copy != "b.one.cbkit-kept" {
		t.Fatalf("%+v, %v", did, err)
	}
	old["b.one"] = slices.Clone(old["b.one"])
	old["b.one"][14]++
	for name, data := range before {
		if own := !near.Has(name) || dbfile.StemOf(name) == "b"; own && strings.HasPrefix(name, "b.") { // whatever its ending, here
			if old[did.Copy+"/"+name] = data; !bytes.Equal(disk.Files()[did.Copy+"/"+name], data) {
				t.Errorf("%s is not copied", name)
			}
		}
	}
	if !holds(disk, old) {
		tell(t, disk, old)
		t.Error("not the old state")
	}
}

// What was interrupted is left as it is where nothing is to be changed.
func TestDryRunRecoversNothing(t *testing.T) {
	pending, _ := interrupted(t)
	working := diskWith(start())
	working.WriteFile("b.two.cbkit-edit-1", []byte("working"))
	for _, disk := range []*crashfs.FS{pending, working} {
		before := disk.Files()
		_, err := journal.Open(t.Context(), disk, "b.one", journal.Options{DryRun: true})
		if err == nil || !strings.Contains(err.Error(), "run cbkit recover b.one") {
			t.Error(err)
		}
		if !crashfs.Same(before, disk.Files()) {
			t.Error("something was changed")
		}
	}
}
