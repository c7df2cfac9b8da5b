package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"cbkit/internal/testkit/must"
)

// textVerbs are the verbs that read PGN and JSON Lines, and tables of games.
// Making a book passes over comments and what else is no move; what counts names
// does too.
func textVerbs() [][]campaignVerb {
	kinds := [][]campaignVerb{
		{
			into(damagedText, "import -q --jobs 1", "out.cbh", soundOutput("out.cbh")),
			into(damagedText, "import -q --jobs 1 --keep-going", "out.cbh", soundOutput("out.cbh")),
			into(damagedText, "import -q --jobs 1 --keep-going", "out.dci", soundOutput("out.dci")),
			into(damagedText, "convert -q --jobs 1 --boosters", "out.cbh", soundOutput("out.cbh")),
		},
		{
			into(damagedText, "convert -q --jobs 1", "out.pgn", nil),
			into(damagedText, "convert -q --jobs 1", "out.jsonl", nil),
			into(damagedText, "export -q --jobs 1 --keep-going", "out.parquet", nil),
		},
		bookBuilding(0),
		{appending("import", "-q", "--jobs", "1", "--append", "SOURCE", "side.cbh"), appending("edit", "-q", "--append", "SOURCE", "side.cbh")},
		{
			into(damagedText, "sort -q --jobs 1 --by date", "out.cbh", soundOutput("out.cbh")),
			into(damagedText, "dedup -q --jobs 1 --keep-going", "out.pgn", nil),
			into(damagedText, "strip -q --jobs 1 --comments --keep-going", "out.cbh", soundOutput("out.cbh")),
			into(damagedText, "split -q --jobs 1 --by year --format cbh", "parts", nil),
			into(damagedText, "eco --jobs 1 --keep-going", "out.cbh", soundOutput("out.cbh")),
			{reads: damagedText, after: soundOutput("out.cbh"), args: func(c *campaignCase) []string {
				return []string{"merge", "-q", "--jobs", "1", c.beside("side.cbh"), c.path(), c.target("out.cbh")}
			}},
		},
		{{args: func(c *campaignCase) []string { return []string{"diff", "--jobs", "1", c.path(), c.path()} }, reads: damagedText}},
		{
			{args: func(c *campaignCase) []string { return []string{"show", c.path(), c.anyNumber()} }},
			{args: func(c *campaignCase) []string { return []string{"find", "-q", "--jobs", "1", c.path(), "player:*a*"} }}, // headers alone
			{args: func(c *campaignCase) []string { return []string{"find", "-q", "--jobs", "1", c.path(), "piece:Nd5"} }, reads: damagedText},
		},
	}
	return append(kinds, counting()...)
}

// appending adds the input to a small sound database, which stays so and keeps its
// game.
func appending(words ...string) campaignVerb {
	return campaignVerb{reads: damagedText, args: func(c *campaignCase) []string {
		args := slices.Clone(words)
		for i, word := range words {
			switch word {
			case "SOURCE":
				args[i] = c.path()
			case "side.cbh":
				args[i] = c.beside(word)
			}
		}
		return args
	}, after: func(c *campaignCase, _ result) {
		path, made := filepath.Join(c.dir, "beside", "side.cbh"), c.running
		if r := c.runProgram("check", path); r.status != exitDone {
			c.errorf("after %s: what was sound has faults:\n%s%s", made, r.out, r.errOut)
		}
		if r := c.runProgram("show", path, "1"); !strings.Contains(r.out, "One, A") {
			c.errorf("after %s: the game that was there is another: %s%s", made, r.out, r.errOut)
		}
	}}
}

// textSubject is a text whose records are told apart by what is in them: what
// is before the damage, and what is behind it, has to come out. In a PGN file, a
// comment between two games belongs to one of them (docs/formats/pgn.md 4), and is
// kept there.
func textSubject(t *testing.T, name, path string) *subject {
	t.Helper()
	file := filepath.Base(path)
	text, err := os.ReadFile(path)
	mustDo(err)
	s := &subject{name: name, files: map[string][]byte{file: text}, verbs: textVerbs()}
	for i, at := range textRecords(text) {
		own := span{file: file, from: at[0], to: at[1], moves: true, begins: true, comments: strings.HasSuffix(file, ".pgn")}
		s.records = append(s.records, ownBytes{key: fmt.Sprint(i + 1), spans: []span{own}})
	}
	s.unordered = true
	s.all = allRecords
	if strings.HasSuffix(file, ".jsonl") {
		s.damage = func(files map[string][]byte) []visibleDamage { return lineDamage(files[file]) }
	}
	return newSubject(t, s, path)
}

// lineDamage finds the lines of a file of JSON Lines that are no JSON.
func lineDamage(text []byte) (list []visibleDamage) {
	n := 0
	for line := range bytes.Lines(text) {
		if n++; len(bytes.TrimSpace(line)) > 0 && !json.Valid(line) {
			list = append(list, visibleDamage{damagedText, 0, "", fmt.Sprintf("line %d is no JSON", n)})
		}
	}
	return list
}

// textRecords returns where the records of a text begin and end: lines of JSON,
// or games that begin with their first tag.
func textRecords(text []byte) (list [][2]int) {
	begin := []byte("[Event ")
	for at := 0; at < len(text); {
		end := len(text)
		if text[at] == '{' {
			end = at + bytes.IndexByte(text[at:], '\n') + 1
		} else if next := bytes.Index(text[at+1:], append([]byte("\n\n"), begin...)); next >= 0 {
			end = at + 1 + next + 2
		}
		list = append(list, [2]int{at, end})
		at = end
	}
	return list
}

// packedDamage says that a compressed text does not unpack.
func packedDamage(b []byte) []visibleDamage {
	var from io.Reader
	var err error
	if bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		var d *zstd.Decoder
		if d, err = zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20)); err == nil {
			defer d.Close()
			from = d
		}
	} else {
		from, err = gzip.NewReader(bytes.NewReader(b))
	}
	if err == nil {
		_, err = io.Copy(io.Discard, from)
	}
	if err != nil && len(b) > 0 {
		return []visibleDamage{{damagedText, 0, "", fmt.Sprintf("does not unpack: %v", err)}}
	}
	return nil
}

// packedSubject is a compressed text: either all of it comes out, or the damage
// is reported.
func packedSubject(t *testing.T, name, path string) *subject {
	t.Helper()
	s := &subject{name: name, files: map[string][]byte{}, verbs: textVerbs()}
	b := must.Get(os.ReadFile(path))(t)
	s.files[filepath.Base(path)] = b
	s.unpacked = 64 * len(b)
	s.damage = func(files map[string][]byte) []visibleDamage { return packedDamage(files[filepath.Base(path)]) }
	s = newSubject(t, s, path)
	want := allRecords(soundCase(t, s, path))
	s.verbs = append(s.verbs, []campaignVerb{{always: true,
		args: func(c *campaignCase) []string {
			return []string{"convert", "-q", "--jobs", "1", c.path(), c.target("out.jsonl")}
		},
		after: func(c *campaignCase, r result) {
			if r.status != exitDone {
				return
			}
			text, err := os.ReadFile(filepath.Join(c.dir, "out", "out.jsonl"))
			if err != nil {
				c.errorf("exit status 0 and no output: %v", err)
			}
			n := 0
			for line := range strings.Lines(string(text)) {
				key, record, err := canonicalLine(line)
				if err != nil || record != want[key] {
					c.errorf("exit status 0 and another record: %v %s", err, record)
				}
				n++
			}
			if n != len(want) {
				c.errorf("exit status 0 and %d of %d records", n, len(want))
			}
		}}})
	return s
}
