package check_test

import (
	"context"
	"fmt"
	"log"

	"cbkit/check"
	"cbkit/internal/testkit/gen"
)

// A database of ChessBase 17 that a program has not finished writing.
func ExampleChessBase2() {
	files := gen.EmptyChessBase2() // or os.DirFS of a folder
	files["Games.2cbh"].Data[16] = 3
	for f, err := range check.ChessBase2(context.Background(), "Games.2cbh", check.Options{FS: files}).Findings() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.Severity, f)
	}
	// Output:
	// note Games.2lgd: the file is missing
	// note Games.2lcd: the file is missing
	// error Games.2cbh: header (next id): 3, there are 0 records
}
