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

// Several changes make one transaction: a game is added, the name of a player is
// corrected in all games, and another game is marked as deleted.
func ExampleEdit() {
	dir, err := os.MkdirTemp("", "edit")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.cbh")
	sink, err := write.Create(path, write.Options{})
	if err != nil {
		log.Fatal(err)
	}
	games := pgn.NewReader(strings.NewReader(`[White "Kasparof, Garry"] [Black "Karpov, Anatoly"] 1. e4 c5 *

[White "Karpov, Anatoly"] [Black "Kasparof, Garry"] 1. d4 Nf6 *`), pgn.ReaderOptions{})
	if err := model.Copy(context.Background(), sink, games, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}

	ed, err := write.Edit(path, write.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer ed.Close()
	more := pgn.NewReader(strings.NewReader(`[White "Kramnik, Vladimir"] [Black "Kasparof, Garry"] 1. Nf3 *`), pgn.ReaderOptions{})
	if err := ed.Append(context.Background(), more, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}
	players := ed.Players()
	id, err := players.Find(model.Player{LastName: "Kasparof", FirstName: "Garry"})
	if err != nil {
		log.Fatal(err)
	}
	if err := players.Change(id, model.Player{LastName: "Kasparov", FirstName: "Garry"}); err != nil {
		log.Fatal(err)
	}
	if err := ed.Delete(2); err != nil {
		log.Fatal(err)
	}
	if err := ed.Commit(); err != nil {
		log.Fatal(err)
	}
	done := ed.Result()
	fmt.Printf("%d added, %d deleted, %d changed; %d records\n", done.Appended, done.Deleted, done.EntitiesChanged, ed.Count())
	// Output: 1 added, 1 deleted, 1 changed; 3 records
}
