package packed

import (
	"compress/gzip"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
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
// says, [Gzip] or [Zstd]; any other means not at all. It must be closed, which
// does not close w.
func NewWriter(w io.Writer, ending string) (io.WriteCloser, error) {
	switch ending {
	case Gzip:
		return gzip.NewWriter(w), nil
	case Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return plain{w}, nil
}

// plain writes through.
type plain struct{ io.Writer }

// Close implements io.Closer.
func (plain) Close() error { return nil }
