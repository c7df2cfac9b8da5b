package write_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/seeds"
	"cbkit/model"
	"cbkit/write"
)

// lostNotes is a database of which some games have lost their annotations: their headers
// say that they have some and not where, and nothing points to what is there.
type lostAnnotations struct {
	path  string
	whole *model.Database
	lost  []int
	bytes [][]byte // the annotations that nothing points to
	// renamed is whether these name other games than theirs: nothing proves whose they are.
	renamed bool
}

// losing makes a database of so many games, all but some with annotations, and takes the
// places out of some headers. With renamed the annotations name other games than theirs.
func losing(t *testing.T, count int, plain, lost []int, renamed bool) *lostAnnotations {
	t.Helper()
	d := &lostAnnotations{lost: lost, renamed: renamed, whole: games(slices.Repeat([]int{12}, count)...)}
	for i, rec := range d.whole.List {
		if !slices.Contains(plain, i+1) {
			rec.Game.Annotations = comment(1+i, fmt.Sprint("said of ", i+1))
		}
	}
	d.path = create(t, d.whole, write.Options{})
	base := strings.TrimSuffix(d.path, ".cbh")
	headers, extensions, annotations := readFile(t, base+".cbh"), readFile(t, base+".cbj"), readFile(t, base+".cba")
	for _, id := range lost {
		h := cbhdb.Header{
			ID: model.RecordID(id), Head: headers[id*cbh.RecordSize:][:cbh.RecordSize],
			Ext: extensions[cbh.ExtHeaderSize+(id-1)*cbh.ExtRecordSize:][:cbh.ExtRecordSize],
		}
		at := h.AnnotationsAt()
		head, err := cbh.DecodeAnnotationHead(annotations[at:])
		must.Do(t, err)
		h.SetAnnotationsAt(0)
		if renamed {
			annotations[at+2] = 1 // which has annotations of its own
		}
		d.bytes = append(d.bytes, bytes.Clone(annotations[at:at+int64(head.Size)]))
	}
	must.Do(t, os.WriteFile(base+".cbh", headers, 0o600), os.WriteFile(base+".cbj", extensions, 0o600), os.WriteFile(base+".cba", annotations, 0o600))
	return d
}

// kept fails the test if annotations that nothing points to are no longer in the file, if
// a repair takes them, or what headers say of them, away, or if salvage does not give a
// game those that name it.
func (d *lostAnnotations) kept(t *testing.T) {
	t.Helper()
	flags := func() (list []uint64) {
		headers := []byte(filesOf(t, d.path)[".cbh"])
		for _, id := range d.lost {
			list = append(list, cbh.GameFlags.Uint(headers[id*cbh.RecordSize:][:cbh.RecordSize]))
		}
		return list
	}
	before := flags()
	_, err := write.Repair(context.Background(), d.path, write.RepairOptions{})
	must.Do(t, err)
	annotations := []byte(filesOf(t, d.path)[".cba"])
	for i, b := range d.bytes {
		if n := bytes.Count(annotations, b); n != 1 {
			t.Errorf("the annotations of game %d are there %d times", d.lost[i], n)
		}
	}
	if after := flags(); !slices.Equal(before, after) {
		t.Errorf("the flags of games %v are %x, were %x", d.lost, after, before)
	}
	to := filepath.Join(t.TempDir(), "saved.cbh")
	_, err = write.Salvage(context.Background(), d.path, to, write.SalvageOptions{})
	must.Do(t, err)
	got := load(t, to)
	for _, id := range d.lost {
		want := d.whole.List[id-1].Game.Annotations
		if d.renamed {
			want = nil
		}
		if fmt.Sprint(got.List[id-1].Game.Annotations) != fmt.Sprint(want) {
			t.Errorf("game %d has the annotations %v, want %v", id, got.List[id-1].Game.Annotations, want)
		}
	}
	sound(t, to)
}

// Annotations that nothing points to are no hole as long as a game misses its own: edits
// put nothing in their place, and compacting leaves them where they can be found.
func TestLostAnnotationsStay(t *testing.T) {
	long := func(ed *write.Editor, ids ...model.RecordID) (err error) {
		for _, id := range ids {
			err = errors.Join(err, ed.SetAnnotations(id, comment(9, strings.Repeat("longer ", 40))))
		}
		return err
	}
	edits := []struct {
		name string
		do   func(ed *write.Editor) error
	}{
		{"a header", func(ed *write.Editor) error {
			h, err := ed.Header(4)
			h.WhiteElo = 2500
			return errors.Join(err, ed.SetHeader(4, h, nil))
		}},
		{"a mark", func(ed *write.Editor) error { return ed.Delete(3, 4) }},
		{"longer before", func(ed *write.Editor) error { return long(ed, 3) }},
		{"longer behind", func(ed *write.Editor) error { return long(ed, 5) }},
		{"longer around", func(ed *write.Editor) error { return long(ed, 3, 5, 8) }},
		{"shorter", func(ed *write.Editor) error { return ed.SetAnnotations(5, comment(1, "!")) }},
		{"shorter, then longer", func(ed *write.Editor) error {
			return errors.Join(ed.SetAnnotations(3, comment(1, "!")), ed.Commit(), long(ed, 3))
		}},
		{"new before", func(ed *write.Editor) error { return long(ed, 2) }},
		{"new behind", func(ed *write.Editor) error { return long(ed, 7) }},
		{"new and longer", func(ed *write.Editor) error { return long(ed, 2, 3, 7, 5) }},
		{"none any more", func(ed *write.Editor) error {
			return errors.Join(ed.SetAnnotations(3, nil), ed.SetAnnotations(1, nil), ed.Commit(), long(ed, 1))
		}},
		{"appended", func(ed *write.Editor) error {
			by := games(8)
			by.List[0].Game.Annotations = comment(5, "appended")
			return appendAll(ed, by)
		}},
	}
	for _, renamed := range []bool{false, true} {
		// The lost ones have a neighbour on both sides, come two in a row, and end the file.
		for _, lost := range [][]int{{4}, {4, 6}, {4, 9}, {9, 10}} {
			for i, e := range edits {
				if n := i + len(lost) + lost[0]; testing.Short() && n%5 > 0 || !seeds.InCI && n%2 > 0 {
					continue
				}
				t.Run(fmt.Sprint(e.name, lost, renamed), func(t *testing.T) {
					d := losing(t, 10, []int{2, 7}, lost, renamed)
					ed := edit(t, d.path)
					must.Do(t, e.do(ed))
					commit(t, ed)
					d.kept(t)
				})
			}
			t.Run(fmt.Sprint("compacted", lost, renamed), func(t *testing.T) {
				d := losing(t, 10, []int{2, 7}, lost, renamed)
				ed := edit(t, d.path)
				must.Do(t, ed.SetAnnotations(5, comment(1, "!")), ed.SetAnnotations(8, comment(1, "!")), ed.SetAnnotations(1, nil))
				commit(t, ed)
				for range 2 {
					_, err := write.Compact(t.Context(), d.path, write.CompactOptions{})
					must.Do(t, err)
				}
				before := filesOf(t, d.path)
				_, err := write.Compact(t.Context(), d.path, write.CompactOptions{Purge: true})
				if err == nil || !strings.Contains(err.Error(), "cbkit salvage") || !equalFiles(before, filesOf(t, d.path)) {
					t.Errorf("purged: %v", err)
				}
				d.kept(t)
			})
		}
	}
}

// Annotations between those of games that miss theirs stay where others come between them.
func TestLostAnnotationsOnBothSides(t *testing.T) {
	for _, renamed := range []bool{false, true} {
		d := losing(t, 10, []int{2, 7}, []int{1, 3}, renamed)
		ed := edit(t, d.path)
		must.Do(t, ed.SetAnnotations(2, comment(2, "between")))
		commit(t, ed)
		d.kept(t)
	}
}

// Annotations that name a game far away stay while that misses its own, and give way
// where it does not.
func TestLostAnnotationsElsewhere(t *testing.T) {
	for _, misses := range []bool{true, false} {
		d := losing(t, 10, nil, []int{2, 6}, false)
		base := strings.TrimSuffix(d.path, ".cbh")
		headers, annotations := readFile(t, base+".cbh"), readFile(t, base+".cba")
		at := bytes.Index(annotations, d.bytes[1])
		annotations[at+2] = 2 // those of game 6, which says that it has none
		cbh.GameFlags.Put(headers[6*cbh.RecordSize:][:cbh.RecordSize], 0)
		if !misses {
			cbh.GameFlags.Put(headers[2*cbh.RecordSize:][:cbh.RecordSize], 0)
		}
		must.Do(t, os.WriteFile(base+".cbh", headers, 0o600), os.WriteFile(base+".cba", annotations, 0o600))
		lost, size := annotations[at:at+len(d.bytes[1])], len(annotations)
		ed := edit(t, d.path)
		must.Do(t, ed.SetAnnotations(5, comment(6, "said of 5")))
		commit(t, ed)
		after := readFile(t, base+".cba")
		if got := bytes.Contains(after, lost); got != misses || (len(after) > size) != misses {
			t.Errorf("missed: %t; there: %t, %d bytes have become %d", misses, got, size, len(after))
		}
	}
}
