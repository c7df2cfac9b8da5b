package write

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// Whoever waits for a database, and finds that its writer ended in the middle of
// replacing it, is told to recover it, not that it is not there.
func TestWriterEndedReplacing(t *testing.T) {
	main := filepath.Join(gen.Folder(t), "Games.cbh")
	backup := main + ".cbkit-backup"
	must.Do(t, os.Mkdir(backup, 0o777))
	for _, name := range []string{"cbkit-folder", "Games.cbh"} {
		must.Do(t, os.WriteFile(filepath.Join(backup, name), nil, 0o666))
	}
	_, err := openSet(t.Context(), fsys.OS{}, main, journal.Options{})
	if !errors.Is(err, model.ErrNeedsRecovery) {
		t.Errorf("%v", err)
	}
}

// Who replaces a database is waited for, by those who were asked to wait.
func TestWaitForReplacing(t *testing.T) {
	main := filepath.Join(gen.Folder(t), "Games.cbh")
	must.Do(t, os.Mkdir(main+".cbkit-backup", 0o777))
	must.Do(t, os.WriteFile(filepath.Join(main+".cbkit-backup", "cbkit-folder"), nil, 0o666))
	held := must.Get(lock.Acquire(t.Context(), fsys.OS{}, main, lock.Writer, 0))(t)
	defer held.Release()
	for what, open := range map[string]func(context.Context, time.Duration) error{
		"an editor": func(ctx context.Context, wait time.Duration) error {
			_, err := Edit(ctx, main, EditOptions{Wait: wait})
			return err
		},
		"boosters": func(ctx context.Context, wait time.Duration) error {
			_, err := Boosters(ctx, main, BoosterOptions{Wait: wait})
			return err
		},
	} {
		if err := open(t.Context(), 0); !errors.Is(err, model.ErrLocked) {
			t.Errorf("%s that does not wait: %v", what, err)
		}
		start := time.Now()
		if err := open(t.Context(), 200*time.Millisecond); !errors.Is(err, model.ErrLocked) || time.Since(start) < 200*time.Millisecond {
			t.Errorf("%s that waits: %v after %v", what, err, time.Since(start))
		}
	}
}
