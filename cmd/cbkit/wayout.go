package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/alecthomas/kong"

	lib "cbkit"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// withWayOut adds to the error of a verb about a damaged source what can be done, and
// what that would give.
func (env *environment) withWayOut(verb *kong.Node, args []string, err error) error {
	file := "" // that is damaged or missing, if the error is about that
	var missing *dbfile.MissingError
	var wrong *model.FormatError
	switch {
	case errors.As(err, &missing):
		file = missing.File
	case errors.As(err, &wrong):
		file = wrong.File
	}
	if file == "" && !errors.Is(err, model.ErrTruncated) || env.ctx.Err() != nil || slices.Contains(noWayOut, verb.Name) {
		return err
	}
	goesOn := flagNamed("keep-going", verb) != nil && !slices.Contains(args, "--keep-going")
	database := sourceWith(args, file)
	if database == "" {
		if goesOn && errors.Is(err, model.ErrTruncated) {
			err = fmt.Errorf("%w; --keep-going takes what can be read", err)
		}
		return err
	}
	if goesOn {
		if isLarge(database) {
			err = fmt.Errorf("%w; --keep-going takes what can be read", err)
		} else if n, of := env.readable(database); n > 0 {
			err = fmt.Errorf("%w; %d of %s can be read, which --keep-going takes", err, n, plural(of, "game"))
		}
	}
	if way := env.salvaging(database); way != "" {
		err = fmt.Errorf("%w; %s", err, way)
	}
	return err
}

// mostCounted is the size of a main file, that of about 100,000 games, up to which a
// database is read once more to say what the ways out would give: an error must not take
// minutes.
var mostCounted int64 = 5 << 20

func isLarge(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > mostCounted
}

// noWayOut are verbs that are themselves one, or change nothing that is damaged.
var noWayOut = []string{"salvage", "recover", "check", "verify"}

// sourceWith returns the first database among the arguments, or in a folder that is one,
// that a file belongs to.
func sourceWith(args []string, file string) string {
	words, _, err := inFolders(argumentsIn(args), func(as format) bool { return !as.IsFile() })
	if err != nil {
		return ""
	}
	for _, word := range words {
		as := formatOf(word)
		if as.IsFile() || as == formatArchive || as == formatBook || !isThere(word) {
			continue
		}
		if set, err := read.FindFiles(word); err == nil && set.Name(dbfile.EndingOf(file)) == filepath.Base(file) {
			return mainFile(word)
		}
	}
	return ""
}

// readable counts the games of a database that can be read, of all.
func (env *environment) readable(path string) (n, of int) {
	src, err := lib.Open(path, lib.Options{KeepGoing: true, Incomplete: true, CodePage: "1252"})
	if err != nil {
		return 0, 0
	}
	defer func() { _ = src.Close() }() // it was only read
	for rec, err := range src.Records(env.ctx, 1, model.WantHeaders) {
		if err == nil && rec.Game != nil {
			of++
		}
	}
	for rec, err := range src.Records(env.ctx, 1, model.WantMoves|model.WantAnnotations) {
		if err == nil && rec.Game != nil && len(rec.Faults()) == 0 {
			n++
		}
	}
	return n, of
}

// salvaging says what cbkit salvage would give of a ChessBase database, "" if nothing.
func (env *environment) salvaging(path string) string {
	switch {
	case formatOf(path) != formatChessBase:
		return ""
	case isLarge(path):
		return fmt.Sprintf("cbkit salvage %s NEW.cbh saves what can be read", path)
	}
	would, err := write.Salvage(env.ctx, path, "", write.SalvageOptions{DryRun: true})
	if err != nil || would.Written == 0 {
		return ""
	}
	return fmt.Sprintf("cbkit salvage %s NEW.cbh gives %s whole, %d in part", path, plural(would.Kept, "record"), would.Cut+would.Found)
}

// reportUnread says at the end of a verb that went on past what cannot be read how much
// that was, and what else can be had.
func (env *environment) reportUnread(verb *kong.Node, args []string) {
	n, file := env.messages.records, env.messages.file
	if n == 0 || file == "" || env.messages.outcome != nil || slices.Contains(noWayOut, verb.Name) {
		return
	}
	database := sourceWith(args, file)
	if database == "" {
		return
	}
	way := env.salvaging(database)
	if way != "" {
		way = "; " + way
	}
	fmt.Fprintf(env.stderr, "cbkit: %s could not be read or decoded, in whole or in part%s\n", plural(n, "record"), way)
}
