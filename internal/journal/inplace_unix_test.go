//go:build unix

package journal_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
)

// A link in the place of a working file is told as that: nothing is there to be replaced,
// and whoever edits has no flag for it.
func TestLinkInPlaceOfWorkingFile(t *testing.T) {
	for _, name := range []string{"b.cbkit-journal-new", "b.cbkit-scratch", "b.two.cbkit-edit-1"} {
		dir := onDisk(t, start())
		if err := os.Symlink("nowhere", filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
		script := append([]step{{do: "write", name: "b.one", data: make([]byte, 9000)}}, everyKind()...)
		t.Chdir(dir)
		before := contents(t, dir)
		_, _, err := runFrom(fsys.OS{}, start(), script, journal.Options{Memory: 1})
		if err == nil || errors.Is(err, fs.ErrExist) || !errors.Is(err, fsys.ErrNotRegular) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "move it away") {
			t.Errorf("%s: %v", name, err)
		}
		if !same(before, contents(t, dir)) {
			t.Errorf("%s: something was changed", name)
		}
	}
}
