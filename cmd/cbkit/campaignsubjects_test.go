package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cbkit/internal/corpus"
	"cbkit/internal/gen"
	"cbkit/model"
	"cbkit/write"
)

// newSubjects makes the subjects of the campaign.
func newSubjects(t *testing.T) []*subject {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	db := generated(1)
	create(t, at("new.cbh"), db, write.Options{Now: standingClock, AcceptLosses: true})
	mustRun(t, "boosters", "-q", at("new.cbh"))
	mustRun(t, "convert", "-q", "--purge", at("new.cbh"), at("purged.cbh"))
	for _, layout := range []string{"v0", "v1"} {
		mustRun(t, "convert", "-q", "--layout", layout, at("purged.cbh"), at("simple"+layout+".dci"))
	}
	for _, name := range []string{"text.pgn", "text.jsonl", "packed.pgn.gz", "packed.pgn.zst", "packed.jsonl.gz"} {
		mustRun(t, "convert", "-q", at("purged.cbh"), at(name))
	}
	mustRun(t, "book", "build", "-q", "--variations", at("new.cbh"), at("book.ctg"))
	old := copyCorpus(t, dir, "cbh/mate2/Mate2.cbh")
	list := []*subject{
		chessBaseSubject(t, "ChessBase", at("new.cbh")),
		chessBaseSubject(t, "old ChessBase", old),
		chessBaseSubject(t, "real ChessBase", copyCorpus(t, dir, "cbh/hedgehog/Hedgehog.cbh")),
		chessBaseSubject(t, "small ChessBase", copyCorpus(t, dir, "cbh/cbh_cbj_test/cbh_cbj_test.cbh")),
		simpleSubject(t, "simple v0", at("simplev0.dci")),
		simpleSubject(t, "simple v1", at("simplev1.dci")),
		simpleSubject(t, "real simple", copyCorpus(t, dir, "dc-sample/edge.dci")),
		textSubject(t, "PGN", at("text.pgn")),
		textSubject(t, "JSON Lines", at("text.jsonl")),
		packedSubject(t, "PGN gzip", at("packed.pgn.gz")),
		packedSubject(t, "PGN Zstandard", at("packed.pgn.zst")),
		packedSubject(t, "JSON Lines gzip", at("packed.jsonl.gz")),
		bookSubject(t, "book", at("book.ctg")),
		bookSubject(t, "small book", copyCorpus(t, dir, "ctg/simple/simple.ctg")),
	}
	return list
}

func standingClock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// generated draws a database with everything in it.
func generated(seed int) *model.Database {
	return gen.Database(gen.Config{Records: 24, Plies: 40, TextBytes: 80, NameBytes: 20}).
		Filter(func(db *model.Database) bool { return len(db.List) >= 12 }).Example(seed)
}

func create(t *testing.T, path string, src model.Source, opt write.Options) {
	t.Helper()
	sink, err := write.Create(path, opt)
	if err == nil {
		err = model.Copy(context.Background(), sink, src, model.CopyOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// copyCorpus copies the files of a real database and returns the path of the
// copy.
func copyCorpus(t *testing.T, dir, name string) string {
	t.Helper()
	path := corpus.Path(t, name)
	into := filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	if err := os.MkdirAll(into, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, b := range filesBeside(t, path) {
		if err := os.WriteFile(filepath.Join(into, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(into, filepath.Base(path))
}

// filesBeside reads the files with the name of path and any ending.
func filesBeside(t *testing.T, path string) map[string][]byte {
	t.Helper()
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())) != base || e.IsDir() {
			continue
		}
		b, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = b
	}
	return files
}

// newSubject makes a subject of files that are there, and finds out what it
// gives when it is sound.
func newSubject(t *testing.T, s *subject, path string) *subject {
	t.Helper()
	s.main = filepath.Base(path)
	if s.files == nil {
		s.files = filesBeside(t, path)
	}
	if s.all != nil {
		c := &campaignCase{t: t, subject: s, dir: filepath.Dir(path), files: s.files, number: -1}
		s.want = s.all(c)
		if len(s.want) < len(s.records) {
			t.Fatalf("%s: %d of %d records", s.name, len(s.want), len(s.records))
		}
	}
	if s.damage != nil {
		if list := s.damage(s.files); len(list) > 0 {
			t.Fatalf("%s is damaged: %v", s.name, list)
		}
	}
	return s
}

func chessBaseSubject(t *testing.T, name, path string) *subject {
	t.Helper()
	s := &subject{name: name, files: filesBeside(t, path), verbs: databaseVerbs()}
	open := func(files map[string][]byte) *cbhFiles {
		return &cbhFiles{strings.TrimSuffix(filepath.Base(path), ".cbh"), files}
	}
	s.records = open(s.files).own()
	s.all = allRecords
	s.damage = func(files map[string][]byte) []visibleDamage { return open(files).damage() }
	return newSubject(t, s, path)
}

// allRecords reads all records that can be read, as JSON Lines, by their
// numbers; in a given code page, since damage can make another one likelier.
func allRecords(c *campaignCase) map[string]string {
	out := filepath.Join(c.dir, "all-records.jsonl")
	defer os.Remove(out)
	r := c.runProgram("convert", "--keep-going", "--jobs", "1", "--codepage", "1252", c.path(), out)
	b, err := os.ReadFile(out)
	if err != nil {
		if r.status != exitFailed {
			c.errorf("exit status %d and no output: %v", r.status, err)
		}
		return nil
	}
	records := map[string]string{}
	for line := range strings.Lines(string(b)) {
		key, text, err := canonicalLine(line)
		if err != nil {
			c.errorf("%v in %s", err, line)
		}
		records[key] = text
	}
	return records
}

// elsewhere are the leftovers in a line that are of more than the record: what
// is around an entity in its file belongs to the tree.
var elsewhere = []string{
	"database", "white", "black", "tournament", "annotator", "source", "gameTitle", "whiteTeam", "blackTeam",
}

// canonicalLine returns the number of a record and what it says of itself.
func canonicalLine(line string) (key, text string, err error) {
	var fields map[string]any
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		return "", "", err
	}
	if stored, ok := fields["cbh"].(map[string]any); ok {
		if leftover, ok := stored["leftover"].(map[string]any); ok {
			maps.DeleteFunc(leftover, func(k string, _ any) bool { return slices.Contains(elsewhere, k) })
			if len(leftover) == 0 {
				delete(stored, "leftover")
			}
		}
		if len(stored) == 0 {
			delete(fields, "cbh")
		}
	}
	key = fmt.Sprint(fields["id"])
	b, err := json.Marshal(fields)
	return key, string(b), err
}

// anyNumber chooses the number of a record, at times of none.
func (c *campaignCase) anyNumber() string {
	c.chosen = 1 + c.rand.IntN(len(c.subject.records)+2)
	return strconv.Itoa(c.chosen)
}
