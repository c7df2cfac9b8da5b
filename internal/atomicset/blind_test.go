package atomicset_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"cbkit/internal/atomicset"
	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/neighbours"
)

// Where case means nothing, a set that is spelt otherwise is the one that is asked for:
// after a crash at any call it is there, old or new, and nothing else is.
func TestCrashWithoutCase(t *testing.T) {
	disk := crashfs.New()
	disk.IgnoreCase()
	street := neighbours.On(disk, "b.ctg")
	for name, content := range map[string]string{"B.CTG": "old main", "b.CTO": "old cto", "B.ctb": "old ctb", "B.INI": "settings"} {
		disk.WriteFile(name, []byte(content))
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, strict := range []bool{false, true} {
		before := disk.Clone()
		if strict {
			before.StrictNames()
		}
		trial := crashfs.Trial{
			Before: before, Seed: r.Uint64(), Step: crashfs.Of(3, 1, 1),
			Change: func(disk *crashfs.FS) error { return writeNew(disk, true) },
			Next: func(disk *crashfs.FS) error {
				_, err := atomicset.Recover(disk, "b.ctg", options(false))
				if wrong := street.WrongAmong(disk.Files()); wrong != "" {
					t.Error(wrong)
				}
				return err
			},
		}
		if tally := trial.Crash(t.Errorf); tally.Old == 0 || tally.New == 0 {
			t.Errorf("%+v: only one of both states was seen", tally)
		}
	}
}

// A mark of which the disk has only parts is ours all the same; one that says something
// else is not.
func TestTornMark(t *testing.T) {
	const mark = "cbkit made this folder while it was replacing b.ctg. \"cbkit recover\" clears it.\n"
	for text, ours := range map[string]bool{
		"": true, mark: true, mark[:20]: true, string(make([]byte, len(mark))): true, mark[:64] + "\x00\x00": true,
		string(make([]byte, 64)) + mark[64:]: true, string(make([]byte, 64)) + "mine": false, string(make([]byte, len(mark))) + "x.cbg\n": true,
	} {
		disk := diskWith(oldFiles())
		layOn(disk, map[string][]byte{"b.ctg.cbkit-writing/cbkit-folder": []byte(text)})
		_, err := atomicset.Recover(disk, "b.ctg", options(false))
		if (err == nil) != ours || ours == slices.Contains(ownNames(disk), "b.ctg.cbkit-writing") {
			t.Errorf("%q: %v", text, err)
		}
		if ours {
			checkOutcome(t, text, disk, oldFiles())
		}
	}
}
