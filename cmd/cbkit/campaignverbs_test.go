package main

import (
	"os"
	"path/filepath"
	"strings"
)

// campaignQueries are searches of each kind.
var campaignQueries = []struct {
	query string
	reads damageKind
}{
	{"player:*a*", damagedFile}, {"eco:A00..E99", damagedFile}, {"year:1900..", damagedFile}, {"tournament:*", damagedFile},
	{"annotator:*e*", damagedFile}, {"source:*", damagedFile}, {"title:*", damagedFile}, {"team:*", damagedFile},
	{"moves:..10", damagedFile}, {"result:1-0", damagedFile},
	{"material:KQ-K", damagedMoves | damagedFile}, {"piece:Nd5", damagedMoves | damagedFile},
	{"fen:\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"", damagedMoves | damagedFile},
}

// target is a new file in the folder of a case.
func (c *campaignCase) target(name string) string {
	dir := filepath.Join(c.dir, "out")
	if err := os.RemoveAll(dir); err != nil {
		c.t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		c.t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

// onPath is a run with the input as its last argument but for what follows.
func onPath(reads damageKind, verb string, flags ...string) campaignVerb {
	return campaignVerb{reads: reads, args: func(c *campaignCase) []string {
		return append(append(strings.Fields(verb), flags...), c.path())
	}}
}

// into is a run that makes something of the input.
func into(reads damageKind, verb, name string, after func(c *campaignCase, r result)) campaignVerb {
	return campaignVerb{reads: reads, after: after, args: func(c *campaignCase) []string {
		return append(strings.Fields(verb), c.path(), c.target(name))
	}}
}

// databaseVerbs are the verbs that read databases.
func databaseVerbs() []campaignVerb {
	check := onPath(damagedAny, "check --jobs 1")
	check.always = true
	return []campaignVerb{
		check,
		onPath(damagedFile, "info"), onPath(damagedFile, "info --json"),
		onPath(damagedRecord, "verify --jobs 1"),
		onPath(damagedMoves|damagedFile, "boosters -q --jobs 1"), onPath(damagedFile, "boosters --check --jobs 1"),
		{args: func(c *campaignCase) []string { return []string{"show", c.path(), c.anyNumber(), "--ply=0"} }},
		{args: func(c *campaignCase) []string { return []string{"show", "--json", c.path(), c.anyNumber()} }},
		findVerb(), findVerb("--no-boosters"), findVerb("--format", "jsonl"), findVerb("--format", "pgn"),
		into(damagedRecord&^damagedText, "export --jobs 1", "out.pgn", nil),
		into(damagedRecord, "export --jobs 1", "out.jsonl", nil),
		into(damagedRecord&^damagedText, "convert -q --jobs 1", "out.pgn", nil),
		into(damagedRecord, "convert -q --jobs 1", "out.cbh", nil),
		into(damagedRecord, "convert -q --jobs 1 --keep-going", "out.cbh", soundOutput("out.cbh")),
		into(damagedRecord, "convert -q --jobs 1 --purge --boosters", "out.cbh", soundOutput("out.cbh")),
		into(damagedMoves|damagedFile, "convert -q --jobs 1 --keep-going", "out.dci", soundOutput("out.dci")),
		into(damagedRecord&^damagedText, "convert -q --jobs 1 --keep-going", "out.pgn", nil),
		into(damagedMoves|damagedFile, "book build -q --jobs 1", "out.ctg", soundOutput("out.ctg")),
		into(damagedMoves|damagedFile, "book build -q --jobs 1 --keep-going --variations", "out.ctg", soundOutput("out.ctg")),
	}
}

// findVerb searches.
func findVerb(flags ...string) campaignVerb {
	return campaignVerb{args: func(c *campaignCase) []string {
		q := campaignQueries[c.rand.IntN(len(campaignQueries))]
		return append(append([]string{"find", "--jobs", "1"}, flags...), c.path(), q.query)
	}}
}

// soundOutput checks that what was written is without fault, whatever it was
// made of, unless the exit status says otherwise.
func soundOutput(name string) func(c *campaignCase, r result) {
	return func(c *campaignCase, r result) {
		path := filepath.Join(c.dir, "out", name)
		if _, err := os.Stat(path); err != nil || r.status != exitDone || len(c.visible) > 0 {
			return
		}
		verb := []string{"check", path}
		if strings.HasSuffix(name, ".ctg") {
			verb = []string{"book", "check", path}
		}
		if r := c.runProgram(verb...); r.status != exitDone {
			c.errorf("what was written has faults:\n%s%s", r.out, r.errOut)
		}
	}
}
