package cbh

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
)

func TestMediaFileKeepsAndAdds(t *testing.T) {
	m := NewMediaFile()
	first, err := m.Add([]string{"1.bmp", "Réti.wav"}, CodePage{})
	if err != nil || first != 40 {
		t.Fatalf("first list at %d, %v; the format puts it at 40", first, err)
	}
	second, err := m.Add([]string{"film.wmv"}, CodePage{})
	if err != nil || second != 1064 {
		t.Fatalf("second list at %d, %v; the format puts it at 1064", second, err)
	}
	again := must.Get(DecodeMediaFile(written(m)))(t)
	if names := again.Names(40, CodePage{}); !slices.Equal(names, []string{"1.bmp", "Réti.wav"}) {
		t.Errorf("first list: %q", names)
	}
	if names := again.Names(1064, CodePage{}); !slices.Equal(names, []string{"film.wmv"}) {
		t.Errorf("second list: %q", names)
	}
	for _, place := range []int32{NoMedia, 0, 41, 2088, 1 << 30} {
		if names := again.Names(place, CodePage{}); names != nil {
			t.Errorf("place %d: %q", place, names)
		}
	}
	if string(written(again)) != string(written(m)) {
		t.Error("decoding and appending changed the file")
	}
}

// A list that is longer than a record goes on in the next ones.
func TestMediaFileWithLongLists(t *testing.T) {
	var long []string
	for i := range 100 {
		long = append(long, fmt.Sprintf("picture%03d.jpg", i))
	}
	m := NewMediaFile()
	for i, want := range []struct {
		names []string
		place int32
	}{{[]string{"a"}, 40}, {long, 1064}, {[]string{"b"}, 3112}, {long[:68], 4136}} {
		place, err := m.Add(want.names, CodePage{})
		if err != nil || place != want.place {
			t.Fatalf("list %d at %d, %v; want %d", i, place, err, want.place)
		}
	}
	again, err := DecodeMediaFile(written(m))
	if err != nil || again.Header.Records != 6 || again.Len() != 6 {
		t.Fatalf("%d records, %v", again.Header.Records, err)
	}
	for place, want := range map[int32][]string{40: {"a"}, 1064: long, 3112: {"b"}, 4136: long[:68]} {
		if names := again.Names(place, CodePage{}); !slices.Equal(names, want) {
			t.Errorf("place %d: %d names, want %d", place, len(names), len(want))
		}
	}
	// A list that claims more than there is ends with the file.
	b := written(m)
	b[MediaHeaderSize+4*MediaRecordSize+4] = 200
	again = must.Get(DecodeMediaFile(b))(t)
	if names := again.Names(4136, CodePage{}); !slices.Equal(names, long[:68]) {
		t.Errorf("%d names", len(names))
	}
}

func written(m *MediaFile) []byte {
	var b bytes.Buffer
	if n, err := m.WriteTo(&b); err != nil || n != int64(b.Len()) {
		panic(fmt.Sprint(n, err))
	}
	return b.Bytes()
}
