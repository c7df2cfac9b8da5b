package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Verbs that people guess are no verbs here, and are told the command that does it,
// which has the flags that it is told with.
func TestGuessedVerbs(t *testing.T) {
	here(t)
	flag := regexp.MustCompile(`--[a-z-]+`)
	for i, word := range slices.Sorted(maps.Keys(verbGuesses())) {
		if !isTried(i, 17) {
			continue
		}
		command := verbGuesses()[word]
		verb := strings.Fields(command)[:1]
		if verb[0] == "book" {
			verb = strings.Fields(command)[:2]
		}
		help := mustRun(t, append(verb, "--help")...).out
		for _, f := range flag.FindAllString(command, -1) {
			if !strings.Contains(help, f) {
				t.Errorf("cbkit %s has no %s", strings.Join(verb, " "), f)
			}
		}
		if isVerb(word) {
			t.Errorf("%q is a verb", word)
		}
		want := "; cbkit " + command + " does that; see cbkit " + strings.Join(verb, " ") + " --help\n"
		for _, args := range [][]string{append(strings.Fields(word), "games.pgn"), strings.Fields(strings.ToUpper(word[:1]) + word[1:]), append([]string{"help"}, strings.Fields(word)...)} {
			if args[0] == "Book" {
				continue
			}
			if r := cbkit(t, "", args...); r.status != exitUsage || !strings.HasSuffix(r.errOut, want) || r.out != "" {
				t.Errorf("%q: %+v", args, r)
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
		"sort games.pgn s.pgn --by beauty":  `"beauty" is no key to sort by`,
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

// Flags that people guess are told the flag that the verb has, and arguments that are
// missing or too many what to write.
func TestGuessedFlags(t *testing.T) {
	known := map[string]bool{"OUT": true, "POSITION": true}
	for _, v := range allVerbs() {
		for _, f := range v.flags {
			known["--"+f.Name] = true
		}
	}
	for tried, list := range flagGuesses() {
		for name := range strings.FieldsSeq(list) {
			if !known[name] || name == tried {
				t.Errorf("%s: no verb has %s", tried, name)
			}
		}
	}
	here(t)
	save(t, "zeros.pgn", strings.Repeat("\x00", 200))
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for line, says := range map[string]string{
		"find Games.cbh --position e4":             "unknown flag --position; --fen=FEN|MOVES does that",
		"find Games.cbh --loser x":                 "unknown flag --loser; 'loser:NAME' in a query does that",
		"stats Games.cbh --time-control blitz":     "'time-control:SPEED' in a query does that",
		"find Games.cbh --event x":                 "--tournament=NAME does that",
		"find Games.cbh --export x.pgn":            "--output=OUT does that",
		"find Games.cbh --eco C out.pgn":           "out.pgn: one database is searched; -o out.pgn writes what is found",
		"sort Games.cbh -o x.cbh":                  "what to make is the last argument",
		"convert Games.cbh --to x.cbh":             "what to make is the last argument",
		"book probe Book.ctg --moves e4":           "the position is the last argument",
		"edit Games.cbh --add x.pgn":               "--append=FILE does that",
		"edit Games.cbh --rename a=b":              "--rename-player=OLD=NEW does that",
		"edit Games.cbh append x.pgn":              "did you mean --append=FILE?",
		"edit Games.cbh --delete 1 3":              "write several numbers as 1,3-5",
		"edit Games.cbh --annotate 1 n.pgn":        "write --annotate ID=FILE as one word",
		"edit Games.cbh --rename-player Morphy P.": "write --rename-player OLD=NEW as one word",
		"stats Games.cbh --opponent x":             "--vs=NAME does that",
		"dedup Games.cbh --list":                   "--dry-run does that",
		"games.pgn":                                "cbkit info games.pgn tells what it is",
		"compact games.pgn":                        "holds games as text; make a database of it first: cbkit import games.pgn Games.cbh",
		"book probe games.pgn e4":                  "or a book: cbkit book build",
		"check games.pgn":                          "cbkit info tells",
		"info zeros.pgn":                           "zeros.pgn: the file is empty, or holds blanks and zeros alone",
		"import zeros.pgn x.cbh":                   "zeros.pgn: the file is empty, or holds blanks and zeros alone",
		"import games.pgn Games.cbh":               "choose another name or use --force; --append adds the games to it",
		"find Games.cbh":                           "find needs a condition",
		"dedup Games.cbh":                          "let --dry-run list the duplicates",
		"list Games.cbh":                           "players, tournaments, annotators, sources, teams or titles; see cbkit list --help",
		"split Games.cbh --by year":                `expected "<dir>": folder of the parts`,
		"book probe Book.ctg e4 c5":                "the position after 1.e4 c5 is not in the book",
		"book edit Book.ctg d4 --unreached":        "unknown flag --unreached; it is gone",
		"export Games.cbh x.jsonl --nonsense":      "unknown flag --nonsense; see cbkit export --help",
	} {
		if r := cbkit(t, "", strings.Fields(line)...); r.status == exitDone || !strings.Contains(r.errOut, says) || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("%s: %+v", line, r)
		}
	}
	for typed, meant := range map[string]string{
		"find Games.cbh --count":                            "find Games.cbh --count kind:game",
		"find games.pgn --limit 2":                          "find games.pgn --limit 2 kind:game",
		"stats Games.cbh paul morphy":                       "stats Games.cbh --player Morphy,Paul",
		"find Games.cbh --moves <18":                        "find Games.cbh --moves ..17",
		"find Games.cbh --moves >=18":                       "find Games.cbh --moves 18..",
		"find Games.cbh --moves 18+":                        "find Games.cbh --moves 18..",
		"find Games.cbh --moves 1.. --sort -year":           "find Games.cbh --moves 1.. --sort=-date",
		"sort Games.cbh -q --force s.jsonl --by -year":      "sort Games.cbh -q --force s.jsonl --by=-date",
		"export Games.cbh - --games 1..2":                   "export Games.cbh - --games 1-2",
		"report Games.cbh e4,e5":                            "report Games.cbh e4 e5",
		"split -q --force Games.cbh Parts --by Tournaments": "split -q --force Games.cbh Parts --by event",
	} {
		if got, want := mustRun(t, strings.Fields(typed)...), mustRun(t, strings.Fields(meant)...); got != want {
			t.Errorf("%s:\n%+v\n%s:\n%+v", typed, got, meant, want)
		}
	}
	if r := cbkit(t, "", "stats", "Games.cbh", "Morphy", "--player", "Anderssen"); r.status != exitUsage {
		t.Errorf("%+v", r)
	}
}

// Of tags that a target has no field for it is told which.
func TestLostTagsAreNamed(t *testing.T) {
	here(t)
	save(t, "tags.pgn", "[White \"A\"]\n[Opening \"Ruy Lopez\"]\n[UTCDate \"2024.12.07\"]\n\n1. e4 *\n")
	mustRun(t, "convert", "tags.pgn", "Tags.dci").reports(t, "2  tags of the game without a field in the target: Opening, UTCDate (first: record 1: ")
}
