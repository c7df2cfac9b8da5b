package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

const takenBack = "cbkit: warning: %s: the interrupted change was taken back; the files are as they were before it"

// The page of a database is that which it has when it is locked and put right.
func TestPageAfterRecovery(t *testing.T) {
	for _, args := range [][]string{
		{"import", "--append", "german.pgn", "Games.cbh"}, {"import", "--append", "--new", "german.pgn", "Games.cbh"},
		{"edit", "Games.cbh", "--append", "german.pgn"}, {"edit", "Games.cbh", "--rename-player", "Иванов, И=Müller, Karl"},
		{"names", "Games.cbh", "--apply", "names.csv"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Chdir(gen.Folder(t))
			var text strings.Builder
			for _, name := range []string{"Иванов, И", "Петров, Пётр", "Каспаров, Гарри", "Карпов, Анатолий", "Смыслов, Василий", "Ботвинник, Михаил"} {
				text.WriteString("[White \"" + name + "\"]\n[Black \"Спасский, Борис\"]\n\n1. e4 {с идеей и преимуществом} *\n\n")
			}
			save(t, "games.pgn", text.String())
			save(t, "german.pgn", "[White \"Müller, Karl\"]\n\n1. d4 d5 *\n")
			save(t, "names.csv", "old,new\n\"Иванов, И\",\"Müller, Karl\"\n")
			mustRun(t, "import", "-q", "--codepage", "1251", "games.pgn", "Games.cbh")
			was := mustRun(t, "export", "-q", "Games.cbh", "-").out
			interruptCommit(t, "Games.cbh")
			r := mustRun(t, args...)
			if !strings.Contains(r.errOut, strings.ReplaceAll(takenBack, "%s", "Games.cbh")) {
				t.Errorf("said %q", r.errOut)
			}
			now := mustRun(t, "export", "-q", "Games.cbh", "-").out
			if !strings.Contains(now, "[White \"Müller, Karl\"]") || !strings.Contains(now, "Спасский, Борис") || !strings.Contains(was, "Спасский, Борис") {
				t.Errorf("%s", now)
			}
		})
	}
}

// Whatever takes an interrupted change back first says so in a line.
func TestRecoveredIsSaid(t *testing.T) {
	for _, args := range [][]string{
		{"edit", "Games.cbh", "--delete", "1"}, {"edit", "Games.dci", "--delete", "1"}, {"names", "Games.cbh", "--apply", "names.csv"},
		{"names", "Games.dci", "--apply", "names.csv"}, {"import", "--append", "games.pgn", "Games.cbh"}, {"import", "--append", "games.pgn", "Games.dci"},
		{"compact", "Games.cbh"}, {"compact", "--purge", "Games.cbh"}, {"boosters", "Games.cbh"}, {"check", "--repair", "Games.cbh"},
		{"book", "add", "Games.ctg", "games.pgn"}, {"book", "edit", "Games.ctg", "start", "e4", "--weight", "9"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			here(t)
			save(t, "names.csv", "old,new\nX,Y\n")
			for _, name := range []string{"Games.cbh", "Games.dci", "Games.ctg"} {
				switch {
				case !strings.Contains(strings.Join(args, " "), name):
				case name == "Games.ctg":
					bookOf(t, "Games", oldGames)
					interruptCommit(t, name)
				default:
					mustRun(t, "convert", "-q", "games.pgn", name)
					interruptCommit(t, name)
				}
			}
			r := mustRun(t, args...)
			if n := strings.Count(r.errOut, "the interrupted change was taken back"); n != 1 || !strings.Contains(r.errOut, "cbkit: warning: Games.") {
				t.Errorf("said %d times: %s", n, r.errOut)
			}
			if r = mustRun(t, args...); strings.Contains(r.errOut, "taken back") {
				t.Errorf("the second time: %s", r.errOut)
			}
		})
	}
}

// What one call adds its other changes see, in every format alike.
func TestEditSeesWhatItAppends(t *testing.T) {
	const old = "[White \"Old, Otto\"]\n[Black \"Both, B\"]\n\n1. e4 *\n\n[White \"Stay, S\"]\n[Black \"Old, Otto\"]\n\n1. d4 *\n"
	const added = "[White \"New, Nina\"]\n[Black \"Both, B\"]\n\n1. c4 *\n\n[White \"Last, L\"]\n[Black \"New, Nina\"]\n\n1. f4 *\n"
	flags := [][]string{
		{"--rename-player", "New, Nina=Newer, N"}, {"--rename-player", "Both, B=Both, Bert"}, {"--merge-player", "New, Nina=Old, Otto"},
		{"--merge-player", "Old, Otto=New, Nina"}, {"--set", "3.white=Set, S"}, {"--set", "3-.round=7"}, {"--set", "1.white=New, Nina"},
		{"--set", "4.white=New, Nina", "--rename-player", "New, Nina=Newer, N"},
		{"--rename-player", "New, Nina=Newer, N", "--rename-player", "Newer, N=Newest, N"}, {"--drop-annotations", "3"},
	}
	counts := regexp.MustCompile(`\d+ (appended|headers? changed|annotated|names? changed|names? merged)`)
	for _, more := range flags {
		for _, from := range []string{"new.pgn", "-"} {
			t.Run(strings.Join(more, " ")+" "+from, func(t *testing.T) {
				t.Chdir(gen.Folder(t))
				save(t, "games.pgn", old)
				save(t, "new.pgn", added)
				mustRun(t, "convert", "-q", "games.pgn", "Games.cbh")
				mustRun(t, "convert", "-q", "games.pgn", "Games.jsonl")
				mustRun(t, "convert", "-q", "games.pgn", "Games.pgn.gz")
				var want result
				for _, name := range []string{"Games.cbh", "games.pgn", "Games.jsonl", "Games.pgn.gz"} {
					args := append([]string{"edit", name, "--append", from}, more...)
					dry := cbkit(t, added, append(args, "--dry-run")...)
					did := cbkit(t, added, args...)
					did.out = mustRun(t, "export", "-q", "--plain", name, "-").out
					did.errOut = strings.Join(counts.FindAllString(did.errOut, -1), ", ")
					if name == "Games.cbh" {
						want = did
						continue
					}
					if did.status != exitDone || did != want || dry.status != exitDone {
						t.Errorf("%s: %+v\nGames.cbh: %+v", name, did, want)
					}
				}
			})
		}
	}
	t.Run("deleted", func(t *testing.T) {
		t.Chdir(gen.Folder(t))
		save(t, "games.pgn", old)
		save(t, "new.pgn", added)
		r := mustRun(t, "edit", "games.pgn", "--append", "new.pgn", "--delete", "2,4")
		if now := mustRun(t, "export", "-q", "games.pgn", "-").out; strings.Count(now, "[Event ") != 2 || strings.Contains(now, "Last, L") {
			t.Errorf("%s%s", r.errOut, now)
		}
		says(t, cbkit(t, "", "edit", "games.pgn", "--append", "new.pgn", "--delete", "5"), exitFailed, "the last one is 4")
	})
}

// Of what PGN does not take nothing is counted as added.
func TestAppendedToPGNIsCounted(t *testing.T) {
	t.Chdir(gen.Folder(t))
	save(t, "g.pgn", "[White \"A\"]\n\n1. e4 *\n")
	save(t, "more.jsonl", `{"kind": "text", "event": "E"}`+"\n"+`{"white": "B", "deleted": true}`+"\n"+`{"white": "C"}`+"\n")
	mustRun(t, "edit", "g.pgn", "--append", "more.jsonl").reports(t, "edited: 1 appended")
}

// A name that no record has when its turn comes is changed in none, and that is said.
func TestRenameOfWhatHasGone(t *testing.T) {
	t.Chdir(gen.Folder(t))
	const text = "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n"
	save(t, "g.pgn", text)
	for _, flags := range [][]string{{"--rename-player", "A=C"}, {"--merge-player", "A=B"}} {
		says(t, cbkit(t, "", append([]string{"edit", "g.pgn", "--delete", "1"}, flags...)...), exitFailed, flags[0]+" "+flags[1]+": no record that stays has that name")
		if now, err := os.ReadFile("g.pgn"); err != nil || string(now) != text {
			t.Errorf("%v, %q", err, now)
		}
	}
}

// What somebody else is changing is not looked at: neither its names nor its page.
func TestNothingIsLearnedBeforeTheLock(t *testing.T) {
	t.Chdir(gen.Folder(t))
	const russian = "[White \"\xca\xe0\xf1\xef\xe0\xf0\xee\xe2, \xc3\xe0\xf0\xf0\xe8\"]\n[Black \"\xca\xe0\xf0\xef\xee\xe2, \xc0\xed\xe0\xf2\xee\xeb\xe8\xe9\"]\n\n1. e4 *\n\n"
	save(t, "g.pgn", strings.Repeat(russian, 5))
	save(t, "g.jsonl", `{"white": "A"}`+"\n")
	save(t, "names.csv", "old,new\nA,B\n")
	mustRun(t, "import", "-q", "g.pgn", "Games.cbh")
	for _, name := range []string{"g.pgn", "g.jsonl", "Games.cbh"} {
		l := must.Get(lock.Acquire(t.Context(), fsys.OS{}, name, lock.Writer, 0))(t)
		for _, args := range [][]string{{"edit", name, "--rename-player", "Nobody=B"}, {"edit", name, "--merge-player", "#77=#1"}, {"names", name, "--apply", "names.csv"}} {
			says(t, cbkit(t, "", args...), exitFailed, "--wait 10s")
		}
		must.Do(t, l.Release())
	}
}

// What a format excludes is not counted as added.
func TestImportNewCountsWhatCame(t *testing.T) {
	t.Chdir(gen.Folder(t))
	save(t, "base.pgn", based)
	save(t, "new.pgn", "[White \"F\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w GEge - 0 1\"]\n\n1. e4 e5 *\n\n"+
		"[White \"G\"]\n[Date \"2001.02.03\"]\n\n1. b4 b5 2. g4 g5 *\n")
	mustRun(t, "import", "-q", "base.pgn", "Games.dci")
	r := mustRun(t, "import", "--append", "--new", "new.pgn", "Games.dci")
	if !strings.Contains(r.errOut, "Games.dci: 1 new game added, 1 left out") {
		t.Errorf("%s", r.errOut)
	}
	if r = mustRun(t, "import", "--append", "--new", "new.pgn", "Games.dci"); !strings.Contains(r.errOut, "Games.dci: nothing new, 1 known, 1 left out") {
		t.Errorf("%s", r.errOut)
	}
}
