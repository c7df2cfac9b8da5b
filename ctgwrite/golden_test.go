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
		src, err := pgn.Open(pgn.ReaderOptions{}, filepath.Join(golden, "games.pgn"))
		if err != nil {
			t.Fatal(err)
		}
		b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{Variations: true, Options: c.opt})
		defer b.Close()
		if err := b.Add(context.Background(), src); err != nil {
			t.Fatal(err)
		}
		start := board.Start()
		set := ctgwrite.Setting{Annotation: 1, Recommendation: model.MainMove, Weight: 10}
		if err := b.Set(start, model.NewMove(model.E2, model.E4), set); err != nil {
			t.Fatal(err)
		}
		dir := gen.Folder(t)
		if _, err := b.Write(context.Background(), filepath.Join(dir, c.name+".ctg")); err != nil {
			t.Fatal(err)
		}
		for _, ext := range []string{".ctg", ".ctb", ".cto"} {
			got, err := os.ReadFile(filepath.Join(dir, c.name+ext))
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(golden, c.name+ext)
			if *update {
				if err := os.WriteFile(name, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
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
