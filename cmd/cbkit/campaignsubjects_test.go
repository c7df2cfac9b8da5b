package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// newSubjects makes the subjects of the campaign.
func (c *campaign) newSubjects() {
	t := c.t
	dir := filepath.Join(c.dir, "sound")
	mustDo(os.MkdirAll(dir, 0o755))
	at := func(name string) string { return filepath.Join(dir, name) }
	create(t, at("new.cbh"), generated(1), write.Options{Now: standingClock, AcceptLosses: true})
	mustRun(t, "boosters", "-q", at("new.cbh"))
	mustRun(t, "convert", "-q", "--purge", at("new.cbh"), at("purged.cbh"))
	for _, layout := range []string{"v0", "v1"} {
		mustRun(t, "convert", "-q", "--layout", layout, at("purged.cbh"), at("simple"+layout+".dci"))
	}
	for _, name := range []string{"text.pgn", "text.jsonl", "packed.pgn.gz", "packed.pgn.zst", "packed.jsonl.gz"} {
		mustRun(t, "convert", "-q", at("purged.cbh"), at(name))
	}
	mustRun(t, "book", "build", "-q", "--variations", at("new.cbh"), at("book.ctg"))
	mustRun(t, "export", "-q", at("purged.cbh"), at("table.parquet"))
	mustRun(t, "pack", "-q", at("new.cbh"), at("archive.cbv"))
	mustRun(t, "pack", "-q", at("new.cbh"), at("enciphered.cbz"))
	c.newSide(at)
	c.subjects = []*subject{
		chessBaseSubject(t, "ChessBase", at("new.cbh")),
		chessBaseSubject(t, "old ChessBase", copyCorpus(t, dir, "cbh/mate2/Mate2.cbh")),
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
		archiveSubject(t, "archive", at("archive.cbv")),
		archiveSubject(t, "enciphered archive", at("enciphered.cbz")),
		tableSubject(t, "Parquet", at("table.parquet")),
	}
	c.subjects = append(c.subjects, c.subjects[0]) // it has most files
}

// newSide makes the small sound files.
func (c *campaign) newSide(at func(name string) string) {
	const game = "[Event \"Side\"]\n[White \"One, A\"]\n[Black \"Two, B\"]\n[Result \"1-0\"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3 1-0\n"
	mustDo(os.WriteFile(at("side.pgn"), []byte(game), 0o644))
	mustRun(c.t, "import", "-q", at("side.pgn"), at("side.cbh"))
	mustRun(c.t, "convert", "-q", at("side.pgn"), at("side.jsonl"))
	mustRun(c.t, "book", "build", "-q", at("side.pgn"), at("side.ctg"))
	c.side = filesBeside(c.t, at("side.pgn"))
}

func standingClock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// generated draws a database with everything in it.
func generated(seed int) *model.Database {
	return gen.Database(gen.Config{Records: 24, Plies: 40, TextBytes: 80, NameBytes: 20}).
		Filter(func(db *model.Database) bool { return len(db.List) >= 12 }).Example(seed)
}

func create(t *testing.T, path string, src model.Source, opt write.Options) {
	t.Helper()
	sink := must.Get(write.Create(context.Background(), path, opt))(t)
	must.Do(t, model.Copy(context.Background(), sink, src, model.CopyOptions{}))
}

// copyCorpus copies the files of a real database and returns the path of the
// copy.
func copyCorpus(t *testing.T, dir, name string) string {
	t.Helper()
	path := corpus.Path(t, name)
	into := filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	must.Do(t, os.MkdirAll(into, 0o755))
	for name, b := range filesBeside(t, path) {
		must.Do(t, os.WriteFile(filepath.Join(into, name), b, 0o644))
	}
	return filepath.Join(into, filepath.Base(path))
}

// filesBeside reads the files with the name of path and any ending.
func filesBeside(t *testing.T, path string) map[string][]byte {
	t.Helper()
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	entries := must.Get(os.ReadDir(filepath.Dir(path)))(t)
	files := map[string][]byte{}
	for _, e := range entries {
		if strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())) != base || e.IsDir() {
			continue
		}
		b := must.Get(os.ReadFile(filepath.Join(filepath.Dir(path), e.Name())))(t)
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
		s.want = s.all(soundCase(t, s, path))
		s.names = plainNames(s.want)
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

// soundCase is a case without damage.
func soundCase(t *testing.T, s *subject, path string) *campaignCase {
	return &campaignCase{
		t: t, of: new(campaign), subject: s, dir: filepath.Dir(path), files: s.files, number: -1, prepare: func() {},
	}
}

// plainNames returns the names of players and tournaments that are plain words.
func plainNames(records map[string]string) map[string][]string {
	names := map[string][]string{}
	for _, line := range records {
		var fields map[string]any
		if json.Unmarshal([]byte(line), &fields) != nil {
			return names // the entries of a book
		}
		for _, field := range []string{"white", "event"} {
			name, _ := fields[field].(string)
			if campaignName.MatchString(name) && !slices.Contains(names[field], name) {
				names[field] = append(names[field], name)
			}
		}
	}
	for _, list := range names {
		slices.Sort(list)
	}
	return names
}

var campaignName = regexp.MustCompile(`^[A-Za-z][A-Za-z ,.-]+$`)

func chessBaseSubject(t *testing.T, name, path string) *subject {
	t.Helper()
	s := &subject{name: name, files: filesBeside(t, path), verbs: append(databaseVerbs(), chessBaseVerbs()...), isChessBase: true}
	open := func(files map[string][]byte) *cbhFiles {
		return &cbhFiles{strings.TrimSuffix(filepath.Base(path), ".cbh"), files}
	}
	s.records = open(s.files).own()
	s.all = allRecords
	s.damage = func(files map[string][]byte) []visibleDamage { return open(files).damage() }
	return newSubject(t, s, path)
}

// anyNumber chooses the number of a record, at times of none.
func (c *campaignCase) anyNumber() string {
	c.chosen = 1 + c.rand.IntN(len(c.subject.records)+2)
	return strconv.Itoa(c.chosen)
}
