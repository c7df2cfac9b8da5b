package main

import (
	"strings"
	"testing"
)

// A position is typed in one way everywhere, and what is wrong with it is said in the
// same words.
func TestPositionsAreTypedAlike(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for moves, says := range map[string]string{
		"e4 e5 Nf9": `"Nf9" after 2 moves: not a move; give a FEN, or moves from the start of a game`,
		"rubbish":   `"rubbish" after 0 moves: not a move; give a FEN, or moves from the start of a game`,
		"1.e4 Ke7":  `"Ke7" after 1 move: `,
	} {
		for _, args := range [][]string{
			{"find", "Games.cbh", "--fen", moves}, {"find", "games.pgn", `fen:"` + moves + `"`},
			{"report", "Games.cbh", moves}, {"book", "probe", "Book.ctg", moves}, {"book", "edit", "Book.ctg", moves, "--weight", "1"},
		} {
			fails(t, exitUsage, says, args...)
		}
	}
	for _, moves := range []string{"e4 e5", "1.e4 e5", "e2e4, e7e5", "start e4 e5"} {
		args := append([]string{"book", "edit", "Book.ctg", "--dry-run", "--weight", "7"}, strings.Fields(moves)...)
		if r := mustRun(t, args...); !strings.Contains(r.errOut, "1 position changed") {
			t.Errorf("%v: %+v", args, r)
		}
	}
	mustRun(t, "book", "edit", "-q", "Book.ctg", "1.e4", "e5", "--mark", "!")
	mustRun(t, "book", "probe", "Book.ctg", "e4").prints(t, "e5!")
	if r := mustRun(t, "find", "Games.cbh", `fen:"e4 e5" year:1858`, "--count"); r.out != "1 found\n" {
		t.Errorf("%s", r.out)
	}
}

// One grammar of conditions: what find finds is what the other verbs take.
func TestWhere(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "edit", "-q", "Games.cbh", "--append", "games.pgn")
	mustRun(t, "edit", "-q", "Games.cbh", "--delete", "6")
	const where = `player:Morphy or (year:..1899 fen:"e4 e5 f4")` // games 1, 2 and 5; 6 is deleted
	if r := mustRun(t, "find", "Games.cbh", where, "--format", "ids"); r.out != "1\n2\n5\n" {
		t.Fatalf("%s", r.out)
	}
	for line, says := range map[string]string{
		"stats Games.cbh":                          "3 games, 1851-1858",
		"stats games.pgn":                          "2 games, 1851-1858",
		"report Games.cbh e4":                      "3 games, 1851-1858",
		"report Games.cbh e4 e5 f4 exf4":           "1 game, 1851",
		"list Games.cbh tournaments":               "2 tournaments",
		"table Games.cbh London":                   "2 players, 1 game",
		"export Games.cbh out.pgn":                 "out.pgn: 3 records",
		"export Games.cbh all.pgn --deleted":       "all.pgn: 4 records",
		"export Games.cbh out.jsonl.gz":            "out.jsonl.gz: 3 records",
		"export Games.cbh tables --format parquet": "3 games",
		"export Games.cbh out.html":                "out.html: 3 records",
		"split Games.cbh Years --by year":          "Years: 3 records in 2 parts",
		"book build Games.cbh games.pgn Book.ctg":  "Book.ctg: ",
	} {
		r := cbkit(t, "", append(strings.Fields(line), "--where", where)...)
		if r.status != exitDone || !strings.Contains(r.out+r.errOut, says) {
			t.Errorf("%s: %+v", line, r)
		}
	}
	mustRun(t, "book", "info", "Book.ctg").prints(t, "games          5\n")
	mustRun(t, "book", "add", "-q", "Book.ctg", "games.pgn", "--where", "year:1858")
	mustRun(t, "book", "info", "Book.ctg").prints(t, "games          6\n")
	// Where none is met, that is said, with names that may have been meant, and nothing is made.
	was := folder(t)
	for _, line := range []string{
		"stats Games.cbh", "list games.pgn players", "export Games.cbh new.pgn", "export games.pgn new.jsonl", "split Games.cbh New --by year",
		"book build games.pgn New.ctg", "report Games.cbh e4", "table Games.cbh London", "export Games.cbh new --format parquet", "export Games.cbh new.html",
	} {
		r := cbkit(t, "", append(strings.Fields(line), "--where", "player:Morfzy")...)
		if r.status != exitFailed || !strings.Contains(r.errOut, `no player is called "Morfzy"; did you mean "Morphy, Paul"?`) ||
			!strings.Contains(r.errOut, ": no game meets the conditions of --where\n") {
			t.Errorf("%s: %+v", line, r)
		}
	}
	unchanged(t, "nothing was found", was)
	fails(t, exitUsage, `"lost" is nothing to search for; did you mean "loser"?`, "find", "Games.cbh", "lost:morphy")
	fails(t, exitUsage, `--where: query, character 1: "colour" is nothing to search for`, "stats", "Games.cbh", "--where", "colour:red")
}

// A part of a position: pieces that must and must not stand there at the same time.
func TestPattern(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "boosters", "-q", "Games.cbh")
	for pattern, want := range map[string]string{
		"Pd4,!Pc,!Pe": "", "Pe4,!pe": "1\n2\n", "Nd5,!qd": "2\n", "Be7": "2\n", "!N,!n,!B": "3\n", "Qb8": "1\n", "Qb8,nd7": "1\n", "Qb8,q": "1\n", "Qb8,!q": "",
	} {
		for _, db := range []string{"Games.cbh", "games.pgn"} {
			if r := mustRun(t, "find", db, "--format", "ids", "--pattern", pattern); r.out != want {
				t.Errorf("%s in %s: %q, want %q", pattern, db, r.out, want)
			}
		}
	}
}

// The number that a list prints is taken wherever a player is named.
func TestNumbersOfPlayers(t *testing.T) {
	here(t)
	// Two who print alike.
	save(t, "twins.jsonl", `{"id":1,"kind":"game","white":"Lee, Jo","black":"Fox, A","result":"1-0","moves":[{"uci":"e2e4"}]}
{"id":2,"kind":"game","white":"Fox, A","black":"Lee, Jo","result":"1-0","moves":[{"uci":"d2d4"}]}
`)
	mustRun(t, "import", "-q", "twins.jsonl", "Twins.cbh")
	if r := mustRun(t, "list", "Twins.cbh", "players"); !strings.Contains(r.out, "#0  Lee, Jo") {
		t.Fatalf("%s", r.out)
	}
	for line, says := range map[string]string{
		"stats Twins.cbh #0":                                   "Lee, Jo: 2 games",
		"stats twins.jsonl --player #1 --vs #0":                "Fox, A against Lee, Jo: 2 games",
		"find Twins.cbh player:#0 --count":                     "2 found",
		"stats Twins.cbh #0 --where white-player:#1":           "Lee, Jo: 1 game",
		"book build Twins.cbh B.ctg --player #0 --color white": "1 game",
	} {
		if r := cbkit(t, "", strings.Fields(line)...); r.status != exitDone || !strings.Contains(r.out+r.errOut, says) {
			t.Errorf("%s: %+v", line, r)
		}
	}
	fails(t, exitFailed, `no player is called "#9"`, "stats", "Twins.cbh", "#9")
}

// A tag that the model has no field for can be asked for.
func TestFindTag(t *testing.T) {
	here(t)
	save(t, "tags.pgn", "[White \"A\"]\n[TimeControl \"300+3\"]\n\n1. e4 *\n\n[White \"B\"]\n[TimeControl \"1300+3\"]\n\n1. d4 *\n")
	for query, want := range map[string]string{
		"tag:TimeControl=300+3": "1 found", "tag:timecontrol=*300+?": "2 found", "tag:TimeControl=300": "0 found", "not tag:TimeControl=300+3": "1 found",
	} {
		if r := mustRun(t, "find", "tags.pgn", query, "--count"); !strings.Contains(r.out+r.errOut, want) {
			t.Errorf("%s: %+v", query, r)
		}
	}
	fails(t, exitUsage, "TimeControl=300+3", "find", "tags.pgn", "tag:x")
}

// A name that is there is not offered in its own place, where conditions leave none of
// its games.
func TestNameWithoutGames(t *testing.T) {
	here(t)
	save(t, "a.pgn", "[Event \"London\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n\n[Event \"Paris\"]\n[White \"C\"]\n[Black \"D\"]\n\n1. d4 *\n")
	mustRun(t, "import", "-q", "a.pgn", "A.cbh")
	r := cbkit(t, "", "table", "A.cbh", "London", "--where", "white-player:C")
	if r.status != exitFailed || strings.Contains(r.errOut, "did you mean") || !strings.Contains(r.errOut, `no game of the tournament "London"`) {
		t.Errorf("%+v", r)
	}
}

// Where a site ends with the code of a country, it is asked for as one.
func TestNationOfSite(t *testing.T) {
	here(t)
	save(t, "a.pgn", "[Event \"1\"]\n[Site \"Biel SUI\"]\n\n1. e4 *\n\n[Event \"2\"]\n[Site \"SUI Biel\"]\n\n1. d4 *\n\n[Event \"3\"]\n[Site \"Bonn #9\"]\n\n1. c4 *\n")
	mustRun(t, "import", "-q", "a.pgn", "A.cbh")
	for _, from := range []string{"a.pgn", "A.cbh"} {
		for query, want := range map[string]string{"nation:SUI": "1 found", "nation:GER": "0 found", "nation:*": "1 found"} {
			if r := mustRun(t, "find", from, query, "--count"); !strings.Contains(r.out+r.errOut, want) {
				t.Errorf("%s %s: %+v", from, query, r)
			}
		}
	}
}

// Positions are looked for on main lines; where none is found that is said, and what
// looks further does, with and without search boosters.
func TestVariations(t *testing.T) {
	here(t)
	save(t, "side.pgn", `[White "A"]

1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. Bb5) 3. d4) 2. Nf3 *

[White "B"]

1. d4 d5 *
`)
	mustRun(t, "import", "-q", "side.pgn", "Side.cbh")
	mustRun(t, "boosters", "-q", "Side.cbh")
	const hint = "only main lines were searched; --variations searches variations too\n"
	for _, name := range []string{"side.pgn", "Side.cbh"} {
		for _, asked := range [][]string{
			{"--fen", "1.e4 c5"}, {"--piece", "Bb5"}, {"--pattern", "Pd4,Pe4"}, {"--pawns", "8/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/8"}, {`fen:"e4 c5 Nf3 Nc6@..4"`},
		} {
			args := append([]string{"find", "-q", name, "--format", "ids"}, asked...)
			if r := mustRun(t, args...); r.out != "" || r.errOut != hint {
				t.Errorf("%v: %+v", args, r)
			}
			if r := mustRun(t, append(args, "--variations")...); r.out != "1\n" || r.errOut != "" {
				t.Errorf("%v --variations: %+v", args, r)
			}
		}
		for query, want := range map[string]string{
			`piece:Bb5@variations`: "1 found\n", `piece:Bb5@..4,variations`: "0 found\n", `piece:Bb5@variations,5..5`: "1 found\n",
			`fen:"e4 c5@variations" or fen:"d4"`: "2 found\n", `not fen:"e4 c5@variations"`: "1 found\n",
		} {
			if r := mustRun(t, "find", "-q", name, "--count", query); r.out != want || r.errOut != "" {
				t.Errorf("%s, %s: %+v", name, query, r)
			}
		}
		for query, says := range map[string]string{
			`fen:"e4 c5" player:Nobody`: `no player is called "Nobody"` + "\n", `not kind:game`: "", `not fen:"" `: "",
		} {
			if r := cbkit(t, "", "find", "-q", name, "--count", query); strings.Contains(r.errOut, "main lines") || says != "" && r.errOut != says {
				t.Errorf("%s, %s: %+v", name, query, r)
			}
		}
		mustRun(t, "find", name, "--fen", "e4 c5", "--json").prints(t, `"mainLinesOnly":true`)
		fails(t, exitFailed, `only main lines were searched; fen:"e4 c5@variations" searches`, "stats", "-q", name, "--where", `fen:"e4 c5"`)
		mustRun(t, "stats", "-q", name, "--where", `fen:"e4 c5@variations"`).prints(t, "1 game")
	}
	for _, args := range [][]string{{"--player", "A"}, {"--end", "K-K"}, {"player:A"}} {
		fails(t, exitUsage, "--variations: is for --material", append([]string{"find", "side.pgn", "--variations"}, args...)...)
	}
}
