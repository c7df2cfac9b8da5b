package model_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"cbkit/model"
)

// A game with a variation, as a reader builds it: moves in the order in which
// they are met, whatever the stored order is.
func ExampleTreeBuilder() {
	b := new(model.TreeBuilder)
	b.Grow(5) // more are no mistake
	e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	c5 := b.Add(e4, model.NewMove(model.C7, model.C5))
	c6 := b.Add(e4, model.NewMove(model.C7, model.C6))
	b.Add(c6, model.NewMove(model.D2, model.D4))
	b.Add(c5, model.NewMove(model.G1, model.F3))

	var tree model.Tree
	order := b.Build(&tree)
	for i, n := range tree.Nodes() {
		fmt.Println(i, n.Move, "after", n.Parent)
	}
	fmt.Println("1...c6 is node", order[c6])
	// Output:
	// 0 e2e4 after -1
	// 1 c7c5 after 0
	// 2 g1f3 after 1
	// 3 c7c6 after 0
	// 4 d2d4 after 3
	// 1...c6 is node 3
}

func ExampleTree_Line() {
	b := new(model.TreeBuilder)
	e4 := b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	b.Add(e4, model.NewMove(model.E7, model.E5))
	d4 := b.Add(model.NoNode, model.NewMove(model.D2, model.D4))
	b.Add(d4, model.NewMove(model.D7, model.D5))
	tree := b.Tree()

	for n := range tree.Line(model.NoNode) {
		fmt.Print(tree.Move(n), " ")
	}
	for first := range tree.Alternatives(0) {
		fmt.Print("or")
		for n := range tree.Line(first) {
			fmt.Print(" ", tree.Move(n))
		}
	}
	// Output: e2e4 e7e5 or d2d4 d7d5
}

func ExampleTree_Children() {
	b := new(model.TreeBuilder)
	b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	b.Add(model.NoNode, model.NewMove(model.D2, model.D4))
	tree := b.Tree()
	fmt.Println(slices.Collect(tree.Children(model.NoNode)), tree.MainLen(), tree.HasVariations())
	// Output: [0 1] 1 true
}

func ExampleTree_Append() {
	var tree model.Tree
	tree.Append(model.NewMove(model.E2, model.E4))
	tree.Append(model.NewMove(model.E7, model.E5))
	fmt.Println(tree.Len(), tree.Move(1), tree.Ply(1))
	// Output: 2 e7e5 1
}

// Annotations keep their order at a place.
func ExampleGame_Annotate() {
	g := &model.Game{Header: model.NewHeader()}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Annotate(0, model.Text{Language: model.English, Text: "best by test"})
	g.Annotate(0, model.Symbols{Move: 1})
	g.Annotate(model.NoNode, model.Medals(1))

	for _, a := range g.AnnotationsAt(0) {
		fmt.Printf("%s %+v\n", a.Value.Kind(), a.Value)
	}
	fmt.Println(g.Medals().Names())
	// Output:
	// text {Language:en Before:false Text:best by test}
	// symbols {Move:1 Position:0 Prefix:0 More:[]}
	// [best-game]
}

func ExampleSymbols_Add() {
	var s model.Symbols
	for _, nag := range []model.NAG{1, 16, 2} { // $1 $16 $2
		s.Add(nag)
	}
	fmt.Println(s.Move, s.Position, s.More)
	// Output: 1 16 [2]
}

// Castling is the king's move onto its own rook, in Chess960 and elsewhere.
func ExampleMove_UCI() {
	m := model.NewCastling(model.E1, model.H1)
	fmt.Println(m.UCI(false), m.UCI(true), m.KingTarget(), m.RookTarget())
	fmt.Println(model.NewPromotion(model.A7, model.A8, model.Knight), model.NullMove)
	// Output:
	// e1g1 e1h1 g1 f1
	// a7a8n 0000
}

func ExampleParseSquare() {
	s, ok := model.ParseSquare("e4")
	fmt.Println(s, ok, s.File(), s.Rank(), s.FileMajor())
	// Output: e4 true 4 3 35
}

func ExampleParseDate() {
	d, ok := model.ParseDate("1997.05.??")
	fmt.Println(d.Year, d.Month, d.Day, ok, d)
	// Output: 1997 5 0 true 1997.05.??
}

func ExampleParseECO() {
	e, ok := model.ParseECO("C50/08")
	fmt.Println(e, ok, e.Index(), e.Sub())
	// Output: C50/08 true 250 8
}

func ExampleParseResult() {
	r, ok := model.ParseResult("1-0")
	fmt.Println(r, ok, r.Forfeit(), r.Forfeit().IsForfeit())
	// Output: 1-0 true 1-0 true
}

func ExampleParseNation() {
	n, ok := model.ParseNation("GER")
	fmt.Println(n, ok, model.Language(n), model.Nation(74))
	// Output: GER true de #74
}

func ExampleParseLanguage() {
	l, ok := model.ParseLanguage("fr")
	fmt.Println(l == model.French, ok, model.Language(200))
	// Output: true true #200
}

func ExampleStartPosition() {
	p := model.StartPosition()
	fmt.Printf("%c %v %v\n", p.Board[model.D8].Letter(), p.Turn, p.KingSquare(model.Black))
	// Output: q white e8
}

func ExampleAllRights() {
	p := model.StartPosition()
	fmt.Println(p.Rights == model.AllRights(), p.Rights[model.White][model.QueenSide])
	p.Rights = model.NoRights()
	fmt.Println(p.Rights.Any())
	// Output:
	// true a1
	// false
}

func ExampleTable_Intern() {
	var players model.Table[model.Player]
	a := players.Intern(model.Player{LastName: "Carlsen", FirstName: "Magnus"})
	b := players.Intern(model.Player{LastName: "Carlsen", FirstName: "Magnus"})
	fmt.Println(a, b, players.Len(), players.Value(a).LastName)
	// Output: 0 0 1 Carlsen
}

// A database in memory; any source can be read the same way.
func ExampleDatabase() {
	db := &model.Database{}
	g := &model.Game{Header: model.NewHeader()}
	g.White = db.Tables.Players.Intern(model.Player{LastName: "Anderssen", FirstName: "Adolf"})
	g.Black = db.Tables.Players.Intern(model.Player{LastName: "Kieseritzky", FirstName: "Lionel"})
	g.Date = model.Date{Year: 1851, Month: 6, Day: 21}
	g.Result = model.WhiteWins
	db.AddGame(g)

	for rec, err := range db.Records(context.Background(), 1, model.WantHeaders) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		players := &db.Entities().Players
		fmt.Println(rec.ID, players.Value(rec.Game.White).LastName, rec.Game.Result, rec.Game.Date)
	}
	_, err := db.Record(7)
	fmt.Println(err, errors.Is(err, model.ErrNoRecord))
	// Output:
	// 1 Anderssen 1-0 1851.06.21
	// record 7: no such record true
}

// printSink is a sink that prints what it gets.
type printSink struct{ entities *model.Entities }

func (s *printSink) Begin(src model.Source) error { s.entities = src.Entities(); return nil }
func (s *printSink) Put(r model.Record) error {
	_, err := fmt.Println(r.ID, s.entities.Players.Value(r.Game.White).LastName)
	return err
}
func (s *printSink) Commit() error { fmt.Println("done"); return nil }
func (s *printSink) Abort() error  { return nil }

// Converting a database is copying its records from a source to a sink.
func ExampleCopy() {
	db := &model.Database{}
	for _, name := range []string{"Morphy", "Tal"} {
		g := &model.Game{Header: model.NewHeader()}
		g.White = db.Tables.Players.Intern(model.Player{LastName: name})
		db.AddGame(g)
	}
	err := model.Copy(context.Background(), &printSink{}, db, model.CopyOptions{
		Keep: func(r model.Record) bool { return r.ID > 1 },
	})
	fmt.Println(err)
	// Output:
	// 2 Tal
	// done
	// <nil>
}

func ExampleEqual() {
	one := func() *model.Database {
		db := &model.Database{}
		g := &model.Game{Header: model.NewHeader()}
		g.White = db.Tables.Players.Intern(model.Player{LastName: "Tal"})
		db.AddGame(g)
		return db
	}
	a, b := one(), one()
	b.List[0].Game.Leftovers.Header = &model.Leftover{Format: "cbh", Data: []byte{1}}
	fmt.Println(model.Equal(a, b), model.Identical(a, b))
	// Output: true false
}

func ExampleLoad() {
	src := &model.Database{} // or any other source
	src.AddGame(&model.Game{Header: model.NewHeader()})
	db, err := model.Load(context.Background(), src)
	fmt.Println(db.Count(), err)
	// Output: 1 <nil>
}

func ExampleReport() {
	report := model.Report(func(l model.Loss) { fmt.Fprintln(os.Stdout, l.Kind, "-", l) })
	report.Add(model.LostTextEnd, 17, "Site", "cut to %d bytes", 29)
	// Output: cut - record 17: Site: cut to 29 bytes
}

func ExampleFormatError() {
	var err error = &model.FormatError{File: "games.cbg", Record: 17, Offset: 0x4c2, Field: "size", Err: model.ErrTruncated}
	fmt.Println(err)
	fmt.Println(errors.Is(err, model.ErrTruncated))
	// Output:
	// games.cbg: record 17 at 0x4c2 (size): truncated
	// true
}

func ExampleParsePlayer() {
	p := model.ParsePlayer("Carlsen, Magnus")
	fmt.Println(p.LastName, p.FirstName)
	fmt.Println(p)
	// Output:
	// Carlsen Magnus
	// Carlsen, Magnus
}
