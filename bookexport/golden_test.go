package bookexport

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"cbkit/model"
	"cbkit/read"
)

var update = flag.Bool("update", false, "write the golden file anew")

// What the encoder of Polyglot books makes of a golden .ctg does not change by accident.
func TestGolden(t *testing.T) {
	book, err := read.OpenBook(t.Context(), "../ctgwrite/testdata/golden/portable.ctg")
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	var out bytes.Buffer
	if _, err := WritePolyglot(t.Context(), &out, []model.Book{book}, PolyglotOptions{}); err != nil {
		t.Fatal(err)
	}
	const golden = "../testdata/golden/golden.bin"
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%v, or %d bytes are not the %d of %s; go test ./bookexport -run TestGolden -update writes them", err, out.Len(), len(want), golden)
	}
}
