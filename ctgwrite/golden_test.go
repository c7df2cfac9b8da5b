package ctgwrite_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares books of a few games with those that are checked in, in
// both forms.
func TestGolden(t *testing.T) {
	golden := filepath.Join("testdata", "golden")
	for _, c := range []struct {
		name string
		opt  ctgwrite.Options
	}{{"portable", ctgwrite.Options{AcceptLosses: true}}, {"exact", ctgwrite.Options{Exact: true, AcceptLosses: true}}} {
		src := must.Get(pgn.Open(pgn.ReaderOptions{}, filepath.Join(golden, "games.pgn")))(t)
		b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{Variations: true, Options: c.opt})
		defer b.Close()
		must.Do(t, b.Add(context.Background(), src))
		start := board.Start()
		set := ctgwrite.Setting{Annotation: 1, Recommendation: model.MainMove, Weight: 10}
		must.Do(t, b.Set(start, model.NewMove(model.E2, model.E4), set))
		dir := gen.Folder(t)
		must.Get(b.Write(context.Background(), filepath.Join(dir, c.name+".ctg")))(t)
		for _, ext := range []string{".ctg", ".ctb", ".cto"} {
			got := must.Get(os.ReadFile(filepath.Join(dir, c.name+ext)))(t)
			name := filepath.Join(golden, c.name+ext)
			if *update {
				must.Do(t, os.WriteFile(name, got, 0o666))
			}
			want := must.Get(os.ReadFile(name))(t)
			if !bytes.Equal(got, want) {
				at := 0
				for at < min(len(got), len(want)) && got[at] == want[at] {
					at++
				}
				t.Errorf("%s differs from 0x%x on (%d and %d bytes)", name, at, len(got), len(want))
			}
		}
	}
}
