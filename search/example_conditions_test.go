package search_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"cbkit/model"
	"cbkit/search"
)

// A searcher answers any number of questions about one database.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "cbkit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.cbh")
	writeExample(path)

	s, err := search.Open(path, search.Options{NoBoosters: true})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	for _, query := range []string{"white-player:Carlsen", "not player:Carlsen", "moves:2.."} {
		c, err := search.Parse(query)
		if err != nil {
			panic(err)
		}
		result, err := s.Find(context.Background(), c)
		fmt.Println(c, result.IDs, err)
	}
	// Output:
	// white-player:Carlsen [1] <nil>
	// not player:Carlsen [3] <nil>
	// moves:2.. [2 3] <nil>
}

// Conditions of all kinds, as they are joined; their text is what Parse reads.
func ExampleAnd() {
	var read []search.Condition
	for _, term := range [][2]string{
		{"date", "2012..2013.06"}, {"both-elo", "2700.."}, {"result", "1/2"}, {"round", "3.2"}, {"has", "variations"}, {"place", "London"},
		{"nation", "LAT"}, {"tag", "TimeControl=300+*"}, {"piece", "Bb5@0..20"}, {"material", "RP+-RP+/6"}, {"balance", "-9..-3/6"},
	} {
		c, err := search.Term(term[0], term[1])
		if err != nil {
			panic(err)
		}
		read = append(read, c)
	}
	short := search.Func("of one move", func(g *model.Game) bool { return g.Moves.MainLen() == 1 })
	fmt.Println(search.And(search.Games(), search.Not(search.Deleted()), search.Or(short, read[0])))
	for _, c := range read {
		fmt.Println(c)
	}
	// Output:
	// (kind:game and not deleted:yes and (of one move or date:2012..2013.06))
	// date:2012..2013.06
	// both-elo:2700..
	// result:1/2-1/2
	// round:3.2
	// has:variations
	// place:London
	// nation:LAT
	// tag:TimeControl=300+*
	// piece:Bb5@0..20
	// material:KRP+-KRP+/6
	// balance:-9..-3/6
}

// A position that was played or mentioned; behind not, one that was neither.
func ExampleInVariations() {
	c, err := search.Parse(`player:Tal and not fen:"1.e4 c5@..20"`)
	if err != nil {
		panic(err)
	}
	fmt.Println(search.InVariations(c))
	_, err = search.InVariations(search.Games())
	fmt.Println(err)
	// Output:
	// (player:Tal and not fen:"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 1@0..20,variations") <nil>
	// search: kind:game is about no position on the way
}

// The help of a program lists what Parse reads.
func ExampleTerms() {
	for _, term := range search.Terms()[7:10] {
		fmt.Printf("%-20s %s\n", term.Name+":"+term.Value, term.Help)
	}
	// Output:
	// opponents:NAME/NAME  two players against each other
	// tournament:NAME      words of the tournament's title, and its year: Linares, "Linares 2001"
	// place:NAME           the place of the tournament
}
