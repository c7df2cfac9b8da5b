package write_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
	"cbkit/write"
)

// Every way to change a database leaves those beside it as they were, whatever
// they are called, and does what it was told to the one that is named.
func TestNeighboursStay(t *testing.T) {
	add := func(t *testing.T, ed *write.Editor, name string) {
		t.Helper()
		if err := ed.Append(t.Context(), oneGame(name), model.CopyOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for what, do := range map[string]func(t *testing.T, path string) (games int, err error){
		"append": func(t *testing.T, path string) (int, error) {
			ed := edit(t, path)
			add(t, ed, "new")
			commit(t, ed)
			return 3, nil
		},
		"dry run": func(t *testing.T, path string) (int, error) {
			ed := edit(t, path)
			add(t, ed, "new")
			_, err := ed.DryRun()
			return 2, errors.Join(err, ed.Close())
		},
		"compact": func(t *testing.T, path string) (int, error) {
			_, err := write.Compact(t.Context(), path, write.CompactOptions{Purge: true})
			return 2, err
		},
		"repair": func(t *testing.T, path string) (int, error) {
			_, err := write.Repair(t.Context(), path, write.RepairOptions{})
			return 2, err
		},
		"boosters": func(t *testing.T, path string) (int, error) {
			_, err := write.Boosters(t.Context(), path, write.BoosterOptions{})
			return 2, err
		},
		"recover": func(t *testing.T, path string) (int, error) {
			_, err := write.Recover(path, model.RecoverOptions{})
			return 2, err
		},
		"replace": func(t *testing.T, path string) (int, error) {
			err := copyInto(t.Context(), path, oneGame("other"), write.Options{Force: true, Now: clock})
			return 1, err
		},
	} {
		t.Run(what, func(t *testing.T) {
			path := filepath.Join(gen.Folder(t), "Games.cbh")
			if err := copyInto(t.Context(), path, oneGame("first"), write.Options{Now: clock}); err != nil {
				t.Fatal(err)
			}
			ed := edit(t, path)
			add(t, ed, "second")
			commit(t, ed)
			neighbours.Beside(t, path)
			games, err := do(t, path)
			if err != nil {
				t.Fatal(err)
			}
			if got := load(t, path); len(got.List) != games {
				t.Errorf("%d records, want %d", len(got.List), games)
			}
		})
	}
}

// A file of one of two databases that differ in case alone is not taken for the
// other one's that lacks it.
func TestTwinLacksFile(t *testing.T) {
	dir := gen.Folder(t)
	for _, name := range []string{"Games.cbh", "games.cbh"} {
		if err := copyInto(t.Context(), filepath.Join(dir, name), oneGame("first"), write.Options{Now: clock, Force: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "games.cbj")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "Games.cbj")); err != nil {
		t.Skip("upper and lower case are not told apart here")
	}
	before := filesOf(t, filepath.Join(dir, "Games.cbh"))
	path := filepath.Join(dir, "games.cbh")
	ed := edit(t, path)
	if err := model.Copy(t.Context(), ed, oneGame("second"), model.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
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

// The same of a Simple Chess Database.
func TestNeighboursOfSimple(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "Games.dci")
	writeSimple(t, path, oneGame("first"), write.Options{})
	neighbours.Beside(t, path)
	ed, err := write.EditSimple(context.Background(), path, write.EditOptions{AcceptLosses: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := model.Copy(context.Background(), ed, oneGame("second"), model.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := ed.Close(); err != nil {
		t.Fatal(err)
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
