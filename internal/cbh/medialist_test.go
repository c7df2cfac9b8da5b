package cbh

import (
	"slices"
	"testing"
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
	again, err := DecodeMediaFile(m.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
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
	if string(again.Append(nil)) != string(m.Append(nil)) {
		t.Error("decoding and appending changed the file")
	}
}
