package model_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cbkit/model"
)

// specimen returns a database in which every field is set. Entities come in
// pairs, so that the next id is another entity.
func specimen() *model.Database {
	l := func(b byte) *model.Leftover { return &model.Leftover{Format: "cbh", Data: []byte{b}} }
	db := &model.Database{Extra: l(1)}
	e := &db.Tables
	for i := range 9 {
		s := string(rune('a' + i))
		d := model.Date{Year: 1900 + uint16(i), Month: 2, Day: 3}
		e.Players.Append(model.Slot[model.Player]{Value: model.Player{LastName: s, FirstName: "x"}, Leftover: l(2)})
		e.Tournaments.Append(model.Slot[model.Tournament]{Value: model.Tournament{Title: s, Start: d, End: d, TieBreaks: [10]uint8{1}}, Leftover: l(3)})
		e.Annotators.Append(model.Slot[model.Annotator]{Value: model.Annotator{Name: s}, Leftover: l(4)})
		e.Sources.Append(model.Slot[model.Publication]{Value: model.Publication{Title: s, Published: d}, Leftover: l(5)})
		e.Teams.Append(model.Slot[model.Team]{Value: model.Team{Title: s, Number: 7}, Leftover: l(6)})
		e.GameTitles.Append(model.Slot[model.GameTitle]{Value: model.GameTitle{Titles: [8]string{s}}, Leftover: l(7)})
	}
	start := model.StartPosition()
	start.FullMove = 9
	g := &model.Game{
		Header: model.Header{White: 0, Black: 1, Tournament: 2, Annotator: 3, Source: 4, WhiteTeam: 5, BlackTeam: 6, GameTitle: 7,
			Date: model.Date{Year: 2000, Month: 1, Day: 2}, Result: model.Draw, LineEvaluation: 10, Round: 3, Subround: 4,
			WhiteElo: 2000, BlackElo: 2100, ECO: model.NewECO(5, 0), Tags: []model.Tag{{Name: "Board", Value: "1"}}},
		Start: &start,
	}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	g.Leftovers = model.GameLeftovers{Header: l(8), Derived: l(9), Moves: l(10), Annotations: l(11)}
	for i, v := range filledValues() {
		g.Annotations = append(g.Annotations, model.Annotation{Node: int32(i/4) - 1, Value: v, Leftover: l(12)})
	}
	db.AddGame(g)
	db.AddText(&model.GuidingText{
		Tournament: 0, Annotator: 1, Source: 2, GameTitle: 3, Round: 1, Subround: 2, HTML: true,
		Titles:   []model.LocalText{{Language: model.English, Text: "t", Leftover: l(13)}},
		Contents: []model.LocalText{{Language: model.German, Text: "c", Leftover: l(14)}},
		Media:    []string{"m"}, Leftovers: model.TextLeftovers{Header: l(15), Content: l(16)},
	})
	return db
}

// filledValues returns new values of every kind in which every field is set.
func filledValues() []model.Value {
	start := model.StartPosition()
	start.FullMove = 9
	texts := func() []model.TrainingText { return []model.TrainingText{{Language: model.German, Text: "Wie?"}} }
	return []model.Value{
		model.Text{Language: model.English, Before: true, Text: "a"},
		model.Symbols{Move: 1, Position: 16, Prefix: 142, More: []model.NAG{7}},
		model.Squares{{Color: model.Green, Square: model.E4}},
		model.Arrows{{Color: model.Red, From: model.A1, To: model.H8}},
		model.TimeSpent{Hours: 1, Minutes: 2, Seconds: 3, Extra: 30},
		model.Training{Seconds: 360, Points: 10, Question: texts(), WrongReply: texts(), FirstHint: texts(), SecondHint: texts(),
			Solutions: []model.Solution{{From: model.C1, To: model.B2, Promotion: 1, Points: 10, Reply: texts()}}},
		model.Quotation{White: "Mårdell,Jimmy", Black: "Carlsen,Magnus", WhiteElo: 2100, BlackElo: 2800,
			ECO: model.NewECO(255, 0), Event: "Test", Site: "Here", Date: model.Date{Year: 2001, Month: 12, Day: 5},
			EventType: model.EventType{System: model.Swiss, Blitz: true, Rapid: true, Correspondence: true, Team: true},
			Nation:    53, Category: 3, Rounds: 9, Round: 2, Subround: 1, Result: model.BlackWins, WithMoves: true, Spare: 10,
			Start: &start, Moves: []model.Move{model.NewMove(model.E2, model.E4)}},
		model.PawnStructure(3),
		model.PiecePath{Mode: 3, Square: model.H8},
		model.Clock{Player: model.Black, Centiseconds: 7},
		model.CriticalEndgame,
		model.WebLink{URL: "http://a/", Caption: "d"},
		model.Engine{Value: -3, Type: 3, Depth: 20},
		model.Medals(3),
		model.VariationColor{Flags: 1, Red: 255, Green: 128, Blue: 64},
		model.TimeControl{{Start: 720000, Increment: 3000, Moves: 40, Kind: 1}},
		model.VideoTime(53914),
		model.Evaluations{{Kind: model.MateInPlies, Value: 20, Depth: 12}},
		model.Opaque{Format: "cbh", Type: 8, Data: []byte{1}},
	}
}

// eachChange makes every single change below v, one at a time, calls check
// with its path, and takes it back.
func eachChange(v reflect.Value, path string, check func(path string)) {
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	try := func(what string) {
		check(path + what)
		v.Set(old)
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Type.Name() != "error" {
				eachChange(v.Field(i), path+"."+f.Name, check)
			}
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		eachChange(v.Elem(), path, check)
		v.SetZero()
		try(" absent")
	case reflect.Interface: // the value of an annotation
		inner := reflect.New(v.Elem().Type()).Elem()
		inner.Set(v.Elem())
		eachChange(inner, path+" "+v.Elem().Type().Name(), func(changed string) {
			v.Set(inner)
			try(strings.TrimPrefix(changed, path))
		})
		v.Set(reflect.ValueOf(model.VideoTime(424242)))
		try(" of another kind")
	case reflect.Array:
		for i := range v.Len() {
			eachChange(v.Index(i), fmt.Sprintf("%s[%d]", path, i), check)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachChange(v.Index(i), fmt.Sprintf("%s[%d]", path, i), check)
		}
		if v.Len() > 0 {
			v.Set(v.Slice(0, v.Len()-1))
			try(" without its last element")
		}
		v.Set(reflect.Append(v.Slice3(0, v.Len(), v.Len()), reflect.Zero(v.Type().Elem())))
		try(" with one more element")
	default:
		changeWord(v)
		try("")
	}
}

// changeWord changes a value that has no parts.
func changeWord(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "x")
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanUint():
		v.SetUint(v.Uint() + 1)
	case v.CanFloat():
		v.SetFloat(v.Float() + 1)
	default:
		panic("no change for " + v.Type().String())
	}
}

// TestEveryChangeIsNoticed changes one thing after the other in a record.
func TestEveryChangeIsNoticed(t *testing.T) {
	db, other := specimen(), specimen()
	if !model.Equal(db, other) || !model.Identical(db, other) {
		t.Fatal("two equal databases are not")
	}
	changes := 0
	check := func(path string) {
		changes++
		// Adding an annotation without a value is no change that can be.
		if strings.HasSuffix(path, ".Annotations with one more element") {
			return
		}
		// What was said of a file is not what is in it; signs follow from the moves.
		if strings.Contains(path, ".Damage") || strings.Contains(path, ".Unread") || strings.Contains(path, ".Signs") {
			return
		}
		aside := strings.Contains(path, "Leftover") || strings.HasSuffix(path, ".ID") || strings.HasPrefix(path, "Extra")
		if model.Equal(db, other) != aside || model.Equal(other, db) != aside {
			t.Errorf("%s: Equal says %v", path, !aside)
		}
		if model.Identical(db, other) || model.Identical(other, db) {
			t.Errorf("%s: Identical does not notice", path)
		}
	}
	eachChange(reflect.ValueOf(&other.Extra).Elem(), "Extra", check)
	for i := range other.List {
		eachChange(reflect.ValueOf(&other.List[i]).Elem(), fmt.Sprintf("record %d", i+1), check)
	}
	if changes < 200 {
		t.Errorf("only %d changes were made", changes)
	}
	if !model.Identical(db, other) {
		t.Error("a change was not taken back")
	}
}

func TestEveryEntityChangeIsNoticed(t *testing.T) {
	db, other := specimen(), specimen()
	e := &other.Tables
	checkTable(t, db, other, &e.Players, 0)
	checkTable(t, db, other, &e.Players, 1)
	checkTable(t, db, other, &e.Tournaments, 2)
	checkTable(t, db, other, &e.Annotators, 3)
	checkTable(t, db, other, &e.Sources, 4)
	checkTable(t, db, other, &e.Teams, 5)
	checkTable(t, db, other, &e.Teams, 6)
	checkTable(t, db, other, &e.GameTitles, 7)
}

// checkTable changes the entity id, which is in use, and the last one, which
// is not.
func checkTable[T comparable](t *testing.T, db, other *model.Database, table *model.Table[T], id model.EntityID) {
	t.Helper()
	untouched := table.Clone()
	verdict := func(what string, equal bool) {
		t.Helper()
		if model.Equal(db, other) != equal {
			t.Errorf("%T: %s: Equal says %v", *table, what, !equal)
		}
		if model.Identical(db, other) {
			t.Errorf("%T: %s: Identical does not notice", *table, what)
		}
		*table = untouched.Clone()
	}
	value := table.Value(id)
	eachChange(reflect.ValueOf(&value).Elem(), "", func(path string) {
		table.Set(id, value)
		verdict(path, false)
	})
	table.Delete(id)
	verdict("deleted", true) // it keeps its value
	last := model.EntityID(table.Len() - 1)
	table.Set(last, table.Value(last)) // drops the leftover
	verdict("leftover", true)
	table.Delete(last)
	verdict("an unused one deleted", true)
	table.Append(model.Slot[T]{Deleted: true})
	verdict("one more slot", true)
}

func TestMovesAreCompared(t *testing.T) {
	for name, change := range map[string]func(*model.Game){
		"a move": func(g *model.Game) { g.Moves = model.Tree{}; g.Moves.Append(model.NewMove(model.D2, model.D4)) },
		"one more": func(g *model.Game) {
			g.Moves = g.Moves.Clone()
			g.Moves.Append(model.NullMove)
		},
		"none": func(g *model.Game) { g.Moves = model.Tree{} },
	} {
		db, other := specimen(), specimen()
		change(other.List[0].Game)
		if model.Equal(db, other) || model.Identical(db, other) {
			t.Errorf("%s: not noticed", name)
		}
	}
	db, other := specimen(), specimen()
	for _, d := range []*model.Database{db, other} {
		b := new(model.TreeBuilder)
		first := b.Add(model.NoNode, 1)
		b.Add(first, 2)
		if d == db {
			b.Add(first, 3)
		} else {
			b.Add(model.NoNode, 3)
		}
		d.List[0].Game.Moves = b.Tree()
	}
	if model.Equal(db, other) {
		t.Error("the shape of the tree is not compared")
	}
}

func TestUndecodableIsCompared(t *testing.T) {
	undecodable := func() *model.Database {
		db := specimen()
		g, text := db.List[0].Game, db.List[1].Text
		g.Start, g.Moves, g.Annotations = nil, model.Tree{}, nil
		g.MovesErr, g.AnnotationsErr, text.ContentErr = model.ErrCorrupt, model.ErrCorrupt, model.ErrCorrupt
		text.Titles, text.Contents = nil, nil
		return db
	}
	db := undecodable()
	for name, change := range map[string]func(*model.Game, *model.GuidingText){
		"moves":             func(g *model.Game, _ *model.GuidingText) { g.Leftovers.Moves.Data[0]++ },
		"annotations":       func(g *model.Game, _ *model.GuidingText) { g.Leftovers.Annotations.Data[0]++ },
		"content":           func(_ *model.Game, x *model.GuidingText) { x.Leftovers.Content.Data[0]++ },
		"decodable":         func(g *model.Game, _ *model.GuidingText) { g.MovesErr = nil },
		"decodable notes":   func(g *model.Game, _ *model.GuidingText) { g.AnnotationsErr = nil },
		"decodable content": func(_ *model.Game, x *model.GuidingText) { x.ContentErr = nil },
		"without its bytes": func(g *model.Game, _ *model.GuidingText) { g.Leftovers.Moves = nil },
	} {
		other := undecodable()
		change(other.List[0].Game, other.List[1].Text)
		if model.Equal(db, other) || model.Identical(db, other) {
			t.Errorf("%s: not noticed", name)
		}
	}
	if !model.Equal(db, undecodable()) || !model.Identical(db, undecodable()) {
		t.Error("two equal databases are not")
	}
}

// TestEqualForgives lists what Equal takes for the same.
func TestEqualForgives(t *testing.T) {
	db, other := specimen(), specimen()
	standard := model.StartPosition()
	db.List[0].Game.Start, other.List[0].Game.Start = nil, &standard
	if !model.Equal(db, other) {
		t.Error("the standard start, by name and by value, differs")
	}
	tags := []model.Tag{{Name: "b", Value: "1"}, {Name: "a", Value: "2"}}
	db.List[0].Game.Tags, other.List[0].Game.Tags = tags, []model.Tag{tags[1], tags[0]}
	if !model.Equal(db, other) || tags[0].Name != "b" {
		t.Error("the order of tags matters, or was changed")
	}
	other.Tables.Players = model.Table[model.Player]{} // the same players in another order
	black := other.Tables.Players.Intern(model.Player{LastName: "b", FirstName: "x"})
	white := other.Tables.Players.Intern(model.Player{LastName: "a", FirstName: "x"})
	other.List[0].Game.White, other.List[0].Game.Black = white, black
	if !model.Equal(db, other) || model.Identical(db, other) {
		t.Error("ids of entities: Equal sees them or Identical does not")
	}
	db.List[0].Game.Annotator = model.NoEntity
	other.List[0].Game.Annotator = other.Tables.Annotators.Intern(model.Annotator{})
	if !model.Equal(db, other) {
		t.Error("no annotator and the nameless one differ")
	}
}

func TestEqualRecordsKinds(t *testing.T) {
	var e model.Entities
	game, text, nothing := model.Record{Game: &model.Game{}}, model.Record{Text: &model.GuidingText{}}, model.Record{}
	all := []model.Record{game, text, nothing}
	for i, a := range all {
		for j, b := range all {
			if got := model.EqualRecords(a, &e, b, &e); got != (i == j) {
				t.Errorf("kinds %d and %d: %v", i, j, got)
			}
		}
	}
	db := &model.Database{List: []model.Record{{ID: 1}}}
	if !model.Identical(db, db) {
		t.Error("an empty record is not identical to itself")
	}
}
