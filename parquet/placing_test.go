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
