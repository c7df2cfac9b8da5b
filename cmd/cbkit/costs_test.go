//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// costCase is an input whose cost once was out of proportion, or could be.
type costCase struct {
	name string
	file string
	// text makes an input of about n bytes.
	text func(n int) string
	// verbs are the runs; IN and OUT stand for the input and a new file.
	verbs []string
}

var (
	jsonlVerbs = []string{"convert IN OUT.jsonl", "convert IN OUT.cbh", "convert IN OUT.pgn", "convert IN OUT.dci", "book build --variations IN OUT.ctg"}
	pgnVerbs   = []string{
		"convert IN OUT.jsonl", "import --keep-going IN OUT.cbh", "convert IN OUT.pgn", "import IN OUT.dci",
		"book build --variations --keep-going IN OUT.ctg",
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

// shuffled are moves of knights.
func shuffled(n int) string { return repeated(n, "Nf3 Nf6 Ng1 Ng8 ") }

var costCases = []costCase{
	{"tags", "a.jsonl", func(n int) string { return `{"id":1,"kind":"game","tags":{` + listed(n, `"T%d":"x"`) + "}}\n" }, jsonlVerbs},
	{"tags as pairs", "a.jsonl", func(n int) string { return `{"id":1,"kind":"game","tags":[` + listed(n, `["T%d","x"]`) + "]}\n" }, jsonlVerbs},
	{"one tag again and again", "a.jsonl", func(n int) string { return `{"id":1,"kind":"game","tags":[` + listed(n, `["T","x%d"]`) + "]}\n" }, jsonlVerbs},
	{"annotations at one place", "a.jsonl", func(n int) string {
		return `{"id":1,"kind":"game","annotations":[` + listed(n, `{"kind":"text","text":"x%d"}`) + "]}\n"
	}, jsonlVerbs},
	{"annotations of all languages", "a.jsonl", func(n int) string {
		return `{"id":1,"kind":"game","annotations":[` + listed(n, `{"kind":"text","lang":"#%[1]d","text":"x%[1]d"}`) + "]}\n"
	}, jsonlVerbs},
	{"NAGs", "a.jsonl", func(n int) string {
		return `{"id":1,"kind":"game","moves":[{"uci":"e2e4","nags":[` + listed(n, "7") + "]}]}\n"
	}, jsonlVerbs},
	{"symbols", "a.jsonl", func(n int) string {
		return `{"id":1,"kind":"game","annotations":[` + listed(n, `{"kind":"symbols","move":1}`) + "]}\n"
	}, jsonlVerbs},
	{"squares", "a.jsonl", func(n int) string {
		return `{"id":1,"kind":"game","annotations":[{"kind":"squares","squares":{"green":[` + listed(n, `"e4"`) + "]}}]}\n"
	}, jsonlVerbs},
	{"alternatives of a move", "a.jsonl", func(n int) string {
		return `{"id":1,"kind":"game","moves":[{"uci":"e2e4","alternatives":[` + listed(n, `[{"uci":"d2d4"}]`) + "]}]}\n"
	}, jsonlVerbs},
	{"nested alternatives", "a.jsonl", func(n int) string {
		open := `{"uci":"g1f3"},{"uci":"g8f6"},{"uci":"f3g1"},{"uci":"f6g8","alternatives":[[`
		depth := min(n/len(open), 900)
		game := strings.Repeat(open, depth) + `{"uci":"h7h6"}` + strings.Repeat(`]]}`, depth)
		return repeated(n, `{"kind":"game","moves":[`+game+"]}\n")
	}, jsonlVerbs},
	{"a long game", "a.jsonl", func(n int) string {
		return `{"id":1,"kind":"game","moves":[` + listed(n, `{"uci":"g1f3"},{"uci":"g8f6"},{"uci":"f3g1"},{"uci":"f6g8"}`) + "]}\n"
	}, jsonlVerbs},
	{"games of players", "a.jsonl", func(n int) string { return repeated(n, `{"kind":"game","white":"P%d"}`+"\n") }, jsonlVerbs},
	{"games of tournaments", "a.jsonl", func(n int) string { return repeated(n, `{"kind":"game","event":"P%d"}`+"\n") }, jsonlVerbs},
	{"empty games", "a.jsonl", func(n int) string { return repeated(n, `{"kind":"game"}`+"\n") }, jsonlVerbs},
	{"empty texts", "a.jsonl", func(n int) string { return repeated(n, `{"kind":"text"}`+"\n") }, jsonlVerbs[:3]},
	{"texts with media", "a.jsonl", func(n int) string { return `{"kind":"text","media":[` + listed(n, `"m%d"`) + "]}\n" }, jsonlVerbs[:3]},
	{"media of texts", "a.jsonl", func(n int) string { return repeated(n, `{"kind":"text","media":["m%d"]}`+"\n") }, jsonlVerbs[:3]},
	{"languages of a text", "a.jsonl", func(n int) string {
		return `{"kind":"text","title":[` + listed(n, `{"lang":"#%[1]d","text":"x"}`) + "]}\n"
	}, jsonlVerbs[:3]},
	{"a long text", "a.jsonl", func(n int) string { return `{"kind":"text","content":[{"text":"` + strings.Repeat("x\\n", n/3) + `"}]}` + "\n" }, jsonlVerbs[:3]},
	{"unknown keys", "a.jsonl", func(n int) string { return `{"kind":"game",` + listed(n, `"k%d":[]`) + "}\n" }, jsonlVerbs[:1]},
	{"nested lists", "a.jsonl", func(n int) string { return `{"kind":"game","tags":` + strings.Repeat("[", n) + "\n" }, jsonlVerbs[:1]},
	{"bad lines", "a.jsonl", func(n int) string { return repeated(n, "x\n") }, jsonlVerbs[:2]},
	{"a number of many digits", "a.jsonl", func(n int) string { return `{"kind":"game","whiteElo":` + strings.Repeat("1", n) + "}\n" }, jsonlVerbs[:1]},
	{"escapes", "a.jsonl", func(n int) string { return `{"kind":"game","white":"` + strings.Repeat(`\u00e4`, n/6) + `"}` + "\n" }, jsonlVerbs},
	{"solutions", "a.jsonl", func(n int) string {
		return `{"kind":"game","annotations":[{"kind":"training","solutions":[` + listed(n, `{"from":"e2","to":"e4"}`) + "]}]}\n"
	}, jsonlVerbs},

	{"tags", "a.pgn", func(n int) string { return repeated(n, "[T%d \"x\"]\n") + "\n1. e4 *\n" }, pgnVerbs},
	{"one tag again and again", "a.pgn", func(n int) string { return repeated(n, "[T \"x%d\"]\n") + "\n1. e4 *\n" }, pgnVerbs},
	{"a long tag", "a.pgn", func(n int) string { return "[Event \"" + strings.Repeat("x", n) + "\"]\n\n1. e4 *\n" }, pgnVerbs},
	{"a tag without an end", "a.pgn", func(n int) string { return "[Event \"" + strings.Repeat("x\n", n/2) }, pgnVerbs},
	{"tags that are none", "a.pgn", func(n int) string { return strings.Repeat("[", n) }, pgnVerbs},
	{"a long comment", "a.pgn", func(n int) string { return "1. e4 {" + strings.Repeat("word ", n/5) + "} *\n" }, pgnVerbs},
	{"a comment without an end", "a.pgn", func(n int) string { return "1. e4 {" + strings.Repeat("x\n", n/2) }, pgnVerbs},
	{"comments at a move", "a.pgn", func(n int) string { return "1. e4 " + repeated(n, "{c%d} ") + "*\n" }, pgnVerbs},
	{"comments to the end of the line", "a.pgn", func(n int) string { return "1. e4 " + repeated(n, "; c%d\n") + "*\n" }, pgnVerbs},
	{"escaped lines", "a.pgn", func(n int) string { return "1. e4\n" + repeated(n, "%%%d\n") + "*\n" }, pgnVerbs},
	{"NAGs", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat("$7 ", n/3) + "*\n" }, pgnVerbs},
	{"commands in a comment", "a.pgn", func(n int) string { return "1. e4 {" + strings.Repeat("[%csl Ge4] ", n/11) + "} *\n" }, pgnVerbs},
	{"arrows in a command", "a.pgn", func(n int) string { return "1. e4 {[%cal " + listed(n, "Ge2e4") + "]} *\n" }, pgnVerbs},
	{"commands without an end", "a.pgn", func(n int) string { return "1. e4 {" + strings.Repeat("[%csl ", n/6) + "} *\n" }, pgnVerbs},
	{"brackets in a comment", "a.pgn", func(n int) string { return "1. e4 {" + strings.Repeat("[", n) + "} *\n" }, pgnVerbs},
	{"clocks", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat("{[%clk 1:00:00]} ", n/17) + "*\n" }, pgnVerbs},
	{"evaluations", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat("{[%eval 0.1,20]} ", n/17) + "*\n" }, pgnVerbs},
	{"variations of a move", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat("(1. d4) ", n/8) + "*\n" }, pgnVerbs},
	{"nested variations", "a.pgn", func(n int) string {
		depth := n / 10
		return "1. Nf3 " + strings.Repeat("(Nc3 Nf6 ", depth) + strings.Repeat(")", depth) + " *\n"
	}, pgnVerbs},
	{"variations without an end", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat("(1. d4 ", n/7) }, pgnVerbs},
	{"ends of variations", "a.pgn", func(n int) string { return "1. e4 " + strings.Repeat(")", n) }, pgnVerbs},
	{"a long game", "a.pgn", func(n int) string { return shuffled(n) + "*\n" }, pgnVerbs},
	{"games without anything", "a.pgn", func(n int) string { return strings.Repeat("*\n", n/2) }, pgnVerbs},
	{"games of a move", "a.pgn", func(n int) string { return strings.Repeat("e4 *\n", n/5) }, pgnVerbs},
	{"games of players", "a.pgn", func(n int) string { return repeated(n, "[White \"P%d\"]\n\n*\n") }, pgnVerbs},
	{"bad games", "a.pgn", func(n int) string { return strings.Repeat("1. e5 *\n", n/8) }, pgnVerbs},
	{"a word without an end", "a.pgn", func(n int) string { return "1. " + strings.Repeat("e", n) }, pgnVerbs},
	{"move numbers", "a.pgn", func(n int) string { return strings.Repeat("1. ", n/3) + "e4 *\n" }, pgnVerbs},
	{"blank lines", "a.pgn", func(n int) string { return "[White \"A\"]\n" + strings.Repeat("\n", n) + "e4 *\n" }, pgnVerbs},
	{"quotes", "a.pgn", func(n int) string { return "[White \"" + strings.Repeat(`\"`, n/2) + "\"]\n\n*\n" }, pgnVerbs},
	{"null moves", "a.pgn", func(n int) string { return "1. " + strings.Repeat("-- ", n/3) + "*\n" }, pgnVerbs},
	{"null moves in a variation", "a.pgn", func(n int) string { return "1. e4 (" + strings.Repeat("-- ", n/3) + ") *\n" }, pgnVerbs},
	{"results in a row", "a.pgn", func(n int) string { return strings.Repeat("1-0 ", n/4) }, pgnVerbs},
	{"zeros", "a.pgn", func(n int) string { return strings.Repeat("\x00", n) }, pgnVerbs},
	{"line ends", "a.pgn", func(n int) string { return "1. e4\n" + strings.Repeat("\r", n) + "*" }, pgnVerbs},
	{"marks of byte order", "a.pgn", func(n int) string { return strings.Repeat("\ufeff", n/3) }, pgnVerbs},
}

// costRun runs a case at a size and returns the processor time and the live
// heap.
func costRun(t *testing.T, c *costCase, verb string, n int) (spent time.Duration, live uint64, r result) {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, c.file)
	text := c.text(n)
	if err := os.WriteFile(in, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := strings.Fields(strings.NewReplacer("IN", in, "OUT", filepath.Join(dir, "out")).Replace(verb))
	args = append(args, "--jobs", "1", "-q")
	k := &campaignCase{t: t, subject: &subject{name: c.name}, files: map[string][]byte{c.file: []byte(text)}}
	before := processorTime()
	allocatedBefore := allocated()
	done := make(chan result, 1)
	go func() { done <- k.execute(args) }()
	select {
	case r = <-done:
	case <-time.After(campaignPatience):
		return campaignPatience, 0, result{-1, "", "no end"}
	}
	spent = processorTime() - before
	if allocated()-allocatedBefore > k.memory() {
		os.RemoveAll(filepath.Join(dir, "out"))
		for _, ext := range []string{".jsonl", ".pgn", ".cbh", ".dci", ".ctg"} {
			os.Remove(filepath.Join(dir, "out"+ext))
		}
		live = k.liveHeap(append(args, "--force"))
		if live <= k.memory() {
			live = 0
		}
	}
	return spent, live, r
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var _ = bytes.NewReader

func TestCosts(t *testing.T) {
	const small, factor = 200_000, 4
	for i := range costCases {
		c := &costCases[i]
		for _, verb := range c.verbs {
			t.Run(c.file+" "+c.name+" "+verb, func(t *testing.T) {
				once, live, r := costRun(t, c, verb, small)
				if r.status < 0 {
					t.Fatalf("%s", r.errOut)
				}
				more, liveMore, r := costRun(t, c, verb, factor*small)
				t.Logf("%v, %v; exit %d; output %d bytes", once.Round(time.Millisecond), more.Round(time.Millisecond), r.status, len(r.errOut))
				if r.status < 0 || more > 300*time.Millisecond && more > 2*factor*once {
					t.Errorf("%d bytes take %v, %d take %v %s", small, once, factor*small, more, r.errOut)
				}
				if live+liveMore > 0 {
					t.Errorf("live heap: %d and %d MiB", live>>20, liveMore>>20)
				}
				if len(r.errOut) > 10_000 {
					t.Errorf("%d bytes of messages: %.300s", len(r.errOut), r.errOut)
				}
			})
		}
	}
}
