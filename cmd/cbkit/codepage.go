package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"

	"cbkit/codepage"
	"cbkit/internal/packed"
	"cbkit/read"
)

// recognise guesses the code page of a database, unless one is given, and tells
// once of a page that is not ChessBase's own. Errors are left to whoever opens
// the database.
func (env *environment) recognise(p *place, asked codePage) codepage.Guess {
	if asked != "" {
		return codepage.Guess{Page: string(asked)}
	}
	find := func() (*read.FileSet, error) { return read.FindFiles(p.name) }
	if p.packed != nil {
		find = func() (*read.FileSet, error) { return read.FindFilesFS(p.packed.FS(), p.name) }
	}
	set, err := find()
	if err != nil {
		return codepage.Guess{}
	}
	guess, err := read.GuessCodePage(env.ctx, set)
	if err != nil {
		return codepage.Guess{}
	}
	env.tellPage(mainFile(p.name), guess)
	return guess
}

// tellPage says once for each database in which page it is read.
func (env *environment) tellPage(name string, guess codepage.Guess) {
	if !guess.Clear || env.pages[name] || env.pagesShown {
		return
	}
	if env.pages == nil {
		env.pages = map[string]bool{}
	}
	env.pages[name] = true
	fmt.Fprintf(env.stderr, "cbkit: %s: read in code page %v; --codepage 1252 reads it otherwise\n", name, guess)
}

// How much of PGN files a guess looks at, in bytes: of the beginning, and of
// pieces all over a file that is not compressed.
const (
	guessBeginning = 1 << 20
	guessPiece     = 1 << 16
	guessPieces    = 32
)

// recogniseText guesses the code page of PGN files.
func (env *environment) recogniseText(paths []string, asked codePage) codepage.Guess {
	if asked != "" {
		return codepage.Guess{Page: string(asked)}
	}
	var d codepage.Detector
	for _, path := range paths {
		sampleText(&d, path)
	}
	guess := d.Guess()
	if len(paths) > 0 {
		env.tellPage(paths[0], guess)
	}
	return guess
}

// recogniseInput guesses the code page of PGN from standard input by its beginning,
// which is kept in memory for that: it returns what is to be read in place of it.
func (env *environment) recogniseInput(text *bufio.Reader, asked codePage) (*bufio.Reader, codepage.Guess) {
	if asked != "" {
		return text, codepage.Guess{Page: string(asked)}
	}
	text = bufio.NewReaderSize(text, guessBeginning)
	head, _ := text.Peek(guessBeginning) // what is wrong shows again when it is read
	var d codepage.Detector
	addLines(&d, bytes.NewReader(head))
	guess := d.Guess()
	env.tellPage(standardInput, guess)
	return text, guess
}

// sampleText shows lines of a file to a detector. Errors are left to whoever
// reads it.
func sampleText(d *codepage.Detector, path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
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
	for i := int64(1); i <= guessPieces && info.Size() > guessBeginning; i++ {
		addLines(d, io.NewSectionReader(f, info.Size()*i/(guessPieces+1), guessPiece))
	}
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

// commonPage returns the code page of all sources, "" if they have several.
func commonPage(pages []string) string {
	for _, page := range pages {
		if cmp.Or(page, codepage.Default) != cmp.Or(pages[0], codepage.Default) {
			return ""
		}
	}
	return pages[0]
}
