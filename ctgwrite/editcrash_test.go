package ctgwrite_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
)

// bookDisk returns a disk with a book of some pages on it.
func bookDisk(t testing.TB, exact bool) *crashfs.FS {
	t.Helper()
	disk := crashfs.New()
	opt := ctgwrite.BuilderOptions{Jobs: 1}
	opt.Options = ctgwrite.WithFiles(ctgwrite.Options{TempDir: ".", Exact: exact, AcceptLosses: true}, disk)
	b := ctgwrite.NewBuilder(opt)
	defer b.Close()
	if err := b.Add(context.Background(), randomDatabase(41, 40, 40)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Write(context.Background(), "b.ctg"); err != nil {
		t.Fatal(err)
	}
	disk.WriteFile("b.ini", []byte("settings"))
	neighbours.On(disk, "b.ctg")
	return disk
}

// kindsOfEdits are all kinds of changes.
var kindsOfEdits = map[string]func(ed *ctgwrite.Editor) error{
	"add": func(ed *ctgwrite.Editor) error {
		b := ed.NewBuilder(ctgwrite.BuilderOptions{Jobs: 1})
		return errors.Join(b.Add(context.Background(), randomDatabase(42, 12, 40)), ed.Add(context.Background(), b), b.Close())
	},
	"put": func(ed *ctgwrite.Editor) error {
		var errs []error
		for _, e := range randomEntries(43, 12) {
			errs = append(errs, ed.Put(e))
		}
		return errors.Join(errs...)
	},
	"mark": func(ed *ctgwrite.Editor) error {
		start := board.Start()
		e, err := ed.Lookup(start)
		if err != nil {
			return err
		}
		e.Stats.Weight, e.Moves[0].Annotation = 7, 1
		return ed.Put(e)
	},
	"cut": func(ed *ctgwrite.Editor) error {
		start := board.Start()
		e, err := ed.Lookup(start)
		if err != nil {
			return err
		}
		if err := ed.DropMove(start, e.Moves[0].Move); err != nil {
			return err
		}
		_, err = ed.RemoveUnreached(context.Background())
		return err
	},
	"remove": func(ed *ctgwrite.Editor) error {
		start := board.Start()
		return ed.Remove(context.Background(), start)
	},
}

// editOn makes one kind of change on a disk.
func editOn(disk *crashfs.FS, change func(*ctgwrite.Editor) error, memory int) error {
	ctx := context.Background()
	opt := ctgwrite.WithEditFiles(ctgwrite.EditOptions{Memory: memory, AcceptLosses: true}, disk)
	ed, err := ctgwrite.Edit(ctx, "b.ctg", opt)
	if err != nil {
		return err
	}
	if err = change(ed); err == nil {
		err = ed.Commit()
	}
	if closing := ed.Close(); err == nil && closing != nil {
		return errors.Join(model.ErrCommitted, closing)
	}
	return err
}

// eachTrial gives all kinds of edits of books to do.
func eachTrial(t *testing.T, do func(name string, trial crashfs.Trial)) {
	for _, exact := range []bool{false, true} {
		disk := bookDisk(t, exact)
		for i, kind := range slices.Sorted(maps.Keys(kindsOfEdits)) {
			for _, memory := range []int{0, 1} {
				do(kind, crashfs.Trial{
					Before: disk, Seed: uint64(i), Step: crashfs.Of(29, 13, 1),
					Change: func(disk *crashfs.FS) error { return editOn(disk, kindsOfEdits[kind], memory) },
					Next:   func(disk *crashfs.FS) error { return editOn(disk, func(*ctgwrite.Editor) error { return nil }, 0) },
				})
			}
		}
	}
}

// The machine stops at every call to the file system of every kind of edit. The
// next editor finds the old book or the new one, byte for byte, and nothing else.
func TestEditCrashAtEveryCall(t *testing.T) {
	var tally crashfs.Tally
	eachTrial(t, func(name string, trial crashfs.Trial) {
		tally.Add(trial.Crash(func(format string, args ...any) { t.Errorf(name+": "+format, args...) }))
	})
	t.Logf("%d points: %d gave the old book, %d the new one", tally.Points, tally.Old, tally.New)
	if tally.New == 0 || tally.Old == 0 || crashfs.EveryCall() && tally.Points < 5000 {
		t.Error("too few points")
	}
}

// Every call fails once: the edit fails and the old book is there, or it is done.
func TestEditFailureAtEveryCall(t *testing.T) {
	var tally crashfs.Tally
	eachTrial(t, func(name string, trial crashfs.Trial) {
		done := func(err error) bool { return errors.Is(err, model.ErrCommitted) || errors.Is(err, model.ErrUncertain) }
		tally.Add(trial.Fail(done, func(format string, args ...any) { t.Errorf(name+": "+format, args...) }))
	})
	t.Logf("%d points, %d of them with the new book", tally.Points, tally.New)
}
