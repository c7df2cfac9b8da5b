package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// manySpellings has players who are spelt in several ways.
const manySpellings = `[Event "A"]
[Date "1978.07.18"]
[White "Kortschnoj, V"]
[Black "Karpov, Anatoly"]
[BlackElo "2725"]
[Result "1-0"]

1. c4 1-0

[Event "A"]
[Date "1978.07.20"]
[White "Karpov, Anatoly"]
[Black "Korchnoi, Viktor"]
[Result "1-0"]

1. e4 1-0

[Event "B"]
[Date "1979.07.20"]
[White "Карпов, Анатолий"]
[Black "Tal, Mikhail"]
[Result "1-0"]

1. e4 1-0

`

// playersWithGames are the players of a database with their games, in the order of names.
func playersWithGames(t *testing.T, db string) string {
	t.Helper()
	r := mustRun(t, "list", db, "players", "--by", "name", "--csv")
	var names []string
	for _, line := range strings.Split(strings.TrimSpace(r.out), "\n")[1:] {
		_, line, _ = strings.Cut(line, ",")
		name, rest, _ := strings.Cut(strings.TrimPrefix(line, `"`), `",`)
		games, _, _ := strings.Cut(rest, ",")
		names = append(names, name+" "+games)
	}
	return strings.Join(names, "; ")
}

// What --suggest prints is a list that --apply takes, in every format that can be edited;
// a dry run lists it and changes nothing, and a second run has nothing to do.
func TestNamesSuggestedAndApplied(t *testing.T) {
	here(t)
	save(t, "n.pgn", manySpellings)
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	mustRun(t, "import", "-q", "n.pgn", "Neighbour.cbh")
	mustRun(t, "convert", "-q", "n.pgn", "N.dci")
	mustRun(t, "convert", "-q", "n.pgn", "n.jsonl")
	mustRun(t, "convert", "-q", "n.pgn", "n.pgn.gz")
	for _, db := range []string{"N.cbh", "N.dci", "n.jsonl", "n.pgn.gz"} {
		before := playersWithGames(t, db)
		suggested := mustRun(t, "names", db, "--suggest")
		mentions(t, db, suggested.out, "old,new,games,newGames,why\n", `"Карпов, Анатолий","Karpov, Anatoly",1,2,`, `"Kortschnoj, V","Korchnoi, Viktor",1,1,"spellings of one surname, an initial of the first name; years 1978 and 1978"`)
		save(t, "l.csv", suggested.out)
		r := mustRun(t, "names", db, "--apply", "l.csv", "--dry-run")
		if !strings.Contains(r.out, "-> Korchnoi, Viktor, which is there (#") || playersWithGames(t, db) != before {
			t.Errorf("%s: %s%s", db, r.out, r.errOut)
		}
		mustRun(t, "names", db, "--apply", "l.csv")
		if got := playersWithGames(t, db); got != "Karpov, Anatoly 3; Korchnoi, Viktor 2; Tal, Mikhail 1" {
			t.Errorf("%s: %s", db, got)
		}
		if r := mustRun(t, "names", db, "--apply", "l.csv"); !strings.Contains(r.errOut, "not there, so that nothing was changed for them: ") || playersWithGames(t, db) != "Karpov, Anatoly 3; Korchnoi, Viktor 2; Tal, Mikhail 1" {
			t.Errorf("%s: the second time: %s", db, r.errOut)
		}
		if !formatOf(db).IsText() {
			mustRun(t, "check", db)
		}
		if r := mustRun(t, "names", db, "--suggest"); r.out != "old,new,games,newGames,why\n" {
			t.Errorf("%s: suggested after it was applied: %s", db, r.out)
		}
	}
	if got := playersWithGames(t, "Neighbour.cbh"); strings.Count(got, ";") != 4 {
		t.Errorf("the neighbour: %s", got)
	}
}

// Lines are applied in their order, a name in full or by number; what is not there or not
// one player's changes nothing.
func TestNamesOfAList(t *testing.T) {
	here(t)
	save(t, "n.pgn", manySpellings)
	for _, c := range []struct{ why, list, want, says string }{
		{"a rename", "old,new\n\"Tal, Mikhail\",\"Tal, Michail\"\n", "Karpov, Anatoly 2; Korchnoi, Viktor 1; Kortschnoj, V 1; Tal, Michail 1; Карпов, Анатолий 1", "1 name changed"},
		{"semicolons, a mark, other columns", "\ufeffgames;New;OLD\n5;Tal, M;Tal, Mikhail\n", "Karpov, Anatoly 2; Korchnoi, Viktor 1; Kortschnoj, V 1; Tal, M 1; Карпов, Анатолий 1", "1 name changed"},
		{"a chain", "old,new\n\"Tal, Mikhail\",\"Tal, A\"\n\"Tal, A\",\"Tal, B\"\n", "Karpov, Anatoly 2; Korchnoi, Viktor 1; Kortschnoj, V 1; Tal, B 1; Карпов, Анатолий 1", ""},
		{"names that move on", "old,new\n\"Korchnoi, Viktor\",\"K, X\"\n\"Kortschnoj, V\",\"Korchnoi, Viktor\"\n", "K, X 1; Karpov, Anatoly 2; Korchnoi, Viktor 1; Tal, Mikhail 1; Карпов, Анатолий 1", "2 names changed"},
		{"merged and renamed", "old,new\n\"Kortschnoj, V\",\"Korchnoi, Viktor\"\n\"Korchnoi, Viktor\",\"K, X\"\n", "K, X 2; Karpov, Anatoly 2; Tal, Mikhail 1; Карпов, Анатолий 1", ""},
		{"no guess", "old,new\n\"Tal\",\"Tal, A\"\n\"Korchnoi\",\"K, X\"\n", "Karpov, Anatoly 2; Korchnoi, Viktor 1; Kortschnoj, V 1; Tal, Mikhail 1; Карпов, Анатолий 1", "nothing was changed for them: Tal; Korchnoi"},
		{"nothing new", "old,new\n\"Tal, Mikhail\",\n\"Korchnoi, Viktor\",\"Korchnoi, Viktor\"\n", "Karpov, Anatoly 2; Korchnoi, Viktor 1; Kortschnoj, V 1; Tal, Mikhail 1; Карпов, Анатолий 1", ""},
	} {
		mustRun(t, "import", "-q", "--force", "n.pgn", "N.cbh")
		mustRun(t, "convert", "-q", "--force", "n.pgn", "N.dci")
		save(t, "l.csv", c.list)
		save(t, "c.pgn", manySpellings)
		mustRun(t, "convert", "-q", "--force", "n.pgn", "c.jsonl")
		for _, db := range []string{"N.cbh", "N.dci", "c.pgn", "c.jsonl"} {
			r := mustRun(t, "names", db, "--apply", "l.csv")
			if got := playersWithGames(t, db); got != c.want || db != "N.dci" && !strings.Contains(r.errOut, c.says) {
				t.Errorf("%s: %s: %s\n%s", c.why, db, got, r.errOut)
			}
			if !formatOf(db).IsText() {
				mustRun(t, "check", db)
			}
		}
	}
	mustRun(t, "import", "-q", "--force", "n.pgn", "N.cbh")
	save(t, "l.csv", "old,new\n#0,#2\n#99,\"X, Y\"\n")
	if r := mustRun(t, "names", "N.cbh", "--apply", "l.csv"); !strings.Contains(playersWithGames(t, "N.cbh"), "Korchnoi, Viktor 2") || !strings.Contains(r.errOut, "#99") {
		t.Errorf("by number: %s%s", playersWithGames(t, "N.cbh"), r.errOut)
	}
	for list, says := range map[string]string{
		"": "must name the columns", "old,new\n": "there are no names in the list", "a,b\nc,d\n": "must name the columns", "old,new\n,b\n": "line 2: there is no old name",
		"old,new\na,b\na,c\n": `line 3: "a" is in line 2 too`, "old,rating\na,strong\n": `"strong" is no rating`, "old,new\na,\xff\n": "line 2 is not UTF-8", "old,new\n\"a,b\n": "l.csv",
	} {
		save(t, "l.csv", list)
		if r := cbkit(t, "", "names", "N.cbh", "--apply", "l.csv"); r.status != exitFailed || !strings.Contains(r.errOut, says) || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("%q: %+v", list, r)
		}
	}
	save(t, "good.csv", "old,new\na,b\n")
	for _, args := range [][]string{{"N.cbh"}, {"N.cbh", "--suggest", "--apply", "l.csv"}, {"N.cbh", "--suggest", "--dry-run"}, {"N.cbh", "--apply", "l.csv", "--where", "year:1978"}, {"-", "--apply", "good.csv"}, {"n.pgn", "--apply", "good.csv", "--boosters"}} {
		if r := cbkit(t, "", append([]string{"names"}, args...)...); r.status != exitUsage {
			t.Errorf("%v: %+v", args, r)
		}
	}
	fails(t, exitFailed, "missing.csv", "names", "N.cbh", "--apply", "missing.csv")
}

// A rating goes to the games without one; what has no place is told.
func TestNamesWithRatings(t *testing.T) {
	here(t)
	save(t, "n.pgn", manySpellings)
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	mustRun(t, "convert", "-q", "n.pgn", "N.dci")
	save(t, "l.csv", "old,new,title,fide id,elo\n\"Карпов, Анатолий\",\"Karpov, Anatoly\",GM,4100018,2700\n\"Karpov, Anatoly\",,GM,4100018,2690\n")
	for _, db := range []string{"N.cbh", "N.dci"} {
		r := mustRun(t, "names", db, "--apply", "l.csv")
		if !strings.Contains(r.errOut, "titles and FIDE ids of 1 player have no place") {
			t.Errorf("%s: %s", db, r.errOut)
		}
		if r := mustRun(t, "find", db, "--elo", "2690", "--count"); r.out != "2 found\n" {
			t.Errorf("%s: rating of games without one: %s", db, r.out)
		}
		if r := mustRun(t, "find", db, "--elo", "2725", "--count"); r.out != "1 found\n" {
			t.Errorf("%s: rating that was there: %s", db, r.out)
		}
	}
}

// In a text the lines that say something else change, titles and FIDE ids become tags,
// and all else stays as it is.
func TestNamesOfTexts(t *testing.T) {
	here(t)
	save(t, "n.pgn", manySpellings)
	save(t, "l.csv", "old,new,title,fideId,rating\n\"Tal, Mikhail\",\"Tal, Michail\",GM,1,2705\n#3,#1\n\"Karpov, Anatoly\",,WGM,,2700\n")
	mustRun(t, "names", "n.pgn", "--apply", "l.csv", "--dry-run").prints(t, "Tal, Mikhail (#4) -> Tal, Michail", "Карпов, Анатолий (#3) -> Karpov, Anatoly, which is there (#1)")
	if got, err := os.ReadFile("n.pgn"); err != nil || string(got) != manySpellings {
		t.Errorf("%v: a dry run left %s", err, got)
	}
	mustRun(t, "names", "n.pgn", "--apply", "l.csv")
	games := strings.SplitAfter(manySpellings, "1-0\n\n")
	games[0] = strings.Replace(games[0], "[Result", "[BlackTitle \"WGM\"]\n[Result", 1)
	games[1] = strings.Replace(games[1], "[Result \"1-0\"]\n", "[Result \"1-0\"]\n[WhiteElo \"2700\"]\n[WhiteTitle \"WGM\"]\n", 1)
	games[2] = strings.NewReplacer("Карпов, Анатолий", "Karpov, Anatoly", "Tal, Mikhail", "Tal, Michail",
		"[Result \"1-0\"]\n", "[Result \"1-0\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2705\"]\n[BlackFideId \"1\"]\n[BlackTitle \"GM\"]\n[WhiteTitle \"WGM\"]\n").Replace(games[2])
	if got, err := os.ReadFile("n.pgn"); err != nil || string(got) != strings.Join(games, "") {
		t.Errorf("%v: %s", err, got)
	}
	mustRun(t, "names", "n.pgn", "--apply", "l.csv", "--json").prints(t, `"changes"`)
}

// Scid's spelling file is a list, of which most names are not in a database.
func TestNamesOfScid(t *testing.T) {
	here(t)
	save(t, "n.pgn", manySpellings)
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	save(t, "s.ssp", `# A comment
@PLAYER "., -_*"
Korchnoi, Viktor #gm  SUI [2695] 1931
   %Bio FIDEID 1
   = Kortschnoj, V
   = Somebody, E
Tal, Mihail #gm
   = Tal Mikhail
Other, Somebody
   = Somebody, E
   = Karpov, Anatoly
Third, One
   = Karpov Anatoly.
@SITE "., -_()"
Korchnoi
   = Tal, Mihail
`)
	r := mustRun(t, "names", "N.cbh", "--apply", "s.ssp")
	if got := playersWithGames(t, "N.cbh"); got != "Karpov, Anatoly 2; Korchnoi, Viktor 2; Tal, Mihail 1; Карпов, Анатолий 1" || strings.Contains(r.errOut, "not there") {
		t.Errorf("%s\n%s", got, r.errOut)
	}
	if testing.Short() {
		return // Debian's list is large
	}
	const debian = "/usr/share/scid/data/spelling.ssp"
	if _, err := os.Stat(debian); err != nil {
		t.Skipf("scid-spell-data is not there: %v", err)
	}
	mustRun(t, "import", "-q", "--force", "n.pgn", "N.cbh")
	mustRun(t, "names", "N.cbh", "--apply", debian)
	if got := playersWithGames(t, "N.cbh"); !strings.Contains(got, "Korchnoi, Viktor") || strings.Contains(got, "Tal, Mihail 1; Tal") {
		t.Error(got)
	}
	mustRun(t, "check", "N.cbh")
}

// FIDE's list of ratings gives them to games of its month, by the FIDE id that a game has,
// else by the name; what stands is left, and so is a name of several players.
func TestRatingList(t *testing.T) {
	t.Chdir(gen.Folder(t))
	list := "ID Number      Name                 Fed Sex MAY24 Gms K  B-day\n" +
		"1              Aas, Nils            NOR M   2202  9   20 1990\n2              Berg, Anna           NOR F   2412  9   20\n" +
		"3              Moe, Per             NOR M   2288\n4              Moe, Per             SWE M   1675\n5              Foss, Liv            NOR F   0\n" +
		"6              Schäfer, Jörg        GER M   2300\n7              Lind, Sara Maria     SWE F   2461\n\n"
	save(t, "list.txt", list)
	game := func(date, white, black, more string) string {
		return fmt.Sprintf("[Event \"E\"]\n[Date \"%s\"]\n[White \"%s\"]\n[Black \"%s\"]\n%s[Result \"1-0\"]\n\n1. e4 1-0\n\n", date, white, black, more)
	}
	text := game("2024.05.03", "Aas, N.", "Berg, Anna", "") + game("2024.05.??", "Moe, Per", "Foss, Liv", "") +
		game("2024.05.04", "Schaefer, Joerg", "Berg, Anna", "[BlackElo \"2000\"]\n") + game("2024.06.01", "Aas, Nils", "Berg, Anna", "") +
		game("2024.05.05", "Moe, Per", "Nobody", "[WhiteFideId \"4\"]\n[BlackFideId \"99\"]\n")
	ratings := func(db string) string {
		var all []string
		for line := range strings.Lines(mustRun(t, "find", db, "--format", "csv", "--limit", "9").out) {
			cells := must.Get(csv.NewReader(strings.NewReader(line)).Read())(t)
			all = append(all, cells[3]+"-"+cells[5])
		}
		return strings.Join(all[1:], " ")
	}
	for _, c := range []struct{ db, want string }{
		{"g.pgn", "2202-2412 - 2300-2000 - 1675-"}, {"g.jsonl", "2202-2412 - 2300-2000 - 1675-"},
		{"g.cbh", "2202-2412 - 2300-2000 - -"}, {"g.si4", "2202-2412 - 2300-2000 - 1675-"}, {"g.dci", "2202-2412 - 2300-2000 - -"},
	} {
		save(t, "games.pgn", text)
		mustRun(t, "convert", "-q", "games.pgn", c.db)
		before := ratings(c.db)
		if r := mustRun(t, "names", c.db, "--apply", "list.txt", "--dry-run"); ratings(c.db) != before || !strings.Contains(r.errOut, "may be meant: Moe, Per\n") {
			t.Errorf("%s: %+v", c.db, r)
		}
		mustRun(t, "names", c.db, "--apply", "list.txt")
		if got := ratings(c.db); got != c.want {
			t.Errorf("%s: %s, want %s", c.db, got, c.want)
		}
		if r := mustRun(t, "names", c.db, "--apply", "list.txt"); !strings.Contains(r.errOut, "nothing") {
			t.Errorf("%s again: %+v", c.db, r)
		}
	}
	// A list whose columns are places of characters has the same ratings as one of bytes.
	save(t, "games.pgn", text)
	save(t, "letters.txt", strings.Replace(strings.Replace(list, "Schäfer, Jörg        ", "Schäfer, Jörg          ", 1), "Schäfer, Jörg  ", "Schäfer, Jörg", 1))
	save(t, "bytes.txt", strings.Replace(list, "Schäfer, Jörg        ", "Schäfer, Jörg      ", 1))
	for _, one := range []string{"letters.txt", "bytes.txt"} {
		mustRun(t, "convert", "-q", "games.pgn", "l.pgn", "--force")
		mustRun(t, "names", "l.pgn", "--apply", one)
		if got := ratings("l.pgn"); got != "2202-2412 - 2300-2000 - 1675-" {
			t.Errorf("%s: %s", one, got)
		}
	}
	mustRun(t, "names", "g.pgn", "--apply", "list.txt", "--month", "2024.06")
	if got := ratings("g.pgn"); !strings.Contains(got, "2300-2000 2202-2412 ") {
		t.Error(got)
	}
	// The combined list names three ratings and no month.
	all := strings.NewReplacer("MAY24 Gms K  B-day", "SRtng Gms RRtng", "9   20 1990", "9   2190", "9   20", "9   2390").Replace(list)
	save(t, "all.txt", all)
	save(t, "games.pgn", text)
	fails(t, exitUsage, "--any-date", "names", "games.pgn", "--apply", "all.txt")
	mustRun(t, "names", "games.pgn", "--apply", "all.txt", "--any-date", "--rating", "rapid")
	if got := ratings("games.pgn"); got != "2190-2390 - -2000 2190-2390 -" {
		t.Error(got)
	}
	for _, bad := range []string{"ID Number Fed\n", "ID Number      Name   Fed\n", strings.Replace(list, "2202", "22x2", 1),
		list[:strings.Index(list, "2461")+3], list[:strings.Index(list, "SWE F   2461")]} {
		save(t, "bad.txt", bad)
		if r := cbkit(t, "", "names", "games.pgn", "--apply", "bad.txt", "--any-date"); r.status == exitDone || !strings.Contains(r.errOut, "bad.txt: line") {
			t.Errorf("%q: %+v", bad, r)
		}
	}
	for _, args := range [][]string{{"--apply", "list.txt", "--month", "May"}, {"--suggest", "--any-date"}} {
		if r := cbkit(t, "", append([]string{"names", "games.pgn"}, args...)...); r.status != exitUsage {
			t.Errorf("%q: %+v", args, r)
		}
	}
}
