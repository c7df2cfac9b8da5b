package main

import (
	"os"
	"path/filepath"
	"strings"
)

// campaignQueries are searches of each kind, with the damage that is in the way
// of a search that reads all records for them, and the file of names they need.
var campaignQueries = []struct {
	query string
	reads damageKind
	file  string
}{
	{"player:*a*", damagedHeads, ".cbp"}, {"tournament:*", damagedHeads, ".cbt"}, {"annotator:*e*", damagedHeads, ".cbc"},
	{"source:*", damagedHeads, ".cbs"},
	{"title:*", damagedReference, ".cbl"}, {"team:*", damagedReference, ".cbe"},
	{"eco:A00..E99", damagedHeader, ""}, {"year:1900..", damagedHeader, ""},
	{"moves:..10", damagedHeader, ""}, {"result:1-0", damagedHeader, ""},
	{"material:KQ-K", damagedGame &^ damagedReference, ".cbg"}, {"piece:Nd5", damagedGame &^ damagedReference, ".cbg"},
	{"fen:\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"", damagedGame &^ damagedReference, ".cbg"},
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
	list := []campaignVerb{
		check,
		onPath(damagedFile, "info"), onPath(damagedFile, "info --json"),
		// verify compares the bytes of each record, and follows no reference.
		onPath(damagedRecord&^damagedReference, "verify --jobs 1"),
		onPath(damagedGame&^damagedReference, "boosters -q --jobs 1"), onPath(0, "boosters --check --jobs 1"),
		showVerb("--ply=0"), showVerb("--json"),
		into(damagedRecord&^damagedText, "export --jobs 1", "out.pgn", nil),
		into(damagedRecord, "export --jobs 1", "out.jsonl", nil),
		into(damagedRecord&^damagedText, "convert -q --jobs 1", "out.pgn", nil),
		into(damagedRecord, "convert -q --jobs 1", "out.cbh", soundOutput("out.cbh")),
		into(damagedRecord, "convert -q --jobs 1 --fresh", "out.cbh", soundOutput("out.cbh")),
		into(damagedRecord, "convert -q --jobs 1 --keep-going", "out.cbh", soundOutput("out.cbh")),
		into(damagedRecord&^damagedChecksum, "convert -q --jobs 1 --purge --boosters", "out.cbh", soundOutput("out.cbh")),
		into(damagedGame|damagedNotes, "convert -q --jobs 1 --keep-going", "out.dci", soundOutput("out.dci")),
		into(damagedRecord&^damagedText, "convert -q --jobs 1 --keep-going", "out.pgn", nil),
		into(damagedGame, "book build -q --jobs 1", "out.ctg", soundOutput("out.ctg")),
		into(damagedGame, "book build -q --jobs 1 --keep-going --variations", "out.ctg", soundOutput("out.ctg")),
		{reads: damagedRecord, after: soundOutput("out.cbh"), args: func(c *campaignCase) []string {
			return []string{"merge", "-q", "--jobs", "1", c.path(), c.path(), c.target("out.cbh")}
		}},
		into(damagedRecord, "sort -q --jobs 1 --by date", "out.cbh", soundOutput("out.cbh")),
		into(damagedRecord, "strip -q --jobs 1 --variations --keep-going", "out.cbh", soundOutput("out.cbh")),
		into(damagedRecord, "dedup -q --jobs 1 --keep-going", "out.cbh", soundOutput("out.cbh")),
		into(damagedRecord, "split -q --jobs 1 --by 10", "parts", nil),
		{reads: damagedRecord, args: func(c *campaignCase) []string {
			return []string{"diff", "--jobs", "1", c.path(), c.path()}
		}},
		// compact moves what is stored, and decodes nothing.
		{after: soundInput, args: func(c *campaignCase) []string {
			return []string{"compact", "-q", c.copy()}
		}},
		{after: soundInput, args: func(c *campaignCase) []string {
			return []string{"edit", "--set", c.anyNumber() + ".round=7", c.copy()}
		}},
	}
	for _, q := range campaignQueries {
		list = append(list, findVerb(q.query, q.reads, q.file, "--no-boosters"), findVerb(q.query, 0, q.file))
	}
	return list
}

// showVerb shows one record.
func showVerb(flag string) campaignVerb {
	return campaignVerb{reads: damagedRecord, shown: true, args: func(c *campaignCase) []string {
		return []string{"show", flag, c.path(), c.anyNumber()}
	}}
}

// findVerb searches.
func findVerb(query string, reads damageKind, file string, flags ...string) campaignVerb {
	formats := []string{"table", "ids", "pgn", "jsonl"}
	return campaignVerb{reads: reads, file: file, args: func(c *campaignCase) []string {
		format := formats[c.rand.IntN(len(formats))]
		return append(append([]string{"find", "-q", "--jobs", "1", "--format", format}, flags...), c.path(), query)
	}}
}

// copy makes a copy of the input, for a verb that changes it, and returns its
// path.
func (c *campaignCase) copy() string {
	path := c.target(c.subject.main)
	for name, b := range c.files {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), b, 0o644); err != nil {
			c.t.Fatal(err)
		}
	}
	return path
}

// carriedWords are in what the program says of damage that a copy has taken over
// because it costs no game and no word.
const carriedWords = "copied though wrong in the original"

// soundOutput checks that what was written is without fault, whatever it was
// made of, unless the exit status or a word of the program says otherwise.
func soundOutput(name string) func(c *campaignCase, r result) {
	return func(c *campaignCase, r result) {
		path := filepath.Join(c.dir, "out", name)
		if _, err := os.Stat(path); err != nil || r.status != exitDone || strings.Contains(r.errOut, carriedWords) {
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

// soundInput checks the copy of an input after it was changed: what was sound
// has to be so still.
func soundInput(c *campaignCase, r result) {
	path := filepath.Join(c.dir, "out", c.subject.main)
	if r.status != exitDone || strings.Contains(r.errOut, carriedWords) {
		return
	}
	after := c.runProgram("check", "--jobs", "1", path)
	if after.status != exitDone && c.runProgram("check", "--jobs", "1", c.copy()).status == exitDone {
		c.errorf("what was sound has faults:\n%s%s", after.out, after.errOut)
	}
}
