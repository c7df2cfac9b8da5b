package atomicset_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/internal/atomicset"
	"cbkit/internal/testkit/crashfs"
)

// inFolder are names that a working folder can hold, or that lie beside it.
var inFolder = []string{"b.ctg", "b.CTG", "b.cto", "b.ctb", "b.media/x", "b.ini", "letter", "c.ctg"}

// diskFrom makes a disk as the bits of data say: which files are in the target's
// folder and in each working folder, and how that is marked. It returns whether
// a folder is somebody's.
func diskFrom(data []byte) (disk *crashfs.FS, foreign bool) {
	bit := 0
	next := func() bool {
		b := bit/8 < len(data) && data[bit/8]>>(bit%8)&1 != 0
		bit++
		return b
	}
	files := map[string][]byte{}
	var empty []string
	for _, folder := range []string{"", "b.ctg.cbkit-writing/", "b.ctg.cbkit-complete/", "b.ctg.cbkit-moving/", "b.ctg.cbkit-backup/", keptFolder + "/"} {
		names := 0
		for _, name := range inFolder {
			if !next() || folder != "" && !next() && !strings.HasPrefix(name, "b.ct") {
				continue
			}
			if name == "b.CTG" && files[folder+"b.ctg"] != nil {
				continue // two main files are a matter of their own
			}
			names++
			files[folder+name] = []byte("was " + folder + name)
			foreign = foreign || folder != "" && folder != keptFolder+"/" && !strings.HasPrefix(name, "b.")
		}
		if folder == "" {
			continue
		}
		switch marked, there := next(), next(); {
		case marked:
			files[folder+"cbkit-folder"] = nil
		case names == 0 && there:
			empty = append(empty, strings.TrimSuffix(folder, "/"))
		case names > 0 && folder != keptFolder+"/":
			foreign = true
		}
	}
	disk = diskWith(files)
	for _, name := range empty {
		_ = disk.Mkdir(name, 0o777)
	}
	return disk, foreign
}

// inPlace returns the main file in place.
func inPlace(files map[string][]byte) string { return string(files["b.ctg"]) + string(files["b.CTG"]) }

// FuzzRecover recovers from any state of the folders: what is nobody's business
// stays, a main file that is anywhere is in place afterwards, and what is gone
// was of a set that another one replaced, or never complete.
func FuzzRecover(f *testing.F) {
	for n := range 200 {
		f.Add([]byte(strings.Repeat(fmt.Sprintf("%x", n*7919), 4)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		disk, foreign := diskFrom(data)
		before, names := withTwins.Without(disk.Files()), ownNames(disk)
		did, err := atomicset.Recover(disk, "b.ctg", options(false))
		after := ownFiles(t, disk)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("the error has lines: %v", err)
		}
		if foreign {
			if err == nil || !slices.Equal(names, ownNames(disk)) {
				t.Errorf("a folder of somebody: %v, %v; was %v, is %v", did, err, names, ownNames(disk))
			}
			return
		}
		checkNothingLost(t, before, after)
		if err != nil {
			return
		}
		hadMain := inPlace(before) != ""
		for _, folder := range []string{"b.ctg.cbkit-complete/", "b.ctg.cbkit-moving/", "b.ctg.cbkit-backup/"} {
			hadMain = hadMain || before[folder+"b.ctg"] != nil || before[folder+"b.CTG"] != nil
		}
		if (inPlace(after) != "") != hadMain {
			t.Errorf("%v: a main file was somewhere: %t; is in place: %q; was %v, is %v", did, hadMain, inPlace(after), names, ownNames(disk))
		}
		for _, name := range ownNames(disk) {
			if strings.Contains(name, "cbkit-") && !strings.HasPrefix(name, keptFolder) || path.Base(name) == "cbkit-folder" {
				t.Errorf("%s is left; was %v", name, names)
			}
		}
		again, err := atomicset.Recover(disk, "b.ctg", options(false))
		if err != nil || !again.IsNothing() || !maps.EqualFunc(after, ownFiles(t, disk), func(a, b []byte) bool { return string(a) == string(b) }) {
			t.Errorf("once more: %v, %v: %s; was %v", again, err, cmp.Diff(after, ownFiles(t, disk)), names)
		}
	})
}

// checkNothingLost compares what was on a disk with what is.
func checkNothingLost(t *testing.T, before, after map[string][]byte) {
	t.Helper()
	is := map[string]bool{}
	for _, content := range after {
		is[string(content)] = true
	}
	main := inPlace(after)
	isNew := strings.Contains(main, "complete") || strings.Contains(main, "moving")
	hadOld := before["b.ctg.cbkit-backup/b.ctg"] != nil || before["b.ctg.cbkit-backup/b.CTG"] != nil
	for name, content := range before {
		folder, file := path.Split(name)
		if !strings.Contains(folder, "cbkit-") {
			folder, file = "", name
		}
		isData := strings.HasPrefix(strings.ToLower(file), "b.ct")
		switch {
		case is[string(content)] || file == "cbkit-folder":
		case strings.HasPrefix(folder, "b.ctg.cbkit-writing"), strings.HasPrefix(folder, "b.ctg.cbkit-complete") && !isNew:
			// a new set that was never complete, or that an old one stands for
		case isData && hadOld && folder == "" && isNew:
			// of the old set, whose main file was out of the way already
		case isData && hadOld && folder == "b.ctg.cbkit-backup/" && main != "" && !strings.Contains(main, "backup"):
			// of the old set, of which the new one is in place
		default:
			t.Errorf("%s is lost", name)
		}
	}
}
