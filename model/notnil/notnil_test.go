package notnil_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/notnil/chess"
	"pgregory.net/rapid"

	"cbkit/board"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/model/notnil"
)

// plain are games that the library can express.
var plain = gen.Config{NoVariations: true, NoNullMoves: true, NoChess960: true, NoTexts: true, Kinds: []model.Kind{}, Plies: 30}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := gen.Entities(plain).Draw(t, "entities")
		g := gen.Game(plain, e).Draw(t, "game")
		changed := false
		there := must.Get(notnil.ToChess(model.Record{ID: 1, Game: g}, e, func(l model.Loss) { changed = changed || l.Kind == model.Changed }))(t)
		e2 := &model.Entities{}
		back := must.Get(notnil.FromChess(there, e2))(t)
		if !back.Moves.Equal(&g.Moves) {
			t.Fatalf("have %v, want %v", back.Moves.Nodes(), g.Moves.Nodes())
		}
		checkStart(t, g, back)
		if back.Result != g.Result && !changed {
			t.Fatalf("the result has become %d, was %d", back.Result, g.Result)
		}
		if back.Date != g.Date || back.ECO != g.ECO || back.WhiteElo != g.WhiteElo || back.BlackElo != g.BlackElo ||
			!slices.Equal(back.Tags, g.Tags) && len(g.Tags) > 0 {
			t.Fatalf("have %+v, want %+v", back.Header, g.Header)
		}
		checkNames(t, g.Resolve(e), back.Resolve(e2))
	})
}

// checkStart compares positions, but for the move number 0. The generator
// gives no rights that cannot be used.
func checkStart(t *rapid.T, want, got *model.Game) {
	p := want.StartPosition()
	p.FullMove = max(p.FullMove, 1)
	if p != got.StartPosition() {
		t.Fatalf("have the start %+v, want %+v", got.StartPosition(), p)
	}
}

// TestUselessRights drops rights that the library would use nevertheless.
func TestUselessRights(t *testing.T) {
	g := game(t, "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1")
	there, err := notnil.ToChess(model.Record{ID: 1, Game: g}, &model.Entities{}, nil)
	if err != nil || there.FEN() != "4k3/8/8/8/8/8/8/4K2R w K - 0 1" {
		t.Errorf("have %s, %v", there.FEN(), err)
	}
}

// checkNames compares names that PGN can hold: not "?", no address.
func checkNames(t *rapid.T, want, got model.ResolvedGame) {
	same := func(what, want, got string) {
		if want != got && want != "?" && !strings.HasPrefix(want, "http") {
			t.Fatalf("%s has become %q, was %q", what, got, want)
		}
	}
	same("event", want.Tournament.Title, got.Tournament.Title)
	same("site", want.Tournament.Place, got.Tournament.Place)
	same("annotator", want.Annotator.Name, got.Annotator.Name)
	same("white team", want.WhiteTeam.Title, got.WhiteTeam.Title)
	same("black team", want.BlackTeam.Title, got.BlackTeam.Title)
	if model.ParsePlayer(want.White.String()) == want.White {
		same("white", want.White.String(), got.White.String())
	}
	if model.ParsePlayer(want.Black.String()) == want.Black {
		same("black", want.Black.String(), got.Black.String())
	}
}

// game returns a game of moves from a FEN, "" for the standard position.
func game(t *testing.T, fen string, moves ...string) *model.Game {
	t.Helper()
	g := &model.Game{Header: model.NewHeader()}
	if fen != "" {
		p := must.Get(board.ParseModel(fen))(t)
		g.Start = &p
	}
	pos := must.Get(board.New(g.Start))(t)
	for _, uci := range moves {
		m := must.Get(pos.ParseUCI(uci))(t)
		g.Moves.Append(m)
		pos.Make(m)
	}
	return g
}

func TestRareMoves(t *testing.T) {
	for name, g := range map[string]*model.Game{
		"castling":       game(t, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e8c8"),
		"other castling": game(t, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8", "e1c1"),
		"en passant":     game(t, "", "e2e4", "a7a6", "e4e5", "d7d5", "e5d6"),
		"now en passant": game(t, "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 20", "d5c6"),
		"promotions":     game(t, "8/P3k3/8/8/8/8/p3K3/8 w - - 0 1", "a7a8n", "a2a1r"),
		"more of them":   game(t, "8/P3k3/8/8/8/8/p3K3/8 w - - 0 1", "a7a8q", "a2a1b"),
	} {
		e := &model.Entities{}
		there, err := notnil.ToChess(model.Record{ID: 1, Game: g}, e, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		back, err := notnil.FromChess(there, e)
		if err != nil || !back.Moves.Equal(&g.Moves) {
			t.Errorf("%s: have %v, %v", name, back.Moves.Nodes(), err)
		}
		last, _ := board.After(g.Start, &g.Moves, g.Moves.Len()-1)
		if placement(there.FEN()) != placement(last.FEN()) {
			t.Errorf("%s: have %s, want %s", name, there.FEN(), last.FEN())
		}
	}
}

func placement(fen string) string { return strings.Fields(fen)[0] }

func TestRefused(t *testing.T) {
	null := game(t, "", "e2e4")
	null.Moves.Append(model.NullMove)
	shuffled := board.Chess960Start(7)
	illegal := game(t, "")
	illegal.Moves.Append(model.NewMove(model.E2, model.E5))
	kingless := game(t, "8/8/8/8/8/8/8/4K3 w - - 0 1")
	crowded := game(t, "")
	start := model.StartPosition()
	start.Board[model.E4] = model.WhiteKing
	crowded.Start = &start
	for name, c := range map[string]struct {
		rec  model.Record
		want error
		text string
	}{
		"text":      {model.Record{ID: 3, Text: model.NewGuidingText()}, notnil.ErrNotGame, "record 3: not a game"},
		"null move": {model.Record{ID: 3, Game: null}, notnil.ErrNullMove, "ply 2: a null move"},
		"chess960":  {model.Record{ID: 3, Game: &model.Game{Start: &shuffled}}, notnil.ErrChess960, "chess960"},
		"damaged":   {model.Record{ID: 3, Game: &model.Game{MovesErr: model.ErrCorrupt}}, model.ErrCorrupt, "corrupt"},
		"illegal":   {model.Record{ID: 3, Game: illegal}, nil, "ply 1: e2e5"},
		"kingless":  {model.Record{ID: 3, Game: kingless}, nil, "no black king"},
		"crowded":   {model.Record{ID: 3, Game: crowded}, nil, "more than one king"},
	} {
		_, err := notnil.ToChess(c.rec, &model.Entities{}, nil)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || !strings.HasPrefix(err.Error(), "notnil: record 3: ") {
			t.Errorf("%s: have %v, want %v", name, err, c.want)
		}
	}
	if _, err := notnil.FromChess(&chess.Game{}, &model.Entities{}); err == nil {
		t.Error("a game without a position is converted")
	}
}

func TestLosses(t *testing.T) {
	e := &model.Entities{}
	g := game(t, "")
	b := new(model.TreeBuilder)
	b.Add(model.NoNode, model.NewMove(model.E2, model.E4))
	b.Add(b.Add(model.NoNode, model.NewMove(model.D2, model.D4)), model.NewMove(model.D7, model.D5))
	b.Build(&g.Moves)
	g.Annotate(0, model.Symbols{Move: 1})
	g.Result, g.LineEvaluation = model.BothLose, 10
	g.Tags = []model.Tag{{Name: "Opening", Value: "a"}, {Name: "Opening", Value: "b"}, {Name: "Round", Value: "final"}, {Name: "FEN", Value: "x"}}
	g.Tournament = e.Tournaments.Intern(model.Tournament{Title: "a", Rounds: 3})
	g.Source = e.Sources.Intern(model.Publication{Title: "s"})
	g.GameTitle = e.GameTitles.Intern(model.GameTitle{Titles: [8]string{"t"}})
	g.WhiteTeam = e.Teams.Intern(model.Team{Title: "w"})
	g.BlackTeam = e.Teams.Intern(model.Team{Title: "b", Number: 2})
	var got []string
	there, err := notnil.ToChess(model.Record{ID: 1, Game: g}, e, func(l model.Loss) { got = append(got, string(l.Kind)+" "+l.Field) })
	want := []string{"tag Opening", "tag FEN", "field tournament", "field source", "field game title", "field black team",
		"field line evaluation", "changed result", "moves variations", "annotation symbols"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("have %q, %v", got, err)
	}
	for key, value := range map[string]string{"Event": "a", "Site": "?", "Round": "final", "Opening": "a", "Result": "0-0", "WhiteTeam": "w"} {
		if tag := there.GetTagPair(key); tag == nil || tag.Value != value {
			t.Errorf("tag %s: have %v, want %s", key, tag, value)
		}
	}
	if there.GetTagPair("ECO") != nil || there.GetTagPair("FEN") != nil {
		t.Error("there are tags of nothing")
	}
}

func TestOutcomes(t *testing.T) {
	mate := []string{"f2f3", "e7e5", "g2g4", "d8h4"}
	for _, c := range []struct {
		result  model.Result
		moves   []string
		outcome chess.Outcome
		changed bool
	}{
		{model.NoResult, nil, chess.NoOutcome, false},
		{model.WhiteWins, nil, chess.WhiteWon, false},
		{model.BlackWins, nil, chess.BlackWon, false},
		{model.Draw, nil, chess.Draw, false},
		{model.WhiteWinsByForfeit, nil, chess.WhiteWon, false},
		{model.BothLose, nil, chess.NoOutcome, true},
		{model.BlackWins, mate, chess.BlackWon, false},
		{model.WhiteWins, mate, chess.BlackWon, true},
		{model.NoResult, mate, chess.BlackWon, true},
	} {
		g := game(t, "", c.moves...)
		g.Result = c.result
		changed := false
		there, err := notnil.ToChess(model.Record{ID: 1, Game: g}, &model.Entities{}, func(l model.Loss) { changed = true })
		if err != nil || there.Outcome() != c.outcome || changed != c.changed {
			t.Errorf("%s after %v: have %s, changed %v, %v", c.result, c.moves, there.Outcome(), changed, err)
			continue
		}
		if back, err := notnil.FromChess(there, &model.Entities{}); err != nil || back.Result != c.result && c.result != model.NoResult {
			t.Errorf("%d after %v: comes back as %d, %v", c.result, c.moves, back.Result, err)
		}
	}
}

func TestFromPGN(t *testing.T) {
	const text = `[Event "Casual"]
[Site "https://example.org"]
[Date "1851.06.??"]
[Round "3.2"]
[White "Anderssen, Adolf"]
[Black "?"]
[Result "1-0"]
[WhiteElo "-"]
[BlackElo "2500"]
[ECO "C33"]
[Termination "time forfeit"]

1. e4 {best} {by test} e5 2. f4 1-0
`
	read := must.Get(chess.PGN(strings.NewReader(text)))(t)
	e := &model.Entities{}
	g := must.Get(notnil.FromChess(chess.NewGame(read), e))(t)
	r := g.Resolve(e)
	if r.Tournament != (model.Tournament{Title: "Casual"}) || r.White != (model.Player{LastName: "Anderssen", FirstName: "Adolf"}) ||
		g.Black != model.NoEntity || g.Date != (model.Date{Year: 1851, Month: 6}) || g.Round != 3 || g.Subround != 2 ||
		g.Result != model.WhiteWins || g.BlackElo != 2500 || g.ECO.String() != "C33" || g.Start != nil || g.Moves.Len() != 3 {
		t.Errorf("have %+v", r)
	}
	tags := []model.Tag{{Name: "Site", Value: "https://example.org"}, {Name: "WhiteElo", Value: "-"}, {Name: "Termination", Value: "time forfeit"}}
	if !slices.Equal(g.Tags, tags) {
		t.Errorf("have the tags %v", g.Tags)
	}
	var comments []string
	for _, a := range g.AnnotationsAt(0) {
		comments = append(comments, a.Value.(model.Text).Text)
	}
	if !slices.Equal(comments, []string{"best", "by test"}) || len(g.Annotations) != 2 {
		t.Errorf("have the comments %v", g.Annotations)
	}
}

func TestRounds(t *testing.T) {
	for text, want := range map[string]string{"3": "3", "3.2": "3.2", "0.2": "0.2", "final": "final", "3.x": "3.x", "70000": "70000", "?": "?", "": "?"} {
		there := chess.NewGame(chess.TagPairs([]*chess.TagPair{{Key: "Round", Value: text}}))
		e := &model.Entities{}
		g := must.Get(notnil.FromChess(there, e))(t)
		again, err := notnil.ToChess(model.Record{ID: 1, Game: g}, e, nil)
		if err != nil || again.GetTagPair("Round").Value != want {
			t.Errorf("round %q: have %q, %v", text, again.GetTagPair("Round").Value, err)
		}
	}
}
