package archive

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cbkit/internal/dbfile"
)

// packOrder is the order in which ChessBase packs the files of a database;
// those in folders come behind the first (docs/formats/cbv.md 6.4).
var packOrder = []string{
	".cbh", inFolder, ".ini", ".cbg", ".cba", ".cbp", ".cbt", ".cbs", ".cbc", ".cbj", ".cbe", ".cbm", ".cbtt", ".cbl",
}

// inFolder stands for the files in folders.
const inFolder = "/"

// unknownBooster is the ending of files that ChessBase does not pack either; what
// is in them is not known.
const unknownBooster = ".cbd"

// notPackedEnd begins the endings of locks, journals and files being written.
const notPackedEnd = ".cbkit-"

// Packs reports whether a file or folder of a database belongs in its archive:
// all do except search boosters, their seal, locks and journals.
func Packs(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return !dbfile.IsBooster(ext) && ext != unknownBooster && !strings.HasPrefix(ext, notPackedEnd)
}

// order compares names as ChessBase orders them in an archive. Files whose place
// is not known come last, by name.
func order(a, b string) int {
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
		return c
	}
	if c := cmp.Compare(fold(a), fold(b)); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// rank is the place of a file by its ending.
func rank(name string) int {
	ext := strings.ToLower(path.Ext(name))
	if strings.Contains(name, "/") {
		ext = inFolder
	}
	if i := slices.Index(packOrder, ext); i >= 0 {
		return i
	}
	return len(packOrder)
}
