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
