package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"cbkit/internal/epd"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/jsonl"
	"cbkit/model"
	"cbkit/read"
)

// samples puts the sample into the current folder in all formats, and returns the
// names.
func samples(t *testing.T) []string {
	t.Helper()
	t.Chdir(gen.Folder(t))
	save(t, "games.pgn", string(sample))
	mustRun(t, "import", "-q", "games.pgn", "Games.cbh")
	mustRun(t, "convert", "-q", "--chess960", "Games.cbh", "Simple.dci")
	mustRun(t, "convert", "-q", "Games.cbh", "games.jsonl")
	mustRun(t, "convert", "-q", "games.pgn", "games.pgn.zst")
	mustRun(t, "convert", "-q", "Games.cbh", "games.jsonl.gz")
	mustRun(t, "pack", "-q", "Games.cbh", "Packed.cbv")
	mustRun(t, "export", "-q", "Games.cbh", "games.parquet")
	return []string{"Games.cbh", "Simple.dci", "games.pgn", "games.pgn.zst", "games.jsonl", "games.jsonl.gz", "Packed.cbv", "games.parquet", "-"}
}

// Every question has the same answer of every kind of source.
func TestFindInAllSources(t *testing.T) {
	names := samples(t)
	for _, c := range []struct{ ids, args string }{
		{"1", "--player Morphy,P"}, {"1", "--player paul+morphy"}, {"1", "--player Morphy+Paul"}, {"3", "--player reti"},
		{"3", "--white R*"}, {"2", "--black kieseritzky"}, {"", "--player Kieseritzk"}, {"1 2", "--result 1-0"},
		{"1 2 3 4", "--moves 1.."}, {"1", "--comment BOX+at+the+opera"}, {"1", "--piece Qb8"}, {"", "--piece Qb8 --ply ..20"},
		{"1", "--piece Qb8 --ply 20..40"}, {"3", "--fen 7K/8/k1P5/7p/8/8/8/8"}, {"3", "--fen 7K/8/k1P5/7p/8/8/8/8+w+-+-+0+1"},
		{"3", "--material KP-KP"}, {"3 1 2", "--year 1850.. --year ..1930 --sort=-date"}, {"2 1 3", "--year ..1930 --sort date"},
		{"2 1", "--year ..1930 --sort date --limit 2"}, {"1 2", "--result 1-0 --limit 5"}, {"1", "--result 1-0 --limit 1"},
	} {
		want := strings.ReplaceAll(c.ids+" ", " ", "\n")
		if c.ids == "" {
			want = ""
		}
		for i, name := range names {
			if !isTried(i+len(c.args), 4) {
				continue
			}
			args := append([]string{"find", "-q", "--format", "ids", name}, strings.Fields(c.args)...)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "+", " ")
			}
			if r := cbkit(t, string(sample), args...); r.status != exitDone || r.out != want {
				t.Errorf("cbkit %v: %+v, want %q", args, r, want)
			}
		}
	}
}

// The number found stands at the end, whatever is shown of it.
func TestCountLine(t *testing.T) {
	for _, name := range samples(t) {
		find := func(args ...string) []string {
			r := cbkit(t, string(sample), append([]string{"find", "-q", name}, args...)...)
			if r.status != exitDone {
				t.Fatalf("%s %v: %+v", name, args, r)
			}
			return strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
		}
		if lines := find("--moves", "1.."); len(lines) != 6 || lines[5] != "4 found" || !strings.Contains(lines[0], "White") {
			t.Errorf("%s: %q", name, lines)
		}
		if lines := find("--moves", "1..", "--count"); !slices.Equal(lines, []string{"4 found"}) {
			t.Errorf("%s --count: %q", name, lines)
		}
		if lines := find("--player", "nobody*at*all"); !slices.Equal(lines, []string{"0 found"}) {
			t.Errorf("%s, nothing: %q", name, lines)
		}
		if lines := find("--moves", "1..", "--limit", "2"); len(lines) != 4 || lines[3] != "2 found; the rest was not searched" {
			t.Errorf("%s --limit: %q", name, lines)
		}
		if lines := find("--moves", "1..", "--limit", "2", "--sort", "white"); len(lines) != 4 || lines[3] != "4 found, 2 shown" {
			t.Errorf("%s --limit --sort: %q", name, lines)
		}
	}
}

// What is found is written with everything that it has.
func TestFindInto(t *testing.T) {
	for _, name := range samples(t) {
		if name == "-" {
			continue
		}
		whole := mustRun(t, "export", "--format", "jsonl", name, "-").out
		for _, out := range []string{"out.cbh", "out.jsonl", "out.pgn", "out.dci"} {
			for i, more := range [][]string{nil, {"--sort", "date"}, {"--limit", "1"}} {
				if !isTried(i+len(name)+len(out), 5) {
					continue
				}
				args := append([]string{"find", "-q", "--force", name, "--eco", "C33..C41", "-o", out}, more...)
				if r := mustRun(t, args...); r.out != "" {
					t.Errorf("%v: %q", args, r.out)
				}
				got := headless(mustRun(t, "export", "--format", "jsonl", out, "-").out)
				want := 2
				if len(more) > 0 && more[0] == "--limit" {
					want = 1
				}
				if n := strings.Count(got, "\n") + 1; n != want {
					t.Fatalf("%v: %d games, want %d", args, n, want)
				}
				if out == "out.jsonl" && len(more) == 0 && !strings.Contains(headless(whole), gamesOnly(got)[0]) {
					t.Errorf("%v: the first game is\n%s\nand was in\n%s", args, gamesOnly(got)[0], headless(whole))
				}
			}
		}
	}
	// A copy of a ChessBase database keeps what only its format has.
	mustRun(t, "find", "-q", "--force", "Games.cbh", "--moves", "1..", "-o", "all.cbh")
	was, is := mustRun(t, "export", "--format", "jsonl", "Games.cbh", "-").out, mustRun(t, "export", "--format", "jsonl", "all.cbh", "-").out
	if was != is {
		t.Errorf("a copy of all games differs")
	}
}

// gamesOnly returns the lines without their ids.
func gamesOnly(lines string) (list []string) {
	for line := range strings.Lines(lines) {
		_, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ",")
		list = append(list, rest)
	}
	return list
}

func TestDidYouMean(t *testing.T) {
	for _, name := range samples(t) {
		r := cbkit(t, string(sample), "find", "-q", name, "--player", "Anderson", "--tournament", "Londn")
		for _, says := range []string{
			`no player is called "Anderson"; did you mean "Anderssen, Adolf"?`, `no tournament is called "Londn"; did you mean "London"?`,
		} {
			if r.status != exitDone || !strings.Contains(r.errOut, says) {
				t.Errorf("%s: %+v, want %s", name, r, says)
			}
		}
		if r := cbkit(t, string(sample), "find", "-q", name, "--player", "Anderssen", "--year", "1999"); strings.Contains(r.errOut, "mean") {
			t.Errorf("%s: %s", name, r.errOut)
		}
		r = cbkit(t, string(sample), "find", "-q", "--json", name, "--player", "Anderson")
		if !strings.Contains(r.out, `"unknown":[{"kind":"player","name":"Anderson","similar":["Anderssen, Adolf"]}]`) || !strings.Contains(r.out, `"ids":[]`) {
			t.Errorf("%s --json: %s", name, r.out)
		}
	}
}

// Flags that contradict each other are bad use, and write nothing.
func TestBadFind(t *testing.T) {
	samples(t)
	for _, line := range []string{
		"find Games.cbh --ply 1..20", "find Games.cbh --year 1858 --sort colour", "find Games.cbh --year 1858 -o x.txt",
		"find Games.cbh --year 1858 -o x.pgn --format ids", "find Games.cbh --year 1858 -o Games.cbh --force", "find games.pgn",
		"find games.pgn --year 1858 -o games.pgn --force", "find games.pgn --round x", "find games.pgn --fen x", "find games.pgn --limit=-1 --year 1858",
		"find Games.cbh --year 1858 --count -o x.cbh", "find Games.cbh --comment !",
	} {
		r := cbkit(t, "", strings.Fields(line)...)
		if r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 || r.out != "" || exists("x.pgn") {
			t.Errorf("cbkit %s: %+v", line, r)
		}
	}
	if r := cbkit(t, "", "find", "none.pgn", "--year", "1858"); r.status != exitFailed || strings.Count(r.errOut, "\n") != 1 {
		t.Errorf("no such file: %+v", r)
	}
}

// Games that cannot be read are reported, and mean exit status 1.
func TestFindInBadPGN(t *testing.T) {
	t.Chdir(gen.Folder(t))
	save(t, "bad.pgn", "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e5 *\n\n[White \"C\"]\n\n1. d4 *\n\n")
	r := cbkit(t, "", "find", "bad.pgn", "--moves", "1..", "--format", "ids")
	if r.status != exitFailed || strings.Count(r.out, "\n") != 2 || !strings.Contains(r.errOut, "bad.pgn") {
		t.Errorf("%+v", r)
	}
}

func TestShowOfAllSources(t *testing.T) {
	for _, name := range samples(t) {
		r := cbkit(t, string(sample), "show", name, "2", "--ply", "4")
		if r.status != exitDone || !strings.Contains(r.out, "Kieseritzky") || !strings.Contains(r.out, "a b c d") {
			t.Errorf("%s: %+v", name, r)
		}
		if r := cbkit(t, string(sample), "show", name, "99"); r.status != exitFailed || strings.Count(r.errOut, "\n") != 1 || r.out != "" {
			t.Errorf("%s 99: %+v", name, r)
		}
	}
}

func TestProbeByMoves(t *testing.T) {
	samples(t)
	mustRun(t, "book", "build", "-q", "Games.cbh", "book.ctg")
	want := mustRun(t, "book", "probe", "book.ctg", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").out
	for _, args := range [][]string{
		{"e4", "e5"}, {"e4 e5"}, {"1.e4", "e5"}, {"1. e4 e5"}, {"e2e4", "e7e5"},
	} {
		if r := mustRun(t, append([]string{"book", "probe", "book.ctg"}, args...)...); r.out != want {
			t.Errorf("%v: %s", args, r.out)
		}
	}
	if r := cbkit(t, "", "book", "probe", "book.ctg", "e4", "e9"); r.status != exitUsage || strings.Count(r.errOut, "\n") != 1 {
		t.Errorf("a move that is none: %+v", r)
	}
}

// Positions of training questions have the solutions as best moves, which can be
// played there.
func TestEPD(t *testing.T) {
	db := &model.Database{}
	g := model.NewGame()
	g.White = db.Tables.Players.Intern(model.ParsePlayer("Légall"))
	g.Date.Year = 1750
	for _, m := range []model.Move{model.NewMove(model.E2, model.E4), model.NewMove(model.E7, model.E5), model.NewMove(model.G1, model.F3)} {
		g.Moves.Append(m)
	}
	g.Annotate(2, model.Training{
		Question:  []model.TrainingText{{Language: model.English, Text: "How to \"attack\"?\r\nThink."}},
		Solutions: []model.Solution{{From: model.G1, To: model.F3}, {From: model.D1, To: model.H5}, {From: model.A1, To: model.A8}, {From: model.G1, To: model.F3}},
	})
	g.Annotate(0, model.Training{})
	id := db.AddGame(g)
	got := string(epd.AppendGame(nil, &db.List[id-1], &db.Tables))
	want := `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id "Légall - , 1750, game 1";
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 bm Nf3 Qh5; id "Légall - , 1750, game 1"; c0 "How to 'attack'? Think.";
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	real := corpus.Path(t, "cbh/mate2/Mate2.cbh")
	r := mustRun(t, "find", "-q", real, "has:training", "--format", "epd")
	questions := 0
	source := must.Get(read.Open(real, read.Options{}))(t)
	defer source.Close()
	for rec, err := range source.Records(t.Context(), 1, model.WantAll) {
		if err != nil || rec.Game == nil {
			continue
		}
		for _, a := range rec.Game.Annotations {
			if a.Value.Kind() == model.KindTraining {
				questions++
			}
		}
	}
	if n := strings.Count(r.out, " bm "); n == 0 || n != questions || n != strings.Count(r.out, "\n") {
		t.Errorf("%d positions of %d questions", n, questions)
	}
}

// A table fits a terminal, in cells, whatever the names are written in.
func TestGameTable(t *testing.T) {
	db := &model.Database{}
	for _, name := range []string{"Carlsen, Magnus", "Каспаров, Гарри Кимович и ещё кто-то", "侯逸凡侯逸凡侯逸凡侯逸凡侯逸凡侯逸凡侯逸凡", "é́x\x1b[31m"} {
		g := model.NewGame()
		g.White, g.Black = db.Tables.Players.Intern(model.Player{LastName: name}), db.Tables.Players.Intern(model.Player{LastName: "B " + name})
		g.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "Tournament of " + name})
		g.Date, g.WhiteElo, g.Round = model.Date{Year: 2013, Month: 11, Day: 22}, 2870, 10
		db.AddGame(g)
	}
	db.List[1].Deleted = true
	for _, width := range []int{40, 80, 100, 120, 200} {
		for _, n := range []int{len(db.List), heldLines + 10} {
			table := &gameTable{columns: gameColumns, line: width, colour: true}
			text := table.appendTitles(nil)
			for i := range n {
				text = table.appendRow(text, &db.List[i%len(db.List)], &db.Tables)
			}
			lines := strings.SplitAfter(strings.TrimSuffix(string(table.appendHeld(text)), "\n"), "\n")
			if len(lines) != n+1 {
				t.Fatalf("%d lines of %d", len(lines), n+1)
			}
			black := -1
			for i, line := range lines {
				styled := i == 0 || i%len(db.List) == 2
				line = strings.TrimSuffix(line, "\n")
				if strings.HasPrefix(line, "\x1b[") != styled || strings.HasSuffix(line, usualText) != styled || strings.Count(line, "\x1b") > 2 {
					t.Errorf("%q", line)
				}
				for _, style := range []string{boldText, faintText, usualText} {
					line = strings.ReplaceAll(line, style, "")
				}
				if strings.HasPrefix(strings.TrimSpace(line), deletedMark) != (styled && i > 0) {
					t.Errorf("deleted or not: %q", line)
				}
				if cells := uniseg.StringWidth(line); cells > width {
					t.Errorf("%d cells of %d: %q", cells, width, line)
				}
				before, _, _ := strings.Cut(line, " B ")
				if i == 0 {
					before, _, _ = strings.Cut(line, " Black")
				}
				if at := uniseg.StringWidth(before); black < 0 {
					black = at
				} else if at != black && width >= 80 {
					t.Errorf("width %d: Black stands at %d and at %d: %q", width, black, at, line)
				}
			}
		}
	}
}

// manyGames returns PGN with the sample n times, and a word in every game.
func manyGames(word string, n int) string {
	text := strings.ReplaceAll(string(sample), "[White \"", "[White \""+word)
	return strings.Repeat(text+"\n", n)
}

// What is found without an end is found at once: the first games of a pipe that
// goes on.
func TestFindFirstOfMany(t *testing.T) {
	dir := gen.Folder(t)
	path := filepath.Join(dir, "many.pgn")
	save(t, path, manyGames("", 300))
	r := mustRun(t, "find", path, "--player", "Morphy", "--limit", "3", "--format", "jsonl")
	if n := strings.Count(r.out, "\n"); n != 3 {
		t.Errorf("%d games", n)
	}
	out := filepath.Join(dir, "three.jsonl")
	mustRun(t, "find", path, "--player", "Morphy", "--limit", "3", "-o", out)
	data := must.Get(os.ReadFile(out))(t)
	lines := jsonl.NewReader(strings.NewReader(string(data)), jsonl.ReaderOptions{})
	got, err := model.Load(t.Context(), lines)
	if err != nil || len(got.List) != 3 {
		t.Errorf("%v, %v", got, err)
	}
}
