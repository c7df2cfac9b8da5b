package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/packed"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// compressed returns n records as compressed text.
func compressed(t *testing.T, n int, ending string) []byte {
	var out bytes.Buffer
	w := must.Get(packed.NewWriter(&out, ending))(t)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		// Names that do not compress, so that cutting costs the last ones alone.
		fmt.Fprintf(w, "{\"id\":%d,\"white\":\"%x%x\"}\n", i+1, random.Uint64(), random.Uint64())
	}
	must.Do(t, w.Close())
	return out.Bytes()
}

func TestCompressed(t *testing.T) {
	for _, ending := range []string{packed.Gzip, packed.Zstd} {
		data := compressed(t, 20, ending)
		path := filepath.Join(gen.Folder(t), "games.jsonl"+ending)
		must.Do(t, os.WriteFile(path, data, 0o600))
		file := must.Get(Open(path, ReaderOptions{}))(t)
		for _, r := range []*Reader{file, file, NewReader(bytes.NewReader(data), ReaderOptions{})} {
			if r.Leftover() != nil {
				t.Error("a leftover from nowhere")
			}
			if got := outcomes(r, 1); len(got) != 20 || strings.Contains(strings.Join(got, " "), "error") {
				t.Errorf("%s: %v", ending, got)
			}
		}
	}
}

// What was read before the end of a file that was cut stays, if that is wanted.
func TestCompressedAndCut(t *testing.T) {
	for _, ending := range []string{packed.Gzip, packed.Zstd} {
		data := compressed(t, 20_000, ending)
		data = data[:len(data)*3/4]
		for _, keepGoing := range []bool{false, true} {
			r := NewReader(bytes.NewReader(data), ReaderOptions{File: "cut", KeepGoing: keepGoing})
			good, bad := 0, 0
			for rec, err := range r.Records(t.Context(), 1, model.WantAll) {
				if err == nil {
					good++
					continue
				}
				bad++
				if !errors.Is(err, model.ErrTruncated) || (rec.ID == 0) == keepGoing {
					t.Errorf("%s, keep going %t: record %d: %v", ending, keepGoing, rec.ID, err)
				}
			}
			if good < 1000 || good >= 20_000 || bad != 1 {
				t.Errorf("%s, keep going %t: %d records, %d errors", ending, keepGoing, good, bad)
			}
		}
	}
}
