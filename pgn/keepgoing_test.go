package pgn

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/packed"
	"cbkit/model"
)

// With KeepGoing the games before the place where a compressed file was cut
// stay, and so do those of the files behind it.
func TestCompressedAndCut(t *testing.T) {
	const games = 20_000
	dir := t.TempDir()
	var text bytes.Buffer
	random := rand.New(rand.NewPCG(1, 2))
	for i := range games {
		fmt.Fprintf(&text, "[Event \"%d\"]\n\n1. e4 {%x} e5 *\n\n", i, random.Uint64())
	}
	save := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole := save("whole.pgn", text.Bytes())
	for _, ending := range []string{packed.Gzip, packed.Zstd} {
		var out bytes.Buffer
		w, err := packed.NewWriter(&out, ending)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		cut := save("cut.pgn"+ending, out.Bytes()[:out.Len()*3/4])
		for _, keepGoing := range []bool{false, true} {
			r, err := Open(ReaderOptions{KeepGoing: keepGoing}, cut, whole)
			if err != nil {
				t.Fatal(err)
			}
			good, bad := 0, 0
			for rec, err := range r.Records(t.Context(), 1, model.WantAll) {
				if err == nil {
					good++
					continue
				}
				if !errors.Is(err, model.ErrTruncated) {
					continue // the game in which the file was cut
				}
				bad++
				if !keepGoing && rec.ID != 0 || keepGoing && int(rec.ID) != good+1 {
					t.Errorf("%s: error %v with id %d after %d games", cut, err, rec.ID, good)
				}
			}
			if bad != 1 || keepGoing != (good > games) || good == 0 {
				t.Errorf("%s, keep going %t: %d games, %d errors", cut, keepGoing, good, bad)
			}
		}
	}
}
