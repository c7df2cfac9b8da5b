package main

import (
	"fmt"
	"strings"
	"testing"
)

// namesakes has players whom people call in many ways.
const namesakes = `[White "Müller, Karsten"]
[Black "Belyakov, B"]
[Event "Harbour Masters"]
[Result "1-0"]

1. e4 e5 1-0

[White "Lind, Sara"]
[Black "Muller, Anna"]
[Event "Harbour Open"]
[Result "0-1"]

1. d4 d5 0-1

[White "Lind, Per"]
[Black "Belyakov, B"]
[Event "Harbour Open"]
[Result "0-1"]

1. c4 c5 0-1
`

// A name means the same players in every verb, and those whom nobody means are
// the same too.
func TestNamesMeanTheSameInAllVerbs(t *testing.T) {
	here(t)
	save(t, "n.pgn", namesakes)
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	for name, games := range map[string]int{
		"Boris Belyakov": 2, "Belyakov,B": 2, "belyakov": 2, "Bel*": 2, "Muller": 2, "Karsten Muller": 1, "müller, k": 1, "M?ller*": 2,
		"Lind": 2, "Sara": 1, "Karsten": 1, "Беляков": 2, "Muellr": 0, "Sara Lind": 1, "Lind,S": 1, "Lint": 0, "Bel": 0, "Igor Belyakov": 0,
	} {
		for _, db := range []string{"N.cbh", "n.pgn"} {
			if !isTried(len(name)+int(db[0]), 3) {
				continue
			}
			find := mustRun(t, "find", db, "--player", name)
			if !strings.HasSuffix(find.out, fmt.Sprintf("%d found\n", games)) {
				t.Errorf("find %s %q: %s", db, name, find.out)
			}
			unknown := games == 0
			stats, book := cbkit(t, "", "stats", db, "--player", name), cbkit(t, "", "book", "build", "--force", db, "B.ctg", "--player", name)
			list := mustRun(t, "list", db, "players", "--name", name)
			for verb, says := range map[string]string{
				"stats": stats.errOut, "book build": book.errOut, "list": list.errOut, "find": find.errOut,
			} {
				if strings.Contains(says, fmt.Sprintf("no player is called %q", name)) != unknown {
					t.Errorf("%s %s %q: %s", verb, db, name, says)
				}
			}
			if unknown {
				continue
			}
			if !strings.Contains(stats.out, fmt.Sprintf(": %s, ", plural(games, "game"))) && !strings.Contains(stats.out, fmt.Sprintf(": %s\n", plural(games, "game"))) {
				t.Errorf("stats %s %q: %s", db, name, stats.out)
			}
			if !strings.Contains(book.errOut, " of "+plural(games, "game")+" in ") {
				t.Errorf("book build %s %q: %s", db, name, book.errOut)
			}
		}
	}
	if r := mustRun(t, "book", "build", "--force", "n.pgn", "B.ctg", "--player", "lind", "--color", "white"); !strings.HasPrefix(r.errOut, `"lind" means Lind, Sara; Lind, Per`+"\n") {
		t.Errorf("a book of several players does not name them: %s", r.errOut)
	}
	fails(t, exitFailed, "lind has no game here as black", "book", "build", "--force", "n.pgn", "B.ctg", "--player", "lind", "--color", "black")
	fails(t, exitFailed, `no player is called "Karstin"; did you mean "Müller, Karsten"?`, "stats", "n.pgn", "--player", "lind", "--vs", "Karstin")
	fails(t, exitFailed, `did you mean "Harbour Open"`, "table", "n.pgn", "Harber Open")
	if r := mustRun(t, "list", "n.pgn", "tournaments", "--name", "harber"); !strings.Contains(r.errOut, `did you mean "Harbour Open" or "Harbour Masters"?`) || r.out != "0 tournaments\n" {
		t.Errorf("%+v", r)
	}
}

// A tournament is named by words of its title, and by the year of its games, in every
// verb.
func TestTournamentsAsTyped(t *testing.T) {
	here(t)
	save(t, "n.pgn", `[Event "Linares 18th"]
[Date "2001.02.23"]
[White "A, A"]
[Black "B, B"]

1. e4 1-0

[Event "Linares"]
[Date "2000.03.01"]
[White "A, A"]
[Black "B, B"]
[Annotator "Hübner, R"]

1. d4 1-0

[Event "Málaga (open)"]
[Date "2001.??.??"]
[White "A, A"]
[Black "B, B"]

1. c4 1-0
`)
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	for name, games := range map[string]int{
		"linares": 2, "Linares 18th": 1, "18th": 1, "Linares 2001": 1, "linares 2000": 1, "Linares 2002": 0, "linar": 0, "lin*": 2,
		"Lin*s": 1, "malaga": 1, "Malaga open 2001": 1, "Malaga 2000": 0, "2001": 0,
	} {
		for _, db := range []string{"N.cbh", "n.pgn"} {
			if !isTried(len(name)+int(db[0]), 3) {
				continue
			}
			find := mustRun(t, "find", db, "--tournament", name)
			if !strings.HasSuffix(find.out, fmt.Sprintf("%d found\n", games)) {
				t.Errorf("find %s %q: %s", db, name, find.out)
			}
			if list := mustRun(t, "list", db, "tournaments", "--name", name); !strings.HasSuffix(list.out, plural(games, "tournament")+"\n") {
				t.Errorf("list %s %q: %s", db, name, list.out)
			}
		}
		if table := cbkit(t, "", "table", "N.cbh", name); !strings.Contains(name, "*") && (table.status == exitDone) != (games == 1 || name == "linares") {
			t.Errorf("table %q: %+v", name, table)
		}
	}
	if r := mustRun(t, "find", "N.cbh", "annotator:hubner"); !strings.HasSuffix(r.out, "1 found\n") {
		t.Errorf("an annotator: %s", r.out)
	}
}

// A change never guesses: it takes the name itself, or the number, and lists what else
// can be meant.
func TestChangeNeverGuesses(t *testing.T) {
	here(t)
	save(t, "n.pgn", namesakes)
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	was := folder(t)
	for _, c := range []struct {
		said string
		args []string
	}{
		{`no player is called exactly "lind"; write the whole name, or the number, of "Lind, Sara" (#2) or "Lind, Per" (#4)`, []string{"--rename-player", "lind=Lind, S"}},
		{`no player is called exactly "Belyakov"; write the whole name, or the number, of "Belyakov, B" (#1)`, []string{"--rename-player", "Belyakov=X"}},
		{`no player is called exactly "Belyakov, Boris"; write the whole name, or the number, of "Belyakov, B" (#1)`, []string{"--rename-player", "Belyakov, Boris=X"}},
		{`no player is called exactly "belyakov, b"`, []string{"--rename-player", "belyakov, b=X"}},
		{`no player is called exactly "B*"`, []string{"--rename-player", "B*=X"}},
		{`no player is called exactly "Muller"`, []string{"--merge-player", "Muller=Lind, Per"}},
		{`no player is called exactly "Muller"`, []string{"--merge-player", "Lind, Per=Muller"}},
		{`no player is called "Lint"; did you mean "Lind, Sara" or "Lind, Per"?`, []string{"--rename-player", "Lint=Lind"}},
		{`there is no player with the number 99`, []string{"--rename-player", "#99=Lind"}},
		{`the player "Lind, Per" is there already; --merge-player "Lind, Sara=Lind, Per" makes one of both`, []string{"--rename-player", "#2=Lind, Per"}},
		{`no tournament is called exactly "harbour masters"`, []string{"--rename-tournament", "harbour masters=X"}},
		{`the tournament "Harbour Open" is there already; --merge-tournament`, []string{"--rename-tournament", "Harbour Masters=Harbour Open"}},
		{`no tournament is called "Harbor Open"; did you mean "Harbour Open"`, []string{"--merge-tournament", "Harbor Open=Harbour Masters"}},
		{`record 1: no player is called exactly "Lind"; write the whole name, or the number, of "Lind, Sara" (#2) or "Lind, Per" (#4); --new-names makes a new one`, []string{"--set", "1.white=Lind"}},
		{`record 2: there is no player with the number 9`, []string{"--set", "2-3.black=#9"}},
	} {
		fails(t, exitFailed, c.said, append([]string{"edit", "N.cbh"}, c.args...)...)
	}
	for _, flag := range []string{"--rename-player", "--merge-player"} { // no name is no name to give
		fails(t, exitUsage, "write two names with = between them", "edit", "N.cbh", flag, "Lind, Sara=")
	}
	unchanged(t, "guessing", was)
	mustRun(t, "edit", "-q", "N.cbh", "--rename-player", "Belyakov, B=Belyakov, Boris", "--merge-player", "#3=Müller, Karsten",
		"--set", "1.white=#2", "--set", "2.white=Lind", "--new-names", "--rename-tournament", "Harbour Masters=Harbour Masters 2021")
	if r := mustRun(t, "export", "N.cbh", "-"); !strings.Contains(r.out, `[White "Lind, Sara"]`) || !strings.Contains(r.out, `[White "Lind"]`) ||
		!strings.Contains(r.out, `[Black "Belyakov, Boris"]`) || strings.Contains(r.out, "Anna") || !strings.Contains(r.out, `"Harbour Masters 2021"`) {
		t.Errorf("%s", r.out)
	}
	mustRun(t, "check", "N.cbh")
}

// Of entities with the same name the number says which one is changed; a name that is
// longer than what is stored is not that name.
func TestSameNamesAreToldApart(t *testing.T) {
	here(t)
	save(t, "n.pgn", `[White "Abcdefghijklmnopqrstuvwxyzabcd"]
[Black "Lind, Sara"]
[Event "Open"]
[Site "Oslo"]
[Date "1952.??.??"]

1. e4 1-0

[White "Lind, Per"]
[Black "Lind, Sara"]
[Event "Open"]
[Site "Bergen"]
[Date "1952.??.??"]

1. e4 1-0
`)
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	for _, name := range []string{"Open", "Open 1952"} {
		if r := cbkit(t, "", "edit", "N.cbh", "--rename-tournament", name+"=Cup"); r.status != exitFailed ||
			!strings.Contains(r.errOut, fmt.Sprintf(`tournaments of the name %q: "Open`, name)) || !strings.Contains(r.errOut, `(#0) and "Open`) || !strings.Contains(r.errOut, "(#1); say by its number which one") {
			t.Errorf("%+v", r)
		}
	}
	if r := cbkit(t, "", "edit", "N.cbh", "--rename-player", "AbcdefghijklmnopqrstuvwxyzabcdEFGH=X"); r.status != exitFailed {
		t.Errorf("a longer name: %+v", r)
	}
	mustRun(t, "edit", "-q", "N.cbh", "--rename-tournament", "#1=Cup")
	mustRun(t, "export", "N.cbh", "--games", "2", "-").prints(t, `"Cup"`)
}

// Behind its answer a verb tells of names that may be the same person's, in one line; the
// answer is the same without them.
func TestAlsoSpelt(t *testing.T) {
	here(t)
	game := func(white, black string) string {
		return fmt.Sprintf("[White %q]\n[Black %q]\n[Result \"1-0\"]\n\n1. d4 1-0\n\n", white, black)
	}
	save(t, "n.pgn", game("Korchnoi, Viktor", "Lind, A")+game("Korschnoy, Viktor", "侯逸凡")+game("Kortschnoj, V", "Корчной")+game("Karpov, A", "Korchnoi"))
	mustRun(t, "import", "-q", "n.pgn", "N.cbh")
	for _, db := range []string{"n.pgn", "N.cbh"} {
		for _, args := range [][]string{
			{"find", db, "Korchnoi, Viktor"}, {"list", db, "players", "--name", "Korchnoi, Viktor"}, {"stats", db, "Korchnoi, Viktor"},
			{"report", db, "--where", `player:"Korchnoi, Viktor"`}, {"find", db, "--player", "Korchnoi, Viktor", "--count"},
		} {
			r := mustRun(t, args...)
			if r.errOut != "also Korchnoi (1); Korschnoy, Viktor (1); Корчной (1)\n" {
				t.Errorf("%v: %q", args, r.errOut)
			}
			if strings.Contains(r.out, "Korschnoy") {
				t.Errorf("%v: %s", args, r.out)
			}
			if r := mustRun(t, append(args, "-q")...); r.errOut != "" {
				t.Errorf("%v -q: %s", args, r.errOut)
			}
		}
		for _, args := range [][]string{{"find", db, "Korchnoi, Viktor", "--json"}, {"stats", db, "Korchnoi, Viktor", "--json"}} {
			if r := mustRun(t, args...); !strings.Contains(r.out, `"also":[{"name":"Korchnoi","games":1},{"name":"Korschnoy, Viktor","games":1},{"name":"Корчной","games":1}]`) || r.errOut != "" {
				t.Errorf("%v: %s%s", args, r.out, r.errOut)
			}
		}
		for _, args := range [][]string{{"find", db, "Karpov"}, {"find", db, "Kor*"}, {"stats", db}, {"list", db, "players"}, {"find", db, "侯逸凡"}, {"stats", db, "Lind"}} {
			if r := mustRun(t, args...); strings.Contains(r.errOut, "also") {
				t.Errorf("%v: %s", args, r.errOut)
			}
		}
	}
}
