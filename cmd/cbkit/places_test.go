package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// Positions come out where the query has a place, and say why not where it has none.
func TestFindPlaces(t *testing.T) {
	t.Chdir(t.TempDir())
	const games = `[White "Ada"]
[Black "Ben"]
[Date "2024.05.03"]
[Result "1-0"]

1. e4 {[%eval 0.2]} e5 {[%eval 0.3]} 2. Bc4 {[%eval 0.3]} Nc6 {[%eval 0.3]} 3. Qh5 {[%eval -0.5]} Nf6?? {[%eval #1] Blunder. g6 was best.} ( 3... Qe7 ) 4. Qxf7# 1-0

[White "Cleo"]
[Black "Dan"]
[Result "0-1"]

1. f3 {[%eval 0.0]} e5 {[%eval 0.0]} 2. g4?? {[%eval #-1] Blunder. Nc3 was best.} Qh4# 0-1

[White "Eva"]
[Black "Ben"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "8/8/4k3/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 1/2-1/2
`
	must.Do(t, os.WriteFile("g.pgn", []byte(games), 0o644))
	mustRun(t, "import", "-q", "g.pgn", "G.cbh")
	mustRun(t, "import", "-q", "g.pgn", "G.dci")
	for _, test := range []struct{ query, format, out string }{
		{"move:Qh5", "fen", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 2 3\n"},
		{"piece:Bc4 or piece:pe5", "fen", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\nrnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq e6 0 2\n"},
		{"(piece:qe7@variations)", "fen", "r1b1kbnr/ppppqppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4\n"},
		{"material:Q*-Q*/3 winner:dan", "fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"},
		{"year:2024", "fen", ""}, {"not piece:Ka1 player:ben", "fen", "8/8/4k3/8/8/8/4P3/4K3 w - - 0 1\n"},
		{"blunder:ben/300", "epd", "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - bm Qe7; id \"Ada - Ben, 2024, game 1\";\n"},
		{"blunder:cleo/300", "epd", "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq e6 bm Nc3; id \"Cleo - Dan, game 2\";\n"},
		{"move:Qh4*", "csv", "id,date,white,whiteElo,black,blackElo,result,eco,round,tournament,deleted,ply,fen,move\n" +
			"2,????.??.??,Cleo,,Dan,,0-1,,,,,3,rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2,Qh4#\n"},
		{"winner:dan", "csv", "id,date,white,whiteElo,black,blackElo,result,eco,round,tournament,deleted,ply,fen,move\n2,????.??.??,Cleo,,Dan,,0-1,,,,,,,\n"},
	} {
		for _, db := range []string{"g.pgn", "G.cbh", "G.dci"} {
			r := mustRun(t, "find", "-q", db, test.query, "--format", test.format)
			if r.out != test.out {
				t.Errorf("%s %s --format %s:\n%s\nwant\n%s", db, test.query, test.format, r.out, test.out)
			}
		}
	}
	r := mustRun(t, "find", "g.pgn", "year:2024", "--format", "fen")
	if !strings.Contains(r.errOut, "no set-up position in 1 record that was found, and the query has no place") {
		t.Error(r.errOut)
	}
	for _, args := range [][]string{{"find", "g.pgn", "opponent-elo:2400.."}, {"export", "g.pgn", filepath.Join(t.TempDir(), "o.pgn"), "--where", "opponent-elo:2400.."}} {
		fails(t, exitUsage, "player", args...)
	}
}

// Whatever the number of years, the totals of a score are its last lines, and no table is longer
// than 20 rows unless --limit says so; in CSV they are the first.
func TestTotalsStayInSight(t *testing.T) {
	t.Chdir(t.TempDir())
	var games strings.Builder
	for year := 1950; year < 1990; year++ {
		fmt.Fprintf(&games, "[White \"Ada\"]\n[Black \"Ben\"]\n[Date \"%d.??.??\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n", year)
	}
	must.Do(t, os.WriteFile("g.pgn", []byte(games.String()), 0o644))
	for _, args := range [][]string{{"stats", "g.pgn"}, {"stats", "g.pgn", "--player", "Ada"}, {"stats", "g.pgn", "--by", "year"}, {"stats", "g.pgn", "--limit", "0"}} {
		lines := strings.Split(strings.TrimSpace(mustRun(t, args...).out), "\n")
		last := strings.Join(lines[len(lines)-4:], "\n")
		if !strings.Contains(last, "\nall ") || len(lines) > 40 && !slices.Contains(args, "--limit") {
			t.Errorf("%v: %d lines, the last are\n%s", args, len(lines), last)
		}
		if all := strings.Contains(strings.Join(lines, "\n"), "\n1950 "); all != strings.Contains(strings.Join(args, " "), "--limit") {
			t.Errorf("%v: the first year is there: %v", args, all)
		}
	}
	if lines := strings.Split(mustRun(t, "stats", "--csv", "g.pgn").out, "\n"); !strings.HasPrefix(lines[1], "color,all,40,") || len(lines) < 40 {
		t.Errorf("%d lines, the second is %s", len(lines), lines[1])
	}
}

// The name of an opening stands beside its code where there is room for it.
func TestOpeningsAreNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	const games = "[White \"Ada\"]\n[Black \"Ben\"]\n[ECO \"B90\"]\n\n1. e4 c5 2. Nf3 d6 *\n\n[White \"Cleo\"]\n[ECO \"C50\"]\n[Opening \"of mine\"]\n\n1. e4 *\n\n[White \"Dan\"]\n\n1. d4 *\n"
	must.Do(t, os.WriteFile("g.pgn", []byte(games), 0o644))
	for width, want := range map[string]bool{"60": false, "120": true} {
		t.Setenv("COLUMNS", width)
		r := mustRun(t, "find", "-q", "g.pgn", "id:1..2")
		if strings.Contains(r.out, "opening\n") != want || strings.Contains(r.out, "Sicilian Najdorf\n") != want && strings.Contains(r.out, "Najdorf") != want {
			t.Errorf("%s columns:\n%s", width, r.out)
		}
		if r := mustRun(t, "find", "-q", "g.pgn", "player:dan"); strings.Contains(r.out, "opening") {
			t.Errorf("a column without values:\n%s", r.out)
		}
	}
	for id, want := range map[string]string{"1": "[ECO \"B90\"]\n[Opening \"Sicilian Defense: Najdorf Variation\"]", "2": "[Opening \"of mine\"]"} {
		if r := mustRun(t, "show", "g.pgn", id); !strings.Contains(strings.ReplaceAll(r.out, "[PlyCount \"4\"]\n", ""), want) {
			t.Errorf("show %s:\n%s", id, r.out)
		}
	}
	for _, how := range []string{"--lossless", "--plain", "--json"} {
		if r := mustRun(t, "show", "g.pgn", "1", how); strings.Contains(r.out, "Najdorf") {
			t.Errorf("show %s:\n%s", how, r.out)
		}
	}
}

// Scores by what games have in common end with the totals, and opponents need a player.
func TestStatsBy(t *testing.T) {
	t.Chdir(t.TempDir())
	games := ""
	for i := range 25 {
		games += fmt.Sprintf("[White \"Ada\"]\n[Black \"B%02d\"]\n[Date \"20%02d.03.??\"]\n[BlackElo \"%d\"]\n[Result \"%s\"]\n\n1. e4 *\n\n", i, i, 1000+100*i, cmp.Or(map[int]string{7: "0-1", 9: "1/2-1/2"}[i], "1-0"))
	}
	must.Do(t, os.WriteFile("g.pgn", []byte(games), 0o644))
	for by, want := range map[string][]string{
		"opponent": {"B00", "B19", "all", "and 5 more rows"}, "month": {"2005.03", "2024.03", "all"}, "elo": {"1500-1599", "3400-3499"},
	} {
		r := mustRun(t, "stats", "-q", "g.pgn", "ada", "--by", by)
		for _, word := range want {
			if !strings.Contains(r.out+r.errOut, word) {
				t.Errorf("--by %s has no %s:\n%s%s", by, word, r.out, r.errOut)
			}
		}
		if n := strings.Count(r.out, "\n"); n != 25 {
			t.Errorf("--by %s: %d lines", by, n)
		}
		if r := mustRun(t, "stats", "-q", "g.pgn", "ada", "--by", by, "--csv"); strings.Count(r.out, "\n") != 26 {
			t.Errorf("--by %s --csv:\n%s", by, r.out)
		}
	}
	for sort, want := range map[string]string{"wins": `^opponent,B0[79],.*\n(?s:.*)opponent,B0[79],(?s:.*)opponent,B00(?s:.*)month,2007.03`, "percent": `^opponent,B07,.*\nopponent,B09,.*\nopponent,B00,(?s:.*)month,2007.03,.*\nmonth,2009.03,`} {
		r := mustRun(t, "stats", "-q", "g.pgn", "ada", "--by", "opponent,month", "--csv", "--sort", sort)
		if _, rows, _ := strings.Cut(r.out, "\n"); !regexp.MustCompile(want).MatchString(rows) {
			t.Errorf("--sort %s:\n%s", sort, r.out)
		}
	}
	for _, args := range []string{"ada --sort wins", "--by opponent", "--by color", "--by weekday", "--by elo,opponent"} {
		if r := cbkit(t, "", append([]string{"stats", "g.pgn"}, strings.Fields(args)...)...); r.status != exitUsage {
			t.Errorf("%s: %d", args, r.status)
		}
	}
}

// Conditions choose the records that an edit changes, in all formats that are changed in place.
func TestEditWhere(t *testing.T) {
	t.Chdir(t.TempDir())
	const games = "[White \"Ada\"]\n[Result \"1-0\"]\n\n1. e4 {a} e5 1-0\n\n[White \"Ben\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. c4 e6 1-0\n\n[White \"Ada\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n\n"
	write := func(name string) {
		must.Do(t, os.WriteFile("g.pgn", []byte(games), 0o644))
		if name != "g.pgn" {
			mustRun(t, "convert", "-q", "--force", "g.pgn", name)
		}
	}
	for _, name := range []string{"g.pgn", "g.jsonl", "G.cbh", "D.dci"} {
		write(name)
		count := func(query, want string) {
			t.Helper()
			if r := mustRun(t, "find", "-q", name, query, "--count"); r.out != want+" found\n" {
				t.Errorf("%s: %s: %s, want %s", name, query, r.out, want)
			}
		}
		r := mustRun(t, "edit", name, "--where", "moves:..1", "--delete", "--dry-run")
		if !strings.Contains(r.errOut, ": 2 ") {
			t.Errorf("%s: %s", name, r.errOut)
		}
		count("moves:..1", "2")
		mustRun(t, "edit", "-q", "--where=winner:ada", "--drop-annotations", name)
		count("has:text", "0")
		mustRun(t, "edit", "-q", name, "--where", "player:ada", "--set", "round=5", "--set", "whiteElo=2000")
		count("round:5 white-elo:2000", "2")
		for _, args := range []string{"--where winner:ada --delete 1", "--where winner:ada --set 1.round=3", "--where winner:ada", "--where xyz:1 --delete", "--delete - --undelete -"} {
			if r := cbkit(t, "1\n2", append([]string{"edit", name}, strings.Fields(args)...)...); r.status != exitUsage {
				t.Errorf("%s %s: %d, %s", name, args, r.status, r.errOut)
			}
		}
		if r := cbkit(t, "", "edit", name, "--where", "winner:zoe", "--delete"); r.status == exitDone {
			t.Errorf("%s: %s", name, r.errOut)
		}
		mustRun(t, "edit", "-q", name, "--delete", "--where", "winner:ada or loser:ada")
		count("round:5", "0")
		if name != "g.pgn" {
			mustRun(t, "edit", "-q", name, "--undelete", "--where", "id:1..2")
			count("id:1..", "2")
		}
		write(name)
		if r := cbkit(t, "1\n3\n", "edit", "-q", name, "--delete", "-"); r.status != exitDone {
			t.Errorf("%s: %d, %s", name, r.status, r.errOut)
		}
		count("player:ada", "0")
	}
}
