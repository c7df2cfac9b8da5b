package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"

	"github.com/alecthomas/kong"
)

// jsonRuns are the arguments of a run of every verb that has --json, in a folder
// with a database, a book and an archive.
var jsonRuns = map[string]string{
	"info": "Games.cbh", "show": "Games.cbh 1", "export": "Games.cbh out.pgn", "import": "games.pgn New.cbh",
	"convert": "Games.cbh New.dci", "merge": "Games.cbh games.pgn New.cbh --dedup", "dedup": "Games.cbh New.cbh",
	"split": "Games.cbh Parts --by year", "sort": "Games.cbh sorted.pgn --by date", "strip": "Games.cbh bare.pgn --comments",
	"tree": "Games.cbh tree.pgn", "untangle": "Games.cbh lines.pgn",
	"diff": "Games.cbh games.pgn", "edit": "Games.cbh --set 1.round=7", "names": "spelt.pgn --suggest", "compact": "Games.cbh", "check": "Games.cbh --repair",
	"salvage": "Games.cbh Saved.cbh", "verify": "Games.cbh", "pack": "Games.cbh New.cbv", "unpack": "Games.cbv Folder",
	"boosters": "Games.cbh", "find": "Games.cbh --year 1800.. -o found.pgn", "list": "Games.cbh players", "stats": "Games.cbh",
	"table": "Games.cbh London", "report": "Games.cbh e4", "prepare": "Games.cbh Anderssen --color white --repertoire games.pgn", "eco": "Games.cbh Named.cbh", "recover": "Games.cbh", "version": "",
	"book build": "games.pgn New.ctg", "book add": "Book.ctg games.pgn", "book edit": "Book.ctg start e4 --mark !",
	"book probe": "Book.ctg", "book export": "Book.ctg book.jsonl", "book info": "Book.ctg", "book check": "Book.ctg",
	"book merge": "Book.ctg Book2.ctg New.ctg", "book prune": "Book.ctg New.ctg --min-games 1",
}

// otherJSONRuns are further runs: other forms of answers, and other targets.
var otherJSONRuns = []string{
	"export Games.cbh tables --format parquet --tables games,positions", "export Games.cbh out.jsonl.gz", "import --append games.pgn Games.cbh",
	"dedup Games.cbh --dry-run", "names Games.cbh --apply names.csv", "names Games.cbh --apply names.csv --dry-run", "check Games.cbh", "boosters Games.cbh --check", "find Games.cbh --year 1800..", "info Games.cbv",
	"convert Games.pgn.missing New.cbh", "convert games.pgn New.cbv", "edit Games.cbh --delete 1 --dry-run", "compact Games.cbh --dry-run",
	"find games.pgn --year 1800.. -o found.cbh", "export Games.cbh -", "import missing.pgn New.cbh", "import -q games.pgn New.cbh",
	"import broken.pgn New.cbh", "book build missing.pgn New.ctg", "export Games.cbh games.html", "tree Games.cbh --forks",
	"tree Games.cbh --novelties games.pgn", "find Games.cbh --leaves games.pgn", "find games.pgn --in games.pgn",
}

// withoutJSON are verbs that answer nothing a machine would want.
var withoutJSON = []string{"help", "completion", "demo", "serve"}

// With --json every verb prints JSON of the documented shape on standard output and
// nothing else, whether it is done or fails.
func TestJSONOfAllVerbs(t *testing.T) {
	var c cli
	parser := must.Get(kong.New(&c, kong.Vars{"version": ""}))(t)
	runs := otherJSONRuns
	for _, leaf := range parser.Model.Leaves(true) {
		verb := strings.TrimPrefix(leaf.Path(), "cbkit ")
		verb = strings.TrimSpace(strings.TrimPrefix(verb, parser.Model.Name))
		args, is := jsonRuns[verb]
		if is == strings.Contains(" "+strings.Join(withoutJSON, " ")+" ", " "+verb+" ") {
			t.Errorf("%s: is neither run nor without JSON, or both", verb)
		}
		if is {
			runs = append(runs, verb+" "+args)
		}
	}
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "pack", "-q", "Games.cbh", "Games.cbv")
	for _, book := range []string{"Book.ctg", "Book2.ctg"} {
		mustRun(t, "book", "build", "-q", "games.pgn", book)
	}
	must.Do(t, os.WriteFile("broken.pgn", []byte(spelt+"[White \"A\"]\n\n1. e4 e5 2. Ke5 1-0\n"), 0o666))
	save(t, "spelt.pgn", manySpellings)
	save(t, "names.csv", "old,new\nNobody,Somebody\n")
	all := must.Get(os.Getwd())(t)
	for _, line := range runs {
		t.Run(line, func(t *testing.T) {
			dir := gen.Folder(t)
			must.Do(t, os.CopyFS(dir, os.DirFS(all)))
			t.Chdir(dir)
			args := append(strings.Fields(line), "--json")
			checkJSON(t, line, cbkit(t, "", args...))
		})
	}
}

// camelCase is how names are spelt.
var camelCase = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// dataKeys are the names of objects whose own names are data.
var dataKeys = map[string]bool{"tags": true, "repaired": true, "codes": true, "reasons": true}

// documentedNames are the words of the pages about JSON.
var documentedNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, page := range []string{"json.md", "formats/jsonl.md"} {
		text, _ := os.ReadFile(filepath.Join(docs, page)) // no words are an error of each name
		for _, word := range regexp.MustCompile(`[A-Za-z0-9]+`).FindAllString(string(text), -1) {
			names[word] = true
		}
	}
	return names
})

// docs is the folder of the documents, also from another folder.
var docs = func() string {
	dir, _ := filepath.Abs("../../docs")
	return dir
}()

// checkNames looks at the names in a value.
func checkNames(t *testing.T, value any) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			checkNames(t, one)
		}
	case map[string]any:
		for name, one := range v {
			if !camelCase.MatchString(name) {
				t.Errorf("%q is not camelCase", name)
			}
			if !documentedNames()[name] {
				t.Errorf("%q is not documented", name)
			}
			if _, is := one.(map[string]any); is && dataKeys[name] {
				continue
			}
			checkNames(t, one)
		}
	}
}

// checkJSON looks at what a verb printed.
func checkJSON(t *testing.T, line string, r result) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if !strings.HasSuffix(r.out, "\n") && (r.out != "" || r.status == exitDone) && !strings.HasPrefix(line, "dedup") && !strings.HasPrefix(line, "diff") {
		t.Fatalf("%+v", r)
	}
	for _, one := range lines {
		var value any
		if err := json.Unmarshal([]byte(one), &value); r.out != "" && err != nil {
			t.Fatalf("%q: %v", one, err)
		}
		checkNames(t, value)
	}
	if !isAccount(line) {
		return
	}
	last := lines[len(lines)-1]
	var names map[string]json.RawMessage
	must.Do(t, json.Unmarshal([]byte(last), &names))
	for _, name := range []string{"verb", "status", "meaning", "written", "skipped", "cut", "damaged", "warnings", "losses", "findings"} {
		if value := string(names[name]); value == "" || value == "null" {
			t.Errorf("%s is missing or null: %s", name, last)
		}
	}
	var o outcome
	strict := json.NewDecoder(bytes.NewReader([]byte(last)))
	strict.DisallowUnknownFields()
	must.Do(t, strict.Decode(&o))
	checkOutcome(t, line, r, &o)
}

// isAccount reports whether a run makes or changes something.
func isAccount(line string) bool {
	for _, answer := range []string{"info", "show", "diff", "verify", "list", "stats", "table", "report", "prepare", "version",
		"book probe", "book info", "book check", "dedup Games.cbh --dry-run", "boosters Games.cbh --check",
		"names spelt.pgn --suggest", "tree Games.cbh --forks", "tree Games.cbh --novelties", "find Games.cbh --leaves", "find games.pgn --in"} {
		if strings.HasPrefix(line, answer) {
			return false
		}
	}
	return line != "check Games.cbh" && line != "find Games.cbh --year 1800.."
}

// checkOutcome compares an account with what happened.
func checkOutcome(t *testing.T, line string, r result, o *outcome) {
	if o.Status != r.status || o.Meaning != meanings[r.status] || !strings.HasPrefix(line, o.Verb+" ") {
		t.Errorf("%+v of %+v", o, r)
	}
	if failed := r.status != exitDone && o.Skipped+o.Cut+o.Damaged == 0; failed != (o.Error != "") || failed && !strings.Contains(r.errOut, o.Error) {
		t.Errorf("the error is %q: %+v", o.Error, r)
	}
	nothing := strings.Contains(line, "--dry-run") || strings.Contains(line, "--repair") || strings.HasPrefix(line, "recover")
	if r.status == exitDone && !nothing && len(o.Written) == 0 {
		t.Errorf("nothing was written: %+v", o)
	}
	if strings.Contains(line, "--dry-run") != o.DryRun {
		t.Errorf("dryRun: %+v", o)
	}
	for _, w := range o.Written {
		if _, err := os.Stat(w.Path); err != nil || w.Bytes == 0 || w.Files == 0 {
			t.Errorf("%+v: %v", w, err)
		}
		if as := w.Format; (as == formatChessBase || as.IsText()) && w.Records == nil && filepath.Ext(w.Path) != ".jsonl" {
			t.Errorf("%+v has no records", w)
		}
	}
	if strings.Contains(line, "broken") && (o.Skipped+o.Cut == 0 || len(o.Findings) == 0 || o.Findings[0].Message == "") {
		t.Errorf("%+v", o)
	}
}

// Losses are summed up by kind and field.
func TestJSONOfLosses(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	var o outcome
	must.Do(t, json.Unmarshal([]byte(mustRun(t, "export", "Games.cbh", "out.dci.pgn", "--json").out), &o))
	plain := o
	must.Do(t, json.Unmarshal([]byte(mustRun(t, "convert", "Games.cbh", "New.dci", "--json").out), &o))
	for _, l := range append(plain.Losses, o.Losses...) {
		if l.Kind == "" || l.Field == "" || l.Count == 0 || l.First == "" {
			t.Errorf("%+v", l)
		}
	}
	if len(o.Losses) == 0 {
		t.Error("no losses, though one format cannot hold all of the other")
	}
}
