package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

// bookVerbs are the verbs that read opening books.
func bookVerbs() [][]campaignVerb {
	check := onPath(damagedAny, "book check")
	check.always = true
	start := "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
	return [][]campaignVerb{
		{check},
		{onPath(damagedAny, "check")},
		{onPath(0, "book info"), onPath(0, "book probe"), onPath(0, "book probe --json"), {args: func(c *campaignCase) []string {
			return []string{"book", "probe", c.path(), start}
		}}},
		{
			into(damagedPage, "book export -q", "out.jsonl", nil),
			into(damagedPage, "book export -q", "out.bin", nil),
			into(damagedPage, "book export -q --keep-going", "out.bin", nil),
		},
		{
			into(damagedPage, "book prune -q --min-games 2", "out.ctg", soundOutput("out.ctg")),
			into(damagedPage, "book prune -q --min-games 1 --keep-going", "out.ctg", soundOutput("out.ctg")),
			into(damagedPage, "book prune -q --exact --min-games 1", "out.ctg", soundOutput("out.ctg")),
		},
		{mergingBooks("--keep-going"), mergingBooks("--exact")},
		{
			changingBook("book", "add", "-q", "BOOK", "side.pgn"),
			changingBook("book", "add", "-q", "--variations", "BOOK", "side.cbh"),
		},
		{
			changingBook("book", "edit", "-q", "BOOK", "start", "e4", "--mark", "!", "--weight", "50"),
			changingBook("book", "edit", "-q", "BOOK", "start", "e4", "--recommend", "main"),
			changingBook("book", "edit", "-q", "BOOK", "start", "d4", "--delete"),
			changingBook("book", "edit", "-q", "BOOK", start, "--delete"),
		},
	}
}

func mergingBooks(flag string) campaignVerb {
	return campaignVerb{args: func(c *campaignCase) []string {
		return []string{"book", "merge", "-q", flag, c.path(), c.path(), c.target("out.ctg")}
	}, reads: damagedPage, after: soundOutput("out.ctg")}
}

// changingBook changes a copy of the book; words with the names of small files
// stand for them.
func changingBook(words ...string) campaignVerb {
	return campaignVerb{after: soundOnly, args: func(c *campaignCase) []string {
		args := slices.Clone(words)
		for i, word := range words {
			switch {
			case word == "BOOK":
				args[i] = c.copy()
			case strings.HasPrefix(word, "side."):
				args[i] = c.beside(word)
			}
		}
		return args
	}}
}

// bookSubject is an opening book. Its records are the entries, told apart by
// their order in the pages.
func bookSubject(t *testing.T, name, path string) *subject {
	t.Helper()
	s := &subject{name: name, files: filesBeside(t, path), verbs: bookVerbs()}
	file := filepath.Base(path)
	b := s.files[file]
	for p := 1; p < len(b)/ctg.PageSize; p++ {
		page := b[p*ctg.PageSize:][:ctg.PageSize]
		used := int(binary.BigEndian.Uint16(page[2:]))
		for n := range int(binary.BigEndian.Uint16(page)) {
			s.records = append(s.records, ownBytes{key: fmt.Sprintf("%d of page %d", n, p), spans: []span{
				{file: file, to: ctg.PageSize}, {file: file, from: p * ctg.PageSize, to: p*ctg.PageSize + used},
			}})
		}
	}
	s.all = func(c *campaignCase) map[string]string { return s.allEntries(c) }
	s.damage = func(files map[string][]byte) []visibleDamage { return bookDamage(files, file) }
	return newSubject(t, s, path)
}

// allEntries exports all entries. Since they come in the order of the pages,
// those of a sound book can be counted; those of a damaged one are told apart by
// their positions.
func (s *subject) allEntries(c *campaignCase) map[string]string {
	out := filepath.Join(c.dir, "all-entries.jsonl")
	defer os.Remove(out)
	c.runProgram("book", "export", "-q", "--keep-going", c.path(), out)
	b, err := os.ReadFile(out)
	if err != nil {
		return nil
	}
	entries := map[string]string{}
	n := 0
	for line := range strings.Lines(string(b)) {
		fen, _, _ := strings.Cut(line, ",")
		if s.want == nil { // the sound book
			if s.keys == nil {
				s.keys = map[string]string{}
			}
			s.keys[fen] = s.records[n].key
		}
		if key, ok := s.keys[fen]; ok {
			entries[key] = entryItself(line)
		}
		n++
	}
	return entries
}

// entryItself is what an exported entry says of its own: what it says of its
// moves is from the entries behind them.
func entryItself(line string) string {
	itself, _, _ := strings.Cut(line, `,"moves":`)
	return itself
}

// bookDamage returns what of a book can be seen to be damaged.
func bookDamage(files map[string][]byte, file string) (list []visibleDamage) {
	see := func(format string, args ...any) {
		list = append(list, visibleDamage{damagedPage, 0, "", fmt.Sprintf(format, args...)})
	}
	b := files[file]
	if len(b) < ctg.PageSize || len(b)%ctg.PageSize != 0 {
		see("the file ends inside a page")
	}
	for p := 1; p < len(b)/ctg.PageSize; p++ {
		for e, err := range ctg.Page(b[p*ctg.PageSize:][:ctg.PageSize]).Entries() {
			if err == nil {
				err = movesOfEntry(e)
			}
			if err != nil {
				see("page %d: %v", p, err)
			}
		}
	}
	return list
}

// movesOfEntry says what is wrong with the position of an entry, or its moves.
func movesOfEntry(e ctg.Entry) error {
	key := e.Key()
	m, err := key.Position()
	if err != nil {
		return err
	}
	p, err := board.New(&m)
	if err != nil {
		return err
	}
	seen := map[model.Move]bool{}
	for i, code := range e.Moves() {
		if i%2 != 0 {
			continue // an annotation
		}
		m, ok := ctg.DecodeMove(&p, 0, code)
		if !ok || !p.Legal(m) || seen[m] {
			return fmt.Errorf("%02x is no move, or one for the second time, in %s", code, p.FEN())
		}
		seen[m] = true
	}
	return nil
}
