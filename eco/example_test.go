package eco_test

import (
	"context"
	"fmt"
	"strings"

	"cbkit/eco"
	"cbkit/model"
	"cbkit/pgn"
)

const italian = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 *"

func ExampleClassify() {
	games := pgn.NewReader(strings.NewReader(italian), pgn.ReaderOptions{})
	for rec, err := range games.Records(context.Background(), 1, model.WantMoves) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if o, ply, ok := eco.Classify(rec.Game); ok {
			fmt.Println(o.Code, o.Name, ply)
		}
	}
	// Output: C53 Italian Game: Classical Variation 7
}

func ExampleSource() {
	games := pgn.NewReader(strings.NewReader(italian), pgn.ReaderOptions{})
	for rec, err := range eco.Source(games, eco.Options{Names: true}).Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(rec.Game.ECO, rec.Game.Tag("Opening"))
	}
	// Output: C53 Italian Game: Classical Variation
}
