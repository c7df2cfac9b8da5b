package read

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
)

// resolved are the games of a source, by value.
func resolved(t *testing.T, src model.Source) (list []model.ResolvedGame) {
	t.Helper()
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves|model.WantAnnotations) {
		if err != nil || len(rec.Faults()) > 0 {
			t.Fatal(rec.ID, err, rec.Faults())
		}
		g := rec.Clone().Game
		g.Tags = slices.DeleteFunc(g.Tags, func(tag model.Tag) bool { return tag.Name == "ScidFlags" }) // which Scid does not print
		g.Leftovers = model.GameLeftovers{}
		list = append(list, g.Resolve(src.Entities()))
	}
	return list
}

// The games of real databases are those that Scid prints of them. The records 14 and 16 of
// own-edge are printed in a way that does not read back: two encodings in one file, and a
// brace in a comment.
func TestScidGames(t *testing.T) {
	for _, base := range []string{
		"own-edge/own-edge.si4", "five/five.si4", "endings/endings.si4", "endings/endings.si3", "tactics/tactics.si4", "BlackRep/BlackRep.si4", "scntest/scntest.si4",
		"si5/edge.si5", "si5/five.si5", "si5/c960.si5",
	} {
		t.Run(base, func(t *testing.T) {
			db := must.Get(Open(corpus.Path(t, "si4/"+base), Options{Jobs: 1}))(t)
			defer db.Close()
			got := resolved(t, db)
			want := resolved(t, pgn.NewReader(bytes.NewReader(corpus.Read(t, "si4/"+base[:len(base)-4]+".scid.pgn")), pgn.ReaderOptions{}))
			if len(got) != len(want) {
				t.Fatalf("%d games, want %d", len(got), len(want))
			}
			for i := range got {
				if isOdd := len(got) == 112 && (i+1 == 14 || i+1 == 16); isOdd {
					got[i].Annotations, want[i].Annotations = nil, nil
				}
				if diff := cmp.Diff(want[i], got[i], cmp.AllowUnexported(model.Tree{}, model.Symbols{})); diff != "" {
					t.Errorf("game %d: %s", i+1, diff)
				}
			}
		})
	}
}
