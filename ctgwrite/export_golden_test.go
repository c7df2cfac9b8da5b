package ctgwrite_test

import (
	"bytes"
	"os"
	"testing"

	"cbkit/ctgwrite"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// What the encoder of Polyglot books makes of a golden .ctg does not change by accident.
func TestGoldenPolyglot(t *testing.T) {
	book := must.Get(read.OpenBook(t.Context(), "testdata/golden/portable.ctg"))(t)
	defer book.Close()
	var out bytes.Buffer
	must.Get(ctgwrite.WritePolyglot(t.Context(), &out, []model.Book{book}, ctgwrite.PolyglotOptions{}))(t)
	const golden = "../testdata/golden/golden.bin"
	if *update {
		must.Do(t, os.WriteFile(golden, out.Bytes(), 0o666))
	}
	if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%v, or %d bytes are not the %d of %s; go test ./ctgwrite -run TestGoldenPolyglot -update writes them", err, out.Len(), len(want), golden)
	}
}
