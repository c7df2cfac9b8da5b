package journal_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
)

// Where case means nothing, the journal of a set that is asked for in another spelling
// is found: after a crash at any call, each spelling gives the old state or the new one.
func TestCrashWithoutCase(t *testing.T) {
	disk := crashfs.New()
	disk.IgnoreCase()
	street := neighbours.On(disk, "b.one")
	for name, data := range start() {
		disk.WriteFile(name, data)
	}
	r := rand.New(rand.NewPCG(7, 7))
	script := everyKind()
	trial := crashfs.Trial{
		Before: disk, Seed: 1, Step: crashfs.Of(5, 3, 1),
		Change: func(disk *crashfs.FS) error {
			_, _, err := run(disk, script, journal.Options{Memory: 1})
			if err == nil {
				_, err = disk.Stat(".") // what came last may have failed without harm
			}
			return err
		},
		Next: func(disk *crashfs.FS) error {
			main := []string{"b.one", "B.one", "b.ONE"}[r.IntN(3)]
			_, err := journal.Recover(t.Context(), disk, main, journal.RecoverOptions{})
			if wrong := street.WrongAmong(disk.Files()); wrong != "" {
				t.Error(wrong)
			}
			return err
		},
	}
	if tally := trial.Crash(t.Errorf); tally.Old == 0 || tally.New == 0 {
		t.Errorf("%+v: only one of both states was seen", tally)
	}
}

// A file of ours that is a neighbour's too, by a link of either kind, is not changed in
// its place, and what another process has locked is left alone.
func TestFilesOfNeighbours(t *testing.T) {
	theirs := "b.2024.one"
	for what, c := range map[string]struct {
		lay  func(disk *crashfs.FS)
		want error
	}{
		"a hard link":             {func(disk *crashfs.FS) { disk.Link(theirs, "b.two") }, fsys.ErrLinked},
		"a symbolic link":         {func(disk *crashfs.FS) { disk.Symlink(theirs, "b.two") }, nil},
		"a pipe":                  {func(disk *crashfs.FS) { disk.Pipe("b.two") }, nil},
		"locked by another":       {func(disk *crashfs.FS) { disk.WriteFile("b.one.cbkit-lock", nil); disk.Hold("b.one.cbkit-lock", 99) }, model.ErrLocked},
		"a journal of theirs":     {func(disk *crashfs.FS) { disk.Link("b.2024.cbkit-journal", journalName) }, nil},
		"a link to their journal": {func(disk *crashfs.FS) { disk.Symlink("b.2024.cbkit-journal", journalName) }, fsys.ErrNotRegular},
		"a pipe for a journal":    {func(disk *crashfs.FS) { disk.Pipe(journalName) }, fsys.ErrNotRegular},
	} {
		disk := diskWith(start())
		c.lay(disk)
		before := disk.Files()
		_, _, err := run(disk, []step{{do: "write", name: "b.one", data: []byte("new")}, {do: "write", name: "b.two", data: []byte("new")}, {do: "commit"}}, journal.Options{Memory: 1})
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
		_, _ = journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{}) // refused, or with nothing to do
		if !crashfs.Same(before, disk.Files()) {
			t.Errorf("%s: %v", what, crashfs.Differing(disk.Files(), before, before))
		}
	}
}
