package eco_test

import (
	"context"
	"fmt"
	"strings"

	"cbkit/board"
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

// Openings are looked up by position, by code, and all in turn.
func ExampleAt() {
	p := board.Start()
	for _, san := range []string{"e4", "c5"} {
		m, err := p.ParseSAN(san)
		if err != nil {
			fmt.Println(err)
			return
		}
		p.Make(m)
	}
	o, ok := eco.At(&p)
	fmt.Println(o.Code, o.Name, ok)
	code, _ := model.ParseECO("C67")
	o, ok = eco.Named(code)
	fmt.Println(o.Code, ok)
	n := 0
	for range eco.All() {
		n++
	}
	fmt.Println(n > 3000)
	// Output:
	// B20 Sicilian Defense true
	// C67 true
	// true
}
