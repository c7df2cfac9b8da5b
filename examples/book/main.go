// Command book makes an opening book of a database and asks it for moves.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"cbkit"
	"cbkit/board"
	"cbkit/ctgwrite"
	"cbkit/read"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, games, path string) error {
	src, err := cbkit.Open(games, cbkit.Options{})
	if err != nil {
		return err
	}
	defer src.Close()
	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{MaxPly: 30})
	defer b.Close()
	if err := b.Add(ctx, src); err != nil {
		return err
	}
	made, err := b.Write(ctx, path)
	if err != nil {
		return err
	}
	fmt.Println(made.Games, "games,", made.Positions, "positions")
	book, err := read.OpenBook(ctx, path)
	if err != nil {
		return err
	}
	defer book.Close()
	p := board.Start()
	entry, err := book.Lookup(p)
	if err != nil {
		return err
	}
	for _, m := range entry.Moves {
		fmt.Println(p.SAN(m.Move), m.Stats.Games, m.Stats.Percent())
	}
	return nil
}
