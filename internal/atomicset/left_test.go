package atomicset_test

import (
	"testing"

	"cbkit/internal/atomicset"
	"cbkit/internal/testkit/left"

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
