package model_test

import (
	"fmt"

	"cbkit/model"
)

// A new game knows nothing; entities are ids of its database's tables.
func ExampleNewGame() {
	db := &model.Database{}
	g := model.NewGame()
	fmt.Println(g.White == model.NoEntity, g.Result, g.Date, g.StartPosition() == model.StartPosition())
	g.White = db.Tables.Players.Intern(model.ParsePlayer("Tal, Mikhail"))
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	fmt.Println(db.AddGame(g), db.Tables.Players.Value(g.White))
	// Output:
	// true * ????.??.?? true
	// 1 Tal, Mikhail
}

// Squares count rank by rank; ChessBase counts them file by file.
func ExampleNewSquare() {
	s := model.NewSquare(4, 3)
	fmt.Println(s, uint8(s), s.FileMajor(), model.SquareFromFileMajor(35), s.Mirror())
	// Output: e4 28 35 e4 e5
}

func ExampleNewPiece() {
	p := model.NewPiece(model.Black, model.Knight)
	fmt.Printf("%c %v %v %v\n", p.Letter(), p == model.BlackKnight, p.Color(), model.PieceOf('n') == p)
	// Output: n true black true
}

func ExampleNewMove() {
	fmt.Println(
		model.NewMove(model.G1, model.F3),
		model.NewPromotion(model.E7, model.E8, model.Queen),
		model.NewCastling(model.E1, model.H1).UCI(false))
	// Output: g1f3 e7e8q e1g1
}

// A tournament in a country: by its nation, or by the code that ends its place.
func ExampleTournament_Country() {
	for _, t := range []model.Tournament{{Place: "Biel SUI"}, {Place: "Biel"}, {Place: "Basel SUI", Nation: 53}} {
		fmt.Printf("%q %q\n", t.Country(), t.WithCountry().Nation)
	}
	// Output:
	// "SUI" "SUI"
	// "" ""
	// "GER" "GER"
}

// Databases without tags keep a link to the game as an annotation.
func ExampleTag_Link() {
	w, ok := model.Tag{Name: "Link", Value: "https://example.org/game/1"}.Link()
	fmt.Printf("%+v %t\n", w, ok)
	fmt.Println(w.Tag())
	_, ok = model.Tag{Name: "TimeControl", Value: "300+3"}.Link()
	fmt.Println(ok)
	// Output:
	// {URL:https://example.org/game/1 Caption:PGN tag Link} true
	// {Link https://example.org/game/1} true
	// false
}

func ExampleGame_LinksAsNotes() {
	g := model.NewGame()
	g.Tags = []model.Tag{{Name: "ECO", Value: "C67"}, {Name: "Link", Value: "https://example.org/game/1"}}
	there := g.LinksAsNotes(nil)
	back := there.LinksAsTags(nil)
	fmt.Println(there.Tags, there.Annotations[0].Value)
	fmt.Println(back.Tags, len(back.Annotations))
	// Output:
	// [{ECO C67}] {https://example.org/game/1 PGN tag Link}
	// [{ECO C67} {Link https://example.org/game/1}] 0
}

func ExampleNewECO() {
	e := model.NewECO(250, 8)
	fmt.Println(e, e.Valid(), model.ECO(0).Valid())
	// Output: C50/08 true false
}

// Every word that is printed can be read again.
func ExampleParseMarkColor() {
	color, _ := model.ParseMarkColor("green")
	phase, _ := model.ParseCritical("endgame")
	quality, _ := model.ParseQuality("high")
	kind, _ := model.ParseEvaluationKind("mate")
	fmt.Println(color == model.Green, phase == model.CriticalEndgame, quality == model.QualityHigh, kind == model.MateInPlies)
	// Output: true true true true
}

// A sink writes values, not pointers to them, and no types of others.
func ExampleKinds() {
	fmt.Println(len(model.Kinds()), model.Kinds()[:3])
	fmt.Println(model.MedalNames()[:2])
	// Output:
	// 19 [text symbols squares]
	// [best-game decided-tournament]
}

func ExampleKnownValue() {
	v, ok := model.KnownValue(&model.Text{Text: "a pointer"})
	fmt.Printf("%T %v\n", v, ok)
	_, ok = model.KnownValue(nil)
	fmt.Println(ok)
	// Output:
	// model.Text true
	// false
}

// What an identical database has beyond an equal one: ids, deleted entities,
// leftovers.
func ExampleIdentical() {
	a, b := &model.Database{}, &model.Database{}
	b.Tables.Players.Intern(model.Player{LastName: "nobody's"})
	fmt.Println(model.Equal(a, b), model.Identical(a, b))
	// Output: true false
}

// What can stand at a move besides text and symbols. Values are compared by what
// they hold.
func ExampleValue() {
	move := model.NewMove(model.E2, model.E4)
	for _, v := range []model.Value{
		model.Squares{model.ColoredSquare{Color: model.Green, Square: model.E5}},
		model.Arrows{model.ColoredArrow{Color: model.Green, From: model.E2, To: model.E4}},
		model.PiecePath{Square: model.C3},
		model.PawnStructure(3),
		model.VariationColor{Red: 255},
		model.Evaluations{model.Evaluation{Kind: model.Centipawns, Depth: 12, Value: 30}},
		model.Engine{Value: 30, Depth: 12},
		model.Clock{Player: model.Black, Centiseconds: 6000},
		model.TimeSpent{Minutes: 2},
		model.TimeControl{model.TimeStage{Start: 540000, Increment: 3000, Moves: 1000, Kind: 3}},
		model.Training{Points: 5, Solutions: []model.Solution{{From: model.E2, To: model.E4, Points: 5}},
			Question: []model.TrainingText{{Language: model.English, Text: "What would you play?"}}},
		model.Quotation{White: "Tal,Mikhail", EventType: model.EventType{Blitz: true}, WithMoves: true, Moves: []model.Move{move}},
		model.WebLink{URL: "https://example.org", Caption: "more"},
		model.VideoTime(1500),
		model.Opaque{Format: "cbh", Type: 99, Data: []byte{1}},
	} {
		known, ok := model.KnownValue(v)
		fmt.Println(v.Kind(), ok && v.Equal(known))
	}
	// Output:
	// squares true
	// arrows true
	// piece-path true
	// pawn-structure true
	// variation-color true
	// evaluations true
	// engine true
	// clock true
	// time-spent true
	// time-control true
	// training true
	// quotation true
	// web-link true
	// video-time true
	// opaque true
}

// The kind of a tournament is more than how its games are paired.
func ExampleEventType() {
	t := model.Tournament{Title: "Riga", Type: model.EventType{System: model.Swiss, Rapid: true}}
	fmt.Println(t.Type.System, t.Type.Blitz, t.Type.Rapid)
	// Output: swiss false true
}
