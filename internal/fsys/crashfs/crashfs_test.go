package crashfs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/fsys/crashfs"
)

func create(t *testing.T, disk *crashfs.FS, name, content string) fsys.File {
	t.Helper()
	f, err := disk.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	return f
}

// Names reach the disk in their order, contents when they are synced.
func TestRestart(t *testing.T) {
	disk := crashfs.New()
	f := create(t, disk, "a", "synced")
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(", not synced")); err != nil {
		t.Fatal(err)
	}
	create(t, disk, "b", "lost")
	if err := disk.Rename("a", "c"); err != nil {
		t.Fatal(err)
	}
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
	if err := disk.Remove("b"); err != nil {
		t.Fatal(err)
	}
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
	if err := disk.Mkdir("d", 0o777); err != nil {
		t.Fatal(err)
	}
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
	if !errors.Is(fsys.RefuseLinked(disk, "b"), fsys.ErrLinked) {
		t.Error("its other name is not seen")
	}
	for _, disk := range []*crashfs.FS{disk.Restart(nil, nil), disk.Clone(), disk} {
		f, err := disk.OpenFile("b", os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt([]byte("new"), 0); err != nil {
			t.Fatal(err)
		}
		if got := disk.Files(); string(got["a"]) != "new" {
			t.Errorf("%q", got)
		}
		if err := errors.Join(disk.Remove("a"), fsys.RefuseLinked(disk, "b")); err != nil {
			t.Error(err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
