package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// A file that is missing or unreadable fails the verification, unless --files
// leaves it out.
func TestVerifyMissingFiles(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"missing":    os.Remove,
		"empty":      func(path string) error { return os.WriteFile(path, nil, 0o644) },
		"bad header": func(path string) error { return os.WriteFile(path, append([]byte{0, 12}, make([]byte, 40)...), 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			db := newDatabase(t)
			must.Do(t, damage(strings.TrimSuffix(db, ".cbh")+".cba"))
			for _, args := range [][]string{{"verify", "-q", db}, {"verify", "-q", "--json", db}} {
				r := cbkit(t, "", args...)
				if r.status != exitFailed || strings.Count(r.errOut, "\n") != 1 || !strings.HasPrefix(r.errOut, "cbkit: db.cba: ") {
					t.Errorf("cbkit %v: status %d, %q", args, r.status, r.errOut)
				}
			}
			mustRun(t, "verify", "-q", "--files", "cbh,cbg,cbp", db)
		})
	}
}

// World-ch has no .cbg file.
func TestVerifyWithoutMoves(t *testing.T) {
	db := corpus.Path(t, "cbh/world-ch/World-ch.cbh")
	r := cbkit(t, "", "verify", "-q", db)
	if r.status != exitFailed || !strings.HasPrefix(r.errOut, "cbkit: World-ch.cbg: the file is missing; --files ") {
		t.Errorf("status %d, %q", r.status, r.errOut)
	}
	r = mustRun(t, "verify", "-q", "--files", "cbh,cbj,cba,cbp,cbt,cbc,cbs,cbe,cbl,cbtt,cbm", db)
	if r.errOut != "" {
		t.Errorf("%q", r.errOut)
	}
	mentions(t, "check", r.out, ": stored as UTF-8 though the code page holds it\n", "more (--max -1 lists all)\n", "(last name): ")
	all := mustRun(t, "verify", "-q", "--files", "cba", "--max=-1", db)
	if n := strings.Count(all.out, "stored as UTF-8"); n != 137 || strings.Contains(all.out, "more (") {
		t.Errorf("%d of 137 cases are listed", n)
	}
}

// check lists as many findings as it is asked for.
func TestCheckMax(t *testing.T) {
	db := newDatabase(t)
	path := filepath.Join(filepath.Dir(db), "db.cbh")
	b := must.Get(os.ReadFile(path))(t)
	for id := 1; id <= 4; id++ {
		b[id*46+27] = 9 // no result
	}
	must.Do(t, os.WriteFile(path, b, 0o644))
	for flag, want := range map[string]int{"--max=0": 1, "--max=3": 3, "--max=-1": 4, "--max=1": 1} {
		if r := mustRun(t, "check", "-q", flag, db); strings.Count(r.out, "9 is none of the results") != want {
			t.Errorf("check %s: %s", flag, r.out)
		}
	}
}

// check --verify prints what check and verify print, one after the other, and
// fails if one of them does.
func TestCheckVerify(t *testing.T) {
	for i, path := range []string{"cbh/hedgehog/Hedgehog.cbh", "cbh/world-ch/World-ch.cbh", "dc-sample/edge.dci", "cbv/small.cbv:small.cbh"} {
		if !isTried(i, 3) {
			continue
		}
		db := corpus.Path(t, strings.TrimSuffix(path, ":small.cbh")) + path[len(strings.TrimSuffix(path, ":small.cbh")):]
		check, verify := cbkit(t, "", "check", "-q", db), cbkit(t, "", "verify", "-q", db)
		both := cbkit(t, "", "check", "-q", "--verify", db)
		if both.out != check.out+verify.out || both.status != max(check.status, verify.status) || both.errOut != check.errOut+verify.errOut {
			t.Errorf("%s: status %d of %d and %d\n%s%s", path, both.status, check.status, verify.status, both.out, both.errOut)
		}
		if lines := cbkit(t, "", "check", "-q", "--verify", "--json", db); !strings.Contains(lines.out, "\n{\"verify\":{") {
			t.Errorf("%s: no report in %s", path, lines.out)
		}
	}
	if r := cbkit(t, "", "check", "--verify", corpus.Path(t, "ctg/simple/simple.ctg")); r.status != exitUsage {
		t.Errorf("a book: status %d, %s", r.status, r.errOut)
	}
}

// What a header has of a number that means nothing is said wherever it goes, once
// for each field with the number of games; a copy keeps it.
func TestUnreadFieldsAreSaid(t *testing.T) {
	db := newDatabase(t)
	for id := int64(1); id <= 2; id++ {
		damageBytes(t, db, ".cbh", id*46+27, 9)
	}
	damageBytes(t, db, ".cbh", 46+35, 0, 5)
	dir := gen.Folder(t)
	for _, ending := range []string{".pgn", ".jsonl", ".dci"} {
		r := mustRun(t, "convert", db, filepath.Join(dir, "a"+ending))
		mentions(t, ending, r.errOut, "2  details that the target cannot hold: result", "9 is none of the results", "1  detail that the target cannot hold: ECO", "5 is no code")
	}
	if r := mustRun(t, "convert", db, filepath.Join(dir, "b.cbh")); strings.Contains(r.errOut, "losses") {
		t.Errorf("a copy: %s", r.errOut)
	}
	if r := mustRun(t, "show", db, "1"); !strings.HasPrefix(r.out, "(result: 9 is none of the results)\n(ECO: 5 is no code)\n") {
		t.Errorf("show: %s", r.out)
	}
	if r := mustRun(t, "check", "-q", filepath.Join(dir, "b.cbh")); strings.Count(r.out, "[bad-result]") != 1 || !strings.Contains(r.out, "[bad-eco]") {
		t.Errorf("check: %s", r.out)
	}
}
