package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// An archive of which much more comes than it has is refused, with how much comes
// and what to say to have it; what is usual is not.
func TestUnpackTooMuch(t *testing.T) {
	for _, c := range []struct {
		max          count
		packed, want int64
	}{{0, 1000, 1 << 30}, {0, 1 << 30, 100 << 30}, {3, 1 << 30, 3 << 20}, {math.MaxInt, 1, math.MaxInt64 >> 20 << 20}} {
		if got := (&unpackCmd{MaxSize: c.max}).allowed(c.packed); got != c.want {
			t.Errorf("%d of %d: %d, want %d", c.max, c.packed, got, c.want)
		}
	}
	dir := gen.Folder(t)
	db := filepath.Join(dir, "Db.cbh")
	mustRun(t, "import", "-q", written(t, dir, "games.pgn", spelt), db)
	must.Do(t, os.WriteFile(filepath.Join(dir, "Db.cbm"), make([]byte, 3<<20), 0o666))
	packed := filepath.Join(dir, "Db.cbv")
	mustRun(t, "pack", "-q", db, packed)
	out := filepath.Join(dir, "out")
	if r := cbkit(t, "", "unpack", packed, out, "--max-size", "1"); r.status != exitFailed || !strings.Contains(r.errOut, "times as many; 1048576 are allowed; nothing") ||
		!strings.Contains(r.errOut, "--max-size 4") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the folder is there")
	}
	mustRun(t, "unpack", packed, out, "--max-size", "4")
}

// Files that are no database's are recovered by the name of the first.
func TestRecoverUnpacked(t *testing.T) {
	t.Chdir(gen.Folder(t))
	folder := "a.bmp.cbkit-writing"
	must.Do(t, os.Mkdir(folder, 0o777))
	mark := "cbkit made this folder while it was replacing a.bmp. \"cbkit recover\" clears it.\na.bmp\nb.wav\n"
	for name, text := range map[string]string{"cbkit-folder": mark, "a.bmp": "1", "b.wav": "2"} {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	if r := cbkit(t, "", "recover", "a.bmp"); r.status != exitDone || !strings.Contains(r.out, "a.bmp: ") {
		t.Errorf("%+v", r)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
