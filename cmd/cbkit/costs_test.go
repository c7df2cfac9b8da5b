//go:build unix

package main

import (
	"cmp"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/seeds"
)

// costCase is an input whose cost once was out of proportion, or could be.
type costCase struct {
	name string
	file string
	// text makes an input of about n bytes.
	text func(n int) string
	// verbs are the runs; IN and OUT stand for the input and a new file.
	verbs []string
	// via, if not empty, is the ending of the database that is made of the text
	// first, and measured.
	via string
}

var (
	jsonlVerbs = []string{"convert -q IN OUT.jsonl", "convert -q IN OUT.cbh", "convert -q IN OUT.pgn", "convert -q IN OUT.dci", "book build -q --variations IN OUT.ctg"}
	pgnVerbs   = []string{
		"convert -q IN OUT.jsonl", "import -q --keep-going IN OUT.cbh", "convert -q IN OUT.pgn", "import -q IN OUT.dci",
		"book build -q --variations --keep-going IN OUT.ctg",
	}
)

// repeated is a text with so many bytes of a part in it, each with its number.
func repeated(n int, part string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		if strings.Contains(part, "%") {
			fmt.Fprintf(&b, part, i)
		} else {
			b.WriteString(part)
		}
	}
	return b.String()
}

// listed is the same as a list with commas.
func listed(n int, part string) string { return strings.TrimSuffix(repeated(n, part+","), ",") }

// openings are games in which the pawns of all files move in all ways.
func openings(n int) string {
	var b strings.Builder
	for i := uint64(0); b.Len() < n; i++ {
		for j := range 16 {
			from, to := "3", "4" // of White
			if j%2 == 1 {
				from, to = "6", "5"
			}
			if i*0x9e3779b97f4a7c15>>(48+j)&1 == 0 {
				to = from
			}
			fmt.Fprintf(&b, "%c%s ", 'a'+j/2, to)
		}
		b.WriteString("*\n")
	}
	return b.String()
}

// shuffled are moves of knights.
func shuffled(n int) string { return repeated(n, "Nf3 Nf6 Ng1 Ng8 ") }

var costCases = append(textCosts(), storedCosts()...)

// costsOf are the runs on what was made of a text, by its ending.
var costsOf = map[string][]string{
	".cbh": {
		"check IN", "verify IN", "find --no-boosters IN player:a*", "find IN piece:Nd5", "boosters IN", "convert -q IN OUT.cbh",
		"convert -q IN OUT.dci", "convert -q IN OUT.pgn", "convert -q IN OUT.jsonl", "book build -q --variations IN OUT.ctg",
		"sort -q --by date IN OUT.cbh", "dedup -q IN OUT.cbh", "convert -q --fresh IN OUT.cbh",
		"list IN players", "list IN tournaments", "stats IN", "stats IN --player P1", "table IN --system round-robin T", "table IN --system swiss T",
		"report IN", "eco -q IN OUT.cbh", "diff IN IN", "merge -q IN IN OUT.cbh", "merge -q --dedup IN IN OUT.cbh", "split -q --by 500 IN OUT",
		"strip -q --variations IN OUT.cbh", "salvage -q IN OUT.cbh", "check --repair IN", "edit -q IN --delete 1-", "compact -q IN", "compact -q --purge IN",
		"edit -q IN --set 1-.event=E", "edit -q IN --append TEXT", "info IN", "show IN 1", "export -q IN OUT.parquet",
		"export -q --tables games,positions --format parquet IN OUT", "pack -q IN OUT.cbv", "dedup -q --dry-run IN",
	},
	".dci":     {"check IN", "verify IN", "convert -q IN OUT.cbh", "convert -q IN OUT.dci", "find IN player:a*", "compact -q IN", "edit -q IN --set 1-.event=E", "list IN players"},
	".cbv":     {"info IN", "check IN", "verify IN", "export -q IN OUT.jsonl", "unpack -q IN OUT", "find IN player:a*", "list IN players", "report IN"},
	".cbz":     {"check IN", "export -q IN OUT.pgn", "unpack -q IN OUT"},
	".parquet": {"convert -q IN OUT.cbh", "convert -q IN OUT.pgn", "stats IN", "list IN players", "find IN player:a*", "dedup -q IN OUT.cbh", "report IN"},
	".ctg": {
		"book info IN", "book check IN", "book export -q IN OUT.jsonl", "book export -q IN OUT.bin", "book prune -q --min-games 1 IN OUT.ctg",
		"book merge -q IN IN OUT.ctg", "book probe IN", "book add -q IN TEXT", "book prune -q --min-games 2 IN OUT.ctg",
	},
	".jsonl.zst": {"convert -q IN OUT.cbh", "convert -q IN OUT.jsonl.gz"},
	".pgn.gz":    {"convert -q IN OUT.cbh", "report IN"},
}

// makers make what has an ending of a text.
var makers = map[string]string{
	".ctg": "book build -q --variations", ".parquet": "export -q", ".cbz": "convert -q --password-file PASSWORD",
}

// storedCosts are databases, archives, tables and books of many games and names, of
// one long game, and of one game with many annotations, read by every verb.
func storedCosts() (list []costCase) {
	shapes := []string{
		"games of players", "a long game", "annotations at one place", "empty texts", "games of tournaments", "a tournament", "one against all", "empty games",
		"openings", "nested alternatives", "a long text",
	}
	for i, ext := range []string{".cbh", ".dci", ".cbv", ".cbz", ".parquet", ".ctg", ".jsonl.zst", ".pgn.gz"} {
		for j, name := range shapes {
			for _, c := range textCosts() {
				if c.name != name || c.file != "a.jsonl" && name != "openings" {
					continue
				}
				verbs := costsOf[ext]
				from := (i + 7*j) % len(verbs)
				c.verbs = append(append([]string(nil), verbs[from:]...), verbs[:from]...)
				c.via = ext
				list = append(list, c)
			}
		}
	}
	return list
}

func textCosts() []costCase {
	return []costCase{
		{"tags", "a.jsonl", func(n int) string { return `{"id":1,"kind":"game","tags":{` + listed(n, `"T%d":"x"`) + "}}\n" }, jsonlVerbs, ""},
		{"tags as pairs", "a.jsonl", func(n int) string { return `{"id":1,"kind":"game","tags":[` + listed(n, `["T%d","x"]`) + "]}\n" }, jsonlVerbs, ""},
		{"one tag again and again", "a.jsonl", func(n int) string { return `{"id":1,"kind":"game","tags":[` + listed(n, `["T","x%d"]`) + "]}\n" }, jsonlVerbs, ""},
		{"annotations at one place", "a.jsonl", func(n int) string {
			return `{"id":1,"kind":"game","annotations":[` + listed(n, `{"kind":"text","text":"x%d"}`) + "]}\n"
		}, jsonlVerbs, ""},
		{"annotations of all languages", "a.jsonl", func(n int) string {
			return `{"id":1,"kind":"game","annotations":[` + listed(n, `{"kind":"text","lang":"#%[1]d","text":"x%[1]d"}`) + "]}\n"
		}, jsonlVerbs, ""},
		{"NAGs", "a.jsonl", func(n int) string {
			return `{"id":1,"kind":"game","moves":[{"uci":"e2e4","nags":[` + listed(n, "7") + "]}]}\n"
		}, jsonlVerbs, ""},
		{"symbols", "a.jsonl", func(n int) string {
			return `{"id":1,"kind":"game","annotations":[` + listed(n, `{"kind":"symbols","move":1}`) + "]}\n"
		}, jsonlVerbs, ""},
		{"squares", "a.jsonl", func(n int) string {
			return `{"id":1,"kind":"game","annotations":[{"kind":"squares","squares":{"green":[` + listed(n, `"e4"`) + "]}}]}\n"
		}, jsonlVerbs, ""},
		{"alternatives of a move", "a.jsonl", func(n int) string {
			return `{"id":1,"kind":"game","moves":[{"uci":"e2e4","alternatives":[` + listed(n, `[{"uci":"d2d4"}]`) + "]}]}\n"
		}, jsonlVerbs, ""},
		{"nested alternatives", "a.jsonl", func(n int) string {
			open := `{"uci":"g1f3"},{"uci":"g8f6","alternatives":[[{"uci":"g8h6"},{"uci":"f3g1"},{"uci":"h6g8"},`
			depth := min(n/len(open), 900)
			game := strings.Repeat(open, depth) + `{"uci":"h2h3"}` + strings.Repeat(`]]}`, depth)
			return repeated(n, `{"kind":"game","moves":[`+game+"]}\n")
		}, jsonlVerbs, ""},
		{"a long game", "a.jsonl", func(n int) string {
			return `{"id":1,"kind":"game","moves":[` + listed(n, `{"uci":"g1f3"},{"uci":"g8f6"},{"uci":"f3g1"},{"uci":"f6g8"}`) + "]}\n"
		}, jsonlVerbs, ""},
		{"games of players", "a.jsonl", func(n int) string { return repeated(n, `{"kind":"game","white":"P%d"}`+"\n") }, jsonlVerbs, ""},
		{"a tournament", "a.jsonl", func(n int) string {
			return repeated(n, `{"kind":"game","event":"T","white":"P%[1]d","black":"Q%[1]d","result":"1-0"}`+"\n")
		}, jsonlVerbs[:1], ""},
		{"one against all", "a.jsonl", func(n int) string {
			return repeated(n, `{"kind":"game","event":"T","white":"P","black":"Q%d","result":"1-0"}`+"\n")
		}, jsonlVerbs[:1], ""},
		{"openings", "a.pgn", openings, pgnVerbs, ""},
		{"games of tournaments", "a.jsonl", func(n int) string { return repeated(n, `{"kind":"game","event":"P%d"}`+"\n") }, jsonlVerbs, ""},
		{"empty games", "a.jsonl", func(n int) string { return repeated(n, `{"kind":"game"}`+"\n") }, jsonlVerbs, ""},
		{"empty texts", "a.jsonl", func(n int) string { return repeated(n, `{"kind":"text"}`+"\n") }, jsonlVerbs[:3], ""},
		{"texts with media", "a.jsonl", func(n int) string { return `{"kind":"text","media":[` + listed(n, `"m%d"`) + "]}\n" }, jsonlVerbs[:3], ""},
		{"media of texts", "a.jsonl", func(n int) string { return repeated(n, `{"kind":"text","media":["m%d"]}`+"\n") }, jsonlVerbs[:3], ""},
		{"languages of a text", "a.jsonl", func(n int) string {
			return `{"kind":"text","title":[` + listed(n, `{"lang":"#%[1]d","text":"x"}`) + "]}\n"
		}, jsonlVerbs[:3], ""},
		{"a long text", "a.jsonl", func(n int) string {
			return `{"kind":"text","content":[{"text":"` + strings.Repeat("x\\n", n/3) + `"}]}` + "\n"
		}, jsonlVerbs[:3], ""},
		{"unknown keys", "a.jsonl", func(n int) string { return `{"kind":"game",` + listed(n, `"k%d":[]`) + "}\n" }, jsonlVerbs[:1], ""},
		{"nested lists", "a.jsonl", func(n int) string { return `{"kind":"game","tags":` + strings.Repeat("[", n) + "\n" }, jsonlVerbs[:1], ""},
		{"bad lines", "a.jsonl", func(n int) string { return repeated(n, "x\n") }, jsonlVerbs[:2], ""},
		{"a number of many digits", "a.jsonl", func(n int) string { return `{"kind":"game","whiteElo":` + strings.Repeat("1", n) + "}\n" }, jsonlVerbs[:1], ""},
		{"escapes", "a.jsonl", func(n int) string { return `{"kind":"game","white":"` + strings.Repeat(`\u00e4`, n/6) + `"}` + "\n" }, jsonlVerbs, ""},
		{"solutions", "a.jsonl", func(n int) string {
			return `{"kind":"game","annotations":[{"kind":"training","solutions":[` + listed(n, `{"from":"e2","to":"e4"}`) + "]}]}\n"
		}, jsonlVerbs, ""},

		{"tags", "a.pgn", func(n int) string { return repeated(n, "[T%d \"x\"]\n") + "\n1. e4 *\n" }, pgnVerbs, ""},
		{"one tag again and again", "a.pgn", func(n int) string { return repeated(n, "[T \"x%d\"]\n") + "\n1. e4 *\n" }, pgnVerbs, ""},
		{"a long tag", "a.pgn", func(n int) string { return "[Event \"" + strings.Repeat("x", n) + "\"]\n\n1. e4 *\n" }, pgnVerbs, ""},
		{"a tag without an end", "a.pgn", func(n int) string { return "[Event \"" + strings.Repeat("x\n", n/2) }, pgnVerbs, ""},
		{"tags that are none", "a.pgn", func(n int) string { return strings.Repeat("[", n) }, pgnVerbs, ""},
		{"a long comment", "a.pgn", func(n int) string { return "1. e4 {" + strings.Repeat("word ", n/5) + "} *\n" }, pgnVerbs, ""},
		{"a comment without an end", "a.pgn", func(n int) string { return "1. e4 {" + strings.Repeat("x\n", n/2) }, pgnVerbs, ""},
		{"comments at a move", "a.pgn", func(n int) string { return "1. e4 " + repeated(n, "{c%d} ") + "*\n" }, pgnVerbs, ""},
		{"comments to the end of the line", "a.pgn", func(n int) string { return "1. e4 " + repeated(n, "; c%d\n") + "*\n" }, pgnVerbs, ""},
		{"escaped lines", "a.pgn", func(n int) string { return "1. e4\n" + repeated(n, "%%%d\n") + "*\n" }, pgnVerbs, ""},
		{"NAGs", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat("$7 ", n/3) + "*\n" }, pgnVerbs, ""},
		{"commands in a comment", "a.pgn", func(n int) string { return "1. e4 {" + strings.Repeat("[%csl Ge4] ", n/11) + "} *\n" }, pgnVerbs, ""},
		{"arrows in a command", "a.pgn", func(n int) string { return "1. e4 {[%cal " + listed(n, "Ge2e4") + "]} *\n" }, pgnVerbs, ""},
		{"commands without an end", "a.pgn", func(n int) string { return "1. e4 {" + strings.Repeat("[%csl ", n/6) + "} *\n" }, pgnVerbs, ""},
		{"brackets in a comment", "a.pgn", func(n int) string { return "1. e4 {" + strings.Repeat("[", n) + "} *\n" }, pgnVerbs, ""},
		{"clocks", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat("{[%clk 1:00:00]} ", n/17) + "*\n" }, pgnVerbs, ""},
		{"evaluations", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat("{[%eval 0.1,20]} ", n/17) + "*\n" }, pgnVerbs, ""},
		{"variations of a move", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat("(1. d4) ", n/8) + "*\n" }, pgnVerbs, ""},
		{"nested variations", "a.pgn", func(n int) string {
			depth := n / 10
			return "1. Nf3 " + strings.Repeat("(Nc3 Nf6 ", depth) + strings.Repeat(")", depth) + " *\n"
		}, pgnVerbs, ""},
		{"variations without an end", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat("(1. d4 ", n/7) }, pgnVerbs, ""},
		{"ends of variations", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat(")", n) }, pgnVerbs, ""},
		{"a long game", "a.pgn", func(n int) string { return shuffled(n) + "*\n" }, pgnVerbs, ""},
		{"games without anything", "a.pgn", func(n int) string { return strings.Repeat("*\n", n/2) }, pgnVerbs, ""},
		{"games of a move", "a.pgn", func(n int) string { return strings.Repeat("e4 *\n", n/5) }, pgnVerbs, ""},
		{"games of players", "a.pgn", func(n int) string { return repeated(n, "[White \"P%d\"]\n\n*\n") }, pgnVerbs, ""},
		{"bad games", "a.pgn", func(n int) string { return strings.Repeat("1. e5 *\n", n/8) }, pgnVerbs, ""},
		{"a word without an end", "a.pgn", func(n int) string { return "1. " + strings.Repeat("e", n) }, pgnVerbs, ""},
		{"move numbers", "a.pgn", func(n int) string { return strings.Repeat("1. ", n/3) + "e4 *\n" }, pgnVerbs, ""},
		{"blank lines", "a.pgn", func(n int) string { return "[White \"A\"]\n" + strings.Repeat("\n", n) + "e4 *\n" }, pgnVerbs, ""},
		{"quotes", "a.pgn", func(n int) string { return "[White \"" + strings.Repeat(`\"`, n/2) + "\"]\n\n*\n" }, pgnVerbs, ""},
		{"null moves", "a.pgn", func(n int) string { return "1. " + strings.Repeat("-- ", n/3) + "*\n" }, pgnVerbs, ""},
		{"null moves in a variation", "a.pgn", func(n int) string { return "1. e4 (" + strings.Repeat("-- ", n/3) + ") *\n" }, pgnVerbs, ""},
		{"results in a row", "a.pgn", func(n int) string { return strings.Repeat("1-0 ", n/4) }, pgnVerbs, ""},
		{"zeros", "a.pgn", func(n int) string { return strings.Repeat("\x00", n) }, pgnVerbs, ""},
		{"line ends", "a.pgn", func(n int) string { return "1. e4\n" + strings.Repeat("\r", n) + "*" }, pgnVerbs, ""},
		{"marks of byte order", "a.pgn", func(n int) string { return strings.Repeat("\ufeff", n/3) }, pgnVerbs, ""},
	}
}

// costFlag asks for every verb of every case, not one in turn of some cases.
var costFlag = flag.Bool("costs", false, "measure the costs of every verb on every input")

// measured is what a run costs.
type measured struct {
	spent time.Duration // of processors
	live  uint64        // heap, if it is more than allowed
	result
}

// prepare makes the input of about n bytes, and returns the run of a verb on it.
func (c *costCase) prepare(t *testing.T, verb string, n int) (*campaignCase, []string) {
	t.Helper()
	dir := gen.Folder(t)
	in, password := filepath.Join(dir, c.file), filepath.Join(dir, "password")
	text := c.text(n)
	save(t, in, text)
	save(t, password, "secret\n")
	whole := len(text)
	names := strings.NewReplacer("TEXT", in, "OUT", filepath.Join(dir, "out"), "PASSWORD", password)
	if c.via != "" {
		made := filepath.Join(dir, "via"+c.via)
		maker := cmp.Or(makers[c.via], "convert -q")
		if r := cbkit(t, "", append(strings.Fields(names.Replace(maker)), in, made)...); r.status != exitDone && !exists(made) {
			t.Fatalf("nothing is made of it: %s", r.errOut)
		}
		in = made
	}
	if c.via == ".cbv" || c.via == ".cbz" { // of which the database counts
		db := filepath.Join(dir, "whole.cbh")
		mustRun(t, "convert", "-q", filepath.Join(dir, c.file), db)
		for _, b := range filesBeside(t, db) {
			whole += len(b)
		}
	}
	var args []string
	for _, word := range strings.Fields(verb) {
		if word == "IN" {
			word = in
		}
		args = append(args, names.Replace(word))
	}
	if c.via == ".cbz" {
		args = append(args, "--password-file", password)
	}
	if !strings.Contains("book compact salvage show", args[0]) || args[0] == "book" && args[1] == "build" {
		args = append(args, "--jobs", "1")
	}
	return &campaignCase{t: t, subject: &subject{name: c.name, unpacked: whole}, files: filesBeside(t, in)}, args
}

// measure runs a verb on an input of about n bytes.
func (c *costCase) measure(t *testing.T, verb string, n int) measured {
	t.Helper()
	k, args := c.prepare(t, verb, n)
	before, allocatedBefore := processorTime(), allocated()
	done := make(chan result, 1)
	go func() { done <- k.execute(args) }()
	var m measured
	select {
	case m.result = <-done:
	case <-time.After(campaignPatience):
		t.Fatalf("not done after %v", campaignPatience)
	}
	m.spent = processorTime() - before
	if m.status < 0 || m.status == exitUsage {
		t.Fatal(m.errOut)
	}
	if allocated()-allocatedBefore <= k.memory() {
		return m
	}
	// What is allocated while the collector marks counts as live, more of it on a
	// machine that does other work: the smallest of three is nearest to the truth.
	for range 3 {
		if k, args = c.prepare(t, verb, n); strings.Contains(verb, "OUT") {
			args = append(args, "--force")
		}
		live := k.liveHeap(args)
		if live <= k.memory() {
			m.live = 0
			break
		}
		m.live = max(1, min(live, cmp.Or(m.live, live)))
	}
	return m
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Every reader and writer takes at most 64 MiB and 32 times the input of live
// heap, and time in proportion, whatever the input is made of; and says little.
func TestCosts(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large files")
	}
	const factor = 4
	small, oneOf := 50_000, 4
	if seeds.InCI {
		oneOf = 2
	}
	if *costFlag {
		small = 100_000
	}
	for i := range costCases {
		c := &costCases[i]
		for j, verb := range c.verbs {
			if !*costFlag && (i%oneOf > 0 || j != i/oneOf%len(c.verbs)) {
				continue
			}
			t.Run(c.file+c.via+" "+c.name+" "+verb, func(t *testing.T) {
				once, more := c.measure(t, verb, small), c.measure(t, verb, factor*small)
				if more.spent > time.Second && more.spent > 3*factor*once.spent {
					t.Errorf("%d bytes take %v, %d take %v", small, once.spent, factor*small, more.spent)
				}
				if once.live+more.live > 0 {
					t.Errorf("live heap: %d and %d MiB", once.live>>20, more.live>>20)
				}
				if len(more.errOut) > 10_000 {
					t.Errorf("%d bytes of messages: %.300s", len(more.errOut), more.errOut)
				}
			})
		}
	}
}
