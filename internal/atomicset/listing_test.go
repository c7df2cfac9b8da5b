package atomicset_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"unicode"

	"cbkit/internal/atomicset"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
)

// lister counts how often the folder of the sets is listed.
type lister struct {
	fsys.FS
	n int
}

func (l *lister) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "." {
		l.n++
	}
	return l.FS.ReadDir(name)
}

// makeSet makes a set, of a main file alone, in a shared folder.
func makeSet(disk fsys.FS, main string, opt atomicset.Options) error {
	set, err := atomicset.New(disk, main, opt)
	if err != nil {
		return err
	}
	f, err := set.Create(main)
	if err != nil {
		return err
	}
	if _, err := f.Write([]byte(main)); err != nil {
		return err
	}
	return set.Commit()
}

// However many sets one run makes in a folder, it is listed once; what was there before
// is refused, in whatever case, and replaced with Force.
func TestListingIsShared(t *testing.T) {
	disk := &lister{FS: diskWith(map[string][]byte{"p3.ctg": []byte("old"), "p3.cto": []byte("old"), "P4.CTG": []byte("twin"), "p5.cto": []byte("orphan")})}
	opt := atomicset.Options{Extensions: extensions, Listing: new(atomicset.Listing)}
	for i := range 20 {
		main := fmt.Sprintf("p%d.ctg", i)
		err := makeSet(disk, main, opt)
		if is := errors.Is(err, fs.ErrExist); is != (i >= 3 && i <= 5) || err != nil && !is {
			t.Errorf("%s: %v", main, err)
		}
	}
	if disk.n != 1 {
		t.Errorf("the folder was listed %d times", disk.n)
	}
	files := disk.FS.(*crashfs.FS).Files()
	for name, want := range map[string]string{"p0.ctg": "p0.ctg", "p19.ctg": "p19.ctg", "p3.ctg": "old", "p3.cto": "old", "P4.CTG": "twin", "p5.cto": "orphan"} {
		if string(files[name]) != want {
			t.Errorf("%s: %q, want %q", name, files[name], want)
		}
	}
	opt.Force, opt.Listing = true, new(atomicset.Listing)
	must.Do(t, makeSet(disk, "p3.ctg", opt))
	if files = disk.FS.(*crashfs.FS).Files(); string(files["p3.ctg"]) != "p3.ctg" || files["p3.cto"] != nil {
		t.Errorf("not replaced: %q, %q", files["p3.ctg"], files["p3.cto"])
	}
}

// A set that was made is there for the next one of its name; and what somebody else puts
// into the folder after it was listed is not replaced.
func TestListingKeepsUp(t *testing.T) {
	disk := crashfs.New()
	opt := atomicset.Options{Extensions: extensions, Listing: new(atomicset.Listing)}
	must.Do(t, makeSet(disk, "a.ctg", opt))
	if err := makeSet(disk, "a.ctg", opt); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made twice: %v", err)
	}
	layOn(disk, map[string][]byte{"b.ctg": []byte("somebody's")})
	if err := makeSet(disk, "b.ctg", opt); err == nil || string(disk.Files()["b.ctg"]) != "somebody's" {
		t.Errorf("%v: %q", err, disk.Files()["b.ctg"])
	}
	if names := disk.Names(); len(names) != 2 {
		t.Errorf("left behind: %v", names)
	}
	// A listing of another folder is no listing of this one.
	must.Do(t, disk.Mkdir("sub", 0o777))
	if err := makeSet(disk, "sub/a.ctg", opt); err == nil {
		t.Error("a set whose main file is not in its folder")
	}
}

// Names that a system may take for one have one key.
func TestKeysFold(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			if a, b := string(r)+".ctg", string(other)+".ctg"; dbfile.SetKey(a) != dbfile.SetKey(b) {
				t.Errorf("%q and %q: %q and %q", a, b, dbfile.SetKey(a), dbfile.SetKey(b))
			}
		}
	}
}
