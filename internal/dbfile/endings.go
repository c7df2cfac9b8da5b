package dbfile

import (
	"slices"
	"strings"
)

// Role says what a file is to the database that it is a part of.
type Role uint8

// The roles of files.
const (
	Main     Role = iota + 1 // there is no database without it
	Part                     // every database has it
	Optional                 // holds data, and databases may lack it
	Booster                  // follows from the others
	Seal                     // vouches for a booster
	Index                    // follows from the others, for cbkit alone
	Own                      // the user's: opening keys
	Settings                 // of the user's programs
)

// Ending is a kind of file that databases of a format consist of.
type Ending struct {
	// Ext is the ending in lower case, with its dot.
	Ext  string
	Role Role
	// What says in a word or two what the file is for, "" if unknown.
	What string
}

// Format is the files of a format, the main file first.
type Format []Ending

// ChessBase are the files of ChessBase databases, Simple those of Simple Chess
// Databases, Book those of opening books, ChessBase2 those of the databases of
// ChessBase 17 and later, Scid, Scid3 and Scid5 those of Scid 4, of earlier and of later ones.
var (
	ChessBase = Format{
		{".cbh", Main, "headers"},
		{".cbj", Optional, "more headers"},
		{".cbg", Part, "moves and texts"},
		{".cba", Part, "annotations"},
		{".cbp", Part, "players"},
		{".cbt", Part, "tournaments"},
		{".cbc", Part, "annotators"},
		{".cbs", Part, "sources"},
		{".cbe", Optional, "teams"},
		{".cbl", Optional, "game titles"},
		{".cbtt", Optional, "more about tournaments"},
		{".cbm", Optional, "media lists"},
		{".flags", Optional, "examined games"},
		{settings, Settings, "settings"},
		{".cit", Booster, "booster: entities"},
		{".cib", Booster, "booster: entities"},
		{".cit2", Booster, "booster: game titles"},
		{".cib2", Booster, "booster: game titles"},
		{".cbb", Booster, "booster: positions"},
		{".cbgi", Booster, "booster: offsets of moves"},
		{".cbkit", Seal, "seal of the boosters"},
		{PositionsExt, Index, "index of positions"},
		{".ckn", Own, "opening key"},
		{".cko", Own, "opening key"},
		{".cpn", Own, "opening key"},
		{".cpo", Own, "opening key"},
		{".ck2", Own, "opening key"},
		{".pgi", Own, ""},
	}
	Simple = Format{
		{".dci", Main, "index"},
		{".dcn", Part, "player names"},
		{".dcs", Part, "sites"},
		{".dce", Optional, "events"},
		{".dcg", Part, "games"},
	}
	ChessBase2 = Format{
		{".2cbh", Main, "headers"},
		{".2cbg", Part, "moves and texts"},
		{".2lid", Part, "names"},
		{".2cba", Optional, "annotations"},
		{".2lgd", Optional, "games of each name"},
		{".2lcd", Optional, "sort orders"},
		{Positions2Ext, Index, "index of positions"},
	}
	Scid  = scid("4")
	Scid3 = scid("3")
	Scid5 = scid("5")
	Book  = Format{
		{".ctg", Main, "positions"},
		{".ctb", Optional, "directory: which pages are split"},
		{".cto", Optional, "directory: page numbers"},
	}
)

// PositionsExt is the ending of the index of positions of a ChessBase database, and
// Positions2Ext that of one of ChessBase 17, which may have the same name.
const (
	PositionsExt  = ownBegin + "positions"
	Positions2Ext = ownBegin + "positions2"
)

// IndexExt returns the ending of the index of positions beside some files.
func IndexExt(files interface{ Has(ext string) bool }) string {
	if files.Has(ChessBase[0].Ext) || !files.Has(ChessBase2[0].Ext) {
		return PositionsExt
	}
	return Positions2Ext
}

// MediaFolders are the endings of the folders that ChessBase databases keep
// media in.
var MediaFolders = []string{".html", ".bmp", ".wav", ".wmv", ".avi", ".mpg"}

// Exts returns the endings of the files with one of the roles; of no roles, all.
func (f Format) Exts(roles ...Role) (exts []string) {
	for _, e := range f {
		if len(roles) == 0 || slices.Contains(roles, e.Role) {
			exts = append(exts, e.Ext)
		}
	}
	return exts
}

// Has reports whether databases have files with an ending.
func (f Format) Has(ext string) bool {
	return slices.ContainsFunc(f, func(e Ending) bool { return e.Ext == ext })
}

// What says what a file is for, "" if unknown.
func (f Format) What(ext string) string {
	for _, e := range f {
		if e.Ext == ext {
			return e.What
		}
	}
	return ""
}

// Data returns the endings of the files that make way when a
// database is replaced. Settings stay, and folders of media.
func (f Format) Data() (exts []string) {
	for _, e := range f {
		if e.Role != Settings {
			exts = append(exts, e.Ext)
		}
	}
	return exts
}

// IsSettings reports whether a file holds settings of the user's programs.
func IsSettings(name string) bool { return EndingOf(name) == settings }

// settings is the ending of such files, which all formats have.
const settings = ".ini"

// IsBooster reports whether a file is a search booster, its seal, or an index: it
// follows from the others and can be computed.
func IsBooster(ext string) bool {
	return slices.Contains(ChessBase.Exts(Booster, Seal, Index), strings.ToLower(ext))
}

// IsChessBase reports whether a file of that ending belongs to a ChessBase
// database: the known ones, with room for those that later programs may use, but
// for the locks and working files of our own.
func IsChessBase(ext string) bool {
	if ChessBase.Has(ext) {
		return true
	}
	return !slices.Contains(otherDatabases, ext) && !strings.HasPrefix(ext, ownBegin) && slices.ContainsFunc([]string{".cb", ".ci", ".ck", ".cp"},
		func(prefix string) bool { return strings.HasPrefix(ext, prefix) })
}

// otherDatabases are the endings of files that are databases of their own:
// archives of whole ones, those of the 1990s, and those in a single file.
var otherDatabases = []string{".cbv", ".cbz", ".cbf", ".cbi", ".cbone"}

// FormatOf returns the format whose main files have an ending, nil if there is
// none.
func FormatOf(ending string) Format {
	for _, f := range append([]Format{Book}, Databases...) {
		if f[0].Ext == ending {
			return f
		}
	}
	return nil
}

// Databases are the formats of databases. Where several have one name, a name without an
// ending is refused.
var Databases = []Format{ChessBase, ChessBase2, Simple, Scid, Scid3, Scid5}

// scid returns the files of a database of Scid.
func scid(version string) Format {
	return Format{{".si" + version, Main, "index"}, {".sg" + version, Part, "games"}, {".sn" + version, Part, "names"}}
}

// Takes reports whether a file with an ending belongs to a set of the format,
// beside its main file. To a set of no format all do.
func (f Format) Takes(ending string) bool {
	switch {
	case f == nil:
		return ending != "" && !strings.HasPrefix(ending, ownBegin)
	case f[0].Ext == ".cbh":
		return IsChessBase(ending)
	}
	return f.Has(ending) || ending == settings
}
