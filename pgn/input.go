package pgn

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"cbkit/model"
)

// input is one text to read.
type input struct {
	name string
	open func() (opened, error)
}

// opened is the text of an input.
type opened struct {
	io.ReadCloser
	// from is the place in the file where it begins, in bytes: 0, or where the
	// first game of a part does.
	from int64
	// goesOn says that the file goes on behind it, with the next part.
	goesOn bool
}

// skipMark skips the mark that may stand in front of text, and returns its
// size.
func skipMark(in *bufio.Reader) (int, error) {
	head, _ := in.Peek(3) // what is wrong will show again when it is read
	if bytes.Equal(head, []byte("\xEF\xBB\xBF")) {
		return in.Discard(3)
	}
	return 0, nil
}

// inputError says that a file cannot be read to its end.
func inputError(name string, err error) error {
	var path *os.PathError
	var inZip *model.FormatError
	switch {
	case errors.As(err, &path), errors.As(err, &inZip), errors.Is(err, model.ErrChanged):
		return err // it has the name
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%w: the compressed data ends too early", model.ErrTruncated)
	case errors.Is(err, model.ErrNotDatabase), errors.Is(err, model.ErrUnsupported), errors.Is(err, errReadOnce):
	default:
		err = fmt.Errorf("%w: %w", model.ErrCorrupt, err)
	}
	return &model.FormatError{File: cmp.Or(name, "input"), Offset: -1, Record: -1, Err: err}
}

// lineBreaks makes a line feed of every carriage return that is a line break
// by itself, as in files of old Macintosh programs. One beside a line feed, or
// the first of two in front of one, belongs to that line break and stays.
type lineBreaks struct {
	r    *bufio.Reader
	last byte // the byte before the next one, as it stands in the file
}

// Read implements [io.Reader].
func (b *lineBreaks) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if n == 0 {
		return n, err
	}
	p = p[:n]
	last, before, from := p[n-1], b.last, 0
	for {
		k := bytes.IndexByte(p[from:], '\r')
		if k < 0 {
			break
		}
		i := from + k
		if k > 0 {
			before = p[i-1]
		}
		next := b.at(p, i+1)
		if before != '\n' && next != '\n' && (next != '\r' || b.at(p, i+2) != '\n') {
			p[i] = '\n'
		}
		before, from = '\r', i+1
	}
	b.last = last
	return n, err
}

// at returns the byte at i of p and what follows it in the file, 0 at its end.
func (b *lineBreaks) at(p []byte, i int) byte {
	if i < len(p) {
		return p[i]
	}
	i -= len(p)
	more, _ := b.r.Peek(i + 1) // what is wrong will show again when it is read
	if i < len(more) {
		return more[i]
	}
	return 0
}
