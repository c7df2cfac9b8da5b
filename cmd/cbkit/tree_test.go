package main

import (
	"os"
	"strings"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// treeGames are games with all that a tree has to do with: equal ones, one inside another,
// texts between them, no moves, two starts, variations and comments, one that cannot be
// read, and one without an end.
const treeGames = `[White "Anna"]
[Black "Bo"]
[Result "1-0"]
[WhiteElo "2400"]
[Date "2021.05.01"]

1. e4 e5 {solid} (1... c5 2. Nf3) 2. Nf3 Nc6 1-0

This stands between the games.

[White "Cy"]
[Black "Dora"]
[Result "0-1"]

1. e4 e5 2. Nf3 0-1

[White "Cy"]
[Black "Dora"]
[Result "0-1"]

1. e4 e5 2. Nf3 0-1

[White "Bad"]
[Black "Move"]
[Result "*"]

1. e4 e5 2. Ke5 *

[White "No"]
[Black "Moves"]
[Result "1/2-1/2"]

1/2-1/2

[White "End"]
[Black "Game"]
[Result "*"]
[SetUp "1"]
[FEN "7k/8/8/8/8/8/8/K6R w - - 0 1"]

1. Rg1 *

[White "Nine"]
[Black "Sixty"]
[Result "1-0"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"]

1. e4 e5 1-0

[White "Anna"]
[Black "Bo"]
[Result "1-0"]

1. d4 1-0
`

// writeTreeGames goes to a folder with the games.
func writeTreeGames(t *testing.T) {
	t.Helper()
	here(t)
	must.Do(t, os.WriteFile("g.pgn", []byte(treeGames), 0o666))
}

// What a tree was made of comes back from it, through every format that games are written
// in, deleted games and what cannot be read aside.
func TestTreeAndBack(t *testing.T) {
	writeTreeGames(t)
	if r := cbkit(t, "", "strip", "-q", "g.pgn", "want.pgn", "--variations", "--annotations"); r.status != exitFailed {
		t.Fatalf("%+v", r)
	}
	want := mustRun(t, "find", "want.pgn", "--sort", "white,black,result,plies", "--format", "pgn", "-q", "--limit", "99").out
	for _, tree := range []string{"tree.pgn", "tree.cbh", "tree.dci", "tree.jsonl", "lossless.pgn"} {
		args := []string{"tree", "g.pgn", tree}
		switch tree {
		case "lossless.pgn":
			args = append(args, "--lossless")
		case "tree.dci":
			args = append(args, "--chess960")
		}
		r := cbkit(t, "", args...)
		if r.status != exitFailed || !strings.Contains(r.errOut, "7 games") || !strings.Contains(r.errOut, "1 skipped") ||
			!strings.Contains(r.errOut, "left out of the games: 1 variation; --variations keeps") || !strings.Contains(r.errOut, "1 comment; --annotations keeps") {
			t.Fatalf("%s: %+v", tree, r)
		}
		mustRun(t, "untangle", "-q", tree, "back.pgn", "--force", "--plain")
		got := mustRun(t, "find", "back.pgn", "--sort", "white,black,result,plies", "--format", "pgn", "-q", "--limit", "99").out
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", tree, got, want)
		}
	}
	if r := mustRun(t, "list", "tree.pgn", "tournaments", "--csv"); strings.Count(r.out, "game") < 3 {
		t.Errorf("three starts make three trees: %s", r.out)
	}
}

func TestTreeOptions(t *testing.T) {
	writeTreeGames(t)
	for args, want := range map[string]string{
		"--ends figures --where year:2021":                      "1. e4 e5 2. Nf3 Nc6 {1 game +1 =0 -0, 2400} *",
		"--ends names --player Anna --color white":              "1. e4 (1. d4 {Anna - Bo 1-0}) 1... e5 2. Nf3 Nc6 {Anna 2400 - Bo 1-0, 2021.05.01} *",
		"--ends nothing --player Anna --variations":             "1. e4 (1. d4) 1... e5 (1... c5 2. Nf3) 2. Nf3 Nc6 *",
		"--ends nothing --player Anna --annotations":            "1. e4 (1. d4) 1... e5 {solid} 2. Nf3 Nc6 *",
		"--ends figures --player Cy":                            "1. e4 e5 2. Nf3 {2 games +0 =0 -2} *",
		"--ends figures --player Cy --color white":              "1. e4 e5 2. Nf3 {2 games +0 =0 -2} *",
		"--ends figures --player Dora --color black":            "1. e4 e5 2. Nf3 {2 games +2 =0 -0} *",
		"--ends figures --max-ply 1 --where eco:A00..E99":       "",
		"--ends nothing --max-ply 1 --player Anna --order best": "1. e4 (1. d4) *",
		"--ends nothing --min-games 3 --max-ply 3":              "1. e4 e5 2. Nf3 *",
	} {
		r := cbkit(t, "", append([]string{"tree", "g.pgn", "-", "-q"}, strings.Fields(args)...)...)
		if got := strings.Join(strings.Fields(r.out), " "); want != "" && !strings.Contains(got, want) {
			t.Errorf("%s: %s\nwant\n%s", args, got, want)
		} else if want == "" && r.status == exitDone {
			t.Errorf("%s: %+v", args, r)
		}
	}
	r := cbkit(t, "", "tree", "g.pgn", "eco.jsonl", "--by", "eco", "--json", "--transpositions")
	if !strings.Contains(r.out, `"result":{"games":7,"trees":`) {
		t.Errorf("%+v", r)
	}
	if r := cbkit(t, "", "tree", "g.pgn", "-", "-q", "--player", "Anna", "--color", "white", "--ends", "nothing"); !strings.Contains(r.out, `[White "Anna"]`) {
		t.Errorf("%s", r.out)
	}
}

// A tree that nobody could hold, or that is nothing, is refused or empty, and bad use is
// said.
func TestTreeRefuses(t *testing.T) {
	writeTreeGames(t)
	must.Do(t, os.WriteFile("empty.pgn", []byte("% nothing\n"), 0o666))
	for line, says := range map[string]string{
		"tree g.pgn": "name games, and last what to make",
		"tree g.pgn out.pgn --forks --novelties x": "two questions",
		"tree g.pgn --novelties -":                 "name a file",
		"find - --leaves -":                        "name a file",
		"tree g.pgn out.pgn --csv":                 "--csv: is for what",
		"tree g.pgn g.pgn":                         "is the source too",
		"tree g.pgn out.ctg":                       "opening book",
		"tree g.pgn out.pgn --by year":             "--by must be one of",
		"tree g.pgn out.pgn --where nonsense:1":    "--where",
		"find g.pgn --in g.pgn --leaves g.pgn":     "can't be used together",
	} {
		if r := cbkit(t, "", strings.Fields(line)...); r.status != exitUsage || !strings.Contains(r.errOut, says) || strings.Count(r.errOut, "\n") != 1 {
			t.Errorf("%s: %+v", line, r)
		}
	}
	for line, says := range map[string]string{
		"tree g.pgn out.pgn --player Nobody":   "no player",
		"tree g.pgn out.pgn --where year:1900": "no game meets",
		"tree g.pgn --novelties missing.pgn":   "missing.pgn",
		"find g.pgn --in empty.pgn":            "empty.pgn",
		"tree missing.pgn out.pgn":             "missing.pgn",
	} {
		r := cbkit(t, "", strings.Fields(line)...)
		if _, err := os.Stat("out.pgn"); r.status != exitFailed || !strings.Contains(r.errOut, says) || err == nil {
			t.Errorf("%s: %+v, %v", line, r, err)
		}
	}
	// A text of .cbh has 64 KB.
	var many strings.Builder
	for range 900 {
		many.WriteString("[White \"A player with a long name\"]\n[Black \"Another player with a long name\"]\n\n1. e4 *\n\n")
	}
	must.Do(t, os.WriteFile("many.pgn", []byte(many.String()), 0o666))
	r := cbkit(t, "", "tree", "-q", "many.pgn", "many.cbh")
	if _, err := os.Stat("many.cbh"); r.status != exitFailed || !strings.Contains(r.errOut, "--max-ply, --min-games or --by make smaller trees") || err == nil {
		t.Errorf("%+v, %v", r, err)
	}
	mustRun(t, "tree", "-q", "many.pgn", "many.pgn.gz")
	mustRun(t, "untangle", "many.pgn.gz", "again.cbh").reports(t, "900 records")
}

// A deleted game is not in the tree, and what cannot be taken is said.
func TestTreeOfDatabase(t *testing.T) {
	writeTreeGames(t)
	if r := cbkit(t, "", "import", "-q", "g.pgn", "g.cbh"); r.status != exitFailed {
		t.Fatalf("%+v", r)
	}
	mustRun(t, "edit", "-q", "g.cbh", "--delete", "1")
	mustRun(t, "tree", "g.cbh", "tree.pgn").reports(t, "6 games", "left out: 1 deleted game\n")
	mustRun(t, "untangle", "tree.pgn", "back.cbh")
	if r := mustRun(t, "find", "back.cbh", "player:Anna", "--count"); r.out != "1 found\n" {
		t.Errorf("%+v", r)
	}
}

func TestForksAndNovelties(t *testing.T) {
	writeTreeGames(t)
	if r := cbkit(t, "", "find", "-q", "g.pgn", "--player", "Anna", "-o", "rep.pgn"); r.status != exitFailed {
		t.Fatalf("%+v", r)
	}
	if r := mustRun(t, "tree", "rep.pgn", "--forks"); r.out != "start: e4 or d4\n1.e4: e5 or c5\n2 positions with several moves, of 8\n" {
		t.Errorf("%s", r.out)
	}
	if r := mustRun(t, "tree", "rep.pgn", "--forks", "--color", "black", "--csv"); r.out != "line,moves,fen\n1.e4,e5 c5,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n" {
		t.Errorf("%s", r.out)
	}
	if r := mustRun(t, "tree", "rep.pgn", "--forks", "--color", "white", "--json"); !strings.Contains(r.out, `"line":"start"`) || strings.Contains(r.out, "1.e4") {
		t.Errorf("%s", r.out)
	}
	for _, base := range []string{"rep.pgn", "rep.cbh"} {
		if base == "rep.cbh" {
			mustRun(t, "import", "-q", "rep.pgn", base)
		}
		r := cbkit(t, "", "tree", "g.pgn", "--novelties", base)
		if r.status != exitFailed || !strings.Contains(r.out, "1.Rg1 ") || !strings.Contains(r.out, "2 novelties in 7 games\n") {
			t.Errorf("%s: %+v", base, r)
		}
	}
	if r := cbkit(t, treeGames, "tree", "-", "--novelties", "rep.pgn", "--csv", "-q"); !strings.Contains(r.out, "tournament,novelty,before\n") || strings.Count(r.out, "\n") != 3 {
		t.Errorf("%+v", r)
	}
	for line := range strings.Lines(mustRun(t, "tree", "games.pgn", "--novelties", "rep.pgn").out) {
		if len([]rune(line)) > 81 || strings.Contains(line, "…\n") {
			t.Errorf("%q", line)
		}
	}
	if r := mustRun(t, "tree", "rep.pgn", "--novelties", "rep.pgn"); r.out != "0 novelties in 2 games\n" {
		t.Errorf("%+v", r)
	}
	if r := mustRun(t, "tree", "rep.pgn", "--novelties", "rep.pgn", "--json"); r.out != `{"games":2,"novelties":[]}`+"\n" {
		t.Errorf("%+v", r)
	}
}

// With an index of positions beside the base the answer is the same, and of one that is
// damaged one line tells.
func TestNoveltiesWithAnIndex(t *testing.T) {
	writeTreeGames(t)
	mustRun(t, "find", "-q", "games.pgn", "--player", "Morphy", "-o", "base.cbh")
	for _, form := range []string{"--csv", "--json", "-q"} {
		ask := func() result { return cbkit(t, "", "tree", "games.pgn", "--novelties", "base.cbh", form) }
		want := ask()
		mustRun(t, "boosters", "-q", "base.cbh", "--positions")
		if r := ask(); r != want || r.status != want.status {
			t.Errorf("%s: %+v, want %+v", form, r, want)
		}
		must.Do(t, os.WriteFile("base.cbkit-positions", []byte("none"), 0o666))
		if r := ask(); r.out != want.out || r.status != exitDone || strings.Count(r.errOut, "it is not used; cbkit boosters --positions") != 1 {
			t.Errorf("%s: %+v, want %+v", form, r, want)
		}
		must.Do(t, os.Remove("base.cbkit-positions"))
	}
}

func TestFindByRepertoire(t *testing.T) {
	writeTreeGames(t)
	must.Do(t, os.WriteFile("rep.pgn", []byte("1. e4 e5 2. Nf3 d6 *\n"), 0o666))
	if r := cbkit(t, "", "import", "-q", "g.pgn", "g.cbh"); r.status != exitFailed {
		t.Fatalf("%+v", r)
	}
	for _, db := range []string{"g.pgn", "g.cbh"} {
		run := func(args ...string) result {
			return cbkit(t, "", append([]string{"find", db, "-q"}, args...)...)
		}
		if r := run("--in", "rep.pgn", "--format", "ids"); r.out != "2\n3\n4\n" {
			t.Errorf("%s: %+v", db, r)
		}
		if r := run("--leaves", "rep.pgn"); !strings.Contains(r.out, "2...Nc6\n") || !strings.Contains(r.out, "1.d4\n") || !strings.Contains(r.out, "2 found") {
			t.Errorf("%s: %+v", db, r)
		}
		if r := run("--leaves", "rep.pgn", "--json", "player:Bo", "--limit", "1"); !strings.Contains(r.out, `"leaves":[{"id":1,"ply":4,"move":"2...Nc6"}]`) {
			t.Errorf("%s: %+v", db, r)
		}
		if r := run("--leaves", "rep.pgn", "--sort=-white,plies", "--csv"); !strings.Contains(r.out, "leaves,deleted,ply,fen,move\n") || strings.Count(r.out, "\n") != 3 {
			t.Errorf("%s: %+v", db, r)
		}
		if r := run("--in", "rep.pgn", "-o", "in.pgn", "--force"); r.status == exitUsage {
			t.Errorf("%s: %+v", db, r)
		}
		if r := mustRun(t, "find", "in.pgn", "kind:game", "--count"); r.out != "3 found\n" {
			t.Errorf("%s: %+v", db, r)
		}
	}
}

// diff --lines compares repertoires by position: what is removed one way is added the other.
func TestDiffLines(t *testing.T) {
	t.Chdir(gen.Folder(t))
	save(t, "a.pgn", "[Event \"A\"]\n\n1. d4 Nf6 2. c4 e6 (2... g6 3. Nc3 Bg7) 3. Nc3 *\n")
	save(t, "b.pgn", "[Event \"B\"]\n\n1. c4 e6 2. d4 Nf6 3. Nc3 Bb4 *\n\n[Event \"end\"]\n[FEN \"8/8/8/8/8/k7/7P/K7 w - - 0 1\"]\n\n1. h4 *\n")
	r := cbkit(t, "", "diff", "--lines", "a.pgn", "b.pgn")
	want := "- 1.d4 Nf6 2.c4 g6 3.Nc3 Bg7\n+ 1.c4 e6 2.d4 Nf6 3.Nc3: 3...Bb4\n+ 8/8/8/8/8/k7/7P/K7 w - - 0 1: 1.h4\n1 line of a.pgn alone, 2 lines of b.pgn alone\n"
	if r.status != exitFailed || r.out != want {
		t.Errorf("%+v", r)
	}
	back := cbkit(t, "", "diff", "--lines", "b.pgn", "a.pgn", "--json")
	if strings.Count(back.out, `"change":"removed"`) != 2 || strings.Count(back.out, `"change":"added","fen":"`) != 1 {
		t.Errorf("%+v", back)
	}
	if r := mustRun(t, "diff", "--lines", "a.pgn", "a.pgn", "-q"); r.out != "" {
		t.Errorf("%+v", r)
	}
}
