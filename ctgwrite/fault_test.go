package ctgwrite_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"testing"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/atomicset"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
)

func fenPosition(t testing.TB, fen string) model.Position {
	t.Helper()
	p, err := board.ParseModel(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func legalMoves(t testing.TB, p *model.Position) []model.Move {
	t.Helper()
	b, err := board.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return b.AppendLegal(nil)
}

// operations write a book in every way there is.
func operations(t *testing.T) map[string]func(files fsys.FS) error {
	db := randomDatabase(20, 60, 30)
	list := listBook{randomEntries(21, 200)}
	more := randomEntries(22, 40)
	ctx := context.Background()
	options := func(files fsys.FS) ctgwrite.Options {
		return ctgwrite.WithFiles(ctgwrite.Options{TempDir: ".", Force: true, Extended: true, AcceptLosses: true}, files)
	}
	return map[string]func(fsys.FS) error{
		"write": func(files fsys.FS) error {
			_, err := ctgwrite.Write(ctx, "b.ctg", list, options(files))
			return err
		},
		"merge": func(files fsys.FS) error {
			_, err := ctgwrite.Merge(ctx, "b.ctg", []model.Book{list, listBook{more}}, options(files))
			return err
		},
		"build and prune": func(files fsys.FS) error {
			opt := ctgwrite.BuilderOptions{MinGames: 2, Jobs: 1, Options: options(files)}
			b := ctgwrite.NewBuilder(opt)
			err := b.Add(ctx, db)
			if err == nil {
				_, err = b.Write(ctx, "b.ctg")
			}
			return errors.Join(err, b.Close())
		},
	}
}

// oldBook returns a disk with the book that is replaced, and its files.
func oldBook(t *testing.T) (disk *crashfs.FS, files map[string][]byte) {
	disk = crashfs.New()
	opt := ctgwrite.WithFiles(ctgwrite.Options{TempDir: ".", Extended: true, AcceptLosses: true}, disk)
	if _, err := ctgwrite.Write(context.Background(), "b.ctg", listBook{randomEntries(23, 150)}, opt); err != nil {
		t.Fatal(err)
	}
	disk.WriteFile("b.ini", []byte("settings"))
	neighbours.On(disk, "b.ctg")
	disk.Plan(nil)
	return disk, disk.Files()
}

func equal(a, b map[string][]byte) bool { return maps.EqualFunc(a, b, bytes.Equal) }

// TestCrashAtEveryCall stops the machine at every call to the file system. The
// old book or the new one must be there, after recovery with nothing else but
// temporary files.
func TestCrashAtEveryCall(t *testing.T) {
	base, old := oldBook(t)
	for name, run := range operations(t) {
		disk := base.Clone()
		disk.Plan(nil)
		if err := run(disk); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		calls, want := disk.Calls(), disk.Files()
		outcomes := map[bool]int{}
		for n := range crashfs.Tried(calls, 13, 1) {
			for _, synced := range []bool{false, true} {
				disk := base.Clone()
				disk.CrashAt(n, false)
				if err := run(disk); !errors.Is(err, crashfs.ErrInjected) {
					t.Fatalf("%s: crash at call %d of %d: error %v", name, n, calls, err)
				}
				keep := func(pending int) int { return pending }
				if synced {
					keep = nil
				}
				after := disk.Restart(keep, func(string) bool { return !synced })
				if _, err := atomicset.Recover(after, "b.ctg", atomicset.Options{Extensions: []string{"ctg", "cto", "ctb"}}); err != nil {
					t.Fatalf("%s: crash at call %d: recovering: %v", name, n, err)
				}
				got := after.Files()
				for file := range got {
					if len(file) > 4 && file[len(file)-4:] == ".tmp" {
						delete(got, file)
					}
				}
				isNew := equal(got, want)
				if !isNew && !equal(got, old) {
					t.Fatalf("%s: crash at call %d of %d: neither the old book nor the new one: %v", name, n, calls, after.Names())
				}
				outcomes[isNew]++
			}
		}
		if outcomes[true] == 0 || outcomes[false] == 0 {
			t.Errorf("%s: %d crashes gave the new book, %d the old one", name, outcomes[true], outcomes[false])
		}
	}
}

// TestFailureAtEveryCall lets every call fail once. The error must be told,
// nothing else must be left, and the old book must be whole.
func TestFailureAtEveryCall(t *testing.T) {
	base, old := oldBook(t)
	for name, run := range operations(t) {
		disk := base.Clone()
		disk.Plan(nil)
		if err := run(disk); err != nil {
			t.Fatal(err)
		}
		want := disk.Files()
		for n := range crashfs.Tried(disk.Calls(), 13, 1) {
			disk := base.Clone()
			disk.FailAt(n)
			err := run(disk)
			left := errors.Is(err, model.ErrUntidy)
			got := disk.Files()
			if err == nil && equal(got, want) {
				continue // a temporary file kept its name for longer; nothing else can be so harmless
			}
			if !errors.Is(err, crashfs.ErrInjected) {
				t.Errorf("%s: call %d failed: error %v", name, n, err)
			}
			switch {
			case equal(got, old) && !left:
			case equal(got, want): // done, but for clearing up
			case left: // told which folder to delete
			case len(got) == len(old)+1: // the temporary file could not be removed
			default:
				t.Errorf("%s: call %d failed with %v and left %v", name, n, err, disk.Names())
			}
		}
	}
}
