package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// serverGames are games as Lichess and chess.com write them, and one without any of it.
const serverGames = `[White "A"]
[Black "B"]

1. e4 { [%eval 0.17] [%clk 0:05:03.9] } 1... e5 { best [%eval 0.17,23] by [%emt 0.0] test } 2. Nf3 { [%eval #-3] } *

[White "C"]
[Black "D"]

1. d4 { [%emt 0:00:05] solid } *

[White "E"]
[Black "F"]

1. c4 { [%event x] } *
`

// Clocks, times and verdicts of servers are words of the text in every format, and strip
// and find know what they say.
func TestClocksOfServers(t *testing.T) {
	here(t)
	save(t, "a.pgn", serverGames)
	for _, name := range []string{"a.cbh", "a.jsonl", "a.dci"} {
		mustRun(t, "convert", "-q", "a.pgn", name)
	}
	clocks, engines := []string{"[%clk 0:05:03.9]", "[%emt 0.0]", "[%emt 0:00:05]"}, []string{"[%eval 0.17]", "[%eval #-3]", "0.17,23"}
	for _, name := range []string{"a.pgn", "a.cbh", "a.jsonl", "a.dci"} {
		for _, c := range []struct {
			flags  string
			absent []string
		}{
			{"--clocks", clocks}, {"--engines", engines}, {"--clocks --engines", slices.Concat(clocks, engines)}, {"--training --medals", nil},
		} {
			r := cbkit(t, "", append([]string{"strip", "--force", name, "b" + name[1:]}, strings.Fields(c.flags)...)...)
			if nothing := strings.Contains(r.errOut, "nothing to leave out"); r.status != 0 || nothing != (c.absent == nil) {
				t.Errorf("%s %s: %+v", name, c.flags, r)
			}
			// What the format itself does not hold is no matter of strip.
			text := func(name string) string {
				return strings.ReplaceAll(cbkit(t, "", "export", "-q", name, "-", "--format", "pgn").out, "\n", " ")
			}
			was, is := text(name), text("b"+name[1:])
			for _, part := range slices.Concat(clocks, engines, []string{"best", " by ", "test", "solid", "[%event x]"}) {
				if want := strings.Contains(was, part) && !slices.Contains(c.absent, part); strings.Contains(is, part) != want {
					t.Errorf("%s %s: %s is there: %v, want %v\n%s", name, c.flags, part, !want, want, is)
				}
			}
			if strings.Contains(c.flags, "--clocks") && !strings.Contains(is, "best by test") {
				t.Errorf("%s %s: %s", name, c.flags, is)
			}
		}
		for question, want := range map[string]string{
			"has:clock": "1\n", "has:time-spent": "1\n2\n", "not has:clock": "2\n3\n", "has:clock has:time-spent not has:setup": "1\n",
		} {
			if name == "a.dci" && question == "has:time-spent" {
				continue // it has no place for what is a value in game 2
			}
			if r := cbkit(t, "", "find", "-q", name, question, "--format", "ids"); r.out != want {
				t.Errorf("%s %s: %q, want %q (%s)", name, question, r.out, want, r.errOut)
			}
		}
	}
	// JSON Lines keeps the letters and gains no second value.
	b, err := os.ReadFile("a.jsonl")
	if err != nil || !strings.Contains(string(b), "[%clk 0:05:03.9]") || strings.Contains(string(b), `"clock"`) || strings.Count(string(b), `"engine"`) != 1 {
		t.Errorf("%v: %s", err, b)
	}
}

// What engines and servers say in words goes with their verdicts; what a person says stays.
func TestWordsOfEngines(t *testing.T) {
	here(t)
	save(t, "a.pgn", `[White "A"]
[Black "B"]

1. e4 {book} 1... c5 {+0.31/14 0.53s} 2. Nf3 {[%eval 0.2] Inaccuracy. c3 was best.} 2... d6 {(0.20 → 0.31) Mistake. Nc6 was best. I like it.}
3. d4 {Mistake. I saw ghosts.} 3... cxd4 {-M5/20 1.2s, Black mates} 4. Nxd4 {by the book} *
`)
	for _, name := range []string{"a.pgn", "a.cbh", "a.jsonl"} {
		if name != "a.pgn" {
			mustRun(t, "convert", "-q", "a.pgn", name)
		}
		for flags, want := range map[string]string{
			"--engines":          "1. e4 c5 2. Nf3 d6 {I like it.} 3. d4 {Mistake. I saw ghosts.} 3... cxd4 4. Nxd4 {by the book} *",
			"--clocks":           "1. e4 {book} 1... c5 {+0.31/14} 2. Nf3 {[%eval 0.2] Inaccuracy. c3 was best.} 2... d6 {(0.20 → 0.31) Mistake. Nc6 was best. I like it.} 3. d4 {Mistake. I saw ghosts.} 3... cxd4 {-M5/20, Black mates} 4. Nxd4 {by the book} *",
			"--engines --clocks": "1. e4 c5 2. Nf3 d6 {I like it.} 3. d4 {Mistake. I saw ghosts.} 3... cxd4 4. Nxd4 {by the book} *",
		} {
			mustRun(t, append([]string{"strip", "-q", "--force", "--lossless", name, "b.pgn"}, strings.Fields(flags)...)...)
			text := must.Get(os.ReadFile("b.pgn"))(t)
			if got := strings.Join(strings.Fields(string(text)), " "); !strings.HasSuffix(got, want) {
				t.Errorf("%s %s: %s", name, flags, got)
			}
		}
	}
}
