package main

import (
	"slices"
	"strings"
	"testing"
)

// A game that is marked as deleted does not come back to life in a PGN: the verbs that write one for
// others leave it out unless it is asked for, those that arrange a database keep it with its mark, and
// all say so.
func TestDeletedStaysDeletedInPGN(t *testing.T) {
	here(t)
	save(t, "all.jsonl", `{"id":1,"kind":"game","white":"Alive","event":"E","moves":[{"uci":"e2e4"}]}
{"id":2,"kind":"game","white":"Dead","event":"E","deleted":true,"moves":[{"uci":"d2d4"}]}
`)
	mustRun(t, "convert", "-q", "all.jsonl", "Games.cbh")
	for i, line := range []string{
		"convert SRC OUT", "export SRC OUT", "sort SRC OUT --by date", "strip SRC OUT --comments", "dedup SRC OUT",
		"merge SRC one.pgn OUT", "eco SRC OUT", "untangle SRC OUT", "tree SRC one.pgn OUT --ends names", "split SRC out --by event --format pgn",
		"find SRC kind:game -o OUT",
	} {
		if !isTried(i, 3) {
			continue
		}
		for _, form := range []string{"--plain", "--lossless"} {
			for _, source := range []string{"Games.cbh", "all.jsonl"} {
				for _, deleted := range []bool{false, true} {
					save(t, "one.pgn", "[White \"Other\"]\n\n1. c4 *\n")
					out := "OUT.pgn"
					if strings.HasPrefix(line, "split") {
						out = "out/E.pgn"
					}
					args := strings.Fields(strings.NewReplacer("SRC", source, "OUT", out).Replace(line) + " --force " + form)
					if deleted {
						args = append(args, "--deleted")
					}
					r := mustRun(t, args...)
					text := content(t, out)
					forOthers := slices.Contains([]string{"convert", "export", "tree", "find"}, args[0])
					kept := deleted || !forOthers
					marked := kept && args[0] != "tree" // where a game is a line
					if !strings.Contains(text, "Alive") || strings.Contains(text, "Dead") != kept || strings.Contains(text, `[ScidFlags "D"]`) != marked {
						t.Errorf("cbkit %v:\n%s", args, text)
					}
					if !strings.Contains(r.errOut, "deleted") && args[0] != "find" && !(args[0] == "tree" && deleted) { // which found none, and asks
						t.Errorf("cbkit %v: %s", args, r.errOut)
					}
					if r := mustRun(t, "export", out, "--format", "jsonl", "-"); strings.Contains(r.out, `"deleted":true`) != marked {
						t.Errorf("cbkit %v: %s", args, r.out)
					}
				}
			}
		}
	}
	for line, want := range map[string]string{
		"sort Games.cbh Sorted.dci --by date": "Dead", "sort Games.cbh sorted.jsonl --by date": `"deleted":true`, "find Games.cbh deleted:yes -o found.pgn": "Dead",
	} {
		args := strings.Fields(line)
		mustRun(t, append(args, "-q")...)
		out := args[2]
		if args[0] == "find" {
			out = args[4]
		}
		if r := mustRun(t, "export", out, "--format", "jsonl", "-"); !strings.Contains(r.out, want) {
			t.Errorf("cbkit %v: %s", args, r.out)
		}
	}
	if r := mustRun(t, "export", "Games.cbh", "page.html"); !strings.Contains(r.errOut, "deleted") {
		t.Errorf("a page: %s", r.errOut)
	}
}

// In a PGN whose games have the mark of Scid a change keeps it, --undelete takes it away, and other
// flags stay.
func TestMarkOfDeletedInPGN(t *testing.T) {
	here(t)
	text := "[White \"A\"]\n[ScidFlags \"D\"]\n\n1. e4 *\n\n[White \"B\"]\n[ScidFlags \"WDN\"]\n\n1. d4 *\n\n[White \"C\"]\n\n1. c4 *\n"
	for line, want := range map[string]string{
		"--set 1.white=X --new-names":       strings.Replace(text, `"A"`, `"X"`, 1),
		"--rename-player B=Y":               strings.Replace(text, `"B"`, `"Y"`, 1),
		"--drop-annotations 1-3":            text,
		"--undelete 1":                      strings.Replace(text, "[ScidFlags \"D\"]\n", "", 1),
		"--undelete 2":                      strings.Replace(text, "WDN", "WN", 1),
		"--delete 1":                        text[strings.Index(text, "[White \"B"):],
		"--set 1-3.result=1-0 --undelete 1": strings.ReplaceAll(strings.Replace(text, "[ScidFlags \"D\"]\n", "", 1), "*", "1-0"),
	} {
		save(t, "g.pgn", text)
		r := mustRun(t, append([]string{"edit", "g.pgn"}, strings.Fields(line)...)...)
		if got := content(t, "g.pgn"); got != want {
			t.Errorf("edit %s: %s\n%s\nwant\n%s", line, r.errOut, got, want)
		}
	}
}
