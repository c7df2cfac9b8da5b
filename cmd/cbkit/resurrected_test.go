package main

import (
	"strings"
	"testing"
)

// A game that is marked as deleted does not come back to life in a PGN, which has no such mark:
// whatever verb writes it leaves the game out and says so, unless the game is asked for.
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
					if !strings.Contains(text, "Alive") || strings.Contains(text, "Dead") != deleted {
						t.Errorf("cbkit %v:\n%s", args, text)
					}
					if said := strings.Contains(r.errOut, "deleted"); said == deleted && args[0] != "find" { // which found none
						t.Errorf("cbkit %v: %s", args, r.errOut)
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
