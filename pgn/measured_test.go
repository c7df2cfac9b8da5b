package pgn_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
)

// A reader of several files, some of them compressed, knows how many bytes of how
// many it has read, in every reading.
func TestReaderIsMeasured(t *testing.T) {
	dir := gen.Folder(t)
	text := strings.Repeat("[White \"A\"]\n\n1. e4 e5 1-0\n\n", 20000)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	plain, other := filepath.Join(dir, "a.pgn"), filepath.Join(dir, "b.pgn.gz")
	for name, content := range map[string][]byte{plain: []byte(text), other: packed.Bytes()} {
		must.Do(t, os.WriteFile(name, content, 0o666))
	}
	r := must.Get(pgn.Open(pgn.ReaderOptions{Jobs: 1}, plain, other))(t)
	want := int64(len(text) + packed.Len())
	for range 2 {
		last, between := int64(0), false
		for _, err := range r.Records(t.Context(), 1, model.WantHeaders) {
			done, total := r.Progress()
			if err != nil || total != want || done < last || done > total {
				t.Fatal(done, last, total, err)
			}
			last, between = done, between || done > 0 && done < total
		}
		if done, _ := r.Progress(); done != want || !between {
			t.Errorf("%d of %d bytes at the end; between: %t", done, want, between)
		}
	}
	if _, total := pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}).Progress(); total != -1 {
		t.Errorf("nobody knows how long a reader is: %d", total)
	}
}
