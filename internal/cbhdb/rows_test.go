package cbhdb

import (
	"bytes"
	"slices"
	"testing"

	"cbkit/internal/cbh"

	"pgregory.net/rapid"
)

// rowFiles returns headers and .cbj records of n games with places of their own, some
// of which the .cbj records do not say: none about a record, and none of the last.
func rowFiles(t *rapid.T, n, about int) (headers, extensions [][]byte) {
	for i := range n {
		head, ext := make([]byte, cbh.RecordSize), make([]byte, cbh.ExtRecordSize)
		head[0] = byte(cbh.TypeInUse)
		cbh.GameMoves.Put(head, uint64(26+10*i))
		if i > n-7 || i >= about-1 && i <= about+1 || rapid.IntRange(0, 5).Draw(t, "says nothing") > 0 {
			cbh.ExtMoves.Put(ext, uint64(26+10*i))
		}
		ext[len(ext)-1] = byte(i)
		headers, extensions = append(headers, head), append(extensions, ext)
	}
	return headers, extensions
}

func rowFile(records [][]byte) RowFile {
	return RowFile{len(records), func(slot int) ([]byte, error) { return records[slot-1], nil }}
}

// One record that is missing, there twice or exchanged with another is found: all
// records that say where they belong are found at their numbers.
func TestFindRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 40).Draw(t, "records")
		at, how := rapid.IntRange(0, n-6).Draw(t, "at"), rapid.IntRange(0, 3).Draw(t, "how")
		headers, extensions := rowFiles(t, n, at)
		damaged := [2][][]byte{slices.Clone(headers), slices.Clone(extensions)}
		file := &damaged[rapid.IntRange(0, 1).Draw(t, "file")]
		switch how {
		case 0:
			*file = slices.Delete(*file, at, at+1)
		case 1:
			*file = slices.Insert(*file, at, (*file)[at])
		case 2:
			other := rapid.IntRange(at+1, n-1).Draw(t, "other")
			(*file)[at], (*file)[other] = (*file)[other], (*file)[at]
			if cbh.ExtMoves.Uint(extensions[at]) == 0 || cbh.ExtMoves.Uint(extensions[other]) == 0 {
				return // nothing proves it
			}
		}
		r, err := FindRows(rowFile(damaged[0]), rowFile(damaged[1]), n)
		if err != nil {
			t.Fatal(err)
		}
		if how == 3 && !r.AreStraight() {
			t.Fatalf("nothing is wrong, but %q", r.Words())
		}
		for i := range n {
			for k, f := range []struct {
				row  *Row
				want []byte
			}{{&r.Headers, headers[i]}, {&r.Extensions, extensions[i]}} {
				slot := f.row.Slot(i + 1)
				switch {
				case cbh.ExtMoves.Uint(extensions[i]) == 0: // it can be either side of the place
				case slot == 0 && how != 0, slot > 0 && !bytes.Equal(damaged[k][slot-1], f.want):
					t.Fatalf("file %d: number %d is at %d; %q", k, i+1, slot, r.Words())
				case slot > 0 && f.row.Number(slot) != i+1:
					t.Fatalf("file %d: at %d is number %d, want %d", k, slot, f.row.Number(slot), i+1)
				}
			}
		}
	})
}

// Files without any order are left as they are, in bounded time.
func TestFindRowsWithoutOrder(t *testing.T) {
	n, calls := 1<<14, 0
	head, ext := make([]byte, cbh.RecordSize), make([]byte, cbh.ExtRecordSize)
	at := func(f *cbh.Field, b []byte, place func(slot int) int) func(int) ([]byte, error) {
		return func(slot int) ([]byte, error) {
			calls++
			f.Put(b, uint64(place(slot)))
			return b, nil
		}
	}
	r, err := FindRows(
		RowFile{n, at(&cbh.GameMoves, head, func(slot int) int { return 1 + slot*7919%n })},
		RowFile{n, at(&cbh.ExtMoves, ext, func(slot int) int { return 1 + slot*104729%n })}, n)
	if err != nil || !r.AreStraight() || calls > 30*n {
		t.Errorf("%q, %v, %d calls", r.Words(), err, calls)
	}
}
