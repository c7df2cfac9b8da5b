package model_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"strings"

	"cbkit/model"
	"cbkit/pgn"
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

// A caller that changes a field directly drops the leftovers that depend on it; the
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
// One line for people, and each name for programs.
func ExampleRecord_Header() {
	var e model.Entities
	g := model.NewGame()
	g.White, g.Black = e.Players.Intern(model.ParsePlayer("Tal, Mikhail")), e.Players.Intern(model.ParsePlayer("Smyslov, Vasily"))
	g.Tournament = e.Tournaments.Intern(model.Tournament{Title: "Candidates", Place: "Bled"})
	g.Date, g.Result, g.Round = model.Date{Year: 1959, Month: 9}, model.WhiteWins, 8
	h := model.Record{ID: 1, Game: g}.Header(&e)
	fmt.Println(h)
	fmt.Println(h.White.LastName, h.Tournament.Place, h.Date.Year)
	// Output:
	// Tal, Mikhail - Smyslov, Vasily 1-0, Candidates (8), Bled 1959.09
	// Tal Bled 1959
}

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

func ExampleSameMainLine() {
	moves := func(list ...model.Move) *model.Game {
		b := new(model.TreeBuilder)
		at := model.NoNode
		for _, m := range list {
			at = b.Add(at, m)
		}
		return &model.Game{Header: model.NewHeader(), Moves: b.Tree()}
	}
	e4, d4 := model.NewMove(model.E2, model.E4), model.NewMove(model.D2, model.D4)
	fmt.Println(model.SameMainLine(moves(e4), moves(e4)))
	fmt.Println(model.SameMainLine(moves(e4), moves(d4)))
	// Output:
	// <nil>
	// from ply 1 on its main line is another one than that of the game whose annotations it is to get
}

// Texts of different databases are compared by value.
func ExampleGuidingText_Resolve() {
	report := func(e *model.Entities) model.ResolvedText {
		text := model.NewGuidingText()
		text.Tournament = e.Tournaments.Intern(model.Tournament{Title: "London"})
		text.SetContents([]model.LocalText{{Language: model.English, Text: "Report"}}, nil)
		return text.Resolve(e)
	}
	var one, other model.Entities
	other.Tournaments.Intern(model.Tournament{Title: "Paris"})
	a, b := report(&one), report(&other)
	fmt.Println(a.Tournament.Title, a.Equal(b))
	// Output: London true
}

// A game of a damaged database may refer to players that are not there.
func ExampleCheckReferences() {
	var tables model.Entities
	g := model.NewGame()
	g.White = tables.Players.Intern(model.ParsePlayer("Morphy, Paul"))
	g.Black = 65535
	rec := model.Record{ID: 17, Game: g}
	fmt.Println(model.CheckReferences(&rec, &tables))
	for _, r := range rec.AppendReferences(nil, &tables) {
		if !r.Valid() {
			fmt.Println(r.Field, r.Kind, r.ID, "of", r.Len)
		}
	}
	// Output:
	// black: there is no player 65535: corrupt
	// black player 65535 of 1
}

// A program that looked at the losses may go on.
func ExampleLossError() {
	var lost model.LossError // as a sink without a Report collects it
	report := model.Report(lost.Add)
	report.Add(model.LostTextEnd, 17, "Site", "cut to %d bytes", 29)
	report.Add(model.LostTextEnd, 18, "Site", "cut to %d bytes", 29)
	var err error = &lost
	var losses *model.LossError
	if errors.As(err, &losses) {
		fmt.Println(losses.Count, "losses, first of record", losses.Losses[0].Record)
	}
	fmt.Println(err)
	// Output:
	// 2 losses, first of record 17
	// lost: record 17: Site: cut to 29 bytes (+1 more); give a Report to be told, or accept losses
}

// A sink that refuses a record says which.
func ExampleRecordError() {
	var err error = fmt.Errorf("games.cbh: %w", &model.RecordError{Record: 17, Err: model.ErrTooLarge})
	var refused *model.RecordError
	if errors.As(err, &refused) {
		fmt.Println(refused.Record, errors.Is(err, model.ErrTooLarge))
	}
	// Output: 17 true
}

// How many bytes have been read, and of how many, which a pipe does not say; a
// database in memory says nothing.
func ExampleProgressOf() {
	text := "[White \"Tal\"]\n\n1. e4 *\n"
	games := pgn.NewReader(strings.NewReader(text), pgn.ReaderOptions{})
	db, err := model.Load(context.Background(), games)
	done, total := model.ProgressOf(games)
	fmt.Println(done, total, err)
	fmt.Println(model.ProgressOf(db))
	// Output:
	// 23 -1 <nil>
	// 0 -1
}

// names is where players are found: here a list of names.
type names []string

func (n names) Len() int                             { return len(n) }
func (n names) Value(id model.EntityID) model.Player { return model.ParsePlayer(n[id]) }
func (n names) IsDeleted(model.EntityID) bool        { return false }
func (n names) Err() error                           { return nil }
func (n names) Slot(id model.EntityID) model.Slot[model.Player] {
	return model.Slot[model.Player]{Value: n.Value(id)}
}
func (n names) Slots(yield func(model.EntityID, model.Slot[model.Player]) bool) {
	for id := range model.EntityID(len(n)) {
		if !yield(id, n.Slot(id)) {
			return
		}
	}
}
func (n names) Live(yield func(model.EntityID, model.Player) bool) {
	for id := range model.EntityID(len(n)) {
		if !yield(id, n.Value(id)) {
			return
		}
	}
}

// The players of a source need not be in memory.
func ExampleStoredTable() {
	var e model.Entities
	e.Players = model.StoredTable(names{"Tal, Mikhail", "Smyslov, Vasily"})
	for id, p := range e.Players.Live() {
		fmt.Println(id, p.LastName)
	}
	fmt.Println(e.Players.Len(), e.Players.Value(1).LastName, e.Players.Err())
	// Output:
	// 0 Tal
	// 1 Smyslov
	// 2 Smyslov <nil>
}

// Games that cannot be read are counted and passed over.
func ExampleReadable() {
	src := pgn.NewReader(strings.NewReader("[White \"A\"]\n\n1. e4 e9 *\n\n[White \"B\"]\n\n1. e4 *\n"), pgn.ReaderOptions{})
	games, skipped := 0, 0
	onError := func(model.RecordID, error) error { skipped++; return nil }
	for _, err := range model.Readable(context.Background(), src, model.WantMoves, onError) {
		if err != nil {
			fmt.Println(err)
			return
		}
		games++
	}
	fmt.Println(games, "read,", skipped, "skipped")
	// Output: 1 read, 1 skipped
}

// Records of a source are valid for one step. Kept and Games yield copies, of all
// records and of the games that are not deleted.
func ExampleGames() {
	src := &model.Database{}
	for _, name := range []string{"Anderssen", "Kieseritzky", "Dufresne"} {
		g := model.NewGame()
		g.White = src.Tables.Players.Intern(model.Player{LastName: name})
		src.AddGame(g)
	}
	src.AddText(model.NewGuidingText())
	src.List[1].Deleted = true
	var games []model.Record
	for rec, err := range model.Games(context.Background(), src, model.WantMoves) {
		if err != nil {
			log.Fatal(err)
		}
		games = append(games, rec)
	}
	for _, rec := range games {
		fmt.Println(rec.ID, src.Entities().Players.Value(rec.Game.White))
	}
	all := 0
	for _, err := range model.Kept(context.Background(), src, model.WantHeaders) {
		if err != nil {
			log.Fatal(err)
		}
		all++
	}
	fmt.Println(all, "records")
	// Output:
	// 1 Anderssen
	// 3 Dufresne
	// 4 records
}

func ExampleUntidyError() {
	// What a Commit returned: the games are there.
	err := fmt.Errorf("Games.cbh: %w", &model.UntidyError{Path: "Games.cbh.cbkit-lock", Err: fs.ErrPermission})
	untidy, is := errors.AsType[*model.UntidyError](err)
	fmt.Println(model.IsDone(err), is, untidy.Path)
	fmt.Println(errors.Unwrap(err))

	// Something failed besides.
	fmt.Println(model.IsDone(errors.Join(err, io.ErrUnexpectedEOF)))
	// Output:
	// true true Games.cbh.cbkit-lock
	// Games.cbh.cbkit-lock: done, but this could not be removed: permission denied; cbkit recover removes it
	// false
}

// Records of one source take their entities along into the tables of another.
func ExampleNewEntityMap() {
	var from, to model.Entities
	to.Players.Intern(model.ParsePlayer("Tal, Mikhail"))
	g := model.NewGame()
	g.White, g.Black = from.Players.Intern(model.ParsePlayer("Botvinnik, Mikhail")), from.Players.Intern(model.ParsePlayer("Tal, Mikhail"))
	rec := model.NewEntityMap(&from, &to).Record(model.Record{ID: 1, Game: g})
	fmt.Println(rec.Game.White, rec.Game.Black, rec.Game.Tournament == model.NoEntity, to.Players.Value(1))
	// Output: 1 0 true Botvinnik, Mikhail
}
