//go:build unix

package journal_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/must"
)

// A pipe in the place of a journal, a working file, or a file of the set is
// refused at once.
func TestPipes(t *testing.T) {
	disk, _ := interrupted(t)
	for _, name := range []string{"b.one", "b.two", "b.three.cbkit-drop", journalName} {
		dir := onDisk(t, near.Without(disk.Files()))
		path := filepath.Join(dir, name)
		must.Do(t, os.Remove(path))
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
		for what, do := range map[string]func() error{
			"recovering": func() error {
				_, err := journal.Recover(t.Context(), fsys.OS{}, filepath.Join(dir, "b.one"), journal.RecoverOptions{})
				return err
			},
			"opening": func() error {
				set, err := journal.Open(t.Context(), fsys.OS{}, filepath.Join(dir, "b.one"), journal.Options{})
				if err == nil {
					err = set.Close()
				}
				return err
			},
		} {
			if err := within(t, what+" "+name, do); err == nil {
				t.Errorf("%s with a pipe as %s: no error", what, name)
			}
		}
	}
}
