package write_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// A file of one of two databases that differ in case alone is not taken for the
// other one's that lacks it.
func TestTwinLacksFile(t *testing.T) {
	dir := gen.Folder(t)
	for _, name := range []string{"Games.cbh", "games.cbh"} {
		must.Do(t, copyInto(t.Context(), filepath.Join(dir, name), oneGame("first"), write.Options{Now: clock, Force: true}))
	}
	must.Do(t, os.Remove(filepath.Join(dir, "games.cbj")))
	if _, err := os.Stat(filepath.Join(dir, "Games.cbj")); err != nil {
		t.Skip("upper and lower case are not told apart here")
	}
	before := filesOf(t, filepath.Join(dir, "Games.cbh"))
	path := filepath.Join(dir, "games.cbh")
	ed := edit(t, path)
	must.Do(t, model.Copy(t.Context(), ed, oneGame("second"), model.CopyOptions{}))
	commit(t, ed)
	for ext, content := range filesOf(t, filepath.Join(dir, "Games.cbh")) {
		if before[ext] != content {
			t.Errorf("Games%s has changed", ext)
		}
	}
	if n := len(load(t, path).List); n != 2 {
		t.Errorf("%d games", n)
	}
}

// copyInto writes a database.
func copyInto(ctx context.Context, path string, src model.Source, opt write.Options) error {
	sink, err := write.Create(context.Background(), path, opt)
	if err != nil {
		return err
	}
	return model.Copy(ctx, sink, src, model.CopyOptions{})
}
