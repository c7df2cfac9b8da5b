package search_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"cbkit/board"
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
	for _, c := range []search.Condition{
		search.Player(search.WhiteSide, "Carlsen"),
		search.Not(search.Player(search.AnySide, "Carlsen")),
		search.Moves(2, 0),
	} {
		result, err := s.Find(context.Background(), c)
		fmt.Println(c, result.IDs, err)
	}
	// Output:
	// white-player:Carlsen [1] <nil>
	// not player:Carlsen [3] <nil>
	// moves:2.. [2 3] <nil>
}

// Conditions on headers; their text is what Parse reads.
func ExampleAnd() {
	medal, _ := model.ParseMedal("best-game")
	annotated, err := search.Annotated("variations")
	if err != nil {
		panic(err)
	}
	for _, c := range []search.Condition{
		search.Dates(model.Date{Year: 2012}, model.Date{Year: 2013, Month: 6}),
		search.ECOs(model.NewECO(250, 0), model.NewECO(259, 0)),
		search.Ratings(search.BothSides, 2700, 0),
		search.Results(model.WhiteWins, model.Draw),
		search.Or(search.Team(search.AnySide, "Riga"), search.Nation("LAT")),
		search.And(search.Medals(medal), annotated),
		search.Func("of one move", func(g *model.Game) bool { return g.Moves.MainLen() == 1 }),
		search.And(search.IDs(1, 1000), search.Games(), search.Not(search.Texts()), search.Not(search.Deleted())),
	} {
		fmt.Println(c)
	}
	// Output:
	// date:2012..2013.06
	// eco:C50..C59
	// both-elo:2700..
	// (result:1-0 or result:1/2-1/2)
	// (team:Riga or nation:LAT)
	// (medal:best-game and has:variations)
	// of one move
	// (id:1..1000 and kind:game and not kind:text and not deleted:yes)
}

// Conditions on positions: they play through the games, or use the .cbb file.
func ExamplePieceOn() {
	knight, err := search.PieceOn(model.WhiteKnight, model.D5)
	if err != nil {
		panic(err)
	}
	rooks, err := search.ParseMaterial("RP+-RP+")
	if err != nil {
		panic(err)
	}
	for _, c := range []search.Condition{
		knight, search.Pawns(board.Start()), search.Material(rooks, 6), search.MaterialAtEnd(rooks), search.Balance(-100, 100, 10),
	} {
		fmt.Println(c)
	}
	// Output:
	// piece:Nd5
	// pawns:8/pppppppp/8/8/8/8/PPPPPPPP/8
	// material:KRP+-KRP+/6
	// end:KRP+-KRP+
	// balance:-100..100/10
}

// Where and when a game was played, and what is said about it.
func ExampleTerm_place() {
	london, err := search.Term("place", "London")
	if err != nil {
		panic(err)
	}
	for _, c := range []search.Condition{
		search.And(london, search.Nation("ENG")),
		search.Or(search.Rounds(5, 0), search.Subround(3, 2)),
		search.Comment("the immortal game"),
		search.Tag("TimeControl", "300+*"),
	} {
		fmt.Println(c)
	}
	// Output:
	// (place:London and nation:ENG)
	// (round:5.. or round:3.2)
	// comment:"the immortal game"
	// tag:TimeControl=300+*
}

// A bishop that was on b5 in the first ten moves.
func ExampleDuring() {
	bishop, err := search.PieceOn(model.WhiteBishop, model.B5)
	if err != nil {
		panic(err)
	}
	early, err := search.During(0, 20, bishop)
	fmt.Println(early, err)
	_, err = search.During(0, 20, search.Player(search.AnySide, "Tal"))
	fmt.Println(err)
	// Output:
	// piece:Bb5@0..20 <nil>
	// search: player:Tal is about no position on the way
}

// A position that was played or mentioned; behind not, one that was neither.
func ExampleInVariations() {
	c, err := search.Parse(`player:Tal and not fen:"1.e4 c5@..20"`)
	if err != nil {
		panic(err)
	}
	fmt.Println(search.InVariations(c))
	_, err = search.InVariations(search.Player(search.AnySide, "Tal"))
	fmt.Println(err)
	// Output:
	// (player:Tal and not fen:"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 1@0..20,variations") <nil>
	// search: player:Tal is about no position on the way
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

func ExampleFlag() {
	fmt.Println(search.Flag("pawn structure"))
	fmt.Println(search.Flag("D")) // a deleted game
	// Output:
	// flag:"pawn structure"
	// deleted:yes
}
