package atomicset_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/internal/atomicset"
	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// lay puts files on the real disk, in folders as their names say.
func lay(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, []byte(content), 0o666))
	}
}

// onDisk returns what is in a folder; links are "-> where".
func onDisk(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			files[filepath.ToSlash(name)] = "-> " + to
			return err
		}
		b, err := os.ReadFile(path)
		files[filepath.ToSlash(name)] = string(b)
		return err
	}))
	return files
}

// replaceOn replaces the set b.ctg in a folder of the real disk.
func replaceOn(dir string, opt atomicset.Options) error {
	set, err := atomicset.New(fsys.OS{}, filepath.Join(dir, "b.ctg"), opt)
	if err != nil {
		return err
	}
	if err := fill(set); err != nil {
		return errors.Join(err, set.Abort())
	}
	return set.Commit()
}

var stages = []string{"writing", "complete", "moving", "backup"}

// A link, a file, a folder of somebody, and what somebody put into ours, are
// refused whatever stage they have the name of, and stay as they are.
func TestForeignWorkingFolders(t *testing.T) {
	const mark = "cbkit made this folder while it was replacing b.ctg. \"cbkit recover\" clears it.\n"
	for _, stage := range stages {
		name := "b.ctg.cbkit-" + stage
		for what, make := range map[string]func(dir string){
			"a link": func(dir string) {
				lay(t, dir, map[string]string{"mine/b.ctg": "mine", "mine/cbkit-folder": mark, "mine/deep/letter": "dear"})
				if err := os.Symlink("mine", filepath.Join(dir, name)); err != nil {
					t.Skip(err)
				}
			},
			"a file":   func(dir string) { lay(t, dir, map[string]string{name: "mine"}) },
			"a folder": func(dir string) { lay(t, dir, map[string]string{name + "/b.ctg": "mine", name + "/b.cto": "mine"}) },
			"a letter in ours": func(dir string) {
				lay(t, dir, map[string]string{name + "/cbkit-folder": mark, name + "/letter": "dear"})
			},
			"a deep one in ours": func(dir string) {
				lay(t, dir, map[string]string{name + "/cbkit-folder": mark, name + "/x/letter": "dear"})
			},
			"another's mark": func(dir string) { lay(t, dir, map[string]string{name + "/cbkit-folder": "mine", name + "/b.ctg": "x"}) },
			"another set's mark": func(dir string) {
				lay(t, dir, map[string]string{name + "/cbkit-folder": strings.ReplaceAll(mark, "b.ctg", "c.ctg"), name + "/b.ctg": "x"})
			},
		} {
			for _, main := range []bool{false, true} {
				dir := t.TempDir()
				make(dir)
				if main {
					lay(t, dir, map[string]string{"b.ctg": "old", "b.cto": "old"})
				}
				was := onDisk(t, dir)
				for _, force := range []bool{false, true} {
					if err := replaceOn(dir, options(force)); err == nil || !strings.Contains(err.Error(), "cbkit-"+stage) {
						t.Errorf("%s, %s, force %t: %v", stage, what, force, err)
					}
				}
				if _, err := atomicset.Recover(fsys.OS{}, filepath.Join(dir, "b.ctg"), options(false)); err == nil || !strings.Contains(err.Error(), "move") {
					t.Errorf("%s, %s: recovering: %v", stage, what, err)
				}
				if d := cmp.Diff(was, onDisk(t, dir)); d != "" {
					t.Errorf("%s, %s: %s", stage, what, d)
				}
			}
		}
	}
}

// An empty folder with the name of a complete set is none: the old set in the
// backup comes back.
func TestRecoverTrustsNoEmptyFolder(t *testing.T) {
	for _, stage := range []string{"complete", "moving"} {
		dir := t.TempDir()
		lay(t, dir, map[string]string{
			"b.ctg.cbkit-backup/cbkit-folder": "", "b.ctg.cbkit-backup/b.CTG": "old", "b.ctg.cbkit-backup/b.cto": "old",
		})
		must.Do(t, os.Mkdir(filepath.Join(dir, "b.ctg.cbkit-"+stage), 0o777))
		_, err := atomicset.Recover(fsys.OS{}, filepath.Join(dir, "b.ctg"), options(false))
		files := onDisk(t, dir)
		here := files["b.CTG"] == "old" && files["b.cto"] == "old"
		still := files["b.ctg.cbkit-backup/b.CTG"] == "old" && files["b.ctg.cbkit-backup/b.cto"] == "old"
		if stage == "complete" && (err != nil || !here) || stage == "moving" && (err == nil || !still) {
			t.Errorf("%s: %v; there is %v", stage, err, files)
		}
	}
}

// Without a main file nothing is of a set: data is in the way and kept, the rest
// is nobody's business.
func TestNoMainFileNoSet(t *testing.T) {
	others := map[string]string{"b.ini": "mine", "b.avi": "mine", "b.html/x": "mine", "b.media": "mine"}
	dir := t.TempDir()
	lay(t, dir, others)
	delete(others, "b.media") // the new set has one
	if err := replaceOn(dir, options(false)); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "b.media") {
		t.Errorf("where a folder will be: %v", err)
	}
	must.Do(t, os.Remove(filepath.Join(dir, "b.media")))
	if err := replaceOn(dir, options(false)); err != nil {
		t.Error(err)
	}
	for name, content := range others {
		if onDisk(t, dir)[name] != content {
			t.Errorf("%s has changed", name)
		}
	}
	dir = t.TempDir()
	lay(t, dir, map[string]string{"b.cto": "mine", "b.CTB/letter": "dear", "b.media/y": "mine", "b.ini": "mine"})
	var exists *model.ExistsError
	if err := replaceOn(dir, options(false)); !errors.As(err, &exists) || !exists.Orphan {
		t.Errorf("data without a main file: %v", err)
	}
	for n, want := range []string{"b.ctg.cbkit-kept", "b.ctg.cbkit-kept-2"} {
		var replaced model.Replacement
		opt := options(true)
		opt.OnReplace = func(r model.Replacement) { replaced = r }
		if n > 0 {
			must.Do(t, os.Remove(filepath.Join(dir, "b.ctg")))
		}
		must.Do(t, replaceOn(dir, opt))
		slices.Sort(replaced.Kept)
		if filepath.Base(replaced.Folder) != want || len(replaced.Removed) != 0 || !slices.Contains(replaced.Kept, "b.cto") {
			t.Errorf("told %+v", replaced)
		}
	}
	files := onDisk(t, dir)
	for name, content := range map[string]string{
		"b.ctg.cbkit-kept/b.cto": "mine", "b.ctg.cbkit-kept/b.CTB/letter": "dear", "b.ctg.cbkit-kept/b.media/y": "mine",
		"b.ini": "mine", "b.ctg.cbkit-kept-2/b.cto": "new cto", "b.ctg": "new main",
	} {
		if files[name] != content {
			t.Errorf("%s holds %q, want %q", name, files[name], content)
		}
	}
}

// With a main file what goes beyond the new files is named, and what is no data
// stays.
func TestReplacementTells(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, map[string]string{"b.CTG": "old", "b.cto": "old", "b.ctb": "old", "b.ini": "mine", "b.media/y": "mine", "b.avi": "mine"})
	var replaced model.Replacement
	opt := options(true)
	opt.OnReplace = func(r model.Replacement) { replaced = r }
	must.Do(t, replaceOn(dir, opt))
	want := model.Replacement{Removed: []string{"b.ctb"}, Kept: []string{"b.media"}, Folder: filepath.Join(dir, "b.ctg.cbkit-kept")}
	if d := cmp.Diff(want, replaced); d != "" {
		t.Error(d)
	}
	wantFiles := map[string]string{
		"b.ctg": "new main", "b.cto": "new cto", "b.media/x/1.bmp": "picture", "b.ini": "mine", "b.avi": "mine",
		"b.ctg.cbkit-kept/b.media/y": "mine",
	}
	if d := cmp.Diff(wantFiles, onDisk(t, dir)); d != "" {
		t.Error(d)
	}
}

// Names that differ in case alone are two sets where both can exist.
func TestTwins(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, map[string]string{"B.ctg": "theirs", "B.cto": "theirs"})
	if _, err := os.Stat(filepath.Join(dir, "b.ctg")); err == nil {
		t.Skip("case means nothing here")
	}
	var exists *model.ExistsError
	if err := replaceOn(dir, options(false)); !errors.As(err, &exists) || filepath.Base(exists.Path) != "B.ctg" {
		t.Errorf("beside a twin: %v", err)
	}
	for range 2 {
		must.Do(t, replaceOn(dir, options(true)))
		if files := onDisk(t, dir); files["B.ctg"] != "theirs" || files["B.cto"] != "theirs" || files["b.ctg"] != "new main" {
			t.Errorf("there is %v", files)
		}
	}
	lay(t, dir, map[string]string{"b.CTG": "which?"})
	if err := replaceOn(dir, options(true)); err == nil || !strings.Contains(err.Error(), "in upper and lower case alone") {
		t.Errorf("two main files: %v", err)
	}
}

// What is left of a set whose main file is missing is recovered beside a twin, whose
// journal is none of its business.
func TestRecoverBesideTwin(t *testing.T) {
	for _, c := range []struct {
		there []string
		want  string // in the error
	}{
		{[]string{"b.ctg.cbkit-writing/cbkit-folder"}, ""},
		{[]string{"b.cto"}, ""},
		{[]string{"b.cto", "b.ctg.cbkit-undo"}, "b.ctg.cbkit-undo: the journal of an interrupted change is missing"},
		{nil, "B.cbkit-journal"}, // it is meant itself
	} {
		disk := twinStreet.Clone()
		files := map[string][]byte{}
		for _, name := range c.there {
			files[name] = nil
		}
		layOn(disk, files)
		_, err := atomicset.Recover(disk, "b.ctg", options(false))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.there, err, c.want)
		}
		ownFiles(t, disk)
		if left := ownNames(disk); len(left) > len(c.there) || c.want == "" && slices.Contains(left, "b.ctg.cbkit-writing") {
			t.Errorf("%v: left are %v", c.there, left)
		}
	}
}

// Permissions stay, and a file that may not be written to is not replaced.
func TestPermissions(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, map[string]string{"b.ctg": "old", "b.cto": "old"})
	mode := func(name string) fs.FileMode {
		info := must.Get(os.Stat(filepath.Join(dir, name)))(t)
		return info.Mode()
	}
	chmod := func(name string, mode fs.FileMode) {
		must.Do(t, os.Chmod(filepath.Join(dir, name), mode))
	}
	for _, name := range []string{"b.ctg", "b.cto"} {
		chmod(name, 0o444)
		if err := replaceOn(dir, options(true)); !errors.Is(err, model.ErrReadOnly) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is read-only: %v", name, err)
		}
		chmod(name, 0o604)
	}
	chmod("b.ctg", 0o620)
	must.Do(t, replaceOn(dir, options(true)))
	if mode("b.ctg") != 0o620 || mode("b.cto") != 0o604 {
		t.Errorf("the files have %v and %v", mode("b.ctg"), mode("b.cto"))
	}
}

// One writer at a time, from the first moment to the last.
func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "b.ctg")
	set := must.Get(atomicset.New(fsys.OS{}, path, options(true)))(t)
	refused := func(when string) {
		t.Helper()
		var held *lock.HeldError
		if err := replaceOn(dir, options(true)); !errors.As(err, &held) || held.PID != os.Getpid() {
			t.Errorf("%s: a second writer: %v", when, err)
		}
		if _, err := atomicset.Recover(fsys.OS{}, path, options(true)); !errors.Is(err, model.ErrLocked) {
			t.Errorf("%s: recovering: %v", when, err)
		}
	}
	refused("at the beginning")
	must.Do(t, fill(set))
	refused("in the end")
	must.Do(t, set.Commit())
	for n := range 2 { // a refused one leaves no lock
		if err := replaceOn(dir, options(n > 0)); (err != nil) != (n == 0) {
			t.Errorf("afterwards: %v", err)
		}
	}
	for name := range onDisk(t, dir) {
		if strings.Contains(name, "cbkit") && !strings.HasPrefix(name, keptFolder) {
			t.Errorf("%s is left", name)
		}
	}
}

// A main file that is not what its name says proves no set: it and what lies beside it are
// the user's, and kept.
func TestUnprovenIsKept(t *testing.T) {
	for main, kept := range map[string]bool{"old main": false, "a letter": true} {
		dir := t.TempDir()
		lay(t, dir, map[string]string{"b.ctg": main, "b.cto": "old cto"})
		opt := options(true)
		opt.Proves = func(head []byte) bool { return string(head) == "old main" }
		must.Do(t, replaceOn(dir, opt))
		files := onDisk(t, dir)
		if files["b.ctg"] != "new main" || (files[keptFolder+"/b.ctg"] == main) != kept || (files[keptFolder+"/b.cto"] == "old cto") != kept {
			t.Errorf("over %q: %v", main, files)
		}
	}
}

// What is kept of the user's is kept after a crash at any call, too.
func TestCrashWhileKept(t *testing.T) {
	opt := func(force bool) atomicset.Options {
		opt := options(force)
		opt.Proves = func(head []byte) bool { return string(head) == "old main" || string(head) == "b.ctg" }
		return opt
	}
	trial := crashfs.Trial{
		Before: diskWith(map[string][]byte{"b.ctg": []byte("a letter"), "b.cto": []byte("old cto")}), Seed: 15, Step: 1,
		Change: func(disk *crashfs.FS) error { return makeSet(disk, "b.ctg", opt(true)) },
		Next: func(disk *crashfs.FS) error {
			_, err := atomicset.Recover(disk, "b.ctg", opt(false))
			return err
		},
	}
	if tally := trial.Crash(t.Errorf); tally.Old == 0 || tally.New == 0 {
		t.Errorf("%+v: only one of both states was seen", tally)
	}
}

// A process is killed at any call of a replacement, none of whose changes of names the disk knows
// for certain, and the power is cut at any call of the recovery.
func TestPowerCutAfterKill(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	before := diskWith(oldFiles())
	before.FoldersApart()
	for n, done := 0, false; !done; n++ {
		disk := before.Clone()
		disk.CrashAt(n, false)
		if done = writeNew(disk, true) == nil; done {
			continue
		}
		for m, whole := r.IntN(9), false; !whole; m += 1 + r.IntN(int(crashfs.Of(60, 17, 17))) {
			cut := disk.Kill()
			cut.CrashAt(m, false)
			_, err := atomicset.Recover(cut, "b.ctg", options(false))
			for whole = err == nil; r.IntN(4) > 0; {
				after := cut.RestartUnordered(func(int) bool { return r.IntN(2) == 0 }, func(string) bool { return r.IntN(2) == 0 })
				_, err := atomicset.Recover(after, "b.ctg", options(false))
				got := ownFiles(t, after)
				if err != nil || !crashfs.Same(got, oldFiles()) && !crashfs.Same(got, wanted(oldFiles(), true)) {
					t.Fatalf("killed at call %d, power cut at call %d of the recovery: %v, %v", n, m, err, ownNames(after))
				}
			}
		}
	}
}

// An edit that was interrupted comes first.
func TestJournalIsInTheWay(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, map[string]string{"b.ctg": "old", "b.cbkit-journal": "undo"})
	for _, force := range []bool{false, true} {
		if err := replaceOn(dir, options(force)); !errors.Is(err, model.ErrNeedsRecovery) || errors.Is(err, model.ErrInterrupted) {
			t.Errorf("force %t: %v", force, err)
		}
	}
}

// What an edit has left that was killed before it had a journal, or behind it, goes before a new
// set comes, which it would be beside for ever.
func TestEditHasLeft(t *testing.T) {
	for _, listing := range []*atomicset.Listing{nil, new(atomicset.Listing)} {
		disk := diskWith(oldFiles())
		for _, name := range []string{"b.cto.cbkit-edit-3", "b.ctb.cbkit-undo", "b.new.cbkit-edit-1"} {
			disk.WriteFile(name, []byte("left"))
		}
		opt := options(true)
		opt.Listing = listing
		must.Do(t, makeSet(disk, "b.ctg", opt))
		want := []string{"b.ctg", "b.ini", "b.new.cbkit-edit-1", "c.ctg"}
		if d := cmp.Diff(want, ownNames(disk)); d != "" {
			t.Error(d)
		}
	}
}

// A name that is only an ending is none.
func TestEmptyName(t *testing.T) {
	for _, name := range []string{"", ".ctg", "a/.ctg", "a/"} {
		if _, err := atomicset.New(fsys.OS{}, name, options(true)); !errors.Is(err, model.ErrOption) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
