package main

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
)

// guess is a verb that people try, with the command that does it.
type guess struct{ words, command string }

// guesses are verbs that are none here. Commands have names for what is to be
// filled in; the first words are the verb. Those of "cbkit book" begin with "book".
var guesses = []guess{
	{"append add insert", "edit DB --append FILE"},
	{"delete remove rm erase", "edit DB --delete IDS"},
	{"undelete restore", "edit DB --undelete IDS"},
	{"replace", "edit DB --replace ID=FILE"},
	{"rename", `edit DB --rename-player "OLD=NEW"`},
	{"set change update modify", "edit DB --set IDS.FIELD=VALUE"},
	{"annotate comment", "edit DB --annotate ID=FILE"},
	{"classify openings opening-codes", "eco DB OUT"},
	{"search query filter grep select where", "find DB --player NAME"},
	{"count", "find DB --player NAME --count"},
	{"position", "find DB --fen FEN"},
	{"cat print dump write save", "export DB -"},
	{"view open look read display game", "show DB ID"},
	{"players", "list DB players"},
	{"tournaments events", "list DB tournaments"},
	{"annotators", "list DB annotators"},
	{"sources", "list DB sources"},
	{"teams", "list DB teams"},
	{"ls summary describe", "info DB"},
	{"statistics score scores player performance", "stats DB --player NAME"},
	{"crosstable cross-table standings tournament", "table DB TITLE"},
	{"explore explorer opening tree", "report DB MOVES"},
	{"join concat combine unite union", "merge A B OUT"},
	{"duplicates dups doubles deduplicate uniq unique", "dedup DB --dry-run"},
	{"compare cmp difference", "diff A B"},
	{"order", "sort DB OUT --by KEYS"},
	{"clean bare", "strip DB OUT --comments"},
	{"new create make load", "import FILE DB"},
	{"pgn lichess", "export DB OUT.pgn"},
	{"json jsonl", "export DB OUT.jsonl"},
	{"parquet csv", "export DB FOLDER --format parquet"},
	{"copy cp transform", "convert SOURCE TARGET"},
	{"repair fix mend", "check DB --repair"},
	{"validate test lint", "check DB"},
	{"rescue undamage", "salvage DB OUT.cbh"},
	{"shrink optimize vacuum purge", "compact DB --purge"},
	{"index indexes reindex", "boosters DB"},
	{"zip archive compress", "pack DB OUT.cbv"},
	{"unzip extract decompress", "unpack IN.cbv"},
	{"probe lookup look-up", "book probe BOOK MOVES"},
	{"repertoire build polyglot", "book build DB BOOK.ctg"},
	{"book make", "book build DB BOOK.ctg"}, {"book create", "book build DB BOOK.ctg"}, {"book new", "book build DB BOOK.ctg"},
	{"book show", "book probe BOOK MOVES"}, {"book look", "book probe BOOK MOVES"}, {"book lookup", "book probe BOOK MOVES"},
	{"book find", "book probe BOOK MOVES"}, {"book open", "book probe BOOK MOVES"}, {"book view", "book probe BOOK MOVES"},
	{"book append", "book add BOOK GAMES"}, {"book delete", "book edit BOOK POSITION MOVE --delete"},
	{"book remove", "book edit BOOK POSITION MOVE --delete"}, {"book convert", "book export BOOK OUT.bin"},
}

// guessed returns the command that somebody may have meant with words that name no
// verb, "" if nobody knows.
func guessed(args []string) string {
	word := strings.ToLower(args[0])
	if word == "book" && len(args) > 1 {
		word += " " + strings.ToLower(args[1])
	}
	for _, g := range guesses {
		if g.words == word {
			return g.command
		}
		for one := range strings.FieldsSeq(g.words) {
			if one == word && !strings.HasPrefix(g.words, "book ") {
				return g.command
			}
		}
	}
	return ""
}

// noVerb tells which command does what somebody typed, where its first words name
// no verb; nil if they do, or if nobody knows.
func noVerb(args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return nil
	}
	paths := verbPaths()
	if args[0] == "book" && len(args) > 1 && paths["book "+args[1]] || args[0] != "book" && paths[args[0]] {
		return nil
	}
	command := guessed(args)
	if command == "" && named(args[0]) != "" && isThere(args[0]) {
		return usageError{fmt.Errorf("%s: say what to do with it: cbkit info %[1]s tells what it is, cbkit --help lists all verbs", args[0])}
	}
	if command == "" {
		return nil
	}
	typed := args[0]
	if typed == "book" {
		typed += " " + args[1]
	}
	verb := strings.Fields(command)[0]
	if verb == "book" {
		verb = strings.Join(strings.Fields(command)[:2], " ")
	}
	return usageError{fmt.Errorf("there is no verb %q; cbkit %s does that; see cbkit %s --help", typed, command, verb)}
}

// verbPaths returns the verbs, those of "cbkit book" with that before them.
var verbPaths = sync.OnceValue(func() map[string]bool {
	paths := map[string]bool{}
	for _, v := range allVerbs() {
		paths[v.path] = true
	}
	return paths
})

// allVerbs lists all verbs, the program itself first.
var allVerbs = sync.OnceValue(func() []verb {
	parser, err := kong.New(&cli{}, kong.Name("cbkit"), kong.Vars{"version": ""})
	if err != nil {
		panic(err) // every run of the program would fail
	}
	return verbsOf(parser.Model.Node)
})

// choiceWords are other words for values of flags and arguments of which there are
// few.
var choiceWords = map[string]string{
	"player": "players", "tournament": "tournaments", "event": "tournaments", "events": "tournaments",
	"annotator": "annotators", "source": "sources", "team": "teams", "title": "titles",
	"w": "white", "b": "black", "json": "jsonl", "id": "ids", "rating": "elo", "date": "year", "roundrobin": "round-robin",
}

// choices reads strings as kong does. Where there is a choice of a few values, case
// does not matter, and other words for them will do.
var choices = kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
	var given string
	if err := ctx.Scan.PopValueInto("string", &given); err != nil {
		return err
	}
	target.SetString(chosen(given, values(ctx.Value)))
	return nil
})

// chosen returns the value that was meant, what was given if it is none.
func chosen(given string, list []string) string {
	word, isOther := choiceWords[strings.ToLower(given)]
	for _, value := range list {
		if strings.EqualFold(value, given) || isOther && value == word {
			return value
		}
	}
	return given
}

// takesValue returns the flags behind which a value stands.
var takesValue = sync.OnceValue(func() map[string]bool {
	flags := map[string]bool{}
	for _, v := range allVerbs() {
		for _, f := range v.flags {
			if !f.IsBool() {
				flags["--"+f.Name] = true
				if f.Short != 0 {
					flags["-"+string(f.Short)] = true
				}
			}
		}
	}
	return flags
})
