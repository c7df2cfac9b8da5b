package journal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"cbkit/internal/fsys"
	"cbkit/internal/journal"
)

// peer reads a set on the machine's disk while a writer is at work, by the rule
// of the package. It reports whether what it read counts.
func peer(t *testing.T, main string, names []string) (content [][]byte, counts bool) {
	t.Helper()
	free := func() bool {
		left, err := journal.Interrupted(fsys.OS{}, main)
		if err != nil {
			t.Error(err)
		}
		return left == ""
	}
	info, err := os.Stat(main)
	if err != nil || !free() {
		return nil, false
	}
	stamp := journal.NewStamp(info)
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, false
		}
		content = append(content, b)
		time.Sleep(100 * time.Microsecond) // so that the writer overtakes some
	}
	if !free() {
		return nil, false
	}
	now, err := os.Stat(main)
	return content, err == nil && stamp.Same(now)
}

// Every state that a reader beside a writer believes in was committed: all
// files have the number of the same commit all over.
func TestReadersBesideWriter(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "b.one")
	names := []string{main, filepath.Join(dir, "b.two"), filepath.Join(dir, "b.three")}
	for _, name := range names {
		if err := os.WriteFile(name, make([]byte, 20000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set, err := journal.Open(t.Context(), fsys.OS{}, main, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var done atomic.Bool
	seen := make(chan [2]int)
	for range 2 {
		go func() {
			good, overtaken := 0, 0
			for !done.Load() {
				content, counts := peer(t, main, names)
				if !counts {
					overtaken++
					time.Sleep(time.Millisecond)
					continue
				}
				good++
				for _, b := range content {
					if len(b) != 20000 || !bytes.Equal(b, bytes.Repeat(content[0][:1], 20000)) {
						t.Error("a mixture of two states")
						done.Store(true)
					}
				}
			}
			seen <- [2]int{good, overtaken}
		}()
	}
	for n := range 100 {
		for i, name := range []string{"b.one", "b.two", "b.three"} {
			f, err := set.File(name)
			if err != nil {
				t.Fatal(err)
			}
			content := bytes.Repeat([]byte{byte(n + 1)}, 20000)
			if i == 2 && n%3 == 0 {
				r, err := f.Rewrite()
				if err != nil {
					t.Fatal(err)
				}
				if _, err = r.Write(content); err == nil {
					err = r.Done()
				}
				if err != nil {
					t.Fatal(err)
				}
			} else if _, err := f.WriteAt(content, 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := set.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	done.Store(true)
	good, overtaken := 0, 0
	for range 2 {
		n := <-seen
		good, overtaken = good+n[0], overtaken+n[1]
	}
	t.Logf("%d readings counted, %d were overtaken", good, overtaken)
	if good == 0 || overtaken == 0 {
		t.Error("both were to be seen")
	}
	if err := set.Close(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%v are there, %v", entries, err)
	}
}
