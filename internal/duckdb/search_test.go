package duckdb

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/model"
	"cbkit/search"
)

// searched compares the answers with what cbkit's own search finds, for those
// questions that its conditions can put.
var searched = []func(t *testing.T, s *search.Searcher, all []*game, answer [][]string){
	0: func(t *testing.T, s *search.Searcher, all []*game, answer [][]string) {
		for _, row := range answer {
			next, err := board.ParseModel(sicilian + " 0 1")
			if err != nil {
				t.Fatal(err)
			}
			p, err := board.New(&next)
			if err != nil {
				t.Fatal(err)
			}
			m, err := p.ParseSAN(row[0])
			if err != nil {
				t.Fatal(err)
			}
			p.Make(m)
			same(t, len(both(find(t, s, "fen:"+sicilian+" 0 1"), find(t, s, "fen:"+p.FEN()))), row[1], row[0])
		}
	},
	2: func(t *testing.T, s *search.Searcher, all []*game, answer [][]string) {
		for _, row := range answer {
			plies, _ := strconv.Atoi(row[4])
			moves := strconv.Itoa((plies + 1) / 2)
			if ids := find(t, s, "white-player:"+row[1], "black-player:"+row[2], "end:"+row[5], "moves:"+moves+".."+moves); fmt.Sprint(ids) != "["+row[0]+"]" {
				t.Errorf("game %s: the search finds %v", row[0], ids)
			}
		}
	},
	3: func(t *testing.T, s *search.Searcher, all []*game, answer [][]string) {
		for _, row := range answer {
			same(t, len(find(t, s, row[1]+"-player:"+player, "year:"+row[0], "eco:"+row[2])), row[3], row[2])
		}
	},
	4: func(t *testing.T, s *search.Searcher, all []*game, answer [][]string) {
		for _, row := range answer {
			same(t, len(find(t, s, "end:"+row[0])), row[1], row[0])
		}
	},
	6: func(t *testing.T, s *search.Searcher, all []*game, answer [][]string) {
		for _, row := range answer {
			same(t, len(now(all, find(t, s, "fen:"+row[2]), func(fen string) bool { return place(fen) == place(row[2]) }, 8, 8)), row[1], row[2])
		}
	},
	7: func(t *testing.T, s *search.Searcher, all []*game, answer [][]string) {
		for _, row := range answer {
			ids := find(t, s, "pawns:"+row[0])
			same(t, len(now(all, ids, func(fen string) bool { return pawns(fen) == row[0] }, 30, 60)), row[2], row[0])
		}
	},
	8: func(t *testing.T, s *search.Searcher, all []*game, answer [][]string) {
		for _, row := range answer {
			p := board.Start()
			m, err := p.ParseSAN(row[0])
			if err != nil {
				t.Fatal(err)
			}
			p.Make(m)
			ids := find(t, s, "fen:"+p.FEN())
			same(t, len(now(all, ids, func(fen string) bool { return strings.HasPrefix(fen, strings.Fields(p.FEN())[0]+" b ") }, 1, 1)), row[1], row[0])
		}
	},
	9: nil,
}

// same compares a number with a cell of an answer.
func same(t *testing.T, got int, cell, what string) {
	t.Helper()
	if strconv.Itoa(got) != cell {
		t.Errorf("%s: DuckDB counts %s games, the search finds %d", what, cell, got)
	}
}

// both returns what is in both lists.
func both(a, b []model.RecordID) []model.RecordID {
	return slices.DeleteFunc(a, func(id model.RecordID) bool { return !slices.Contains(b, id) })
}

// now returns those games of a search whose position is right between two plies.
func now(all []*game, ids []model.RecordID, right func(fen string) bool, first, last int) (found []model.RecordID) {
	for _, g := range all {
		if !slices.Contains(ids, g.id) {
			continue
		}
		for ply := first; ply <= min(last, len(g.uci)); ply++ {
			if right(g.fen[ply]) {
				found = append(found, g.id)
				break
			}
		}
	}
	return found
}
