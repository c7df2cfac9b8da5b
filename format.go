package cbkit

import (
	"io/fs"
	"path/filepath"
	"slices"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/packed"
	"cbkit/read"
)

// Format is a kind of database or file, by the ending of its main file without the
// dot. Its zero value is none.
type Format string

// The formats.
const (
	ChessBase  Format = "cbh"     // database of ChessBase, many files
	ChessBase2 Format = "2cbh"    // database of ChessBase 17 and later, many files; only read
	Simple     Format = "dci"     // Simple Chess Database, many files
	Scid       Format = "si4"     // database of Scid 4, three files
	Scid3      Format = "si3"     // of Scid 3; only read
	Scid5      Format = "si5"     // of Scid 5; only read
	Book       Format = "ctg"     // opening book of ChessBase; not a source of games
	Polyglot   Format = "bin"     // opening book of Polyglot, one file; not a source of games
	PGN        Format = "pgn"     // text, also compressed
	JSONLines  Format = "jsonl"   // text, also compressed
	EPD        Format = "epd"     // positions with questions, one a line, also compressed
	Parquet    Format = "parquet" // a table of games
	Archive    Format = "cbv"     // ChessBase databases in one file, .cbz if enciphered
	noFormat   Format = ""
	enciphered        = ".cbz"
)

// endings are those that name something of a format, the main file's first.
var endings = map[Format][]string{
	ChessBase: slices.DeleteFunc(
		dbfile.ChessBase.Exts(dbfile.Main, dbfile.Part, dbfile.Optional, dbfile.Booster, dbfile.Own),
		func(ext string) bool { return ext == ".pgi" }), // PGN files may have one beside them
	ChessBase2: dbfile.ChessBase2.Exts(),
	Simple:     dbfile.Simple.Exts(),
	Scid:       dbfile.Scid.Exts(),
	Scid3:      dbfile.Scid3.Exts(),
	Scid5:      dbfile.Scid5.Exts(),
	Book:       dbfile.Book.Exts(),
	Polyglot:   {".bin"},
	PGN:        {".pgn"},
	JSONLines:  {".jsonl", ".ndjson"},
	EPD:        {".epd"},
	Parquet:    {".parquet"},
	Archive:    {".cbv", enciphered},
}

// titles are what people call the formats.
var titles = map[Format]string{
	ChessBase: "ChessBase database", Simple: "Simple Chess Database", Scid: "database of Scid", Scid3: "database of Scid 3", Scid5: "database of Scid 5", ChessBase2: "database of ChessBase 17", Book: "opening book", Polyglot: "Polyglot book",
	PGN: "PGN", JSONLines: "JSON Lines", EPD: "EPD", Parquet: "Parquet", Archive: "archive",
}

// Title returns what people call the format, such as "JSON Lines"; "" for none.
func (f Format) Title() string { return titles[f] }

// Endings returns the endings of files that name something of the format, in small
// letters and with their dots, that of the main file first.
func (f Format) Endings() []string { return slices.Clone(endings[f]) }

// IsFile reports whether a format is a single file.
func (f Format) IsFile() bool { return f.IsText() || f == Parquet || f == Archive || f == Polyglot }

// IsOnlyRead reports whether a format is one of databases that are read and not written.
func (f Format) IsOnlyRead() bool { return f == ChessBase2 || f == Scid3 || f == Scid5 }

// IsBook reports whether a format is one of opening books.
func (f Format) IsBook() bool { return f == Book || f == Polyglot }

// IsText reports whether a format is a file of text, which may be compressed (.gz,
// .zst, .bz2).
func (f Format) IsText() bool { return f == PGN || f == JSONLines || f == EPD }

// FormatNamed returns the format that belongs to the ending of a name, "" if there is
// none.
func FormatNamed(path string) Format {
	for f, list := range endings {
		name := path
		if f.IsText() {
			name = name[:len(name)-len(packed.Ending(name))]
		}
		if dbfile.Is(name, list...) {
			return f
		}
	}
	return noFormat
}

// FormatOf returns the format of what path names. The ending decides, or for a zip the
// first thing in it that can be opened. A name whose ending says nothing has the format
// of the files of that name; else it is PGN if it is a file without an ending, and
// otherwise a ChessBase database.
func FormatOf(path string) Format { return formatIn(nil, path) }

// formatIn is FormatOf in a file system, on the disk if that is nil.
func formatIn(files fs.FS, path string) Format {
	if isZipIn(files, path) {
		return zipFormat(files, path)
	}
	if _, _, is := SplitArchive(path); is {
		return Archive
	}
	if as := FormatNamed(path); as != noFormat {
		return as
	}
	if set, err := read.FindFilesFS(files, path); err == nil && !set.Has(".cbh") {
		for _, as := range []Format{ChessBase2, Simple, Scid, Scid3, Scid5, Book} {
			if set.Has(endings[as][0]) {
				return as
			}
		}
	} else if err != nil && files == nil && dbfile.Is(path, "") {
		if info, err := (fsys.OS{}).Stat(path); err == nil && info.Mode().IsRegular() {
			return PGN
		}
	}
	return ChessBase
}

// SplitArchive takes the name of an archive, or of a database in one such as
// "Mega.cbv:Mega.cbh", apart; is is false if it is neither.
func SplitArchive(name string) (file, inside string, is bool) {
	if dbfile.Is(name, endings[Archive]...) {
		return name, "", true
	}
	for i := range len(name) {
		if name[i] == ':' && dbfile.Is(name[:i], endings[Archive]...) {
			return name[:i], filepath.ToSlash(name[i+1:]), true
		}
	}
	return "", "", false
}
