package check_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/write"
)

// The sample is a small database of everything that can be damaged. Its
// records are:
//
//	1  a game with a variation, texts, symbols, squares and arrows
//	2  a game from a set-up position, with a text in front of a move
//	3  a plain game
//	4  a game with the rarer annotations
//	5  a guiding text with media files
//	6  a deleted game
//	7  a game of Chess960
//	8  a game without moves
//	9  two games of equal length, without annotations,
//	10 between the same players
//	11 a game with a long list of symbols
//	12 a second guiding text
const (
	sampleRecords = 12
	plainGame     = 3
	richGame      = 4
	mediaText     = 5
	twinOne       = 9
	twinTwo       = 10
)

// sampleFiles are the bytes of the sample by ending; they are made once.
var sampleFiles = sync.OnceValues(func() (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "check")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := writeSample(filepath.Join(dir, "sample.cbh"), sampleDatabase()); err != nil {
		return nil, err
	}
	return readFiles(dir)
})

// writeSample writes a database with a clock that stands still.
func writeSample(path string, db model.Source) error {
	sink, err := write.Create(context.Background(), path, write.Options{AcceptLosses: true, Now: func() time.Time {
		return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	}})
	if err != nil {
		return err
	}
	return model.Copy(context.Background(), sink, db, model.CopyOptions{})
}

// readFiles reads the files of a database, alone in its folder.
func readFiles(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files[filepath.Ext(e.Name())] = b
	}
	return files, nil
}

// samplePlayers are in no order, so that their tree takes rotations.
var samplePlayers = []model.Player{
	{LastName: "Menchik", FirstName: "Vera"}, {LastName: "Anand"}, {LastName: "Tal", FirstName: "Mihail"},
	{LastName: "Polgar", FirstName: "Judit"}, {LastName: "Euwe", FirstName: "Max"}, {LastName: "Bronstein"},
	{LastName: "Zukertort"}, {LastName: "Keres", FirstName: "Paul"}, {LastName: "Reti"}, {LastName: "Gaprindashvili"},
}

// sampleDatabase returns the sample as data.
func sampleDatabase() *model.Database {
	db := &model.Database{}
	games := []*model.Game{
		1: variationGame(), 2: setUpGame(), 3: lineGame(nil, "e4 c5 Nf3 d6 d4 cxd4"), 4: annotatedGame(),
		6: lineGame(nil, "f4 e5 fxe5"), 7: chess960Game(), 8: lineGame(nil, ""),
		9: lineGame(nil, "d4 Nf6 c4"), 10: lineGame(nil, "c4 e6 Nc3"), 11: symbolGame(),
	}
	for id := 1; id <= sampleRecords; id++ {
		if id >= len(games) || games[id] == nil {
			db.AddText(sampleText(db, id))
			continue
		}
		h := &games[id].Header
		h.White, h.Black = samplePlayer(db, id-1), samplePlayer(db, id)
		if id == twinTwo {
			h.White, h.Black = samplePlayer(db, twinOne-1), samplePlayer(db, twinOne)
		}
		sampleHeader(db, h, id)
		db.AddGame(games[id])
		db.List[id-1].Deleted = id == 6
	}
	return db
}

// samplePlayer returns the id of a player.
func samplePlayer(db *model.Database, n int) model.EntityID {
	return db.Tables.Players.Intern(samplePlayers[n%len(samplePlayers)])
}

// sampleHeader fills the header of a game.
func sampleHeader(db *model.Database, h *model.Header, id int) {
	e := &db.Tables
	events := []model.Tournament{
		{Title: "Hastings", Place: "Hastings", Start: model.Date{Year: 1934, Month: 12}, Rounds: 9},
		{Title: "Candidates", Place: "Bled", Start: model.Date{Year: 1959}, End: model.Date{Year: 1959, Month: 10},
			Nation: 1, Category: 12, Latitude: 46.4, Longitude: 14.1, TieBreaks: [10]uint8{10, 11}},
		{Title: "Olympiad", Place: "Haifa", Start: model.Date{Year: 1976}, Type: model.EventType{System: model.TeamEvent, Team: true}},
	}
	h.Tournament = e.Tournaments.Intern(events[id%3])
	h.Annotator = e.Annotators.Intern(model.Annotator{Name: []string{"", "Nunn"}[id%2]})
	h.Source = e.Sources.Intern(model.Publication{Title: []string{"", "Informator 1", "TWIC"}[id%3], Published: model.Date{Year: 1966}})
	h.WhiteTeam = e.Teams.Intern(model.Team{Title: "Baden-Baden", Number: int32(id % 3), Year: 2012, Season: true})
	if id%2 == 0 {
		h.BlackTeam = e.Teams.Intern(model.Team{Title: "Solingen", Number: 1})
	}
	h.GameTitle = e.GameTitles.Intern(model.GameTitle{Titles: [8]string{[]string{"", "Immortal"}[id%2]}})
	h.Date = model.Date{Year: 1990, Month: 5, Day: uint8(id)}
	h.Result, h.Round = model.WhiteWins, uint16(id)
	h.WhiteElo, h.BlackElo = 2700, 2650
	h.ECO = model.NewECO(10*id, 0)
}

// sampleText returns a guiding text.
func sampleText(db *model.Database, id int) *model.GuidingText {
	t := model.NewGuidingText()
	t.Tournament = db.Tables.Tournaments.Intern(model.Tournament{Title: "Reports"})
	t.Annotator = db.Tables.Annotators.Intern(model.Annotator{Name: "Nunn"})
	t.Source = db.Tables.Sources.Intern(model.Publication{Title: "TWIC"})
	t.HTML = id == mediaText
	t.Titles = []model.LocalText{{Language: model.English, Text: "Report"}}
	t.Contents = []model.LocalText{{Language: model.English, Text: "All about it."}, {Language: model.German, Text: "Alles darüber."}}
	if id == mediaText {
		t.Media = []string{"hall.jpg", "crosstable.png"}
	}
	return t
}

// newGame returns a game from a position, nil for the standard one.
func newGame(start *model.Position) *model.Game {
	return &model.Game{Header: model.NewHeader(), Start: start}
}

// lineGame returns a game of one line.
func lineGame(start *model.Position, sans string) *model.Game {
	g := newGame(start)
	b := new(model.TreeBuilder)
	addLine(b, start, model.NoNode, sans)
	b.Build(&g.Moves)
	return g
}

// addLine adds moves after a node of the builder.
func addLine(b *model.TreeBuilder, start *model.Position, parent int, sans string) {
	var tree model.Tree
	node := parent
	if order := b.Build(&tree); order != nil && parent != model.NoNode {
		node = int(order[parent])
	}
	pos, err := board.After(start, &tree, node)
	if err != nil {
		panic(err)
	}
	for san := range strings.FieldsSeq(sans) {
		m, err := pos.ParseSAN(san)
		if err != nil {
			panic(san + ": " + err.Error())
		}
		parent = b.Add(parent, m)
		pos.Make(m)
	}
}

// variationGame has variations and the frequent annotations.
func variationGame() *model.Game {
	g := newGame(nil)
	b := new(model.TreeBuilder)
	addLine(b, nil, model.NoNode, "e4 e5 Nf3 Nc6 Bb5 a6")
	addLine(b, nil, 0, "c5 Nf3 d6")
	b.Build(&g.Moves)
	g.SetAnnotations([]model.Annotation{
		{Node: model.NoNode, Value: model.Text{Text: "The oldest of all openings."}},
		{Node: 0, Value: model.Symbols{Move: 1}},
		{Node: 2, Value: model.Text{Language: model.English, Text: "develops"}},
		{Node: 2, Value: model.Text{Language: model.German, Text: "entwickelt, natürlich"}},
		{Node: 3, Value: model.Squares{{Color: 4, Square: model.E5}}},
		{Node: 4, Value: model.Arrows{{Color: 2, From: model.B5, To: model.C6}}},
		{Node: 5, Value: model.Symbols{Position: 14}},
	})
	return g
}

// setUpGame starts from a position of its own.
func setUpGame() *model.Game {
	start, err := board.ParseModel("4k3/P7/8/8/8/8/7p/4K3 w - - 0 40")
	if err != nil {
		panic(err)
	}
	g := lineGame(&start, "a8=Q+ Kd7 Qh1")
	g.SetAnnotations([]model.Annotation{{Node: 2, Value: model.Text{Before: true, Text: "The pawn must be stopped:"}}})
	return g
}

// annotatedGame has the rarer annotations.
func annotatedGame() *model.Game {
	g := lineGame(nil, "d4 d5 c4 e6 Nc3 Nf6 cxd5 exd5")
	g.SetAnnotations([]model.Annotation{
		{Node: model.NoNode, Value: model.Medals(1<<0 | 1<<6)},
		{Node: 1, Value: model.TimeSpent{Minutes: 3}},
		{Node: 2, Value: model.Critical(1)},
		{Node: 3, Value: model.PawnStructure(3)},
		{Node: 4, Value: model.PiecePath{Mode: 3, Square: model.F6}},
		{Node: 5, Value: model.Training{Seconds: 60, Points: 10, Question: []model.TrainingText{{Language: model.English, Text: "And now?"}},
			Solutions: []model.Solution{{From: model.G8, To: model.F6, Points: 10}}}},
		{Node: 6, Value: model.Quotation{White: "Tal,M", Black: "Euwe,M", Event: "Zurich", Date: model.Date{Year: 1959}}},
		{Node: 7, Value: model.Engine{Value: 31, Depth: 20}},
	})
	return g
}

// chess960Game starts from position 0 of Chess960.
func chess960Game() *model.Game {
	start := board.Chess960Start(0)
	return lineGame(&start, "e4 e5")
}

// symbolGame has as many symbols as the magnitude counts.
func symbolGame() *model.Game {
	g := lineGame(nil, "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4")
	var list []model.Annotation
	for node := range int32(g.Moves.Len()) {
		list = append(list, model.Annotation{Node: node, Value: model.Symbols{Move: 5}})
	}
	g.SetAnnotations(list)
	return g
}

// sample returns a copy of the sample that can be damaged.
func sample(t testing.TB) *damaged {
	t.Helper()
	files := must.Get(sampleFiles())(t)
	d := &damaged{t: t, files: map[string][]byte{}}
	for ext, b := range files {
		d.files[ext] = append([]byte(nil), b...)
	}
	return d
}
