package write

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/model"
)

// smallDisk mounts a disk of so many bytes, which only root can do.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	dir := gen.Folder(t)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill makes a file that leaves so many bytes of a disk free.
func fill(t *testing.T, dir string, free int) {
	t.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		t.Fatal(err)
	}
	n := int(s.Bavail)*int(s.Bsize) - free
	if err := os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, max(n, 0)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// On a disk that becomes full, at whatever moment, a change fails with an error
// that says so, the database is the old one byte for byte and nothing is left; with
// room enough it is done.
func TestEditDiskFull(t *testing.T) {
	dir := smallDisk(t, 4<<20)
	path := filepath.Join(dir, "games.cbh")
	sink, err := Create(context.Background(), path, Options{Now: crashClock})
	if err == nil {
		err = model.Copy(context.Background(), sink, newLargeDatabase(2000, 300), model.CopyOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	change := func(ed *Editor) error {
		return errors.Join(ed.Append(context.Background(), newLargeDatabase(500, 400), model.CopyOptions{}),
			annotateGame(ed, 3, strings.Repeat("long ", 2000)))
	}
	full, done := 0, 0
	for free := 0; free < 1<<20; free += int(crashfs.Of(112, 48, 48)) << 10 {
		fill(t, dir, free)
		old := contentsOf(t, dir)
		err := func() error {
			ed, err := Edit(context.Background(), path, EditOptions{Now: crashClock, Memory: 64 << 10})
			if err != nil {
				return err
			}
			if err = change(ed); err == nil {
				err = ed.Commit()
			}
			return errors.Join(err, ed.Close())
		}()
		if err == nil {
			done++
		} else if full++; !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%d bytes free: %v", free, err)
		} else if now := contentsOf(t, dir); !crashfs.Same(old, now) {
			t.Errorf("%d bytes free: %v", free, crashfs.Differing(now, old, old))
		}
		if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
			t.Fatal(err)
		}
		if done > 0 {
			break
		}
	}
	if full < 3 || done == 0 {
		t.Errorf("%d times full, %d times done", full, done)
	}
}
