//go:build !js || !wasm

package main

import (
	"fmt"
	"os"
)

// main says what to do, where this package is run or vetted by its name.
func main() {
	fmt.Fprintln(os.Stderr, "viewwasm runs in browsers: go run ./cmd/internal/viewsite FOLDER builds it, with the page around it")
	os.Exit(2)
}
