package journal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

const journalName = "b.cbkit-journal"

// interrupted returns a disk on which a commit was interrupted when it had
// done most of its work, and the state before it.
func interrupted(t testing.TB) (*crashfs.FS, state) {
	for n := 200; n > 0; n-- {
		disk := diskWith(start())
		disk.CrashAt(n, true)
		_, _, err := run(disk, everyKind(), journal.Options{})
		after := disk.Clone()
		after.Plan(nil)
		if left, _ := journal.Interrupted(after, "b.one"); err != nil && left != "" {
			return after, start()
		}
	}
	t.Fatal("no commit could be interrupted")
	return nil, nil
}

// everyKind is a script whose journal has entries of all kinds.
func everyKind() []step {
	return []step{
		{do: "write", name: "b.one", at: 10, data: []byte("one")},
		{do: "write", name: "b.one", at: 9000, data: make([]byte, 100)},
		{do: "rewrite", name: "b.two", data: []byte("two")},
		{do: "drop", name: "b.three"},
		{do: "rewrite", name: "b.new", data: []byte("new")},
		{do: "commit"},
	}
}

// A journal with a wrong bit anywhere, or one that ends too early, is refused,
// and nothing is changed. Whole, it is played back.
func TestDamagedJournal(t *testing.T) {
	disk, old := interrupted(t)
	whole := disk.Files()[journalName]
	refused := func(what string, content []byte) {
		t.Helper()
		damaged := disk.Clone()
		damaged.WriteFile(journalName, content)
		before := state(damaged.Files())
		_, err := journal.Recover(t.Context(), damaged, "b.one", journal.RecoverOptions{})
		if !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%s: %v", what, err)
		}
		_, open := journal.Open(t.Context(), damaged, "b.one", journal.Options{})
		if !errors.Is(open, model.ErrCorrupt) {
			t.Errorf("%s: opening: %v", what, open)
		}
		if !same(before, damaged.Files()) {
			t.Errorf("%s: something was changed", what)
		}
	}
	for i := range crashfs.Tried(len(whole), 17, 1) {
		content := append([]byte(nil), whole...)
		content[i] ^= 1 << (i % 8)
		refused("a wrong bit", content)
		refused("cut", whole[:i])
	}
	refused("longer", append(whole[:len(whole):len(whole)], 0))
	recovered(t, "whole", disk, old)
}

func same(a, b state) bool {
	if len(a) != len(b) {
		return false
	}
	for name, data := range a {
		if string(b[name]) != string(data) {
			return false
		}
	}
	return true
}

// Files that vanished, or that are not those of the journal, are errors that
// change nothing.
func TestForeignFiles(t *testing.T) {
	for what, change := range map[string]func(*crashfs.FS){
		"vanished":                     func(d *crashfs.FS) { _ = d.Remove("b.one") },
		"shorter":                      func(d *crashfs.FS) { d.WriteFile("b.one", []byte("another")) },
		"longer":                       func(d *crashfs.FS) { d.WriteFile("b.one", make([]byte, 10000)) },
		"in the way of a dropped file": func(d *crashfs.FS) { d.WriteFile("b.three", []byte("of somebody")) },
		"a folder instead of the journal": func(d *crashfs.FS) {
			_ = d.Remove(journalName)
			_ = d.Mkdir(journalName, 0o777)
		},
	} {
		disk, _ := interrupted(t)
		change(disk)
		before := disk.Files()
		if _, err := journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{}); err == nil {
			t.Errorf("%s: no error", what)
		} else if left, err := journal.Interrupted(disk, "b.one"); left == "" || err != nil {
			t.Errorf("%s: the journal is gone", what)
		} else if !same(before, disk.Files()) {
			t.Errorf("%s: something was changed", what)
		}
	}
}

// What another program does to a file between the first look at it and the
// commit is not overwritten.
func TestChangedMeanwhile(t *testing.T) {
	for _, name := range []string{"b.one", "b.two", "b.gone"} {
		disk := diskWith(start())
		set := must.Get(journal.Open(t.Context(), disk, "b.one", journal.Options{}))(t)
		must.Get(set.File(name))(t)
		f := must.Get(set.File("b.three"))(t)
		must.Get(f.Append([]byte("more")))(t)
		disk.WriteFile(name, []byte("of somebody else"))
		want := state(disk.Files())
		if err := set.Commit(); !errors.Is(err, model.ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
		if !same(want, disk.Files()) {
			t.Errorf("%s: something was changed", name)
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A journal that cannot be written leaves nothing behind, and the next commit
// works.
func TestJournalCannotBeWritten(t *testing.T) {
	disk := diskWith(start())
	must.Do(t, disk.Mkdir(journalName+"-new", 0o777))
	set := must.Get(journal.Open(t.Context(), disk, "b.one", journal.Options{}))(t)
	write := func() error {
		f, err := set.File("b.one")
		if err == nil {
			_, err = f.Append([]byte("more"))
		}
		return errors.Join(err, set.Commit())
	}
	if err := write(); err == nil || !holds(disk, start()) {
		t.Errorf("the old state should be there: %v", err)
	}
	must.Do(t, disk.Remove(journalName+"-new"))
	next := start()
	next["b.one"] = append(next["b.one"], "more"...)
	if err := write(); err != nil || !holds(disk, next) {
		t.Errorf("the new state should be there: %v", err)
	}
}

// FuzzJournal: whatever a journal says, no file of anybody else changes.
func FuzzJournal(f *testing.F) {
	disk, _ := interrupted(f)
	f.Add(disk.Files()[journalName])
	f.Add([]byte("cbkitjnl\x01\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		disk := disk.Clone()
		disk.WriteFile(journalName, content)
		_, _ = journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{})
		if wrong := near.WrongAmong(disk.Files()); wrong != "" {
			t.Fatal(wrong)
		}
	})
}

// Names that lead elsewhere are refused.
func TestNames(t *testing.T) {
	set := must.Get(journal.Open(t.Context(), diskWith(start()), "b.one", journal.Options{}))(t)
	for _, name := range []string{"other.one", "b", "b.", "bb.one", "../b.one", "b./x", `b.\x`, "b.x/../../y", ""} {
		if _, err := set.File(name); err == nil {
			t.Errorf("%q was taken", name)
		}
	}
	if _, err := journal.Open(t.Context(), crashfs.New(), "b.one", journal.Options{}); err == nil {
		t.Error("a set without its main file was opened")
	}
}

// A database that was renamed while a journal was pending is not taken for another one:
// the error says what it was called, and under that name it is recovered.
func TestRenamedMeanwhile(t *testing.T) {
	disk, old := interrupted(t)
	rename := func(from, to string) {
		for name := range near.Without(disk.Files()) {
			if rest, is := strings.CutPrefix(name, from); is {
				must.Do(t, disk.Rename(name, to+rest))
			}
		}
	}
	rename("b.", "c.")
	before := disk.Files()
	_, opened := journal.Open(t.Context(), disk, "c.one", journal.Options{})
	_, taken := journal.Recover(t.Context(), disk, "c.one", journal.RecoverOptions{})
	for _, err := range []error{opened, taken} {
		if !errors.Is(err, model.ErrNeedsRecovery) || !strings.Contains(err.Error(), "rename all files back to b.*") || !strings.Contains(err.Error(), "c.cbkit-journal") {
			t.Errorf("%v", err)
		}
	}
	if d := cmp.Diff(before, disk.Files()); d != "" {
		t.Error(d)
	}
	rename("c.", "b.")
	recovered(t, "renamed back", disk, old)
}
