package write_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"cbkit/check"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/write"
)

// A byte in the header of a file of players is wrong: the number of live ones.
// It follows from the others, and so is made true.
func ExampleRepair() {
	dir, err := os.MkdirTemp("", "repair")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.cbh")
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err != nil {
		log.Fatal(err)
	}
	games := pgn.NewReader(strings.NewReader(`[White "Tal, Mihail"] [Black "Botvinnik, Mikhail"] 1. e4 c6 *`), pgn.ReaderOptions{})
	if err := model.Copy(context.Background(), sink, games, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}
	players, err := os.OpenFile(filepath.Join(dir, "games.cbp"), os.O_WRONLY, 0)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := players.WriteAt([]byte{77}, 20); err != nil {
		log.Fatal(err)
	}
	if err := players.Close(); err != nil {
		log.Fatal(err)
	}

	result, err := write.Repair(context.Background(), path, write.RepairOptions{
		Repaired: func(r write.Repaired) { fmt.Printf("%s: %s [%s]\n", r.File, r.Message, r.Code) },
		Left:     func(f check.Finding, why string) { fmt.Printf("%v, left alone: %s\n", f, why) },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Left.Errors, "errors left")
	// Output:
	// games.cbp: counts 77, there are 2; rebuilt [live-count]
	// 0 errors left
}
