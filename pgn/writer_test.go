package pgn

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

var update = flag.Bool("update", false, "write the golden files")

// exampleGame returns a game with something of everything.
func exampleGame(e *model.Entities) *model.Game {
	b := new(model.TreeBuilder)
	add := func(parent int, from, to model.Square) int { return b.Add(parent, model.NewMove(from, to)) }
	main := add(model.NoNode, model.E2, model.E4)
	e5 := add(main, model.E7, model.E5)
	c5 := add(main, model.C7, model.C5)
	nf3 := add(e5, model.G1, model.F3)
	null := b.Add(c5, model.NullMove)
	add(null, model.D7, model.D6)
	add(nf3, model.B8, model.C6)
	g := &model.Game{Header: model.NewHeader(), Moves: b.Tree()}

	g.White = e.Players.Intern(model.Player{LastName: "Muster", FirstName: "Max"})
	g.Black = e.Players.Intern(model.Player{LastName: "Deep \"Blue\" \\"})
	g.Tournament = e.Tournaments.Intern(model.Tournament{
		Title: "Open", Place: "Køge", Start: model.Date{Year: 1999, Month: 12}, Rounds: 9, Nation: 37,
		Type: model.EventType{System: model.Swiss, Team: true, Rapid: true},
	})
	g.Annotator = e.Annotators.Intern(model.Annotator{Name: "Kommentator"})
	g.Source = e.Sources.Intern(model.Publication{Title: "Mega", Publisher: "CB", Quality: model.QualityHigh})
	g.WhiteTeam = e.Teams.Intern(model.Team{Title: "Lyon", Nation: 49})
	g.Date, g.Result = model.Date{Year: 2000, Month: 1, Day: 2}, model.DrawByForfeit
	g.Round, g.Subround, g.WhiteElo, g.ECO = 3, 2, 2500, model.NewECO(240, 3)
	g.Tags = []model.Tag{{Name: "Opening", Value: "King's pawn"}, {Name: "Board", Value: "1"}}

	// The nodes are 0 e4, 1 e5, 2 Nf3, 3 Nc6, 4 c5, 5 --, 6 d6.
	for _, a := range []struct {
		node  int
		value model.Value
	}{
		{-1, text("A game with something of everything, and with a comment that is so long that it does not fit on a line.")},
		{-1, model.Medals(1)},
		{0, model.Symbols{Move: 1}},
		{0, model.Squares{{Color: model.Green, Square: model.E4}}},
		{0, model.Arrows{{Color: model.Red, From: model.E4, To: model.E5}}},
		{0, text("best by test \uE005")},
		{1, before("in the middle of a line")},
		{1, model.Text{Language: model.German, Text: "gut"}},
		{1, model.Text{Language: model.English, Text: " with {braces}\r\nand lines "}},
		{2, text("first the text")},
		{2, model.Symbols{Prefix: 142, Position: 14}},
		{2, model.Symbols{Position: 8}},
		{3, model.Critical(2)},
		{3, model.Opaque{Format: "cbh", Type: 8, Data: []byte{1, 2, 3, 4}}},
		{3, model.TimeSpent{Minutes: 3, Seconds: 5, Extra: 30}},
		{4, before("at the start of a variation")},
		{4, model.Engine{Value: 35, Depth: 20}},
		{6, model.TimeSpent{Seconds: 5}},
	} {
		g.Annotate(a.node, a.value)
	}
	return g
}

func TestGolden(t *testing.T) {
	db := &model.Database{}
	db.AddGame(exampleGame(&db.Tables))
	db.AddGame(&model.Game{Header: model.NewHeader()})
	start := model.StartPosition()
	start.Chess960 = true
	db.AddGame(&model.Game{Header: model.NewHeader(), Start: &start})
	got, losses := writeAll(t, db, WriterOptions{})
	if len(losses) != 0 {
		t.Errorf("losses: %v", losses)
	}
	if !model.Equal(readAll(t, got), db) {
		t.Error("reads back otherwise")
	}
	for line := range bytes.Lines(got) {
		if len(line) > 81 && !isOneWord(line) {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	golden := filepath.Join("testdata", "everything.pgn")
	if *update {
		must.Do(t, os.WriteFile(golden, got, 0o666))
	}
	want := must.Get(os.ReadFile(golden))(t)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s", diff)
	}
}

func TestLosses(t *testing.T) {
	db := &model.Database{}
	e := &db.Tables
	guide := model.NewGuidingText()
	guide.Titles = []model.LocalText{{Text: "Report"}}
	db.AddText(guide)
	game := func(change func(*model.Game)) {
		g := &model.Game{Header: model.NewHeader()}
		change(g)
		db.AddGame(g)
	}
	game(func(*model.Game) {})
	db.List[1].Deleted = true
	game(func(g *model.Game) {
		g.MovesErr, g.AnnotationsErr = model.ErrCorrupt, model.ErrTruncated
		g.Annotations = []model.Annotation{{Node: 7, Value: text("of a move that cannot be read")}}
	})
	game(func(g *model.Game) {
		g.White = e.Players.Intern(model.Player{LastName: "A, B"})
		g.Black = e.Players.Intern(model.Player{LastName: " C"})
		g.Tournament = e.Tournaments.Intern(model.Tournament{Title: "?", Place: "http://x", Complete: true})
		g.Date = model.Date{Year: 1990, Month: 13}
	})
	game(func(g *model.Game) {
		g.LineEvaluation, g.ECO, g.Result = 14, 65535, 99
		g.GameTitle = e.GameTitles.Intern(model.GameTitle{Titles: [8]string{"x"}})
		g.WhiteTeam = e.Teams.Intern(model.Team{Title: "T", Year: 1990})
		g.BlackTeam = g.WhiteTeam
	})
	game(func(g *model.Game) {
		g.Tags = []model.Tag{
			{Name: "a b", Value: "1"}, {Name: "a\xff", Value: "1"}, {Name: "FEN", Value: "2"}, {Name: "ECO", Value: "C50"},
			{Name: "x", Value: "a\nb"}, {Name: "Termination", Value: "forfeit"},
		}
		g.Result = model.WhiteWins
	})
	game(func(g *model.Game) {
		g.MovesErr = model.ErrCorrupt // else sources and sinks vouch for the moves
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		g.Moves.Append(model.NewMove(model.D2, model.D4))
	})
	game(func(g *model.Game) {
		g.Start = &model.Position{Rights: model.NoRights(), EnPassant: model.NoFile, FullMove: 1}
		g.Start.Board[model.A1], g.Start.Board[model.B1] = model.WhiteKing, model.WhiteKing
		g.Moves.Append(model.NewMove(model.A1, model.A2))
	})
	_, losses := writeAll(t, played{db}, WriterOptions{})
	var got []string
	for _, l := range losses {
		got = append(got, string(l.Kind)+" "+l.String())
	}
	want := []string{
		`record record 1: text: PGN has no guiding texts; left out "Report"`,
		`record record 2: game: it is marked as deleted; left out`,
		`moves record 3: moves: they could not be read: corrupt`,
		`annotation record 3: annotations: they could not all be read: truncated`,
		`annotation record 3: annotations: 1 belong to moves that the game does not have`,
		`changed record 4: Event: "?" reads back as none`,
		`changed record 4: Site: "http://x" reads back as none`,
		`changed record 4: Date: 1990.13.0 is no date; it reads back as 1990.??.??`,
		`changed record 4: White: "A, B", "" reads back as another name`,
		`changed record 4: Black: " C", "" reads back as another name`,
		`field record 4: tournament: complete`,
		`field record 5: Result: 99 is no result`,
		`field record 5: ECO: 65535 is no code`,
		`field record 5: line evaluation: $14`,
		`field record 5: game title: "x"`,
		`field record 5: team: year 1990 of "T"`,
		"tag record 6: a\xff: \"a\\xff\" is no name of a tag; its value was \"1\"",
		`changed record 6: x: control characters became blanks in "a\nb"`,
		`moves record 7: moves: they could not be read: corrupt`,
		`moves record 7: moves: e2e4 is impossible; it and 1 moves after it are left out`,
		`moves record 8: moves: 1 moves, and what is said of them: the starting position cannot be played: white: more than one king of a colour`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// played is a source that claims to have played its moves.
type played struct{ model.Source }

func (played) LegalMoves() bool { return true }

func TestDeletedGames(t *testing.T) {
	db := &model.Database{}
	db.AddGame(&model.Game{Header: model.NewHeader()})
	db.List[0].Deleted = true
	for flags, want := range map[string]string{"": "D", "WN": "WND"} {
		if db.List[0].Game.Tags = nil; flags != "" {
			db.List[0].Game.Tags = []model.Tag{{Name: "ScidFlags", Value: flags}}
		}
		text, losses := writeAll(t, db, WriterOptions{Deleted: true})
		back := readAll(t, text).List
		if len(losses) != 0 || len(back) != 1 || !back[0].Deleted || !strings.Contains(string(text), `[ScidFlags "`+want+`"]`) || !slices.Equal(back[0].Game.Tags, db.List[0].Game.Tags) {
			t.Errorf("%d losses, %+v:\n%s", len(losses), back, text)
		}
	}
	if _, losses := writeAll(t, db, WriterOptions{Deleted: true, Roster: true}); len(losses) != 1 {
		t.Errorf("%d losses", len(losses))
	}
}

func TestEmptyDatabase(t *testing.T) {
	text, _ := writeAll(t, &model.Database{}, WriterOptions{})
	if string(text) != noGames || len(readAll(t, text).List) != 0 {
		t.Errorf("%q", text)
	}
}

func TestWriterState(t *testing.T) {
	w := NewWriter(&bytes.Buffer{}, WriterOptions{})
	rec := model.Record{ID: 1, Game: &model.Game{Header: model.NewHeader()}}
	if w.Put(rec) == nil || w.Commit() == nil {
		t.Error("Put or Commit worked before Begin")
	}
	if err := w.Begin(&model.Database{}); err != nil || w.Begin(&model.Database{}) == nil {
		t.Errorf("Begin: %v, or it worked twice", err)
	}
	if err := w.Put(rec); err != nil || w.Put(rec) == nil {
		t.Errorf("Put: %v, or it took an id twice", err)
	}
	if err := w.Commit(); err != nil || w.Abort() != nil || w.Put(rec) == nil {
		t.Errorf("Commit: %v, or Put worked behind it", err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errDisk }

func TestWriteError(t *testing.T) {
	db := readAll(t, syntheticPGN(50))
	err := model.Copy(context.Background(), NewWriter(failingWriter{}, WriterOptions{}), db, model.CopyOptions{})
	if !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
}

func TestLongWordsAndLines(t *testing.T) {
	g := &model.Game{Header: model.NewHeader()}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	words := []string{strings.Repeat("x", 200), "%", ";", "[Event", "{", strings.Repeat("y", 78), "%%", "z"}
	for i := range 40 {
		words = append(words, words[i%8])
	}
	g.Annotate(0, text(strings.Join(words, " ")))
	out := AppendGame(nil, g, &model.Entities{})
	_, moves, _ := strings.Cut(string(out), "\n\n")
	for line := range strings.Lines(moves) {
		if strings.ContainsAny(line[:1], "%;[") {
			t.Errorf("a line begins with %.10q", line)
		}
	}
	var e model.Entities
	if back := readAll(t, out); !back.List[0].Game.Resolve(&back.Tables).Equal(g.Resolve(&e)) {
		t.Error("reads back otherwise")
	}
}

// A player whose names are both question marks is a player of that name; only
// a lone question mark means nobody.
func TestPlayersNamedByQuestionMarks(t *testing.T) {
	for _, c := range []struct {
		player model.Player
		losses int
	}{
		{model.Player{LastName: "?", FirstName: "?"}, 0},
		{model.Player{LastName: "?"}, 1},
		{model.Player{LastName: "a,b"}, 1},
		{model.Player{FirstName: "b"}, 0},
		{model.Player{}, 0},
	} {
		db := &model.Database{}
		g := &model.Game{Header: model.NewHeader()}
		g.White = db.Tables.Players.Intern(c.player)
		db.AddGame(g)
		var out bytes.Buffer
		losses := 0
		w := NewWriter(&out, WriterOptions{Report: func(model.Loss) { losses++ }})
		must.Do(t, model.Copy(context.Background(), w, db, model.CopyOptions{}))
		again := must.Get(model.Load(context.Background(), NewReader(&out, ReaderOptions{})))(t)
		if same := model.Equal(db, again); same != (c.losses == 0) || losses != c.losses {
			t.Errorf("%+v: equal %v, %d losses", c.player, same, losses)
		}
	}
}

// TestOneOfEachTag writes games whose tags repeat fields, or each other, or
// have names that other programs do not take: no name is written twice, and
// all are read back.
func TestOneOfEachTag(t *testing.T) {
	db := &model.Database{}
	e := &db.Tables
	var tags []model.Tag
	for _, name := range append([]string{"x", "CbTag_White", "CbTag_", "", "a-b", "Ü", "1st", "_", "a b\"]", "Setup"}, tagNames[:]...) {
		for _, value := range []string{"one", "1", "forfeit", "Chess960", "2000.13.32"} {
			tags = append(tags, model.Tag{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(tags, func(a, b model.Tag) int { return strings.Compare(a.Name, b.Name) })
	start := model.StartPosition()
	start.HalfMoves = 1
	plain, forfeit, setUp := model.NewHeader(), model.NewHeader(), model.NewHeader()
	forfeit.Result, forfeit.Date, forfeit.Round = model.WhiteWinsByForfeit, model.Date{Year: 2000}, 1
	setUp.Result, setUp.White = model.WhiteWins, e.Players.Intern(model.Player{LastName: "A"})
	for _, g := range []model.Game{{Header: plain}, {Header: forfeit}, {Header: setUp, Start: &start}} {
		g.Tags = tags
		db.AddGame(&g)
	}
	text, losses := writeAll(t, db, WriterOptions{})
	if len(losses) != 0 {
		t.Errorf("reported: %v", losses)
	}
	for game := range strings.SplitSeq(string(text), "[Event ") {
		seen := map[string]bool{}
		for line := range strings.Lines(game) {
			name, _, _ := strings.Cut(line, " ")
			if !strings.HasPrefix(name, "["+ownPrefix) && len(line) > 1 && seen[name] {
				t.Errorf("%s is there twice in\n%s", name, game)
			}
			if seen[name] = true; strings.Trim(name[1:], "_"+letters) != "" && name[0] == '[' {
				t.Errorf("%s is no name for a tag", name)
			}
		}
	}
	if again := readAll(t, text); !model.Equal(db, again) {
		t.Errorf("reads back otherwise: %s", cmp.Diff(tags, again.List[0].Game.Tags))
	}
}

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// isOneWord reports whether a line is longer than others since it is a tag, or a
// command, which stays whole.
func isOneWord(line []byte) bool {
	line = bytes.TrimRight(line, "}) *\n")
	return line[0] == '[' && line[1] != '%' || bytes.HasSuffix(line, []byte("]")) && bytes.Count(line, []byte(" ")) == 1
}

// TestShortWords writes long data: what is longer than a line is one command.
func TestShortWords(t *testing.T) {
	g := &model.Game{Header: model.NewHeader()}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	for n := range 200 {
		g.Annotate(0, model.Opaque{Format: "cbh", Type: 8, Data: make([]byte, n)})
		g.Annotate(0, model.Text{Language: model.German, Text: strings.Repeat(" }", n)})
		g.Annotate(0, model.TimeSpent{Minutes: uint8(n), Extra: 99})
	}
	out := AppendGame(nil, g, &model.Entities{})
	for line := range bytes.Lines(out) {
		if len(line) > 80 && !isOneWord(line) {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	var e model.Entities
	if back := readAll(t, out); !back.List[0].Game.Resolve(&back.Tables).Equal(g.Resolve(&e)) {
		t.Error("reads back otherwise")
	}
}

// With the roster alone there are seven tags, and the position where a game begins with
// another; that is no loss, and the moves are those that were.
func TestRoster(t *testing.T) {
	text := "[Event \"Open\"]\n[WhiteElo \"2700\"]\n[ECO \"C50\"]\n[Variant \"Standard\"]\n[WhiteTeam \"Lyon\"]\n[Odd \"x\"]\n\n1. e4 {good} *\n\n" +
		"[Event \"End\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[Source \"CB\"]\n\n1. e4 *\n"
	for _, plain := range []bool{false, true} {
		var out bytes.Buffer
		must.Do(t, model.Copy(t.Context(), NewWriter(&out, WriterOptions{Roster: true, Plain: plain}), NewReader(strings.NewReader(text), ReaderOptions{}), model.CopyOptions{}))
		want := "[Event \"Open\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 {good} *\n\n" +
			"[Event \"End\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n"
		if got := strings.ReplaceAll(strings.TrimSpace(out.String()), "{ good }", "{good}"); got != strings.TrimSpace(want) {
			t.Errorf("%s", out.String())
		}
	}
}
