package parquet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/fsys"
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
