package lines_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/lines"
	"cbkit/model"
	"cbkit/stats"

	"pgregory.net/rapid"
)

// repertoire holds all lines of PGN text.
func repertoire(t testing.TB, text string) *lines.Repertoire {
	t.Helper()
	r := lines.NewRepertoire()
	for _, rec := range parse(t, text).List {
		r.Add(rec.Game)
	}
	return r
}

func TestLeaves(t *testing.T) {
	rep := repertoire(t, `1. d4 d5 2. c4 e6 (2... c6 3. Nf3) 3. Nc3 Nf6 4. Bg5 *`)
	for moves, want := range map[string]int{
		"1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7": -2, // the lines end before
		"1. d4 d5 2. c4":                                 -2, // the game does
		"1. c4 e6 2. d4 d5":                              0,  // a position that no line has
		"1. d4 d5 2. c4 e6 3. Nf3":                       4,
		"1. d4 d5 2. c4 c6 3. Nc3":                       4,
		"1. d4 Nf6":                                      1,
		"1. d4 d5 2. c4 c6 3. Nf3 Nf6":                   -2,
		"1. d4 d5 2. c4 e6 3. Nc3 Nf6 (3... c5) 4. cxd5": 6,
	} {
		node, leaves := rep.Leaves(parse(t, moves+" *").List[0].Game)
		if leaves != (want >= 0) || leaves && node != want {
			t.Errorf("%s: %d, %v; want %d", moves, node, leaves, want)
		}
	}
	setUp := parse(t, "[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Kb1 *").List[0].Game
	if node, leaves := rep.Leaves(setUp); !leaves || node != model.NoNode {
		t.Errorf("%d, %v", node, leaves)
	}
	if rep.Add(setUp); rep.Len() != 12 {
		t.Errorf("%d positions", rep.Len())
	}
	if node, leaves := rep.Leaves(setUp); leaves {
		t.Errorf("%d, %v", node, leaves)
	}
	if _, leaves := lines.NewRepertoire().Leaves(model.NewGame()); !leaves {
		t.Error("a game stays in nothing")
	}
}

func TestForks(t *testing.T) {
	rep := repertoire(t, `1. e4 e5 2. Nf3 (2. Bc4) 2... Nc6 (2... Nf6) 3. Bb5 *
1. Nf3 Nc6 2. e4 e5 3. Bc4 *
[SetUp "1"]
[FEN "7k/8/8/8/8/8/8/K7 b - - 0 1"]

1... Kg7 (1... Kg8 2. Kb1 (2. Kb2)) *
`)
	show := func(c model.Color) (text string) {
		for f := range rep.Forks(c) {
			p := must.Get(board.New(&f.Start))(t)
			text += stats.FormatLine(p, f.Line) + " |"
			for _, m := range f.Line {
				p.Make(m)
			}
			for _, m := range f.Moves {
				text += " " + p.SAN(m)
			}
			text += "\n"
		}
		return text
	}
	if got, want := show(model.White), " | e4 Nf3\n1.e4 e5 | Nf3 Bc4\n1.e4 e5 2.Nf3 Nc6 | Bb5 Bc4\n1...Kg8 | Kb1 Kb2\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got, want := show(model.Black), "1.e4 e5 2.Nf3 | Nc6 Nf6\n | Kg7 Kg8\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Novelties are those that looking at all positions of all games gives, however often the
// base has to be read.
func TestNoveltiesEqualANaiveSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, newer := games(t, gen.Config{Plies: 12, Kinds: []model.Kind{}}), games(t, gen.Config{Plies: 12, Kinds: []model.Kind{}})
		for _, rec := range base.List { // some of the base, played on
			if rapid.Bool().Draw(t, "again") {
				newer.AddGame(rec.Game.Clone())
			}
		}
		most := rapid.IntRange(0, 6).Draw(t, "max ply")
		keys := func(g *model.Game) (list []uint64) {
			for n := model.NoNode; n < g.Moves.MainLen() && (most == 0 || n < most); n++ {
				p := must.Get(board.After(g.Start, &g.Moves, n))(t)
				list = append(list, p.PolyglotKey())
			}
			return list
		}
		has := map[uint64]int{}
		for _, rec := range base.List {
			for _, key := range keys(rec.Game) {
				has[key]++
			}
		}
		var want, got []string
		for _, rec := range newer.List {
			list := keys(rec.Game)
			if ply := slices.IndexFunc(list[1:], func(key uint64) bool { return has[key] == 0 }); ply >= 0 {
				want = append(want, fmt.Sprint(lines.Novelty{ID: rec.ID, Node: ply, Before: has[list[ply]]}))
			}
		}
		memory := rapid.SampledFrom([]int{0, 1, 200}).Draw(t, "memory")
		for n := range must.All(t, lines.Novelties(ctx, newer, base, lines.NoveltyOptions{MaxPly: most, Memory: memory})) {
			got = append(got, fmt.Sprint(n))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// Nothing is asked of the base where there are no games, and who has enough gets no more.
func TestNoveltiesStop(t *testing.T) {
	base, newer := parse(t, "1. e4 *"), parse(t, strings.Repeat("1. d4 *\n\n", 5))
	n := 0
	for range lines.Novelties(ctx, newer, base, lines.NoveltyOptions{Memory: 1}) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d", n)
	}
	for range lines.Novelties(ctx, &model.Database{}, nil, lines.NoveltyOptions{}) {
		t.Error("a novelty of nothing")
	}
}
