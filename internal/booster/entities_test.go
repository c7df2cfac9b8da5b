package booster

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/internal/cbh"
)

// Walking through a real tree meets all live records, in the order of their
// names.
func TestWalkRealTree(t *testing.T) {
	for _, name := range []string{"cbh/twic1134/twic1134", "cbh/hedgehog/Hedgehog", "cbh/small/small"} {
		e, err := OpenEntities(corpusFolder(t, name), &cbh.Players.EntityFile)
		if err != nil {
			t.Fatal(err)
		}
		var all, walked []int32
		for r, err := range e.All() {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r.ID)
		}
		var last []byte
		for r, err := range e.From(func([]byte) bool { return false }) {
			if err != nil {
				t.Fatal(err)
			}
			if last != nil && cbh.Players.Compare(last, r.Payload, false) > 0 {
				t.Errorf("%s: record %d comes too late", name, r.ID)
			}
			last = slices.Clone(r.Payload)
			walked = append(walked, r.ID)
		}
		if slices.Sort(walked); !slices.Equal(all, walked) || e.Visited() != len(walked) {
			t.Errorf("%s: %d records, %d met, %d visited", name, len(all), len(walked), e.Visited())
		}
		e.Close()
	}
}

// entityFile is a file of annotators with the given links.
func entityFile(root int32, links ...cbh.EntityLinks) []byte {
	head := cbh.NewEntityHeader(&cbh.Annotators.EntityFile)
	head.Capacity, head.Root, head.Live = int32(len(links)), root, int32(len(links))
	b := head.Append(nil)
	for i, l := range links {
		b = append(l.Append(b), bytes.Repeat([]byte{byte('a' + i)}, cbh.Annotators.Size)...)
	}
	return b
}

// A walk through a damaged tree ends with an error.
func TestWalkDamagedTree(t *testing.T) {
	leaf := cbh.EntityLinks{Left: -1, Right: -1}
	for name, b := range map[string][]byte{
		"root":    entityFile(7, leaf),
		"circle":  entityFile(0, cbh.EntityLinks{Left: 0, Right: -1}),
		"right":   entityFile(0, cbh.EntityLinks{Left: -1, Right: 0}),
		"outside": entityFile(0, cbh.EntityLinks{Left: -1, Right: 5}),
		"deleted": entityFile(0, cbh.EntityLinks{Left: 1, Right: -1}, cbh.EntityLinks{Left: cbh.DeletedLink, Right: -1}),
	} {
		e, err := OpenEntities(saved(t, map[string][]byte{".cbc": b}), &cbh.Annotators.EntityFile)
		if err != nil {
			t.Fatal(err)
		}
		var last error
		n := 0
		for _, err := range e.From(func([]byte) bool { return false }) {
			n, last = n+1, err
		}
		if last == nil || n > 3 {
			t.Errorf("%s: %d steps, %v", name, n, last)
		}
		e.Close()
	}
}

// FuzzEntityWalk: a walk ends, whatever the file holds.
func FuzzEntityWalk(f *testing.F) {
	leaf := cbh.EntityLinks{Left: -1, Right: -1}
	f.Add(entityFile(1, leaf, cbh.EntityLinks{Left: 0, Right: 2}, leaf), byte('b'))
	f.Add(entityFile(0, cbh.EntityLinks{Left: 0, Right: 0}), byte('a'))
	files := folder(filepath.Join(f.TempDir(), "db"))
	f.Fuzz(func(t *testing.T, b []byte, from byte) {
		overwrite(t, files, ".cbc", b)
		e, err := OpenEntities(files, &cbh.Annotators.EntityFile)
		if err != nil {
			return
		}
		defer e.Close()
		n := int32(0)
		for r, err := range e.From(func(p []byte) bool { return p[0] < from }) {
			if n++; err == nil && (r.ID < 0 || r.ID >= e.Count) || n > e.Count+1 {
				t.Fatalf("step %d, record %d of %d", n, r.ID, e.Count)
			}
		}
	})
}
