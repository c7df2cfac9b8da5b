package check

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"cbkit/internal/dbfile"
	"cbkit/model"
)

// Options configures what is checked and how. The zero value checks everything.
//
// A check of the index of positions, by [Boosters] or [Database], keeps the first moves of
// games, 86 bytes for each record, in memory up to 16 MiB, and beyond that in a temporary
// file in [os.TempDir]: 86 MB of a million games. With FS there is no such file, and all
// of it is in memory.
type Options struct {
	// FS is where the database is, whose name has slashes then; nil is the
	// machine's files. It is for ChessBase databases, in archives and the like.
	FS fs.FS
	// Files are the endings of the files to report on, with or without a dot
	// ("cbp", ".cbh"); none means all. Other files are read as far as these
	// need them, and may be missing.
	Files []string
	// CodePage is the page of names and texts that are not UTF-8; the names
	// are those of [cbkit/read.Options]. "" is 1252, and texts that do not look
	// like it are pointed out.
	CodePage string
	// Jobs is how many processors work, as in [cbkit/read.Options].
	Jobs int
	// Max is how many findings of one code are reported of each file. The rest
	// is counted, and one more finding has their number ([Finding.More]). 0 is
	// [DefaultMax]; less reports all. [Boosters] has a limit of its own.
	//
	// For [Verify] it is how many cases of one outcome are listed for each file; 0 is 20.
	Max int
	// Fixes makes [Database] and [Scid] also report what can be repaired: findings with a
	// Fix, which must be applied before the next finding is read. Their Message gives the
	// old and the new value; they are not counted, and Max does not limit them. Other
	// findings may depend on a fix: the check then ends early and must be run again.
	Fixes bool
	// Verify says that the same pass does the work of [Verify], or of its kind: see
	// [Check.Report]. It means nothing for books.
	Verify bool
	// Undecoded, if not nil, is called by [Boosters] for games that cannot be played
	// through, so that nothing can be compared with them.
	Undecoded func(model.RecordID, error)
	// Progress, if not nil, is called with how many of all records are done; the
	// numbers start again for search boosters.
	Progress func(done, total int)
}

// listed returns how many cases of one outcome are listed, less than 0 for all.
func (o *Options) listed() int {
	if o.Max == 0 {
		return 20
	}
	return o.Max
}

// selection is the set of files that are reported on, nil for all.
type selection map[string]bool

// has reports whether a file, given by its ending with a dot, is selected.
func (s selection) has(ext string) bool { return s == nil || s[ext] }

// any reports whether one of several files is selected.
func (s selection) any(exts ...string) bool { return slices.ContainsFunc(exts, s.has) }

// selection reads the endings in Files, each of which must be a known one of files of a
// kind.
func (o *Options) selection(kind string, known []string) (selection, error) {
	if len(o.Files) == 0 {
		return nil, nil
	}
	s := selection{}
	for _, name := range o.Files {
		ext := dbfile.ParseEnding(name)
		if !slices.Contains(known, ext) {
			return nil, fmt.Errorf("%w: there is no check for %q %s; known are %s",
				model.ErrOption, name, kind, strings.Join(known, " "))
		}
		s[ext] = true
	}
	return s, nil
}

// examinedExts are the endings of the files that are looked at, but for the
// search boosters.
var examinedExts = dbfile.ChessBase.Exts(dbfile.Main, dbfile.Part, dbfile.Optional)

// mandatoryExts are the endings of the files that every database has.
var mandatoryExts = dbfile.ChessBase.Exts(dbfile.Main, dbfile.Part)
