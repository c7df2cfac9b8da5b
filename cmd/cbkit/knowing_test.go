package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
)

// Who is in a database, in every format that is read, and from standard input.
func TestListEverySource(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "convert", "-q", "games.pgn", "Games.dci", "--chess960")
	mustRun(t, "convert", "-q", "games.pgn", "Games.jsonl")
	mustRun(t, "export", "-q", "games.pgn", "games.pgn.zst")
	mustRun(t, "pack", "-q", "Games.cbh", "Games.cbv")
	numbers := regexp.MustCompile(`(?m)^ *#[0-9]* +`) // every format counts its names in its own way
	unnumbered := func(s string) string { return numbers.ReplaceAllString(s, "") }
	want := unnumbered(mustRun(t, "list", "games.pgn", "players").out)
	if !strings.Contains(want, "Morphy, Paul") || !strings.HasSuffix(want, " players\n") {
		t.Errorf("%s", want)
	}
	for _, db := range []string{"Games.cbh", "Games.dci", "Games.jsonl", "games.pgn.zst", "Games.cbv"} {
		if r := mustRun(t, "list", db, "players"); unnumbered(r.out) != want {
			t.Errorf("%s:\n%s\nwant\n%s", db, r.out, want)
		}
	}
	if r := cbkit(t, string(sample), "list", "-", "players"); unnumbered(r.out) != want || r.status != exitDone {
		t.Errorf("standard input: %+v", r)
	}
	if r := mustRun(t, "list", "Games.cbh", "players", "--name", "mor*", "--limit", "1", "--json"); !json.Valid([]byte(r.out)) ||
		!strings.Contains(r.out, `"name":"Morphy, Paul","games":`) {
		t.Errorf("--json: %s", r.out)
	}
	if r := cbkit(t, "", "list", "Games.cbh", "people"); r.status != exitUsage {
		t.Errorf("%+v", r)
	}
}

// A player's score adds up, and who has no game is told.
func TestStatsVerb(t *testing.T) {
	here(t)
	r := mustRun(t, "stats", "games.pgn", "--player", "Morphy*")
	if !strings.HasPrefix(r.out, "Morphy, Paul: ") || !strings.Contains(r.out, "With White") {
		t.Errorf("%s", r.out)
	}
	var answer struct {
		All, White, Black struct{ Games, Wins, Draws, Losses int }
		Openings          []struct{ All struct{ Games int } }
	}
	must.Do(t, json.Unmarshal([]byte(mustRun(t, "stats", "games.pgn", "--player", "Morphy*", "--json").out), &answer))
	sum := 0
	for _, o := range answer.Openings {
		sum += o.All.Games
	}
	if answer.All.Games == 0 || answer.White.Games+answer.Black.Games != answer.All.Games || sum != answer.All.Games {
		t.Errorf("%+v", answer)
	}
	fails(t, exitFailed, `no player is called "Nobody"`, "stats", "games.pgn", "--player", "Nobody")
	if r := cbkit(t, "", "stats", "games.pgn", "--vs", "Nobody"); r.status != exitUsage {
		t.Errorf("%+v", r)
	}
}

// The largest tournament of a real database comes first.
func TestListTournaments(t *testing.T) {
	r := mustRun(t, "list", corpus.Path(t, "cbh/twic1134/twic1134.cbh"), "tournaments", "--limit", "1")
	want := "  #  Tournament               Games  Years  Elo        Cat  Type   Place\n" +
		"#17  Xtracon Chess Open 2016   1176  2016   1020-2699       swiss  Helsingor DEN\n48 tournaments, 1 shown\n"
	if r.out != want {
		t.Errorf("%s", r.out)
	}
}

// Tables stand in columns whatever the script, and what could move a cursor is
// shown.
func TestColumnsOfATerminal(t *testing.T) {
	var out strings.Builder
	err := printColumns(&out, []column{text("Name", 7), number("N")}, [][]string{{"Иван", "1"}, {"王小明", "20"}, {"a\x1bb", "3"}, {"Nepomnjascij", "4"}})
	want := "Name      N\nИван      1\n王小明   20\na\\x1bb    3\nNepomn…   4\n"
	if out.String() != want || err != nil {
		t.Errorf("%q\nwant\n%q", out.String(), want)
	}
}

// A tournament is found by a part of its title; of several that fit, one has to
// be chosen.
func TestTableVerb(t *testing.T) {
	db := corpus.Path(t, "cbh/twic1134/twic1134.cbh")
	r := mustRun(t, "table", db, "Biel", "Exhibition", "Blitz", "RR")
	want := `Biel Exhibition Blitz RR 2016, Biel SUI, 2016.07.30, category 15, average 2608,
6 players, 15 games

   Player                Elo  1 2 3 4 5 6 Points  Games  SB  Wins  Perf
1  Vachier Lagrave, M   2798  x ½ 1 ½ 1 ½     3½      5  8      2  2719
2  Svidler, P           2759  ½ x 0 1 1 1     3½      5  7¼     3  2726
`
	if !strings.HasPrefix(r.out, want) {
		t.Errorf("%s", r.out)
	}
	mustRun(t, "table", db, "sabbiadoro").prints(t, " 1  Begelman, Boris    2220  26w1 8b1  2w½      2½      4½    4½  3¼     2  2528\n")
	if r := mustRun(t, "table", db, "K Novikov Memorial 2016", "--json"); !json.Valid([]byte(r.out)) ||
		!strings.Contains(r.out, `"system":"round-robin"`) || !strings.Contains(r.out, `"sonnebornBerger":27.5`) {
		t.Errorf("%s", r.out)
	}
	several := cbkit(t, "", "table", db, "Biel")
	if several.status != exitFailed || strings.Count(several.out, "\n") != 5 || !strings.HasPrefix(several.errOut, "cbkit: \"Biel\": 4 tournaments fit; name one of them, or its number, \"#") {
		t.Errorf("%+v", several)
	}
	if _, number, _ := strings.Cut(several.errOut, "number, \""); !strings.Contains(mustRun(t, "table", db, strings.Trim(number, "\"\n")).out, "Biel") {
		t.Errorf("the number in %q is not taken", several.errOut)
	}
	fails(t, exitFailed, `no tournament is called "Linares 2001"`, "table", db, "Linares 2001")
}

// A report is the same with search boosters and without, for moves and for a FEN.
func TestReportVerb(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	text := mustRun(t, "report", "games.pgn", "e4", "e5").out
	if !strings.HasPrefix(text, "C20 King's Pawn Game\n1.e4 e5\nrnbqkbnr/") || !strings.Contains(text, "\nf4 ") {
		t.Errorf("%s", text)
	}
	for _, args := range [][]string{{"1.e4 e5"}, {"e2e4", "e7e5"}, {"1.", "e4", "1...", "e5"}} {
		if r := mustRun(t, append([]string{"report", "Games.cbh"}, args...)...); r.out != text {
			t.Errorf("%v: %s", args, r.out)
		}
	}
	end := "1.e4 e5 2.Nf3 d6 3.d4 Bg4 4.dxe5 Bxf3 5.Qxf3 dxe5 6.Bc4 Nf6 7.Qb3 Qe7 8.Nc3 c6 9.Bg5 b5 10.Nxb5 cxb5 11.Bxb5+"
	plain := mustRun(t, "report", "Games.cbh", end, "--json").out
	mustRun(t, "boosters", "-q", "Games.cbh")
	if r := mustRun(t, "report", "Games.cbh", end, "--json"); r.out != plain || !strings.Contains(r.out, `"san":"Nbd7"`) {
		t.Errorf("%s\nwithout boosters %s", r.out, plain)
	}
	fails(t, exitUsage, `"e9" after 0 moves`, "report", "games.pgn", "e9")
	fails(t, exitFailed, "no game reaches", "report", "games.pgn", "8/8/8/8/8/5k2/8/4K2R")
}

// Games get codes by their positions; the openings are printed.
func TestEcoVerb(t *testing.T) {
	here(t)
	r := mustRun(t, "eco", "-q", "games.pgn", "named.pgn")
	if !strings.HasPrefix(r.out, "ECO  Opening") || !strings.Contains(r.out, "C41  Philidor Defense") {
		t.Errorf("%s", r.out)
	}
	mustRun(t, "export", "-q", "named.pgn", "-").prints(t, `[Opening "Philidor Defense`)
	mustRun(t, "eco", "-q", "games.pgn", "Games.cbh", "--json")
	mustRun(t, "check", "Games.cbh")
	mustRun(t, "stats", "Games.cbh").prints(t, "C41 Philidor Defense")
	if r := mustRun(t, "eco", "games.pgn", "-"); !strings.HasPrefix(r.out, "[Event") || !strings.Contains(r.errOut, "ECO  Opening") {
		t.Errorf("%+v", r)
	}
	if r := cbkit(t, "", "eco", "games.pgn", "-", "--json"); r.status != exitUsage {
		t.Errorf("%+v", r)
	}
}

// A book is asked for moves as for a FEN.
func TestProbeMoves(t *testing.T) {
	here(t)
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	want := mustRun(t, "book", "probe", "Book.ctg", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").out
	for _, args := range [][]string{{"e4", "e5"}, {"1.e4 e5"}, {"e2e4 e7e5"}} {
		if r := mustRun(t, append([]string{"book", "probe", "Book.ctg"}, args...)...); r.out != want || !strings.Contains(want, "f4") {
			t.Errorf("%v: %s", args, r.out)
		}
	}
}
