package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/alecthomas/kong"

	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"
)

// withWayOut adds to the error of a verb about a damaged source what can be done.
func (env *environment) withWayOut(verb *kong.Node, args []string, err error) error {
	file := "" // that is damaged or missing, if the error is about that
	missing, isMissing := errors.AsType[*dbfile.MissingError](err)
	if isMissing {
		file = missing.File
	} else if wrong, is := errors.AsType[*model.FormatError](err); is {
		file = wrong.File
	}
	if file == "" && !errors.Is(err, model.ErrTruncated) || env.ctx.Err() != nil || slices.Contains(noWayOut, verb.Name) {
		return err
	}
	database := sourceWith(args, file)
	if !isMissing && flagNamed("keep-going", verb) != nil && !slices.Contains(args, "--keep-going") && (database != "" || errors.Is(err, model.ErrTruncated)) {
		err = fmt.Errorf("%w; --keep-going takes what can be read", err)
	}
	if database != "" && formatOf(database) == formatChessBase {
		err = fmt.Errorf("%w; %s", err, salvaging(database))
	}
	return err
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
	way := ""
	if formatOf(database) == formatChessBase {
		way = "; " + salvaging(database)
	}
	fmt.Fprintf(env.stderr, "cbkit: %s could not be read or decoded, in whole or in part%s\n", plural(n, "record"), way)
}

// salvaging says what saves a damaged database.
func salvaging(path string) string {
	return fmt.Sprintf("cbkit salvage %s NEW.cbh saves what can be read", path)
}
