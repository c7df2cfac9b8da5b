// Command edit changes a database in place: all or nothing, also when the power fails.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"cbkit/model"
	"cbkit/write"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, path string) error {
	ed, err := write.Edit(ctx, path, write.EditOptions{Wait: 5 * time.Second})
	if errors.Is(err, model.ErrLocked) {
		return fmt.Errorf("try again later: %w", err)
	}
	if err != nil {
		return err
	}
	defer ed.Close() // takes back what was not committed
	// A second writer is refused meanwhile, and told by whom.
	if _, err := write.Edit(ctx, path, write.EditOptions{}); !errors.Is(err, model.ErrLocked) {
		return fmt.Errorf("two writers: %w", err)
	}
	players := ed.Players()
	legal, err := players.Find(model.Player{LastName: "Legal"})
	if err != nil {
		return err
	}
	if err := players.Change(legal, model.Player{LastName: "Kermeur", FirstName: "Legall de"}); err != nil {
		return err
	}
	h, err := ed.Header(2)
	if err != nil {
		return err
	}
	h.Date = model.Date{Year: 1858, Month: 10}
	if err := errors.Join(ed.SetHeader(2, h, nil), ed.Delete(1)); err != nil {
		return err
	}
	if err := ed.Commit(); err != nil {
		return err
	}
	did := ed.Result()
	fmt.Println(did.Set, "header,", did.Deleted, "deleted,", did.EntitiesChanged, "name")
	return nil
}
