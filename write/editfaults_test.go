package write

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// faulty is a file system that refuses what it is told to.
type faulty struct {
	fsys.FS
	open func(name string, flag int) error
	sync func(name string) error
}

func (f *faulty) OpenFile(name string, flag int, perm fs.FileMode) (fsys.File, error) {
	if f.open != nil {
		if err := f.open(name, flag); err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
	}
	file, err := f.FS.OpenFile(name, flag, perm)
	if err != nil || f.sync == nil {
		return file, err
	}
	return &faultyFile{file, f, name}, nil
}

type faultyFile struct {
	fsys.File
	fs   *faulty
	name string
}

func (f *faultyFile) Sync() error {
	if err := f.fs.sync(f.name); err != nil {
		return &fs.PathError{Op: "sync", Path: f.name, Err: err}
	}
	return f.File.Sync()
}

// refuses makes a change of a database of which the file system does not let all
// be done: there is an error that says what of which file, and the database is what
// it was, also for the next editor.
func refuses(t *testing.T, disk *crashfs.FS, files *faulty, what error, name string) {
	t.Helper()
	old := disk.Files()
	files.FS = disk
	ed, err := Edit(context.Background(), "games.cbh", EditOptions{Now: crashClock, files: files})
	if err == nil {
		if err = everything(ed); err == nil {
			err = ed.Commit()
		}
		if closing := ed.Close(); closing != nil {
			t.Errorf("closing: %v", closing)
		}
	}
	if !errors.Is(err, what) || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
		t.Errorf("not one line about %s, %v: %v", name, what, err)
	}
	if now := disk.Files(); !crashfs.Same(old, now) {
		t.Error(crashfs.Differing(now, old, old))
	}
	if err := editOn(disk, everything, 0); err != nil {
		t.Errorf("without the fault: %v", err)
	}
}

// A file that may only be read, and a folder.
func TestEditReadOnly(t *testing.T) {
	for _, ext := range []string{".cbh", ".cbg", ".cba", ".cbp", ".cbj"} {
		refuses(t, crashDisk(t, false), &faulty{open: func(name string, flag int) error {
			if strings.HasSuffix(name, ext) && flag&(os.O_RDWR|os.O_WRONLY) != 0 {
				return fs.ErrPermission
			}
			return nil
		}}, fs.ErrPermission, ext)
	}
	// Nobody writes to a file without any permission for it.
	disk := crashDisk(t, false)
	old := disk.Files()
	must.Do(t, disk.Chmod("games.cbg", 0o444))
	if err := editOn(disk, everything, 0); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "games.cbg") {
		t.Error(err)
	}
	if now := disk.Files(); !crashfs.Same(old, now) {
		t.Error(crashfs.Differing(now, old, old))
	}
	refuses(t, crashDisk(t, false), &faulty{open: func(_ string, flag int) error {
		if flag&os.O_CREATE != 0 {
			return fs.ErrPermission
		}
		return nil
	}}, fs.ErrPermission, "games")
}

// A file that somebody takes away before the commit.
func TestEditFileVanishes(t *testing.T) {
	for _, ext := range []string{".cbh", ".cbg", ".cba", ".cbp", ".cbj"} {
		disk := crashDisk(t, false)
		ed := must.Get(Edit(context.Background(), "games.cbh", EditOptions{Now: crashClock, files: disk}))(t)
		must.Do(t, everything(ed))
		must.Do(t, disk.Remove("games"+ext))
		old := disk.Files()
		if err := ed.Commit(); err == nil || !strings.Contains(err.Error(), "games"+ext) {
			t.Errorf("%s: %v", ext, err)
		}
		_ = ed.Close() // there is nothing to go on with
		if now := disk.Files(); !crashfs.Same(old, now) {
			t.Errorf("%s: %v", ext, crashfs.Differing(now, old, old))
		}
	}
}

// An edit of a database whose files are spelt in capitals is taken back whatever
// the spelling by which it is asked for; the same where the main file was out of
// its place.
func TestEditRecoversWhateverTheSpelling(t *testing.T) {
	before := crashDisk(t, false)
	before.WriteFile("games.CBH", before.Files()["games.cbh"])
	must.Do(t, before.Remove("games.cbh"))
	old, played := before.Files(), 0
	change := func(disk *crashfs.FS) error {
		ed, err := Edit(context.Background(), "games.CBH", EditOptions{Now: crashClock, files: disk, Memory: 1})
		if err != nil {
			return err
		}
		return errors.Join(replaceGameBy(ed, 1, 3000), ed.Commit(), ed.Close())
	}
	whole := before.Clone()
	whole.Plan(nil)
	must.Do(t, change(whole))
	for n := range crashfs.Tried(whole.Calls(), 17, 1) {
		disk := before.Clone()
		disk.CrashAt(n, false)
		_ = change(disk) // cut off
		disk = disk.Restart(func(all int) int { return all }, func(string) bool { return true })
		if disk.Files()["games"+journal.Ending] == nil {
			continue
		}
		played++
		if r, err := recoverSet(disk, "games.cbh", model.RecoverOptions{}); err != nil {
			t.Errorf("call %d: %v", n, err)
		} else if now := disk.Files(); !crashfs.Same(old, now) {
			t.Errorf("call %d: %+v: %v", n, r, crashfs.Differing(now, old, old))
		}
	}
	if played == 0 {
		t.Error("there never was a journal")
	}
}
