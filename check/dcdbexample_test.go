package check_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"cbkit/check"
	"cbkit/model"
	"cbkit/write"
)

// A database with a damaged byte.
func ExampleSimple() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	db.AddGame(g)
	sink, err := write.CreateSimple(context.Background(), filepath.Join(dir, "games.dci"), write.Options{AcceptLosses: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := model.Copy(context.Background(), sink, db, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}
	games := filepath.Join(dir, "games.dcg")
	b, err := os.ReadFile(games)
	if err != nil {
		log.Fatal(err)
	}
	b[len(b)-1] = 0x26 // e2-g5
	if err := os.WriteFile(games, b, 0o600); err != nil {
		log.Fatal(err)
	}

	made := check.Simple(context.Background(), games, check.Options{})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		fmt.Println(f.Severity, f)
	}
	summary, err := made.Summary()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Errors, "error,", summary.Notes, "notes")

	// In one pass with VerifySimple.
	report, err := check.Simple(context.Background(), games, check.Options{Verify: true}).Report()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Different(), "different")
	// Output:
	// error games.dcg: record 1 (move): corrupt: e2g5 is not legal
	// 1 error, 0 notes
	// 0 different
}
