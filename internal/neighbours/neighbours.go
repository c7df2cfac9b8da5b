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
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"cbkit/internal/fsys/crashfs"
)

// Street is the neighbours of one database, book or file.
type Street struct {
	stem  string
	stems []string // of the neighbours
	files map[string]string
	links map[string]string // what they lead to
}

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
	s := &Street{stem: stem, files: map[string]string{}, links: map[string]string{}}
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
			stem+first+".cbkit-new-99-0", stem+first+".cbkit-backup/"+stem+last, stem+first+".cbkit-commit")
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
	s := of(name, twins && isCaseTold(t, dir), false)
	far := filepath.Join(dir, "far")
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(far, 0o777))
	for name, content := range s.files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(os.MkdirAll(filepath.Dir(path), 0o777))
		must(os.WriteFile(path, []byte(content), 0o666))
	}
	// A file with two names, and a set that lies elsewhere.
	ending := filepath.Ext(name)
	two := s.stems[0] + ending
	if err := os.Link(filepath.Join(dir, two), filepath.Join(far, two)); err == nil {
		s.files["far/"+two] = s.files[two]
	}
	linked := s.stem + ".linked" + ending
	must(os.WriteFile(filepath.Join(far, linked), []byte(linked), 0o666))
	if err := os.Symlink(filepath.Join("far", linked), filepath.Join(dir, linked)); err == nil {
		s.links[linked], s.files["far/"+linked] = filepath.Join("far", linked), linked
	}
	return s
}

// isCaseTold reports whether the files of a folder can differ in case alone.
func isCaseTold(t testing.TB, dir string) bool {
	t.Helper()
	probe := filepath.Join(dir, "neighbours-case")
	if err := os.WriteFile(probe, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(probe)
	_, err := os.Lstat(filepath.Join(dir, "NEIGHBOURS-CASE"))
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
	there := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if to, err := os.Readlink(path); err == nil {
			there[name] = to
			return nil
		}
		if _, ours := s.files[name]; !ours {
			there[name] = ""
			return nil
		}
		b, err := os.ReadFile(path)
		there[name] = string(b)
		return err
	})
	if err != nil {
		return err.Error()
	}
	for name, to := range s.links {
		if there[name] != to {
			return fmt.Sprintf("the link %s leads to %q", name, there[name])
		}
	}
	return s.wrong(there)
}

// wrong says what is not as it was among files by their names, "" if all is well.
// Of files that are no neighbours the content is not asked for.
func (s *Street) wrong(there map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		switch content, is := there[name]; {
		case !is:
			return fmt.Sprintf("the neighbour %s is gone", name)
		case content != s.files[name]:
			return fmt.Sprintf("the neighbour %s holds %q", name, content[:min(len(content), 60)])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if s.files[name] != "" || s.links[name] != "" || s.isOwn(name) {
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

// Files returns the neighbours of a main file, twins among them, for a disk that
// crashes: fewer, since each crash is a disk of its own.
func Files(main string) map[string][]byte {
	files := map[string][]byte{}
	for name, content := range of(main, true, true).files {
		files[name] = []byte(content)
	}
	return files
}

// On puts them onto a disk.
func On(disk *crashfs.FS, main string) {
	files := Files(main)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if dir, _, is := strings.Cut(name, "/"); is {
			_ = disk.Mkdir(dir, 0o777) // it may be there
		}
		disk.WriteFile(filepath.FromSlash(name), files[name])
	}
}

// Has reports whether something in the folder is a neighbour, or holds what is
// theirs.
func (s *Street) Has(name string) bool {
	for other := range s.files {
		if other == name || strings.HasPrefix(other, name+"/") {
			return true
		}
	}
	return s.links[name] != ""
}
