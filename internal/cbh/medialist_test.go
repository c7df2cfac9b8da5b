package cbh

import (
	"fmt"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
)

func TestMediaFileHasLists(t *testing.T) {
	m := must.Get(DecodeMediaFile(mediaFile(t, []string{"1.bmp", "Réti.wav"}, []string{"film.wmv"})))(t)
	if names := m.Names(40, CodePage{}); !slices.Equal(names, []string{"1.bmp", "Réti.wav"}) {
		t.Errorf("first list: %q", names)
	}
	if names := m.Names(1064, CodePage{}); !slices.Equal(names, []string{"film.wmv"}) {
		t.Errorf("second list: %q", names)
	}
	for _, place := range []int32{NoMedia, 0, 41, 2088, 1 << 30} {
		if names := m.Names(place, CodePage{}); names != nil {
			t.Errorf("place %d: %q", place, names)
		}
	}
}

// A list that is longer than a record goes on in the next ones.
func TestMediaFileWithLongLists(t *testing.T) {
	var long []string
	for i := range 100 {
		long = append(long, fmt.Sprintf("picture%03d.jpg", i))
	}
	b := mediaFile(t, []string{"a"}, long, []string{"b"}, long[:68])
	m, err := DecodeMediaFile(b)
	if err != nil || m.Len() != 6 {
		t.Fatalf("%d records, %v", m.Len(), err)
	}
	for place, want := range map[int32][]string{40: {"a"}, 1064: long, 3112: {"b"}, 4136: long[:68]} {
		if names := m.Names(place, CodePage{}); !slices.Equal(names, want) {
			t.Errorf("place %d: %d names, want %d", place, len(names), len(want))
		}
	}
	// A list that claims more than there is ends with the file.
	b[MediaHeaderSize+4*MediaRecordSize+4] = 200
	m = must.Get(DecodeMediaFile(b))(t)
	if names := m.Names(4136, CodePage{}); !slices.Equal(names, long[:68]) {
		t.Errorf("%d names", len(names))
	}
}

// mediaFile returns a file with lists, one behind the other.
func mediaFile(t *testing.T, lists ...[]string) []byte {
	h := NewMediaHeader()
	b := h.Append(nil)
	for _, names := range lists {
		r := must.Get(NewMediaRecord(names, MediaRecordSize, CodePage{}))(t)
		b = r.Append(b)
	}
	return b
}
