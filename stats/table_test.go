package stats_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/stats"
)

// event writes games of a tournament as PGN: "A-B 1-0 round date", ratings by
// name.
func event(title string, elos map[string]int, list ...string) string {
	var b strings.Builder
	for _, line := range list {
		words := strings.Fields(line + " ? ????.??.??")
		white, black, _ := strings.Cut(words[0], "-")
		fmt.Fprintf(&b, "[Event %q]\n[Site \"Here\"]\n[Date %q]\n[Round %q]\n[White %q]\n[Black %q]\n[Result %q]\n",
			title, words[3], words[2], white, black, words[1])
		for tag, name := range map[string]string{"WhiteElo": white, "BlackElo": black} {
			if elos[name] > 0 {
				fmt.Fprintf(&b, "[%s \"%d\"]\n", tag, elos[name])
			}
		}
		fmt.Fprintf(&b, "\n%s\n\n", words[1])
	}
	return b.String()
}

// found returns the only edition with a name.
func found(t *testing.T, db model.Source, name string) *stats.Edition {
	t.Helper()
	list, err := stats.Editions(context.Background(), db, name, stats.Options{})
	if err != nil || len(list) != 1 {
		t.Fatalf("%q: %d editions, %v", name, len(list), err)
	}
	return &list[0]
}

// A round robin worked out by hand:
//
//	A  x ½ 1 1  2½   SB ½·2 + 1·1 + 1·½ = 2½
//	B  ½ x ½ 1  2    SB ½·2½ + ½·1 + 1·½ = 2¼
//	C  0 ½ x ½  1    SB ½·2 + ½·½ = 1¼
//	D  0 0 ½ x  ½    SB ½·1 = ½
//
// A scores 83 % against 2433, which is worth 273 more.
func TestRoundRobin(t *testing.T) {
	elos := map[string]int{"A": 2600, "B": 2500, "C": 2450, "D": 2350}
	db := games(event("Four", elos, "A-B 1/2-1/2 1", "C-D 1/2-1/2 1", "C-A 0-1 2", "D-B 0-1 2", "A-D 1-0 3", "B-C 1/2-1/2 3"))
	table := stats.NewTable(found(t, db, "four"), db.Entities(), model.NoSystem)
	if table.System != model.RoundRobin || table.Rounds != 3 || table.Games != 6 || table.AverageElo != 2475 || table.Category != 9 {
		t.Errorf("%+v", table)
	}
	want := []string{"A 2.5 2.5 2 2706", "B 2 2.25 1 2592", "C 1 1.25 0 2358", "D 0.5 0.5 0 2244"}
	for i, s := range table.Standings {
		if got := fmt.Sprint(s.Name, " ", s.Points, s.SonnebornBerger, s.Tally.Wins, s.Tally.Performance()); got != want[i] {
			t.Errorf("%s, want %s", got, want[i])
		}
	}
}

// A Swiss of six players and three rounds worked out by hand. Points: A 3, B 2,
// C 2, D 1, E 1, F 0. The last round's game between C and E was not played.
//
//	A met B, C, F: Buchholz 2+2+0 = 4, cut 1: 4, SB the same
//	B met A, F, D: Buchholz 3+0+1 = 4, cut 1: 4, SB 0·3 + 1·0 + 1·1 = 1
//	C met D, A (and not E): Buchholz 1+3 = 4, cut 1: 3, SB 1·1 + 0·3 = 1, two wins
//	D met C, E, B: Buchholz 2+1+2 = 5, cut 1: 4, SB 1·1 = 1
//	E met F, D: Buchholz 0+1 = 1, cut 1: 1, SB 1·0 = 0
//	F met E, B, A: Buchholz 1+2+3 = 6, cut 1: 5, SB 0
func TestSwiss(t *testing.T) {
	db := games(event("Open", nil,
		"A-B 1-0 1", "C-D 1-0 1", "E-F 1-0 1", "A-C 1-0 2", "B-F 1-0 2", "D-E 1-0 2", "F-A 0-1 3", "B-D 1-0 3", "C-E + 3"))
	for i := range db.List {
		if g := db.List[i].Game; g.Result == model.NoResult {
			g.Result = model.WhiteWinsByForfeit
		}
	}
	table := stats.NewTable(found(t, db, "Open"), db.Entities(), model.Swiss)
	want := []string{
		"A 3 4 4 4 3", "B 2 4 4 1 2", "C 2 3 4 1 2", "D 1 4 5 1 1", "E 1 1 1 0 1", "F 0 5 6 0 0",
	}
	for i, s := range table.Standings {
		if got := fmt.Sprint(s.Name, " ", s.Points, s.BuchholzCut1, s.Buchholz, s.SonnebornBerger, s.Tally.Wins); got != want[i] {
			t.Errorf("%s, want %s", got, want[i])
		}
	}
	if last := table.Standings[2].Meetings[2]; last.Mark() != "+" || table.Standings[last.Opponent].Name != "E" {
		t.Errorf("%+v", last)
	}
}

// A tournament is named by its title, with its year or without.
func TestEditions(t *testing.T) {
	text := event("Linares", nil, "A-B 1-0 1 2000.02.23", "B-A 1-0 2 2000.02.24") +
		event("Linares", nil, "A-B 1-0 1 2001.02.23") +
		event("Linares 2001", nil, "C-D 1-0 1 2001.02.25") +
		event("Hastings Masters", nil, "A-B 1-0 1 1999.12.30", "B-A 1-0 2 2000.01.02") +
		event("Open of Linares", nil, "E-F 1-0") +
		event("Müller-Cup", nil, "E-F 1-0 1 1990.??.??")
	db := games(text)
	for name, want := range map[string]string{
		"linares":                "Linares 2000 2, Linares 2001 1",
		"Linares 2000":           "Linares 2000 2",
		"Linares 2001":           "Linares 2001 1", // the title before title and year
		"linares 1999":           "",
		"hastings 2000":          "Hastings Masters 1999-2000 2",
		"Hastings Masters 1999":  "Hastings Masters 1999-2000 2",
		"masters of hastings":    "",
		"linares of":             "Open of Linares 1",
		"muller cup":             "Müller-Cup 1990 1",
		"MÜLLER":                 "Müller-Cup 1990 1",
		"Hastings Masters 2001":  "",
		"":                       "",
		"2000":                   "",
		"nothing of the kind is": "",
	} {
		list := must.Get(stats.Editions(context.Background(), db, name, stats.Options{}))(t)
		var got []string
		for i := range list {
			got = append(got, fmt.Sprint(list[i].String(), " ", len(list[i].Games)))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %s, want %s", name, strings.Join(got, ", "), want)
		}
	}
}

// The points of every player of a real tournament are those that his games give
// when they are counted by name.
func TestTableOfRealDatabase(t *testing.T) {
	db := twic(t)
	list, err := stats.Editions(context.Background(), db, "Xtracon Chess Open", stats.Options{})
	if err != nil || len(list) != 1 {
		t.Fatalf("%d, %v", len(list), err)
	}
	table := stats.NewTable(&list[0], db.Entities(), model.NoSystem)
	points := map[string]float64{}
	var sum float64
	opponents := map[string][]string{}
	for rec := range must.All(t, db.Records(context.Background(), 1, model.WantHeaders)) {
		g := rec.Game
		if g == nil || !strings.HasPrefix(db.Entities().Tournaments.Value(g.Tournament).Title, "Xtracon") {
			continue
		}
		white, black := db.Entities().Players.Value(g.White).String(), db.Entities().Players.Value(g.Black).String()
		w := map[model.Result]float64{model.WhiteWins: 1, model.Draw: 0.5}[g.Result]
		points[white], points[black] = points[white]+w, points[black]+1-w
		opponents[white], opponents[black] = append(opponents[white], black), append(opponents[black], white)
		sum++
	}
	if table.System != model.Swiss || float64(table.Games) != sum || len(table.Standings) != len(points) || sum < 1000 {
		t.Errorf("%v, %d games of %v, %d players of %d", table.System, table.Games, sum, len(table.Standings), len(points))
	}
	for i, s := range table.Standings {
		buchholz := 0.0
		for _, name := range opponents[s.Name] {
			buchholz += points[name]
		}
		if s.Points != points[s.Name] || s.Buchholz != buchholz || i > 0 && s.Points > table.Standings[i-1].Points {
			t.Errorf("%d. %s: %v points, Buchholz %v; want %v, %v", i+1, s.Name, s.Points, s.Buchholz, points[s.Name], buchholz)
		}
	}
}
