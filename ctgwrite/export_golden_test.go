package ctgwrite_test

import (
	"bytes"
	"os"
	"testing"

	"cbkit/ctgwrite"
	"cbkit/model"
	"cbkit/read"
)

// What the encoder of Polyglot books makes of a golden .ctg does not change by accident.
func TestGoldenPolyglot(t *testing.T) {
	book, err := read.OpenBook(t.Context(), "testdata/golden/portable.ctg")
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	var out bytes.Buffer
	if _, err := ctgwrite.WritePolyglot(t.Context(), &out, []model.Book{book}, ctgwrite.PolyglotOptions{}); err != nil {
		t.Fatal(err)
	}
	const golden = "../testdata/golden/golden.bin"
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%v, or %d bytes are not the %d of %s; go test ./ctgwrite -run TestGoldenPolyglot -update writes them", err, out.Len(), len(want), golden)
	}
}
