package pgn

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"cbkit/model"
)

// input is one text to read.
type input struct {
	name string
	open func() (io.ReadCloser, error)
}

// fileInput reads a file, each time from its beginning.
func fileInput(path string) input {
	return input{path, func() (io.ReadCloser, error) { return os.Open(path) }}
}

// readerInput reads r, which can be done only once.
func readerInput(name string, r io.Reader) input {
	var used atomic.Bool
	return input{name, func() (io.ReadCloser, error) {
		if used.Swap(true) {
			return nil, errReadOnce
		}
		return io.NopCloser(r), nil
	}}
}

// maxWindow is how far back compressed text may refer, which is how much
// memory it takes to read it; it is the limit of the program zstd too.
const maxWindow = 128 << 20

// magic bytes of compressed files.
var (
	magicGzip  = []byte{0x1F, 0x8B, 8}
	magicBzip2 = []byte("BZh")
	magicBlock = []byte{0x31, 0x41, 0x59, 0x26, 0x53, 0x59} // of bzip2, at 4
	magicZstd  = []byte{0x28, 0xB5, 0x2F, 0xFD}
	magicSkip  = []byte{0x2A, 0x4D, 0x18} // of zstd, at 1
)

// uncompressed returns the text in r, which may be compressed by gzip, bzip2
// or zstd, without a byte order mark. Close must be called.
func uncompressed(r io.Reader) (*bufio.Reader, func(), error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(10)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	done := func() {}
	switch {
	case bytes.HasPrefix(head, magicGzip):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, err
		}
		in = bufio.NewReaderSize(z, 64<<10)
	case bytes.HasPrefix(head, magicBzip2) && bytes.HasPrefix(head[min(4, len(head)):], magicBlock):
		in = bufio.NewReaderSize(bzip2.NewReader(in), 64<<10)
	case bytes.HasPrefix(head, magicZstd),
		len(head) > 4 && head[0]>>4 == 5 && bytes.HasPrefix(head[1:], magicSkip):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		in, done = bufio.NewReaderSize(z, 64<<10), z.Close
	}
	if err := skipMark(in); err != nil {
		done()
		return nil, nil, err
	}
	return in, done, nil
}

// skipMark skips the mark that may stand in front of text.
func skipMark(in *bufio.Reader) error {
	head, _ := in.Peek(3) // what is wrong will show again when it is read
	if bytes.Equal(head, []byte("\xEF\xBB\xBF")) {
		_, err := in.Discard(3)
		return err
	}
	if bytes.HasPrefix(head, []byte("\xFF\xFE")) || bytes.HasPrefix(head, []byte("\xFE\xFF")) {
		return errUTF16
	}
	return nil
}

// inputError says that a file cannot be read to its end.
func inputError(name string, err error) error {
	var path *os.PathError
	switch {
	case errors.As(err, &path):
		return err // it has the name
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%w: the compressed data ends too early", model.ErrTruncated)
	case errors.Is(err, model.ErrNotDatabase), errors.Is(err, model.ErrUnsupported), errors.Is(err, errReadOnce):
	default:
		err = fmt.Errorf("%w: %w", model.ErrCorrupt, err)
	}
	if name == "" {
		name = "input"
	}
	return &model.FormatError{File: name, Offset: -1, Record: -1, Err: err}
}
