package search_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/search"
	"cbkit/write"
)

// Flags of Scid are found by letter and word in every format that keeps them, by the names
// of a database in that, and as medals in a database of ChessBase.
func TestFlags(t *testing.T) {
	text := strings.NewReplacer("A|", "[White \"A\"]\n[ScidFlags \"", "|", "\"]\n\n1. e4 *\n\n").Replace("A|WE1|A|N!|A|D|A||")
	games := func() model.Source { return pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{}) }
	path := filepath.Join(gen.Folder(t), "Games")
	sinks := map[string]func() (model.Sink, error){
		".si4": func() (model.Sink, error) {
			return write.CreateScid(t.Context(), path+".si4", write.Options{AcceptLosses: true})
		},
		".cbh": func() (model.Sink, error) {
			return write.Create(t.Context(), path+".cbh", write.Options{AcceptLosses: true})
		},
	}
	for ext, create := range sinks {
		sink, err := create()
		if err == nil {
			err = model.Copy(t.Context(), sink, games(), model.CopyOptions{})
		}
		if err != nil {
			t.Fatal(ext, err)
		}
	}
	found := func(src string, query string) (ids []model.RecordID) {
		c := must.Get(search.Parse(query))(t)
		if src == ".pgn" {
			sel := must.Get(search.Select(games(), c))(t)
			for rec := range must.All(t, sel.Records(t.Context(), 1, model.WantHeaders)) {
				ids = append(ids, rec.ID)
			}
			return ids
		}
		s := must.Get(search.Open(path+src, search.Options{}))(t)
		defer s.Close()
		r := must.Get(s.Find(t.Context(), c))(t)
		return r.IDs
	}
	for _, c := range []struct {
		src, query string
		want       []model.RecordID
	}{
		{".pgn", "flag:W", []model.RecordID{1}}, {".si4", "flag:W", []model.RecordID{1}}, {".cbh", "flag:W", nil},
		{".pgn", "flag:endgame", []model.RecordID{1}}, {".si4", "flag:Endgame", []model.RecordID{1}},
		{".si4", "flag:1", []model.RecordID{1}}, {".si4", "flag:w", nil}, {".si4", "flag:WE", nil},
		{".pgn", "flag:D", []model.RecordID{3}}, {".si4", "flag:D", []model.RecordID{3}}, {".cbh", "deleted:yes", []model.RecordID{3}},
		{".cbh", "medal:novelty", []model.RecordID{2}}, {".cbh", "medal:best-game", []model.RecordID{2}}, {".cbh", "medal:endgame", []model.RecordID{1}},
	} {
		if got := found(c.src, c.query); !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %v, want %v", c.src, c.query, got, c.want)
		}
	}
}
