package collect_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/collect"
	"cbkit/compose"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// nearGame is a game of so many legal moves.
func nearGame(r *rand.Rand, plies int) (moves []string) {
	p := board.Start()
	for range plies {
		legal := p.AppendLegal(nil)
		if len(legal) == 0 {
			break
		}
		m := legal[r.IntN(len(legal))]
		moves = append(moves, p.SAN(m))
		p.Make(m)
	}
	return moves
}

// quiet are moves that can be exchanged and left out: no piece meets another.
var quiet = []string{"Nf3", "Nf6", "Nc3", "Nc6", "g3", "g6", "Bg2", "Bg7", "O-O", "O-O", "d3", "d6", "a3", "a6", "Rb1", "Rb8", "h3", "h6"}

// variant changes up to three plies of the quiet game: another move, two in the other order, or
// an end before or behind.
func variant(r *rand.Rand) []string {
	moves := slices.Clone(quiet)
	for range r.IntN(4) {
		switch i := 12 + r.IntN(len(quiet)-12); r.IntN(4) {
		case 0:
			moves[min(i, len(moves)-1)] = []string{"e3", "e6"}[min(i, len(moves)-1)%2]
		case 1:
			if i = min(i, len(moves)-1) &^ 1; i >= 14 {
				moves[i], moves[i-2] = moves[i-2], moves[i]
			}
		case 2:
			moves = moves[:max(13, len(moves)-1-r.IntN(2))]
		case 3:
			moves = append(moves, []string{"b4", "b5"}[len(moves)%2])
		}
	}
	return moves
}

// naiveNear compares each game with each.
func naiveNear(games []*model.Game, names [][2]string, dates []string) (list []string) {
	for j := range games {
		for i := range j {
			a, b := games[i], games[j]
			if names[i] != names[j] || dates[i] != dates[j] && dates[i] != "" && dates[j] != "" || min(a.Moves.MainLen(), b.Moves.MainLen()) < 8 {
				continue
			}
			plies := max(a.Moves.MainLen(), b.Moves.MainLen())
			at := func(g *model.Game, ply int) model.Move {
				if ply < g.Moves.MainLen() {
					return g.Moves.Move(ply)
				}
				return 1<<16 - 1
			}
			n, prefix := 0, true
			for ply := range plies {
				if at(a, ply) != at(b, ply) {
					n++
					prefix = prefix && ply >= min(a.Moves.MainLen(), b.Moves.MainLen())
				}
			}
			if (n == 1 || n == 2) && !prefix { // such a one is the same
				list = append(list, fmt.Sprint(i+1, j+1, n))
			}
		}
	}
	return list
}

// Near games are those that each game compared with each gives, but for those that are the same:
// whatever part of them memory has room for.
func TestNear(t *testing.T) {
	found, swapped := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 12))
		db := &model.Database{}
		var games []*model.Game
		var names [][2]string
		var dates []string
		for range 40 {
			name := [2]string{[]string{"Adams", "Tal"}[r.IntN(2)], []string{"Polgar", "Larsen"}[r.IntN(2)]}
			date := []string{"", "2001.02.03", "2001.02.04"}[r.IntN(3)]
			moves := variant(r)
			if r.IntN(5) == 0 {
				moves = nearGame(r, r.IntN(12))
			}
			g := compose.New(compose.Header{White: name[0], Black: name[1], Date: date, Event: "Linares", Result: "1-0"})
			g.Play(moves...)
			if _, err := g.AddTo(db); err != nil { // a change that is not legal
				continue
			}
			games, names, dates = append(games, db.List[len(db.List)-1].Game), append(names, name), append(dates, date)
		}
		for _, memory := range []int{0, 1} {
			list := must.Get(collect.FindNear(ctx, db, collect.DuplicateOptions{Memory: memory}))(t)
			var got []string
			for _, n := range list {
				got = append(got, fmt.Sprint(n.First, n.Second, len(n.Plies)))
				found++
				if n.Swapped {
					swapped++
				}
			}
			want := naiveNear(games, names, dates)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, memory %d: %v, want %v", seed, memory, got, want)
			}
		}
	}
	if found < 500 || swapped < 50 {
		t.Errorf("%d pairs, %d of them exchanged", found, swapped)
	}
}
