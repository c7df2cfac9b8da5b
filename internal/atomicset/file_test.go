package atomicset_test

import (
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/atomicset"
	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/must"

	"github.com/google/go-cmp/cmp"
)

// What a process left that was stopped in writing a file goes with the next one that writes
// it; that of other files stays.
func TestFileAfterAKill(t *testing.T) {
	for _, force := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "x.pgn")
		names := []string{
			filepath.Base(lock.File(path, lock.Writer)), "x.pgn.cbkit-new-1-0", "x.pgn.cbkit-new-4711-3",
			"x.pgn.gz.cbkit-new-1-0", "X.pgn.cbkit-new-1-0",
		}
		if force {
			names = append(names, "x.pgn")
		}
		for _, name := range names {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
		}
		f, err := atomicset.NewFile(path, atomicset.Options{Force: force})
		if err == nil {
			err = f.Commit()
		}
		entries, look := (fsys.OS{}).ReadDir(dir)
		if err != nil || look != nil {
			t.Fatal(err, look)
		}
		var there []string
		for _, e := range entries {
			there = append(there, e.Name())
		}
		if d := cmp.Diff([]string{"X.pgn.cbkit-new-1-0", "x.pgn", "x.pgn.gz.cbkit-new-1-0"}, there); d != "" {
			t.Error(d)
		}
	}
}
