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
		g, e := rec.Game, src.Entities()
		fmt.Printf("%d: %v - %v, %v %d, %v, %d moves\n", rec.ID, e.Players.Value(g.White), e.Players.Value(g.Black),
			e.Tournaments.Value(g.Tournament).Title, g.Date.Year, g.Result, (g.Moves.MainLen()+1)/2)
		if longest == nil || g.Moves.MainLen() > longest.Moves.MainLen() {
			longest = g
		}
	}
	if longest == nil {
		return nil
	}
	_, err = os.Stdout.Write(pgn.AppendPlainGame(nil, longest, src.Entities()))
	return err
}
