// Command compact takes deleted games and holes out of a database, makes its search
// boosters and checks it.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"cbkit/check"
	"cbkit/write"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, path string) error {
	smaller, err := write.Compact(ctx, path, write.CompactOptions{Purge: true})
	if err != nil {
		return err
	}
	fmt.Println(smaller.Records, "records,", smaller.Purged, "purged")
	made, err := write.Boosters(ctx, path, write.BoosterOptions{})
	if err != nil {
		return err
	}
	for _, skipped := range made.Skipped {
		fmt.Println("left out:", skipped.Files, skipped.Reason)
	}
	fmt.Println(len(made.Files), "boosters")
	checked := check.Database(ctx, path, check.Options{})
	for f, err := range checked.Findings() {
		if err != nil {
			return err
		}
		fmt.Println(f)
	}
	summary, err := checked.Summary()
	if err != nil {
		return err
	}
	fmt.Println(summary.Errors, "errors")
	return nil
}
