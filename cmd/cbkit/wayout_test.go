package main

import (
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// A verb that makes a database wants an ending: a name without one is more often a
// mistake than a wish.
func TestTargetsHaveEndings(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	before := folder(t)
	for line, says := range map[string]string{
		"import games.pgn New":                   ".cbh .dci .si4",
		"convert games.pgn New":                  ".cbh .dci .si4 .pgn .jsonl",
		"merge games.pgn Games.cbh New":          ".cbh .dci .si4 .pgn .jsonl",
		"sort games.pgn New --by date":           ".cbh .dci .si4 .pgn .jsonl",
		"find games.pgn Morphy -o New":           ".cbh .dci .si4 .pgn .jsonl",
		"salvage Games.cbh New":                  ".cbh",
		"book build games.pgn New":               ".ctg",
		"book merge Book.ctg Book.ctg New":       ".ctg",
		"book prune Book.ctg New --min-games 2":  ".ctg",
		"strip games.pgn New --comments --force": ".cbh .dci .si4 .pgn .jsonl",
	} {
		r := cbkit(t, "", strings.Fields(line)...)
		if want := "New: the name has no ending; there are " + says; r.status != exitUsage || !strings.Contains(r.errOut, want) {
			t.Errorf("%s: %+v", line, r)
		}
	}
	unchanged(t, "what was refused", before)
	// What is there is found without.
	mustRun(t, "import", "-q", "--append", "games.pgn", "Games")
	mustRun(t, "book", "add", "-q", "Book", "games.pgn")
}

// Where nothing is found nothing is made, and nothing is replaced.
func TestNothingFoundMakesNothing(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	save(t, "there.pgn", "mine")
	before := folder(t)
	for _, db := range []string{"Games.cbh", "games.pgn"} {
		for _, out := range []string{"none.cbh", "none.pgn", "none.jsonl.gz", "none.dci", "there.pgn"} {
			for _, more := range []string{"", "--sort date", "--limit 2"} {
				args := append([]string{"find", db, "--year", "1700", "--force", "-o", out}, strings.Fields(more)...)
				r := mustRun(t, args...)
				if want := out + ": not written, since nothing was found\n"; !strings.Contains(r.errOut, want) {
					t.Errorf("%v: %+v", args, r)
				}
				if r := mustRun(t, append(args, "--json")...); !strings.Contains(r.out, `"written":[]`) {
					t.Errorf("%v: %+v", args, r)
				}
			}
		}
	}
	unchanged(t, "what was not found", before)
}

// What is exported of a book is told as that.
func TestExportsOfBooks(t *testing.T) {
	here(t)
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for out, is := range map[string]string{
		"Out.jsonl": "a book as JSON Lines", "Out.jsonl.gz": "a book as JSON Lines",
	} {
		mustRun(t, "book", "export", "-q", "Book.ctg", out)
		for _, line := range []string{"info", "show", "check", "book info", "book probe", "find", "export", "serve"} {
			args := append(strings.Fields(line), out)
			switch line {
			case "show":
				args = append(args, "1")
			case "find":
				args = append(args, "Morphy")
			case "export":
				args = append(args, "x.pgn")
			}
			r := cbkit(t, "", args...)
			if want := out + ": is " + is; r.status == exitDone || !strings.Contains(r.errOut, want) || strings.Count(r.errOut, "\n") != 1 {
				t.Errorf("%v: %+v", args, r)
			}
		}
	}
}

// Older databases lack files that newer ones have, which is no alarm. A book has no
// games to be read one by one.
func TestOlderDatabases(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	for _, ending := range []string{".cbj", ".cbl", ".cbe", ".cbm", ".cbtt"} {
		must.Do(t, os.Remove("Games"+ending))
	}
	r := mustRun(t, "info", "Games.cbh")
	if strings.Contains(r.out, "missing") || !strings.Contains(r.out, "\nwithout        .cbe .cbl .cbm .cbtt .cbj, which older databases lack\n") {
		t.Errorf("%s", r.out)
	}
	if r := mustRun(t, "info", "Games.cbh", "games.pgn"); strings.Contains(r.out, "missing") {
		t.Errorf("%s", r.out)
	}
	if r := mustRun(t, "check", "Book.ctg"); !strings.Contains(r.out, "positions can be read") || strings.Contains(r.out, "games") {
		t.Errorf("%s", r.out)
	}
}

// The error of a damaged database names the ways out.
func TestDamagedNamesTheWayOut(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	at := movesAt(t, "Games.cbh", 3)
	change(t, "Games.cbh", ".cbg", func(b []byte) []byte { return b[:at+9] })
	mustRun(t, "import", "-q", "games.pgn", "Names.cbh")
	must.Do(t, os.Remove("Names.cbp"))
	before := folder(t)
	const cut = "; --keep-going takes what can be read; cbkit salvage Games.cbh NEW.cbh saves what can be read\n"
	const unread = "cbkit: 2 records could not be read or decoded, in whole or in part; cbkit salvage Games.cbh NEW.cbh saves what can be read\n"
	for line, says := range map[string]string{
		"export Games.cbh x.pgn":                cut,
		"convert Games.cbh x.cbh":               cut,
		"merge Games.cbh games.pgn x.cbh":       cut,
		"strip Games.cbh x.cbh --comments":      unread,
		"eco Games.cbh x.pgn":                   cut,
		"edit Games.cbh --append Games.cbh":     cut,
		"info Names.cbh":                        "cannot be read without it; cbkit salvage Names.cbh NEW.cbh saves what can be read",
		"export Names.cbh x.pgn --keep-going":   "cannot be read without it; cbkit salvage Names.cbh NEW.cbh saves what can be read",
		"find Names.cbh --player Morphy":        "; cbkit salvage Names.cbh NEW.cbh saves what can be read",
		"find Games.cbh --piece Ke1 -o x.cbh":   unread,
		"report Games.cbh e4":                   unread,
		"stats Games.cbh":                       unread, // that have no code, so that their moves are asked
		"list Games.cbh players":                "",
		"export games.pgn Games.cbh":            "",
		"convert games.pgn Games.cbh":           "",
		"show Games.cbh 99":                     "",
		"salvage Games.cbh Names.cbh":           "",
		"salvage Games.cbh Names.cbh --dry-run": "",
	} {
		r := cbkit(t, "", append(strings.Fields(line), "-q")[:len(strings.Fields(line))]...)
		if says != "" && !strings.Contains(r.errOut, says) || says == "" && strings.Contains(r.errOut, "NEW.cbh") {
			t.Errorf("%s: %+v", line, r)
		}
		_ = os.Remove("x.pgn")
		for _, ending := range []string{"cba", "cbc", "cbe", "cbg", "cbh", "cbj", "cbl", "cbm", "cbp", "cbs", "cbt", "cbtt"} {
			_ = os.Remove("x." + ending)
		}
	}
	unchanged(t, "what is damaged", before)
	// Where a file is missing, repair cannot help.
	if r := cbkit(t, "", "check", "Names.cbh"); !strings.Contains(strings.Join(strings.Fields(r.out), " "), "cbkit salvage Names.cbh NEW.cbh saves what can be read") {
		t.Errorf("%+v", r)
	}
	// A text that is cut is no database.
	save(t, "cut.pgn.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xf2")
	if r := cbkit(t, "", "export", "cut.pgn.gz", "x.pgn"); !strings.HasSuffix(r.errOut, "; --keep-going takes what can be read\n") {
		t.Errorf("%+v", r)
	}
	must.Do(t, os.Remove("cut.pgn.gz"))
	// The account can be had without a new database.
	r := cbkit(t, "", "salvage", "Games.cbh", "--dry-run")
	if r.status != exitFailed || !strings.Contains(r.out, "4 records would come out: 2 whole, ") {
		t.Errorf("%+v", r)
	}
	unchanged(t, "what is salvaged on trial", before)
	mustRun(t, "import", "-q", "games.pgn", "Sound.cbh")
	mustRun(t, "salvage", "Sound.cbh", "--dry-run", "--json").prints(t, `"dryRun":true`)
}
