package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// change changes the bytes of a file of a database.
func change(t *testing.T, db, ext string, edit func([]byte) []byte) {
	t.Helper()
	path := strings.TrimSuffix(db, ".cbh") + ext
	b := must.Get(os.ReadFile(path))(t)
	must.Do(t, os.WriteFile(path, edit(b), 0o644))
}

// Every verb that reads tells, once, what it passes over, and does its work. A
// header that only counts wrongly costs nothing; a file that cannot be used is
// damage.
func TestWarnings(t *testing.T) {
	for name, c := range map[string]struct {
		ext    string
		edit   func([]byte) []byte
		says   string
		status int
	}{
		"a counter that hides games": {".cbh", func(b []byte) []byte { binary.BigEndian.PutUint32(b[6:], 2); return b }, "cbkit: warning: db.cbh: at 0x6 (next game id): ", exitDone},
		"a capacity of 0":            {".cbp", func(b []byte) []byte { clear(b[:4]); return b }, "cbkit: warning: db.cbp: at 0x0 (capacity): ", exitDone},
		"a count below 0":            {".cbj", func(b []byte) []byte { binary.LittleEndian.PutUint32(b[8:], 1<<31); return b }, "cbkit: warning: db.cbj: at 0x8 (records): ", exitDone},
		"an empty .cbj":              {".cbj", func([]byte) []byte { return nil }, "cbkit: damaged: db.cbj: at 0x0: truncated; the file counts as missing\n", exitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			db := newDatabase(t)
			games := mustRun(t, "export", db, "-").out
			change(t, db, c.ext, c.edit)
			dir := gen.Folder(t)
			for _, args := range [][]string{
				{"info", db}, {"show", db, "4"}, {"export", "-q", db, "-"}, {"find", "-q", db, "--player", "a*"},
				{"find", "-q", "--format", "ids", db, "--player", "morphy"},
				{"convert", "-q", db, filepath.Join(dir, "copy.cbh")}, {"convert", "-q", db, filepath.Join(dir, "copy.jsonl")},
			} {
				r := cbkit(t, "", args...)
				if r.status != c.status || strings.Count(r.errOut, "warning:")+strings.Count(r.errOut, "damaged:") != 1 || !strings.Contains(r.errOut, c.says) {
					t.Errorf("cbkit %v: status %d, says %q", args, r.status, r.errOut)
				}
			}
			if again := cbkit(t, "", "export", db, "-").out; again != games {
				t.Errorf("games\n%s\nbecame\n%s", games, again)
			}
		})
	}
}

// What is there of a cut database can be looked at; it is copied on request.
func TestCutDatabase(t *testing.T) {
	db := newDatabase(t)
	change(t, db, ".cbh", func(b []byte) []byte { return b[:len(b)-50] })
	const says = "db.cbh: at 0x6 (next game id): truncated: 4 records are announced, the file has 2 whole ones"
	for _, args := range [][]string{
		{"info", db}, {"show", db, "2"}, {"find", "-q", db, "--player", "morphy"}, {"find", "-q", "--format", "ids", db, "--eco", "C41"},
	} {
		if r := cbkit(t, "", args...); r.status != exitFailed || strings.Count(r.errOut, says) != 1 || !strings.HasPrefix(r.errOut, "cbkit: damaged: ") || r.out == "" {
			t.Errorf("cbkit %v: status %d, says %q", args, r.status, r.errOut)
		}
	}
	target := filepath.Join(gen.Folder(t), "target")
	for _, ext := range []string{".cbh", ".pgn", ".jsonl"} {
		r := cbkit(t, "", "convert", "-q", db, target+ext)
		if r.status != exitFailed || strings.Count(r.errOut, "\n") != 2 || !strings.Contains(r.errOut, "\ncbkit: "+says) {
			t.Errorf("%s: %+v", ext, r)
		}
		if _, err := os.Stat(target + ext); err == nil {
			t.Errorf("%s was written", ext)
		}
		if r := cbkit(t, "", "convert", "-q", "--keep-going", db, target+ext); r.status != exitFailed || strings.Count(r.errOut, says) != 1 {
			t.Errorf("%s: %+v", ext, r)
		}
		mentions(t, ext, mustRun(t, "info", target+ext).out, "games          2")
	}
}
