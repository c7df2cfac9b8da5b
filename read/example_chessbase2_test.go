package read_test

import (
	"fmt"
	"log"

	"cbkit/internal/testkit/gen"
	"cbkit/read"
)

// A database of ChessBase 17 opens as all others do.
func ExampleChessBase2() {
	files := gen.EmptyChessBase2() // or os.DirFS of a folder
	db, err := read.OpenFS(files, "Games.2cbh", read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	_, is := db.(*read.ChessBase2)
	fmt.Println(is, db.Count())
	// Output: true 0
}
