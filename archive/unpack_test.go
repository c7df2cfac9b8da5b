package archive_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/archive"
	"cbkit/internal/cbh"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/neighbours"
	"cbkit/model"
)

// listFolder returns the files below a folder with their contents.
func listFolder(t testing.TB, dir string) []content {
	t.Helper()
	var list []content
	must.Do(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		list = append(list, content{name, data})
		return err
	}))
	return list
}

// sorted returns contents by name.
func sorted(list []content) []content {
	return slices.SortedFunc(slices.Values(list), func(a, b content) int { return strings.Compare(a.name, b.name) })
}

func TestUnpack(t *testing.T) {
	contents, data := folders(t)
	for _, more := range [][]content{
		nil,
		{{"Other.cbh", []byte("2")}, {"Other.cbg", []byte("3")}, {"readme", []byte("4")}, {"sub/In.cbh", nil}, {"sub/In.html/x", nil}},
	} {
		if more != nil {
			data = pack(t, archive.WriterOptions{}, append(slices.Clone(contents), more...)...)
		}
		want := sorted(append(slices.Clone(contents), more...))
		dir := filepath.Join(gen.Folder(t), "new", "folder")
		last, size := int64(0), int64(0)
		for _, c := range want {
			size += int64(len(c.data))
		}
		a := open(t, data, archive.Options{})
		must.Do(t, a.Unpack(t.Context(), dir, archive.UnpackOptions{Progress: func(n int64) { last = n }}))
		if got := sorted(listFolder(t, dir)); !same(got, want) {
			t.Errorf("%d files, want %d", len(got), len(want))
		}
		if last != size {
			t.Errorf("progress ended at %d of %d", last, size)
		}
		for _, c := range want {
			info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(c.name)))
			if err != nil || !info.ModTime().Equal(moment) {
				t.Errorf("%s: %v, error %v", c.name, info.ModTime(), err)
			}
		}
		// Nothing is replaced without force.
		if err := a.Unpack(t.Context(), dir, archive.UnpackOptions{}); !errors.Is(err, fs.ErrExist) {
			t.Errorf("unpacked again: %v", err)
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, "Base.cbh"), []byte("old"), 0o666))
		var kept []string
		onReplace := func(r model.Replacement) { kept = append(kept, r.Kept...) }
		if err := a.Unpack(t.Context(), dir, archive.UnpackOptions{Force: true, OnReplace: onReplace}); err != nil {
			t.Error(err)
		}
		got := slices.DeleteFunc(sorted(listFolder(t, dir)), func(c content) bool { return strings.Contains(c.name, ".cbkit-kept/") })
		if !same(got, want) {
			t.Errorf("after a forced unpacking: %d files", len(got))
		}
		if !slices.Contains(kept, "Base.html") || !slices.Contains(kept, "Base.bmp") {
			t.Errorf("old media: %q", kept)
		}
	}
}

// Whatever is in the way of one file keeps all of them away.
func TestUnpackRefuses(t *testing.T) {
	contents, data := folders(t)
	a := open(t, data, archive.Options{})
	for _, c := range contents {
		top, _, _ := strings.Cut(c.name, "/")
		dir := gen.Folder(t)
		must.Do(t, os.WriteFile(filepath.Join(dir, top), nil, 0o666))
		err := a.Unpack(t.Context(), dir, archive.UnpackOptions{})
		if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), top) {
			t.Errorf("%s: %v", top, err)
		}
		if got := listFolder(t, dir); len(got) != 1 {
			t.Errorf("%s: %d files", top, len(got))
		}
	}
}

// Damage, in whatever member, leaves nothing behind, not even the folder.
func TestUnpackDamaged(t *testing.T) {
	for i := range 4 {
		r := newRaw()
		s := r.members[i].stream
		s[len(s)-1] ^= 1
		if len(s)%2 == 1 {
			s[len(s)-2] ^= 1
		}
		dir := filepath.Join(gen.Folder(t), "new")
		a := open(t, r.bytes(), archive.Options{})
		err := a.Unpack(t.Context(), dir, archive.UnpackOptions{})
		if !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("member %d: %v", i, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("member %d: the folder is there: %v", i, err)
		}
		// What is sound can be had, alone and with a plan.
		faults := must.Get(a.Faults(t.Context(), nil))(t)
		wrong := a.Members()[i].Name
		for j, fault := range faults {
			if (fault != nil) != (j == i) {
				t.Errorf("member %d is damaged, %d: %v", i, j, fault)
			}
		}
		only := func(name string) bool { return name != wrong }
		if err := a.Unpack(t.Context(), dir, archive.UnpackOptions{Only: only}); err != nil {
			t.Error(err)
		}
		if got := listFolder(t, dir); len(got) != 4 {
			t.Errorf("%d files", len(got))
		}
	}
}

func TestUnpackRenamed(t *testing.T) {
	_, data := folders(t)
	a := open(t, data, archive.Options{})
	rename := func(name string) string { return "New" + strings.TrimPrefix(name, "Base") }
	dir := gen.Folder(t)
	must.Do(t, a.Unpack(t.Context(), dir, archive.UnpackOptions{Rename: rename}))
	for _, c := range listFolder(t, dir) {
		if !strings.HasPrefix(c.name, "New.") {
			t.Error(c.name)
		}
	}
	if err := a.Unpack(t.Context(), dir, archive.UnpackOptions{Rename: func(name string) string { return "../" + name }}); err == nil {
		t.Error("unpacked outside")
	}
	if err := a.Unpack(t.Context(), dir, archive.UnpackOptions{Rename: path.Base}); err != nil {
		t.Error(err)
	}
	if err := a.Unpack(t.Context(), dir, archive.UnpackOptions{Rename: func(string) string { return "x" }}); err == nil {
		t.Error("two files became one")
	}
}

// A forced unpacking of a database takes the boosters of the old one away: they
// say nothing about the new one.
func TestUnpackReplacesDatabase(t *testing.T) {
	contents, data := folders(t)
	dir := gen.Folder(t)
	for _, name := range []string{"Base.cbh", "Base.cbj", "Base.cbb", "Base.pgn", "Other.cbh"} {
		old := []byte("old")
		if head := cbh.NewFileHeader(0); name == "Base.cbh" {
			old = head.Append(nil)
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, name), old, 0o666))
	}
	must.Do(t, open(t, data, archive.Options{}).Unpack(t.Context(), dir, archive.UnpackOptions{Force: true}))
	want := append(slices.Clone(contents), content{"Base.pgn", []byte("old")}, content{"Other.cbh", []byte("old")})
	if got := sorted(listFolder(t, dir)); !same(got, sorted(want)) {
		t.Errorf("%d files", len(got))
	}
}

// Opening keys are the user's work, and go by the numbers of the old games: whatever
// replaces a database moves them aside.
func TestUnpackKeepsOpeningKeys(t *testing.T) {
	_, data := folders(t)
	dir := gen.Folder(t)
	head := cbh.NewFileHeader(0)
	for name, content := range map[string]string{"Base.cbh": string(head.Append(nil)), "Base.cko": "old"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
	}
	must.Do(t, open(t, data, archive.Options{}).Unpack(t.Context(), dir, archive.UnpackOptions{Force: true}))
	if b, err := os.ReadFile(filepath.Join(dir, "Base.cbh.cbkit-kept", "Base.cko")); string(b) != "old" {
		t.Errorf("the opening key: %q, %v", b, err)
	}
}

// A file that only has the name of a database proves nothing: what is beside it is kept.
func TestUnpackKeepsWhatIsNoDatabase(t *testing.T) {
	_, data := folders(t)
	dir := gen.Folder(t)
	for _, name := range []string{"Base.cbh", "Base.cbg"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("notes"), 0o666))
	}
	must.Do(t, open(t, data, archive.Options{}).Unpack(t.Context(), dir, archive.UnpackOptions{Force: true}))
	for _, name := range []string{"Base.cbh", "Base.cbg"} {
		if b, err := os.ReadFile(filepath.Join(dir, "Base.cbh.cbkit-kept", name)); string(b) != "notes" {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
}

// Unpacking and packing leave what lies beside as it is, whether they replace something,
// find damage on the way, or come after a run that was stopped.
func TestUnpackAmongNeighbours(t *testing.T) {
	contents, data := folders(t)
	r := newRaw()
	s := r.members[3].stream
	s[len(s)-2] ^= 1
	damaged := r.bytes()
	for what, c := range map[string]struct {
		before []string
		do     func(dir string) error
	}{
		"new": {nil, func(dir string) error {
			return open(t, data, archive.Options{}).Unpack(t.Context(), dir, archive.UnpackOptions{})
		}},
		"replaced": {[]string{"Base.cbh", "Base.cbj", "Base.cbg"}, func(dir string) error {
			return open(t, data, archive.Options{}).Unpack(t.Context(), dir, archive.UnpackOptions{Force: true})
		}},
		"refused": {[]string{"Base.cbh"}, func(dir string) error {
			if err := open(t, data, archive.Options{}).Unpack(t.Context(), dir, archive.UnpackOptions{}); !errors.Is(err, fs.ErrExist) {
				t.Errorf("something is there: %v", err)
			}
			return nil
		}},
		"damaged": {[]string{"Base.cbh"}, func(dir string) error {
			if err := open(t, damaged, archive.Options{}).Unpack(t.Context(), dir, archive.UnpackOptions{Force: true}); err == nil {
				t.Error("damage went unnoticed")
			}
			return nil
		}},
		"packed": {[]string{"Base.cbh"}, func(dir string) error {
			files, err := archive.Files(os.DirFS(dir), "Base.cbh")
			for range 2 {
				if err == nil {
					err = archive.Create(t.Context(), filepath.Join(dir, "Base.cbz"), files, archive.CreateOptions{Force: true})
				}
			}
			return err
		}},
	} {
		t.Run(what, func(t *testing.T) {
			dir := gen.Folder(t)
			near := neighbours.Lay(t, filepath.Join(dir, "Base.cbh"), c.before != nil)
			for _, name := range c.before {
				must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o666))
			}
			if err := c.do(dir); err != nil {
				t.Error(err)
			}
			near.Check(t, dir)
			if b, err := os.ReadFile(filepath.Join(dir, "Base.cbh")); (err != nil || !bytes.Equal(b, contents[0].data)) != (what != "new" && what != "replaced") {
				t.Errorf("the database has %d bytes, %v", len(b), err)
			}
		})
	}
}

// What was packed from the disk is there again after unpacking, times included.
func TestPackAndUnpackOnDisk(t *testing.T) {
	files := database(t, "hedgehog")
	dir := gen.Folder(t)
	path := filepath.Join(dir, "Hedgehog.cbz")
	opt := archive.CreateOptions{WriterOptions: archive.WriterOptions{Password: []byte("secret")}}
	must.Do(t, archive.Create(t.Context(), path, files, opt))
	a := must.Get(archive.Open(path, archive.Options{Password: []byte("secret")}))(t)
	defer a.Close()
	to := filepath.Join(dir, "out")
	must.Do(t, a.Unpack(t.Context(), to, archive.UnpackOptions{}))
	if !same(sorted(listFolder(t, to)), sorted(contentsOf(t, files))) {
		t.Error("other files")
	}
	again := must.Get(archive.Files(os.DirFS(to), namesOf(files)...))(t)
	got := packFiles(t, opt.WriterOptions, again)
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("unpacked and packed again, the archive has other bytes; error %v", err)
	}
}

// namesOf returns the names of files.
func namesOf(files []archive.File) []string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	return names
}
