package check_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/check"
	"cbkit/internal/testkit/must"
)

// findingsOf checks a database and returns its findings about boosters, each as
// "ending severity code", and all others as they are.
func findingsOf(t *testing.T, path string, files ...string) (boosters []string, others []check.Finding, s check.Summary) {
	t.Helper()
	judge := check.Database
	if filepath.Ext(path) == ".2cbh" {
		judge = check.ChessBase2
	}
	made := judge(context.Background(), path, check.Options{Jobs: 1, Files: files})
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if strings.HasPrefix(f.Code, "booster-") {
			t.Log(f)
			boosters = append(boosters, filepath.Ext(f.File)+" "+f.Severity.String()+" "+f.Code)
		} else {
			others = append(others, f)
		}
	}
	s = must.Get(made.Summary())(t)
	return boosters, others, s
}

// The check of a database tells of its boosters too: broken ones are errors,
// those that are out of date one note each, those that are missing
// one in all.
func TestDatabaseChecksBoosters(t *testing.T) {
	garbage := func(b []byte) {
		r := rand.New(rand.NewPCG(1, 2))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	}
	for _, c := range []struct {
		name string
		do   func(f map[string][]byte)
		want []string
	}{
		{"sound", func(map[string][]byte) {}, nil},
		{"garbage", func(f map[string][]byte) { garbage(f[".cib"]) }, []string{".cib error booster-header"}},
		{"table cut", func(f map[string][]byte) { f[".cit"] = f[".cit"][:50] }, []string{".cit error booster-header"}},
		{"no table", func(f map[string][]byte) { delete(f, ".cit") }, []string{".cib note booster-pair", ".cit note booster-missing"}},
		{"none", func(f map[string][]byte) {
			for _, ext := range []string{".cit", ".cib", ".cit2", ".cib2", ".cbb", ".cbgi", ".cbkit"} {
				delete(f, ext)
			}
		}, nil},
		{"one alone", func(f map[string][]byte) {
			for _, ext := range []string{".cit", ".cib", ".cit2", ".cib2", ".cbb", ".cbkit"} {
				delete(f, ext)
			}
		}, []string{".cit note booster-missing"}},
		{"no titles", func(f map[string][]byte) { delete(f, ".cit2"); delete(f, ".cib2") }, []string{".cit2 note booster-missing"}},
		{"lists end early", func(f map[string][]byte) { shorten(f[".cit"], f[".cib"], 35) },
			[]string{".cit note booster-stale", ".cib note booster-stale"}},
		{"lists of an earlier state", func(f map[string][]byte) { putLE(f[".cib"], block(20)+8, 11) },
			[]string{".cit note booster-stale"}},
		{"a block shared", func(f map[string][]byte) { copy(f[".cit"][listHead+2*listRow:], f[".cit"][listHead:][:8]) },
			[]string{".cib error booster-shared-block", ".cib error booster-list", ".cib error booster-lost-block"}},
		{"traces of an earlier state", func(f map[string][]byte) {
			for id := 1; id < 40; id++ {
				f[".cbb"][52*id+20] ^= 4
			}
		}, []string{".cbb note booster-stale"}},
		{"offsets of an earlier state", func(f map[string][]byte) { f[".cbgi"][4*17]++ }, []string{".cbgi note booster-stale"}},
		{"no seal", func(f map[string][]byte) { delete(f, ".cbkit") }, []string{".cbb note booster-unsealed"}},
		{"no moves", func(f map[string][]byte) { delete(f, ".cbg") }, []string{".cbb note booster-unknown"}},
		{"no players", func(f map[string][]byte) { delete(f, ".cbp") }, []string{".cbb note booster-unknown"}},
		{"a damaged entity file", func(f map[string][]byte) { f[".cbt"][8]++ }, []string{".cit note booster-unknown", ".cbb note booster-unknown"}},
		{"no header", func(f map[string][]byte) { f[".cbh"] = f[".cbh"][:20] }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := boostedSample(t)
			c.do(files)
			if got, _, _ := findingsOf(t, save(t, files)); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A search relies on a .cbb file whose seal fits, so there it is an error if
// the content is wrong.
func TestSealedTracesMustBeRight(t *testing.T) {
	files := boostedSample(t)
	files[".cbb"][52*7+20] ^= 4
	seal(t, files)
	if got, _, _ := findingsOf(t, save(t, files)); !slices.Equal(got, []string{".cbb error booster-trace"}) {
		t.Errorf("%q", got)
	}
}

// Findings about boosters are reported up to Options.Max of a code, and all of
// them counted, those that Boosters would not list too.
func TestMaxBoosterFindings(t *testing.T) {
	files := boostedSample(t)
	for id := 1; id <= 40; id++ {
		if id != 30 { // a text
			files[".cbb"][52*id+20] ^= 4
		}
	}
	seal(t, files)
	path := save(t, files)
	for _, c := range []struct{ max, listed, more int }{{0, 39, 0}, {-1, 39, 0}, {1, 1, 38}, {25, 25, 14}, {39, 39, 0}} {
		listed, more := 0, 0
		made := check.Database(t.Context(), path, check.Options{Max: c.max})
		for f, err := range made.Findings() {
			if err != nil {
				break // Summary has it
			}
			if f.Code != "booster-trace" {
				t.Error(f)
			} else if more += f.More; f.More == 0 {
				listed++
			}
		}
		s, err := made.Summary()
		if err != nil || listed != c.listed || more != c.more || s.Codes["booster-trace"] != 39 || s.Errors != 39 {
			t.Errorf("max %d: %d and %d more, %v, %v", c.max, listed, more, s, err)
		}
	}
}

// Boosters can be chosen like other files, alone and among them.
func TestDatabaseBoosterChoice(t *testing.T) {
	files := boostedSample(t)
	putLE(files[".cib"], 8, 5)
	delete(files, ".cbgi")
	path := save(t, files)
	for _, c := range []struct {
		chosen, want, files string
	}{
		{"cib", ".cib error booster-free-list", "sample.cib"},
		{"cit", "", "sample.cit"},
		{"cbh,cbb", "", "sample.cbh sample.cbb"},
		{"cbgi", ".cbgi note booster-missing", ""},
		{"cbp", "", "sample.cbp"},
	} {
		got, others, s := findingsOf(t, path, strings.Split(c.chosen, ",")...)
		if strings.Join(got, " ") != c.want || len(others) > 0 || strings.Join(s.Files, " ") != c.files {
			t.Errorf("%s: %q in %q, %v", c.chosen, got, s.Files, others)
		}
	}
}

// Whatever is damaged, in the database or in its boosters, is judged.
func TestDamagedDatabaseWithBoosters(t *testing.T) {
	sound := boostedSample(t)
	r := rand.New(rand.NewPCG(3, 4))
	times := 12
	if testing.Short() {
		times = 2
	}
	for ext, b := range sound {
		for range times {
			files := boostedSample(t)
			if n := r.IntN(len(b) + 1); r.IntN(2) == 0 {
				files[ext] = b[:n]
			} else {
				for i := range min(8, len(b)-n) {
					files[ext][n+i] = byte(r.Uint32() >> r.IntN(8))
				}
			}
			findingsOf(t, save(t, files))
		}
	}
}
