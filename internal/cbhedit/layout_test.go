package cbhedit

import (
	"context"
	"slices"
	"testing"

	"cbkit/internal/cbhdb"
	"cbkit/model"

	"pgregory.net/rapid"
)

var ctx = context.Background()

// The parts of a file that records use are joined, whatever their order and
// however they overlap: every byte of them is in exactly one part, and no other is.
func TestUsedPartsAreJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s partsInUse
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
