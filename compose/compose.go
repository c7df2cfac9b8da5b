package compose

import (
	"fmt"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// Header is what is known of a game besides its moves; empty is not known.
type Header struct {
	White, Black       string // "Last, First"
	WhiteElo, BlackElo int
	Event, Site        string
	Date               string // "1910.??.??"
	Round              int
	Result             string // "1-0", "0-1", "1/2-1/2" or "*"
	ECO                string // "B15"
	Annotator          string
	FEN                string // the start position; empty is the usual one
}

// Game is a game that is being written. Its methods are those of its main line.
type Game struct {
	Line
	header Header
	start  *model.Position
	moves  model.TreeBuilder
	notes  []note
	err    error
}

// note is an annotation at a move, by its number in the builder.
type note struct {
	move  int
	value model.Value
}

// Line is a line of a game: the main line, or a variation.
type Line struct {
	game   *Game
	last   int            // the last move, model.NoNode at the start
	before board.Position // before it
	pos    board.Position // after it
}

// New begins a game.
func New(h Header) *Game {
	g := &Game{header: h}
	g.Line = Line{game: g, last: model.NoNode, pos: board.Start()}
	if h.FEN != "" {
		start, err := board.ParseFEN(h.FEN)
		if err == nil {
			g.start = &start
			g.pos, err = board.New(&start)
		}
		g.fail("FEN %q: %w", h.FEN, err)
	}
	return g
}

// fail keeps the first error.
func (g *Game) fail(format, what string, err error) {
	if err != nil && g.err == nil {
		g.err = fmt.Errorf("compose: "+format, what, err)
	}
}

// Play plays moves, in standard algebraic notation or as the Universal Chess
// Interface has them; "--" is a null move.
func (l *Line) Play(moves ...string) *Line {
	for _, text := range moves {
		if l.game.err != nil {
			return l
		}
		m, err := l.pos.ParseSAN(text)
		if err != nil {
			l.game.fail("%s: %w", fmt.Sprintf("move %d, %q", l.pos.FullMove(), text), err)
			return l
		}
		l.before = l.pos
		l.pos.Make(m)
		l.last = l.game.moves.Add(l.last, m)
	}
	return l
}

// Variation adds a line in place of the last move: write plays and annotates it.
// Several variations keep their order.
func (l *Line) Variation(write func(*Line)) *Line {
	if l.game.err != nil {
		return l
	}
	if l.last == model.NoNode {
		l.game.fail("%s: %w", "variation", fmt.Errorf("there is no move that it could replace"))
		return l
	}
	write(&Line{game: l.game, last: l.game.moves.Parent(l.last), pos: l.before})
	return l
}

// Comment adds a text behind the last move or, before the first, to the game.
func (l *Line) Comment(text string) *Line { return l.Annotate(model.Text{Text: text}) }

// Symbol adds symbols to the last move.
func (l *Line) Symbol(list ...model.NAG) *Line {
	var s model.Symbols
	for _, n := range list {
		s.Add(n)
	}
	return l.Annotate(s)
}

// Annotate adds any annotation to the last move or, before the first, to the game.
func (l *Line) Annotate(v model.Value) *Line {
	if l.game.err == nil {
		l.game.notes = append(l.game.notes, note{l.last, v})
	}
	return l
}

// Build returns the game with its names in the tables, or the first mistake.
func (g *Game) Build(e *model.Entities) (*model.Game, error) {
	built := model.NewGame()
	g.fill(built)
	if g.err != nil {
		return nil, g.err
	}
	h := &g.header
	if h.White != "" {
		built.White = e.Players.Intern(model.ParsePlayer(h.White))
	}
	if h.Black != "" {
		built.Black = e.Players.Intern(model.ParsePlayer(h.Black))
	}
	if h.Event != "" || h.Site != "" {
		built.Tournament = e.Tournaments.Intern(model.Tournament{Title: h.Event, Place: h.Site})
	}
	if h.Annotator != "" {
		built.Annotator = e.Annotators.Intern(model.Annotator{Name: h.Annotator})
	}
	var moves model.Tree
	order := g.moves.Build(&moves)
	built.SetMoves(g.start, moves)
	for _, n := range g.notes {
		node := n.move
		if node != model.NoNode && order != nil {
			node = int(order[node])
		}
		built.Annotate(node, n.value)
	}
	return built, nil
}

// fill reads the header's texts and numbers.
func (g *Game) fill(to *model.Game) {
	h := &g.header
	known := func(name, text string, ok bool) {
		if text != "" && !ok {
			g.fail("%s: %w", fmt.Sprintf("%s %q", name, text), fmt.Errorf("not understood"))
		}
	}
	var ok bool
	if h.Date != "" {
		to.Date, ok = model.ParseDate(h.Date)
		known("date", h.Date, ok)
	}
	if h.Result != "" {
		to.Result, ok = model.ParseResult(strings.TrimSpace(h.Result))
		known("result", h.Result, ok)
	}
	if h.ECO != "" {
		to.ECO, ok = model.ParseECO(h.ECO)
		known("ECO", h.ECO, ok)
	}
	for _, n := range []struct {
		name  string
		value int
		to    *uint16
	}{{"white Elo", h.WhiteElo, &to.WhiteElo}, {"black Elo", h.BlackElo, &to.BlackElo}, {"round", h.Round, &to.Round}} {
		if n.value < 0 || n.value > 0xFFFF {
			g.fail("%s: %w", n.name, fmt.Errorf("%d is out of range", n.value))
		}
		*n.to = uint16(n.value)
	}
}

// AddTo adds the game to a database and returns its id, or the first mistake.
func (g *Game) AddTo(db *model.Database) (model.RecordID, error) {
	game, err := g.Build(&db.Tables)
	if err != nil {
		return 0, err
	}
	return db.AddGame(game), nil
}
