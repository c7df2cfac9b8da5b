package cbkit

import (
	"bytes"
	"io"

	"cbkit/internal/codepage"
	"cbkit/internal/packed"
	"cbkit/model"
)

// How much of PGN files a guess looks at, in bytes: of the beginning, and of
// pieces all over a file that is not compressed.
const (
	guessBeginning = 1 << 20
	guessPiece     = 1 << 16
	guessPieces    = 32
	guessFiles     = 64 // of more, less of the beginning of each, and no pieces
)

// GuessTextPage recognises the page of the texts of PGN files that are not UTF-8,
// from their beginnings and, if they are few, from pieces all over them. What cannot be read, or only
// once, is passed over.
func GuessTextPage(paths ...string) model.PageGuess {
	var d codepage.Detector
	for _, path := range paths {
		sampleText(&d, path, max(guessPiece/16, guessBeginning*min(guessFiles, len(paths))/len(paths)))
	}
	return d.Guess()
}

// sampleText shows lines of a file to a detector, of so many bytes of its beginning.
func sampleText(d *codepage.Detector, path string, beginning int) {
	info, err := packed.StatFile(path)
	if err != nil || !info.Mode().IsRegular() {
		return // a pipe can be opened and read once
	}
	f, err := packed.OpenFile(path)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	size := info.Size()
	text, done, err := packed.NewReader(f, path)
	if err != nil {
		return
	}
	piece, _ := io.ReadAll(io.LimitReader(text, int64(beginning))) // what is wrong shows again when it is read
	addLines(d, piece, true, len(piece) < beginning)
	done()
	head := make([]byte, packed.HeadSize)
	at, is := f.(io.ReaderAt)
	if !is || beginning < guessBeginning { // in a zip, or one of many
		return
	}
	if n, _ := at.ReadAt(head, 0); packed.IsPacked(head[:n]) {
		return
	}
	piece = make([]byte, guessPiece)
	for i := int64(1); i <= guessPieces && size > guessBeginning; i++ {
		n, _ := at.ReadAt(piece, size*i/(guessPieces+1))
		addLines(d, piece[:n], false, false)
	}
}

// addLines shows the lines of a piece of text to a detector. Where the text goes on
// before or behind the piece, its first or last line may be cut in a character and
// is left out.
func addLines(d *codepage.Detector, piece []byte, begins, ends bool) {
	if !begins {
		piece = piece[bytes.IndexByte(piece, '\n')+1:]
	}
	if !ends {
		piece = piece[:bytes.LastIndexByte(piece, '\n')+1]
	}
	for line := range bytes.Lines(piece) {
		if d.Enough() {
			return
		}
		d.Add(line)
	}
}
