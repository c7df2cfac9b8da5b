package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// saveZip makes a zip of files that are there.
func saveZip(t *testing.T, path string, files ...string) {
	t.Helper()
	out := must.Get(os.Create(path))(t)
	w := zip.NewWriter(out)
	for _, name := range files {
		data := must.Get(os.ReadFile(name))(t)
		f := must.Get(w.Create(filepath.ToSlash(name)))(t)
		must.Get(f.Write(data))(t)
	}
	must.Do(t, w.Close(), out.Close())
}

// zipsHere makes zips of each kind in the current folder: of PGN, of a database, of an
// archive, and of a book. Temporary folders are made in "temp".
func zipsHere(t *testing.T) {
	t.Helper()
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "pack", "-q", "Games.cbh", "Games.cbv")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	save(t, "more.pgn", string(sample))
	chess, _ := filepath.Glob("Games.cb[^v]*")
	book, _ := filepath.Glob("Book.ct*")
	saveZip(t, "text.zip", "games.pgn", "more.pgn")
	saveZip(t, "chess.zip", chess...)
	saveZip(t, "packed.zip", "Games.cbv")
	saveZip(t, "book.zip", book...)
	must.Do(t, os.Mkdir("temp", 0o777))
	t.Setenv("TMPDIR", "temp")
}

// leftInTemp fails if something is left of what was unpacked.
func leftInTemp(t *testing.T, after string) {
	t.Helper()
	if list, _ := os.ReadDir("temp"); len(list) > 0 {
		t.Errorf("%s: left behind: %v", after, list)
		for _, e := range list {
			_ = os.RemoveAll(filepath.Join("temp", e.Name()))
		}
	}
}

// Every verb that reads reads zips, says what it says of what is in them, and leaves
// nothing.
func TestVerbsReadZips(t *testing.T) {
	zipsHere(t)
	for line, says := range map[string]string{
		"info text.zip":                                    "games          8",
		"info --json chess.zip":                            `"path":"chess.zip:Games.cbh"`,
		"info packed.zip":                                  "ChessBase archive",
		"info book.zip":                                    "positions",
		"info text.zip chess.zip":                          "chess.zip:Games.cbh: 4 games",
		"info text.zip:more.pgn":                           "games          4",
		"show text.zip 5":                                  "Morphy",
		"show packed.zip:Games.cbv:Games.cbh 1":            "",
		"export chess.zip - --format pgn":                  "[White ",
		"export text.zip - --games 5-8":                    "[White ",
		"import -q text.zip new1.cbh":                      "",
		"convert text.zip new2.cbh":                        "new2.cbh: 8 records",
		"convert packed.zip new3.pgn":                      "new3.pgn: 4 records",
		"merge text.zip chess.zip packed.zip new4.cbh":     "new4.cbh: 16 records",
		"merge --dedup text.zip chess.zip new5.pgn":        "duplicates left out",
		"dedup text.zip --dry-run":                         "text.zip: 4 duplicates",
		"dedup chess.zip new6.cbh":                         "new6.cbh",
		"sort text.zip new7.pgn --by date":                 "8 records",
		"strip chess.zip new8.pgn --comments":              "4 records",
		"split text.zip parts --by 2":                      "",
		"tree text.zip new9.pgn":                           "",
		"tree --forks text.zip":                            "",
		"diff text.zip:games.pgn text.zip:more.pgn":        "",
		"check chess.zip":                                  "chess.zip:Games.cbh: all 4 games can be read",
		"check packed.zip":                                 "packed.zip:Games.cbv",
		"check book.zip":                                   "book.zip:Book.ctg",
		"verify chess.zip":                                 "",
		"find text.zip player:Morphy":                      "Morphy",
		"find chess.zip player:Morphy":                     "Morphy",
		"find packed.zip player:Morphy":                    "Morphy",
		"list text.zip players":                            "Morphy",
		"stats chess.zip":                                  "",
		"report text.zip e4":                               "",
		"report chess.zip e4":                              "",
		"names chess.zip --suggest":                        "",
		"eco text.zip new10.pgn":                           "",
		"pack chess.zip new11.cbv":                         "",
		"unpack packed.zip unpacked":                       "",
		"salvage chess.zip new12.cbh":                      "",
		"book build text.zip new13.ctg":                    "",
		"book probe book.zip":                              "e4",
		"book check book.zip":                              "book.zip:Book.ctg",
		"book export book.zip new14.jsonl":                 "",
		"book export book.zip:Book.ctg new14.bin":          "",
		"edit Games.cbh --append text.zip":                 "8 appended",
		"edit Games.cbh --append packed.zip":               "4 appended",
		"import --append text.zip:more.pgn more.pgn Games": "8 appended",
	} {
		r := cbkit(t, "", strings.Fields(line)...)
		if r.status != exitDone && !strings.HasPrefix(line, "diff") || !strings.Contains(r.out+r.errOut, says) || strings.Contains(r.out+r.errOut, "cbkit-zip") {
			t.Errorf("cbkit %s: status %d\n%s%s", line, r.status, r.out, r.errOut)
		}
		leftInTemp(t, line)
	}
}

// What cannot be done with a zip is one line.
func TestZipsRefused(t *testing.T) {
	zipsHere(t)
	saveZip(t, "both.zip", "games.pgn", "Games.cbv")
	saveZip(t, "nothing.zip", "Games.cbg")
	save(t, "notes.txt", "x")
	saveZip(t, "notes.zip", "notes.txt")
	save(t, "cut.zip", "PK\x03\x04")
	before := folder(t)
	data := must.Get(os.ReadFile("text.zip"))(t)
	for line, says := range map[string]string{
		"info -":                             "standard input: not a database: it is a zip",
		"convert - new.cbh":                  "standard input: not a database: it is a zip",
		"edit text.zip --delete 1":           "text.zip: is a zip, which is read but not written",
		"compact chess.zip":                  "chess.zip: is a zip",
		"boosters chess.zip":                 "chess.zip: is a zip",
		"book add book.zip games.pgn":        "book.zip: is a zip",
		"check chess.zip --repair":           "chess.zip: is a zip, of which nothing is changed",
		"names chess.zip --apply notes.txt":  "chess.zip: is a zip, of which nothing is changed",
		"import games.pgn chess.zip":         "chess.zip: is a zip",
		"convert games.pgn text.zip":         "text.zip: is a zip, which is read but not written",
		"convert games.pgn text.zip:new.pgn": "text.zip:new.pgn: is a zip, which is read but not written",
		"merge games.pgn more.pgn text.zip":  "text.zip: is a zip, which is read but not written",
		"info both.zip":                      "both.zip: holds 2 databases; name one of them: both.zip:",
		"info notes.zip":                     "notes.zip: not a database: the zip has neither games nor a book; it has notes.txt",
		"info text.zip:notes.txt":            `there is no "notes.txt" in the zip`,
		"info cut.zip":                       "cut.zip: corrupt: it is no zip, or it is cut",
		"info nothing.zip":                   "Games.cbh",
		"info missing.zip":                   "missing.zip",
		"find both.zip player:Morphy":        "name one of them",
		"import both.zip new.cbh":            "name one of them",
	} {
		r := cbkit(t, string(data), strings.Fields(line)...)
		if r.status == exitDone || !strings.Contains(r.errOut, says) || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("cbkit %s: status %d\n%s%s", line, r.status, r.out, r.errOut)
		}
		leftInTemp(t, line)
	}
	if after := folder(t); len(after) != len(before) {
		t.Errorf("something was made: %d files of %d", len(after), len(before))
	}
}
