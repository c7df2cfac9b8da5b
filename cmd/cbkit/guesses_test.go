package main

import (
	"regexp"
	"strings"
	"testing"
)

// Verbs that people guess are no verbs here, and are told the command that does it,
// which has the flags that it is told with.
func TestGuessedVerbs(t *testing.T) {
	here(t)
	flag := regexp.MustCompile(`--[a-z-]+`)
	for _, g := range guesses {
		words := strings.Fields(g.words)
		if words[0] == "book" {
			words = []string{g.words}
		}
		verb := strings.Fields(g.command)[:1]
		if verb[0] == "book" {
			verb = strings.Fields(g.command)[:2]
		}
		help := mustRun(t, append(verb, "--help")...).out
		for _, f := range flag.FindAllString(g.command, -1) {
			if !strings.Contains(help, f) {
				t.Errorf("cbkit %s has no %s", strings.Join(verb, " "), f)
			}
		}
		for _, word := range words {
			if verbPaths()[word] {
				t.Errorf("%q is a verb", word)
			}
			want := "; cbkit " + g.command + " does that; see cbkit " + strings.Join(verb, " ") + " --help\n"
			for _, args := range [][]string{append(strings.Fields(word), "games.pgn"), strings.Fields(strings.ToUpper(word[:1]) + word[1:]), append([]string{"help"}, strings.Fields(word)...)} {
				if args[0] == "Book" {
					continue
				}
				if r := cbkit(t, "", args...); r.status != exitUsage || !strings.HasSuffix(r.errOut, want) || r.out != "" {
					t.Errorf("%q: %+v", args, r)
				}
			}
		}
	}
	for _, args := range [][]string{{"help", "me"}, {"nonsense"}, {"help", "book", "nonsense"}, {"book", "nonsense", "x"}} {
		if r := cbkit(t, "", args...); r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 || !strings.Contains(r.errOut, "--help") {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// Case does not matter where there is a choice, and what is clear is understood.
func TestChoicesAsTyped(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	for typed, meant := range map[string]string{
		"list Games.cbh Players --by NAME":                                    "list Games.cbh players --by name",
		"list Games.cbh events":                                               "list Games.cbh tournaments",
		"list Games.cbh player":                                               "list Games.cbh players",
		"find Games.cbh --player morphy --format IDS":                         "find Games.cbh --player morphy --format ids",
		"find games.pgn --has Comments":                                       "find games.pgn --has text",
		"find games.pgn --has variation":                                      "find games.pgn --has variations",
		"find Games.cbh --result Draw":                                        "find Games.cbh --result 1/2",
		"find Games.cbh Paul Morphy":                                          "find Games.cbh --player Morphy,Paul",
		"find Games.cbh morphy":                                               "find Games.cbh player:morphy",
		"find Games.cbh --fen 1.e4":                                           "find Games.cbh --fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
		"find games.pgn --count --has annotations":                            "find games.pgn --count (has:text,or,has:symbols,or,has:arrows,or,has:squares,or,has:training,or,has:clock,or,has:time-spent,or,has:critical)",
		"table Games.cbh london --system Swiss":                               "table Games.cbh london --system swiss",
		"stats Games.cbh --player morphy --json":                              "stats Games.cbh --player Morphy,P --json",
		"export games.pgn - --format PGN":                                     "export games.pgn - --format pgn",
		"book build --force -q Games.cbh B.ctg --player morphy --color White": "book build --force -q Games.cbh B.ctg --player morphy --color white",
	} {
		got := mustRun(t, strings.Fields(typed)...)
		var args []string
		for word := range strings.FieldsSeq(meant) {
			args = append(args, strings.ReplaceAll(word, ",or,", " or "))
		}
		if want := mustRun(t, args...); got != want || got.out == "" && !strings.HasPrefix(typed, "book") {
			t.Errorf("%s:\n%+v\n%s:\n%+v", typed, got, meant, want)
		}
	}
	mustRun(t, "split", "-q", "games.pgn", "Parts", "--by", "Year")
	for line, says := range map[string]string{
		"find games.pgn --moves e4":         "--fen takes the moves of an opening",
		"find games.pgn --has nonsense":     "there are annotations, arrows,",
		"find games.pgn Nobody":             `no player is called "Nobody"`,
		"find games.pgn nobody eco:C":       `a term has a name, a colon and a value, such as player:nobody`,
		"find games.pgn --fen nonsense":     "FEN",
		"split games.pgn Months --by month": `--by: "month" is no way to split; there are white, player, event, eco, year, or a number of games`,
		"sort games.pgn s.pgn --by length":  `"length" is no key to sort by`,
		"list games.pgn people":             "see cbkit list --help",
	} {
		if r := cbkit(t, "", strings.Fields(line)...); !strings.Contains(r.errOut, says) || strings.Contains(r.errOut, "collect:") || strings.Contains(r.errOut, "stats:") {
			t.Errorf("%s: %+v", line, r)
		}
	}
	// The value of a flag is nothing that stands in the wrong order.
	if r := cbkit(t, "", "stats", "--player", "Nobody", "games.pgn"); strings.Contains(r.errOut, "is there") {
		t.Errorf("%+v", r)
	}
}

// Of a board alone a book knows the rest: who may castle, and who is to move.
func TestProbeTheBoardAlone(t *testing.T) {
	here(t)
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for board, moves := range map[string]string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR":      "start",
		"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR":  "e4 e5",
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR":    "e4",
		"rnb1kbnr/pppp1ppp/8/8/2B1Pp1q/8/PPPP2PP/RNBQ1KNR": "e4 e5 f4 exf4 Bc4 Qh4 Kf1",
		"7K/8/k1P5/7p/8/8/8/8":                             "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
	} {
		if got, want := mustRun(t, "book", "probe", "Book.ctg", board).out, mustRun(t, "book", "probe", "Book.ctg", moves).out; got != want || want == "" {
			t.Errorf("%s:\n%s\n%s:\n%s", board, got, moves, want)
		}
	}
	if r := cbkit(t, "", "book", "probe", "Book.ctg", "8/8/8/8/8/8/8/8"); r.status == exitDone {
		t.Errorf("%+v", r)
	}
}
