package write

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/journal"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/read"
)

// fixed lays the files of a disk into a folder that cannot be written to.
func fixed(t *testing.T, files map[string][]byte) (dir string) {
	t.Helper()
	dir = gen.Folder(t)
	for name, content := range files {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), content, 0o444))
	}
	must.Do(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o777) })
	return dir
}

// free lets a folder be written to again.
func free(t *testing.T, dir string) {
	t.Helper()
	err := os.Chmod(dir, 0o777)
	for name := range onDisk(t, dir) {
		err = errors.Join(err, os.Chmod(filepath.Join(dir, name), 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// asText returns all that a database has.
func asText(t *testing.T, path string) string {
	t.Helper()
	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	var out bytes.Buffer
	must.Do(t, model.Copy(context.Background(), jsonl.NewWriter(&out, jsonl.WriterOptions{AcceptLosses: true}), db, model.CopyOptions{}))
	return out.String()
}

// Where an edit was interrupted and nothing can be written, a database is read, checked
// and salvaged as it was before the edit, wherever that was cut off; where it can be
// put right, that is asked for.
func TestReadOnlyMedium(t *testing.T) {
	db := newLargeDatabase(60, 20)
	start := largeDisk(t, db)
	old := fixed(t, start.Files())
	want := asText(t, filepath.Join(old, "games.cbh"))
	save := func(dir string) string {
		target := filepath.Join(gen.Folder(t), "saved.cbh")
		if _, err := Salvage(context.Background(), filepath.Join(dir, "games.cbh"), target, SalvageOptions{Now: crashClock}); err != nil {
			t.Error(err)
			return ""
		}
		return asText(t, target)
	}
	saved := save(old)
	tried := 0
	for n := 0; ; n++ {
		disk := start.Clone()
		disk.CrashAt(n, true)
		ed, err := Edit(context.Background(), "games.cbh", EditOptions{Now: crashClock, AcceptLosses: true, files: disk})
		if err == nil {
			for _, e := range smallEdits {
				err = errors.Join(err, e.change(ed, db))
			}
			if err == nil {
				err = ed.Commit()
			}
			err = errors.Join(err, ed.Close())
		}
		if err == nil {
			break
		}
		files := disk.Files()
		if files["games"+journal.Ending] == nil {
			continue
		}
		tried++
		dir := fixed(t, files)
		path := filepath.Join(dir, "games.cbh")
		if got := asText(t, path); got != want {
			t.Fatalf("cut at call %d: other games", n)
		}
		if s, err := check.Database(context.Background(), path, check.Options{}).Summary(); err != nil || s.Errors > 0 {
			t.Errorf("cut at call %d: check: %+v, %v", n, s, err)
		}
		if tried%7 == 0 && save(dir) != saved {
			t.Errorf("cut at call %d: other games salvaged", n)
		}
		if now := onDisk(t, dir); !crashfs.Same(now, files) {
			t.Errorf("cut at call %d: something was written: %v", n, crashfs.Differing(now, files, files))
		}
	}
	if tried < 20 {
		t.Fatalf("%d interruptions", tried)
	}
}

// onDisk returns what is in the files of a folder.
func onDisk(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if err == nil {
			files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name()))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// On a medium that cannot be written to, files that a journal is not about are not read
// as if they were: the error is that of a recovery. Who reads notices that the edit was
// taken back all the same.
func TestReadOnlyMediumOfAnotherState(t *testing.T) {
	db := newLargeDatabase(60, 20)
	start := largeDisk(t, db)
	var files map[string][]byte
	for n := 300; files["games"+journal.Ending] == nil; n-- {
		disk := start.Clone()
		disk.CrashAt(n, true)
		if ed, err := Edit(context.Background(), "games.cbh", EditOptions{Now: crashClock, AcceptLosses: true, files: disk}); err == nil {
			_ = errors.Join(smallEdits[0].change(ed, db), ed.Commit(), ed.Close())
		}
		files = disk.Files()
	}
	watched := fixed(t, files)
	set := must.Get(read.FindFiles(filepath.Join(watched, "games.cbh")))(t)
	_, w, err := set.Watch(".cbh")
	if err != nil || w.Check() != nil {
		t.Fatal(err, w.Check())
	}
	free(t, watched)
	must.Get(Recover(filepath.Join(watched, "games.cbh"), model.RecoverOptions{}))(t)
	if err := w.Check(); !errors.Is(err, model.ErrChanged) {
		t.Errorf("taken back meanwhile: %v", err)
	}

	files["games.cbs"][20]++
	dir := fixed(t, files)
	if _, err := read.Open(filepath.Join(dir, "games.cbh"), read.Options{}); !errors.Is(err, model.ErrNeedsRecovery) || !strings.Contains(err.Error(), "another state of games.cbh") {
		t.Error(err)
	}
	free(t, dir)
	if _, err := read.Open(filepath.Join(dir, "games.cbh"), read.Options{}); !errors.Is(err, model.ErrNeedsRecovery) || !strings.Contains(err.Error(), "run cbkit recover") {
		t.Error(err)
	}
}
