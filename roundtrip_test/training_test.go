package roundtrip

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// The questions of Mate2 are asked in one language and answered in two.
func TestTrainingOfRealGames(t *testing.T) {
	ctx := context.Background()
	db := must.Get(read.Open(corpus.Path(t, "cbh/mate2/Mate2.cbh"), read.Options{}))(t)
	defer db.Close()
	whole := must.Get(model.Load(ctx, db))(t)
	var out bytes.Buffer
	must.Do(t, model.Copy(ctx, pgn.NewWriter(&out, pgn.WriterOptions{Deleted: true}), whole, model.CopyOptions{}))
	joined := strings.Join(strings.Fields(out.String()), " ")
	if n := strings.Count(joined, `"De",""`); n != 14 {
		t.Errorf("%d of 14 questions have their German replies", n)
	}
	path := gen.Folder(t) + "/back.cbh"
	sink := must.Get(write.Create(context.Background(), path, write.Options{}))(t)
	must.Do(t, model.Copy(ctx, sink, pgn.NewReader(&out, pgn.ReaderOptions{}), model.CopyOptions{}))
	back := must.Get(read.Open(path, read.Options{}))(t)
	defer back.Close()
	for _, rec := range whole.List {
		again := must.Get(back.Record(ctx, rec.ID, model.WantAll))(t)
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
