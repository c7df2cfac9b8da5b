package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cbkit/collect"
	"cbkit/internal/packed"
	"cbkit/model"
	"cbkit/search"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// Bad use points to the help of the verb that was called, and does not list the
// empty value of a flag that may be left out.
func TestUsagePointsToTheVerb(t *testing.T) {
	here(t)
	for line, says := range map[string]string{
		"show games.pgn":                         "see cbkit show --help",
		"book probe":                             "see cbkit book probe --help",
		"list games.pgn people":                  "see cbkit list --help",
		"nonsense":                               "see cbkit --help",
		"find games.pgn --limit x":               `--limit: "x" is no number; see cbkit find --help`,
		"show Folder games.pgn#2":                filepath.Join("cbkit show Folder", "games.pgn") + " 2; see cbkit show --help",
		"show . games.pgn#2":                     `"games.pgn#2" is no number; of a record in a folder name its file and its number: cbkit show games.pgn 2`,
		"convert games.pgn x.dci --layout v3":    `--layout must be one of "v0","v1" but got "v3"; see cbkit convert --help`,
		"convert games.pgn x.dci --nonsense":     "see cbkit convert --help",
		"book build games.pgn x.ctg --color red": `--color must be one of "white","black"`,
	} {
		if r := cbkit(t, "", strings.Fields(line)...); r.status != exitUsage || !strings.Contains(r.errOut, says) || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("%s: %+v", line, r)
		}
	}
}

// Arguments in the wrong order are recognised by what is there.
func TestWrongOrder(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for _, args := range [][]string{
		{"show", "1", "Games.cbh"}, {"find", "player:Morphy", "Games.cbh"}, {"list", "players", "Games.cbh"},
		{"table", "London", "games.pgn"}, {"report", "e4", "Games.cbh"}, {"book", "probe", "start", "Book.ctg"},
	} {
		r := cbkit(t, "", args...)
		if last := args[len(args)-1]; r.status == exitDone || !strings.Contains(r.errOut, last+" is there: name it before "+args[len(args)-2]) {
			t.Errorf("%v: %+v", args, r)
		}
	}
	if r := cbkit(t, "", "show", "Games.cbh", "99"); strings.Contains(r.errOut, "is there") {
		t.Errorf("%+v", r)
	}
	// A verb that is spelt wrong gets one hint.
	if r := cbkit(t, "", "fnd", "Games.cbh"); !strings.Contains(r.errOut, `did you mean "find"?`) || strings.Contains(r.errOut, "name it before") {
		t.Errorf("%+v", r)
	}
}

// Flags may stand anywhere, also within a list of files.
func TestFlagsStandAnywhere(t *testing.T) {
	here(t)
	save(t, "one.pgn", "1. e4 e5 1-0\n")
	for _, line := range []string{
		"merge one.pgn -q games.pgn --force OUT.pgn", "tree one.pgn --max-ply 4 games.pgn T.pgn", "tree --max-ply=4 one.pgn -q T2.pgn",
		"book build games.pgn --max-ply 4 OUT.ctg", "book build games.pgn -q -- OUT2.ctg", "import -q one.pgn --keep-going OUT.cbh",
	} {
		if r := mustRun(t, strings.Fields(line)...); r.status != exitDone {
			t.Errorf("%s: %+v", line, r)
		}
	}
	fails(t, exitUsage, "unknown flag --nonsense", "merge", "one.pgn", "--nonsense", "games.pgn", "OUT3.pgn")
	if r := cbkit(t, "", "merge", "one.pgn", "games.pgn", "OUT3.pgn", "--jobs"); r.status != exitUsage || exists("OUT3.pgn") {
		t.Errorf("%+v", r)
	}
}

// What is counted stands in its plural, and abbreviations keep their letters.
func TestWords(t *testing.T) {
	here(t)
	if r := cbkit(t, "", "import"); !strings.Contains(r.errOut, "PGN files") || r.status != exitUsage {
		t.Errorf("%+v", r)
	}
	for kind, word := range lossWords {
		if many := inNumber(2, word); strings.Contains(many, " was ") || strings.Contains(many, " its ") || strings.Contains(many, " it ") {
			t.Errorf("%v: 2 %s", kind, many)
		}
	}
	for key, want := range map[lossKey]string{
		{model.LostField, "game title"}: "game titles", {model.LostField, "result"}: "results", {model.LostMoves, "moves"}: "moves",
		{model.LostAnnotation, "annotations"}: "annotations", {model.LostField, "date"}: "dates", {model.LostTag, "WhiteTitle"}: "tags",
	} {
		if got := lostThing(2, key); got != want {
			t.Errorf("2 %s, want %s", got, want)
		}
	}
}

// Databases of other programs are named, with the way out.
func TestForeignDatabases(t *testing.T) {
	here(t)
	for name, says := range map[string]string{
		"GAMES.CBF": "is a database in the format", "old.cbf": "before .cbh",
	} {
		save(t, name, "")
		for _, verb := range []string{"info", "check", "list"} {
			args := []string{verb, name}
			if verb == "list" {
				args = append(args, "players")
			}
			fails(t, exitUsage, says, args...)
		}
	}
}

// A database of ChessBase 17 is read; what would change it says what to do.
func TestChessBase2IsRead(t *testing.T) {
	here(t)
	for name, f := range gen.EmptyChessBase2() {
		save(t, name, string(f.Data))
	}
	mustRun(t, "info", "Games").prints(t, "ChessBase 17")
	mustRun(t, "convert", "Games.2cbh", "Other.cbh")
	for _, command := range []string{
		"edit Games.2cbh --delete 1", "compact Games.2cbh", "boosters Games.2cbh", "check Games.2cbh --repair",
		"pack Games.2cbh Games.cbv",
	} {
		fails(t, exitUsage, "convert Games.2cbh", strings.Fields(command)...)
	}
	save(t, "Games.cbh", "")
	fails(t, exitUsage, "Games.cbh and Games.2cbh", "info", "Games")
}

// Every kind of file that holds games has its format in info.
func TestInfoNamesTheFormat(t *testing.T) {
	here(t)
	save(t, "games.pgn", "1. e4 e5 1-0\n")
	for target, format := range map[string]string{
		"a.cbh": "ChessBase database", "a.dci": "Simple Chess Database", "a.jsonl": "JSON Lines", "a.parquet": "Parquet", "b.pgn": "PGN",
	} {
		verb := "convert"
		if target == "a.parquet" {
			verb = "export"
		}
		mustRun(t, verb, "-q", "games.pgn", target)
		if r := mustRun(t, "info", target); !strings.HasPrefix(r.out, "format         "+format+"\n") {
			t.Errorf("%s: %q", target, r.out)
		}
	}
}

// A file without an ending is PGN for info as it is for import.
func TestInfoWithoutEnding(t *testing.T) {
	here(t)
	must.Do(t, os.Rename("games.pgn", "noext"))
	mustRun(t, "import", "-q", "noext", "Games.cbh")
	if r := mustRun(t, "info", "noext", "--json"); !strings.Contains(r.out, `"format":"PGN","records":4`) || strings.Contains(r.out, "null") {
		t.Errorf("%s", r.out)
	}
}

// Small things that people stumbled over.
func TestSmallThings(t *testing.T) {
	here(t)
	if r := mustRun(t, "demo", "four.pgn"); !strings.HasPrefix(r.out, "wrote   four.pgn: 4 games\n") {
		t.Errorf("%s", r.out)
	}
	if r := mustRun(t, "book", "check", "--help"); !strings.Contains(r.out, "cbkit book check Openings.ctg") || strings.Contains(r.out, "Games.cbh") {
		t.Errorf("%s", r.out)
	}
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	if r := mustRun(t, "export", "Games.cbh", "one.jsonl", "--games", "1"); strings.Contains(r.errOut, "losses") {
		t.Errorf("%s", r.errOut)
	}
	mustRun(t, "boosters", "Games.cbh", "--json").prints(t, `"result":{"files":[`)
}

// version begins with the line that --version is, help says what --help does.
func TestVersionAndHelp(t *testing.T) {
	text := mustRun(t, "version").out
	if !strings.HasPrefix(text, "cbkit ") || !strings.HasPrefix(text, mustRun(t, "--version").out) {
		t.Errorf("%q", text)
	}
	mentions(t, "version", text, "\ngo      go1.", "\nreads   .cbh .cbv ", "\nwrites  .cbh ")
	if r := mustRun(t, "version", "--json"); !json.Valid([]byte(r.out)) || !strings.Contains(r.out, `"go":"go1`) || !strings.Contains(r.out, `"writes":[".cbh",`) {
		t.Errorf("%s", r.out)
	}
	for _, ending := range build().Reads {
		if as := named("games.pgn" + ending); as == "" && ending != packed.Zip { // which is what is in it
			t.Errorf("%s is said to be read", ending)
		}
	}
	version, commit, date = "v1.2.3", "0123abc", "2026-01-02T03:04:05Z"
	defer func() { version, commit, date = "", "", "" }()
	if text := mustRun(t, "version").out; !strings.HasPrefix(text, "cbkit v1.2.3\ncommit  0123abc\ndate    2026-01-02T03:04:05Z\n") {
		t.Errorf("a release: %s", text)
	}
	for verb, flag := range map[string][]string{"show": {"show", "--help"}, "book probe": {"book", "probe", "--help"}, "": {"--help"}} {
		if got, want := mustRun(t, append([]string{"help"}, strings.Fields(verb)...)...).out, mustRun(t, flag...).out; got != want || got == "" {
			t.Errorf("help %s: %s", verb, got)
		}
	}
}

// A flag that verbs explain in more and in fewer words is explained once.
func TestSharedFlagsOnce(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(mustRun(t, "help", "flags").out) {
		if name := regexp.MustCompile(`^  (?:-., )?(--\w+)`).FindString(line); name != "" && seen[name] {
			t.Errorf("twice: %q", line)
		} else if name != "" {
			seen[name] = true
		}
	}
	if len(seen) < 15 {
		t.Errorf("%d flags", len(seen))
	}
}

// Bash completes verbs, the verbs below them, flags and their values.
// The command line of one verb alone, which is all that most runs describe, says what
// the whole one says.
func TestGrammarOfOneVerb(t *testing.T) {
	for i, v := range allVerbs() {
		words := strings.Fields(v.path)
		if len(words) != 1 || !isTried(i, 7) {
			continue
		}
		if root, _ := new(cli).grammar(words); reflect.TypeOf(root) != reflect.TypeFor[*programFlags]() {
			t.Errorf("%s: described with all verbs", v.path)
		}
		for _, args := range [][]string{{v.path, "--help"}, {v.path, "--no-such-flag"}, {v.path}, {v.path, "--version"}} {
			if v.path == "demo" && len(args) == 1 {
				continue
			}
			alone, whole := cbkit(t, "", args...), cbkit(t, "", append([]string{"--all"}, args...)...)
			if alone != whole {
				t.Errorf("cbkit %s: %+v, want %+v", args, alone, whole)
			}
		}
	}
}

func TestCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash to ask")
	}
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "boosters", "-q", "Games.cbh")
	mustRun(t, "book", "build", "-q", "games.pgn", "Gambits.ctg")
	mustRun(t, "convert", "-q", "games.pgn", "Garry's own.dci")
	save(t, "Gone.cbg", "") // its .cbh file is lost
	must.Do(t, os.Mkdir("Garden", 0o777))
	script := mustRun(t, "completion", "bash").out
	for words, want := range map[string]string{
		"cbkit st":                            "strip stats",
		"cbkit book pr":                       "probe prune",
		"cbkit list Games.cbh t":              "tournaments teams titles",
		"cbkit list --limit 3 Games.cbh t":    "tournaments teams titles",
		"cbkit list Games.cbh --by ":          "games name year elo",
		"cbkit stats Games.cbh --v":           "--version --vs",
		"cbkit info ":                         "Gambits.ctg|Games.cbh|Garden|Garry's own.dci|Gone.cbg|games.pgn",
		"cbkit find G":                        "Gambits.ctg|Games.cbh|Garden|Garry's own.dci|Gone.cbg",
		"cbkit book info Gam":                 "Gambits.ctg|Games.cbh",
		"cbkit find Games.cbh -o Gam":         "Gambits.ctg|Games.cbh",
		"cbkit check Games.cbh Gam":           "Gambits.ctg|Games.cbh",
		"cbkit help st":                       "strip stats",
		"cbkit help fl":                       "flags",
		"cbkit help book pr":                  "probe prune",
		"cbkit split games.pgn --by ":         "white player event eco year",
		"cbkit sort games.pgn --by e":         "event elo eco",
		"cbkit find games.pgn --sort date,wh": "date,white|date,white-elo",
		"cbkit find games.pgn --has tr":       "training",
		"cbkit strip games.pgn --comm":        "--comments",
	} {
		list := strings.Split(words, " ")
		run := exec.Command(bash, "--norc", "-c", script+`
COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _cbkit; IFS="|"; echo "${COMPREPLY[*]}"`, "bash")
		run.Args = append(run.Args, list...)
		out, err := run.CombinedOutput()
		got := strings.TrimSpace(string(out))
		if names := strings.Split(got, "|"); strings.Contains(want, ".cbh") { // in the order of the folder
			slices.Sort(names)
			got = strings.Join(names, "|")
		}
		if err != nil || got != strings.ReplaceAll(want, " ", "|") && got != want {
			t.Errorf("%s: %q, want %q (%v)", words, got, want, err)
		}
	}
	// What is offered is taken.
	offered := map[string][]string{}
	for _, v := range allVerbs() {
		for _, f := range v.flags {
			if f.Tag.Has("values") {
				offered[v.path+" --"+f.Name] = values(f.Value)
			}
		}
	}
	for name, take := range map[string]func(string) error{
		"sort --by":   func(s string) error { _, err := collect.ParseOrders(s); return err },
		"find --sort": func(s string) error { _, err := collect.ParseOrders(s); return err },
		"split --by":  func(s string) error { _, err := collect.ParseGrouping(s); return err },
		"find --has":  func(s string) error { _, err := search.Term("has", s); return err },
	} {
		if len(offered[name]) < 5 {
			t.Errorf("%s: %q", name, offered[name])
		}
		for _, value := range offered[name] {
			if err := take(value); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if r := mustRun(t, "completion", "zsh"); !strings.HasPrefix(r.out, "#compdef cbkit\n") {
		t.Errorf("%.60s", r.out)
	}
	mustRun(t, "completion", "fish").prints(t, "complete -c cbkit -n '__fish_seen_subcommand_from list' -l by ")
}
