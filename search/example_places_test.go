package search_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"cbkit/board"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/search"
)

// Where games meet a query, and what was played there.
func ExamplePlaces() {
	const game = `[Date "2024.01.01"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
`
	c, err := search.Parse("year:2024.. move:*#")
	if err != nil {
		log.Fatal(err)
	}
	src := pgn.NewReader(strings.NewReader(game), pgn.ReaderOptions{})
	places, err := search.NewPlaces(src.Entities(), c)
	if err != nil {
		log.Fatal(err)
	}
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves) {
		if err != nil {
			log.Fatal(err)
		}
		var spot search.Spot
		spot, ok := places.In(&rec)
		if !ok {
			continue
		}
		p, err := board.After(rec.Game.Start, &rec.Game.Moves, spot.At)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(spot.Term, p.SAN(rec.Game.Moves.Move(spot.Move)), p.FEN())
	}
	// Output: move Qxf7# r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4
}
