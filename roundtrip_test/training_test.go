package roundtrip

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// The questions of Mate2 are asked in one language and answered in two.
func TestTrainingOfRealGames(t *testing.T) {
	ctx := context.Background()
	db, err := read.Open(corpus.Path(t, "cbh/mate2/Mate2.cbh"), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	whole, err := model.Load(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := model.Copy(ctx, pgn.NewWriter(&out, pgn.WriterOptions{Deleted: true}), whole, model.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	joined := strings.Join(strings.Fields(out.String()), " ")
	if n := strings.Count(joined, `"De",""`); n != 14 {
		t.Errorf("%d of 14 questions have their German replies", n)
	}
	path := gen.Folder(t) + "/back.cbh"
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := model.Copy(ctx, sink, pgn.NewReader(&out, pgn.ReaderOptions{}), model.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	back, err := read.Open(path, read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	for _, rec := range whole.List {
		again, err := back.Record(ctx, rec.ID, model.WantAll)
		if err != nil {
			t.Fatal(err)
		}
		a, b := rec.Game.Annotations, again.Game.Annotations
		if len(a) != len(b) {
			t.Fatalf("game %d: %d annotations become %d", rec.ID, len(a), len(b))
		}
		for i := range a {
			if a[i].Node != b[i].Node || !a[i].Value.Equal(b[i].Value) {
				t.Errorf("game %d: %v becomes %v", rec.ID, a[i], b[i])
			}
		}
	}
}
