package write_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"cbkit/write"
)

func ExampleRecoverSimple() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	// Nothing was interrupted here, so there is nothing to do.
	fmt.Println(write.RecoverSimple(filepath.Join(dir, "Games.dci")))
	// Output: nothing to recover <nil>
}
