package main

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit/internal/testkit/must"
)

// writing is a verb that makes a target of its own, whose name is OUT; "-" is a
// source of its own.
type writing struct {
	target string
	args   string
}

// writingVerbs are all verbs that make a target, each with the kinds of targets
// that it makes in ways of its own.
var writingVerbs = []writing{
	{"new.cbh", "import A.cbh OUT"}, {"new.cbh", "convert A.cbh OUT"}, {"new.dci", "convert A.cbh OUT"}, {"new.pgn.zst", "convert A.cbh OUT"},
	{"new.jsonl", "convert A.cbh OUT"}, {"new.cbv", "convert A.cbh OUT"}, {"new.cbv", "convert games.pgn OUT"}, {"new.pgn", "export A.cbh OUT"},
	{"new.parquet", "export A.cbh OUT"}, {"new.cbh", "merge A.cbh games.pgn OUT"}, {"new.cbh", "merge --dedup A.cbh games.pgn OUT"},
	{"new.jsonl", "merge A.cbh games.pgn OUT"}, {"new.cbh", "dedup A.cbh OUT"}, {"new.dci", "dedup A.cbh OUT"}, {"new.cbh", "sort --by date A.cbh OUT"},
	{"new.pgn", "sort --by date A.cbh OUT"}, {"new.cbh", "strip --variations A.cbh OUT"}, {"new.cbh", "eco A.cbh OUT"}, {"new.pgn", "eco A.cbh OUT"},
	{"new.cbh", "salvage A.cbh OUT"}, {"new.cbv", "pack A.cbh OUT"}, {"new.cbh", "find A.cbh --year 1800.. -o OUT"}, {"new.pgn", "find A.cbh --year 1800.. -o OUT"},
	{"new.ctg", "book build A.cbh OUT"}, {"new.ctg", "book merge B.ctg B.ctg OUT"}, {"new.ctg", "book prune --min-games 1 B.ctg OUT"},
	{"new.jsonl", "book export B.ctg OUT"}, {"new.bin", "book export B.ctg OUT"},
}

// run runs the verb with more flags.
func (w writing) run(t *testing.T, flags ...string) result {
	t.Helper()
	return cbkit(t, "", w.command(w.target, flags...)...)
}

func (w writing) command(target string, flags ...string) (args []string) {
	for _, word := range strings.Fields(w.args) {
		if word == "OUT" {
			word = target
		}
		args = append(args, word)
	}
	return append(args, flags...)
}

// laySources makes what the verbs read.
func laySources(t *testing.T) {
	t.Helper()
	here(t)
	save(t, "games.pgn", "[White \"Morphy\"]\n[Date \"1858.01.01\"]\n\n1. e4 e5 2. Nf3 d6 *\n\n[White \"Paulsen\"]\n[Date \"1857.01.01\"]\n\n1. d4 d5 *\n")
	mustRun(t, "import", "-q", "games.pgn", "A.cbh")
	mustRun(t, "book", "build", "-q", "games.pgn", "B.ctg")
}

// Every verb that makes a target refuses one that is there, one that somebody else
// is writing, one without a name, and replaces it if that is forced. What it
// refuses it does not touch.
func TestEveryTarget(t *testing.T) {
	laySources(t)
	for i, w := range writingVerbs {
		if !isTried(i, 11) {
			continue
		}
		if strings.HasPrefix(w.args, "import") {
			w.args = strings.Replace(w.args, "A.cbh", "games.pgn", 1)
		}
		was := folder(t)
		unlock := lockTarget(t, w.target)
		if r := w.run(t, "-q"); r.status != exitFailed || !strings.Contains(r.errOut, "is writing it") || !strings.Contains(r.errOut, "--wait 10s") {
			t.Errorf("cbkit %s, while somebody else is writing it: %+v", w.args, r)
		}
		unlock()
		unchanged(t, w.args, was)
		for _, name := range []string{"", "." + string(os.PathSeparator)} {
			if r := cbkit(t, "", w.command(name)...); r.status != exitUsage || strings.Count(r.errOut, "\n") > 2 {
				t.Errorf("cbkit %q: %+v", w.command(name), r)
			}
		}
		unchanged(t, w.args, was)
		mustRun(t, w.command(w.target, "-q")...)
		was = folder(t)
		if r := w.run(t, "-q"); r.status != exitFailed || !strings.Contains(r.errOut, w.target) || !strings.Contains(r.errOut, "exists already") || !strings.Contains(r.errOut, "--force") {
			t.Errorf("cbkit %s, of a target that is there: %+v", w.args, r)
		}
		unchanged(t, w.args, was)
		mustRun(t, w.command(w.target, "-q", "--force")...)
		for name := range folder(t) {
			if strings.Contains(name, "cbkit-") {
				t.Errorf("cbkit %s leaves %s", w.args, name)
			}
			if strings.HasPrefix(name, "new.") {
				must.Do(t, os.Remove(name))
			}
		}
	}
}

// A target that comes into being while any verb writes it is not replaced. All
// verbs that can read what comes slowly do so.
func TestEveryTargetComesIntoBeing(t *testing.T) {
	laySources(t)
	for i, w := range writingVerbs {
		if !isTried(i, 5) {
			continue
		}
		words := strings.Fields(w.args)
		at := slices.Index(words, "A.cbh")
		if at < 0 || strings.Contains(" find salvage pack dedup ", " "+words[0]+" ") || strings.HasPrefix(w.args, "merge --dedup") {
			continue // databases and archives come from the disk, and what is read twice
		}
		words[at] = "-"
		w.args = strings.Join(words, " ")
		in := &meanwhile{func() { time.Sleep(20 * time.Millisecond); layAll(t, w.target) }, bytes.NewReader(sample)}
		var out, errOut bytes.Buffer
		// What comes first says what kind of input it is.
		status := run(w.command(w.target, "-q"), io.MultiReader(strings.NewReader(strings.Repeat("\n", 1<<20)), in), &out, &errOut)
		if status != exitFailed || !strings.Contains(errOut.String(), w.target+": exists already") {
			t.Errorf("cbkit %s: status %d, %s", w.args, status, errOut.String())
		}
		untouched(t, w.target)
		must.Do(t, os.Remove(w.target))
		for name := range folder(t) {
			if strings.HasPrefix(name, "new.") || strings.Contains(name, "cbkit-") {
				t.Errorf("cbkit %s leaves %s", w.args, name)
			}
		}
	}
}

// When all games are skipped no verb replaces anything.
func TestEveryVerbSkipsAll(t *testing.T) {
	laySources(t)
	save(t, "bad.pgn", "[White \"x\"]\n\n1. Ke5 *\n\n[White \"y\"]\n\n1. Qh8 *\n")
	for _, w := range writingVerbs {
		if !strings.Contains(w.args, "A.cbh") || strings.HasPrefix(w.args, "salvage") || strings.HasPrefix(w.args, "pack") {
			continue // of books and databases
		}
		layAll(t, w.target)
		was := folder(t)
		w.args = strings.NewReplacer("A.cbh", "bad.pgn", "games.pgn", "bad.pgn").Replace(w.args)
		if r := w.run(t, "--force", "-q"); r.status != exitFailed || !strings.Contains(r.errOut, "bad.pgn") {
			t.Errorf("cbkit %s: %+v", w.args, r)
		}
		unchanged(t, w.args, was)
		must.Do(t, os.Remove(w.target))
	}
}

// Verbs that change a database or book in place wait for other writers, and are
// refused meanwhile.
func TestEveryEditorIsRefused(t *testing.T) {
	laySources(t)
	mustRun(t, "convert", "-q", "games.pgn", "S.dci")
	was := folder(t)
	for target, verbs := range map[string][]string{
		"A.cbh": {"edit A.cbh --delete 1", "import --append games.pgn A.cbh", "compact A.cbh", "compact --purge A.cbh", "boosters A.cbh", "check --repair A.cbh"},
		"S.dci": {"edit S.dci --delete 1", "import --append games.pgn S.dci", "compact S.dci"},
		"B.ctg": {"book add B.ctg games.pgn", "book edit B.ctg start e4 --weight 5"},
	} {
		for _, verb := range verbs {
			unlock := lockTarget(t, target)
			fails(t, exitFailed, "is writing it", strings.Fields(verb)...)
			unlock()
			unchanged(t, verb, was)
		}
	}
}
