package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"cbkit/model"
)

// lines splits a text into its lines.
type lines struct {
	r      *bufio.Reader
	buf    []byte
	number int // of the line just read, from 1
	max    int // the length of the longest line
	// from and at are where the line just read begins and ends, in bytes of the text.
	from, at int64

	// The line that peek has read, and whether there is one.
	held    []byte
	heldErr error
	holds   bool
}

// byteOrderMark may stand at the beginning of a file.
var byteOrderMark = []byte("\ufeff")

// bufferSize is how much is read at once, in bytes; most lines fit.
const bufferSize = 64 << 10

func newLines(r io.Reader) *lines {
	return &lines{r: bufio.NewReaderSize(r, bufferSize), max: maxLine}
}

// errLongLine says that a line was passed over because of its length.
var errLongLine = fmt.Errorf("longer than %d MB: %w", maxLine>>20, model.ErrTooLarge)

// peek returns the line that next will return.
func (l *lines) peek() ([]byte, error) {
	if !l.holds {
		l.held, l.heldErr = l.next()
		l.holds = true
	}
	return l.held, l.heldErr
}

// next returns the next line that is not blank, valid until the next call, or
// io.EOF. After errLongLine it can be called again.
func (l *lines) next() ([]byte, error) {
	if l.holds {
		l.holds = false
		return l.held, l.heldErr
	}
	for {
		line, err := l.read()
		if err != nil {
			return nil, err
		}
		if l.number == 1 {
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

// read returns a line; without copying it if it fits the buffer.
func (l *lines) read() ([]byte, error) {
	part, err := l.r.ReadSlice('\n')
	l.from, l.at = l.at, l.at+int64(len(part))
	if err == io.EOF && len(part) > 0 {
		err = nil
	}
	l.number++
	if err == nil || !errors.Is(err, bufio.ErrBufferFull) {
		return part, err
	}
	// In pieces first: a buffer that grows would be there twice, and more than it
	// needs.
	pieces, size := [][]byte{slices.Clone(part)}, len(part)
	for errors.Is(err, bufio.ErrBufferFull) {
		part, err = l.r.ReadSlice('\n')
		l.at += int64(len(part))
		if size <= l.max {
			pieces, size = append(pieces, slices.Clone(part)), size+len(part)
		}
	}
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case size > l.max+1:
		return nil, errLongLine
	}
	l.buf = slices.Grow(l.buf[:0], size)
	for _, piece := range pieces {
		l.buf = append(l.buf, piece...)
	}
	return l.buf, nil
}
