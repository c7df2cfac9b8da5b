// Command golden shows what a golden test does: with a clock, and without the seal, the
// same input gives the same bytes, and no file is needed for that.
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log"
	"time"

	"cbkit"
	"cbkit/compose"
	"cbkit/model"
	"cbkit/write"
)

func main() {
	ctx := context.Background()
	first, err := sum(ctx)
	if err != nil {
		log.Fatal(err)
	}
	again, err := sum(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(first == again)
}

// sum returns the sum of all files of a database.
func sum(ctx context.Context) (string, error) {
	db := &model.Database{}
	if _, err := compose.New(compose.Header{White: "A", Black: "B"}).AddTo(db); err != nil {
		return "", err
	}
	memory := write.NewMemory()
	err := cbkit.Save(ctx, "golden.cbh", db, cbkit.SaveOptions{
		In:       memory,
		Now:      func() time.Time { return time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC) },
		Boosters: &write.BoosterOptions{NoSeal: true},
	})
	if err != nil {
		return "", err
	}
	all := sha256.New()
	files, err := fs.ReadDir(memory, ".")
	for _, f := range files {
		content, err := fs.ReadFile(memory, f.Name())
		if err != nil {
			return "", err
		}
		fmt.Fprintln(all, f.Name(), len(content))
		all.Write(content)
	}
	return fmt.Sprintf("%x", all.Sum(nil)), err
}
