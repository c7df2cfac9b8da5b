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

// What is left of a database whose names are gone.
func ExampleRescueChessBase2() {
	files := gen.EmptyChessBase2()
	delete(files, "Games.2lid")
	set, err := read.FindFilesFS(files, "Games.2cbh")
	if err != nil {
		log.Fatal(err)
	}
	db, ids, err := read.RescueChessBase2(set, read.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	fmt.Println(ids, "headers,", db.Count(), "records")
	// Output:
	// 0 headers, 0 records
}
