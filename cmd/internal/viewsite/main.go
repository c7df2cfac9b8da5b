// Command viewsite makes the static site of the viewer, or an npm package of its
// reader:
//
//	go run ./cmd/internal/viewsite dist
//	go run ./cmd/internal/viewsite -npm package
//
// The folder of the site can be put on any web server. It has the page, the reader as
// WebAssembly, and what loads it; nothing else is needed, and nothing is sent. A gzipped
// reader is there too, for servers that can send one.
package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"cbkit/cmd/internal/viewpage"
)

// policy is what the page may do: load itself and run the reader.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:; base-uri 'none'; form-action 'none'"

//go:embed npm
var npm embed.FS

func main() {
	asPackage := flag.Bool("npm", false, "make the npm package")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: viewsite [-npm] FOLDER")
		os.Exit(2)
	}
	if err := build(flag.Arg(0), *asPackage); err != nil {
		fmt.Fprintln(os.Stderr, "viewsite:", err)
		os.Exit(1)
	}
}

// build makes the site or the package in a folder, which is made.
func build(dir string, asPackage bool) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	files := viewpage.Set(viewpage.Files, policy)
	if asPackage {
		clear(files)
		for _, name := range []string{"index.js", "package.json"} {
			data, err := npm.ReadFile("npm/" + name)
			if err != nil {
				return err
			}
			files[name] = data
		}
	}
	for name, data := range files {
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
	compile := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", to, "cbkit/cmd/internal/viewwasm")
	compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := compile.CombinedOutput(); err != nil {
		return errors.Join(err, errors.New(string(out)))
	}
	if asPackage {
		return nil
	}
	reader, err := os.ReadFile(to)
	if err != nil {
		return err
	}
	var small bytes.Buffer
	w, _ := gzip.NewWriterLevel(&small, gzip.BestCompression) // the level is one
	_, failed := w.Write(reader)
	worker := bytes.Replace(files["worker.js"], []byte("const size = 0;"), fmt.Appendf(nil, "const size = %d;", len(reader)), 1)
	return errors.Join(failed, w.Close(), os.WriteFile(to+".gz", small.Bytes(), 0o666), os.WriteFile(filepath.Join(dir, "worker.js"), worker, 0o666))
}
