package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// A copy has what was wrong and costs nothing, which a check of it tells; written
// afresh the database has no fault.
func TestFreshMendsWhatACopyCarries(t *testing.T) {
	for _, c := range []struct {
		name, ext string
		at        int // negative from the end
		value     byte
		want      string
	}{
		{"a balance", ".cbp", 40, 7, "[tree-balance]"},
		{"a live count", ".cbp", 20, 99, "[live-count]"},
		{"the list of deleted records", ".cbt", 16, 0, "[free-list-link]"},
		{"a count of references", ".cbp", 32 + 9 + 50, 77, "[reference-count]"},
		{"a flag of a game", ".cbh", 46 + 42, 0x80, "[stale-flags]"},
		{"the number of moves", ".cbh", 46 + 45, 200, "[stale-move-count]"},
		{"a material word", ".cbj", 32 + 23, 0xEE, "[stale-material]"},
		{"the size of a file", ".cbg", 5, 1, "[trailing-bytes]"},
		{"the larger field of a size", ".cba", 17, 1, "[header-twins]"},
		{"the number of records", ".cbh", 43, 1, "[record-count]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := newDatabase(t)
			file := strings.TrimSuffix(db, ".cbh") + c.ext
			b := must.Get(os.ReadFile(file))(t)
			b[c.at] = c.value
			must.Do(t, os.WriteFile(file, b, 0o644))
			dir := gen.Folder(t)
			copied, fresh := filepath.Join(dir, "copied.cbh"), filepath.Join(dir, "fresh.cbh")
			r := checkedCopy(t, db, copied)
			if !strings.Contains(r.out, c.want) {
				t.Errorf("the copy does not tell of %q:\n%s", c.want, r.out)
			}
			if r := mustRun(t, "convert", "-q", "--fresh", "--check", db, fresh); !strings.Contains(r.out, ": 0 errors") {
				t.Errorf("the fresh one has faults:\n%s", r.out)
			}
		})
	}
}

// checkedCopy copies a database with a check, which says the same as one of its own; a
// copy without one says nothing.
func checkedCopy(t *testing.T, db, target string) result {
	t.Helper()
	plain := cbkit(t, "", "convert", "-q", db, filepath.Join(gen.Folder(t), "copied.cbh"))
	r := cbkit(t, "", "convert", "-q", "--check", db, target)
	if plain.out != "" || plain.errOut != r.errOut {
		t.Errorf("a copy without a check: %+v", plain)
	}
	if again := cbkit(t, "", "check", "-q", target); r.out != again.out || r.status != again.status {
		t.Errorf("convert --check: %+v\ncheck: %+v", r, again)
	}
	return r
}

// A sound copy has nothing to tell.
func TestSoundCopyIsSilent(t *testing.T) {
	db := newDatabase(t)
	mustRun(t, "boosters", "-q", db)
	if r := mustRun(t, "convert", "-q", db, filepath.Join(gen.Folder(t), "copied.cbh")); r.errOut != "" {
		t.Errorf("%s", r.errOut)
	}
}

// Companions that nothing of a game is in are copied likewise: search boosters that
// are broken, and optional files that are something else.
func TestCheckedCopyTellsOfBrokenCompanions(t *testing.T) {
	cut := func(n int) func(b []byte) []byte { return func(b []byte) []byte { return b[:n] } }
	set := func(at int, value byte) func(b []byte) []byte {
		return func(b []byte) []byte {
			b[at] = value
			return b
		}
	}
	for _, c := range []struct {
		name, ext string
		damage    func(b []byte) []byte
	}{
		{"a table of other rows", ".cit", set(0, 9)},
		{"a cut row", ".cit", cut(13)},
		{"a list that begins nowhere", ".cit", set(12+3, 0x7F)},
		{"blocks without a header", ".cib", cut(3)},
		{"free blocks that are none", ".cib", set(8, 99)},
		{"games without traces", ".cbb", cut(20)},
		{"more traces than games", ".cbb", set(2, 9)},
		{"no offsets", ".cbgi", cut(2)},
		{"game titles that are none", ".cbl", set(12, 53)},
		{"teams that are cut", ".cbe", cut(20)},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := newDatabase(t)
			mustRun(t, "boosters", "-q", db)
			change(t, db, c.ext, c.damage)
			copied := filepath.Join(gen.Folder(t), "copied.cbh")
			if r := checkedCopy(t, db, copied); r.status != exitFailed || !strings.Contains(r.out, "copied"+c.ext) && !strings.Contains(r.out, "copied.ci") {
				t.Errorf("the copy does not tell of it: %+v", r)
			}
		})
	}
}
