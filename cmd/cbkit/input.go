package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"cbkit/codepage"
	"cbkit/internal/packed"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// readFlags are the flags of every verb that reads.
type readFlags struct {
	Codepage  codePage `help:"Code page of names and texts that are not UTF-8; recognised where none is given." default:"" placeholder:"PAGE"`
	Jobs      count    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	KeepGoing bool     `help:"Go on where a record or the rest of a file cannot be read; PGN games are cut at the bad move."`
	passwordFlag
}

// input is a source with what must be closed after reading it.
type input struct {
	model.Source
	name  string // for messages
	as    format
	close func() error
	// page is the code page that a database made of it is to have, "" for the
	// usual one; guess, what the page was taken from.
	page  string
	guess codepage.Guess
}

// openInput opens any kind of source; "-" is text from standard input.
func (t *transfer) openInput(path string) (*input, error) {
	if path == "-" {
		return t.openStandardInput(false)
	}
	as := formatOf(path)
	if as == formatArchive {
		as = formatChessBase // of the database in it
	}
	switch as {
	case formatPGN:
		return t.openPGN([]string{path}, false)
	case formatJSONL:
		return t.openJSONL(path)
	case formatParquet:
		return t.openParquet([]string{path})
	case formatBook:
		return nil, usageError{fmt.Errorf("%s: is an opening book; see cbkit book --help", path)}
	default:
		src, err := t.env.openDatabase(path, t.flags.passwordFlag, read.Options{
			CodePage: t.readingPage(as), Jobs: int(t.flags.Jobs), KeepGoing: t.flags.KeepGoing && !t.carries(as),
			Warn: t.unlessSilent(t.env.warn), Damage: t.unlessSilent(t.env.damaged),
		})
		if err != nil {
			return nil, err
		}
		src.as = as
		return src, nil
	}
}

// readingPage returns the code page to read a database in, "" to recognise it. A
// copy takes the bytes over, and needs none.
func (t *transfer) readingPage(as format) string {
	if t.flags.Codepage == "" && t.to == as && (t.verb == "convert" || t.verb == "pack") {
		return codepage.Default
	}
	return string(t.flags.Codepage)
}

// unlessSilent returns a function that is told of what is wrong with a source.
func (t *transfer) unlessSilent(tell func(error)) func(error) {
	if t.silent {
		return func(error) {}
	}
	return tell
}

// carries reports whether the target can take stored records of a format as
// they are, also those that do not decode.
func (t *transfer) carries(as format) bool { return t.to == as || t.to == formatJSONL }

func nothing() error { return nil }

// openPGN opens PGN files.
func (t *transfer) openPGN(paths []string, keepSite bool) (*input, error) {
	guess := t.env.recogniseText(paths, t.flags.Codepage)
	opt, err := t.pgnOptions(keepSite, guess)
	if err != nil {
		return nil, err
	}
	games, err := pgn.Open(opt, paths...)
	if err != nil {
		return nil, plainError(err)
	}
	return &input{Source: games, name: strings.Join(paths, " "), as: formatPGN, close: nothing, page: string(t.flags.Codepage), guess: guess}, nil
}

// pgnOptions returns the options for reading files, or standard input, in a page.
func (t *transfer) pgnOptions(keepSite bool, guess codepage.Guess) (pgn.ReaderOptions, error) {
	decode, err := read.TextDecoder(guess.Page)
	if err != nil {
		return pgn.ReaderOptions{}, usageError{err}
	}
	return pgn.ReaderOptions{
		DecodeText: decode, KeepGoing: t.flags.KeepGoing, KeepSite: keepSite,
		Jobs: int(t.flags.Jobs), Report: t.onReading,
	}, nil
}

// openJSONL opens a file of JSON Lines.
func (t *transfer) openJSONL(path string) (*input, error) {
	lines, err := jsonl.Open(path, jsonl.ReaderOptions{File: path, KeepGoing: t.flags.KeepGoing})
	if err != nil {
		return nil, plainError(err)
	}
	return &input{Source: lines, name: path, as: formatJSONL, close: nothing, page: lines.CodePage()}, nil
}

// standardInput is the name of standard input in messages.
const standardInput = "standard input"

// openStandardInput reads JSON Lines if the text begins with a brace, else PGN.
func (t *transfer) openStandardInput(keepSite bool) (*input, error) {
	text, done, err := packed.NewReader(&interruptible{ctx: t.env.ctx, from: t.env.stdin}, "")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", standardInput, err)
	}
	closeText := func() error { done(); return nil }
	if beginsWithBrace(text) {
		opt := jsonl.ReaderOptions{File: standardInput, KeepGoing: t.flags.KeepGoing}
		lines := jsonl.NewReader(text, opt)
		return &input{Source: lines, name: standardInput, as: formatJSONL, close: closeText, page: lines.CodePage()}, nil
	}
	text, guess := t.env.recogniseInput(text, t.flags.Codepage)
	opt, err := t.pgnOptions(keepSite, guess)
	if err != nil {
		done()
		return nil, err
	}
	opt.File = standardInput
	return &input{Source: pgn.NewReader(text, opt), name: standardInput, as: formatPGN, close: closeText, page: string(t.flags.Codepage), guess: guess}, nil
}

// blank is what may stand before text: white space and a byte order mark.
var blank = []byte(" \t\r\n\ufeff")

// beginsWithBrace looks at the first character that is not blank.
func beginsWithBrace(text *bufio.Reader) bool {
	for n := 1; ; n++ {
		head, err := text.Peek(n)
		if err != nil {
			return false // what is wrong shows again when it is read
		}
		if c := head[n-1]; bytes.IndexByte(blank, c) < 0 {
			return c == '{'
		}
	}
}

// interruptible reads until ctx is done, also where the reader below waits for
// somebody to type.
type interruptible struct {
	ctx  context.Context
	from io.Reader
	buf  []byte
	rest []byte
	read chan error
	n    int
	err  error
}

// Stat describes what is read, if that is a file.
func (r *interruptible) Stat() (fs.FileInfo, error) {
	if f, ok := r.from.(fs.File); ok {
		return f.Stat()
	}
	return nil, errors.ErrUnsupported
}

// Read implements io.Reader.
func (r *interruptible) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		if r.buf == nil {
			r.buf, r.read = make([]byte, 64<<10), make(chan error, 1)
		}
		go func() {
			n, err := r.from.Read(r.buf)
			r.n = n
			r.read <- err
		}()
		select {
		case r.err = <-r.read:
			r.rest = r.buf[:r.n]
		case <-r.ctx.Done():
			r.err = r.ctx.Err() // the buffer is not looked at again
			return 0, r.err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
