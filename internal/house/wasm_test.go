package house

import (
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// A program that only reads databases is small enough for a page: 1.75 MB for js/wasm,
// compressed as servers do.
func TestReadIsSmallForBrowsers(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for another system")
	}
	const limit = 1_750_000
	dir := gen.Folder(t)
	code := `package main

import (
	"context"
	"os"

	"cbkit/model"
	"cbkit/read"
)

func main() {
	db, err := read.OpenFS(os.DirFS("."), "Games.cbh", read.Options{})
	if err != nil {
		panic(err)
	}
	defer db.Close()
	for rec, err := range db.Records(context.Background(), 1, model.WantAll) {
		println(rec.ID, err == nil)
	}
}
`
	program, made := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.wasm")
	must.Do(t, os.WriteFile(program, []byte(code), 0o666))
	c := exec.Command("go", "build", "-ldflags=-s -w", "-o", made, program)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f := must.Get(os.Open(made))(t)
	defer f.Close()
	var size counting
	packed, err := gzip.NewWriterLevel(&size, gzip.BestCompression)
	if err == nil {
		_, err = io.Copy(packed, f)
	}
	if err == nil {
		err = packed.Close()
	}
	if err != nil || size > limit {
		t.Errorf("%d bytes, at most %d; %v", size, limit, err)
	}
	t.Logf("%d bytes", size)
}

// counting counts what is written.
type counting int

// Write implements io.Writer.
func (c *counting) Write(p []byte) (int, error) {
	*c += counting(len(p))
	return len(p), nil
}
