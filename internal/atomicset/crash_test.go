package atomicset_test

import (
	"strings"
	"testing"

	"cbkit/internal/testkit/crashfs"

	"github.com/google/go-cmp/cmp"
)

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
