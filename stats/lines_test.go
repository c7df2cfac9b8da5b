package stats

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"
	"cbkit/model"
)

// Typical lines are those that counting every beginning gives.
func TestTypicalLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		move := rapid.Custom(func(t *rapid.T) model.Move { return model.Move(rapid.IntRange(1, 3).Draw(t, "move")) })
		lines := rapid.SliceOfN(rapid.SliceOfN(move, 1, 4), 0, 60).Draw(t, "lines")
		var s lineSorter
		defer s.close()
		for _, line := range lines {
			must.Do(t, s.add(line))
		}
		got, err := s.beginnings(func(first model.Move) int {
			return rapid.IntRange(1, max(1, starting(lines, first)/10)).Draw(t, "least")
		})
		if err != nil {
			t.Fatal(err)
		}
		starts := map[model.Move]bool{}
		for _, line := range lines {
			starts[line[0]] = true
		}
		if len(got) != len(starts) {
			t.Fatalf("%d first moves, want %d", len(got), len(starts))
		}
		for first := range starts {
			want, games := naiveLine(lines, first)
			node := got[first]
			if line, n := node.typical(); !slices.Equal(line, want) || n != games {
				t.Fatalf("%v: %v in %d games, want %v in %d", first, line, n, want, games)
			}
		}
	})
}

// starting returns how many lines begin with a move.
func starting(lines [][]model.Move, first model.Move) (n int) {
	for _, line := range lines {
		if line[0] == first {
			n++
		}
	}
	return n
}

// naiveLine goes on with the move that most lines have, the smallest of several.
func naiveLine(lines [][]model.Move, first model.Move) ([]model.Move, int) {
	with := func(beginning []model.Move) (n int) {
		for _, line := range lines {
			if len(line) >= len(beginning) && slices.Equal(line[:len(beginning)], beginning) {
				n++
			}
		}
		return n
	}
	line := []model.Move{first}
	all := with(line)
	games := all
	for {
		best, most := model.Move(0), 0
		for m := model.Move(1); m <= 3; m++ {
			if n := with(append(slices.Clone(line), m)); n > most {
				best, most = m, n
			}
		}
		if most == 0 || 10*most < all {
			return line, games
		}
		line, games = append(line, best), most
	}
}
