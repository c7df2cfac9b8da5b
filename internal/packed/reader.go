// Package packed reads and writes compressed text: gzip and Zstandard both ways, bzip2
// for reading; and reads UTF-16 that begins with a byte order mark. The first bytes of a
// file decide how it is read, the ending of its name how it is written. It also reads the
// members of zips, text as a stream.
package packed

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/transform"

	"cbkit/model"
)

// maxWindow is how far back compressed text may refer, which is how much memory it
// takes to read it, whatever comes of it. The program zstd stays below it up to
// level 20; above, or with --long, it may not.
const maxWindow = 32 << 20

// errWindow says what to do with more.
var errWindow = fmt.Errorf("the text is compressed with a window of more than %d MB (zstd --long): %w; decompress it first, by zstd --long=31 -d", maxWindow>>20, model.ErrUnsupported)

// bufferSize is how much is read or written at once, in bytes.
const bufferSize = 64 << 10

// magic bytes of compressed files.
var (
	magicGzip  = []byte{0x1F, 0x8B, 8}
	magicBzip2 = []byte("BZh")
	magicBlock = []byte{0x31, 0x41, 0x59, 0x26, 0x53, 0x59} // of bzip2, at 4
	magicZstd  = []byte{0x28, 0xB5, 0x2F, 0xFD}
	magicSkip  = []byte{0x2A, 0x4D, 0x18} // of zstd, at 1
)

// HeadSize is how many bytes tell how text is compressed.
const HeadSize = 10

// kind is how text is compressed.
type kind uint8

const (
	plainText kind = iota
	gzipText
	bzip2Text
	zstdText
	zipText
)

func kindOf(head []byte) kind {
	switch {
	case bytes.HasPrefix(head, magicGzip):
		return gzipText
	case bytes.HasPrefix(head, magicBzip2) && bytes.HasPrefix(head[min(4, len(head)):], magicBlock):
		return bzip2Text
	case bytes.HasPrefix(head, magicZstd),
		len(head) > 4 && head[0]>>4 == 5 && bytes.HasPrefix(head[1:], magicSkip):
		return zstdText
	case bytes.HasPrefix(head, magicZip), bytes.HasPrefix(head, magicNoZip):
		return zipText
	}
	return plainText
}

// IsPacked reports whether text that begins with these bytes, [HeadSize] of
// them if there are so many, is compressed or UTF-16.
func IsPacked(head []byte) bool { return kindOf(head) != plainText || orderOf(head) != nil }

// NewReader returns the text in r as UTF-8 or as it is, and what must be called
// after reading it. It may be compressed by gzip, bzip2 or zstd, and UTF-16 with a
// byte order mark. Compressed text that breaks off gives io.ErrUnexpectedEOF where
// it does: at once if nothing is there of a file whose name, where it is known,
// says that it is compressed.
func NewReader(r io.Reader, name string) (text *bufio.Reader, done func(), err error) {
	text, _, done, err = NewFormReader(r, name)
	return text, done, err
}

// Form is how text is packed: compressed, as UTF-16, or as it is.
type Form struct {
	kind  kind
	order binary.ByteOrder // of UTF-16, else nil
}

// NewFormReader is NewReader and tells how the text is packed.
func NewFormReader(r io.Reader, name string) (text *bufio.Reader, form Form, done func(), err error) {
	text, form.kind, done, err = unpack(r, name)
	if err != nil {
		return nil, form, nil, err
	}
	head, _ := text.Peek(len(markLittle)) // what is wrong will show again when it is read
	if form.order = orderOf(head); form.order != nil {
		_, _ = text.Discard(len(head))
		text = bufio.NewReaderSize(transform.NewReader(text, wide{order: form.order}), bufferSize)
	}
	return text, form, done, nil
}

// unpack decompresses.
func unpack(r io.Reader, name string) (text *bufio.Reader, as kind, done func(), err error) {
	in := bufio.NewReaderSize(r, bufferSize)
	head, err := in.Peek(HeadSize)
	if err != nil && err != io.EOF {
		return nil, 0, nil, err
	}
	if len(head) == 0 && Ending(name) != "" {
		return nil, 0, nil, io.ErrUnexpectedEOF
	}
	as = kindOf(head)
	switch as {
	case gzipText:
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, as, nil, err
		}
		in = bufio.NewReaderSize(z, bufferSize)
	case bzip2Text:
		in = bufio.NewReaderSize(bzip2.NewReader(in), bufferSize)
	case zipText:
		return nil, as, nil, errStream
	case zstdText:
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, as, nil, err
		}
		return bufio.NewReaderSize(windowed{z}, bufferSize), as, z.Close, nil
	}
	return in, as, func() {}, nil
}

// windowed reads Zstandard.
type windowed struct{ *zstd.Decoder }

// Read implements io.Reader.
func (w windowed) Read(p []byte) (int, error) {
	n, err := w.Decoder.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		err = errWindow
	}
	return n, err
}

// Text is text that may be compressed. Nothing is read before the first Read.
type Text struct {
	from io.Reader
	name string
	text *bufio.Reader
	done func()
}

// NewText returns the text in r; see [NewReader].
func NewText(r io.Reader, name string) *Text { return &Text{from: r, name: name, done: func() {}} }

// Read implements io.Reader.
func (t *Text) Read(p []byte) (int, error) {
	if t.text == nil {
		text, done, err := NewReader(t.from, t.name)
		if err != nil {
			return 0, err
		}
		t.text, t.done = text, done
	}
	return t.text.Read(p)
}

// Close gives back what decompressing takes; it does not close what is read.
func (t *Text) Close() error {
	t.done()
	return nil
}
