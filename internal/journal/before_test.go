package journal_test

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/internal/journal"
	"cbkit/internal/testkit/must"
)

// Where a file cannot be written to, the state before an interrupted commit can be read
// all the same: names, sizes and every part of every file.
func TestBefore(t *testing.T) {
	n, tried := 60, 0
	if testing.Short() {
		n = 15
	}
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		k := kill(r, start())
		disk := k.disk
		if view, err := journal.Before(disk, "b.one"); view != nil || err != nil {
			t.Fatalf("%d: where it can be taken back: %v, %v", i, view, err)
		}
		for name := range disk.Files() {
			must.Do(t, disk.Chmod(name, 0o444))
		}
		before := disk.Files()
		view, err := journal.Before(disk, "b.one")
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		if view == nil {
			continue // it changed names alone
		}
		tried++
		entries := must.Get(view.ReadDir("."))(t)
		var names []string
		for _, e := range entries {
			if k.old[e.Name()] == nil && filepath.Ext(e.Name()) != ".cbkit-journal" && !near.Has(e.Name()) && len(e.Name()) == len("b.new") {
				t.Errorf("%d: %s is there", i, e.Name())
			}
			names = append(names, e.Name())
		}
		for name, want := range k.old {
			info, err := view.Stat(name)
			if err != nil || info.Size() != int64(len(want)) || info.Name() != name || !slices.Contains(names, name) {
				t.Errorf("%d: %s: %v, %v", i, name, info, err)
				continue
			}
			f := must.Get(view.Open(name))(t)
			for range 50 {
				at := r.IntN(len(want) + 1)
				b := make([]byte, r.IntN(len(want)-at+10))
				got, _ := f.ReadAt(b, int64(at))
				if end := min(at+len(b), len(want)); got != end-at || !bytes.Equal(b[:got], want[at:end]) {
					t.Fatalf("%d: %s at %d: %d bytes, other ones", i, name, at, got)
				}
			}
			if err := f.Close(); err != nil || f.Size() != int64(len(want)) {
				t.Errorf("%d: %s: %d bytes, %v", i, name, f.Size(), err)
			}
		}
		if !same(before, disk.Files()) {
			t.Errorf("%d: something was changed", i)
		}
	}
	if tried < n/2 {
		t.Errorf("%d of %d", tried, n)
	}
}
