package cbh

import (
	"fmt"
	"testing"
)

func ExampleEmptyFile() {
	for _, ext := range []string{".cbg", ".cbp", ".ini"} {
		b, ok := EmptyFile(ext)
		fmt.Printf("%s %v % x\n", ext, ok, b)
	}
	// Output:
	// .cbg true 00 1a 00 00 00 1a 00 00 00 00 00 00 00 00 00 00 00 1a 00 00 00 00 00 00 00 00
	// .cbp true 00 00 00 00 00 00 00 00 d2 02 96 49 3a 00 00 00 ff ff ff ff 00 00 00 00 04 00 00 00 00 00 00 00
	// .ini false
}

// goldenEmpty are the files as docs/formats/cbh-entities.md 14 prints them.
var goldenEmpty = map[string]string{
	".cbh": `00002c002e01000000010000 000000000000000000000000
		00000000000000000000000000000000 000000010000`,
	".cbj":   "0b000000 78000000 00000000 0000000000000000000000000000000000000000",
	".cbg":   "001a0000001a00000000 000000000000001a0000000000000000",
	".cba":   "001a0000001a00000000 000000000000001a0000000000000000",
	".cbp":   "0000000000000000 d2029649 3a000000 ffffffff 00000000 04000000 00000000",
	".cbt":   "0000000000000000 d2029649 5a000000 ffffffff 00000000 04000000 00000000",
	".cbc":   "0000000000000000 d2029649 35000000 ffffffff 00000000 04000000 00000000",
	".cbs":   "0000000000000000 d2029649 3b000000 ffffffff 00000000 04000000 00000000",
	".cbe":   "0000000000000000 d2029649 3f000000 ffffffff 00000000 04000000 00000000",
	".cbl":   "0000000000000000 d2029649 48060000 ffffffff 00000000 04000000 00000000",
	".cbm":   "01000000 00040000 00000000 ffffffff 00000000000000000000000000000000",
	".cbtt":  "03000000 41000000 00000000 0000000000000000000000000000000000000000" + goldenEmptyExtra,
	".flags": "0f010b09 00000010 00000002" + goldenZeros64,
}

const (
	goldenEmptyExtra = `00000000000000000000000000000000
		0000000000000000000007 0000000000000000000007 0000000000000000000007 00
		01010101010101010101 00 00000000`
	goldenZeros64 = "00000000000000000000000000000000" + "00000000000000000000000000000000" +
		"00000000000000000000000000000000" + "00000000000000000000000000000000"
)

func TestEmptyFiles(t *testing.T) {
	for ext, want := range goldenEmpty {
		got, ok := EmptyFile(ext)
		if !ok {
			t.Errorf("no %s", ext)
		}
		golden(t, ext, got, want)
	}
	for _, ext := range NewFileExts {
		if _, ok := goldenEmpty[ext]; !ok {
			t.Errorf("%s is not tested", ext)
		}
	}
	if NewFileExts[len(NewFileExts)-1] != ".cbh" {
		t.Error("the main file is not the last one")
	}
	if _, ok := EmptyFile(".cit"); ok {
		t.Error("an empty booster")
	}
}
