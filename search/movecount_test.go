package search_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/search"
	"cbkit/write"
)

// TestMoveCounts: both ends of a range belong to it, and headers, which stop
// counting at 255, answer for all that is more.
func TestMoveCounts(t *testing.T) {
	lengths := []int{0, 1, 2, 254, 255, 256, 300} // full moves, by id from 1
	db := &model.Database{}
	for _, n := range lengths {
		g := model.NewGame()
		for i := range n {
			out, back := model.NewMove(model.G1, model.F3), model.NewMove(model.G8, model.F6)
			if i%2 == 1 {
				out, back = model.NewMove(model.F3, model.G1), model.NewMove(model.F6, model.G8)
			}
			g.Moves.Append(out)
			g.Moves.Append(back)
		}
		db.AddGame(g)
	}
	path := filepath.Join(gen.Folder(t), "db.cbh")
	sink := must.Get(write.Create(context.Background(), path, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(t.Context(), sink, db, model.CopyOptions{}))
	s := must.Get(search.Open(path, search.Options{}))(t)
	defer s.Close()
	for _, tt := range []struct {
		least, most int
		want        []model.RecordID
	}{
		{0, 0, []model.RecordID{1, 2, 3, 4, 5, 6, 7}},
		{1, 2, []model.RecordID{2, 3}},
		{2, 2, []model.RecordID{3}},
		{2, 254, []model.RecordID{3, 4}},
		{254, 254, []model.RecordID{4}},
		{254, 255, []model.RecordID{4, 5, 6, 7}},
		{255, 255, []model.RecordID{5, 6, 7}},
		{255, 0, []model.RecordID{5, 6, 7}},
		{256, 256, []model.RecordID{5, 6, 7}},
		{280, 0, []model.RecordID{5, 6, 7}},
		{280, 400, []model.RecordID{5, 6, 7}},
	} {
		result, err := s.Find(t.Context(), search.Moves(tt.least, tt.most))
		if err != nil || !slices.Equal(result.IDs, tt.want) {
			t.Errorf("%d to %d moves: %v, want %v; error %v", tt.least, tt.most, result.IDs, tt.want, err)
		}
	}
}
