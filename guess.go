package cbkit

import (
	"bufio"
	"bytes"
	"io"
	"os"

	"cbkit/codepage"
	"cbkit/internal/packed"
)

// How much of PGN files a guess looks at, in bytes: of the beginning, and of
// pieces all over a file that is not compressed.
const (
	guessBeginning = 1 << 20
	guessPiece     = 1 << 16
	guessPieces    = 32
)

// GuessTextPage recognises the page of the texts of PGN files that are not UTF-8,
// from their beginnings and from pieces all over them. What cannot be read, or only
// once, is passed over.
func GuessTextPage(paths ...string) codepage.Guess {
	var d codepage.Detector
	for _, path := range paths {
		sampleText(&d, path)
	}
	return d.Guess()
}

// sampleText shows lines of a file to a detector.
func sampleText(d *codepage.Detector, path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	size := packed.SizeOf(f)
	if size < 0 {
		return // a pipe can be read once
	}
	text, done, err := packed.NewReader(f, path)
	if err != nil {
		return
	}
	addLines(d, io.LimitReader(text, guessBeginning))
	done()
	head := make([]byte, packed.HeadSize)
	if n, _ := f.ReadAt(head, 0); packed.IsPacked(head[:n]) {
		return
	}
	for i := int64(1); i <= guessPieces && size > guessBeginning; i++ {
		addLines(d, io.NewSectionReader(f, size*i/(guessPieces+1), guessPiece))
	}
}

// guessBegun recognises the page of text by its beginning, which is kept in memory
// for that: it returns what is to be read in place of it.
func guessBegun(text *bufio.Reader) (*bufio.Reader, codepage.Guess) {
	text = bufio.NewReaderSize(text, guessBeginning)
	head, _ := text.Peek(guessBeginning) // what is wrong shows again when it is read
	var d codepage.Detector
	addLines(&d, bytes.NewReader(head))
	return text, d.Guess()
}

// addLines shows all lines of a text to a detector but the first and the last,
// which may be cut in a character.
func addLines(d *codepage.Detector, r io.Reader) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, guessPiece)
	for lines.Scan() && !d.Enough() {
		d.Add(bytes.Clone(lines.Bytes()))
	}
}
