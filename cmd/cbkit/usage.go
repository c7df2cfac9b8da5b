package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	lib "cbkit"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"

	"github.com/alecthomas/kong"
)

// misuse makes one line of an error in the arguments, which points to the help of
// the verb that was called.
func misuse(args []string, err error) error {
	// A flag that may be left out has the empty value too.
	text := strings.Replace(err.Error(), `must be one of "",`, "must be one of ", 1)
	if parse, is := errors.AsType[*kong.ParseError](err); is && parse.Context != nil {
		if verb := parse.Context.Selected(); verb != nil {
			text = advisedUse(text, verb, args)
			return inOrder(args, usageError{fmt.Errorf("%s; see %s --help", text, verb.FullPath())})
		}
	}
	return usageError{fmt.Errorf("%s; see cbkit --help", text)}
}

// foreign are the endings of databases that are not read: what they are, and the
// way out.
var foreign = map[string]string{
	".cbf": "a database in the format that ChessBase had before .cbh; in a newer ChessBase, copy its games into a new database of the type .cbh",
}

// onlyChanging are the verbs that take databases apart or change them, and so none of
// those that are not changed in place.
var onlyChanging = []string{"edit", "compact", "pack"}

// onlyRead refuses a database that is not changed in place.
func onlyRead(path string, as format, verb string) error {
	return usageError{fmt.Errorf("%s: is a %s, which is not changed in place; "+
		"cbkit convert %[1]s %[3]s.cbh makes one that %[4]s takes", path, as.Title(), dbfile.StemOf(filepath.Base(path)), verb)}
}

// inOrder adds to an error that the arguments seem to be in the wrong order, if
// the first is no database and a later one is.
func inOrder(args []string, err error) error {
	words := argumentsIn(args)
	if len(words) < 2 || isThere(words[0]) {
		return err
	}
	for _, word := range words[1:] {
		if isThere(word) {
			described := fmt.Errorf("%w; %s is there: name it before %s", err, word, words[0])
			if errors.As(err, new(usageError)) {
				return usageError{described}
			}
			return described
		}
	}
	return err
}

// argumentsIn returns what follows the verbs, but for flags and their values.
func argumentsIn(args []string) (words []string) {
	for i, arg := range args {
		isValue := i > 0 && takesValue()[args[i-1]]
		if !strings.HasPrefix(arg, "-") && !isValue && (len(words) > 0 || !namesVerb(arg)) {
			words = append(words, arg)
		}
	}
	return words
}

// namesVerb reports whether a word is a verb, or one of its words.
func namesVerb(word string) bool {
	return slices.ContainsFunc(allVerbs(), func(v verb) bool { return slices.Contains(strings.Fields(v.path), word) })
}

// ofText adds to the error of a verb that wants a database, and got a text of games,
// how one is made of it; of what was exported of a book, what it is.
func ofText(args []string, err error) error {
	if err == nil {
		return nil
	}
	for i, word := range argumentsIn(args) {
		if is := exportedBook(word); i == 0 && is != nil && args[0] != "recover" && strings.HasPrefix(err.Error(), word+":") {
			return is
		}
		if errors.Is(err, model.ErrNotDatabase) && named(word).IsText() && isThere(word) && strings.Contains(err.Error(), filepath.Base(word)) {
			return fmt.Errorf("%s: holds games as text; make a database of it first: cbkit import %[1]s Games.cbh, or a book: cbkit book build", word)
		}
	}
	return err
}

// isThere reports whether a database or file has a name.
func isThere(name string) bool {
	if info, err := os.Stat(name); err == nil {
		return !info.IsDir()
	}
	set, err := read.FindFiles(name)
	return errors.Is(err, model.ErrOption) || // there are two
		err == nil && (set.Has(".cbh") || set.Has(".dci") || set.Has(".ctg"))
}

// exportedBook returns an error that says of a file that it is what was made of a book
// for other programs, nil if it is not.
func exportedBook(name string) error {
	if named(name) != formatJSONL {
		return nil
	}
	head := (&lib.Place{Name: name}).Beginning(1 << 10)
	if !bytes.HasPrefix(head, []byte(`{"fen":`)) || !bytes.Contains(head, []byte(`"games":`)) {
		return nil // no game begins so
	}
	return usageError{fmt.Errorf("%s: is a book as JSON Lines, which is for other programs; name the book that it was made of", name)}
}
