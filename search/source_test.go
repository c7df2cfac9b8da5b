package search_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/search"

	"pgregory.net/rapid"
)

// What was found is read with its ids, from any one on, whether there are few or many; and
// reading ends when nobody wants more.
func TestSourceReadsWhatWasFound(t *testing.T) {
	path, _ := store(t, rapid.Custom(mixedDatabase).Example(2))
	all := load(t, path)
	s := must.Get(search.Open(path, search.Options{}))(t)
	defer s.Close()
	for _, step := range []int{1, 2, 50} {
		var ids []model.RecordID
		for i := 0; i < len(all.List); i += step {
			ids = append(ids, all.List[i].ID)
		}
		src := must.Get(s.Source(search.Result{IDs: ids}))(t)
		for _, from := range []model.RecordID{1, ids[len(ids)/2], ids[len(ids)-1] + 1} {
			at, _ := slices.BinarySearch(ids, from)
			var got []model.RecordID
			for rec, err := range src.Records(context.Background(), from, model.WantAll) {
				if err != nil || rec.Deleted != all.List[rec.ID-1].Deleted || (rec.Game == nil) != (all.List[rec.ID-1].Game == nil) {
					t.Fatalf("record %d: %+v, %v", rec.ID, rec, err)
				}
				got = append(got, rec.ID)
			}
			if !slices.Equal(got, ids[at:]) {
				t.Errorf("every %d from %d on: %v, want %v", step, from, got, ids[at:])
			}
		}
		for rec, err := range src.Records(context.Background(), 1, model.WantMoves) {
			if err != nil || rec.ID != ids[0] {
				t.Errorf("the first is %d, %v", rec.ID, err)
			}
			break
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var failed error
		for _, err := range src.Records(ctx, 1, model.WantMoves) {
			failed = err
		}
		if !errors.Is(failed, context.Canceled) {
			t.Errorf("cancelled: %v", failed)
		}
	}
}
