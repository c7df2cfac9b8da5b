package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cbkit/internal/dbfile"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
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
	text := must.Get(os.ReadFile(name))(t)
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
		"import --append --new games.pgn games.pgn":     "import makes a database, or adds to one",
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
	must.Do(t, os.Chtimes("Games.cbg", at, at))
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

// A base has all its games, whatever they are, and whatever file they come from: short ones without
// a date, of nobody, set-ups, empty ones, of Chess960, with names and texts that a format cuts or has
// no place for.
func TestNothingIsNewToItself(t *testing.T) {
	long := strings.Repeat("Wolfeschlegelsteinhausenbergerdorff ", 4)
	hand := []string{
		`"white":"Problem","fen":"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1","moves":[{"uci":"f7g7"}]`, `"date":"1900","fen":"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"`, `"event":"Nothing"`, ``,
		`"white":"A","black":"B","event":"Open","site":"Here","moves":[{"uci":"e2e4"},{"uci":"e7e5"}]`, `"white":"A","black":"B","event":"Open","site":"There","moves":[{"uci":"e2e4"},{"uci":"e7e5"}]`,
		`"white":"A","black":"B","date":"2020","result":"1-0","moves":[{"uci":"e2e4","after":[{"text":"well"}]}]`, `"moves":[{"uci":"e2e4"}],"deleted":true`,
		`"white":"` + long + `One","black":"` + long + `Two","event":"` + long + long + `","date":"2020.01.02","moves":[{"uci":"e2e4"},{"uci":"e7e5"}]`,
		`"white":"` + long + `","black":"` + long + `","site":"` + long + long + `","moves":[{"uci":"d2d4"},{"uci":"d7d5"},{"uci":"c2c4"},{"uci":"c7c6"},{"uci":"b1c3"},{"uci":"g8f6"},{"uci":"g1f3"},{"uci":"e7e6"},{"uci":"e2e3"}]`,
		`"variant":"chess960","fen":"bbrnknqr/pppppppp/8/8/8/8/PPPPPPPP/BBRNKNQR w HChc - 0 1","moves":[{"uci":"a2a3"}]`,
	}
	many := func() (lines string) {
		for i := range 300 { // of nobody, which differ in the tournament alone
			lines += fmt.Sprintf(`{"id":%d,"kind":"game","event":"Number %d"}`+"\n", i+1, i)
		}
		return lines
	}
	bases := []string{"", many()}
	for i, members := range hand {
		bases[0] += fmt.Sprintf(`{"id":%d,"kind":"game"%s}`+"\n", i+1, optional(",", members))
	}
	for seed := range 3 {
		db := gen.Database(gen.Config{}).Example(seed)
		text := []byte(nil)
		for rec := range must.All(t, db.Records(t.Context(), 1, model.WantAll)) {
			text = append(jsonl.AppendRecord(text, rec, db.Entities()), '\n')
		}
		bases = append(bases, string(text))
	}
	for i, base := range bases {
		if i > 2 && (testing.Short() || !isTried(i, 4)) {
			continue
		}
		for _, target := range []string{"Games.cbh", "Games.dci"} {
			for _, chess960 := range []string{"", "--chess960"} {
				if testing.Short() && (chess960 == "") == (target == "Games.dci") {
					continue
				}
				here(t)
				save(t, "base.jsonl", base)
				add := strings.Fields("import -q " + chess960)
				if r := cbkit(t, "", append(add, "base.jsonl", target)...); r.status == exitUsage {
					t.Fatalf("base %d: %s", i, r.errOut)
				}
				for _, copied := range []string{"copy.cbh", "copy.dci", "copy.jsonl", "copy.pgn"} {
					cbkit(t, "", strings.Fields("convert -q --chess960 "+target+" "+copied)...)
				}
				before := folder(t)
				for _, source := range []string{"base.jsonl", "copy.cbh", "copy.dci", "copy.jsonl", "copy.pgn"} {
					if dbfile.Is(source, ".cbh", ".dci") && filepath.Ext(source) != filepath.Ext(target) {
						continue // which has less
					}
					for _, how := range []string{"", "--improve"} {
						args := append(strings.Fields("import --append --new "+how+" "+chess960), source, target)
						r := cbkit(t, "", args...)
						if !strings.Contains(r.errOut, "nothing new") || fmt.Sprint(folder(t)) != fmt.Sprint(before) {
							t.Errorf("base %d: cbkit %v: %.400s", i, args, r.errOut)
						}
					}
				}
			}
		}
	}
}

// Numbers of a source may have gaps, between which some records are not held.
func TestImportNewOfGaps(t *testing.T) {
	here(t)
	save(t, "one.pgn", "[White \"One\"]\n\n1. a3 *\n")
	save(t, "gaps.jsonl", `{"id":3,"kind":"text"}
{"id":7,"kind":"game","white":"Two","moves":[{"uci":"e2e4"}]}
{"id":20,"kind":"game","white":"One","moves":[{"uci":"a2a3"}]}
{"id":90,"kind":"game","white":"Three","moves":[{"uci":"d2d4"}]}
`)
	for _, db := range []string{"Games.cbh", "Games.dci"} {
		mustRun(t, "import", "-q", "one.pgn", db)
		r := mustRun(t, "import", "--append", "--new", "gaps.jsonl", db)
		out := mustRun(t, "export", db, "-").out
		if !strings.Contains(r.errOut, "2 new games added, 1 known, 1 left out") || strings.Count(out, `"One"`) != 1 || !strings.Contains(out, `"Two"`) || !strings.Contains(out, `"Three"`) {
			t.Errorf("%s: %s%s", db, r.errOut, out)
		}
	}
}
