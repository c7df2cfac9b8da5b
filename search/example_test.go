package search_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"cbkit/board"
	"cbkit/model"
	"cbkit/search"
	"cbkit/write"
)

// writeExample writes a database of three games.
func writeExample(path string) {
	db := &model.Database{}
	for _, g := range []struct {
		white, black string
		queen        bool
	}{{"Carlsen", "Xu", false}, {"Caruana", "Carlsen", true}, {"Xu", "Caruana", true}} {
		h := model.NewHeader()
		h.White = db.Tables.Players.Intern(model.Player{LastName: g.white})
		h.Black = db.Tables.Players.Intern(model.Player{LastName: g.black})
		game := &model.Game{Header: h}
		game.Moves.Append(model.NewMove(model.E2, model.E4))
		game.Moves.Append(model.NewMove(model.E7, model.E5))
		if g.queen {
			game.Moves.Append(model.NewMove(model.D1, model.H5))
		}
		db.AddGame(game)
	}
	sink, err := write.Create(context.Background(), path, write.Options{})
	if err == nil {
		err = model.Copy(context.Background(), sink, db, model.CopyOptions{})
	}
	if err == nil {
		_, err = write.Boosters(context.Background(), path, write.BoosterOptions{})
	}
	if err != nil {
		panic(err)
	}
}

func ExampleSearcher_First() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.cbh")
	writeExample(path)
	// The index of positions, for those after 20 half-moves at most.
	if _, err := write.Boosters(context.Background(), path, write.BoosterOptions{Positions: 20}); err != nil {
		panic(err)
	}
	s, err := search.Open(path, search.Options{})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	c := search.Reached(board.Start())
	first, err := s.First(context.Background(), c, 2)
	fmt.Println(first.IDs, first.More, err)
	all, err := s.Count(context.Background(), c)
	fmt.Println(len(all.IDs), all.Plan.Boosters, err)
	// Output:
	// [1 2] true <nil>
	// 3 [games.cbkit-positions] <nil>
}

func ExampleParse() {
	c, err := search.Parse(`white-player:"Carlsen, M*" (year:2012..2013 or not eco:C50)`)
	fmt.Println(c, err)
	_, err = search.Parse("player:Carlsen and yaer:2013")
	fmt.Println(err)
	// Output:
	// (white-player:"Carlsen, M*" and (date:2012..2013 or not eco:C50..C50)) <nil>
	// query, character 20: "yaer" is nothing to search for; there are player, white-player, black-player, both-player, winner, loser, opponent-elo, opponents, tournament, place, nation, annotator, source, team, white-team, black-team, both-team, title, date, year, round, eco, result, elo, white-elo, black-elo, both-elo, elo-difference, upset, time-control, moves, medal, has, comment, tag, blunder, clock, final, wrong-result, flag, kind, deleted, id, fen, pawns, piece, move, pattern, material, end, balance
}

func ExampleTerm() {
	// As a program has them from its flags.
	var all []search.Condition
	for _, flag := range [][2]string{{"player", "Carlsen"}, {"elo", "2800.."}, {"end", "KRP+-KRP+"}} {
		c, err := search.Term(flag[0], flag[1])
		if err != nil {
			fmt.Println(err)
			return
		}
		all = append(all, c)
	}
	fmt.Println(search.And(all...))
	// Output:
	// (player:Carlsen and elo:2800.. and end:KRP+-KRP+)
}

func ExampleReached() {
	p, err := board.Parse("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
	if err != nil {
		panic(err)
	}
	fmt.Println(search.And(search.Reached(p), search.Not(search.Deleted())))
	// Output:
	// (fen:"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1" and not deleted:yes)
}

func ExampleSearcher_Find() {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.cbh")
	writeExample(path)

	s, err := search.Open(path, search.Options{})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	c, err := search.Parse("player:carl* and piece:Qh5")
	if err != nil {
		panic(err)
	}
	result, err := s.Find(context.Background(), c)
	if err != nil {
		panic(err)
	}
	fmt.Println(result.IDs)
	fmt.Print(result.Plan)
	// Output:
	// [2]
	// player "carl*": 1 found, 3 of 3 looked at
	// used games.cit, games.cib, games.cbb; 3 records, 2 headers read, 1 games played through
}
