package main

import (
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// A Polyglot book is probed, told of, checked, pruned, merged and made a book of ChessBase
// and back, and what a step loses is told.
func TestPolyglotVerbs(t *testing.T) {
	here(t)
	bookOf(t, "Book", oldGames+"\n"+newGames)
	mustRun(t, "book", "export", "-q", "Book.ctg", "a.bin")
	mustRun(t, "book", "probe", "a.bin").prints(t, "Move  Weight  Chance  Learn", "e4       4   80.0%")
	if out := mustRun(t, "book", "probe", "--json", "a.bin").out; !strings.Contains(out, `"moveWeight":4`) || strings.Contains(out, "games") {
		t.Errorf("probe --json: %s", out)
	}
	for _, line := range []string{"info a.bin", "book info a.bin"} {
		mentions(t, line, mustRun(t, strings.Fields(line)...).out, "format         Polyglot opening book\n")
	}
	for _, line := range []string{"check a.bin", "book check a.bin", "check .", "info ."} {
		mustRun(t, strings.Fields(line)...)
	}
	mustRun(t, "book", "export", "-q", "a.bin", "B.ctg")
	mustRun(t, "book", "check", "B.ctg")
	mustRun(t, "book", "export", "-q", "B.ctg", "b.bin")
	if a, b := mustRun(t, "book", "probe", "a.bin", "e4").out, mustRun(t, "book", "probe", "b.bin", "e4").out; a != b {
		t.Errorf("there and back:\n%s\nwas\n%s", b, a)
	}
	mustRun(t, "book", "merge", "-q", "a.bin", "Book.ctg", "m.bin")
	if out := mustRun(t, "book", "probe", "m.bin").out; !strings.Contains(out, "e4       8   80.0%") {
		t.Errorf("merged: %s", out)
	}
	mustRun(t, "book", "merge", "-q", "a.bin", "Book.ctg", "M.ctg")
	mustRun(t, "book", "check", "M.ctg")
	mustRun(t, "book", "prune", "-q", "a.bin", "p.bin", "--min-games", "3")
	if out := mustRun(t, "book", "probe", "p.bin").out; strings.Contains(out, "d4") || !strings.Contains(out, "e4") {
		t.Errorf("pruned: %s", out)
	}
	mustRun(t, "book", "prune", "-q", "a.bin", "P.ctg", "--min-games", "3")
	mustRun(t, "book", "check", "P.ctg")
	mustRun(t, "book", "export", "-q", "a.bin", "tree.pgn", "--max-ply", "3")
	if out := mustRun(t, "info", "tree.pgn").out; !strings.Contains(out, "games          1\n") {
		t.Errorf("the tree: %s", out)
	}
	mustRun(t, "book", "export", "-q", "a.bin", "out.jsonl", "--from", "e4")
}

// What cannot be is one line that says what to do, and leaves nothing behind.
func TestPolyglotRefused(t *testing.T) {
	here(t)
	bookOf(t, "Book", oldGames)
	mustRun(t, "book", "export", "-q", "Book.ctg", "a.bin")
	data := must.Get(os.ReadFile("a.bin"))(t)
	swapped := append(append([]byte{}, data[16:32]...), append(append([]byte{}, data[:16]...), data[32:]...)...)
	for name, content := range map[string][]byte{
		"empty.bin": nil, "short.bin": data[:15], "cut.bin": data[:len(data)-3], "order.bin": swapped,
		"other.bin": []byte(strings.Repeat("firmware of a printer\x00\xff", 100)), "one.bin": data[:16],
	} {
		must.Do(t, os.WriteFile(name, content, 0o666))
	}
	was := folder(t)
	for _, c := range []struct {
		line, said string
		status     int
	}{
		{"book probe empty.bin", "is not in the book", exitFailed},
		{"book probe short.bin", "short.bin: at 0x0", exitFailed},
		{"book probe other.bin", "other.bin: at 0x", exitFailed},
		{"book export cut.bin x.ctg", "the book is damaged", exitFailed},
		{"book export order.bin x.ctg", "the book is damaged", exitFailed},
		{"book export empty.bin x.pgn", "it has no move", exitFailed},
		{"book export a.bin a.bin", "is the source too", exitUsage},
		{"book export a.bin x.cbh", "a book is exported to", exitUsage},
		{"book export Book.ctg x.bin --from e4", "--from", exitUsage},
		{"book export a.bin x.bin --max-ply 3", "cbkit book prune", exitUsage},
		{"book add a.bin Book.pgn", "cbkit book merge", exitUsage},
		{"book edit a.bin start e4 --delete", "export it as .bin", exitUsage},
		{"book build missing.pgn x.bin", "missing.pgn", exitFailed},
		{"export a.bin x.pgn", "is an opening book", exitUsage},
		{"find a.bin Tal", "opening book", exitFailed},
	} {
		r := cbkit(t, "", strings.Fields(c.line)...)
		if last := strings.TrimSuffix(r.errOut[strings.LastIndex(strings.TrimSuffix(r.errOut, "\n"), "\n")+1:], "\n"); r.status != c.status || !strings.Contains(last, c.said) {
			t.Errorf("%s: %+v", c.line, r)
		}
		unchanged(t, c.line, was)
	}
	// Where the damage is stands in an answer of its own; with --keep-going the rest is taken.
	if r := cbkit(t, "", "book", "export", "order.bin", "x.ctg"); !strings.Contains(r.errOut, "order.bin: at 0x10 (key)") {
		t.Errorf("out of order: %+v", r)
	}
	if r := cbkit(t, "", "book", "check", "order.bin"); r.status != exitFailed || !strings.Contains(r.out, "record 1 (key)") {
		t.Errorf("check: %+v", r)
	}
	if r := cbkit(t, "", "book", "merge", "-q", "--keep-going", "order.bin", "one.bin", "mended.bin"); r.status != exitFailed {
		t.Errorf("merging what is damaged: %+v", r)
	}
	mustRun(t, "book", "check", "mended.bin")
	// Of a folder another program's files are none of it.
	if r := cbkit(t, "", "check", "."); strings.Contains(r.out, "other.bin") || strings.Contains(r.out, "short.bin") || !strings.Contains(r.out, "order.bin") {
		t.Errorf("check of the folder: %+v", r)
	}
}

// Games make a Polyglot book at once: the one that is exported of a .ctg of them.
func TestBuildPolyglot(t *testing.T) {
	here(t)
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg", "--max-ply", "20")
	mustRun(t, "book", "export", "-q", "Book.ctg", "exported.bin")
	r := mustRun(t, "book", "build", "games.pgn", "built.bin", "--max-ply", "20")
	if strings.Contains(r.errOut, "figures") || !strings.HasPrefix(r.errOut, "built.bin: ") {
		t.Errorf("%s", r.errOut)
	}
	files := folder(t)
	if files["built.bin"] == "" || files["built.bin"] != files["exported.bin"] {
		t.Errorf("%d bytes, exported %d", len(files["built.bin"]), len(files["exported.bin"]))
	}
	if r := cbkit(t, "", "book", "build", "games.pgn", "built.bin"); r.status == exitDone {
		t.Error("a book was replaced that is there")
	}
}

// A book of one entry of key FF and zeros, as engines ship it, is an empty one to every verb.
func TestEmptyPolyglotBook(t *testing.T) {
	here(t)
	save(t, "empty.bin", strings.Repeat("\xFF", 8)+strings.Repeat("\x00", 8))
	for _, c := range []struct {
		line, said string
		status     int
	}{
		{"book info empty.bin", "moves          0\npositions      0\n", exitDone},
		{"info empty.bin", "moves          0\npositions      0\n", exitDone},
		{"book check empty.bin", "", exitDone},
		{"check empty.bin", "", exitDone},
		{"book export empty.bin x.jsonl", "", exitDone},
		{"book export empty.bin x.ctg", "", exitDone},
		{"book export empty.bin x.pgn", "it has no move", exitFailed},
		{"book probe empty.bin", "is not in the book", exitFailed},
	} {
		r := cbkit(t, "", strings.Fields(c.line)...)
		if r.status != c.status || !strings.Contains(r.out+r.errOut, c.said) || strings.Contains(r.out+r.errOut, "damage") {
			t.Errorf("%s: %+v", c.line, r)
		}
	}
	mustRun(t, "book", "check", "x.ctg")
}

// Whoever names a book of Arena is told what it is, in one line.
func TestArenaBook(t *testing.T) {
	here(t)
	save(t, "b.abk", strings.Repeat("\x00", 100))
	was := folder(t)
	for _, line := range []string{
		"info b.abk", "list b.abk players", "show b.abk 1", "find b.abk Tal", "stats b.abk", "tree b.abk -", "check b.abk", "export b.abk x.pgn", "convert b.abk x.cbh",
		"import b.abk x.cbh", "book info b.abk", "book check b.abk", "book probe b.abk", "book export b.abk x.bin", "book build b.abk games.pgn x.ctg",
		"book merge b.abk games.bin x.ctg", "book prune b.abk x.ctg --min-games 2", "book add b.abk games.pgn", "book edit b.abk start e4 --delete",
	} {
		r := cbkit(t, "", strings.Fields(line)...)
		if r.status != exitFailed || !strings.Contains(r.errOut, "an .abk is an opening book of Arena, which is not read") || strings.Count(r.errOut, "\n") != 1 || r.out != "" {
			t.Errorf("%s: %+v", line, r)
		}
		unchanged(t, line, was)
	}
}

// The verbs for books open the book of a name, whatever databases have the same.
func TestBookBesideDatabases(t *testing.T) {
	here(t)
	bookOf(t, "Games", oldGames)
	for _, beside := range []string{"Games.cbh", "Games.dci"} {
		save(t, beside, "")
		mustRun(t, "book", "info", "Games").prints(t, "ChessBase opening book", "Games.cto")
		mustRun(t, "book", "check", "Games").prints(t, "Games.ctg")
		mustRun(t, "book", "probe", "Games").prints(t, "e4")
		mustRun(t, "book", "export", "-q", "--force", "Games", "x.bin")
		mustRun(t, "book", "edit", "Games", "e4", "--mark", "!")
		mustRun(t, "book", "add", "Games", "Games.pgn")
		mustRun(t, "book", "merge", "-q", "--force", "Games", "x.bin", "y.ctg")
	}
	if r := cbkit(t, "", "info", "Games"); r.status == exitDone || !strings.Contains(r.errOut, "Games.cbh and Games.dci") {
		t.Errorf("a database of the name: %+v", r)
	}
}
