package cbhedit

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/model"

	"pgregory.net/rapid"
)

var ctx = context.Background()

// The parts of a file that records use are joined, whatever their order and
// however they overlap: every byte of them is in exactly one part, and no other is.
func TestUsedPartsAreJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s squeezer
		var used [100]bool
		for range rapid.IntRange(0, 12).Draw(t, "parts") {
			at := rapid.Int64Range(0, 90).Draw(t, "at")
			size := rapid.Int64Range(1, 10).Draw(t, "size")
			s.use(cbhdb.Extent{At: at, Size: size})
			for i := at; i < at+size; i++ {
				used[i] = true
			}
		}
		end := int64(-1)
		for _, x := range s.used {
			if x.At <= end {
				t.Fatalf("%v: parts touch, or are out of order", s.used)
			}
			end = x.End()
			for i := x.At; i < end; i++ {
				if !used[i] {
					t.Fatalf("%v: nobody uses %d", s.used, i)
				}
				used[i] = false
			}
		}
		if slices.Contains(used[:], true) {
			t.Fatalf("%v lacks parts", s.used)
		}
	})
}

// In a layout what is kept lies without gaps and in its order; place follows every
// byte of it, and leaves what it does not have where it is.
func TestLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l layout
		places := map[int64]int64{}
		var at, size, moved int64
		for range rapid.IntRange(0, 10).Draw(t, "pieces") {
			at += rapid.Int64Range(0, 5).Draw(t, "hole")
			n := rapid.Int64Range(0, 5).Draw(t, "size")
			if rapid.Bool().Draw(t, "fresh") {
				l.put(piece{from: 7, size: n, fresh: true})
				size += n
				continue
			}
			l.keep(at, at+n)
			for i := range n {
				places[at+i] = size + i
			}
			if at != size {
				moved += n
			}
			at, size = at+n, size+n
		}
		if l.size != size || l.moved() != moved {
			t.Fatalf("%d bytes, %d of them moved; want %d, %d", l.size, l.moved(), size, moved)
		}
		for at := range at + 3 {
			want, kept := places[at]
			if !kept {
				want = at
			}
			if l.place(at) != want {
				t.Fatalf("%d goes to %d, want %d", at, l.place(at), want)
			}
		}
	})
}

// Places beyond 4 GiB need the 64-bit fields of the .cbj record. Without them they
// are refused and not cut off.
func TestLargePlaces(t *testing.T) {
	for _, size := range []int{0, 8, 20, 38, 120} {
		for _, at := range []int64{0, 26, math.MaxUint32, math.MaxUint32 + 1, 5 << 32, 1<<40 + 17} {
			r, ext := cbh.NewGameRecord(-1), cbh.NewExtRecord()
			h := cbhdb.Header{ID: 1, Head: r.Append(nil)}
			if size > 0 {
				h.Ext = ext.Append(nil, size)
			}
			for name, c := range map[string]struct {
				set   func(*cbhdb.Header, int64) error
				get   func(*cbhdb.Header) int64
				field *cbh.Field
			}{
				"moves":       {setMovesAt, (*cbhdb.Header).MovesAt, &cbh.ExtMoves},
				"annotations": {setNotesAt, (*cbhdb.Header).NotesAt, &cbh.ExtNotes},
			} {
				err := c.set(&h, at)
				if fits := at <= math.MaxUint32 || c.field.In(h.Ext); fits && (err != nil || c.get(&h) != at) || !fits && !errors.Is(err, model.ErrTooLarge) {
					t.Errorf("%s at %d with %d bytes of .cbj: %d, %v", name, at, size, c.get(&h), err)
				}
			}
		}
	}
}

// A 64-bit place of moves that is 0, as some programs have it, stays 0 as long as
// 32 bits hold the place.
func TestZeroPlaceStays(t *testing.T) {
	for at, want := range map[int64]uint64{26: 0, math.MaxUint32: 0, 1 << 32: 1 << 32} {
		for _, was := range []uint64{0, 5} {
			r, ext := cbh.NewGameRecord(-1), cbh.NewExtRecord()
			ext.MovesOffset = was
			h := cbhdb.Header{ID: 1, Head: r.Append(nil), Ext: ext.Append(nil, cbh.ExtRecordSize)}
			if was != 0 {
				want = uint64(at)
			}
			if err := moveMovesAt(&h, at); err != nil || cbh.ExtMoves.Uint(h.Ext) != want || h.MovesAt() != at {
				t.Errorf("%d over %d: %d, %v", at, was, cbh.ExtMoves.Uint(h.Ext), err)
			}
		}
	}
}

// The checksum of a .cbj record follows a place if it was right; a wrong one is left
// for a repair to find. Texts have other things where games have that place.
func TestChecksumFollowsPlace(t *testing.T) {
	for _, right := range []bool{false, true} {
		r, ext := cbh.NewGameRecord(-1), cbh.NewExtRecord()
		ext.Checksum = ext.Sum()
		if !right {
			ext.Checksum++
		}
		h := cbhdb.Header{ID: 1, Head: r.Append(nil), Ext: ext.Append(nil, cbh.ExtRecordSize)}
		sum := cbh.ExtChecksum.Uint(h.Ext)
		if err := setNotesAt(&h, 12345); err != nil || cbh.HasRightSum(h.Ext) != right || !right && cbh.ExtChecksum.Uint(h.Ext) != sum {
			t.Errorf("right before: %v; now %v, %v", right, cbh.HasRightSum(h.Ext), err)
		}
	}
	text := cbh.TextRecord{Type: cbh.TypeInUse | cbh.TypeText}
	h := cbhdb.Header{ID: 1, Head: text.Append(nil)}
	was := slices.Clone(h.Head)
	if err := setNotesAt(&h, 12345); err != nil || !slices.Equal(h.Head, was) {
		t.Errorf("a text: % x, %v", h.Head, err)
	}
}

// What comes, and what goes, is what one list has more often than the other.
func TestWithout(t *testing.T) {
	count := func(list []int, n int) (k int) {
		for _, v := range list {
			if v == n {
				k++
			}
		}
		return k
	}
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 8)
		list, other := numbers.Draw(t, "list"), numbers.Draw(t, "other")
		rest := without(list, other)
		for n := range 5 {
			if want := max(count(list, n)-count(other, n), 0); count(rest, n) != want {
				t.Fatalf("%v without %v is %v", list, other, rest)
			}
		}
	})
}

// A set of records yields each once, in order.
func TestIDSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const count = 200
		ids := rapid.SliceOfN(rapid.Uint32Range(1, count), 0, 20).Draw(t, "ids")
		var s idSet
		var want []model.RecordID
		for _, id := range ids {
			s.add(model.RecordID(id), count)
			want = append(want, model.RecordID(id))
		}
		slices.Sort(want)
		if got := slices.Collect(s.all()); !slices.Equal(got, slices.Compact(want)) {
			t.Fatalf("%v, want %v", got, want)
		}
		for id := range s.all() { // and stops when it is told to
			if id != want[0] {
				t.Fatalf("the first is %d, want %d", id, want[0])
			}
			break
		}
	})
}
