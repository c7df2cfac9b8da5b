package atomicset_test

import (
	"path/filepath"
	"testing"

	"cbkit/internal/atomicset"
	"cbkit/internal/testkit/left"
	"cbkit/internal/testkit/must"

	"github.com/google/go-cmp/cmp"
)

// What earlier versions left, in replacing sets and in editing them, is put right as
// they would have.
func TestRecoverWhatEarlierVersionsLeft(t *testing.T) {
	for i, s := range left.States(t) {
		disk := left.Lay(t, s.Before)
		said, err := atomicset.Recover(disk, "b.ctg", atomicset.Options{Extensions: extensions})
		if err != nil || said.String() != s.Said {
			t.Errorf("state %d: %v, %v; want %s", i, said, err, s.Said)
		}
		if d := cmp.Diff(s.After, left.On(disk)); d != "" {
			t.Errorf("state %d: %s", i, d)
		}
	}
}

// A folder whose files another has removed, without a word to the disk, loses its mark only
// when they are gone for good: what comes back in a folder without a mark would not be ours.
func TestMarkGoesLast(t *testing.T) {
	for _, killed := range []bool{false, true} {
		disk := diskWith(nil)
		set := must.Get(atomicset.New(disk, "b.ctg", options(true)))(t)
		f, err := set.Create("b.ctg")
		must.Do(t, err, f.Close(), disk.SyncDir(filepath.Dir(set.Path("b.ctg"))), disk.Remove(set.Path("b.ctg")))
		if killed {
			disk = disk.Kill()
			_, err = atomicset.Recover(disk, "b.ctg", options(false))
		} else {
			err = set.Abort()
		}
		if err != nil {
			t.Fatal(err)
		}
		for kept := range 1 << disk.Pending() {
			after := disk.RestartUnordered(func(change int) bool { return kept>>change&1 != 0 }, nil)
			if _, err := atomicset.Recover(after, "b.ctg", options(false)); err != nil {
				t.Errorf("killed: %v, changes %b on the disk: %v", killed, kept, err)
			}
		}
	}
}
