package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
)

// format is a kind of database that the program reads and writes.
type format string

const (
	formatChessBase format = "cbh"
	formatSimple    format = "dci"
	formatBook      format = "ctg"
	formatPGN       format = "pgn"
	formatJSONL     format = "jsonl"
)

// formatOf tells the format of a path by its ending; compressed PGN counts
// as PGN. Everything unknown, and a name without an ending, is a ChessBase
// database; a Simple Chess Database is found under such a name too.
func formatOf(path string) format {
	name := strings.ToLower(path)
	for _, packed := range []string{".gz", ".bz2", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch filepath.Ext(name) {
	case ".pgn":
		return formatPGN
	case ".jsonl", ".ndjson":
		return formatJSONL
	case ".dci", ".dcn", ".dcs", ".dce", ".dcg":
		return formatSimple
	case ".ctg", ".cto", ".ctb":
		return formatBook
	}
	return formatChessBase
}

// databaseFormat is formatOf for a database that is there: a name without an
// ending is that of the files beside it.
func databaseFormat(path string) format {
	as := formatOf(path)
	if set, err := read.FindFiles(path); as == formatChessBase && err == nil && !set.Has(".cbh") {
		switch {
		case set.Has(".dci"):
			return formatSimple
		case set.Has(".ctg"):
			return formatBook
		}
	}
	return as
}

// readFlags are the flags of every verb that reads.
type readFlags struct {
	Codepage  string `help:"Code page of names and texts that are not UTF-8." default:"1252" placeholder:"PAGE"`
	Jobs      int    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	KeepGoing bool   `help:"Go on where a record cannot be read; PGN games are cut at the bad move."`
}

// input is a source with what must be closed after reading it.
type input struct {
	model.Source
	close func() error
}

// openInput opens any kind of source.
func (t *transfer) openInput(path string, as format) (*input, error) {
	switch as {
	case formatPGN:
		return t.openPGN([]string{path}, false)
	case formatJSONL:
		stream, name, closeFile, err := t.env.openStream(path)
		if err != nil {
			return nil, err
		}
		return &input{jsonl.NewReader(stream, jsonl.ReaderOptions{File: name}), closeFile}, nil
	}
	if as == formatBook {
		return nil, usageError{fmt.Errorf("%s: is an opening book; see cbkit book --help", path)}
	}
	if path == "-" {
		return nil, usageError{errors.New("-: a database has many files and cannot come from standard input; use PGN or JSON Lines")}
	}
	db, err := read.Open(path, read.Options{
		CodePage: t.flags.Codepage, Jobs: t.flags.Jobs,
		Warn: t.env.warn,
	})
	if err != nil {
		return nil, err
	}
	return &input{db, db.Close}, nil
}

// openPGN opens PGN files, or standard input for "-".
func (t *transfer) openPGN(paths []string, keepSite bool) (*input, error) {
	decode, err := read.Decoder(t.flags.Codepage)
	if err != nil {
		return nil, usageError{err}
	}
	opt := pgn.ReaderOptions{
		CodePage: decode, KeepGoing: t.flags.KeepGoing, KeepSite: keepSite,
		Jobs: t.flags.Jobs, Report: t.losses.add,
	}
	nothing := func() error { return nil }
	if len(paths) == 1 && paths[0] == "-" {
		opt.File = "standard input"
		return &input{pgn.NewReader(t.env.stdin, opt), nothing}, nil
	}
	games, err := pgn.Open(opt, paths...)
	if err != nil {
		return nil, plainError(err)
	}
	return &input{games, nothing}, nil
}

// openStream opens a file, or standard input for "-".
func (env *environment) openStream(path string) (io.Reader, string, func() error, error) {
	if path == "-" {
		return env.stdin, "standard input", func() error { return nil }, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, "", nil, plainError(err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, "", nil, fmt.Errorf("%s: is a folder; name a file in it", path)
	}
	return f, filepath.Base(path), f.Close, nil
}

// plainError drops the name of the system call from an error of the os
// package: "games.pgn: no such file or directory".
func plainError(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}
