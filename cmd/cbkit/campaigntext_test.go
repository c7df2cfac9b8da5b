package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// textVerbs are the verbs that read PGN and JSON Lines. Making a book passes over
// comments and what else is no move.
func textVerbs() []campaignVerb {
	return []campaignVerb{
		into(damagedText, "import -q --jobs 1", "out.cbh", soundOutput("out.cbh")),
		into(damagedText, "import -q --jobs 1 --keep-going", "out.cbh", soundOutput("out.cbh")),
		into(damagedText, "import -q --jobs 1 --keep-going", "out.dci", soundOutput("out.dci")),
		into(damagedText, "convert -q --jobs 1 --boosters", "out.cbh", soundOutput("out.cbh")),
		into(damagedText, "convert -q --jobs 1", "out.pgn", nil),
		into(damagedText, "convert -q --jobs 1", "out.jsonl", nil),
		into(0, "book build -q --jobs 1 --keep-going", "out.ctg", soundOutput("out.ctg")),
		into(0, "book build -q --jobs 1 --variations", "out.ctg", soundOutput("out.ctg")),
	}
}

// textSubject is a text whose records are told apart by what is in them: what
// is before the damage, and what is behind it, has to come out. Behind damage
// in a PGN file, games can be taken for a comment; that is told.
func textSubject(t *testing.T, name, path string) *subject {
	t.Helper()
	s := &subject{name: name, files: filesBeside(t, path), verbs: textVerbs()}
	file := filepath.Base(path)
	text := s.files[file]
	for i, at := range textRecords(text) {
		s.records = append(s.records, ownBytes{key: fmt.Sprint(i + 1), spans: []span{{file: file, from: at[0], to: at[1], moves: true}}})
	}
	s.unordered = true
	s.swallows = strings.HasSuffix(file, ".pgn")
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
// is told of.
func packedSubject(t *testing.T, name, path string) *subject {
	t.Helper()
	s := &subject{name: name, files: map[string][]byte{}, verbs: textVerbs()}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s.files[filepath.Base(path)] = b
	s.unpacked = 64 * len(b)
	s.damage = func(files map[string][]byte) []visibleDamage { return packedDamage(files[filepath.Base(path)]) }
	s = newSubject(t, s, path)
	c := &campaignCase{t: t, subject: s, dir: filepath.Dir(path), files: s.files, number: -1}
	want := allRecords(c)
	s.verbs = append(s.verbs, campaignVerb{always: true,
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
		}})
	return s
}
