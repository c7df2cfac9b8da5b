package journal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// alter changes one byte of a file to what it was neither before nor after a
// commit.
func alter(disk *crashfs.FS, name string, at int, states ...state) {
	content := disk.Files()[name]
	for is := func(b byte) bool {
		for _, st := range states {
			if at < len(st[name]) && st[name][at] == b {
				return true
			}
		}
		return b == 0
	}; is(content[at]); {
		content[at]++
	}
	disk.WriteFile(name, content)
}

// interruptions are disks on which a commit was interrupted, by the number of the
// call, and the states before and after it.
func interruptions(t testing.TB, from state, script []step) (disks []*crashfs.FS, old, fresh state) {
	for n := 0; ; n++ {
		disk := diskWith(from)
		disk.CrashAt(n, true)
		done, next, err := runFrom(disk, from, script, journal.Options{})
		if err == nil {
			return disks, from, next
		}
		if !errors.Is(err, crashfs.ErrInjected) {
			t.Fatal(err)
		}
		disk.Plan(nil)
		if left, _ := journal.Interrupted(disk, "b.one"); left != "" && len(done) == len(from) {
			disks = append(disks, disk)
		}
	}
}

// A file that is neither what it was before the commit nor what it was to become
// is somebody's, and nothing is taken back then.
func TestStatesOfOthers(t *testing.T) {
	from := start()
	from["b.five"], from["b.six"] = []byte("five stays as it is"), bytes.Repeat([]byte("six"), 50_000)
	script := append([]step{{do: "write", name: "b.four", at: 4, data: []byte("appended to four")}}, everyKind()...)
	disks, old, fresh := interruptions(t, from, script)
	if len(disks) < 8 {
		t.Fatalf("%d interruptions", len(disks))
	}
	for what, change := range map[string]func(*crashfs.FS) bool{
		"a changed place": func(d *crashfs.FS) bool { alter(d, "b.one", 10, old, fresh); return true },
		"beside a change": func(d *crashfs.FS) bool { alter(d, "b.one", 14, old, fresh); return true },
		"what was appended": func(d *crashfs.FS) bool {
			if len(d.Files()["b.four"]) < 10 {
				return false
			}
			alter(d, "b.four", 9, old, fresh)
			return true
		},
		"a replaced file": func(d *crashfs.FS) bool {
			if d.Files()["b.two"] == nil {
				return false
			}
			alter(d, "b.two", 1, old, fresh)
			return true
		},
		"the old one of a replaced file": func(d *crashfs.FS) bool {
			if d.Files()["b.two.cbkit-undo"] == nil {
				return false
			}
			alter(d, "b.two.cbkit-undo", 1, state{"b.two.cbkit-undo": old["b.two"]})
			return true
		},
		"a replaced file that is nowhere": func(d *crashfs.FS) bool {
			_ = d.Remove("b.two")
			_ = d.Remove("b.two.cbkit-undo")
			return true
		},
		"a dropped file that is nowhere": func(d *crashfs.FS) bool {
			_ = d.Remove("b.three")
			_ = d.Remove("b.three.cbkit-drop")
			return true
		},
		"a dropped file that is another one": func(d *crashfs.FS) bool {
			name := "b.three"
			if d.Files()[name] == nil {
				name += ".cbkit-drop"
			}
			d.WriteFile(name, bytes.Repeat([]byte("x"), len(old["b.three"])))
			return true
		},
		"a new file that is another one": func(d *crashfs.FS) bool {
			d.WriteFile("b.new", []byte("wen"))
			return true
		},
		"a file that was not changed": func(d *crashfs.FS) bool { alter(d, "b.five", 3, old, fresh); return true },
		"a page that was not changed": func(d *crashfs.FS) bool { alter(d, "b.one", 5000, old, fresh); return true },
		"the end of a large file": func(d *crashfs.FS) bool {
			alter(d, "b.six", len(old["b.six"])-1, old, fresh)
			return true
		},
		"a file that was not changed and is longer": func(d *crashfs.FS) bool {
			d.WriteFile("b.five", append(d.Files()["b.five"], 0))
			return true
		},
		"a file that was not changed and is gone": func(d *crashfs.FS) bool { return d.Remove("b.five") == nil },
		"a file that has come since": func(d *crashfs.FS) bool {
			d.WriteFile("b.seven", []byte("seven"))
			return true
		},
	} {
		tried := 0
		for _, disk := range disks {
			disk = disk.Clone()
			if !change(disk) {
				continue
			}
			tried++
			before := disk.Files()
			_, err := journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{})
			if !errors.Is(err, model.ErrNeedsRecovery) || !strings.Contains(err.Error(), "another state of b.one") {
				t.Errorf("%s: %v", what, err)
			}
			if !crashfs.Same(before, disk.Files()) {
				t.Errorf("%s: something was changed", what)
			}
		}
		if tried == 0 {
			t.Errorf("%s: was never there", what)
		}
	}
}

// A link that was laid in the place of a file of the journal is not followed.
func TestLinkBesideJournal(t *testing.T) {
	disk, _ := interrupted(t)
	for _, name := range []string{"b.one", "b.two", "b.three.cbkit-drop", journalName} {
		dir := onDisk(t, near.Without(disk.Files()))
		letter := filepath.Join(t.TempDir(), "letter")
		if err := os.Rename(filepath.Join(dir, name), letter); err != nil {
			t.Fatal(name, err)
		}
		if err := os.Symlink(letter, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
		before := contents(t, dir)
		want, _ := os.ReadFile(letter)
		if _, err := journal.Recover(t.Context(), fsys.OS{}, filepath.Join(dir, "b.one"), journal.RecoverOptions{}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if got, err := os.ReadFile(letter); !bytes.Equal(got, want) || err != nil || !same(before, contents(t, dir)) {
			t.Errorf("%s: something was changed, %v", name, err)
		}
	}
}

// A commit that was interrupted is not taken back through a second name that a file
// got since, which would change with it; with a copy in its place it is.
func TestHardLinkBesideJournal(t *testing.T) {
	disk, old := interrupted(t)
	disk.Link("b.one", "backup")
	before := disk.Files()
	for _, force := range []bool{false, true} {
		_, err := journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{Force: force})
		if !errors.Is(err, fsys.ErrLinked) || !crashfs.Same(before, disk.Files()) {
			t.Errorf("force %v: %v, and changed: %v", force, err, crashfs.Differing(disk.Files(), before, before))
		}
	}
	must.Do(t, disk.Remove("b.one"))
	disk.WriteFile("b.one", before["b.one"])
	must.Get(journal.Recover(t.Context(), disk, "b.one", journal.RecoverOptions{}))(t)
	if got := disk.Files(); !bytes.Equal(got["b.one"], old["b.one"]) || !bytes.Equal(got["backup"], before["backup"]) {
		t.Error("not taken back, or the other name too")
	}
}

// contents returns what is in the files of a folder.
func contents(t *testing.T, dir string) state {
	t.Helper()
	files := state{}
	for _, name := range list(t, dir) {
		files[name], _ = os.ReadFile(filepath.Join(dir, name))
	}
	return files
}

// within fails the test if something takes long.
func within(t *testing.T, what string, do func() error) (err error) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err = <-done:
	case <-time.After(5 * time.Second):
		t.Fatalf("%s: waits", what)
	}
	return err
}
