package packed

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"cbkit/model"
)

// The endings of compressed files.
const (
	Gzip  = ".gz"
	Zstd  = ".zst"
	Bzip2 = ".bz2" // read, not written
)

// Ending returns the last ending of a file's name if it is one of compressed
// files, in lower case, else "".
func Ending(name string) string {
	for _, ext := range []string{Gzip, Zstd, Bzip2} {
		if len(name) >= len(ext) && strings.EqualFold(name[len(name)-len(ext):], ext) {
			return ext
		}
	}
	return ""
}

// NewWriter returns a writer that compresses what is written into w as ending
// says, [Gzip] or [Zstd]; any other means not at all. It is buffered, and must be closed,
// which does not close w.
func NewWriter(w io.Writer, ending string) (io.WriteCloser, error) {
	buf := bufio.NewWriterSize(w, bufferSize)
	switch ending {
	case Gzip:
		return &writer{gzip.NewWriter(buf), buf}, nil
	case Zstd:
		z, err := zstd.NewWriter(buf, zstd.WithEncoderConcurrency(1))
		return &writer{z, buf}, err
	}
	return &writer{buf, buf}, nil
}

// writer writes through a buffer.
type writer struct {
	io.Writer
	buf *bufio.Writer
}

// Close implements io.Closer.
func (w *writer) Close() error {
	if c, ok := w.Writer.(io.Closer); ok {
		if err := c.Close(); err != nil {
			return err
		}
	}
	return w.buf.Flush()
}

// NewWriter returns a writer of text, in UTF-8 or as it is, that packs it in this form.
// It must be closed, which does not close w. Of bzip2 there is no writer, which is
// [model.ErrUnsupported].
func (f Form) NewWriter(w io.Writer) (io.WriteCloser, error) {
	if f.kind == bzip2Text {
		return nil, fmt.Errorf("the text is compressed by bzip2, which cbkit only reads: %w; unpack it by bunzip2 first", model.ErrUnsupported)
	}
	outer, err := NewWriter(w, map[kind]string{gzipText: Gzip, zstdText: Zstd}[f.kind])
	if err != nil || f.order == nil {
		return outer, err
	}
	order := unicode.LittleEndian
	if f.order == binary.BigEndian {
		order = unicode.BigEndian
	}
	return &wideWriter{transform.NewWriter(outer, unicode.UTF16(order, unicode.UseBOM).NewEncoder()), outer}, nil
}

// wideWriter writes UTF-16.
type wideWriter struct {
	io.WriteCloser
	outer io.WriteCloser
}

// Close implements io.Closer.
func (w *wideWriter) Close() error { return errors.Join(w.WriteCloser.Close(), w.outer.Close()) }
