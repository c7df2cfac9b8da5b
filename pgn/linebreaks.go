package pgn

import (
	"bufio"
	"bytes"
)

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
