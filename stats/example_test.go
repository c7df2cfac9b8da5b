package stats_test

import (
	"context"
	"fmt"
	"strings"

	"cbkit/model"
	"cbkit/pgn"
	"cbkit/stats"
)

// listed writes a list in one line.
func listed(list *stats.Listing) string {
	var all []string
	for e := range list.All() {
		all = append(all, fmt.Sprintf("%s %d %d-%d %d-%d", e.Name, e.Games, e.FirstYear, e.LastYear, e.MinElo, e.MaxElo))
	}
	return strings.Join(all, "; ")
}

func ExampleList() {
	src := pgn.NewReader(strings.NewReader(four), pgn.ReaderOptions{})
	list, err := stats.List(context.Background(), src, stats.Players, stats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for e := range list.All() {
		fmt.Println(e.Name, e.Games, e.FirstYear, e.LastYear, e.MaxElo)
	}
	// Output:
	// Hand, Fred 3 1999 2001 2550
	// Foot, Jan 2 1999 2001 2400
	// Nose, Ole 1 0 0 0
}

func ExampleScores() {
	src := pgn.NewReader(strings.NewReader(four), pgn.ReaderOptions{})
	board, err := stats.Scores(context.Background(), src, stats.ScoreOptions{
		Player: func(_ model.EntityID, p model.Player) bool { return p.LastName == "Hand" },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	print := func(s stats.Sides) { fmt.Println(s.All.Points(), "of", s.All.Games(), "with White", s.White.Games()) }
	print(board.Sides)
	fmt.Println("performance", board.All.Performance())
	// Output:
	// 1.5 of 3 with White 2
	// performance 2400
}

func ExampleNewTable() {
	src := pgn.NewReader(strings.NewReader(four), pgn.ReaderOptions{})
	editions, err := stats.Editions(context.Background(), src, "Spring 1999", stats.Options{})
	if err != nil || len(editions) != 1 {
		fmt.Println(len(editions), err)
		return
	}
	var event stats.Event = editions[0].Event()
	fmt.Println(event.Title, event.First, event.Games)
	table := stats.NewTable(&editions[0], src.Entities(), model.NoSystem)
	for i, s := range table.Standings {
		fmt.Println(i+1, s.Name, s.Points)
	}
	// Output:
	// Spring 1999.03.01 1
	// 1 Hand, Fred 1
	// 2 Foot, Jan 0
}

// A list of what the user asks for, in his order.
func ExampleNewTeamTable() {
	const match = `[Event "Cup"]
[Round "1"]
[White "Fox"]
[Black "Owl"]
[WhiteTeam "Wood"]
[BlackTeam "Tower"]
[Result "1-0"]

1-0

[Event "Cup"]
[Round "1"]
[White "Bat"]
[Black "Elk"]
[WhiteTeam "Tower"]
[BlackTeam "Wood"]
[Result "1/2-1/2"]

1/2-1/2
`
	src := pgn.NewReader(strings.NewReader(match), pgn.ReaderOptions{})
	editions, err := stats.Editions(context.Background(), src, "Cup", stats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var table *stats.TeamTable = stats.NewTeamTable(&editions[0], src.Entities())
	for _, team := range table.Standings {
		var first stats.TeamMatch = team.Matches[0]
		fmt.Println(team.Rank, team.Name, team.MatchPoints, team.BoardPoints, first.Against)
	}
	var best stats.TeamStanding = table.Standings[0]
	fmt.Println(best.Won)
	// Output:
	// 1 Wood 2 1.5 0.5
	// 2 Tower 0 0.5 1.5
	// 1
}

func ExampleParseKind() {
	kind, err := stats.ParseKind("players")
	if err != nil {
		fmt.Println(err)
		return
	}
	src := pgn.NewReader(strings.NewReader(four), pgn.ReaderOptions{})
	list, err := stats.List(context.Background(), src, kind, stats.Options{})
	if err == nil {
		err = list.Sort("name")
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(listed(list))
	// Output: Foot, Jan 2 1999-2001 2400-2400; Hand, Fred 3 1999-2001 2500-2550; Nose, Ole 1 0-0 0-0
}

// FIDE's tables: how strong a tournament was, and what a score in it is worth.
func ExampleCategory() {
	average := 2630
	fmt.Println("category", stats.Category(average))
	fmt.Println("65 % is a performance of", average+stats.RatingDifference(65))
	// Output:
	// category 16
	// 65 % is a performance of 2740
}

// By what scores can be grouped; ScoreOptions.By takes these words.
func ExampleGroupings() {
	fmt.Println(stats.Groupings())
	// Output: [opponent elo month year time-control eco color event]
}
