package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

func TestCheckAndVerify(t *testing.T) {
	db := newDatabase(t)
	mustRun(t, "check", db).prints(t, "4 records in 12 files: 0 errors, 0 notes")
	mustRun(t, "verify", db).prints(t, "db.cbg")
	mustRun(t, "verify", "--json", "--files", "cbp", db).prints(t, `"different":0`)
	players := strings.TrimSuffix(db, ".cbh") + ".cbp"
	b := must.Get(os.ReadFile(players))(t)
	b[40] ^= 1 // the balance of player 0
	must.Do(t, os.WriteFile(players, b, 0o644))
	r := cbkit(t, "", "check", db)
	if r.status != exitFailed || !strings.Contains(r.out, "db.cbp: record 0 (balance)") || r.errOut != "" {
		t.Errorf("a wrong balance: %+v", r)
	}
	if r := cbkit(t, "", "check", "--json", db); r.status != exitFailed || !strings.Contains(r.out, `"summary":`) {
		t.Errorf("check --json: %+v", r)
	}
}

func TestBoosters(t *testing.T) {
	db := newDatabase(t)
	if r := mustRun(t, "boosters", "--check", db); strings.Count(r.out, " missing\n") != 6 {
		t.Errorf("before: %s", r.out)
	}
	mustRun(t, "boosters", db)
	if r := mustRun(t, "boosters", "--check", db); strings.Count(r.out, " valid\n") != 6 {
		t.Errorf("after: %s", r.out)
	}
	booster := strings.TrimSuffix(db, ".cbh") + ".cbb"
	b := must.Get(os.ReadFile(booster))(t)
	b[52+20] ^= 0xFF
	must.Do(t, os.WriteFile(booster, b, 0o644))
	if r := cbkit(t, "", "boosters", "--check", db); r.status != exitFailed || !strings.Contains(r.out, "db.cbb           wrong") {
		t.Errorf("a wrong booster: %+v", r)
	}
}

// info tells the state of each booster, as a search would see it.
func TestInfoTellsOfBoosters(t *testing.T) {
	db := newDatabase(t)
	if r := mustRun(t, "info", db); strings.Contains(r.out, "booster") {
		t.Errorf("without boosters: %s", r.out)
	}
	mustRun(t, "boosters", "-q", db)
	r := mustRun(t, "info", db)
	for _, ext := range []string{"cit", "cib", "cit2", "cib2", "cbb", "cbgi"} {
		if !regexp.MustCompile(`(?m)^booster +db\.` + ext + ` +valid$`).MatchString(r.out) {
			t.Errorf("%s is not said to be valid:\n%s", ext, r.out)
		}
	}
	beside := func(ext string) string { return strings.TrimSuffix(db, ".cbh") + ext }
	must.Do(t, os.Remove(beside(".cbkit")))
	must.Do(t, os.Truncate(beside(".cib"), 20))
	must.Do(t, os.Truncate(beside(".cbgi"), 12))
	r = mustRun(t, "info", db)
	for _, want := range []string{"cbb +unsealed: not used", "ci[tb] +wrong: not used", "cbgi +stale: it ends at record 2", "cit2 +valid"} {
		if !regexp.MustCompile(`(?m)^booster +db\.` + want).MatchString(r.out) {
			t.Errorf("%q is not said:\n%s", want, r.out)
		}
	}
	r = mustRun(t, "info", "--json", db)
	var info struct {
		Games    int
		Boosters []struct{ File, State string }
	}
	must.Do(t, json.Unmarshal([]byte(r.out), &info))
	if got := fmt.Sprint(info); got != "{4 [{db.cit wrong} {db.cib wrong} {db.cit2 valid} {db.cib2 valid} {db.cbb unsealed} {db.cbgi stale}]}" {
		t.Errorf("info --json: %s", got)
	}
}

func TestBook(t *testing.T) {
	db := newDatabase(t)
	dir := filepath.Dir(db)
	book := filepath.Join(dir, "book.ctg")
	mustRun(t, "book", "build", "-q", db, filepath.Join(dir, "sample.pgn"), book, "--max-ply", "20")
	mustRun(t, "book", "probe", book).prints(t, "e4      4")
	mustRun(t, "book", "probe", "--json", book, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").prints(t, `"uci":"f2f4"`)
	if r := cbkit(t, "", "book", "probe", book, "8/8/8/8/8/8/8/K1k5", "w", "-", "-", "0", "1"); r.status != exitFailed {
		t.Errorf("a position that is not there: %+v", r)
	}
	if r := cbkit(t, "", "book", "probe", book, "no position"); r.status != exitUsage {
		t.Errorf("no position: %+v", r)
	}
	mustRun(t, "book", "info", book)
	for _, args := range [][]string{{"check", book}, {"book", "check", book}} {
		if r := mustRun(t, args...); !strings.Contains(r.out, " 0 errors, ") {
			t.Errorf("cbkit %v: %s", args, r.out)
		}
	}
	mustRun(t, "book", "export", book, filepath.Join(dir, "book.bin"))
	lines := mustRun(t, "book", "export", book, "-").out
	merged, pruned := filepath.Join(dir, "merged.ctg"), filepath.Join(dir, "pruned.ctg")
	mustRun(t, "book", "merge", book, book, merged)
	if again := mustRun(t, "book", "export", merged, "-").out; strings.Count(again, "\n") != strings.Count(lines, "\n") {
		t.Errorf("%d positions became %d by merging", strings.Count(lines, "\n"), strings.Count(again, "\n"))
	}
	mustRun(t, "book", "prune", book, pruned, "--min-games", "3")
	if few := mustRun(t, "book", "export", pruned, "-").out; strings.Count(few, "\n") >= strings.Count(lines, "\n") {
		t.Error("pruning left everything")
	}
	broken := filepath.Join(dir, "broken.ctg")
	mustRun(t, "book", "merge", book, book, broken)
	b := must.Get(os.ReadFile(broken))(t)
	b[2*4096+4] = 0 // the first key of the second page has no length
	must.Do(t, os.WriteFile(broken, b, 0o666))
	rescued := filepath.Join(dir, "rescued.ctg")
	if r := cbkit(t, "", "book", "prune", broken, rescued, "--min-games", "1"); r.status != exitFailed || !strings.Contains(r.errOut, "page 1") {
		t.Errorf("pruning a damaged book: %+v", r)
	}
	if r := cbkit(t, "", "book", "prune", broken, rescued, "--min-games", "1", "--keep-going"); r.status != exitFailed || strings.Count(r.errOut, "page 1") != 1 || !strings.Contains(r.errOut, "positions of") {
		t.Errorf("rescuing it: %+v", r)
	}
	mustRun(t, "book", "check", rescued)
	if r := cbkit(t, "", "book", "build", db, book); r.status != exitFailed || !strings.Contains(r.errOut, "--force") {
		t.Errorf("an existing book: %+v", r)
	}
}

// The summary counts what came out, not what went in.
func TestSummaryCountsWhatWasWritten(t *testing.T) {
	// 4 games, the second deleted, the last of Chess960, and a text.
	lines := mustRun(t, "export", "--format", "jsonl", newDatabase(t), "-").out
	lines = strings.Replace(lines, `{"id":2,"kind":"game",`, `{"id":2,"kind":"game","deleted":true,`, 1)
	lines += `{"id":5,"kind":"text","title":[{"lang":"en","text":"Preface"}]}` + "\n"
	dir := gen.Folder(t)
	source := filepath.Join(dir, "all.jsonl")
	must.Do(t, os.WriteFile(source, []byte(lines), 0o644))
	for target, c := range map[string]struct {
		records int
		flags   []string
	}{
		"a.cbh":   {5, nil},
		"b.cbh":   {4, []string{"--purge"}},
		"a.jsonl": {5, nil},
		"a.pgn":   {3, nil},
		"b.pgn":   {4, []string{"--deleted"}},
		"a.dci":   {3, nil},
		"b.dci":   {4, []string{"--chess960"}},
	} {
		r := mustRun(t, append([]string{"convert", source, filepath.Join(dir, target)}, c.flags...)...)
		said := ""
		if strings.HasSuffix(target, ".pgn") {
			said = "; lossless PGN; --plain for other programs"
		}
		if want := fmt.Sprintf("%s: %d records%s\n", target, c.records, said); !strings.Contains(r.errOut, want) {
			t.Errorf("%q is not said:\n%s", want, r.errOut)
		}
		if is := strings.Contains(r.errOut, "record left out: game of Chess960 "); is != (target == "a.dci") || strings.Contains(r.errOut, "deleted game ") != (target == "a.pgn" || target == "b.pgn") || strings.Contains(r.errOut, "marked by") != (target == "b.pgn") {
			t.Errorf("%s: what was left out was something else:\n%s", target, r.errOut)
		}
	}
}

// Whoever does not choose the layout of a Simple Chess Database is told in one
// line which one other programs read.
func TestLayoutIsTold(t *testing.T) {
	db := newDatabase(t)
	dir := filepath.Dir(db)
	const line = "layout v1, as the format is described; the programs that exist read layout v0: --layout v0\n"
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, test := range []struct {
		args []string
		told bool
	}{
		{[]string{"convert", db, at("new.dci")}, true},
		{[]string{"import", at("sample.pgn"), at("imported.dci")}, true},
		{[]string{"convert", at("new.dci"), at("copy.dci")}, true},
		{[]string{"convert", "--layout", "v1", db, at("v1.dci")}, false},
		{[]string{"convert", "--layout", "v0", db, at("v0.dci")}, false},
		{[]string{"convert", at("v0.dci"), at("copy0.dci")}, false},
		{[]string{"convert", "-q", db, at("quiet.dci")}, false},
	} {
		r := mustRun(t, test.args...)
		if strings.Count(r.errOut, line) == 1 != test.told || strings.Contains(r.errOut, "layout") != test.told {
			t.Errorf("%v: %s", test.args, r.errOut)
		}
	}
}

// The Simple Chess Database takes part like the others.
func TestSimpleDatabase(t *testing.T) {
	db := newDatabase(t)
	dir := filepath.Dir(db)
	games := mustRun(t, "export", db, "-").out
	for _, layout := range []string{"v0", "v1"} {
		simple, back := filepath.Join(dir, layout+".dci"), filepath.Join(dir, layout+".cbh")
		mustRun(t, "convert", "-q", "--layout", layout, "--chess960", db, simple)
		mustRun(t, "info", simple).prints(t, "Simple Chess Database", "games          4")
		mustRun(t, "convert", "-q", "--boosters", simple, back)
		if r := mustRun(t, "boosters", "--check", back); !strings.Contains(r.out, layout+".cbb           valid") {
			t.Errorf("convert --boosters: %s", r.out)
		}
		again := mustRun(t, "export", back, "-").out
		if strings.Count(again, "\n\n1. ") != strings.Count(games, "\n\n1. ") || !strings.Contains(again, "17. Rd8# 1-0") {
			t.Errorf("layout %s:\n%s\nwas\n%s", layout, again, games)
		}
		mustRun(t, "show", simple, "1")
		mustRun(t, "check", simple).prints(t, " 0 errors, ")
		mustRun(t, "verify", simple)
		if r := mustRun(t, "find", "--format", "ids", simple, "--player", "morphy"); r.out != "1\n" {
			t.Errorf("find: %q", r.out)
		}
	}
	if r := cbkit(t, "", "convert", "--layout", "v7", db, filepath.Join(dir, "x.dci")); r.status != exitUsage {
		t.Errorf("a layout that is not there: %+v", r)
	}
}

func TestFind(t *testing.T) {
	db := newDatabase(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--player", "morphy"}, "1\n"},
		{[]string{"--white", "a*", "--year", "1850..1859"}, "2\n"},
		{[]string{"--result", "1-0"}, "1\n2\n"},
		{[]string{"--eco", "C41"}, "1\n"},
		{[]string{"--piece", "nb8", "--end", "KRBPPPPP-KQRBNPPPP"}, ""},
		{[]string{"--fen", "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"}, "3\n"},
		{[]string{"has:chess960 or eco:C33"}, "2\n4\n"},
		{[]string{"not result:1-0"}, "3\n4\n"},
	} {
		for _, boosters := range []string{"", "--no-boosters"} {
			args := append([]string{"find", "--format", "ids", db}, c.args...)
			if boosters != "" {
				args = append(args, boosters)
			}
			if r := mustRun(t, args...); r.out != c.want {
				t.Errorf("cbkit %v: %q, want %q", args, r.out, c.want)
			}
		}
		mustRun(t, "boosters", "-q", db)
	}
	if r := mustRun(t, "find", "--explain", db, "--player", "morphy"); !regexp.MustCompile(`Morphy, Paul +Duke Karl`).MatchString(r.out) || !strings.Contains(r.errOut, "db.cit") {
		t.Errorf("%+v", r)
	}
	if r := mustRun(t, "find", "--format", "pgn", db, "--eco", "C33"); strings.Count(r.out, "[Event ") != 1 {
		t.Errorf("as PGN: %s", r.out)
	}
	mustRun(t, "find", "--terms", db).prints(t, "material")
	for _, args := range [][]string{{"find", db}, {"find", db, "colour:red"}, {"find", db, "--year", "soon"}} {
		if r := cbkit(t, "", args...); r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("cbkit %v: %+v", args, r)
		}
	}
}

// However a target is named, its files have small endings, and it is found
// under that name again.
func TestTargetNames(t *testing.T) {
	db := newDatabase(t)
	for name, main := range map[string]string{
		"NEW.CBH": "NEW.cbh", "New.Cbp": "New.cbh",
		"NEW.DCI": "NEW.dci", "new.dcG": "new.dci", "new.2024.dci": "new.2024.dci",
	} {
		target := filepath.Join(gen.Folder(t), name)
		mustRun(t, "convert", "-q", db, target)
		if _, err := os.Stat(filepath.Join(filepath.Dir(target), main)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		mentions(t, name, mustRun(t, "info", target).out, "records        ")
		if r := cbkit(t, "", "convert", db, target); r.status != exitFailed || !strings.Contains(r.errOut, "--force") {
			t.Errorf("%s again: %+v", name, r)
		}
	}
	target := filepath.Join(gen.Folder(t), "BOOK.CTG")
	mustRun(t, "book", "build", "-q", db, target)
	mustRun(t, "book", "info", target)
}

// A replacement that was interrupted is reported and completed, whether or not
// the name has an ending.
func TestRecoverByAnyName(t *testing.T) {
	db := newDatabase(t)
	for _, main := range []string{"x.cbh", "x.y.cbh", "x.dci", "x.ctg"} {
		for _, whole := range []bool{true, false} {
			dir := gen.Folder(t)
			target := filepath.Join(dir, main)
			verb := []string{"convert", "-q", db, target}
			if filepath.Ext(main) == ".ctg" {
				verb = []string{"book", "build", "-q", db, target}
			}
			mustRun(t, verb...)
			moving := target + ".cbkit-moving"
			must.Do(t, os.Mkdir(moving, 0o777))
			save(t, filepath.Join(moving, "cbkit-folder"), "") // the mark of a working folder
			must.Do(t, os.Rename(target, filepath.Join(moving, main)))
			name := target
			if !whole {
				name = strings.TrimSuffix(target, filepath.Ext(target))
			}
			look := []string{"info", name}
			if filepath.Ext(main) == ".ctg" {
				look = []string{"book", "info", name}
			}
			if r := cbkit(t, "", look...); r.status != exitFailed || !strings.Contains(r.errOut, "cbkit recover "+target) {
				t.Errorf("%s: %+v", name, r)
			}
			mustRun(t, "recover", name)
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
