package dbfile

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Split takes a name apart before its last dot. The ending is in lower case,
// with its dot; it is "" where nothing is before the dot, or behind it.
func Split(name string) (stem, ending string) {
	ext := filepath.Ext(name)
	if len(ext) < 2 || len(ext) == len(filepath.Base(name)) {
		return name, ""
	}
	// In lower case it may have more bytes.
	return name[:len(name)-len(ext)], strings.ToLower(ext)
}

// StemOf returns what is before the ending of a name.
func StemOf(name string) string {
	stem, _ := Split(name)
	return stem
}

// IsNameless reports whether a path names no file: its last part is empty, or
// nothing but an ending.
func IsNameless(path string) bool {
	base := filepath.Base(path)
	return filepath.Ext(base) == base || os.IsPathSeparator(path[len(path)-1])
}

// EndingOf returns the ending of a name, as Split does.
func EndingOf(name string) string {
	_, ending := Split(name)
	return ending
}

// Is reports whether a name has one of some endings, in whatever case and whatever
// is before it.
func Is(name string, endings ...string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(name)))
}

// ParseEnding returns the ending that a word means: .cbh is "CBH", too.
func ParseEnding(word string) string {
	return "." + strings.ToLower(strings.TrimPrefix(strings.TrimSpace(word), "."))
}

// Spelt returns the ending of a name as it is spelt, with its dot: for a name that
// differs from it in the stem alone.
func Spelt(name string) string { return name[len(StemOf(name)):] }

// SameName reports whether two names differ in upper and lower case at most.
func SameName(a, b string) bool { return strings.EqualFold(a, b) }

// SameSpelling reports whether two names have the same stem, letter by letter.
func SameSpelling(a, b string) bool { return StemOf(a) == StemOf(b) }

// SetKey is the same for all files of a set, also on systems that do not tell upper
// and lower case apart.
func SetKey(name string) string { return FoldName(StemOf(name)) }

// SameStem reports whether a name is a stem and an ending, or none, whatever their
// case.
func SameStem(name, stem string) bool {
	s, _ := Split(name)
	return SameName(s, stem)
}

// Names says which files of a folder belong to a database or a book. Find makes
// it; nothing else compares names.
type Names struct {
	// Stem is the name of the main file without its ending, as the folder has
	// it; of one that is missing, as it was asked for. New files take it.
	Stem string
	// Main is the name of the main file, likewise.
	Main  string
	takes func(ending string) bool
	names map[string]string // by their endings, also of those that a commit has moved
	there map[string]bool   // endings of those that the folder has
}

// Find says which of the names in a folder belong to the database or book whose
// main file is asked for: exactly its stem and an ending that it takes. As long as
// one file alone has each ending, upper and lower case do not matter: sets come
// from systems that do not tell them apart. As soon as two files of an ending
// differ in case, there are two sets, and to each belongs what is spelt exactly
// like its main file; that is the one which is spelt as it is asked for. Where that
// does not decide, it is an error.
//
// Names with a suffix of a commit's, or of a replacement's, stand for files that it
// has taken out of their places. Main may have a folder, for errors.
func Find(main string, names []string, takes func(ending string) bool) (*Names, error) {
	dir, name := filepath.Split(main)
	asked, ending := Split(name)
	n := &Names{Stem: asked, Main: name, takes: takes, names: map[string]string{}, there: map[string]bool{}}
	spelt := map[string][]string{} // all names by their endings
	there := map[string]bool{}
	for _, name := range names {
		of, moved := movedBy(name)
		ending := EndingOf(of)
		if !SameStem(of, asked) || !takes(ending) {
			continue
		}
		if !slices.Contains(spelt[ending], of) {
			spelt[ending] = append(spelt[ending], of)
		}
		there[of] = there[of] || !moved
	}
	// What was taken out of its place has a successor there: it can have its ending in
	// another case.
	for ending, list := range spelt {
		spelt[ending] = slices.DeleteFunc(slices.Clone(list), func(name string) bool {
			return !there[name] && slices.ContainsFunc(list, func(other string) bool { return there[other] && StemOf(other) == StemOf(name) })
		})
	}
	switch mains := spelt[ending]; {
	case len(mains) == 1:
		n.Stem, _ = Split(mains[0])
	case len(mains) > 1 && !slices.ContainsFunc(mains, n.isExact):
		return nil, twinsError(dir, mains)
	}
	isTwin := func(list []string) bool { return len(list) > 1 }
	twins := slices.ContainsFunc(slices.Collect(maps.Values(spelt)), isTwin)
	for _, ending := range slices.Sorted(maps.Keys(spelt)) {
		list := spelt[ending]
		if twins {
			list = slices.DeleteFunc(list, func(name string) bool { return !n.isExact(name) })
		}
		switch {
		case len(list) > 1:
			return nil, twinsError(dir, list)
		case len(list) == 1:
			n.names[ending], n.there[ending] = list[0], there[list[0]]
		}
	}
	if main := n.names[ending]; main != "" {
		n.Main = main
	}
	return n, nil
}

// twinsError refuses a folder where nothing says which of two files is meant.
func twinsError(dir string, names []string) error {
	return fmt.Errorf("%s: differs from %s in upper and lower case alone; give one of them another name", filepath.Join(dir, names[0]), names[1])
}

// isExact reports whether a name is spelt like the main file.
func (n *Names) isExact(name string) bool {
	stem, _ := Split(name)
	return stem == n.Stem
}

// Has reports whether there is a file with an ending, in lower case.
func (n *Names) Has(ending string) bool { return n.there[ending] }

// Name returns the name of the file with an ending; of one that is missing, the
// name that it would have.
func (n *Names) Name(ending string) string {
	if name := n.names[ending]; name != "" {
		return name
	}
	return n.Stem + ending
}

// Endings returns the endings of all files that are there, sorted.
func (n *Names) Endings() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(n.there)), func(ending string) bool { return !n.there[ending] })
}

// Belongs reports whether a name is that of a file of the set, of one that is
// there or of one that would be new.
func (n *Names) Belongs(name string) bool {
	_, ending := Split(name)
	return n.takes(ending) && name == n.Name(ending) && filepath.Base(name) == name && !strings.ContainsAny(name, `/\`)
}

// WorksOn returns what a name of a commit's is a working file of: a file of the
// set or, by its stem, the set.
func (n *Names) WorksOn(name string) (of string, is bool) {
	switch of, suffix := OurOwn(name); suffix {
	case SuffixUndo, SuffixDrop, SuffixEdit:
		return of, n.Belongs(of)
	case SuffixScratch, SuffixJournalNew:
		return of, of == n.Stem
	}
	return "", false
}

// Suffixes of the names of our own files and folders: that of a file, or the
// stem of a set, and one of these.
const (
	SuffixJournal    = ".cbkit-journal"     // of a stem
	SuffixJournalNew = ".cbkit-journal-new" // of a stem
	SuffixScratch    = ".cbkit-scratch"     // of a stem
	SuffixEdit       = ".cbkit-edit-"       // and a number
	SuffixUndo       = ".cbkit-undo"
	SuffixDrop       = ".cbkit-drop"
	SuffixLock       = ".cbkit-lock" // of a file, or a stem
	SuffixCommit     = ".cbkit-commit"
	SuffixNew        = ".cbkit-new-" // and two numbers
	SuffixWriting    = ".cbkit-writing"
	SuffixComplete   = ".cbkit-complete"
	SuffixMoving     = ".cbkit-moving"
	SuffixBackup     = ".cbkit-backup"
	SuffixKept       = ".cbkit-kept" // and a number from the second on
)

// ownBegin is what all of them begin with.
const ownBegin = ".cbkit-"

// suffixes are all of them, with what may come behind.
var suffixes = []struct {
	suffix, behind string
}{
	{SuffixJournal, ""}, {SuffixJournalNew, ""}, {SuffixScratch, ""}, {SuffixEdit, "9"}, {SuffixUndo, ""}, {SuffixDrop, ""},
	{SuffixLock, ""}, {SuffixCommit, ""}, {SuffixNew, "9-9"}, {SuffixWriting, ""}, {SuffixComplete, ""}, {SuffixMoving, ""},
	{SuffixBackup, ""}, {SuffixKept, ""}, {SuffixKept, "-9"},
}

// OurOwn takes the name of a file or folder of our own apart: what it is about, and
// its suffix without numbers. Of other names the suffix is "".
func OurOwn(name string) (of, suffix string) {
	i := strings.LastIndex(name, ownBegin)
	if i <= 0 {
		return name, ""
	}
	for _, s := range suffixes {
		if behind, is := strings.CutPrefix(name[i:], s.suffix); is && isLike(behind, s.behind) {
			return name[:i], s.suffix
		}
	}
	return name, ""
}

// KeptFolder returns the name of a folder for files that are kept beside a main file, by
// its number from 1.
func KeptFolder(main string, n int) string {
	if n == 1 {
		return main + SuffixKept
	}
	return fmt.Sprintf("%s%s-%d", main, SuffixKept, n)
}

// MayBeOurOwn reports whether a name has, in any spelling, what our own names have.
func MayBeOurOwn(name string) bool { return strings.Contains(strings.ToLower(name), ownBegin) }

// isLike reports whether a text is like another one, where a 9 stands for a number.
func isLike(text, form string) bool {
	for ; form != ""; form = form[1:] {
		rest := strings.TrimLeft(text, "0123456789")
		if form[0] != '9' {
			rest = strings.TrimPrefix(text, form[:1])
		}
		if rest == text {
			return false
		}
		text = rest
	}
	return text == ""
}

// movedBy returns the name of the file that a commit or a replacement has taken out
// of its place, or whose place a new one is about to take.
func movedBy(name string) (of string, moved bool) {
	switch of, suffix := OurOwn(name); suffix {
	case SuffixUndo, SuffixDrop, SuffixEdit, SuffixComplete, SuffixMoving, SuffixBackup:
		return of, true
	}
	return name, false
}
