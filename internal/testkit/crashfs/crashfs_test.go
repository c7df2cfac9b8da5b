package crashfs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
)

func create(t *testing.T, disk *crashfs.FS, name, content string) fsys.File {
	t.Helper()
	f := must.Get(disk.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666))(t)
	must.Get(f.Write([]byte(content)))(t)
	return f
}

// Names reach the disk in their order, contents when they are synced.
func TestRestart(t *testing.T) {
	disk := crashfs.New()
	f := create(t, disk, "a", "synced")
	must.Do(t, f.Sync())
	must.Get(f.Write([]byte(", not synced")))(t)
	create(t, disk, "b", "lost")
	must.Do(t, disk.Rename("a", "c"))
	always := func(string) bool { return true }
	for _, c := range []struct {
		keep    int
		content func(string) bool
		want    map[string]string
	}{
		{0, nil, map[string]string{"a": "synced"}},
		{1, nil, map[string]string{"a": "synced", "b": ""}},
		{2, nil, map[string]string{"b": "", "c": "synced"}},
		{2, always, map[string]string{"b": "lost", "c": "synced, not synced"}},
	} {
		after := disk.Restart(func(pending int) int {
			if pending != 2 {
				t.Errorf("%d changes of names are pending, want 2", pending)
			}
			return c.keep
		}, c.content)
		got := map[string]string{}
		for name, data := range after.Files() {
			got[name] = string(data)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("with %d changes: %v, want %v", c.keep, got, c.want)
		}
	}
	// The restarted disk does not change with the old one.
	after := disk.Restart(nil, nil)
	must.Do(t, disk.Remove("b"))
	if !slices.Equal(after.Names(), []string{"a"}) {
		t.Errorf("names %v", after.Names())
	}
}

func TestFates(t *testing.T) {
	disk := crashfs.New()
	f := create(t, disk, "a", "")
	disk.CutAt(0)
	if n, err := f.Write([]byte("1234")); n != 2 || !errors.Is(err, crashfs.ErrInjected) {
		t.Errorf("a write that is cut off: %d, %v", n, err)
	}
	disk.FailAt(0)
	if n, err := f.Write([]byte("5")); n != 0 || !errors.Is(err, crashfs.ErrInjected) {
		t.Errorf("a write that fails: %d, %v", n, err)
	}
	disk.CutAt(1)
	if err := disk.Mkdir("d", 0o777); err != nil {
		t.Error(err)
	}
	if err := disk.Rename("a", "d/b"); !errors.Is(err, crashfs.ErrInjected) {
		t.Errorf("a renaming that is cut off: %v", err)
	}
	disk.Plan(nil)
	if got := disk.Files(); string(got["d/b"]) != "12" || len(got) != 1 {
		t.Errorf("files %q", got)
	}
	disk.CrashAt(1, true)
	if _, err := disk.Stat("d"); err != nil {
		t.Error(err)
	}
	for range 3 {
		if err := disk.Remove("d/b"); !errors.Is(err, crashfs.ErrInjected) {
			t.Errorf("after the crash: %v", err)
		}
	}
	if disk.Calls() != 4 {
		t.Errorf("%d calls, want 4", disk.Calls())
	}
}

func TestErrorsOfFileSystems(t *testing.T) {
	disk := crashfs.New()
	create(t, disk, "a", "x")
	must.Do(t, disk.Mkdir("d", 0o777))
	create(t, disk, "d/b", "y")
	for what, c := range map[string]struct {
		err  error
		want error
	}{
		"opening nothing":         {second(disk.OpenFile("no", os.O_RDONLY, 0)), fs.ErrNotExist},
		"creating twice":          {second(disk.OpenFile("a", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0)), fs.ErrExist},
		"creating in nothing":     {second(disk.OpenFile("no/a", os.O_RDWR|os.O_CREATE, 0)), fs.ErrNotExist},
		"making a folder twice":   {disk.Mkdir("d", 0), fs.ErrExist},
		"renaming onto something": {disk.Rename("a", "d/b"), fs.ErrExist},
		"renaming nothing":        {disk.Rename("no", "x"), fs.ErrNotExist},
		"removing nothing":        {disk.Remove("no"), fs.ErrNotExist},
		"listing a file":          {second(disk.ReadDir("a")), fs.ErrNotExist},
		"describing nothing":      {second(disk.Stat("no")), fs.ErrNotExist},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", what, c.err, c.want)
		}
	}
	if err := disk.Remove("d"); err == nil {
		t.Error("a folder that is not empty was removed")
	}
}

// A file with two names is one file, also after a crash.
func TestHardLinks(t *testing.T) {
	disk := crashfs.New()
	disk.WriteFile("a", []byte("old"))
	disk.Link("a", "b")
	refuse := func(disk *crashfs.FS) error {
		info, err := disk.Stat("b")
		return errors.Join(err, fsys.RefuseLinked("b", info))
	}
	if !errors.Is(refuse(disk), fsys.ErrLinked) {
		t.Error("its other name is not seen")
	}
	for _, disk := range []*crashfs.FS{disk.Restart(nil, nil), disk.Clone(), disk} {
		f := must.Get(disk.OpenFile("b", os.O_RDWR, 0))(t)
		must.Get(f.WriteAt([]byte("new"), 0))(t)
		if got := disk.Files(); string(got["a"]) != "new" {
			t.Errorf("%q", got)
		}
		if err := errors.Join(disk.Remove("a"), refuse(disk)); err != nil {
			t.Error(err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// A link is followed by who opens or describes what it leads to, and is a thing of its
// own to who removes or renames it.
func TestSymlinks(t *testing.T) {
	disk := crashfs.New()
	must.Do(t, disk.Mkdir("far", 0o777))
	disk.WriteFile("far/a", []byte("old"))
	disk.Symlink("far/a", "b")
	disk.Symlink("far", "folder")
	disk.Symlink("nowhere", "c")
	disk.Symlink("d", "d")
	for _, disk := range []*crashfs.FS{disk.Restart(nil, nil), disk.Clone(), disk} {
		info, err := disk.Lstat("b")
		if err != nil || info.Mode().Type() != fs.ModeSymlink {
			t.Errorf("the link is %v, %v", info, err)
		}
		if info, err := disk.Stat("b"); err != nil || !info.Mode().IsRegular() || info.Size() != 3 {
			t.Errorf("it leads to %v, %v", info, err)
		}
		for _, name := range []string{"b", "folder/a"} {
			f := must.Get(disk.OpenFile(name, os.O_RDWR, 0))(t)
			if _, err := f.WriteAt([]byte(name), 0); err != nil || texts(disk)["far/a"][:len(name)] != name {
				t.Errorf("through %s: %v, %v", name, texts(disk), err)
			}
		}
		if list, err := disk.ReadDir("folder"); err != nil || len(list) != 1 {
			t.Errorf("in the folder: %v, %v", list, err)
		}
		for name, want := range map[string]error{"c": fs.ErrNotExist, "d": fsys.ErrNotRegular} {
			if _, err := disk.OpenFile(name, os.O_RDONLY, 0); !errors.Is(err, want) {
				t.Errorf("opening %s: %v", name, err)
			}
		}
		if _, err := disk.OpenFile("c", os.O_CREATE|os.O_EXCL, 0); !errors.Is(err, fs.ErrExist) {
			t.Errorf("making a file in the place of a link: %v", err)
		}
		if err := errors.Join(disk.Rename("b", "e"), disk.Remove("folder")); err != nil {
			t.Error(err)
		}
		want := map[string]string{"far/a": "folder/a", "e": "-> far/a", "c": "-> nowhere", "d": "-> d"}
		if got := texts(disk); !maps.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// texts are the files of a disk.
func texts(disk *crashfs.FS) map[string]string {
	list := map[string]string{}
	for name, data := range disk.Files() {
		list[name] = string(data)
	}
	return list
}

// A pipe is there, and is not opened.
func TestPipes(t *testing.T) {
	disk := crashfs.New()
	disk.Pipe("a")
	for _, disk := range []*crashfs.FS{disk.Restart(nil, nil), disk.Clone(), disk} {
		if _, err := disk.OpenFile("a", os.O_RDWR|os.O_CREATE, 0o666); !errors.Is(err, fsys.ErrNotRegular) {
			t.Errorf("opened: %v", err)
		}
		if list, err := disk.ReadDir("."); err != nil || len(list) != 1 || list[0].Type() != fs.ModeNamedPipe {
			t.Errorf("the folder has %v, %v", list, err)
		}
		disk.WriteFile("b", []byte("a pipe"))
		if err := errors.Join(disk.Remove("a"), disk.Rename("b", "a")); err != nil {
			t.Error(err)
		}
		if info, err := disk.Lstat("a"); err != nil || !info.Mode().IsRegular() {
			t.Errorf("a file in its place is %v, %v", info, err)
		}
	}
}

// What another process has locked nobody gets, until the machine starts again.
func TestLocksOfOthers(t *testing.T) {
	disk := crashfs.New()
	for _, kind := range []lock.Kind{lock.Writer, lock.Commit} {
		disk.WriteFile(lock.File("a.ctg", kind), nil)
		disk.Hold(lock.File("a.ctg", kind), 99)
	}
	for _, kind := range []lock.Kind{lock.Writer, lock.Commit} {
		for _, c := range []struct {
			disk   *crashfs.FS
			target string
			pid    int
		}{{disk, "a.ctg", 99}, {disk.Clone(), "a.ctg", 99}, {disk, "b.ctg", 0}, {disk.Restart(nil, nil), "a.ctg", 0}} {
			var held *lock.HeldError
			l, err := lock.Acquire(t.Context(), c.disk, c.target, kind, 0)
			if locked := errors.As(err, &held); locked != (c.pid != 0) || locked && held.PID != c.pid {
				t.Errorf("%s: %v, want process %d", c.target, err, c.pid)
			}
			if err == nil {
				if err := l.Release(); err != nil {
					t.Error(err)
				}
			}
			if pid, is, err := lock.Holder(c.disk, c.target, kind); pid != c.pid || is != (c.pid != 0) || err != nil {
				t.Errorf("%s: %d %t %v, want %d", c.target, pid, is, err, c.pid)
			}
		}
	}
}

// Where case means nothing a name is found in any, is spelt as it was made, and no
// other that differs in case alone can be there, whatever a crash has lost.
func TestIgnoreCase(t *testing.T) {
	disk := crashfs.New()
	disk.IgnoreCase()
	must.Do(t, disk.Mkdir("Far", 0o777))
	disk.WriteFile("Games.cbh", []byte("old"))
	must.Do(t, disk.Rename("GAMES.CBH", "far/Games.CBH"))
	if got := disk.Names(); !slices.Equal(got, []string{"Far", "Far/Games.CBH"}) {
		t.Errorf("names %q", got)
	}
	create(t, disk, "games.CBH", "new")
	for what, err := range map[string]error{
		"making one more":     second(disk.OpenFile("GAMES.cbh", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0)),
		"making a folder":     disk.Mkdir("FAR", 0),
		"renaming onto it":    disk.Rename("far/games.cbh", "games.cbh"),
		"in another spelling": disk.Rename("games.cbh", "Games.cbh"),
	} {
		if !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if f, err := disk.OpenFile("FAR/GAMES.cbh", os.O_RDWR, 0); err != nil {
		t.Error(err)
	} else if _, err := f.WriteAt([]byte("n"), 0); err != nil || texts(disk)["Far/Games.CBH"] != "nld" {
		t.Errorf("%v, %v", texts(disk), err)
	}
	for _, after := range []*crashfs.FS{
		disk.RestartUnordered(func(change int) bool { return change == 1 }, nil), // the renaming is lost
		disk.Clone(),
	} {
		if _, err := after.Lstat("GAMES.cbh"); err != nil {
			t.Error(err)
		}
		spellings := map[string]bool{}
		for _, name := range after.Names() {
			if lower := strings.ToLower(name); spellings[lower] {
				t.Errorf("names %q", after.Names())
			} else {
				spellings[lower] = true
			}
		}
	}
}

// What is in a folder is in it whatever becomes of the folder's name, and with folders
// apart a sync of one says nothing of another.
func TestFoldersAndTheirNames(t *testing.T) {
	for _, c := range []struct {
		apart bool
		sync  string
		lost  int // which change is, of those that are left
		left  int
		want  []string
	}{
		{false, "", 1, 3, []string{"d", "f"}}, // the folder's new name: f has left it all the same
		{false, "", 2, 3, []string{"e", "e/f"}},
		{false, "", 0, 3, []string{"e"}}, // the file was never made
		{false, ".", -1, 0, []string{"e", "f"}},
		{true, ".", 0, 2, []string{"e"}},
		{true, "e", 0, 2, []string{"d", "f"}},
		{true, "e", 1, 2, []string{"e", "e/f"}}, // the folder where it went was not synced
	} {
		disk := crashfs.New()
		must.Do(t, disk.Mkdir("d", 0o777))
		must.Do(t, disk.SyncDir("."))
		if c.apart {
			disk.FoldersApart()
		} else {
			disk.StrictNames()
		}
		create(t, disk, "d/f", "")
		for _, r := range [][2]string{{"d", "e"}, {"e/f", "f"}} {
			must.Do(t, disk.Rename(r[0], r[1]))
		}
		if c.sync != "" {
			must.Do(t, disk.SyncDir(c.sync))
		}
		if disk.Pending() != c.left {
			t.Errorf("%+v: %d changes are left", c, disk.Pending())
		}
		for _, disk := range []*crashfs.FS{disk, disk.Clone()} {
			after := disk.RestartUnordered(func(change int) bool { return change != c.lost }, nil)
			if got := after.Names(); !slices.Equal(got, c.want) {
				t.Errorf("%+v: %v", c, got)
			}
			if again := after.Restart(nil, nil).Names(); !slices.Equal(again, c.want) {
				t.Errorf("%+v: after another restart %v", c, again)
			}
		}
	}
}
