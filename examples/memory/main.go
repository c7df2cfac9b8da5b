// Command memory reads what is embedded in the program and makes a database, and an
// archive of it, in memory: it runs in a browser too.
//
//	GOOS=js GOARCH=wasm go build
package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"log"

	"cbkit"
	"cbkit/archive"
	"cbkit/write"
)

//go:embed games.pgn
var embedded embed.FS

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	src, err := cbkit.Open("games.pgn", cbkit.Options{FS: embedded})
	if err != nil {
		return err
	}
	defer src.Close()
	memory := write.NewMemory()
	if err := cbkit.Save(ctx, "Games.cbh", src, cbkit.SaveOptions{In: memory}); err != nil {
		return err
	}
	names, err := fs.Glob(memory, "*")
	if err != nil {
		return err
	}
	files, err := archive.Files(memory, names...)
	if err != nil {
		return err
	}
	packed := new(buffer)
	if _, err := archive.Write(ctx, packed, files, archive.WriterOptions{}); err != nil {
		return err
	}
	a, err := archive.NewReader(bytes.NewReader(packed.bytes), int64(len(packed.bytes)), "Games.cbv", archive.Options{})
	if err != nil {
		return err
	}
	defer a.Close()
	again, err := cbkit.Open("Games.cbh", cbkit.Options{FS: a.FS()})
	if err != nil {
		return err
	}
	defer again.Close()
	fmt.Println(len(names), "files,", again.Count(), "games")
	return nil
}

// buffer is an io.WriterAt in memory.
type buffer struct{ bytes []byte }

// WriteAt implements io.WriterAt.
func (b *buffer) WriteAt(p []byte, at int64) (int, error) {
	if more := int(at) + len(p) - len(b.bytes); more > 0 {
		b.bytes = append(b.bytes, make([]byte, more)...)
	}
	return copy(b.bytes[at:], p), nil
}
