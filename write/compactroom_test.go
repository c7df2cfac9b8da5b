package write

import (
	"context"
	"errors"
	"strings"
	"testing"

	"cbkit/internal/testkit/crashfs"
)

// A disk that is too small for the new files is noticed before anything is
// written.
func TestCompactNeedsRoom(t *testing.T) {
	disk := crashDisk(t, false)
	makeHoles(t, disk)
	old := disk.Files()
	free := int64(1)
	opt := CompactOptions{files: disk, free: func() (int64, bool) { return free, true }}
	if _, err := Compact(context.Background(), "games.cbh", opt); !errors.Is(err, ErrDiskFull) || !strings.HasPrefix(err.Error(), "games.cbh: ") {
		t.Errorf("%d free bytes: %v", free, err)
	}
	if now := disk.Files(); !crashfs.Same(old, now) {
		t.Error(crashfs.Differing(now, old, old))
	}
	free = 1 << 20
	if r, err := Compact(context.Background(), "games.cbh", opt); err != nil || r.After >= r.Before {
		t.Errorf("%d free bytes: %+v, %v", free, r, err)
	}
	if crashfs.Same(old, disk.Files()) {
		t.Error("nothing was compacted")
	}
}
