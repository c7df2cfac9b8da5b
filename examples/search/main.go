// Command search finds games by a query and by a position, and saves what it found.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"cbkit"
	"cbkit/board"
	"cbkit/search"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, path, target string) error {
	s, err := search.Open(path, search.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	asked, err := search.Parse("result:1-0 and year:..1900")
	if err != nil {
		return err
	}
	position, err := board.Parse("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
	if err != nil {
		return err
	}
	found, err := s.Find(ctx, search.And(asked, search.Reached(position)))
	if err != nil {
		return err
	}
	for _, name := range found.Unknown {
		fmt.Println("no player is called", name)
	}
	fmt.Println(found.IDs)
	games, err := s.Source(found)
	if err != nil {
		return err
	}
	return cbkit.Save(ctx, target, games, cbkit.SaveOptions{Plain: true, AcceptLosses: true})
}
