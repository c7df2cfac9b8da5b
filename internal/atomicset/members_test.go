package atomicset_test

import (
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/atomicset"
	"cbkit/internal/fsys"
	"cbkit/internal/testkit/crashfs"

	"github.com/google/go-cmp/cmp"
)

// togetherFiles are those of two databases, and others, that appear together.
func togetherFiles() map[string][]byte {
	return map[string][]byte{
		"b.ctg": []byte("main"), "b.cto": []byte("cto"), "d.cbh": []byte("another main"), "d.cbg": []byte("its moves"),
		"d.html/1.bmp": []byte("picture"), "readme": []byte("text"),
	}
}

// others are files of others in the folder.
func others() map[string][]byte {
	return map[string][]byte{"b.2.ctg": []byte("a neighbour"), "d2.cbg": []byte("another"), ".rc": []byte("mine")}
}

func writeTogether(files fsys.FS) error {
	opt := options(false)
	opt.Members = []string{"b.ctg", "b.cto", "d.cbh", "d.cbg", "d.html", "readme"}
	set, err := atomicset.New(files, "b.ctg", opt)
	if err != nil {
		return err
	}
	contents := togetherFiles()
	err = set.MkdirAll("d.html")
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		if err != nil {
			break
		}
		var f fsys.File
		if f, err = set.Create(name); err == nil {
			_, err = f.Write(contents[name])
		}
	}
	if err != nil {
		return errors.Join(err, set.Abort())
	}
	return set.Commit()
}

// Wherever writing a set of members stops, recovering brings all or takes back all, and
// neighbours stay.
func TestMembersCrash(t *testing.T) {
	trial := crashfs.Trial{Before: diskWith(others()), Step: crashfs.Of(11, 3, 1), Change: func(disk *crashfs.FS) error { return writeTogether(disk) }, Next: func(disk *crashfs.FS) error {
		_, err := atomicset.Recover(disk, "b.ctg", options(false))
		return err
	}}
	if all := trial.Crash(t.Errorf); all.Old == 0 || all.New == 0 {
		t.Error(all)
	}
	trial.Fail(model.IsDone, t.Errorf)
}

// Nothing makes way for members, and no name leads elsewhere.
func TestMembersRefused(t *testing.T) {
	for _, force := range []bool{false, true} {
		for _, there := range []string{"b.ctg", "b.ctb", "x", "x.cbh"} {
			disk := diskWith(map[string][]byte{there: nil})
			opt := options(force)
			opt.Members = []string{"b.ctg", "x", "x.cbh"}
			exists := new(model.ExistsError)
			if _, err := atomicset.New(disk, "b.ctg", opt); !errors.As(err, &exists) {
				t.Errorf("%s: %v", there, err)
			}
			if d := cmp.Diff([]string{there}, ownNames(disk)); d != "" {
				t.Error(d)
			}
		}
	}
	for _, name := range []string{"", "..", ".bashrc", "a/b", `a\b`, "a\nb", "cbkit-folder", "x.cbkit-journal"} {
		opt := options(false)
		opt.Members = []string{name}
		if _, err := atomicset.New(crashfs.New(), "b.ctg", opt); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A mark of members that somebody wrote moves nothing that no set may have, and
// replaces nothing.
func TestMembersOfAnotherMark(t *testing.T) {
	mark := "cbkit made this folder while it was replacing b.ctg. \"cbkit recover\" clears it.\n"
	for member, text := range map[string]string{
		".bashrc": ".bashrc\n", "b.ctg.cbkit-journal": "b.ctg.cbkit-journal\n", "other": "another\n", "cut": "cut", "taken": "taken\n",
	} {
		for _, stage := range []string{"b.ctg.cbkit-complete", "b.ctg.cbkit-moving"} {
			disk := crashfs.New()
			must.Do(t, disk.Mkdir(stage, 0o777))
			disk.WriteFile("taken", []byte("mine"))
			disk.WriteFile(stage+"/cbkit-folder", []byte(mark+text))
			disk.WriteFile(stage+"/b.ctg", []byte("main"))
			disk.WriteFile(stage+"/"+member, []byte("foreign"))
			_, err := atomicset.Recover(disk, "b.ctg", options(false))
			if err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", member, err)
			}
			for name, data := range disk.Files() {
				if !strings.HasPrefix(name, "b.ctg.cbkit-") && (name != "taken" || string(data) != "mine") {
					t.Errorf("%s: %s has become %q", member, name, data)
				}
			}
		}
	}
}
