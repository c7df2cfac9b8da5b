package read_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// folderWith returns a folder with empty files; names that end in "/" are
// folders.
func folderWith(t *testing.T, names ...string) string {
	t.Helper()
	dir := gen.Folder(t)
	for _, name := range names {
		path := filepath.Join(dir, name)
		var err error
		if strings.HasSuffix(name, "/") {
			err = os.Mkdir(path, 0o777)
		} else {
			err = os.WriteFile(path, nil, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What is after the last dot is an ending, or belongs to the name.
func TestFindFilesWithDots(t *testing.T) {
	for name, c := range map[string]struct {
		files []string
		path  string
		finds string // main file
	}{
		"main file":                       {[]string{"Mega.cbh"}, "Mega.cbh", "Mega.cbh"},
		"no ending":                       {[]string{"Mega.cbh"}, "Mega", "Mega.cbh"},
		"companion":                       {[]string{"Mega.cbh", "Mega.cbp"}, "Mega.cbp", "Mega.cbh"},
		"missing companion":               {[]string{"Mega.cbh", "Mega.cbg.cbh"}, "Mega.cbg", "Mega.cbh"},
		"unknown file":                    {[]string{"Mega.cbh", "Mega.xyz", "Mega.xyz.cbh"}, "Mega.xyz", "Mega.xyz.cbh"},
		"upper case":                      {[]string{"MEGA.CBH"}, "mega.cbh", "MEGA.CBH"},
		"dot in the name, whole":          {[]string{"Mega.2024.cbh", "Mega.cbh"}, "Mega.2024.cbh", "Mega.2024.cbh"},
		"dot in the name, no ending":      {[]string{"Mega.2024.cbh", "Mega.cbh"}, "Mega.2024", "Mega.2024.cbh"},
		"dot in the name, stray file":     {[]string{"Mega.2024.cbh", "Mega.txt"}, "Mega.2024", "Mega.2024.cbh"},
		"dot in the name, of that name":   {[]string{"Mega.2024.cbh", "Mega.2024"}, "Mega.2024", "Mega.2024.cbh"},
		"dot in the name, simple":         {[]string{"Mega.2024.dci", "Mega.cbh"}, "Mega.2024", "Mega.2024.dci"},
		"dot in the name, book":           {[]string{"Mega.2024.ctg", "Mega.ctg"}, "Mega.2024", "Mega.2024.ctg"},
		"ending that grows in lower case": {[]string{"Mega.cbh", ".\u023a", "Mega.\u023a"}, "Mega.cbg", "Mega.cbh"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folderWith(t, c.files...)
			set := must.Get(read.FindFiles(filepath.Join(dir, c.path)))(t)
			if got := set.Name(strings.ToLower(filepath.Ext(c.finds))); got != c.finds {
				t.Errorf("%s is %s, want %s", c.path, got, c.finds)
			}
		})
	}
}

// Only the endings of databases name one, and only files with them are parts of
// it.
func TestFindFilesOfAnotherKind(t *testing.T) {
	others := []string{"Mega.pgn", "mega.txt", "Mega.xyz", "Mega.html", "Mega.cbv", "Mega.cbg.bak", "Mega.avi/", "Mega.abc/", "Mega.cba/", "Mega"}
	dir := folderWith(t, append([]string{"Mega.cbh", "Mega.cbg", "Mega.cpx"}, others...)...)
	for name, want := range map[string]error{
		"Mega.pgn": model.ErrNotDatabase, "mega.txt": model.ErrNotDatabase, "Mega.html": model.ErrNotDatabase,
		"Mega.cbv": model.ErrNotDatabase, "Mega.cbg.bak": model.ErrNotDatabase,
		"Mega.none": fs.ErrNotExist, "Mega.jsonl": fs.ErrNotExist,
	} {
		if set, err := read.FindFiles(filepath.Join(dir, name)); !errors.Is(err, want) || set != nil {
			t.Errorf("%s: %v, %v; want %v", name, set, err, want)
		}
	}
	set := must.Get(read.FindFiles(filepath.Join(dir, "Mega")))(t)
	if got := strings.Join(set.Endings(), " "); got != ".cbg .cbh .cpx" {
		t.Errorf("the files of Mega are %s", got)
	}
	if got := set.Folders(); len(got) != 1 || got[0] != "Mega.avi" {
		t.Errorf("the folders of Mega are %v", got)
	}
}

// A database does not answer for one of another format with its name.
func TestFindFilesOfAnotherFormat(t *testing.T) {
	dir := folderWith(t, "a.cbh", "a.cbg", "a.ini", "b.dci", "b.dcg", "c.ctg", "c.ctb", "all.cbh", "all.dci", "all.ctg", "all.cko", "two.cbh", "two.ctg")
	for name, want := range map[string]string{
		"a.cbh": ".cbg .cbh .ini", "a.ini": ".cbg .cbh .ini", "a.dci": "", "a.ctg": "", "b.dcn": ".dcg .dci", "b.cbh": "", "b.cbg": "", "c.cto": ".ctb .ctg", "c.dcg": "",
		"all.cbh": ".cbh .cko", "all.dci": ".dci", "all.cto": ".ctg", "two": ".cbh .ctg",
	} {
		set, err := read.FindFiles(filepath.Join(dir, name))
		if want == "" {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v, %v", name, set, err)
			}
			continue
		}
		if err != nil || strings.Join(set.Endings(), " ") != want {
			t.Errorf("%s: %v, %v, want %s", name, set, err, want)
		}
	}
	// Of two databases neither is taken for a name that fits both.
	if set, err := read.FindFiles(filepath.Join(dir, "all")); !errors.Is(err, model.ErrOption) || !strings.Contains(err.Error(), "all.cbh and all.dci") {
		t.Errorf("all: %v, %v", set, err)
	}
	// A book is found beside them, by who asks for one.
	for name, want := range map[string]string{"all": ".ctg", "two": ".ctg", "c": ".ctb .ctg", "all.ctb": ".ctg", "a": ".cbg .cbh .ini"} {
		set, err := read.FindBook(nil, filepath.Join(dir, name))
		if err != nil || strings.Join(set.Endings(), " ") != want {
			t.Errorf("the book %s: %v, %v, want %s", name, set, err, want)
		}
		if set, err := read.FindBook(os.DirFS(dir), name); err != nil || strings.Join(set.Endings(), " ") != want {
			t.Errorf("the book %s in a file system: %v, %v, want %s", name, set, err, want)
		}
	}
	dir = folderWith(t, "x.cbh", "x.dci.cbkit-moving/")
	if _, err := read.FindFiles(filepath.Join(dir, "x.dci")); !errors.Is(err, model.ErrNeedsRecovery) {
		t.Errorf("another one of its name is there: %v", err)
	}
}

// Links to folders of media are such folders; dead ones are told.
func TestFindFilesWithLinks(t *testing.T) {
	dir := folderWith(t, "Mega.cbh", "elsewhere/", "letter")
	for name, to := range map[string]string{"Mega.html": "elsewhere", "Mega.wav": "nowhere", "Mega.bmp": "letter"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	set := must.Get(read.FindFiles(filepath.Join(dir, "Mega.cbh")))(t)
	if f, d := set.Folders(), set.DeadLinks(); len(f) != 1 || f[0] != "Mega.html" || len(d) != 1 || d[0] != "Mega.wav" {
		t.Errorf("folders %v, dead links %v", f, d)
	}
}

// While a database is being replaced, who does so is told.
func TestFindFilesWhileReplacing(t *testing.T) {
	dir := folderWith(t, "Mega.cbh.cbkit-moving/")
	l := must.Get(lock.Acquire(t.Context(), fsys.OS{}, filepath.Join(dir, "Mega.cbh"), lock.Writer, 0))(t)
	if _, err := read.FindFiles(filepath.Join(dir, "Mega")); !errors.Is(err, model.ErrLocked) || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("while it goes on: %v", err)
	}
	must.Do(t, l.Release())
	if _, err := read.FindFiles(filepath.Join(dir, "Mega")); !errors.Is(err, model.ErrNeedsRecovery) {
		t.Errorf("afterwards: %v", err)
	}
}

// Files that differ in case alone are two databases, of which the one that is
// written exactly so is meant.
func TestFindFilesOfTwoCases(t *testing.T) {
	dir := folderWith(t, "a.cbh", "a.cbp", "a.html/", "A.cbh", "A.cbp", "A.cbj", "A.html/")
	set := must.Get(read.FindFiles(filepath.Join(dir, "a.cbh")))(t)
	if set.Name(".cbp") != "a.cbp" || set.Has(".cbj") || len(set.Folders()) != 1 || set.Folders()[0] != "a.html" {
		t.Errorf("a.cbh is %v with %v", set.Endings(), set.Folders())
	}
	for _, files := range [][]string{
		{"mega.cbh", "Mega.cbh"}, {"MEGA.cbh", "MEGA.CBH"}, {"MEGA.cbh", "MEGA.html/", "MEGA.HTML/"}, {"MEGA.cbh", "MEGA.cko", "MEGA.CKO"},
	} {
		_, err := read.FindFiles(filepath.Join(folderWith(t, files...), "MEGA"))
		if err == nil || !strings.Contains(err.Error(), "in upper and lower case alone") {
			t.Errorf("%v: %v", files, err)
		}
	}
	if _, err := read.FindFiles(filepath.Join(folderWith(t, "MEGA.cbh", "mega.txt", "Mega.txt"), "MEGA")); err != nil {
		t.Errorf("files of something else: %v", err)
	}
}

// An interrupted replacement is reported wherever its database is meant.
func TestFindFilesInterrupted(t *testing.T) {
	for _, c := range []struct {
		files []string
		path  string
		says  string
	}{
		{[]string{"Mega.cbh.cbkit-moving/"}, "Mega", "cbkit recover "},
		{[]string{"Mega.cbh.cbkit-moving/"}, "MEGA.cbp", ""},
		{[]string{"Mega.2024.cbh.cbkit-complete/", "Mega.cbh"}, "Mega.2024", "Mega.2024.cbh"},
		{[]string{"Mega.dci.cbkit-moving/", "Mega.dcn"}, "Mega.dcn", "Mega.dci"},
		{[]string{"Mega.ctg.cbkit-moving/"}, "Mega.ctg", "Mega.ctg"},
	} {
		_, err := read.FindFiles(filepath.Join(folderWith(t, c.files...), c.path))
		if c.says == "" {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v: %s: %v", c.files, c.path, err)
			}
			continue
		}
		if !errors.Is(err, model.ErrNeedsRecovery) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %s: %v", c.files, c.path, err)
		}
	}
}
