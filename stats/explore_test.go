package stats_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/stats"
)

const sicilians = `[White "A"]
[Black "B"]
[WhiteElo "2500"]
[BlackElo "2600"]
[Date "2001.05.01"]
[Result "1-0"]

1. e4 c5 2. Nf3 d6 3. d4 1-0

[White "C"]
[Black "A"]
[WhiteElo "2700"]
[BlackElo "2510"]
[Date "2003.??.??"]
[Result "1/2-1/2"]

1. Nf3 c5 2. e4 Nc6 3. Bb5 1/2-1/2

[White "A"]
[Black "B"]
[Result "0-1"]

1. e4 c5 2. Nf3 d6 3. Bb5+ 0-1

[White "C"]
[Black "B"]
[Result "*"]

1. e4 c5 2. Nf3 *

[White "C"]
[Black "B"]
[Result "1-0"]

1. e4 e5 (1... c5 2. Nf3 d6) 1-0
`

// position is where moves lead.
func position(t must.TB, moves string) board.Position {
	t.Helper()
	p := board.Start()
	for _, san := range strings.Fields(moves) {
		m := must.Get(p.ParseSAN(san))(t)
		p.Make(m)
	}
	return p
}

// A report of five games, counted by hand: four reach the position, one of them by
// another order of moves, one ends there, and a variation does not count.
func TestExplore(t *testing.T) {
	db := games(sicilians)
	r := must.Get(stats.Explore(context.Background(), db, position(t, "e4 c5 Nf3"), stats.ExploreOptions{}))(t)
	if r.Score.Games() != 4 || r.Score.Wins != 1 || r.Score.Draws != 1 || r.Score.Losses != 1 || r.Ended != 1 ||
		r.FirstYear != 2001 || r.LastYear != 2003 {
		t.Errorf("%+v", r)
	}
	var got []string
	for _, m := range r.Moves {
		got = append(got, fmt.Sprint(m.SAN, " ", m.Score.Games(), m.Score.Points(), m.Elo, m.LastYear, len(strings.Fields(m.Line)), m.LineGames))
	}
	// d6 goes on with Bb5+ and d4, once each: the first in the order of moves.
	if want := "d6 2 1 2600 2001 2 1; Nc6 1 0.5 2510 2003 2 1"; strings.Join(got, "; ") != want {
		t.Errorf("%s, want %s", strings.Join(got, "; "), want)
	}
	if w, b := r.BestWhite, r.BestBlack; len(w) != 2 || w[0].Name != "C" || w[0].Score.Games() != 2 ||
		len(b) != 2 || b[0].Name != "B" || b[0].Score.Games() != 3 || r.Moves[0].Best != "B" {
		t.Errorf("%+v, %+v", w, b)
	}
	if len(r.Recent) != 4 || r.Recent[0].ID != 2 || r.Recent[1].ID != 1 || r.Recent[2].ID != 3 {
		t.Errorf("%+v", r.Recent)
	}
	if r, err := stats.Explore(context.Background(), db, position(t, "e4 c5 Nf3 d6"), stats.ExploreOptions{Recent: 1}); err != nil ||
		r.Score.Games() != 2 || len(r.Recent) != 1 || r.Recent[0].ID != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// The moves from the start of a real database are those that are counted naively.
func TestExploreRealDatabase(t *testing.T) {
	db := twic(t)
	want, ended := map[model.Move]int{}, 0
	for rec := range must.All(t, db.Records(context.Background(), 1, model.WantMoves)) {
		if g := rec.Game; g != nil && !rec.Deleted && g.Start == nil {
			if n := g.Moves.Main(model.NoNode); n == model.NoNode {
				ended++
			} else {
				want[g.Moves.Move(n)]++
			}
		}
	}
	r := must.Get(stats.Explore(context.Background(), db, position(t, ""), stats.ExploreOptions{Players: 3, Recent: 7}))(t)
	if len(r.Moves) != len(want) || r.Ended != ended || len(r.BestWhite) != 3 || len(r.Recent) != 7 {
		t.Errorf("%d moves, %d ended; want %d, %d", len(r.Moves), r.Ended, len(want), ended)
	}
	for i, m := range r.Moves {
		if m.Score.Games() != want[m.Move] || i > 0 && m.Score.Games() > r.Moves[i-1].Score.Games() {
			t.Errorf("%s: %d games, want %d", m.SAN, m.Score.Games(), want[m.Move])
		}
	}
}

func ExampleExplore() {
	db := games(sicilians)
	p, err := board.Parse("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := stats.Explore(context.Background(), db, p, stats.ExploreOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range report.Moves {
		fmt.Println(m.SAN, m.Score.Games(), m.Score.Points())
	}
	var last stats.RecentGame = report.Recent[0]
	fmt.Println(last.White, last.Result, last.Date)
	start := board.Start()
	fmt.Println(stats.FormatLine(start, start.AppendLegal(nil)[:1]))
	// Output:
	// d6 2 1
	// Nc6 1 0.5
	// C 1/2-1/2 2003.??.??
	// 1.a3
}
