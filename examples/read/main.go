// Command read opens a database of any kind and prints its games.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"cbkit"
	"cbkit/model"
	"cbkit/pgn"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, path string) error {
	src, err := cbkit.Open(path, cbkit.Options{})
	if err != nil {
		return err
	}
	defer src.Close()
	// A record is valid until the next step; model.Games yields copies that can be kept.
	var longest *model.Game
	for rec, err := range model.Games(ctx, src, model.WantMoves|model.WantAnnotations) {
		if err != nil {
			return err
		}
		g := rec.Game
		fmt.Println(rec.ID, rec.Header(src.Entities()), (g.Moves.MainLen()+1)/2, "moves")
		if longest == nil || g.Moves.MainLen() > longest.Moves.MainLen() {
			longest = g
		}
	}
	if longest == nil {
		return nil
	}
	fmt.Println(pgn.MoveText(longest))
	return nil
}
