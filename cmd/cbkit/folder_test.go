package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
)

// info and check take folders and several databases, and have a line for each.
func TestFoldersAndManyFiles(t *testing.T) {
	missing := corpus.Path(t, "cbh/world-ch/World-ch.cbh")
	here(t)
	must.Do(t, os.Mkdir("all", 0o777))
	mustRun(t, "import", "-q", "games.pgn", "all/Games.cbh")
	mustRun(t, "import", "-q", "games.pgn", "all/Games.2024.cbh")
	mustRun(t, "convert", "-q", "games.pgn", "all/Simple.dci")
	mustRun(t, "book", "build", "-q", "games.pgn", "all/Book.ctg")
	save(t, "all/broken.pgn", "no game")
	save(t, "all/notes.txt", "nothing")
	if err := os.Symlink("d.pgn", "all/latest.pgn"); err != nil { // a game that is there already
		t.Log(err)
	}
	must.Do(t, os.MkdirAll("linked", 0o777))
	save(t, "linked/data.txt", string(sample))
	if err := os.Symlink("data.txt", "linked/games.pgn"); err == nil { // the only name by which they are games
		if r := mustRun(t, "find", "linked", "kind:game", "--count"); r.out != "4 found\n" {
			t.Errorf("%+v", r)
		}
	}
	r := cbkit(t, "", "info", "all")
	for _, want := range []string{"all/Games.cbh: 4 games, 1851-2026\n", "all/Games.2024.cbh: 4 games", "all/Simple.dci: ", "all/Book.ctg: opening book"} {
		if !strings.Contains(r.out, filepath.FromSlash(want)) {
			t.Errorf("info does not say %q: %+v", want, r)
		}
	}
	for _, missing := range []string{"No.ctg", "No.bin", "No.cbv", "No.cbh", "No.pgn"} {
		if r := cbkit(t, "", "info", missing, "games.pgn"); r.status != exitFailed || !strings.Contains(r.out, missing+": cannot be read: ") {
			t.Errorf("%s: %+v", missing, r)
		}
	}
	if r := mustRun(t, "info", "--json", "all/Book.ctg", "games.pgn"); strings.Count(r.out, "{\"") < 2 || strings.Contains(r.out, "KB") {
		t.Errorf("%+v", r)
	}
	if strings.Contains(r.out, "notes.txt") || strings.Count(r.out, "Games.cbh") != 1 {
		t.Errorf("%s", r.out)
	}
	r = cbkit(t, "", "check", "all", missing)
	for _, want := range []string{"all/Games.cbh: all 4 games can be read, and nothing is wrong\n", "all/Book.ctg: "} {
		if !strings.Contains(r.out, filepath.FromSlash(want)) {
			t.Errorf("check does not say %q: %+v", want, r)
		}
	}
	if words := strings.Join(strings.Fields(r.out), " "); r.status != exitFailed || !strings.Contains(words, "damaged: World-ch.cbg: the file is missing") ||
		!strings.Contains(words, "cbkit salvage "+missing+" NEW.cbh") || strings.Contains(r.out, "pgn") {
		t.Errorf("%+v", r)
	}
	if r := cbkit(t, "", "check", "--repair", "all"); r.status != exitUsage {
		t.Errorf("%+v", r)
	}
	if a, b := mustRun(t, "info", "all/Book.ctg").out, mustRun(t, "book", "info", "all/Book.ctg").out; a != b {
		t.Errorf("info of a book: %s", a)
	}
}

// One game, or none, is not "all 1 game".
func TestCheckOfFewGames(t *testing.T) {
	here(t)
	save(t, "one.pgn", "1. e4 *\n")
	mustRun(t, "import", "-q", "one.pgn", "One.cbh")
	mustRun(t, "import", "-q", "one.pgn", "None.cbh")
	mustRun(t, "edit", "-q", "None.cbh", "--delete", "1")
	mustRun(t, "compact", "-q", "None.cbh", "--purge")
	if r := mustRun(t, "check", "One.cbh", "None.cbh"); r.out != "One.cbh: its one game can be read, and nothing is wrong\nNone.cbh: there are no games, and nothing is wrong\n" {
		t.Errorf("%s", r.out)
	}
	save(t, "mixed.jsonl", `{"kind":"text"}`+"\n"+`{"white":"A"}`+"\n"+`{"white":"B"}`+"\n")
	mustRun(t, "import", "-q", "mixed.jsonl", "Mixed.cbh")
	if r := mustRun(t, "check", "Mixed.cbh"); !strings.HasPrefix(r.out, "Mixed.cbh: all 2 games and 1 text can be read, and nothing is wrong\n") {
		t.Errorf("%s", r.out)
	}
}

// Deleted games are found only by who asks for them.
func TestDeletedGamesAreNotFound(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "edit", "-q", "Games.cbh", "--delete", "2")
	mustRun(t, "export", "-q", "Games.cbh", "Games.jsonl")
	for _, db := range []string{"Games.cbh", "Games.jsonl"} {
		for query, want := range map[string]string{
			"year:1800..": "3 found\n", "year:1800.. deleted:yes": "1 found\n", "(deleted:yes or deleted:no)": "4 found\n", `year:1800.. and not comment:"deleted:yes"`: "3 found\n",
		} {
			if r := mustRun(t, "find", db, query, "--count"); r.out != want {
				t.Errorf("find %s %q: %s", db, query, r.out)
			}
		}
	}
	if r := mustRun(t, "find", "Games.cbh", "deleted:yes"); !strings.Contains(r.out, "\n x 2  ") {
		t.Errorf("no mark: %s", r.out)
	}
}

// Parts of so many games are named by the whole, in the order of their numbers; an event
// of another year is another event.
func TestNamesOfParts(t *testing.T) {
	here(t)
	save(t, "many.pgn", strings.Repeat("[Event \"Open\"]\n[Date \"2001.01.01\"]\n\n1. e4 *\n\n", 11)+"[Event \"Open\"]\n[Date \"2002.01.01\"]\n\n1. e4 *\n")
	mustRun(t, "split", "-q", "many.pgn", "numbers", "--by", "1")
	mustRun(t, "split", "-q", "many.pgn", "events", "--by", "event")
	for _, name := range []string{"numbers/many 01.pgn", "numbers/many 12.pgn", "events/Open 2001.pgn", "events/Open 2002.pgn"} {
		if !exists(name) {
			t.Errorf("%s is not there", name)
		}
	}
}

// A report shows wins, draws and losses of moves, and all where the limit is 0.
func TestReportOfAll(t *testing.T) {
	db := corpus.Path(t, "cbh/twic1134/twic1134.cbh")
	r := mustRun(t, "report", db, "e4", "c5", "--best", "0", "--limit", "0")
	if !strings.Contains(r.out, "\nMove  Games    +    =    -     %") || strings.Count(r.out, "\n") < 2000 || strings.Contains(r.out, "--limit 0") {
		t.Errorf("%.2000s", r.out)
	}
}

// A folder is a source: it answers as the merge of its files, names each game by its file,
// and a broken file costs no other one.
func TestFolderAsSource(t *testing.T) {
	here(t)
	for _, dir := range []string{"all/inside", "none"} {
		must.Do(t, os.MkdirAll(dir, 0o777))
	}
	mustRun(t, "convert", "-q", "games.pgn", "all/A.cbh")
	mustRun(t, "convert", "-q", "games.pgn", "all/b.jsonl")
	mustRun(t, "pack", "-q", "all/A.cbh", "all/c.cbv")
	save(t, "all/d.pgn", string(sample))
	save(t, "all/inside/e.pgn", string(sample))
	save(t, "all/notes.txt", "nothing")
	save(t, "all/d.pgn.cbkit-new-1-2", string(sample))
	mustRun(t, "merge", "-q", "all", "merged.cbh")
	for _, args := range [][]string{
		{"stats"}, {"stats", "--json"}, {"list", "players"}, {"list", "tournaments"}, {"report", "--part", "moves"}, {"find", "--count", "result:1-0"}, {"table", "Casual"},
		{"find", "--sort", "plies,date", "--format", "fen", "move:*#"}, {"find", "--format", "pgn", "result:1-0"},
	} {
		of := func(db string) string {
			return cbkit(t, "", append([]string{args[0], db, "-q"}, args[1:]...)...).out
		}
		if a, b := of("all"), of("merged.cbh"); a != b {
			t.Errorf("%q of the folder:\n%s\nof the merge:\n%s", args, a, b)
		}
	}
	r := mustRun(t, "find", "all", "--format", "ids", "--limit", "9")
	if strings.Join(strings.Fields(r.out), " ") != "A.cbh#1 A.cbh#2 A.cbh#3 A.cbh#4 b.jsonl#1 b.jsonl#2 b.jsonl#3 b.jsonl#4 c.cbv#1" || !strings.Contains(r.errOut, filepath.FromSlash("all/inside")) {
		t.Errorf("%+v", r)
	}
	mustRun(t, "find", "all", "--json", "--limit", "1").prints(t, `{"ids":["A.cbh#1"],`)
	mustRun(t, "find", "all", "--format", "csv", "--limit", "6").prints(t, "\nb.jsonl#2,")
	mustRun(t, "report", "all", "--best", "16").prints(t, "  d.pgn#2", "  A.cbh#1")
	mustRun(t, "report", "all", "--json", "--best", "1").prints(t, `"recent":[{"file":"A.cbh","id":`)
	if r := mustRun(t, "dedup", "all", "--dry-run"); !strings.Contains(r.out, "b.jsonl#2") || !strings.Contains(r.errOut, "12 duplicates") {
		t.Errorf("%+v", r)
	}
	// What is made in the folder is none of its sources, also when it is made again.
	for range 2 {
		if r := mustRun(t, "find", "all", "result:1-0", "-o", "all/won.pgn", "--force"); !strings.Contains(r.errOut, "all/won.pgn: 12 records") && !strings.Contains(r.errOut, "all/won.pgn: 8 records") {
			t.Errorf("%+v", r)
		}
	}
	must.Do(t, os.Remove("all/won.pgn"))
	save(t, "all/a0.cbh", "junk")
	save(t, "all/b0.pgn.gz", "\x1f\x8bjunk")
	save(t, "all/c0.jsonl", "{\"colour\":1}\n")
	if r := cbkit(t, "", "find", "all", "--json", "--limit", "1"); !strings.Contains(r.out, `"unread":1,"broken":["a0.cbh: `) || strings.Count(r.out, "b0.pgn.gz: ") != 1 {
		t.Errorf("%+v", r)
	}
	for _, args := range [][]string{{"find", "all", "--count", "--limit", "99"}, {"stats", "all"}, {"merge", "all", "most.pgn"}, {"dedup", "all", "--dry-run"}} {
		r := cbkit(t, "", args...)
		for _, name := range []string{"a0.cbh", "b0.pgn.gz", "c0.jsonl"} {
			if r.status != exitFailed || strings.Count(r.errOut, name) < 1 || strings.Count(r.errOut, "skipped: "+name) > 1 {
				t.Errorf("%q: %+v", args, r)
			}
		}
		if args[0] == "find" && r.out != "16 found\n" || args[0] == "merge" && !strings.Contains(r.errOut, "most.pgn: 16 records") {
			t.Errorf("%q: %+v", args, r)
		}
	}
	for _, args := range [][]string{{"show", "all", "1"}, {"export", "all", "-"}, {"edit", "all", "--delete", "A.cbh#1"}, {"edit", "all/A.cbh", "--delete", "A.cbh#1"}} {
		if r := cbkit(t, "", args...); r.status == exitDone || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("%q: %+v", args, r)
		}
	}
	fails(t, exitFailed, "no database in this folder", "find", "none", "x")
}
