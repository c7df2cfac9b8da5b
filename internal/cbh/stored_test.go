package cbh

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"cbkit/model"
)

func ExampleEntityHeader_Stored() {
	h := NewEntityHeader(&Players.EntityFile)
	h.Capacity = 1
	records, wrong := h.Stored(32 + 3*67 + 5)
	fmt.Println(records)
	fmt.Println(wrong)
	// Output:
	// 3
	// : at 0x0 (capacity): corrupt: 1 records are announced, the file has 3; all are read
}

// The size of a file says how many records it has; the header is judged by it.
func TestStored(t *testing.T) {
	games := func(next uint32, size int64) (int64, error) {
		return (&FileHeader{Next: next}).Stored(size)
	}
	exts := func(records uint32, size int64) (int64, error) {
		return (&ExtHeader{RecordSize: 78, Records: int32(records)}).Stored(size)
	}
	players := func(capacity uint32, size int64) (int64, error) {
		return (&EntityHeader{PayloadSize: 58, Capacity: int32(capacity), Extension: make([]byte, 4)}).Stored(size)
	}
	for _, c := range []struct {
		name    string
		stored  func(uint32, int64) (int64, error)
		counter uint32
		size    int64
		want    int64
		wrong   error
	}{
		{".cbh", games, 3, 3 * 46, 2, nil},
		{".cbh", games, 0, 46, 0, nil},
		{".cbh", games, 3, 4*46 - 1, 2, nil},
		{".cbh", games, 3, 4 * 46, 3, model.ErrCorrupt},
		{".cbh", games, 4, 4*46 - 1, 2, model.ErrTruncated},
		{".cbh", games, math.MaxUint32, 10, 0, model.ErrTruncated},
		{".cbj", exts, 2, 32 + 2*78, 2, nil},
		{".cbj", exts, 0, 32 + 2*78, 2, model.ErrCorrupt},
		{".cbj", exts, 3, 32 + 2*78, 2, model.ErrTruncated},
		{".cbj", exts, 0, 7, 0, nil},
		{".cbp", players, 2, 32 + 2*67 + 66, 2, nil},
		{".cbp", players, 0, 32 + 67, 1, model.ErrCorrupt},
		{".cbp", players, 1, 32 + 66, 0, model.ErrTruncated},
		{".cbp", players, math.MaxInt32, math.MaxInt64, math.MaxInt32, nil},
	} {
		n, wrong := c.stored(c.counter, c.size)
		if n != c.want || !errors.Is(wrong, c.wrong) {
			t.Errorf("%s that counts %d, with %d bytes: %d records, %v", c.name, c.counter, c.size, n, wrong)
		}
	}
}

func TestBlockHeaderEnd(t *testing.T) {
	for _, c := range []struct {
		h          BlockHeader
		size, want int64
	}{
		{BlockHeader{Size: 10, FileSize: 10}, 24, 10},
		{BlockHeader{Size: 10, FileSize: 50}, 24, 24},
		{BlockHeader{Size: 26, FileSize: 30, FileSize64: 99}, 40, 30},
		{BlockHeader{Size: 26, FileSize: 30, FileSize64: 1<<32 + 30}, 1<<32 + 40, 1<<32 + 30},
		{BlockHeader{Size: 26, FileSize: 30, FileSize64: math.MaxUint64}, 1<<32 + 40, 1<<32 + 40},
	} {
		if got := c.h.End(c.size); got != c.want {
			t.Errorf("%+v, %d bytes: %d, want %d", c.h, c.size, got, c.want)
		}
	}
}
