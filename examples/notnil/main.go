// Command notnil hands games to github.com/notnil/chess and takes one back.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/notnil/chess"

	"cbkit"
	"cbkit/model"
	"cbkit/model/notnil"
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
	for rec, err := range src.Records(ctx, 1, model.WantMoves) {
		if err != nil {
			return err
		}
		game, err := notnil.ToChess(rec, src.Entities(), func(l model.Loss) { fmt.Println("lost:", l) })
		if err != nil {
			return err
		}
		fmt.Println(rec.ID, game.Method())
	}
	played := chess.NewGame()
	for _, move := range []string{"f3", "e5", "g4", "Qh4#"} {
		if err := played.MoveStr(move); err != nil {
			return err
		}
	}
	db := &model.Database{}
	g, err := notnil.FromChess(played, db.Entities())
	if err != nil {
		return err
	}
	fmt.Println(db.AddGame(g), g.Result)
	return nil
}
