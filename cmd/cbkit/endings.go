package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	lib "cbkit"
	"cbkit/internal/dbfile"
	"cbkit/internal/packed"
	"cbkit/read"
)

// format is a kind of database that the program reads and writes.
type format = lib.Format

const (
	formatChessBase  = lib.ChessBase
	formatChessBase2 = lib.ChessBase2
	formatSimple     = lib.Simple
	formatScid       = lib.Scid
	formatBook       = lib.Book
	formatPolyglot   = lib.Polyglot
	formatPGN        = lib.PGN
	formatJSONL      = lib.JSONLines
	formatEPD        = lib.EPD
	formatParquet    = lib.Parquet
	formatArchive    = lib.Archive
)

// named returns the format that the ending of a name says, "" if none.
func named(path string) format { return lib.FormatNamed(path) }

// formatOf returns the format of what is there.
func formatOf(path string) format { return lib.FormatOf(path) }

// mainFile returns the name of the main file of a database that is there, for
// messages; what is not there keeps its name.
func mainFile(path string) string {
	as := formatOf(path)
	if as == formatArchive {
		return path
	}
	if set, err := read.FindFiles(path); err == nil && !as.IsFile() {
		return set.Path(as.Endings()[0])
	}
	return path
}

// bookFile is mainFile for a book, whatever databases have its name.
func bookFile(name string) string {
	if set, err := read.FindBook(nil, name); err == nil && set.Has(".ctg") {
		return set.Path(".ctg")
	}
	return mainFile(name)
}

// target is what a verb makes.
type target struct {
	path string // of the main file; "-" is standard output
	as   format
}

// parseTarget says what to make under a name, which has the ending of one of the
// formats allowed. A database may be named by any of its files.
func parseTarget(path string, allowed ...format) (target, error) {
	usage := func(problem string, args ...any) (target, error) {
		return target{}, usageError{fmt.Errorf("%s: "+problem, append([]any{path}, args...)...)}
	}
	if path == "-" {
		if !slices.Contains(allowed, formatPGN) {
			return usage("a database has many files and cannot go to standard output; name a file")
		}
		return target{path, formatPGN}, nil
	}
	as, ending := named(path), dbfile.Spelt(path)
	switch {
	case lib.IsZip(path):
		return usage("is a zip, which is read but not written; name another file")
	case dbfile.IsNameless(path):
		return target{}, usageError{fmt.Errorf("%q: the name of what to make is empty", path)}
	case as == "" && ending == "" && !allowed[0].IsText() && allowed[0] != formatArchive:
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return target{}, fmt.Errorf("%s: is a folder; name the file to make in it", path)
		} else if err == nil && !info.Mode().IsRegular() {
			return usage("is a device or a pipe, and a database has many files; name one with its ending: %s", endingList(allowed))
		}
		return usage("the name has no ending; there are %s", endingList(allowed))
	case dbfile.Is(path, ".html", ".htm"):
		return usage("only cbkit export makes a page, of all games, or with --where of those that meet conditions; here there are %s", endingList(allowed))
	case (as == "" || as.IsText()) && packed.Ending(path) == packed.Bzip2:
		return usage("bzip2 is read but not written; use %s or %s", packed.Gzip, packed.Zstd)
	case as == "" && ending == "":
		return usage("the name has no ending; there are %s", endingList(allowed))
	case as == "":
		return usage("there is nothing to make with the ending %s; there are %s (write %s%s if the name has a dot)",
			ending, endingList(allowed), filepath.Base(path), allowed[0].Endings()[0])
	case as.IsBook() && !slices.Contains(allowed, as):
		return usage("is an opening book; use cbkit book build")
	case !slices.Contains(allowed, as):
		return usage("is not made here; there are %s", endingList(allowed))
	}
	if !as.IsFile() {
		path = dbfile.StemOf(path) + as.Endings()[0]
	}
	return target{path, as}, nil
}

// endingList lists the endings of formats.
func endingList(formats []format) string {
	var list []string
	text := false
	for _, f := range formats {
		list = append(list, f.Endings()[0])
		text = text || f.IsText()
	}
	if slices.Contains(formats, formatParquet) { // as export writes alone
		list = append(list, ".html")
	}
	if text {
		list = append(list, "(also .pgn.gz, .pgn.zst and so on)")
	}
	return strings.Join(list, " ")
}

// refuseSources returns an error if making the target would destroy a file of
// one of the sources, under whatever name: nothing is converted onto itself.
func (env *environment) refuseSources(to target, sources ...string) error {
	if to.path == "-" {
		return nil
	}
	targets := statAll(filesOf(to.path, to.as))
	if len(targets) == 0 {
		return nil
	}
	for _, name := range sources {
		for _, source := range env.statSource(name) {
			if slices.ContainsFunc(targets, func(t os.FileInfo) bool { return os.SameFile(t, source) }) {
				return usageError{fmt.Errorf("%s: is the source too; write to another name, and put it in place of the source when it is complete", to.path)}
			}
		}
	}
	return nil
}

// statSource describes the files of a source that are there.
func (env *environment) statSource(name string) []os.FileInfo {
	if name != "-" {
		return statAll(filesOf(name, formatOf(name)))
	}
	if f, ok := env.stdin.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return []os.FileInfo{info}
		}
	}
	return nil
}

// filesOf returns the names of the files that are, or would be replaced by, a
// database. Settings are not, which stay, and may be those of any database of the name.
func filesOf(path string, as format) []string {
	if file, _, is := lib.SplitArchive(path); is {
		return []string{file}
	}
	if as.IsFile() {
		if list, err := expand([]string{path}); err == nil {
			return list
		}
		return []string{path}
	}
	set, err := read.FindFiles(path)
	if err != nil {
		return nil // there is nothing
	}
	var files []string
	replaced := dbfile.FormatOf(as.Endings()[0]).Data()
	for _, ext := range set.Endings() {
		if slices.Contains(replaced, ext) {
			files = append(files, set.Path(ext))
		}
	}
	return files
}

// statAll describes those files that are there; links are followed.
func statAll(paths []string) []os.FileInfo {
	var list []os.FileInfo
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			list = append(list, info)
		}
	}
	return list
}
