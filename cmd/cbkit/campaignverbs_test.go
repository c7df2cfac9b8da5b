package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// campaignQueries are searches of each kind, with the damage that is in the way
// of a search that reads all records for them, and the file of names they need.
var campaignQueries = []struct {
	query string
	reads damageKind
	file  string
}{
	{"player:*a*", damagedHeaders, ".cbp"}, {"tournament:*", damagedHeaders, ".cbt"}, {"annotator:*e*", damagedHeaders, ".cbc"},
	{"source:*", damagedHeaders, ".cbs"},
	{"title:*", damagedReference, ".cbl"}, {"team:*", damagedReference, ".cbe"},
	{"eco:A00..E99", damagedHeader, ""}, {"year:1900..", damagedHeader, ""},
	{"moves:..10", damagedHeader, ""}, {"result:1-0", damagedHeader, ""},
	{"material:KQ-K", damagedGame &^ damagedReference, ".cbg"}, {"piece:Nd5", damagedGame &^ damagedReference, ".cbg"},
	{"fen:\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"", damagedGame &^ damagedReference, ".cbg"},
}

// target is a new file in the folder of a case.
func (c *campaignCase) target(name string) string {
	dir := filepath.Join(c.dir, "out")
	c.prepare = func() {
		mustDo(os.RemoveAll(dir))
		mustDo(os.MkdirAll(dir, 0o755))
	}
	c.prepare()
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

// readingVerbs are the verbs that read databases, those of a kind together.
func readingVerbs() [][]campaignVerb {
	check := onPath(damagedAny, "check --jobs 1")
	check.always = true
	kinds := [][]campaignVerb{
		{check},
		{onPath(damagedFile, "info"), onPath(damagedFile, "info --json")},
		// verify compares the bytes of each record, and follows no reference.
		{onPath(damagedRecord&^damagedReference, "verify --jobs 1")},
		{showVerb("--ply=0"), showVerb("--json")},
		{
			into(damagedRecord&^damagedText, "export --jobs 1", "out.pgn", nil),
			into(damagedRecord&^damagedText, "export --jobs 1 --lossless", "out.pgn.gz", nil),
			into(damagedRecord, "export --jobs 1", "out.jsonl", nil),
		},
		{
			into(damagedRecord&^damagedText, "export -q --jobs 1", "out.parquet", nil),
			into(damagedGame, "export -q --jobs 1 --tables positions --keep-going", "out.parquet", nil),
		},
		{
			into(damagedRecord, "convert -q --jobs 1", "out.cbh", soundRecords),
			into(damagedRecord, "convert -q --jobs 1 --fresh", "out.cbh", soundRecords),
			into(damagedRecord, "convert -q --jobs 1 --keep-going", "out.cbh", soundRecords),
			into(damagedRecord&^damagedChecksum, "convert -q --jobs 1 --purge --boosters", "out.cbh", soundOutput("out.cbh")),
		},
		{
			into(damagedGame|damagedAnnotations, "convert -q --jobs 1 --keep-going", "out.dci", soundOutput("out.dci")),
			into(damagedGame|damagedAnnotations, "convert -q --jobs 1 --layout v0", "out.dci", soundOutput("out.dci")),
		},
		{
			into(damagedRecord&^damagedText, "convert -q --jobs 1", "out.pgn", nil),
			into(damagedRecord&^damagedText, "convert -q --jobs 1 --keep-going", "out.pgn", nil),
		},
		{
			{reads: damagedRecord, after: soundRecords, args: func(c *campaignCase) []string {
				return []string{"merge", "-q", "--jobs", "1", c.path(), c.path(), c.target("out.cbh")}
			}},
			into(damagedRecord, "sort -q --jobs 1 --by date", "out.cbh", soundRecords),
			into(damagedRecord, "sort -q --jobs 1 --by white --keep-going", "out.cbh", soundRecords),
		},
		{
			into(damagedRecord, "strip -q --jobs 1 --variations --keep-going", "out.cbh", soundOutput("out.cbh")),
			into(damagedRecord, "dedup -q --jobs 1 --keep-going", "out.cbh", soundOutput("out.cbh")),
			into(damagedRecord, "split -q --jobs 1 --by 10", "parts", nil),
		},
		{{reads: damagedRecord, args: func(c *campaignCase) []string {
			return []string{"diff", "--jobs", "1", c.path(), c.path()}
		}}},
		{
			into(damagedRecord, "eco --jobs 1", "out.cbh", soundOutput("out.cbh")),
			into(damagedRecord&^damagedText, "eco --jobs 1 --keep --keep-going", "out.pgn", nil),
		},
		bookBuilding(damagedGame),
	}
	kinds = append(kinds, counting()...)
	var found, searched []campaignVerb
	for _, q := range campaignQueries {
		found = append(found, findVerb(q.query, q.reads, q.file, "--no-boosters"))
		searched = append(searched, findVerb(q.query, 0, q.file))
	}
	return append(kinds, found, searched)
}

// databaseVerbs are those, and the verbs that change databases of all kinds.
func databaseVerbs() [][]campaignVerb {
	return append(readingVerbs(), [][]campaignVerb{
		editing("--set", func(c *campaignCase) string { return c.anyNumber() + ".round=7" }),
		editing("--delete", (*campaignCase).anyNumber),
		editing("--append", func(c *campaignCase) string { return c.beside("side.pgn") }),
		editing("--replace", func(c *campaignCase) string { return c.anyNumber() + "=" + c.beside("side.pgn") }),
		{{after: soundInput, args: func(c *campaignCase) []string {
			return []string{"import", "-q", "--append", c.beside("side.pgn"), c.copy()}
		}}},
	}...)
}

// counting are the verbs that say who and what is in a database. They read the
// headers of all records, whatever they count.
func counting() [][]campaignVerb {
	var lists []campaignVerb
	for _, kind := range []string{"players", "tournaments", "annotators", "sources", "teams", "titles"} {
		lists = append(lists, campaignVerb{reads: damagedHeaders, args: func(c *campaignCase) []string {
			return []string{"list", "-q", "--jobs", "1", c.path(), kind}
		}})
	}
	return [][]campaignVerb{
		lists,
		{
			onPath(damagedHeaders, "stats -q --jobs 1"),
			{reads: damagedHeaders, args: func(c *campaignCase) []string {
				return []string{"stats", "-q", "--jobs", "1", "--json", "--player", "*", c.path()}
			}},
		},
		{{reads: damagedHeaders, args: func(c *campaignCase) []string {
			return c.subject.withName("event", "table", "-q", "--jobs", "1", c.path())
		}}},
		{
			onPath(damagedGame, "report -q --jobs 1"),
			{reads: damagedGame, args: func(c *campaignCase) []string {
				return []string{"report", "-q", "--jobs", "1", "--json", "--keep-going", c.path(), "e4"}
			}},
		},
	}
}

// bookBuilding are the verbs that count games in books.
func bookBuilding(reads damageKind) []campaignVerb {
	return []campaignVerb{
		into(reads, "book build -q --jobs 1", "out.ctg", soundOutput("out.ctg")),
		into(reads, "book build -q --jobs 1 --keep-going --variations", "out.ctg", soundOutput("out.ctg")),
		{reads: reads, after: soundOutput("side.ctg"), args: func(c *campaignCase) []string {
			return []string{"book", "add", "-q", "--jobs", "1", c.beside("side.ctg"), c.path()}
		}},
	}
}

// chessBaseVerbs are those of ChessBase databases alone.
func chessBaseVerbs() [][]campaignVerb {
	return [][]campaignVerb{
		{
			{after: soundInput, args: func(c *campaignCase) []string {
				return []string{"boosters", "-q", "--jobs", "1", c.copy()}
			}},
			onPath(0, "boosters --check --jobs 1"),
		},
		compacting(sameInput),
		{{after: mended, args: func(c *campaignCase) []string { return []string{"check", "-q", "--repair", c.copy()} }}},
		{into(damagedIllegal, "salvage -q", "out.cbh", soundRecords)},
		{
			packInto("out.cbv", "-q"), packInto("out.cbv", "-q", "--stored"), packInto("out.cbz", "-q"),
		},
		append(editing("--drop-annotations", (*campaignCase).anyNumber), editing("--undelete", (*campaignCase).anyNumber)...),
		{
			{after: soundOnly, args: func(c *campaignCase) []string {
				return c.withRenaming("edit", "-q", "--rename-player", c.copy())
			}},
			{after: soundInput, args: func(c *campaignCase) []string { return []string{"edit", "-q", "--remove-unused", c.copy()} }},
			{after: soundInput, args: func(c *campaignCase) []string {
				return []string{"edit", "-q", "--boosters", "--append", c.beside("side.jsonl"), c.copy()}
			}},
		},
	}
}

// compacting moves what is stored, and decodes nothing.
func compacting(after func(c *campaignCase, r result)) []campaignVerb {
	return []campaignVerb{
		{after: after, args: func(c *campaignCase) []string { return []string{"compact", "-q", c.copy()} }},
		{after: soundOnly, args: func(c *campaignCase) []string { return []string{"compact", "-q", "--purge", c.copy()} }},
	}
}

// editing is an edit of a copy of the input.
func editing(flag string, value func(c *campaignCase) string) []campaignVerb {
	return []campaignVerb{{after: soundInput, args: func(c *campaignCase) []string {
		path := c.copy()
		return []string{"edit", "-q", flag, value(c), path}
	}}}
}

// packInto packs the input; what comes out of the archive has its bytes.
func packInto(name string, flags ...string) campaignVerb {
	return campaignVerb{
		args: func(c *campaignCase) []string {
			return append(append([]string{"pack"}, flags...), c.path(), c.target(name))
		},
		after: func(c *campaignCase, r result) {
			path := filepath.Join(c.dir, "out", name)
			if _, err := os.Stat(path); err != nil {
				return
			}
			dir := filepath.Join(c.dir, "out", "unpacked")
			if r := c.runProgram("unpack", "-q", path, dir); r.status != exitDone {
				c.errorf("what was packed does not unpack: %s", r.errOut)
				return
			}
			for name, b := range c.files {
				got, err := os.ReadFile(filepath.Join(dir, name))
				if err == nil && !slices.Equal(got, b) {
					c.errorf("%s has %d other bytes instead of %d", name, len(got), len(b))
				}
			}
		},
	}
}

// withName completes a command line with a name that records of the sound subject
// have; nil if there is none that can be told from other words.
func (s *subject) withName(field string, args ...string) []string {
	if names := s.names[field]; len(names) > 0 {
		return append(args, names[0])
	}
	return nil
}

// withRenaming completes a command line with a player and another name, before its
// last word.
func (c *campaignCase) withRenaming(args ...string) []string {
	names := c.subject.names["white"]
	if len(names) == 0 {
		return nil
	}
	last := len(args) - 1
	return append(args[:last:last], names[c.rand.IntN(len(names))]+"=Renamed, Player", args[last])
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
	clear := c.prepare
	c.prepare = func() { clear(); c.write(filepath.Dir(path)) }
	c.write(filepath.Dir(path))
	return path
}

// beside puts a small sound file, or database, or book, beside the targets and
// returns its path; the verb is run alone with it, or with a copy made before.
func (c *campaignCase) beside(name string) string {
	dir := filepath.Join(c.dir, "beside")
	put := func() {
		mustDo(os.MkdirAll(dir, 0o755))
		for file, b := range c.of.side {
			if strings.TrimSuffix(file, filepath.Ext(file)) == strings.TrimSuffix(name, filepath.Ext(name)) {
				mustDo(os.WriteFile(filepath.Join(dir, file), b, 0o644))
			}
		}
	}
	before := c.prepare
	c.prepare = func() { before(); put() }
	put()
	return filepath.Join(dir, name)
}

// carriedWords are in what the program says of damage that a copy of a book has taken
// over because it costs no game.
const carriedWords = "copied though wrong in the original"

// soundRecords checks what was written as soundOutput does, and that the records
// that are intact are in it.
func soundRecords(c *campaignCase, r result) {
	soundOutput("out.cbh")(c, r)
	path := filepath.Join(c.dir, "out", "out.cbh")
	if _, err := os.Stat(path); err == nil && c.subject.isChessBase {
		c.comparePresent(path)
	}
}

// soundOutput checks that what was written is without fault, whatever it was
// made of, unless the exit status or a word of the program says otherwise.
func soundOutput(name string) func(c *campaignCase, r result) {
	return func(c *campaignCase, r result) {
		path := filepath.Join(c.dir, "out", name)
		if name == "side.ctg" {
			path = filepath.Join(c.dir, "beside", name)
		}
		if _, err := os.Stat(path); err != nil || r.status != exitDone || strings.Contains(r.errOut, carriedWords) {
			return
		}
		verb := []string{"check", path}
		if strings.HasSuffix(name, ".ctg") {
			verb = []string{"book", "check", path}
		}
		made := c.running
		if found := c.runProgram(verb...); found.status != exitDone && !toldOf(r.errOut, found.out) && !c.isCopied(found.out) {
			c.errorf("after %s: what was written has faults:\n%s%s", made, found.out, found.errOut)
		}
	}
}

// isCopied reports whether the errors that a check has found in a copy are of kinds
// that the original has too.
func (c *campaignCase) isCopied(found string) bool {
	kinds := func(found string) (list []string) {
		for line := range strings.Lines(found) {
			if at := strings.LastIndexByte(line, '['); strings.HasPrefix(line, "error ") && at > 0 {
				list = append(list, line[at:])
			}
		}
		return list
	}
	original := kinds(c.runProgram("check", "--jobs", "1", c.path()).out)
	for _, kind := range kinds(found) {
		if !slices.Contains(original, kind) {
			return false
		}
	}
	return true
}

// toldOf reports whether standard error has told every error that check finds, in
// the words of check.
func toldOf(errOut, found string) bool {
	for line := range strings.Lines(found) {
		if !strings.HasPrefix(line, "error ") {
			continue
		}
		_, what, _ := strings.Cut(line, "): ")
		what, _, _ = strings.Cut(what, " [")
		if what == "" || !strings.Contains(errOut, what) {
			return false
		}
	}
	return true
}

// soundOnly checks the copy of an input after it was changed: what was sound
// has to be so still.
func soundOnly(c *campaignCase, r result) {
	path := filepath.Join(c.dir, "out", c.subject.main)
	if r.status != exitDone || strings.Contains(r.errOut, carriedWords) {
		return
	}
	made := c.running
	after := c.runProgram("check", "--jobs", "1", path)
	if after.status != exitDone && c.runProgram("check", "--jobs", "1", c.path()).status == exitDone {
		c.errorf("after %s: what was sound has faults:\n%s%s", made, after.out, after.errOut)
	}
}

// soundInput checks that too, and that the records that are intact say what they
// said, but for the one that was changed.
func soundInput(c *campaignCase, r result) {
	soundOnly(c, r)
	c.compareBy(c.recordsOf(filepath.Join(c.dir, "out", c.subject.main)), c.chosen, itselfAlone)
}

// sameInput checks that they are the same to the byte.
func sameInput(c *campaignCase, r result) {
	soundOnly(c, r)
	c.compare(c.recordsOf(filepath.Join(c.dir, "out", c.subject.main)), 0)
}

// mended checks a copy that was repaired: it is sound if the exit status says so,
// and the records that are intact are as they were.
func mended(c *campaignCase, r result) {
	path := filepath.Join(c.dir, "out", c.subject.main)
	made := c.running
	if r.status == exitDone {
		if after := c.runProgram("check", "--jobs", "1", path); after.status != exitDone {
			c.errorf("after %s: what was repaired has faults:\n%s%s\n%s", made, after.out, after.errOut, r.out)
		}
	}
	c.compareBy(c.recordsOf(path), 0, itselfAlone)
}
