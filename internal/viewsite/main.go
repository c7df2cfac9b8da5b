// Command viewsite makes the static site of the viewer:
//
//	go run ./internal/viewsite dist
//
// The folder can be put on any web server. It has the page, the reader as
// WebAssembly, and what loads it; nothing else is needed, and nothing is sent.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"cbkit/internal/viewpage"
)

// policy is what the page may do: load itself and run the reader.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'none'"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: viewsite FOLDER")
		os.Exit(2)
	}
	if err := build(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "viewsite:", err)
		os.Exit(1)
	}
}

// build makes the site in a folder, which is made.
func build(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, data := range viewpage.Set(viewpage.Files, policy) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "wasm_exec.js"), glue, 0o666); err != nil {
		return err
	}
	to, err := filepath.Abs(filepath.Join(dir, "cbkit.wasm"))
	if err != nil {
		return err
	}
	compile := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", to, "cbkit/internal/viewwasm")
	compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := compile.CombinedOutput(); err != nil {
		return errors.Join(err, errors.New(string(out)))
	}
	return nil
}
