package write_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"cbkit/model"
	"cbkit/pgn"
	"cbkit/write"
)

// The file with the headers of the games is lost: the moves are found by looking
// for them, and come out as games without names.
func ExampleSalvage() {
	dir, err := os.MkdirTemp("", "salvage")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.cbh")
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err != nil {
		log.Fatal(err)
	}
	games := pgn.NewReader(strings.NewReader(`[White "Tal, Mihail"] [Black "Botvinnik, Mikhail"] 1. e4 c6 *

[White "Botvinnik, Mikhail"] [Black "Tal, Mihail"] 1. c4 Nf6 *`), pgn.ReaderOptions{})
	if err := model.Copy(context.Background(), sink, games, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{path, filepath.Join(dir, "games.cbj")} {
		if err := os.Remove(name); err != nil {
			log.Fatal(err)
		}
	}

	result, err := write.Salvage(context.Background(), filepath.Join(dir, "games.cbg"), filepath.Join(dir, "rescued.cbh"),
		write.SalvageOptions{Account: func(s write.Salvaged) { fmt.Println(s.State, s.New, s.Why) }})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Written, "games")
	// Output:
	// found 1 [at 26 of the .cbg file, with no header]
	// found 2 [at 33 of the .cbg file, with no header]
	// 2 games
}
