package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
)

// A copy tells what it has taken over that is wrong and costs nothing; written
// afresh the database has no fault.
func TestFreshMendsWhatACopyCarries(t *testing.T) {
	for _, c := range []struct {
		name, ext string
		at        int // negative from the end
		value     byte
		want      string
	}{
		{"a balance", ".cbp", 40, 7, "the tree of players (1)"},
		{"a live count", ".cbp", 20, 99, "numbers of records (1)"},
		{"the list of deleted records", ".cbt", 16, 0, "lists of deleted tournaments (1)"},
		{"a count of references", ".cbp", 32 + 9 + 50, 77, "counts of references (1)"},
		{"a flag of a game", ".cbh", 46 + 42, 0x80, "flags of games (1)"},
		{"the number of moves", ".cbh", 46 + 45, 200, "numbers of moves (1)"},
		{"a material word", ".cbj", 32 + 23, 0xEE, "material words (1)"},
		{"the size of a file", ".cbg", 5, 1, "sizes of files (1)"},
		{"the larger field of a size", ".cba", 17, 1, "sizes of files (1)"},
		{"the number of records", ".cbh", 43, 1, "numbers of records (1)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := newDatabase(t)
			file := strings.TrimSuffix(db, ".cbh") + c.ext
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b[c.at] = c.value
			if err := os.WriteFile(file, b, 0o644); err != nil {
				t.Fatal(err)
			}
			dir := gen.Folder(t)
			copied, fresh := filepath.Join(dir, "copied.cbh"), filepath.Join(dir, "fresh.cbh")
			r := mustRun(t, "convert", "-q", db, copied)
			if !strings.Contains(r.errOut, c.want) || !strings.Contains(r.errOut, "convert --fresh") {
				t.Errorf("the copy does not tell of %q:\n%s", c.want, r.errOut)
			}
			if n := strings.Count(r.errOut, "--fresh"); n != 1 {
				t.Errorf("%d hints:\n%s", n, r.errOut)
			}
			if r := mustRun(t, "convert", "-q", "--fresh", db, fresh); strings.Contains(r.errOut, "--fresh") {
				t.Errorf("written afresh: %s", r.errOut)
			}
			if r := mustRun(t, "check", fresh); !strings.Contains(r.out, ": 0 errors") {
				t.Errorf("the fresh one has faults:\n%s", r.out)
			}
		})
	}
}

// A sound copy has nothing to tell.
func TestSoundCopyIsSilent(t *testing.T) {
	db := newDatabase(t)
	mustRun(t, "boosters", "-q", db)
	if r := mustRun(t, "convert", "-q", db, filepath.Join(gen.Folder(t), "copied.cbh")); r.errOut != "" {
		t.Errorf("%s", r.errOut)
	}
}

// So does a copy of companions that nothing of a game is in: search boosters that
// are broken, and optional files that are something else.
func TestCopyTellsOfBrokenCompanions(t *testing.T) {
	cut := func(n int) func(b []byte) []byte { return func(b []byte) []byte { return b[:n] } }
	set := func(at int, value byte) func(b []byte) []byte {
		return func(b []byte) []byte {
			b[at] = value
			return b
		}
	}
	const boosters, foreign = "search boosters (1)", "files that do not begin as they must (1)"
	for _, c := range []struct {
		name, ext string
		damage    func(b []byte) []byte
		want      string
	}{
		{"a table of other rows", ".cit", set(0, 9), boosters},
		{"a cut row", ".cit", cut(13), boosters},
		{"a list that begins nowhere", ".cit", set(12+3, 0x7F), boosters},
		{"blocks without a header", ".cib", cut(3), boosters},
		{"free blocks that are none", ".cib", set(8, 99), boosters},
		{"games without traces", ".cbb", cut(20), boosters},
		{"more traces than games", ".cbb", set(2, 9), boosters},
		{"no offsets", ".cbgi", cut(2), boosters},
		{"game titles that are none", ".cbl", set(12, 53), foreign},
		{"teams that are cut", ".cbe", cut(20), foreign},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := newDatabase(t)
			mustRun(t, "boosters", "-q", db)
			change(t, db, c.ext, c.damage)
			copied := filepath.Join(gen.Folder(t), "copied.cbh")
			r := cbkit(t, "", "convert", "-q", db, copied)
			if !strings.Contains(r.errOut, c.want) {
				t.Errorf("the copy does not tell of %s:\n%s", c.want, r.errOut)
			}
			if r := cbkit(t, "", "check", copied); r.status != exitFailed {
				t.Errorf("nothing was damaged: %s", r.out)
			}
		})
	}
}
