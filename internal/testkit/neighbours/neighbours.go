// Package neighbours is test support: it puts other databases, books and files
// beside those that a test writes. Their names begin with, end with or differ in
// case from the one at work, and they have leftovers of commits and replacements
// of their own that were interrupted. Whatever the test does, each name and byte of
// theirs must stay.
package neighbours

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"cbkit/internal/testkit/crashfs"
)

// Street is the neighbours of one database, book or file.
type Street struct {
	stem  string
	stems []string // of the neighbours
	files map[string]string
}

// disk is what they are laid on: a disk that crashes, or a folder of the machine.
type disk interface {
	Lstat(name string) (fs.FileInfo, error)
	Mkdir(name string, perm fs.FileMode) error
	Remove(name string) error
	WriteFile(name string, data []byte)
	Link(name, second string)
	Symlink(to, name string)
}

// suffixesOfLocks are those of the files of locks.
var suffixesOfLocks = [...]string{".cbkit-lock", ".cbkit-commit"}

// endings are files of the formats, the main ones first: enough to see that one is
// taken for another.
var endings = map[string][]string{
	".cbh": {".cbh", ".cbj", ".cbg", ".cbp", ".cit", ".cbkit"},
	".dci": {".dci", ".dcn", ".dcg", ".dce"},
	".ctg": {".ctg", ".cto", ".ctb"},
}

// of returns the neighbours of a main file, without a folder. Twins differ in case
// alone; where they are, the set at work is spelt like its main file.
func of(main string, twins, few bool) *Street {
	ending := filepath.Ext(main)
	stem := strings.TrimSuffix(main, ending)
	s := &Street{stem: stem, files: map[string]string{}}
	s.stems = []string{stem + ".2024", stem + ".bak", stem + ending, "my" + stem, "my." + stem, stem + "2", stem + "."}
	if short := stem[:len(stem)-1]; short != "" {
		s.stems = append(s.stems, short)
	}
	if twin := swapped(stem); twins && twin != stem {
		s.stems = append(s.stems, twin)
	}
	list := endings[ending]
	if list == nil {
		list = []string{ending}
	}
	if few {
		s.stems = slices.DeleteFunc(s.stems, func(other string) bool { return other == stem+".bak" || other == "my."+stem || other == stem+"2" })
		list = slices.Compact([]string{list[0], list[len(list)/2], list[len(list)-1]})
	}
	for _, stem := range s.stems {
		for _, e := range list {
			s.add(stem + e)
		}
		first, last := list[0], list[len(list)-1]
		s.add(stem+".cbkit-journal", stem+".cbkit-journal-new", stem+first+".cbkit-edit-1", stem+last+".cbkit-undo", stem+last+".cbkit-drop",
			stem+first+".cbkit-new-99-0", stem+first+".cbkit-backup/"+stem+last, stem+first+suffixesOfLocks[0], stem+first+suffixesOfLocks[1])
	}
	for _, e := range []string{".pgn", ".txt", ".cbv", ""} {
		if e != ending {
			s.add(stem + e)
		}
	}
	for format := range endings { // of the same name, but another format
		if format != ending && endings[ending] != nil {
			s.add(stem + format)
		}
	}
	return s
}

// swapped returns a name with small and large letters exchanged.
func swapped(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

func (s *Street) add(names ...string) {
	for _, name := range names {
		s.files[name] = "this is " + name + ", and nobody else's"
	}
}

// Beside lays the neighbours of a file into its folder, links among them, and at
// the end of the test sees whether they are as they were. Where the system tells
// upper and lower case apart there are twins.
func Beside(t testing.TB, main string) *Street {
	t.Helper()
	s := Lay(t, main, true)
	t.Cleanup(func() { s.Check(t, filepath.Dir(main)) })
	return s
}

// Lay is Beside for tests that look themselves, with twins or without: a new file
// is refused beside its twin.
func Lay(t testing.TB, main string, twins bool) *Street {
	t.Helper()
	dir, name := filepath.Split(main)
	f := &folder{dir: dir}
	s := of(name, twins && isCaseTold(f), false)
	if s.lay(f, filepath.Ext(name)); f.err != nil {
		t.Fatal(f.err)
	}
	return s
}

// On puts neighbours of a main file onto a disk that crashes: fewer, since each crash
// is a disk of its own. One of them is being written by another process, one is a
// pipe.
func On(disk *crashfs.FS, main string) *Street { return on(disk, main, isCaseTold(disk)) }

// OnNew is On where the main file may be missing, without twins: they are meant while
// they alone are there.
func OnNew(disk *crashfs.FS, main string) *Street { return on(disk, main, false) }

func on(disk *crashfs.FS, main string, twins bool) *Street {
	dir, name := filepath.Split(main)
	s := of(name, twins, true)
	s.in(filepath.ToSlash(dir))
	ending := filepath.Ext(main)
	s.lay(disk, ending)
	for _, suffix := range suffixesOfLocks {
		disk.Hold(s.stems[0]+ending+suffix, holder)
	}
	pipe := s.stem + ".pipe" + ending
	disk.Pipe(pipe)
	s.files[pipe] = string(disk.Files()[pipe])
	return s
}

// holder is the process that has the locks of a neighbour.
const holder = 99

// in puts all names into a folder, whose name ends with a slash or is "".
func (s *Street) in(folder string) {
	files := map[string]string{}
	for name, content := range s.files {
		files[folder+name] = content
	}
	s.files, s.stem = files, folder+s.stem
	for i := range s.stems {
		s.stems[i] = folder + s.stems[i]
	}
}

// lay puts the neighbours onto a disk: files, one with two names, and one that is a
// link.
func (s *Street) lay(d disk, ending string) {
	folder, stem := path.Split(s.stem)
	two, linked := s.stems[0]+ending, s.stem+".linked"+ending
	far, link := folder+"far/"+stem+".linked"+ending, filepath.Join("far", stem+".linked"+ending)
	second := folder + "far/" + path.Base(two)
	s.files[far] = far
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		for i, c := range name {
			if c == '/' {
				_ = d.Mkdir(filepath.FromSlash(name[:i]), 0o777) // it may be there
			}
		}
		d.WriteFile(filepath.FromSlash(name), []byte(s.files[name]))
	}
	d.Link(filepath.FromSlash(two), filepath.FromSlash(second))
	d.Symlink(link, filepath.FromSlash(linked))
	s.stems = append(s.stems, s.stem+".linked")
	for name, content := range map[string]string{second: s.files[two], linked: "-> " + link} {
		if _, err := d.Lstat(filepath.FromSlash(name)); err == nil { // not every system has links
			s.files[name] = content
		}
	}
}

// isCaseTold reports whether the files of a disk can differ in case alone.
func isCaseTold(d disk) bool {
	d.WriteFile("neighbours-case", nil)
	_, err := d.Lstat("NEIGHBOURS-CASE")
	_ = d.Remove("neighbours-case")
	return err != nil
}

// Check fails the test if a neighbour in a folder of the machine is not as it was.
func (s *Street) Check(t testing.TB, dir string) {
	t.Helper()
	if wrong := s.Wrong(dir); wrong != "" {
		t.Error(wrong)
	}
}

// Wrong says which neighbour in a folder of the machine is not as it was, "" if all
// are.
func (s *Street) Wrong(dir string) string {
	f := &folder{dir: dir, of: s.Has}
	files := f.Files()
	if f.err != nil {
		return f.err.Error()
	}
	return s.WrongAmong(files)
}

// WrongAmong says what is not as it was among files by their names, "" if all is well.
// The content of a link is "-> " and where it leads; that of files that are no
// neighbours does not matter.
func (s *Street) WrongAmong(files map[string][]byte) string {
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		switch content, is := files[filepath.FromSlash(name)]; {
		case !is:
			return fmt.Sprintf("the neighbour %s is gone", name)
		case string(content) != s.files[name]:
			return fmt.Sprintf("the neighbour %s holds %q", name, content[:min(len(content), 60)])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		name = filepath.ToSlash(name)
		if s.files[name] != "" || s.isOwn(name) {
			continue
		}
		for _, stem := range s.stems {
			if strings.HasPrefix(name, stem+".") {
				return fmt.Sprintf("the neighbour %s has a new file, %s", stem, name)
			}
		}
	}
	return ""
}

// isOwn reports whether a name is one that the set at work may have: its stem and
// an ending, with or without what marks a working file.
func (s *Street) isOwn(name string) bool {
	name, _, _ = strings.Cut(name, ".cbkit-")
	return name == s.stem || strings.TrimSuffix(name, filepath.Ext(name)) == s.stem
}

// Has reports whether something in the folder is a neighbour, or holds what is
// theirs.
func (s *Street) Has(name string) bool {
	name = filepath.ToSlash(name)
	_, is := s.files[name]
	for other := range s.files {
		is = is || len(other) > len(name) && other[len(name)] == '/' && other[:len(name)] == name
	}
	return is
}

// Without returns the files among which no neighbours are.
func (s *Street) Without(files map[string][]byte) map[string][]byte {
	files = maps.Clone(files)
	maps.DeleteFunc(files, func(name string, _ []byte) bool {
		_, theirs := s.files[filepath.ToSlash(name)]
		return theirs
	})
	return files
}
