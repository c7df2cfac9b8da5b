package tempfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"

	"pgregory.net/rapid"
)

// newName is the n-th name that Create gives beside a target.
func newName(target string, n int) string {
	return fmt.Sprintf("%s.cbkit-new-%d-%d", target, os.Getpid(), n)
}

// Whatever has a name already keeps it and what it holds: a file, a folder, a link
// to a file of somebody's, and one that leads nowhere.
func TestCreateTouchesNothingThatIsThere(t *testing.T) {
	dir := t.TempDir()
	target, somebodys := filepath.Join(dir, "Games.cbb"), filepath.Join(dir, "somebodys")
	for _, name := range []string{somebodys, newName(target, 0)} {
		must.Do(t, os.WriteFile(name, []byte("precious"), 0o600))
	}
	must.Do(t, os.Mkdir(newName(target, 1), 0o700))
	free := 2
	for _, to := range []string{somebodys, filepath.Join(dir, "nowhere")} {
		if err := os.Symlink(to, newName(target, free)); err != nil {
			t.Logf("no links here: %v", err)
			break
		}
		free++
	}
	f, name, err := Create(fsys.OS{}, target, 0o600)
	if err != nil || name != newName(target, free) {
		t.Fatalf("%s, %v; %s is free", name, err, newName(target, free))
	}
	_, err = f.WriteAt([]byte("overwritten"), 0)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{somebodys, newName(target, 0)} {
		if b, err := os.ReadFile(name); string(b) != "precious" {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link was followed: %v", err)
	}
	if b, err := os.ReadFile(name); string(b) != "overwritten" {
		t.Errorf("%s: %q, %v", name, b, err)
	}
}

// A file has the permissions that were asked for, whatever the mask; without any
// those that every other new file has.
func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions of Windows are others")
	}
	dir := t.TempDir()
	usual := must.Get(os.Create(filepath.Join(dir, "usual")))(t)
	defer usual.Close()
	info := must.Get(usual.Stat())(t)
	for asked, want := range map[fs.FileMode]fs.FileMode{0o600: 0o600, 0o666: 0o666, 0o777: 0o777, 0o640: 0o640, 0: info.Mode()} {
		f, name, err := Create(fsys.OS{}, filepath.Join(dir, "Games.cbb"), asked)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%o was asked for: %v, %v; want %v", asked, info.Mode(), err, want)
		}
	}
}

// A call that fails ends the attempt at once and leaves no file behind.
func TestCreateFails(t *testing.T) {
	for call, what := range []string{"opening", "permissions"} {
		disk := crashfs.New()
		disk.FailAt(call)
		f, _, err := Create(disk, "games.cbb", 0o600)
		if !errors.Is(err, crashfs.ErrInjected) || f != nil || len(disk.Names()) > 0 {
			t.Errorf("%s: %v, %v; left %v", what, f, err, disk.Names())
		}
	}
	if _, _, err := Create(fsys.OS{}, filepath.Join(t.TempDir(), "missing", "games.cbb"), 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
	if _, err := NewScratch(fsys.OS{}, filepath.Join(t.TempDir(), "missing"), "sort"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a scratch file in a folder that is not there: %v", err)
	}
}

// Whatever the target, Left finds the files that Create made beside it, and no
// others.
func TestLeftIsTheInverseOfCreate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		disk := crashfs.New()
		targets := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9 .ä-]{1,8}(\.cbkit-new-1-2)?`), 2, 4, rapid.ID).Draw(t, "targets")
		var want []string // of the first target
		for i, target := range targets {
			for range rapid.IntRange(1, 3).Draw(t, "files") {
				f, name, err := Create(disk, "T"+target, 0)
				if err != nil {
					t.Fatal(err)
				}
				must.Do(t, f.Close())
				if i == 0 {
					want = append(want, name)
				}
			}
		}
		left, err := Left(disk, ".", func(name string) bool { return name == "T"+targets[0] })
		slices.Sort(want)
		slices.Sort(left)
		if err != nil || !slices.Equal(left, want) {
			t.Fatalf("%q, %v; want %q", left, err, want)
		}
	})
}

// Names that only look like those of Create, links and folders are nobody's; in
// a folder that is not there nothing is left.
func TestLeftLeavesOthersAlone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		".cbkit-new-1-0", "a.cbkit-new-1", "a.cbkit-new-1-", "a.cbkit-new-1-x", "a.cbkit-new--1-0", "a.cbkit-new-1-0.bak",
		"acbkit-new-1-0", "a.CBKIT-new-1-0", "b.cbkit-new-1-0",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, "a.cbkit-new-2-0"), 0o700))
	if err := os.Symlink("b.cbkit-new-1-0", filepath.Join(dir, "a.cbkit-new-3-0")); err != nil {
		t.Logf("no links here: %v", err)
	}
	isA := func(name string) bool { return name == "a" }
	if left, err := Left(fsys.OS{}, dir, isA); err != nil || len(left) > 0 {
		t.Errorf("%q, %v", left, err)
	}
	mine := filepath.Join(dir, "a.cbkit-new-4711-0")
	must.Do(t, os.WriteFile(mine, nil, 0o600))
	if left, err := Left(fsys.OS{}, dir, isA); err != nil || !slices.Equal(left, []string{mine}) {
		t.Errorf("%q, %v; want %s", left, err, mine)
	}
	if left, err := Left(fsys.OS{}, filepath.Join(dir, "missing"), isA); err != nil || left != nil {
		t.Errorf("%q, %v", left, err)
	}
}

// A scratch file loses its name as soon as it is open; where the system does not
// allow that, it has one until it is closed, and nobody can take it away.
func TestScratch(t *testing.T) {
	for _, keep := range []bool{false, true} {
		disk := crashfs.New()
		if keep {
			disk.KeepOpen()
		}
		var scratch []*Scratch
		for i := range 2 { // they do not get into each other's way
			s := must.Get(NewScratch(disk, ".", "sort"))(t)
			must.Get(s.WriteAt(fmt.Appendf(nil, "file %d", i), 0))(t)
			scratch = append(scratch, s)
		}
		if names := disk.Names(); keep && len(names) != 2 || !keep && len(names) > 0 {
			t.Errorf("kept %v: there are %q", keep, names)
		}
		if removed, err := ClearScratch(disk, "."); err != nil || len(removed) > 0 {
			t.Errorf("kept %v: removed %q, %v, which are in use", keep, removed, err)
		}
		for i, s := range scratch {
			b := make([]byte, 6)
			if _, err := s.ReadAt(b, 0); err != nil || string(b) != fmt.Sprintf("file %d", i) {
				t.Errorf("kept %v: %q, %v", keep, b, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		if names := disk.Names(); len(names) > 0 {
			t.Errorf("kept %v: closed, and %q are there", keep, names)
		}
	}
}

// What killed processes have left of scratch files goes, and nothing else does.
func TestClearScratch(t *testing.T) {
	disk := crashfs.New()
	others := []string{"cbkit-sort-1-0.tmp.bak", "cbkit-Sort-1-0.tmp", "cbkit-sort-1.tmp", "my-cbkit-sort-1-0.tmp", "games.cbh"}
	for _, name := range append([]string{"cbkit-sort-1-0.tmp", "cbkit-lists-4711-12.tmp"}, others...) {
		disk.WriteFile(name, nil)
	}
	must.Do(t, disk.Mkdir("cbkit-sort-2-0.tmp", 0))
	removed, err := ClearScratch(disk, ".")
	if err != nil || !slices.Equal(removed, []string{"cbkit-lists-4711-12.tmp", "cbkit-sort-1-0.tmp"}) {
		t.Errorf("removed %q, %v", removed, err)
	}
	want := append([]string{"cbkit-sort-2-0.tmp"}, others...)
	slices.Sort(want)
	if names := disk.Names(); !slices.Equal(names, want) {
		t.Errorf("left %q, want %q", names, want)
	}
	disk.WriteFile("cbkit-sort-1-0.tmp", nil)
	if s, err := NewScratch(disk, ".", "lists"); err != nil || s.Close() != nil {
		t.Fatal(err)
	}
	if names := disk.Names(); !slices.Equal(names, want) {
		t.Errorf("left beside a new one: %q, want %q", names, want)
	}
	disk.FailAt(0)
	if _, err := ClearScratch(disk, "."); !errors.Is(err, crashfs.ErrInjected) {
		t.Errorf("the folder cannot be read: %v", err)
	}
}
