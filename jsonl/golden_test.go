package jsonl

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

var update = flag.Bool("update", false, "write the golden files anew")

// handMade returns a small database that uses every key of the format.
func handMade() *model.Database {
	db := &model.Database{Extra: cbhLeftover(1)}
	db.AddGame(annotatedGame(&db.Tables))
	db.AddGame(chess960Game(&db.Tables))
	db.AddGame(undecodableGame(&db.Tables))
	db.AddText(guidingText(&db.Tables))
	db.List[1].Deleted = true
	db.AddGame(&model.Game{Header: model.NewHeader()})
	db.List[4].ID = 9
	return db
}

func cbhLeftover(data ...byte) *model.Leftover { return &model.Leftover{Format: "cbh", Data: data} }

func annotatedGame(e *model.Entities) *model.Game {
	h := model.NewHeader()
	h.White = e.Players.Append(model.Slot[model.Player]{
		Value: model.Player{LastName: "Anderssen", FirstName: "Adolf"}, Leftover: cbhLeftover(2)})
	h.Black = e.Players.Intern(model.Player{LastName: "Kieseritzky, L."})
	h.Tournament = e.Tournaments.Intern(model.Tournament{
		Title: "London", Place: "Simpson's Divan", Start: model.Date{Year: 1851, Month: 6}, End: model.Date{Year: 1851, Month: 7, Day: 15},
		Type: model.EventType{System: model.Knockout, Rapid: true}, Nation: 42, Category: 3, Rounds: 4,
		Complete: true, ThreePoints: true, BoardPoints: true, LegacyComplete: true,
		Latitude: 51.5, Longitude: -0.125, TieBreaks: [10]uint8{1, 0, 7},
	})
	h.Annotator = e.Annotators.Intern(model.Annotator{Name: "Łasker"})
	h.Source = e.Sources.Intern(model.Publication{Title: "La Régence", Publisher: "Café", Published: model.Date{Year: 1851}, Date: model.Date{Year: 1852}, Version: 2, Quality: model.QualityHigh})
	h.WhiteTeam = e.Teams.Intern(model.Team{Title: "Breslau", Number: 1, Season: true, Year: 1850, Nation: 53})
	h.BlackTeam = e.Teams.Intern(model.Team{Title: "Paris"})
	h.GameTitle = e.GameTitles.Intern(model.GameTitle{Titles: [8]string{"The Immortal Game", "Die unsterbliche Partie"}})
	h.Date, h.Round, h.Subround = model.Date{Year: 1851, Month: 6, Day: 21}, 10, 2
	h.WhiteElo, h.BlackElo, h.ECO, h.Result = 2600, 2550, model.NewECO(233, 7), model.WhiteWins
	h.Tags = []model.Tag{{Name: "Opening", Value: "King's Gambit \"Accepted\""}, {Name: "Board", Value: "1"}}
	b := new(model.TreeBuilder)
	addLine(b, model.NoNode, "e2e4 e7e5 f2f4 e5f4 g1f3")
	addLine(b, 2, "d7d5 e4d5 d8d5") // instead of the fourth move
	addLine(b, 5, "g1f3")           // instead of e4d5
	addLine(b, 2, "f8c5")
	addLine(b, 1, "b1c3")
	g := &model.Game{Header: h, Moves: b.Tree()}
	g.Annotate(model.NoNode, model.Text{Language: model.English, Text: "before the game"})
	g.Annotate(model.NoNode, model.Medals(1|1<<9))
	g.Annotate(2, model.Symbols{Move: 5, Position: 36})
	g.Annotate(2, model.Text{Text: "line\u2028break <b>\t\ue024"})
	g.Annotate(2, model.Text{Language: model.German, Before: true, Text: "davor"})
	g.Annotate(3, model.Arrows{{Color: model.Red, From: model.E5, To: model.F4}})
	g.Annotations[0].Leftover = cbhLeftover(3)
	g.Leftovers = model.GameLeftovers{Header: cbhLeftover(4), Derived: cbhLeftover(5), Moves: cbhLeftover(6), Annotations: cbhLeftover(7)}
	return g
}

// addLine adds moves in UCI notation after the given one.
func addLine(b *model.TreeBuilder, last int, line string) {
	for _, word := range strings.Fields(line) {
		from, _ := model.ParseSquare(word[:2])
		to, _ := model.ParseSquare(word[2:])
		last = b.Add(last, model.NewMove(from, to))
	}
}

func chess960Game(e *model.Entities) *model.Game {
	start, err := board.ParseModel960("bbqnrkrn/pppppppp/8/8/8/8/PPPPPPPP/BBQNRKRN w KQkq - 0 1")
	if err != nil {
		panic(err)
	}
	start.FullMove = 0 // which FEN cannot say
	g := &model.Game{Header: model.NewHeader(), Start: &start}
	g.White = e.Players.Intern(model.Player{LastName: "Anderssen", FirstName: "Adolf"})
	g.Result = model.DrawByForfeit
	g.Moves.Append(model.NewCastling(model.F1, model.G1))
	g.Moves.Append(model.NullMove)
	return g
}

func undecodableGame(e *model.Entities) *model.Game {
	g := &model.Game{Header: model.NewHeader()}
	g.Annotator = e.Annotators.Append(model.Slot[model.Annotator]{Leftover: cbhLeftover(8)})
	g.MovesErr = fmt.Errorf("mode 7 is not known: %w", model.ErrUnsupported)
	g.Annotations = []model.Annotation{{Node: 50, Value: model.Text{Text: "of a move that could not be read"}}}
	g.AnnotationsErr = fmt.Errorf("size 3: %w", model.ErrTruncated)
	g.LineEvaluation = 19
	g.Leftovers = model.GameLeftovers{Moves: cbhLeftover(0, 1, 2, 255), Annotations: cbhLeftover(9)}
	return g
}

func guidingText(e *model.Entities) *model.GuidingText {
	t := model.NewGuidingText()
	t.Tournament = e.Tournaments.Intern(model.Tournament{Title: "Hastings", Place: "Hastings"})
	t.Annotator = e.Annotators.Intern(model.Annotator{Name: "Pillsbury"})
	t.Source = e.Sources.Intern(model.Publication{Title: "BCM"})
	t.GameTitle = e.GameTitles.Intern(model.GameTitle{Titles: [8]string{"Report"}})
	t.Round, t.Subround, t.HTML = 1, 2, true
	t.Titles = []model.LocalText{{Language: model.English, Text: "Report", Leftover: cbhLeftover(10)}, {Language: 300, Text: "?"}}
	t.Contents = []model.LocalText{{Language: model.German, Text: "<p>Bericht</p>\r\n"}}
	t.Media = []string{"board.jpg"}
	t.Leftovers = model.TextLeftovers{Header: cbhLeftover(11), Content: cbhLeftover(12)}
	return t
}

// TestGolden keeps the text from changing by accident.
func TestGolden(t *testing.T) {
	path := filepath.Join("testdata", "handmade.jsonl")
	db := handMade()
	got := write(t, db)
	if *update {
		must.Do(t, os.WriteFile(path, got, 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	if !bytes.Equal(got, want) {
		t.Errorf("have\n%s\nwant\n%s", got, want)
	}
	if read := load(t, want); !model.Equal(read, db) {
		t.Error("the file reads as another database")
	}
}
