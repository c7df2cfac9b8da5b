package stats_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/stats"

	"pgregory.net/rapid"
)

// Every game of a player is in one group of each kind, with its result, and groups come in
// their order.
func TestGroupsAreAllGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db := gen.Database(gen.Config{NoTags: true, Plies: 4}).Draw(t, "db")
		isPlayer := func(id model.EntityID, _ model.Player) bool { return id%3 != 2 }
		board := must.Get(stats.Scores(context.Background(), db, stats.ScoreOptions{Player: isPlayer, By: stats.Groupings()}))(t)
		want := map[string]int{}
		count := func(g *model.Game, own, opponent, elo int, color string) {
			if own < 0 || own >= db.Tables.Players.Len() || own%3 == 2 {
				return
			}
			won := map[string]string{"1-0": "White", "0-1": "Black"}[g.Result.String()] == color
			add := func(by, name, none string) {
				if name == "" {
					name = none
				}
				if want[by+" "+name]++; won {
					want[by+" "+name+" won"]++
				}
			}
			event := db.Tables.Tournaments.Value(g.Tournament)
			name, band, year, month := "", "", "", ""
			if opponent >= 0 && opponent < db.Tables.Players.Len() {
				name = db.Tables.Players.Value(model.EntityID(opponent)).String()
			}
			if elo > 0 {
				if band = fmt.Sprintf("%d00-%d99", elo/100, elo/100); elo < 100 {
					band = "0-99"
				}
			}
			if g.Date.Year > 0 {
				year = fmt.Sprintf("%04d", g.Date.Year)
				if month = year; g.Date.Month > 0 {
					month += fmt.Sprintf(".%02d", g.Date.Month)
				}
			}
			add("opponent", name, "no name")
			add("elo", band, "no rating")
			add("year", year, "no date")
			add("month", month, "no date")
			add("event", event.Title, "no event")
			add("time-control", event.Type.Speed(), "no time control")
			add("color", color, "")
		}
		for _, rec := range db.List {
			if g := rec.Game; g != nil && !rec.Deleted {
				count(g, int(g.White), int(g.Black), int(g.BlackElo), "White")
				count(g, int(g.Black), int(g.White), int(g.WhiteElo), "Black")
			}
		}
		games, order := map[string]int{}, []string{}
		for _, g := range board.Groups {
			if !slices.Contains(order, g.By) {
				order = append(order, g.By)
			}
			if games[g.By] += g.All.Games(); g.By == "eco" {
				continue
			}
			key := g.By + " " + g.Name
			if g.All.Games() != want[key] || g.All.Wins != want[key+" won"] {
				t.Fatalf("%s: %d games, %d won, want %d, %d", key, g.All.Games(), g.All.Wins, want[key], want[key+" won"])
			}
		}
		for by, n := range games {
			if n != board.All.Games() {
				t.Fatalf("%s: %d games of %d", by, n, board.All.Games())
			}
		}
		if board.All.Games() > 0 && !slices.Equal(order, stats.Groupings()) {
			t.Fatal(order)
		}
	})
}

// What games cannot be grouped by is an error.
func TestUnknownGroupings(t *testing.T) {
	if _, err := stats.Scores(context.Background(), &model.Database{}, stats.ScoreOptions{By: []string{"weekday"}}); err == nil {
		t.Error("no error")
	}
}
