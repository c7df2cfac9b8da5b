package atomicset_test

import (
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/atomicset"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/neighbours"

	"github.com/google/go-cmp/cmp"
)

var extensions = []string{"ctg", "cto", "ctb"}

// oldFiles are a complete old set, with a file that the new one lacks, and
// bystanders.
func oldFiles() map[string][]byte {
	return map[string][]byte{
		"b.CTG": []byte("old main"), "b.cto": []byte("old cto"), "b.ctb": []byte("old ctb"),
		"b.ini": []byte("settings"), "c.ctg": []byte("another"),
	}
}

var bystanders = []string{"b.ini", "c.ctg"}

func newFiles() map[string][]byte {
	return map[string][]byte{
		"b.ctg": []byte("new main"), "b.cto": []byte("new cto"),
		"b.media/x/1.bmp": []byte("picture"),
	}
}

// diskWith returns a disk with some files on it, and the set's neighbours: with twins
// where something of the set is there.
func diskWith(files map[string][]byte) *crashfs.FS {
	disk := emptyStreet
	if files["b.cto"] != nil {
		disk = twinStreet
	}
	disk = disk.Clone()
	layOn(disk, files)
	return disk
}

// Disks with the neighbours of the set alone, those that differ in case among them or
// not.
var (
	emptyStreet, twinStreet = crashfs.New(), crashfs.New()
	near, withTwins         = neighbours.OnNew(emptyStreet, "b.ctg"), neighbours.On(twinStreet, "b.ctg")
)

// ownFiles returns the files of a disk but for the neighbours, which must be as they
// were.
func ownFiles(t *testing.T, disk *crashfs.FS) map[string][]byte {
	t.Helper()
	files, street := disk.Files(), near
	if slices.ContainsFunc(disk.Names(), func(name string) bool { return strings.HasPrefix(name, "B.") }) {
		street = withTwins
	}
	if wrong := street.WrongAmong(files); wrong != "" {
		t.Error(wrong)
	}
	return withTwins.Without(files)
}

// ownNames returns the names on a disk but for those of the neighbours.
func ownNames(disk *crashfs.FS) []string { return slices.DeleteFunc(disk.Names(), withTwins.Has) }

func layOn(disk *crashfs.FS, files map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for i, c := range name {
			if c == '/' {
				_ = disk.Mkdir(name[:i], 0o777) // it may be there
			}
		}
		disk.WriteFile(name, files[name])
	}
}

// options are those of all sets here.
func options(force bool) atomicset.Options {
	return atomicset.Options{Force: force, Extensions: extensions, Listing: new(atomicset.Listing)}
}

// writeNew writes and commits the new set.
func writeNew(files fsys.FS, force bool) error {
	set, err := atomicset.New(files, "b.ctg", options(force))
	if err != nil {
		return err
	}
	if err := fill(set); err != nil {
		if left := set.Abort(); left != nil {
			return fmt.Errorf("%w; and %w", err, left)
		}
		return err
	}
	return set.Commit()
}

func fill(set *atomicset.Set) error {
	if err := set.MkdirAll("b.media/x"); err != nil {
		return err
	}
	files := newFiles()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := set.Create(name)
		if err != nil {
			return err
		}
		if _, err := f.Write(files[name]); err != nil {
			return err
		}
		if name == "b.media/x/1.bmp" {
			if err := f.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

// wanted returns what the disk holds with the old or the new set in place. What
// was in the way and not of an old set is kept.
func wanted(old map[string][]byte, replaced bool) map[string][]byte {
	if !replaced {
		return old
	}
	files := newFiles()
	for name, data := range old {
		switch {
		case slices.Contains(bystanders, name):
			files[name] = data
		case old["b.CTG"] == nil || strings.HasPrefix(name, "b.media/"):
			files[keptFolder+"/"+name] = data
		}
	}
	return files
}

const keptFolder = "b.ctg.cbkit-kept"

func TestCommitNew(t *testing.T) {
	disk := crashfs.New()
	must.Do(t, writeNew(disk, false))
	if d := cmp.Diff(newFiles(), disk.Files()); d != "" {
		t.Error(d)
	}
	want := []string{"b.ctg", "b.cto", "b.media", "b.media/x", "b.media/x/1.bmp"}
	if d := cmp.Diff(want, disk.Names()); d != "" {
		t.Error(d)
	}
	// All of it must be on the disk, not only in memory.
	if d := cmp.Diff(newFiles(), disk.Restart(nil, nil).Files()); d != "" {
		t.Errorf("after a restart: %s", d)
	}
}

func TestCommitReplaces(t *testing.T) {
	disk := diskWith(oldFiles())
	must.Do(t, writeNew(disk, true))
	if d := cmp.Diff(wanted(oldFiles(), true), ownFiles(t, disk)); d != "" {
		t.Error(d)
	}
}

func TestExistingIsRefused(t *testing.T) {
	for name := range oldFiles() {
		if slices.Contains(bystanders, name) {
			continue
		}
		disk := crashfs.New() // a twin would be in the way too
		disk.WriteFile(name, []byte("x"))
		err := writeNew(disk, false)
		if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want one that names the file and is fs.ErrExist", name, err)
		}
		if d := cmp.Diff([]string{name}, disk.Names()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// A file that turns up while the set is written must not be lost either.
func TestTurnedUpMeanwhileIsRefused(t *testing.T) {
	disk := crashfs.New()
	set := must.Get(atomicset.New(disk, "b.ctg", atomicset.Options{Extensions: extensions}))(t)
	must.Do(t, fill(set))
	disk.WriteFile("b.cto", []byte("somebody else's"))
	if err := set.Commit(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v, want fs.ErrExist", err)
	}
	if d := cmp.Diff([]string{"b.cto"}, disk.Names()); d != "" {
		t.Error(d)
	}
}

func TestAbort(t *testing.T) {
	disk := diskWith(oldFiles())
	before := disk.Names()
	set := must.Get(atomicset.New(disk, "b.ctg", atomicset.Options{Force: true, Extensions: extensions}))(t)
	must.Do(t, fill(set))
	for range 2 {
		must.Do(t, set.Abort())
	}
	if d := cmp.Diff(before, disk.Names()); d != "" {
		t.Error(d)
	}
	if _, err := set.Create("b.ctb"); err == nil {
		t.Error("Create after Abort succeeded")
	}
	if err := set.Commit(); err == nil {
		t.Error("Commit after Abort succeeded")
	}
}

func TestMainFileIsMandatory(t *testing.T) {
	disk := crashfs.New()
	set := must.Get(atomicset.New(disk, "b.ctg", atomicset.Options{}))(t)
	must.Get(set.Create("b.cto"))(t)
	if err := set.Commit(); err == nil || len(disk.Names()) != 0 {
		t.Errorf("error %v, files %v; want an error and nothing", err, disk.Names())
	}
}

func TestNamesStayInside(t *testing.T) {
	set := must.Get(atomicset.New(crashfs.New(), "b.ctg", atomicset.Options{}))(t)
	for _, name := range []string{"../x", "/x", ".", "", "a/../../x"} {
		if _, err := set.Create(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Create(%q): error %v", name, err)
		}
		if err := set.MkdirAll(name); name != "." && !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("MkdirAll(%q): error %v", name, err)
		}
	}
}

func TestInterruptedIsRefusedUnlessForced(t *testing.T) {
	disk := diskWith(oldFiles())
	must.Do(t, disk.Mkdir("b.ctg.cbkit-writing", 0o777))
	if err := writeNew(disk, false); !errors.Is(err, model.ErrInterrupted) {
		t.Errorf("error %v, want ErrInterrupted", err)
	}
	must.Do(t, writeNew(disk, true))
	if d := cmp.Diff(wanted(oldFiles(), true), ownFiles(t, disk)); d != "" {
		t.Error(d)
	}
}

// A set that replaces one with a folder of media is there as a whole or not at all, and what was
// in that folder is kept.
func TestReplaceFolders(t *testing.T) {
	old := oldFiles()
	old["b.media/old/2.bmp"] = []byte("old picture")
	trial := crashfs.Trial{Before: diskWith(old), Step: crashfs.Of(17, 3, 1), Change: func(disk *crashfs.FS) error { return writeNew(disk, true) }, Next: func(disk *crashfs.FS) error {
		_, err := atomicset.Recover(disk, "b.ctg", options(false))
		return err
	}}
	if all := trial.Crash(t.Errorf); all.Old == 0 || all.New == 0 {
		t.Error(all)
	}
	trial.Fail(model.IsDone, t.Errorf)
}

// calls returns how many calls writing the new set over the old files takes.
func calls(t *testing.T, old map[string][]byte) int {
	disk := diskWith(old)
	disk.Plan(nil)
	must.Do(t, writeNew(disk, true))
	return disk.Calls()
}

// A user who deletes the complete new set gets the old one back.
func TestRecoverFromBackupAlone(t *testing.T) {
	old := oldFiles()
	seen := 0
	for n := range calls(t, old) {
		disk := diskWith(old)
		disk.CrashAt(n, false)
		_ = writeNew(disk, true)
		disk = disk.Restart(func(pending int) int { return pending }, nil)
		names := disk.Names()
		if !slices.Contains(names, "b.ctg.cbkit-complete") || !slices.Contains(names, "b.ctg.cbkit-backup/b.CTG") {
			continue
		}
		seen++
		for _, name := range slices.Backward(names) {
			if strings.HasPrefix(name, "b.ctg.cbkit-complete") {
				must.Do(t, disk.Remove(name))
			}
		}
		for _, want := range []model.RecoveryOutcome{model.RecoveryRestored, model.RecoveryNothing} {
			if did, err := atomicset.Recover(disk, "b.ctg", options(false)); err != nil || did.Outcome != want {
				t.Errorf("call %d: %v, %v", n, did, err)
			}
		}
		if d := cmp.Diff(old, ownFiles(t, disk)); d != "" {
			t.Errorf("call %d: %s", n, d)
		}
	}
	if seen == 0 {
		t.Error("no crash left the old set in the backup")
	}
}

// A folder with the name of the main file is nobody's old set.
func TestFolderIsRefused(t *testing.T) {
	disk := crashfs.New()
	must.Do(t, disk.Mkdir("b.ctg", 0o777))
	disk.WriteFile("b.ctg/letter", []byte("dear"))
	for _, force := range []bool{false, true} {
		if err := writeNew(disk, force); err == nil || !strings.Contains(err.Error(), "is a folder") {
			t.Errorf("force %t: error %v", force, err)
		}
	}
	if d := cmp.Diff([]string{"b.ctg", "b.ctg/letter"}, disk.Names()); d != "" {
		t.Error(d)
	}
}

func TestOnRealDisk(t *testing.T) {
	dir := t.TempDir()
	for name, data := range oldFiles() {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	set, err := atomicset.New(fsys.OS{}, filepath.Join(dir, "b.ctg"),
		atomicset.Options{Force: true, Extensions: extensions})
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, fill(set))
	must.Do(t, set.Commit())
	got := map[string][]byte{}
	must.Do(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		got[name], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		return err
	}))
	if d := cmp.Diff(wanted(oldFiles(), true), got); d != "" {
		t.Error(d)
	}
}

func Example() {
	disk := crashfs.New() // fsys.OS{} for the real one
	set, err := atomicset.New(disk, "book.ctg", atomicset.Options{Extensions: []string{"ctg", "cto", "ctb"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"book.ctg", "book.cto", "book.ctb"} {
		f, err := set.Create(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Fprintf(f, "content of %s", name)
	}
	fmt.Println("before:", disk.Names())
	if err := set.Commit(); err != nil {
		fmt.Println(err)
	}
	fmt.Println("after:", disk.Names())
	// Output:
	// before: [book.ctg.cbkit-writing book.ctg.cbkit-writing/book.ctb book.ctg.cbkit-writing/book.ctg book.ctg.cbkit-writing/book.cto book.ctg.cbkit-writing/cbkit-folder]
	// after: [book.ctb book.ctg book.cto]
}
