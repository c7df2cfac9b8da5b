package parquet

import (
	"testing"

	"cbkit/internal/testkit/left"

	"github.com/google/go-cmp/cmp"
)

// What earlier versions left in putting files in place is put right as they would have,
// by recovering and by the next writer.
func TestRecoverWhatEarlierVersionsLeft(t *testing.T) {
	for i, s := range left.States(t) {
		disk := left.Lay(t, s.Before)
		said, err := recoverIn(t.Context(), disk, "out", 0)
		if err != nil || said.String() != s.Said {
			t.Errorf("state %d: %v, %v; want %s", i, said, err, s.Said)
		}
		if d := cmp.Diff(s.After, left.On(disk)); d != "" {
			t.Errorf("state %d: %s", i, d)
		}
		disk = left.Lay(t, s.Before)
		w, err := createIn(t.Context(), disk, "out", Options{Database: "db", Part: 1, Parts: 2})
		if err == nil {
			err = w.Abort()
		}
		if err != nil {
			t.Errorf("state %d: %v", i, err)
		}
		if d := cmp.Diff(s.After, left.On(disk)); d != "" {
			t.Errorf("state %d: the next writer: %s", i, d)
		}
	}
}
