package dbfile

import (
	"slices"
	"testing"
)

// Every ending is that of one kind of file of one format, and a format has one
// main file, which is first.
func TestEndings(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range []Format{ChessBase, Simple, Book} {
		if main := f.Exts(Main); len(main) != 1 || f[0].Ext != main[0] {
			t.Errorf("main files %v", main)
		}
		for _, e := range f {
			if seen[e.Ext] || e.Ext[0] != '.' || e.Role == 0 {
				t.Errorf("%+v", e)
			}
			seen[e.Ext] = true
			if !f.Has(e.Ext) || f.What(e.Ext) != e.What {
				t.Errorf("%s is not found", e.Ext)
			}
		}
		if f.Has(".txt") || f.What(".txt") != "" {
			t.Error(".txt is found")
		}
	}
	if data := ChessBase.Data(); slices.Contains(data, ".ini") || !slices.Contains(data, ".cbh") || len(data) != len(ChessBase)-1 {
		t.Errorf("data %v", data)
	}
	for ext, want := range map[string]bool{".cbh": true, ".cb7": true, ".cpx": true, ".pgi": true, ".cbv": false, ".cbone": false, ".cbkit": true, ".cbkit-lock": false, ".cbkit-journal": false, ".pgn": false} {
		if IsChessBase(ext) != want {
			t.Errorf("IsChessBase(%s) = %v", ext, !want)
		}
	}
}
