package ctgwrite_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"cbkit/ctgwrite"
	"cbkit/model"
	"cbkit/pgn"
)

// A builder takes games of several sources; it is used up by writing.
func ExampleNewBuilder() {
	dir := exampleDir()
	defer os.RemoveAll(dir)

	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{
		MaxPly: 30, MinGames: 2,
		Options: ctgwrite.Options{TempDir: dir},
	})
	defer b.Close()
	for range 2 {
		games := pgn.NewReader(strings.NewReader(twoGames), pgn.ReaderOptions{})
		if err := b.Add(context.Background(), games); err != nil {
			log.Fatal(err)
		}
	}
	result, err := b.Write(context.Background(), filepath.Join(dir, "book.ctg"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Games, "games")
	_, err = b.Write(context.Background(), filepath.Join(dir, "again.ctg"))
	fmt.Println(err)
	// Output:
	// 4 games
	// the builder was used up or closed
}

// A crash while a book was being replaced leaves folders beside it.
func ExampleRecover() {
	dir := exampleDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")
	buildExample(path)
	// Nothing was interrupted here, so there is nothing to do.
	fmt.Println(ctgwrite.Recover(path, model.RecoverOptions{}))
	// Output: nothing to recover <nil>
}

// Before hours of work, the right to write the book is taken: nothing can be in
// the way at the end.
func ExampleNewClaim() {
	dir := exampleDir()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.ctg")
	ctx := context.Background()

	claim, err := ctgwrite.NewClaim(ctx, path, ctgwrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer claim.Release()
	_, err = ctgwrite.NewClaim(ctx, path, ctgwrite.Options{})
	fmt.Println("somebody else:", errors.Is(err, model.ErrLocked))

	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{Options: ctgwrite.Options{Claim: claim}})
	defer b.Close()
	if err := b.Add(ctx, pgn.NewReader(strings.NewReader(twoGames), pgn.ReaderOptions{})); err != nil {
		log.Fatal(err)
	}
	done, err := b.Write(ctx, path)
	fmt.Println(done.Games, "games", err)
	// Output:
	// somebody else: true
	// 2 games <nil>
}
