package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// spelt are three games of which the second is the first under other spellings.
const spelt = `[Event "World-ch"]
[White "Kasparov, Garry"]
[Black "Karpov, A"]
[Date "1985.10.01"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0

[Event "World-ch"]
[White "Kasparow, G."]
[Black "Karpov, Anatoly"]
[Date "1985.??.??"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 {good} O-O 9. h3 1-0

[Event "Open"]
[White "Adams, Michael"]
[Black "Karpov, A"]
[Date "1990.??.??"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 1/2-1/2
`

// written writes a file into a folder and returns its path.
func written(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	must.Do(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

// What the header of a game lacks is filled from its duplicates, and each field is told
// with its source; what it states stays.
func TestUniteFillsHeaders(t *testing.T) {
	dir := gen.Folder(t)
	moves := "\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 1-0\n\n"
	names := `[White "Kasparov, Garry"][Black "Karpov, Anatoly"][Result "1-0"]`
	a := written(t, dir, "a.pgn", names+`[Event "Wch"][Date "1985.??.??"][BlackElo "2720"]`+moves)
	b := written(t, dir, "b.pgn", names+`[Event "World"][Site "Moscow"][Date "1985.11.09"][Round "24"][BlackElo "2700"][WhiteElo "2700"][WhiteFideId "4100018"]`+moves)
	want := `{"id":"a.pgn#1","field":"whiteElo","value":"2700","from":"b.pgn#1"},{"id":"a.pgn#1","field":"site","value":"Moscow","from":"b.pgn#1"},` +
		`{"id":"a.pgn#1","field":"date","value":"1985.11.09","from":"b.pgn#1"},` +
		`{"id":"a.pgn#1","field":"round","value":"24","from":"b.pgn#1"},{"id":"a.pgn#1","field":"WhiteFideId","value":"4100018","from":"b.pgn#1"}`
	for _, out := range []string{"out.pgn", "out.jsonl", "out.cbh", "out.si4", "out.dci"} {
		out = filepath.Join(dir, out)
		mentions(t, out, mustRun(t, "merge", a, b, out, "--dedup", "--unite", "--prefer", "first", "--json").out, `"filled":[`+want+"]")
		r := mustRun(t, "show", out, "1")
		mentions(t, out, r.out, `[Event "Wch"]`, `[Site "Moscow"]`, `[Date "1985.11.09"]`, `[Round "24"]`, `[WhiteElo "2700"]`, `[BlackElo "2720"]`)
	}
	mustRun(t, "check", filepath.Join(dir, "out.cbh"))
	out := filepath.Join(dir, "again.pgn")
	r := mustRun(t, "merge", a, b, out, "--dedup", "--unite", "--prefer", "first")
	if !strings.Contains(r.errOut, "a.pgn#1  round 24 (from b.pgn#1)\n") || !strings.Contains(r.errOut, "; 5 fields filled\n") {
		t.Error(r.errOut)
	}
	mustRun(t, "merge", a, b, filepath.Join(dir, "both.cbh"))
	if r := mustRun(t, "dedup", filepath.Join(dir, "both.cbh"), out, "--unite", "--prefer", "first", "--force"); !strings.Contains(r.errOut, "      1  round 24 (from 2)\n") {
		t.Error(r.errOut)
	}
	if r := mustRun(t, "dedup", out, filepath.Join(dir, "last.pgn"), "--unite", "-q"); r.errOut != "" {
		t.Error(r.errOut)
	}
}

// What the games of a database lack, and better copies that take their place, is filled from
// those that are added; a dry run lists it and changes nothing, and the second time there is
// nothing to do.
func TestImproveFillsHeaders(t *testing.T) {
	dir := gen.Folder(t)
	moves := "\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 1-0\n\n"
	other := "\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0\n\n"
	names, others := `[White "Kasparov, Garry"][Black "Karpov, Anatoly"][Result "1-0"]`, `[White "Lind, Sara"][Black "Berg, Anna"][Result "1-0"]`
	base := written(t, dir, "base.pgn", names+`[Event "Wch"][Date "1985.??.??"][BlackElo "2720"]`+strings.Replace(moves, "e4", "e4 {!}", 1)+
		others+`[Event "Open"][Site "Oslo"][Round "3"][Date "2020.01.02"]`+other)
	week := written(t, dir, "week.pgn", names+`[Event "World"][Site "Moscow"][Date "1985.11.09"][Round "24"][BlackElo "2700"][WhiteElo "2700"]`+moves+
		others+`[Date "2020.01.02"][EventDate "2020.01.02"][WhiteElo "2400"]`+strings.Replace(other, "e4", "e4 {!}", 1)+
		others+`[Date "2021.01.02"][Event "New"]`+strings.Replace(moves, "d6", "d6 {!}", 1)+others+`[Date "2021.01.02"][Event "New"][Round "7"]`+moves)
	want := `{"id":1,"field":"whiteElo","value":"2700","from":"week.pgn#1"},{"id":1,"field":"site","value":"Moscow","from":"week.pgn#1"},` +
		`{"id":1,"field":"date","value":"1985.11.09","from":"week.pgn#1"},{"id":1,"field":"round","value":"24","from":"week.pgn#1"},` +
		`{"id":"week.pgn#2","field":"whiteElo","value":"2400","from":"week.pgn#2"},{"id":"week.pgn#2","field":"eventDate","value":"2020.01.02","from":"week.pgn#2"},` +
		`{"id":"week.pgn#3","field":"round","value":"7","from":"week.pgn#4"}`
	for _, out := range []string{"out.si4", "out.cbh", "out.dci"} {
		out = filepath.Join(dir, out)
		mustRun(t, "import", base, out)
		before := mustRun(t, "export", out, "-").out
		improve := []string{"import", "--append", "--new", "--improve", week, out}
		for _, args := range [][]string{append(improve, "--json", "--dry-run"), append(improve, "--json")} {
			if now := mustRun(t, "export", out, "-").out; now != before {
				t.Errorf("a dry run has changed %s: %s", out, now)
			}
			want := want
			if filepath.Ext(out) == ".dci" { // which has no date of a tournament
				want = strings.Replace(want, `{"id":"week.pgn#2","field":"eventDate","value":"2020.01.02","from":"week.pgn#2"},`, "", 1)
			}
			if r := mustRun(t, args...); !strings.Contains(r.out, `"filled":[`+want+"]") {
				t.Errorf("%s: %s, want %s", out, r.out, want)
			}
		}
		after := mustRun(t, "export", out, "-").out
		mentions(t, out, after,
			"[Event \"Wch\"]\n[Site \"Moscow\"]\n[Date \"1985.11.09\"]\n[Round \"24\"]\n[White \"Kasparov, Garry\"]\n[Black \"Karpov, Anatoly\"]\n[Result \"1-0\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2720\"]",
			"[Event \"Open\"]\n[Site \"Oslo\"]\n[Date \"2020.01.02\"]\n[Round \"3\"]\n[White \"Lind, Sara\"]\n[Black \"Berg, Anna\"]\n[Result \"1-0\"]\n[WhiteElo \"2400\"]",
			"[Date \"2021.01.02\"]\n[Round \"7\"]",
		)
		if r := mustRun(t, improve...); !strings.HasSuffix(r.errOut, ": nothing new, 4 known\n") || mustRun(t, "export", out, "-").out != after {
			t.Errorf("again: %s", r.errOut)
		}
	}
	mustRun(t, "check", filepath.Join(dir, "out.cbh"))
	if r := cbkit(t, "", "import", "--dry-run", week, filepath.Join(dir, "new.cbh")); r.status != exitUsage {
		t.Errorf("%+v", r)
	}
}

// From one ChessBase database to another what stays is copied as it is stored: the files are
// those of a search for the same games.
func TestDedupCopies(t *testing.T) {
	t.Chdir(gen.Folder(t))
	text := "[Event \"a\"]\n[Date \"2020.01.02\"]\n[White \"Lind, Sara\"]\n[Black \"Berg, Ole\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O {my move} Be7 6. Re1 b5 7. Bb3 d6 1-0\n\n"
	save(t, "twice.pgn", text+strings.ReplaceAll(text, " {my move}", "")+strings.ReplaceAll(text, "Be7 6.", "Bc5 6."))
	mustRun(t, "import", "-q", "twice.pgn", "All.cbh")
	save(t, "All.ini", "[Base]\n") // which is copied, and not written
	mustRun(t, "dedup", "All.cbh", "Rest.cbh").reports(t, "Rest.cbh: 2 records; 1 duplicate left out")
	mustRun(t, "find", "-q", "All.cbh", "not id:2", "-o", "Same.cbh")
	for _, ext := range []string{".cbh", ".cbg", ".cba", ".cbj", ".cbp", ".cbt", ".ini"} {
		got, err := os.ReadFile("Rest" + ext)
		want, failed := os.ReadFile("Same" + ext)
		if err != nil || failed != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs: %v, %v", ext, err, failed)
		}
	}
}

func TestMergeAndDedup(t *testing.T) {
	dir := gen.Folder(t)
	games := written(t, dir, "games.pgn", spelt)
	all, once := filepath.Join(dir, "all.cbh"), filepath.Join(dir, "once.cbh")
	mustRun(t, "merge", games, games, all).reports(t, "6 records")
	mustRun(t, "merge", games, all, once, "--dedup").reports(t, "2 records; 7 duplicates left out (4 equal, 3 part of a longer one)")
	mustRun(t, "check", once)
	mustRun(t, "dedup", games, "--dry-run", "--json").prints(t, `{"id":1,"keep":2,"reason":"contained"`)
	united := filepath.Join(dir, "united.pgn")
	mustRun(t, "dedup", games, united, "--unite", "--prefer", "first")
	if text, err := os.ReadFile(united); err != nil || strings.Count(string(text), "[White ") != 2 || !strings.Contains(string(text), "{good}") {
		t.Errorf("dedup --unite: %s, %v", text, err)
	}
	for _, args := range [][]string{
		{"merge", games, all}, {"dedup", games}, {"dedup", games, all, "--dry-run"}, {"dedup", "-", all}, {"merge", games, all, all},
	} {
		if r := cbkit(t, "", args...); r.status != exitUsage {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// TestMergeFolder brings together what is in a folder, also where the target is made there.
func TestMergeFolder(t *testing.T) {
	dir := gen.Folder(t)
	games := written(t, dir, "games.pgn", spelt)
	mustRun(t, "import", games, filepath.Join(dir, "Base.cbh"))
	out := filepath.Join(dir, "all.pgn")
	for _, args := range [][]string{{"merge", dir, out}, {"merge", dir, out, "--force"}} {
		if r := mustRun(t, args...); !strings.Contains(r.errOut, "6 records") {
			t.Errorf("%q: %s", args, r.errOut)
		}
	}
	alone := filepath.Dir(written(t, gen.Folder(t), "all.pgn", spelt))
	for _, args := range [][]string{{"merge", dir, out, out, "--force"}, {"merge", alone, filepath.Join(alone, "all.pgn"), "--force"}} {
		if r := cbkit(t, "", args...); r.status != exitUsage {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if r := cbkit(t, "", "merge", gen.Folder(t), out, "--force"); r.status != exitFailed || !strings.Contains(r.errOut, "there is no database in this folder") {
		t.Errorf("of an empty folder: %+v", r)
	}
}

func TestSplitSortStripDiff(t *testing.T) {
	dir := gen.Folder(t)
	games := written(t, dir, "games.pgn", spelt)
	parts := filepath.Join(dir, "parts")
	mustRun(t, "split", games, parts, "--by", "event")
	for name, want := range map[string]int{"World-ch 1985.pgn": 2, "Open 1990.pgn": 1} {
		if text, err := os.ReadFile(filepath.Join(parts, name)); err != nil || strings.Count(string(text), "[White ") != want {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
	if r := cbkit(t, "", "split", games, parts, "--by", "event"); r.status != exitFailed || !strings.Contains(r.errOut, "exists already") {
		t.Errorf("into parts that are there: %+v", r)
	}
	mustRun(t, "split", games, filepath.Join(dir, "numbers"), "--by", "2", "--format", "cbh")
	mustRun(t, "check", filepath.Join(dir, "numbers", "games 2.cbh"))

	sorted := filepath.Join(dir, "sorted.jsonl")
	mustRun(t, "sort", games, sorted, "--by", "white,-date")
	if text, err := os.ReadFile(sorted); err != nil || !strings.HasPrefix(string(text), `{"id":1,"kind":"game","white":"Adams, Michael"`) {
		t.Errorf("sorted: %s, %v", text, err)
	}
	bare := filepath.Join(dir, "bare.pgn")
	mustRun(t, "strip", games, bare, "--comments")
	if text, err := os.ReadFile(bare); err != nil || strings.Contains(string(text), "{") {
		t.Errorf("stripped: %s, %v", text, err)
	}
	if r := cbkit(t, "", "diff", games, bare); r.status != exitFailed || !strings.Contains(r.out, "0 added, 0 removed, 1 changed") {
		t.Errorf("diff: %+v", r)
	}
	if r := cbkit(t, "", "diff", games, bare, "--json"); !strings.Contains(r.out, `"field":"annotations"`) {
		t.Errorf("diff --json: %+v", r)
	}
	mustRun(t, "diff", games, games)
	for _, args := range [][]string{{"strip", games, bare}, {"sort", games, sorted, "--by", "size"}, {"split", games, parts, "--by", "0"}} {
		if r := cbkit(t, "", args...); r.status != exitUsage {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// Names of groups become names of files.
func TestPartNames(t *testing.T) {
	names := partNames{}
	for _, c := range [][3]string{{"a/b", "", "a_b"}, {"A/B", "", "A_B (2)"}, {"", "", "(none)"}, {"..", "", "__"}, {"tab\tbed", "", "tab_bed"},
		{"con", "", "con_"}, {"CON", "", "CON_ (2)"}, {"LPT1", "", "LPT1_"}, {"Conrad", "", "Conrad"}, {"turn\u202eed", "", "turn_ed"},
		{"Café", "", "Café"}, {"CAFE\u0301", "", "CAFE\u0301 (2)"}, // one name where accents are stored otherwise
		{strings.Repeat("я", 80), "", strings.Repeat("я", 60)}, {strings.Repeat("♚", 80), "", strings.Repeat("♚", 40)},
		{strings.Repeat("♚", 81), "", strings.Repeat("♚", 40) + " (2)"}, {"a" + strings.Repeat("♚", 40), "", "a" + strings.Repeat("♚", 39)},
		{strings.Repeat("m", 200), "07", strings.Repeat("m", 120) + " 07"}, {"", "07", "07"}, {"CON", "07", "CON 07"},
	} {
		if got := names.name(c[0], c[1]); got != c[2] {
			t.Errorf("%q: %q, want %q", c[0], got, c[2])
		}
	}
}

// Names of as many bytes as no file system takes, and of devices, make parts all
// the same.
func TestSplitByNamesThatAreNoNames(t *testing.T) {
	dir := gen.Folder(t)
	var games strings.Builder
	for _, name := range []string{strings.Repeat("я", 200), strings.Repeat("я", 201), "CON", "con", "aux.txt"} {
		fmt.Fprintf(&games, "[Event \"x\"]\n[White \"%s\"]\n\n1. e4 *\n\n", name)
	}
	source := written(t, dir, "games.pgn", games.String())
	for _, format := range []string{"pgn", "cbh", "dci"} {
		parts := filepath.Join(dir, format)
		mustRun(t, "split", source, parts, "--by", "white", "--format", format)
		made, err := filepath.Glob(filepath.Join(parts, "*."+format))
		if err != nil || len(made) != 5 {
			t.Errorf("%v, %v", made, err)
		}
	}
}

// Parts of a table have the format that is asked for, and one must be.
func TestSplitTable(t *testing.T) {
	dir := gen.Folder(t)
	source := written(t, dir, "games.pgn", spelt)
	table := filepath.Join(dir, "games.parquet")
	mustRun(t, "export", "-q", source, table)
	fails(t, exitUsage, "give --format", "split", table, filepath.Join(dir, "parts"), "--by", "year")
	if r := mustRun(t, "split", table, filepath.Join(dir, "parts"), "--by", "year", "--format", "pgn"); !strings.Contains(r.errOut, "3 records in 2 parts") {
		t.Error(r.errOut)
	}
}

// strip --seven leaves the seven tags of the roster, of PGN alone.
func TestStripSeven(t *testing.T) {
	here(t)
	save(t, "a.pgn", "[White \"A\"]\n[WhiteElo \"2000\"]\n[ECO \"C20\"]\n[Odd \"x\"]\n\n1. e4 e5 *\n")
	mustRun(t, "strip", "-q", "--seven", "a.pgn", "b.pgn")
	b, err := os.ReadFile("b.pgn")
	if err != nil || strings.Count(string(b), "\n[")+1 != 7 || !strings.Contains(string(b), `[White "A"]`) || !strings.Contains(string(b), "1. e4 e5 *") {
		t.Errorf("%v: %s", err, b)
	}
	fails(t, exitUsage, "--seven is for PGN", "strip", "--seven", "a.pgn", "b.cbh")
}

// Games that are almost one are listed with the plies in which they differ, and nothing is
// made; in a folder by the names of their files.
func TestNear(t *testing.T) {
	t.Chdir(gen.Folder(t))
	must.Do(t, os.Mkdir("two", 0o777))
	game := func(name, white, moves string) {
		save(t, name, "[White \""+white+"\"]\n[Black \"Berg, Anna\"]\n[Date \"2021.06.08\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. "+moves+" 1-0\n\n")
	}
	game("two/a.pgn", "Lind, Sara", "Bb5 a6 4. Ba4 Nf6 5. d3 d6 6. c3 g6")
	game("two/b.pgn", "Lind, S.", "Bb5 a6 4. Ba4 Nf6 5. c3 d6 6. d3 g6")
	game("two/c.pgn", "Lind, Sara", "Bb5 a6 4. Ba4 Nf6 5. d3 b5 6. Bb3 g6")
	game("two/d.pgn", "Dahl, Ida", "Bb5 a6 4. Ba4 Nf6 5. d3 d6 6. c3 Bg4")
	r := mustRun(t, "dedup", "two", "--near")
	want := "a.pgn#1  Lind, Sara - Berg, Anna, 2021.06.08, 1-0\n   near b.pgn#1  Lind, S. - Berg, Anna, 2021.06.08, 1-0 (5.d3 and 6.c3 the other way round)\n" +
		"a.pgn#1  Lind, Sara - Berg, Anna, 2021.06.08, 1-0\n   near c.pgn#1  Lind, Sara - Berg, Anna, 2021.06.08, 1-0 (5...d6, not 5...b5; 6.c3, not 6.Bb3)\n"
	if r.out != want || !strings.Contains(r.errOut, "two: 2 pairs of games that are almost one") {
		t.Errorf("%s%s, want %s", r.out, r.errOut, want)
	}
	r = mustRun(t, "dedup", "two", "--near", "--json")
	if want := `{"id":"a.pgn#1","near":"b.pgn#1","game":"Lind, Sara - Berg, Anna, 2021.06.08, 1-0","nearGame":"Lind, S. - Berg, Anna, 2021.06.08, 1-0","swapped":true,` +
		`"plies":[{"ply":9,"move":"5.d3","nearMove":"5.c3"},{"ply":11,"move":"6.c3","nearMove":"6.d3"}]}`; !strings.HasPrefix(r.out, want+"\n") {
		t.Errorf("%s, want %s", r.out, want)
	}
	for _, args := range [][]string{{"two", "out.pgn", "--near"}, {"two", "--near", "--dry-run"}} {
		if r := cbkit(t, "", append([]string{"dedup"}, args...)...); r.status != exitUsage {
			t.Errorf("%q: %+v", args, r)
		}
	}
}
