package compose

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cbkit/board"
	"cbkit/internal/brief"
	"cbkit/model"
)

// Header is what is known of a game besides its moves; empty is not known.
type Header struct {
	White, Black         string // "Last, First"
	WhiteElo, BlackElo   int
	WhiteTeam, BlackTeam string
	Event, Site          string
	Date                 string // "1910.??.??" or "1910-03-05"
	Round, Subround      int    // the second game of the third round is 3, 2
	Result               string // "1-0", "0-1", "1/2-1/2" or "*"
	ECO                  string // "B15"
	Annotator            string
	Source               string      // where the game was published
	Title                string      // of the game itself, such as "The Immortal"
	FEN                  string      // the start position; empty is the usual one
	Tags                 []model.Tag // other tags, as PGN has them
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
	game    *Game
	start   int            // the move that the line begins behind, model.NoNode at the start
	last    int            // the last move, start if there is none yet
	played  string         // how it was written
	before  board.Position // before it
	pos     board.Position // after it
	pending string         // what stands in front of the next move
	instead string         // of a variation: the move that it stands in place of
}

// moveName names a move as people do: 2.Nf3, 2...Ke7.
func moveName(p *board.Position, text string) string {
	dots := "."
	if p.Turn() == model.Black {
		dots = "..."
	}
	return fmt.Sprintf("%d%s%s", p.FullMove(), dots, brief.Text(text))
}

// New begins a game.
func New(h Header) *Game {
	g := &Game{header: h}
	g.Line = Line{game: g, start: model.NoNode, last: model.NoNode, pos: board.Start()}
	if h.FEN != "" {
		start, err := board.ParseModel(h.FEN)
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
	if g != nil && err != nil && g.err == nil {
		g.err = fmt.Errorf("compose: "+format, what, err)
	}
}

// Play plays moves, in standard algebraic notation or that of the Universal Chess
// Interface; "--" is a null move.
func (l *Line) Play(moves ...string) *Line {
	for _, text := range moves {
		if l.ended() {
			return l
		}
		m, err := l.pos.ParseSAN(text)
		if err != nil {
			l.game.fail("%s: %w", moveName(&l.pos, text), err)
			return l
		}
		l.before, l.played = l.pos, text
		l.pos.Make(m)
		l.last = l.game.moves.Add(l.last, m)
		if l.pending != "" {
			l.join(model.Text{Text: l.pending, Before: true})
			l.pending = ""
		}
	}
	return l
}

// Variation adds a line in place of the last move: write plays and annotates it.
// Several variations keep their order.
func (l *Line) Variation(write func(*Line)) *Line {
	if l.ended() {
		return l
	}
	if l.last == l.start {
		l.game.fail("%s: %w", l.place()+"variation", fmt.Errorf("there is no move that it could replace"))
		return l
	}
	before := l.game.moves.Parent(l.last)
	v := Line{game: l.game, start: before, last: before, pos: l.before, instead: moveName(&l.before, l.played)}
	write(&v)
	v.end()
	return l
}

// ended reports whether nothing is added any more: there is a mistake, or no game.
func (l *Line) ended() bool { return l.game == nil || l.game.err != nil }

// place says in a message which variation a line is.
func (l *Line) place() string {
	if l.instead == "" {
		return ""
	}
	return "in the variation in place of " + l.instead + ": "
}

// end fails if something waits for a move.
func (l *Line) end() {
	if l.pending != "" {
		l.game.fail("%s: %w", l.place()+fmt.Sprintf("text before a move, %q", l.pending), fmt.Errorf("no move follows"))
	}
}

// Comment adds a text after the last move. Before the first move it belongs to the game,
// or in a variation to the variation's first move. Several comments become one.
func (l *Line) Comment(text string) *Line {
	if l.instead != "" && l.last == l.start {
		return l.Before(text)
	}
	return l.join(model.Text{Text: text})
}

// Before adds a text in front of the next move, which must follow.
func (l *Line) Before(text string) *Line {
	l.pending = strings.TrimSpace(l.pending + " " + text)
	return l
}

// Symbol adds symbols to the last move.
func (l *Line) Symbol(list ...model.NAG) *Line {
	var s model.Symbols
	for _, n := range list {
		s.Add(n)
	}
	return l.join(s)
}

// Clock sets the time that the player of the last move had left. It is stored in the text
// after the move, as in PGN files of servers: [%clk 1:03:00].
func (l *Line) Clock(left time.Duration) *Line {
	s := int(left.Round(time.Second).Seconds())
	if s < 0 {
		l.game.fail("clock %s: %w", left.String(), fmt.Errorf("less than nothing"))
	}
	return l.join(model.Text{Text: fmt.Sprintf("[%%clk %d:%02d:%02d]", s/3600, s/60%60, s%60)})
}

// Evaluation adds an engine's verdict on the position after the last move: pawns for
// White, and how many plies it has looked ahead.
func (l *Line) Evaluation(pawns float64, depth int) *Line {
	value := math.Round(100 * pawns)
	if !(math.Abs(value) <= math.MaxInt16) || depth < 0 || depth > math.MaxInt16 {
		l.game.fail("evaluation %s: %w", fmt.Sprintf("%v, depth %d", pawns, depth), fmt.Errorf("out of range"))
		return l
	}
	return l.Annotate(model.Engine{Value: int16(value), Depth: int16(depth)})
}

// Arrows draws arrows in the position after the last move, such as "e2e4".
func (l *Line) Arrows(color model.MarkColor, arrows ...string) *Line {
	var list model.Arrows
	for _, text := range arrows {
		from, to := model.NoSquare, model.NoSquare
		if len(text) == 4 {
			from, _ = model.ParseSquare(text[:2])
			to, _ = model.ParseSquare(text[2:])
		}
		if from >= model.NoSquare || to >= model.NoSquare {
			l.game.fail("arrow %q: %w", text, fmt.Errorf("not two squares"))
		}
		list = append(list, model.ColoredArrow{Color: color, From: from, To: to})
	}
	return l.join(list)
}

// Squares marks squares in the position after the last move, such as "e4".
func (l *Line) Squares(color model.MarkColor, squares ...string) *Line {
	var list model.Squares
	for _, text := range squares {
		s, ok := model.ParseSquare(text)
		if !ok {
			l.game.fail("square %q: %w", text, fmt.Errorf("not understood"))
		}
		list = append(list, model.ColoredSquare{Color: color, Square: s})
	}
	return l.join(list)
}

// join adds an annotation to the last move, or what it says to one of its kind that is
// there: formats have one of each at a place.
func (l *Line) join(v model.Value) *Line {
	if l.ended() || l.last == l.start && l.instead != "" {
		return l.Annotate(v)
	}
	for i := range l.game.notes {
		there := &l.game.notes[i]
		if there.move != l.last || there.value.Kind() != v.Kind() {
			continue
		}
		switch v := v.(type) {
		case model.Text:
			if old := there.value.(model.Text); old.Before == v.Before && old.Language == v.Language {
				v.Text = strings.TrimSpace(old.Text + " " + v.Text)
				there.value = v
				return l
			}
		case model.Symbols:
			all := model.Symbols{}
			for _, n := range append(there.value.(model.Symbols).NAGs(), v.NAGs()...) {
				all.Add(n)
			}
			there.value = all
			return l
		case model.Arrows:
			there.value = slices.Concat(there.value.(model.Arrows), v)
			return l
		case model.Squares:
			there.value = slices.Concat(there.value.(model.Squares), v)
			return l
		}
	}
	return l.Annotate(v)
}

// Annotate adds any annotation to the last move or, before the first, to the game. In a
// variation there is nothing to annotate before its first move.
func (l *Line) Annotate(v model.Value) *Line {
	v, known := model.KnownValue(v)
	switch {
	case !known || l.ended():
	case l.last == l.start && l.instead != "":
		l.game.fail("%s: %w", l.place()+string(v.Kind()), fmt.Errorf("there is no move yet that it could stand at"))
	default:
		l.game.notes = append(l.game.notes, note{l.last, v})
	}
	return l
}

// Build returns the game with its names in the tables, or the first mistake.
func (g *Game) Build(e *model.Entities) (*model.Game, error) {
	switch {
	case g == nil || g.game == nil:
		return nil, fmt.Errorf("compose: a game begins with New")
	case e == nil:
		return nil, fmt.Errorf("compose: there are no tables for the names")
	}
	built := model.NewGame()
	g.fill(built)
	g.Line.end()
	if g.err != nil {
		return nil, g.err
	}
	h := &g.header
	intern(&built.White, &e.Players, h.White, model.ParsePlayer(h.White))
	intern(&built.Black, &e.Players, h.Black, model.ParsePlayer(h.Black))
	intern(&built.Tournament, &e.Tournaments, h.Event+h.Site, model.Tournament{Title: h.Event, Place: h.Site, Start: model.Date{Year: built.Date.Year}})
	intern(&built.Annotator, &e.Annotators, h.Annotator, model.Annotator{Name: h.Annotator})
	intern(&built.Source, &e.Sources, h.Source, model.Publication{Title: h.Source})
	intern(&built.WhiteTeam, &e.Teams, h.WhiteTeam, model.Team{Title: h.WhiteTeam})
	intern(&built.BlackTeam, &e.Teams, h.BlackTeam, model.Team{Title: h.BlackTeam})
	intern(&built.GameTitle, &e.GameTitles, h.Title, model.GameTitle{Titles: [8]string{h.Title}})
	built.Tags = slices.Clone(h.Tags)
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

// intern puts into a table what a text says, unless it says nothing.
func intern[T comparable](id *model.EntityID, table *model.Table[T], text string, value T) {
	if text != "" {
		*id = table.Intern(value)
	}
}

// read reads a text of the header, unless it says nothing.
func read[T any](g *Game, name, text string, to *T, parse func(string) (T, bool)) {
	if text == "" {
		return
	}
	value, ok := parse(text)
	if *to = value; !ok {
		g.fail("%s: %w", fmt.Sprintf("%s %q", name, text), fmt.Errorf("not understood"))
	}
}

// fill reads the header's texts and numbers.
func (g *Game) fill(to *model.Game) {
	h := &g.header
	read(g, "date", h.Date, &to.Date, model.ParseDate)
	read(g, "result", h.Result, &to.Result, func(s string) (model.Result, bool) { return model.ParseResult(strings.TrimSpace(s)) })
	read(g, "ECO", h.ECO, &to.ECO, model.ParseECO)
	for _, n := range []struct {
		name  string
		value int
		to    *uint16
	}{{"white Elo", h.WhiteElo, &to.WhiteElo}, {"black Elo", h.BlackElo, &to.BlackElo}, {"round", h.Round, &to.Round}, {"subround", h.Subround, &to.Subround}} {
		if n.value < 0 || n.value > 0xFFFF {
			g.fail("%s: %w", n.name, fmt.Errorf("%d is out of range", n.value))
		}
		*n.to = uint16(n.value)
	}
}

// AddTo adds the game to a database and returns its id, or the first mistake.
func (g *Game) AddTo(db *model.Database) (model.RecordID, error) {
	if db == nil {
		return 0, fmt.Errorf("compose: there is no database")
	}
	game, err := g.Build(&db.Tables)
	if err != nil {
		return 0, err
	}
	return db.AddGame(game), nil
}
