package packed_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"cbkit/internal/packed"
	"cbkit/internal/testkit/must"
)

// Whatever a file holds, reading it ends, with an error or with text that comes
// back when it is packed again.
func FuzzReader(f *testing.F) {
	for _, ending := range []string{packed.Gzip, packed.Zstd, ""} {
		f.Add(packText(f, []byte("[Event \"a\"]\n\n1. e4 *\n"), ending))
	}
	f.Add(wide("[Event \"a\"]\n\n1. e4 *\n", binary.LittleEndian))
	f.Add(wide("1. e4 {\U0001F600} *\n", binary.BigEndian))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, done, err := packed.NewReader(bytes.NewReader(data), "")
		if err != nil {
			return
		}
		defer done()
		const most = 1 << 22 // a bomb is its reader's concern
		text, err := io.ReadAll(io.LimitReader(r, most))
		if err != nil || len(text) == most {
			return
		}
		for _, ending := range []string{packed.Gzip, packed.Zstd} {
			if again, err := read(packText(t, text, ending)); err != nil || again != string(text) {
				t.Errorf("%s: %d bytes came back as %d, error %v", ending, len(text), len(again), err)
			}
		}
	})
}

// packText compresses a text.
func packText(t must.TB, text []byte, ending string) []byte {
	var out bytes.Buffer
	w := must.Get(packed.NewWriter(&out, ending))(t)
	must.Get(w.Write(text))(t)
	must.Do(t, w.Close())
	return out.Bytes()
}
