package model_test

import (
	"fmt"

	"cbkit/model"
)

// A guiding text has a title and a content in each of its languages.
func ExampleGuidingText() {
	db := &model.Database{}
	text := model.NewGuidingText()
	text.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "London", Place: "London"})
	text.SetContents(
		[]model.LocalText{{Language: model.English, Text: "Report"}},
		[]model.LocalText{{Language: model.English, Text: "It rained."}},
	)
	id := db.AddText(text)
	rec, err := db.Record(id)
	fmt.Println(rec.ID, rec.Text.Titles[0].Text, err)
	// Output: 1 Report <nil>
}

// A game by value can be printed and compared without tables.
func ExampleGame_Resolve() {
	var e model.Entities
	g := &model.Game{Header: model.NewHeader()}
	g.White = e.Players.Intern(model.Player{LastName: "Tal", FirstName: "Mikhail"})
	r := g.Resolve(&e)
	fmt.Println(r.White, r.Equal(g.Resolve(&e)), r.Equal(g.Resolve(&model.Entities{})))
	// Output: Tal, Mikhail true false
}

// Whoever changes a field directly drops the leftovers that depend on it; the
// methods do so by themselves.
func ExampleGame_Forget() {
	g := &model.Game{Header: model.NewHeader()}
	g.Leftovers.Moves = &model.Leftover{Format: "cbh", Data: []byte{1}}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Forget(model.MovesPart)
	fmt.Println(g.Leftovers.Moves == nil)
	// Output: true
}

// A record of a source is valid until the next step; a clone stays.
func ExampleRecord_Clone() {
	g := &model.Game{Header: model.NewHeader()}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	kept := model.Record{ID: 1, Game: g}.Clone()
	g.SetMoves(nil, model.Tree{})
	fmt.Println(g.Moves.Len(), kept.Game.Moves.Len())
	// Output: 0 1
}

// Small enumerations have words; numbers without one are kept.
func ExampleEventSystem_String() {
	fmt.Println(model.RoundRobin, model.EventSystem(9), model.QualityHigh, model.Red, model.CriticalEndgame, model.MateInPlies)
	system, ok := model.ParseEventSystem("knockout")
	fmt.Println(system == model.Knockout, ok)
	// Output:
	// round-robin #9 high red endgame mate
	// true true
}

func ExampleMedals_Names() {
	medals := model.Medals(1 | 1<<3)
	fmt.Println(medals.Names())
	novelty, ok := model.ParseMedal("novelty")
	fmt.Println(medals&novelty != 0, ok)
	// Output:
	// [best-game novelty]
	// true true
}

// The exact form holds dates that no calendar has.
func ExampleDate_AppendText() {
	text, _ := model.Date{Year: 1997, Month: 13}.AppendText(nil)
	var d model.Date
	err := d.UnmarshalText(text)
	fmt.Printf("%s %d %v\n", text, d.Month, err)
	// Output: #1997.13.0 13 <nil>
}

// Deleted slots stay, so that ids never change.
func ExampleTable_All() {
	var teams model.Table[model.Team]
	teams.Intern(model.Team{Title: "Riga"})
	teams.Intern(model.Team{Title: "Wien"})
	teams.Delete(0)
	for id, slot := range teams.All() {
		fmt.Println(id, slot.Value.Title, slot.Deleted)
	}
	// Output:
	// 0 Riga true
	// 1 Wien false
}

func ExampleLeftover_From() {
	l := &model.Leftover{Format: "cbh", Data: []byte{1, 2}}
	fmt.Println(l.From("cbh"), l.From("dcdb") == nil)
	// Output: [1 2] true
}

func ExampleEqualRecords() {
	var a, b model.Entities
	b.Players.Intern(model.Player{LastName: "somebody else"})
	g, h := &model.Game{Header: model.NewHeader()}, &model.Game{Header: model.NewHeader()}
	g.White = a.Players.Intern(model.Player{LastName: "Tal"})
	h.White = b.Players.Intern(model.Player{LastName: "Tal"})
	fmt.Println(g.White, h.White, model.EqualRecords(model.Record{ID: 1, Game: g}, &a, model.Record{ID: 7, Game: h}, &b))
	// Output: 0 1 true
}
