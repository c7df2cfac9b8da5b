package check_test

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

func ExampleVerifySimple() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.dci")
	sink, err := write.CreateSimple(context.Background(), path, write.Options{})
	if err != nil {
		log.Fatal(err)
	}
	games := pgn.NewReader(strings.NewReader("1. e4 e5 {open} * 1. d4 *"), pgn.ReaderOptions{})
	if err := model.Copy(context.Background(), sink, games, model.CopyOptions{}); err != nil {
		log.Fatal(err)
	}

	report, err := check.VerifySimple(context.Background(), path, check.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Files {
		fmt.Println(f.File, f.Records, "records,", f.Exact, "exact")
	}
	fmt.Println("different:", report.Different())
	// Output:
	// games.dci 3 records, 3 exact
	// games.dcg 2 records, 2 exact
	// games.dcn 1 records, 1 exact
	// games.dcs 1 records, 1 exact
	// games.dce 1 records, 1 exact
	// different: 0
}

// The codes of all checks are in one table, with their severity and meaning.
func ExampleSeverity() {
	for _, c := range check.Codes() {
		switch c.Code {
		case "book-header", "simple-cut", "booster-missing", "archive-block":
			fmt.Println(c.Code, c.Severity)
		}
	}
	// Output:
	// booster-missing note
	// book-header error
	// simple-cut error
	// archive-block error
}
