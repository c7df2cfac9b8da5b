// Parse reads a whole PGN file into the model and writes nothing; bench/compare compares
// it with pgn-extract -s -r.
package main

import (
	"context"
	"fmt"
	"os"

	"cbkit/model"
	"cbkit/pgn"
)

func main() {
	games, err := parse(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "parse:", err)
		os.Exit(1)
	}
	fmt.Println(games)
}

func parse(name string) (games int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r := pgn.NewReader(f, pgn.ReaderOptions{})
	for _, err := range r.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			return games, err
		}
		games++
	}
	return games, nil
}
