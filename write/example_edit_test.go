package write_test

import (
	"context"
	"errors"
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
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err != nil {
		log.Fatal(err)
	}
	games := pgn.NewReader(strings.NewReader(`[White "Kasparof, Garry"] [Black "Karpov, Anatoly"] 1. e4 c5 *

[White "Karpov, Anatoly"] [Black "Kasparof, Garry"] 1. d4 Nf6 *`), pgn.ReaderOptions{})
	if err := model.Copy(context.Background(), sink, games, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}

	ed, err := write.Edit(context.Background(), path, write.EditOptions{})
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

// twoGames writes a database of two games into a new folder.
func twoGames() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	path = filepath.Join(dir, "games.cbh")
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err != nil {
		log.Fatal(err)
	}
	games := pgn.NewReader(strings.NewReader(`[White "Tal, Mikhail"] [Black "Botvinnik, Mikhail"] 1. e4 c6 *

[White "Botvinnik, Mikhail"] [Black "Smyslov, Vasily"] 1. d4 Nf6 *`), pgn.ReaderOptions{})
	if err := model.Copy(context.Background(), sink, games, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

// The players of a database, as a change finds them.
func ExampleEntityEditor_All() {
	path, remove := twoGames()
	defer remove()
	ed, err := write.Edit(context.Background(), path, write.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer ed.Close()
	for player, err := range ed.Players().All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(player.ID, player.Value)
	}
	// Output:
	// 0 Tal, Mikhail
	// 1 Botvinnik, Mikhail
	// 2 Smyslov, Vasily
}

// Deleted games stay until they are purged.
func ExampleCompact() {
	path, remove := twoGames()
	defer remove()
	ed, err := write.Edit(context.Background(), path, write.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(ed.Delete(1), ed.Commit(), ed.Close()); err != nil {
		log.Fatal(err)
	}

	for _, purge := range []bool{false, true} {
		done, err := write.Compact(context.Background(), path, write.CompactOptions{Purge: purge})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(done.Records, "records,", done.Purged, "purged; smaller:", done.After < done.Before)
	}
	// Output:
	// 2 records, 0 purged; smaller: false
	// 1 records, 1 purged; smaller: true
}

// A database that is there is not replaced unless that is wanted.
func ExampleExistsError() {
	path, remove := twoGames()
	defer remove()
	_, err := write.Create(context.Background(), path, write.Options{})
	var exists *model.ExistsError
	if errors.As(err, &exists) {
		fmt.Println("in the way:", filepath.Base(exists.Path))
	}
	// Output: in the way: games.cbh
}

// Several players are made one at once: the records are looked through once for all.
func ExampleEntityEditor_MergeAll() {
	path, remove := twoGames()
	defer remove()
	ed, err := write.Edit(context.Background(), path, write.EditOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer ed.Close()
	players := ed.Players()
	fmt.Println(players.MergeAll(map[model.EntityID]model.EntityID{0: 1, 1: 0}))
	if err := players.MergeAll(map[model.EntityID]model.EntityID{0: 1, 1: 2}); err != nil {
		log.Fatal(err)
	}
	for id := model.RecordID(1); int(id) <= ed.Count(); id++ {
		h, err := ed.Header(id)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(id, h.White, h.Black)
	}
	// Output:
	// games.cbp: player 0 cannot be merged with itself
	// 1 2 2
	// 2 2 2
}
