package search_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"cbkit/model"
	"cbkit/search"
)

// What was found is a source like any other, for model.Copy too.
func ExampleSearcher_Source() {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "Games.cbh")
	writeExample(path)
	s, err := search.Open(path, search.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	ctx := context.Background()
	found, err := s.Find(ctx, search.Player(search.WhiteSide, "Carlsen"))
	if err != nil {
		fmt.Println(err)
		return
	}
	games, err := s.Source(found)
	if err != nil {
		fmt.Println(err)
		return
	}
	for rec, err := range games.Records(ctx, 1, model.WantMoves) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(rec.ID, games.Entities().Players.Value(rec.Game.Black).LastName, rec.Game.Moves.MainLen())
	}
	// Output: 1 Xu 2
}
