package archive_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/archive"
	"cbkit/internal/testkit/must"
)

var update = flag.Bool("update", false, "write testdata anew")

// goldenContents are blocks of all modes, a folder, an empty file and one of two
// blocks; random numbers of our own, so that nothing else decides the bytes.
func goldenContents() []content {
	var seed uint32 = 1
	random := func(below uint32) uint32 {
		seed = seed*1664525 + 1013904223
		return seed >> 8 % below
	}
	few := make([]byte, 2000)
	for i := range few {
		few[i] = byte(random(32))
	}
	var prose strings.Builder
	words := strings.Fields("White Black plays takes the pawn knight bishop rook queen king on e4 d5 c6 and wins draws loses")
	for prose.Len() < 3000 {
		prose.WriteString(words[random(uint32(len(words)))] + " ")
	}
	var rows strings.Builder
	for i := range 20 {
		fmt.Fprintf(&rows, "<li>Game number %d of 20</li>\n", i)
	}
	return []content{
		{"Golden.cbh", []byte("a block too short to be packed")},
		{"Golden.html/List of Gämes.html", []byte(rows.String())},
		{"Golden.cbg", few},
		{"Golden.cba", append(make([]byte, 61_440), prose.String()...)},
		{"Golden.cbp", nil},
	}
}

// What archives are written is what it was: a change of these files is one of the
// format. "go test ./archive -run Golden -update" writes them anew.
func TestGolden(t *testing.T) {
	for name, opt := range map[string]archive.WriterOptions{
		"golden.cbv": {}, "golden.cbz": {Password: []byte("a password of more than eight")},
	} {
		path := filepath.Join("testdata", name)
		got := pack(t, opt, goldenContents()...)
		if *update {
			must.Do(t, os.WriteFile(path, got, 0o666))
		}
		want := must.Get(os.ReadFile(path))(t)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes", name)
		}
		a := open(t, want, archive.Options{Password: opt.Password})
		if !same(unpack(t, a), goldenContents()) {
			t.Errorf("%s: other contents", name)
		}
		verify(t, a)
		var all archive.Modes
		for i := range a.Members() {
			modes := must.Get(a.Modes(i))(t)
			for mode, n := range modes {
				all[mode] += n
			}
		}
		if all != (archive.Modes{1, 2, 1, 1}) {
			t.Errorf("%s: blocks of modes %v", name, all)
		}
	}
}
