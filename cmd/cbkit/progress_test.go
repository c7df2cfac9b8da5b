package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"cbkit/internal/packed"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// seenBars is a standard error that notes how far bars are.
type seenBars struct {
	bytes.Buffer
	t    *testing.T
	bars []*seenBar
}

// draw implements drawer.
func (s *seenBars) draw(what string, total int64) bar {
	b := &seenBar{t: s.t, what: what, total: total}
	s.bars = append(s.bars, b)
	return b
}

// seenBar is a bar that notes how far it is.
type seenBar struct {
	t           *testing.T
	what        string
	total, done int64
	moves       int
	finished    bool
}

// Set64 implements bar.
func (b *seenBar) Set64(done int64) error {
	if done < b.done || b.total >= 0 && done > b.total || b.finished {
		b.t.Errorf("%s: from %d to %d of %d", b.what, b.done, done, b.total)
	}
	b.moves++
	b.done = done
	return nil
}

// ChangeMax64 implements bar.
func (b *seenBar) ChangeMax64(total int64) { b.total = total }

// Finish implements bar.
func (b *seenBar) Finish() error {
	b.finished = true
	return nil
}

// numberedGames are so many short games.
func numberedGames(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[White \"White %d\"]\n[Black \"Black\"]\n[Date \"%d.01.01\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {%0500d} 1-0\n\n", i%97, 1900+i%7, i)
	}
	return b.String()
}

// packText compresses a text.
func packText(t *testing.T, path, text string) {
	t.Helper()
	var out bytes.Buffer
	w := must.Get(packed.NewWriter(&out, packed.Ending(path)))(t)
	must.Get(w.Write([]byte(text)))(t)
	must.Do(t, w.Close())
	must.Do(t, os.WriteFile(path, out.Bytes(), 0o666))
}

// Wherever the size of a source is known the bar knows it, goes one way, and moves.
func TestProgressKnowsItsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every verb on thousands of games")
	}
	dir := gen.Folder(t)
	t.Chdir(dir)
	text := numberedGames(600)
	for name, content := range map[string]string{"a.pgn": text, "b.pgn": text} {
		must.Do(t, os.WriteFile(name, []byte(content), 0o666))
	}
	packText(t, "a.pgn.gz", text)
	packText(t, "a.pgn.zst", text)
	packText(t, "many.pgn.gz", numberedGames(2000))
	mustRun(t, "import", "-q", "a.pgn", "Games.cbh")
	mustRun(t, "convert", "-q", "a.pgn", "a.jsonl")
	mustRun(t, "convert", "-q", "a.pgn", "a.jsonl.zst")
	mustRun(t, "export", "-q", "a.pgn", "a.parquet", "--format", "parquet")
	mustRun(t, "book", "build", "-q", "a.pgn", "Book.ctg")
	mustRun(t, "pack", "-q", "Games.cbh", "Games.cbv")
	for i, line := range []string{
		"import a.pgn b.pgn a.pgn.gz 1.cbh", "convert a.pgn 2.cbh", "convert a.pgn.gz 3.cbh", "convert a.pgn.zst 4.jsonl",
		"convert a.jsonl 5.cbh", "convert a.jsonl.zst 6.pgn", "convert a.parquet 7.cbh", "convert Games.cbh 8.pgn",
		"convert Games.cbv 9.pgn", "merge a.pgn.gz Games.cbh a.jsonl 10.cbh", "merge Games.cbh Games.cbv 11.cbh",
		"merge a.pgn.gz Games.cbh 12.cbh --dedup", "dedup a.pgn.zst 13.cbh", "dedup Games.cbh 14.pgn",
		"sort a.pgn.gz 15.pgn --by white", "split a.pgn.gz parts --by year", "strip a.pgn.gz 16.pgn --comments",
		"strip a.jsonl 17.cbh --comments", "diff a.pgn.gz Games.cbh", "diff Games.cbh a.jsonl", "eco a.pgn.zst 18.pgn",
		"book build a.pgn.gz Games.cbh a.jsonl 19.ctg --max-ply 8", "export a.pgn.gz tables --format parquet",
		"pack Games.cbh 20.cbv", "unpack Games.cbv out", "find a.pgn.gz --year 1901 --count", "find many.pgn.gz --year 1901 -o 21.pgn",
		"compact Games.cbh", "boosters Games.cbh", "stats a.pgn.gz", "list a.jsonl players", "salvage Games.cbh 22.cbh",
	} {
		if !isTried(i, 3) {
			continue
		}
		t.Run(line, func(t *testing.T) {
			errOut := &seenBars{t: t}
			var out bytes.Buffer
			if status := run(strings.Fields(line), strings.NewReader(""), &out, errOut); status != exitDone {
				t.Fatal(status, errOut.String())
			}
			if len(errOut.bars) == 0 {
				t.Fatal("no bar")
			}
			moved := false
			for _, b := range errOut.bars {
				known := b.total > 0 || b.what == "book build" && b != errOut.bars[0] // how many positions there will be nobody knows
				if !known || !b.finished {
					t.Errorf("%+v", b)
				}
				moved = moved || b.moves > 0 && b.done > 0
			}
			if !moved {
				t.Error("no bar moves")
			}
		})
	}
}

// A compressed file is measured as it lies on the disk.
func TestProgressOfCompressedFile(t *testing.T) {
	t.Chdir(gen.Folder(t))
	packText(t, "a.pgn.gz", numberedGames(2000))
	info := must.Get(os.Stat("a.pgn.gz"))(t)
	errOut := &seenBars{t: t}
	if status := run([]string{"convert", "a.pgn.gz", "1.cbh"}, strings.NewReader(""), &bytes.Buffer{}, errOut); status != exitDone {
		t.Fatal(status, errOut.String())
	}
	if b := errOut.bars[0]; b.total != info.Size() {
		t.Errorf("%+v; the file has %d bytes", b, info.Size())
	}
	// A file as standard input has a size too, a pipe has none.
	f := must.Get(os.Open("a.pgn.gz"))(t)
	defer f.Close()
	errOut = &seenBars{t: t}
	if status := run([]string{"convert", "-", "2.cbh"}, f, &bytes.Buffer{}, errOut); status != exitDone || errOut.bars[0].total != info.Size() {
		t.Errorf("%d, %+v", status, errOut.bars[0])
	}
	errOut = &seenBars{t: t}
	if status := run([]string{"convert", "-", "3.cbh"}, strings.NewReader(numberedGames(300)), &bytes.Buffer{}, errOut); status != exitDone || errOut.bars[0].total != -1 {
		t.Errorf("%d, %+v", status, errOut.bars[0])
	}
}
