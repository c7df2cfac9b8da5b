package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// A week that is added: two known games, of which one is better, and a new one.
const weekly = `[Event "World-ch"]
[White "Kasparov, Garry"]
[Black "Karpov, A"]
[Date "1985.10.01"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 1-0

[Event "Open"]
[White "Adams, M"]
[Black "Karpov, Anatoly"]
[Date "1990.??.??"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 1/2-1/2

[Event "Open"]
[White "Short, Nigel"]
[Black "Adams, Michael"]
[Date "1991.03.04"]
[Result "0-1"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 0-1
`

const based = `[Event "World-ch"]
[White "Kasparov, Garry"]
[Black "Karpov, A"]
[Date "1985.10.01"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0

[Event "Open"]
[White "Adams, Michael"]
[Black "Karpov, A"]
[Date "1990.05.06"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 7. Qc2 1/2-1/2
`

// Only what is not there yet is added, from whatever the week comes in; the same week
// again changes nothing and says so.
func TestImportNew(t *testing.T) {
	for _, db := range []string{"Games.cbh", "Games.dci"} {
		t.Run(db, func(t *testing.T) {
			here(t)
			save(t, "base.pgn", based)
			save(t, "week.pgn", weekly)
			saveZip(t, "week.zip", "week.pgn")
			mustRun(t, "import", "-q", "week.pgn", "Week.cbh")
			mustRun(t, "pack", "-q", "Week.cbh", "Week.cbv")
			saveZip(t, "cbv.zip", "Week.cbv")
			mustRun(t, "convert", "-q", "week.pgn", "week.jsonl")
			for i, week := range []string{"week.zip", "week.pgn", "Week.cbh", "Week.cbv", "cbv.zip", "week.jsonl"} {
				if !isTried(i, 5) {
					continue
				}
				mustRun(t, "import", "-q", "--force", "base.pgn", db)
				r := mustRun(t, "import", "--append", "--new", week, db)
				if !strings.HasPrefix(r.errOut, db+": 1 new game added, 1 known, 1 better than what is there (--improve puts better copies in its place)\n") {
					t.Errorf("%s: %s", week, r.errOut)
				}
				before := folder(t)
				r = mustRun(t, "import", "--append", "--new", week, db)
				if r.errOut != db+": nothing new, 2 known, 1 better than what is there (--improve puts better copies in its place)\n" {
					t.Errorf("%s again: %s", week, r.errOut)
				}
				if fmt.Sprint(folder(t)) != fmt.Sprint(before) {
					t.Errorf("%s again: files have changed", week)
				}
				r = mustRun(t, "import", "--append", "--new", "--improve", week, db)
				if !strings.HasPrefix(r.errOut, db+": 1 in the place of worse copies, 2 known\n") {
					t.Errorf("%s better: %s", week, r.errOut)
				}
				r = mustRun(t, "import", "--append", "--new", "--improve", week, db)
				if r.errOut != db+": nothing new, 3 known\n" {
					t.Errorf("%s better again: %s", week, r.errOut)
				}
				mustRun(t, "check", db)
				mustRun(t, "merge", "-q", "--force", "--dedup", "base.pgn", week, "All.pgn")
				if r := cbkit(t, "", "export", db, "New.pgn", "--force"); r.status != exitDone {
					t.Error(r.errOut)
				}
				mustRun(t, "sort", "-q", "--force", "New.pgn", "New2.pgn", "--by", "date")
				mustRun(t, "sort", "-q", "--force", "All.pgn", "All2.pgn", "--by", "date")
				if db == "Games.dci" {
					continue // which has other tags
				}
				if got, want := content(t, "New2.pgn"), content(t, "All2.pgn"); got != want {
					t.Errorf("%s: have\n%s\nwant\n%s", week, got, want)
				}
			}
			r := mustRun(t, "import", "--append", "--new", "--json", "week.zip", "base.pgn", db)
			if !strings.Contains(r.out, `"new":0,"known":`) || !strings.Contains(r.out, `"verb":"import"`) {
				t.Errorf("%s", r.out)
			}
		})
	}
}

func content(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What cannot be done is refused before anything is read.
func TestImportNewRefused(t *testing.T) {
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	for line, says := range map[string]string{
		"import --new games.pgn New.cbh":                "--new: goes with --append",
		"import --append --improve games.pgn Games.cbh": "--improve: goes with --append --new",
		"import --append --new - Games.cbh":             "-: --new reads everything twice",
		"import --append --new games.pgn Missing.cbh":   "Missing.cbh",
		"import --append --new Games.cbh Games.cbh":     "is the source too",
		"import --append --new games.pgn games.pgn":     "import makes a database",
		"import --append --new missing.pgn Games.cbh":   "missing.pgn",
	} {
		if r := cbkit(t, "", strings.Fields(line)...); r.status == exitDone || !strings.Contains(r.errOut, says) || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("cbkit %s: status %d, %s", line, r.status, r.errOut)
		}
	}
}

// An index of positions that does not fit is told once, by its name; the week is added
// without it.
func TestImportNewIndexNotUsed(t *testing.T) {
	here(t)
	save(t, "base.pgn", based)
	save(t, "week.pgn", weekly)
	mustRun(t, "import", "-q", "base.pgn", "Games.cbh")
	mustRun(t, "boosters", "-q", "--positions", "Games.cbh")
	at := time.Now().Add(time.Hour)
	if err := os.Chtimes("Games.cbg", at, at); err != nil {
		t.Fatal(err)
	}
	r := mustRun(t, "import", "--append", "--new", "--improve", "week.pgn", "Games.cbh")
	for _, line := range []string{
		"cbkit: warning: Games.cbkit-positions is not used: it was made for another state of the database: Games.cbg has another time of change; cbkit boosters --positions makes it anew\n",
		"the index of positions is gone: Games.cbkit-positions, which did not fit; cbkit boosters --positions makes it anew\n",
		"Games.cbh: 1 new game added, 1 in the place of worse copies, 1 known\n",
	} {
		if strings.Count(r.errOut, line) != 1 {
			t.Errorf("not once: %sin %s", line, r.errOut)
		}
	}
}
