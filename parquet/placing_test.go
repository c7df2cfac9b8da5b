package parquet

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/model"
)

// What stands in the place of the files that say what is being placed is neither
// written to nor waited for.
func TestPlacingTouchesNothingForeign(t *testing.T) {
	dir := gen.Folder(t)
	f := &folder{files: fsys.OS{}, path: dir, opt: &Options{Part: 1, Parts: 1}, name: "db"}
	precious := filepath.Join(dir, "precious")
	if err := os.WriteFile(precious, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, fmt.Sprintf(".%s.%d.cbkit-writing", f.part(), os.Getpid()))
	if err := os.Link(precious, link); err != nil {
		t.Fatal(err)
	}
	if err := f.announce(&placing{}); err == nil {
		t.Error("announced")
	}
	if b, err := os.ReadFile(precious); string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := os.Stat(link); err != nil {
		t.Error(err)
	}
	if err := os.Mkdir(f.placingName(), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := f.announced(); !errors.Is(err, fsys.ErrNotRegular) {
		t.Errorf("a folder in its place: %v", err)
	}
}

// A process is killed at every third call of writing a part, whose changes of names are not synced
// then, and the power is cut at some call of the recovery.
func TestKilledPartRecovers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	disk := crashfs.New()
	disk.FoldersApart()
	if err := run(disk, someGames(2), 1, 2, false); err != nil {
		t.Fatal(err)
	}
	fresh := disk.Clone()
	if err := run(fresh, someGames(3), 1, 2, false); err != nil {
		t.Fatal(err)
	}
	old, is := content(disk), content(fresh)
	for n := 1; n < fresh.Calls(); n += 3 {
		killed := disk.Clone()
		killed.CrashAt(n, false)
		_ = run(killed, someGames(3), 1, 2, false)
		killed = killed.Kill()
		whole := killed.Clone()
		_, _ = recoverIn(t.Context(), whole, "out", 0)
		for second := range whole.Calls() {
			cut := killed.Clone()
			cut.CrashAt(second, false)
			_, _ = recoverIn(t.Context(), cut, "out", 0)
			for range 2 {
				after := cut.RestartUnordered(func(int) bool { return r.IntN(2) == 0 }, nil)
				if _, err := recoverIn(t.Context(), after, "out", 0); err != nil {
					t.Fatalf("killed at call %d, power cut at call %d of the recovery: %v", n, second, err)
				}
				if got := content(after); !maps.Equal(got, old) && !maps.Equal(got, is) {
					t.Fatalf("killed at call %d, power cut at call %d of the recovery: %v", n, second, after.Names())
				}
			}
		}
	}
}

// The last sync of a run fails, so that its announcement can come back: what the next run of the
// process has not completed is not taken for the files that were announced.
func TestAnnouncementStaysGone(t *testing.T) {
	first := crashfs.New()
	first.FoldersApart()
	if err := run(first, someGames(2), 1, 2, false); err != nil {
		t.Fatal(err)
	}
	last := first.Calls() - 1
	disk := crashfs.New()
	disk.FoldersApart()
	disk.FailAt(last)
	if err := run(disk, someGames(2), 1, 2, false); !errors.Is(err, model.ErrUncertain) {
		t.Fatalf("the sync at call %d of %d: %v", last, last+1, err)
	}
	disk.Plan(nil)
	old := content(disk)
	for n := range first.Calls() {
		cut := disk.Clone()
		cut.CrashAt(n, false)
		_ = run(cut, someGames(3), 1, 2, false)
		after := cut.Restart(nil, nil)
		_, err := recoverIn(t.Context(), after, "out", 0)
		if got := content(after); err != nil || n < 10 && !maps.Equal(got, old) {
			t.Fatalf("cut at call %d of the next run: %v, %v", n, err, after.Names())
		}
	}
}
