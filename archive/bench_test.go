package archive_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"cbkit/archive"
)

// repeated returns the files of twic1134 so many times.
func repeated(b *testing.B, times int) (files []archive.File, size int64) {
	b.Helper()
	for i := range times {
		for _, c := range contentsOf(b, database(b, "twic1134")) {
			c.name = fmt.Sprintf("%d/%s", i, c.name)
			files = append(files, c.file())
			size += int64(len(c.data))
		}
	}
	return files, size
}

// BenchmarkPack packs on one processor; MB/s are of content.
func BenchmarkPack(b *testing.B) {
	files, size := repeated(b, 10)
	b.SetBytes(size)
	for b.Loop() {
		if _, err := archive.Write(context.Background(), nowhere{}, files, archive.WriterOptions{Jobs: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// nowhere is a file that is not kept.
type nowhere struct{}

// WriteAt implements io.WriterAt.
func (nowhere) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }

// BenchmarkUnpack unpacks everything in order on one processor.
func BenchmarkUnpack(b *testing.B) {
	files, size := repeated(b, 10)
	a := open(b, packFiles(b, archive.WriterOptions{}, files), archive.Options{Jobs: 1})
	b.SetBytes(size)
	for b.Loop() {
		for _, err := range a.Blocks(context.Background()) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkVerify unpacks and packs again.
func BenchmarkVerify(b *testing.B) {
	files, size := repeated(b, 10)
	a := open(b, packFiles(b, archive.WriterOptions{}, files), archive.Options{Jobs: 1})
	b.SetBytes(size)
	for b.Loop() {
		for _, err := range a.Verify(context.Background()) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkReadAt reads 4 KB anywhere in a file of 5 MB.
func BenchmarkReadAt(b *testing.B) {
	var all []byte
	for range 10 {
		for _, c := range contentsOf(b, database(b, "twic1134")) {
			all = append(all, c.data...)
		}
	}
	a := open(b, pack(b, archive.WriterOptions{}, content{"a", all}), archive.Options{})
	f, err := a.Open(0)
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 4096)
	at := int64(0)
	for b.Loop() {
		at = (at*6364136223846793005 + 1442695040888963407) & (1<<62 - 1)
		if _, err := f.(io.ReaderAt).ReadAt(buf, at%int64(len(all)-len(buf))); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCipher reads an enciphered archive.
func BenchmarkCipher(b *testing.B) {
	files, size := repeated(b, 1)
	password := []byte("password")
	a := open(b, packFiles(b, archive.WriterOptions{Password: password}, files), archive.Options{Jobs: 1, Password: password})
	b.SetBytes(size)
	for b.Loop() {
		for _, err := range a.Blocks(context.Background()) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
