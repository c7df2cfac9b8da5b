package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/internal/packed"
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
	formatParquet   format = "parquet"
	formatArchive   format = "cbv"
)

// formatEndings are the endings that name a database of each format, that of
// the main file first.
var formatEndings = map[format][]string{
	formatChessBase: {
		".cbh", ".cbj", ".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs", ".cbe", ".cbl", ".cbtt", ".cbm", ".flags",
		".cit", ".cib", ".cit2", ".cib2", ".cbb", ".cbgi", ".ckn", ".cko", ".cpn", ".cpo", ".ck2",
	},
	formatSimple:  {".dci", ".dcn", ".dcs", ".dce", ".dcg"},
	formatBook:    {".ctg", ".cto", ".ctb"},
	formatPGN:     {".pgn"},
	formatJSONL:   {".jsonl", ".ndjson"},
	formatParquet: {".parquet"},
	formatArchive: archiveEndings,
}

// companionEndings belong to databases too, but do not say of which format.
var companionEndings = []string{".ini", ".cbkit", ".pgi"}

// isFile reports whether a format is a single file.
func (f format) isFile() bool {
	return f.isText() || f == formatParquet || f == formatArchive
}

// isText reports whether a format is a single file of text.
func (f format) isText() bool { return f == formatPGN || f == formatJSONL }

// named returns the format that the ending of a name says, "" if none; text
// may be compressed.
func named(path string) format {
	for f, endings := range formatEndings {
		name := path
		if f.isText() {
			name = name[:len(name)-len(packed.Ending(name))]
		}
		if slices.Contains(endings, strings.ToLower(filepath.Ext(name))) {
			return f
		}
	}
	return ""
}

// formatOf tells the format of a database that is there. A name whose ending
// says nothing is that of the files beside it, of a ChessBase database if it
// can be one.
func formatOf(path string) format {
	if _, _, is := splitArchive(path); is {
		return formatArchive
	}
	if as := named(path); as != "" {
		return as
	}
	if set, err := read.FindFiles(path); err == nil && !set.Has(".cbh") {
		switch {
		case set.Has(".dci"):
			return formatSimple
		case set.Has(".ctg"):
			return formatBook
		}
	} else if err != nil && isPlainFile(path) {
		return formatPGN // as import takes it
	}
	return formatChessBase
}

// isPlainFile reports whether there is a file without an ending under a name.
func isPlainFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && filepath.Ext(path) == ""
}

// mainFile returns the name of the main file of a database that is there, for
// messages; what is not there keeps its name.
func mainFile(path string) string {
	as := formatOf(path)
	if as == formatArchive {
		return path
	}
	if set, err := read.FindFiles(path); err == nil && !as.isFile() {
		return set.Path(formatEndings[as][0])
	}
	return path
}

// target is what a verb makes.
type target struct {
	path string // of the main file; "-" is standard output
	as   format
}

// parseTarget says what to make under a name. A database may be named by any
// of its files; a name without an ending is that of a database of the first
// of the formats allowed.
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
	as, ending := named(path), filepath.Ext(path)
	switch {
	case isEmptyName(path):
		return target{}, usageError{fmt.Errorf("%q: the name of what to make is empty", path)}
	case as == "" && ending == "" && !allowed[0].isText() && allowed[0] != formatArchive:
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return target{}, folderError(path)
		}
		return target{path + formatEndings[allowed[0]][0], allowed[0]}, nil
	case as == "" && strings.EqualFold(ending, packed.Bzip2), as.isText() && packed.Ending(path) == packed.Bzip2:
		return usage("bzip2 is read but not written; use %s or %s", packed.Gzip, packed.Zstd)
	case as == "" && ending == "":
		return usage("the name has no ending; there are %s", endingList(allowed))
	case as == "":
		return usage("there is nothing to make with the ending %s; there are %s (write %s%s if the name has a dot)",
			ending, endingList(allowed), filepath.Base(path), formatEndings[allowed[0]][0])
	case as == formatBook && !slices.Contains(allowed, as):
		return usage("is an opening book; use cbkit book build")
	case !slices.Contains(allowed, as):
		return usage("is not made here; there are %s", endingList(allowed))
	}
	if !as.isFile() {
		path = strings.TrimSuffix(path, ending) + formatEndings[as][0]
	}
	return target{path, as}, nil
}

// isEmptyName reports whether a name has nothing before its ending.
func isEmptyName(path string) bool {
	name := filepath.Base(path)
	return path == "" || os.IsPathSeparator(path[len(path)-1]) || strings.TrimSuffix(name, filepath.Ext(name)) == ""
}

// endingList lists the endings of formats.
func endingList(formats []format) string {
	var list []string
	text := false
	for _, f := range formats {
		list = append(list, formatEndings[f][0])
		text = text || f.isText()
	}
	if text {
		list = append(list, "(also .pgn.gz, .pgn.zst and so on)")
	}
	return strings.Join(list, " ")
}

// folderError refuses a folder.
func folderError(path string) error {
	return fmt.Errorf("%s: is a folder; name the file to make in it", path)
}
