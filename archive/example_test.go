package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"
	"time"

	"cbkit/archive"
	"cbkit/model"
)

// exampleFiles stand for the files of a database.
func exampleFiles() fs.FS {
	when := time.Date(2016, 8, 1, 19, 17, 27, 710_000_000, time.Local)
	return fstest.MapFS{
		"Games.cbg":         {Data: []byte(strings.Repeat("moves ", 1000)), ModTime: when},
		"Games.cbh":         {Data: []byte("headers"), ModTime: when},
		"Games.html/a.html": {Data: []byte("<p>a picture</p>"), ModTime: when},
	}
}

// exampleArchive is an archive of them in memory.
func exampleArchive() []byte {
	files, err := archive.Files(exampleFiles(), "Games.cbg", "Games.cbh", "Games.html")
	if err != nil {
		log.Fatal(err)
	}
	var out buffer
	if _, err := archive.Write(context.Background(), &out, files, archive.WriterOptions{}); err != nil {
		log.Fatal(err)
	}
	return out.data
}

// Create packs files; Open lists what is in an archive.
func ExampleCreate() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "Games.cbz")

	files, err := archive.Files(exampleFiles(), "Games.cbg", "Games.cbh", "Games.html")
	if err != nil {
		log.Fatal(err)
	}
	opt := archive.CreateOptions{WriterOptions: archive.WriterOptions{Password: []byte("secret")}}
	if err := archive.Create(context.Background(), path, files, opt); err != nil {
		log.Fatal(err)
	}

	a, err := archive.Open(path, archive.Options{Password: []byte("secret")})
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	for _, m := range a.Members() {
		fmt.Println(m.Name, m.Size, m.Packed, m.Stamp.Date, m.Stamp.Time)
	}
	// Output:
	// Games.cbh 7 12 20160801 19172771
	// Games.html/a.html 16 21 20160801 19172771
	// Games.cbg 6000 569 20160801 19172771
}

// Blocks unpacks everything in order.
func ExampleArchive_Blocks() {
	data := exampleArchive()
	a, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "Games.cbv", archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for b, err := range a.Blocks(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s, block %d: %d bytes, %v\n", a.Members()[b.Member].Name, b.Number, len(b.Data), b.Mode)
	}
	// Output:
	// Games.cbh, block 1: 7 bytes, stored
	// Games.html/a.html, block 1: 16 bytes, stored
	// Games.cbg, block 1: 6000 bytes, LZ and Huffman
}

// FS reads files of an archive without unpacking the others.
func ExampleArchive_FS() {
	data := exampleArchive()
	a, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "Games.cbv", archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	text, err := fs.ReadFile(a.FS(), "Games.html/a.html")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", text)
	// Output: <p>a picture</p>
}

// Databases says what is in an archive.
func ExampleArchive_Databases() {
	data := exampleArchive()
	a, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "Games.cbv", archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Databases())
	// Output: [Games.cbh]
}

// Open reads a single member, from its beginning to its end or anywhere.
func ExampleArchive_Open() {
	data := exampleArchive()
	a, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "Games.cbv", archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	f, err := a.Open(2)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 5)
	if _, err := f.(io.ReaderAt).ReadAt(b, 3000); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", b)
	// Output: moves
}

// Verify packs everything again; Modes says how it is packed.
func ExampleArchive_Verify() {
	data := exampleArchive()
	a, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "Games.cbv", archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	exact := 0
	for b, err := range a.Verify(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		if b.Outcome == archive.Exact {
			exact++
		}
	}
	verdicts, err := a.VerifyTable()
	if err != nil {
		log.Fatal(err)
	}
	modes, err := a.Modes(2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(exact, "blocks are exact, the header is", verdicts[0].Outcome)
	fmt.Println(modes[archive.LZHuffman], "block of moves is packed with LZ and Huffman")
	// Output:
	// 3 blocks are exact, the header is exact
	// 1 block of moves is packed with LZ and Huffman
}

// NewReader refuses an archive whose names lead out of its folder; with KeepGoing
// the other files can be read.
func ExampleNewReader() {
	data := bytes.Replace(exampleArchive(), []byte(`Games.html\a`), []byte(`..\html.a\a.`), 1)
	_, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "Games.cbv", archive.Options{})
	fmt.Println(err)
	a, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "Games.cbv", archive.Options{KeepGoing: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range a.Members() {
		fmt.Println(m.Name, m.Err == nil)
	}
	// Output:
	// Games.cbv: record 2 at 0xb5 (name): corrupt: "../html.a/a..html" leads out of the folder of the archive
	// Games.cbh true
	// ../html.a/a..html false
	// Games.cbg true
}

// Write writes an archive into anything that can be written at a place.
func ExampleWrite() {
	file := archive.File{
		Name: "Games.ini", Modified: time.Date(2016, 8, 1, 19, 17, 27, 0, time.Local), Size: 5,
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("Usage")), nil },
	}
	var out buffer
	size, err := archive.Write(context.Background(), &out, []archive.File{file}, archive.WriterOptions{Stored: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(size)
	// Output: 191
}

// Files puts the files of a database into ChessBase's order.
func ExampleFiles() {
	files, err := archive.Files(exampleFiles(), "Games.cbg", "Games.cbh", "Games.html")
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range files {
		fmt.Println(f.Name)
	}
	// Output:
	// Games.cbh
	// Games.html/a.html
	// Games.cbg
}

// Packs says which files of a database travel.
func ExamplePacks() {
	fmt.Println(archive.Packs("Games.cbh"), archive.Packs("Games.cbb"))
	// Output: true false
}

// StampOf and In turn times into what archives hold, and back.
func ExampleStampOf() {
	s := archive.StampOf(time.Date(2016, 8, 1, 19, 17, 27, 714_000_000, time.UTC))
	when, ok := s.In(time.UTC)
	fmt.Println(s.Date, s.Time, when.Format(time.RFC3339Nano), ok)
	// Output: 20160801 19172771 2016-08-01T19:17:27.71Z true
}

// Unpack writes the files of an archive to a folder; Faults says before what can
// be unpacked.
func ExampleArchive_Unpack() {
	data := exampleArchive()
	a, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "Games.cbv", archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	faults, err := a.Faults(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(faults)

	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := a.Unpack(context.Background(), dir, archive.UnpackOptions{}); err != nil {
		log.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "Games.cbh"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Size(), info.ModTime().Format(time.DateTime))
	// Output:
	// [<nil> <nil> <nil>]
	// 7 2016-08-01 19:17:27
}

// What is in the way of unpacking is named, and stays as it is.
func ExampleExistsError() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "Games.cbg"), []byte("mine"), 0o600); err != nil {
		log.Fatal(err)
	}
	data := exampleArchive()
	a, err := archive.NewReader(bytes.NewReader(data), int64(len(data)), "Games.cbv", archive.Options{})
	if err != nil {
		log.Fatal(err)
	}
	err = a.Unpack(context.Background(), dir, archive.UnpackOptions{})
	var exists *model.ExistsError
	if errors.As(err, &exists) {
		fmt.Println("in the way:", filepath.Base(exists.Path))
	}
	// Output: in the way: Games.cbg
}

// Of many databases, the one that cannot be made is named.
func ExampleTargetError() {
	var err error = &archive.TargetError{Path: "Games.cbh", Err: model.ErrLocked}
	var target *archive.TargetError
	if errors.As(err, &target) && errors.Is(err, model.ErrLocked) {
		fmt.Println("try again later:", target.Path)
	}
	// Output: try again later: Games.cbh
}
