package stats

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// Report says what happened in a position. Games count once, from the first time
// they reach it: with the same pieces on the same squares and the same side to
// move, as a search for a position has it.
type Report struct {
	Position model.Position
	// Score is White's.
	Score Tally
	// FirstYear and LastYear are those of the games, 0 if none has a date.
	FirstYear, LastYear int
	// Moves are the moves that were played, the most played first.
	Moves []MoveReport
	// Ended are the games that ended in the position.
	Ended int
	// Players are those with the highest ratings, of White and of Black; a player
	// without any rating comes last.
	Players [2][]PlayerReport
	// Recent are the last games, of one day the strongest first.
	Recent []Pairing
	// Tournaments are those of Recent.
	Tournaments []model.EntityID
}

// MoveReport is a move with what became of it.
type MoveReport struct {
	Move model.Move
	SAN  string
	// Score is that of the side that moves.
	Score Tally
	// LastYear is when it was last played, 0 if not known.
	LastYear int
	// Best is the player with the highest rating who played it, and Elo that
	// rating; NoEntity if no rating is known.
	Best model.EntityID
	Elo  int
	// Line is what is played most, move by move, from this move on; LineGames how
	// many games follow it to the end.
	Line      []model.Move
	LineGames int
}

// PlayerReport is a player with the games in which he reached the position.
type PlayerReport struct {
	Player model.EntityID
	Elo    int // the highest, 0 if not known
	Score  Tally
}

// ExploreOptions configures [Explore].
type ExploreOptions struct {
	// Players and Recent are how many players of each side and how many games are
	// listed; 0 is 5.
	Players, Recent int
	// Plies is how long typical lines are at most; 0 is 12.
	Plies int
	Options
}

// Explore reports on a position. Variations do not count. It needs the main lines
// of all games; the lines from the position on are sorted in temporary files if
// they are many.
func Explore(ctx context.Context, src model.Source, position *model.Position, opt ExploreOptions) (*Report, error) {
	want, err := board.New(position)
	if err != nil {
		return nil, err
	}
	x := newExplorer(want, opt)
	defer x.lines.close()
	for rec, err := range opt.records(ctx, src, model.WantMoves) {
		if err != nil {
			return nil, err
		}
		if rec.Game == nil {
			continue
		}
		if err := x.add(rec.ID, rec.Game); err != nil {
			return nil, err
		}
	}
	return x.report()
}

// explorer makes a report.
type explorer struct {
	opt     ExploreOptions
	want    board.Position
	pieces  int
	result  Report
	moves   map[model.Move]*MoveReport
	players [2]map[model.EntityID]*PlayerReport
	lines   lineSorter
	line    []model.Move
}

func newExplorer(want board.Position, opt ExploreOptions) *explorer {
	opt.Players, opt.Recent, opt.Plies = cmp.Or(opt.Players, 5), cmp.Or(opt.Recent, 5), cmp.Or(opt.Plies, 12)
	x := &explorer{opt: opt, want: want, pieces: bits.OnesCount64(want.Occupied()), moves: map[model.Move]*MoveReport{}}
	x.result.Position = want.Model()
	x.players = [2]map[model.EntityID]*PlayerReport{{}, {}}
	x.lines.tempDir = opt.TempDir
	return x
}

// reached returns the last move before the position and whether it is reached.
func (x *explorer) reached(g *model.Game) (node int, ok bool) {
	p, err := board.New(g.Start)
	if err != nil {
		return 0, false
	}
	for node = model.NoNode; ; {
		if same(&p, &x.want) {
			return node, true
		}
		if bits.OnesCount64(p.Occupied()) < x.pieces {
			return 0, false
		}
		if node = g.Moves.Main(node); node == model.NoNode {
			return 0, false
		}
		p.Make(g.Moves.Move(node))
	}
}

// same reports whether two positions have the same pieces and side to move.
func same(p, q *board.Position) bool {
	if p.Occupied() != q.Occupied() || p.Turn() != q.Turn() || p.Colored(model.White) != q.Colored(model.White) {
		return false
	}
	for set := q.Occupied(); set != 0; set &= set - 1 {
		s := model.Square(bits.TrailingZeros64(set))
		if p.PieceAt(s) != q.PieceAt(s) {
			return false
		}
	}
	return true
}

// add takes a game if it reaches the position.
func (x *explorer) add(id model.RecordID, g *model.Game) error {
	node, ok := x.reached(g)
	if !ok {
		return nil
	}
	h := &g.Header
	x.result.Score.addGame(h, model.White)
	if year := int(h.Date.Year); year != 0 {
		x.result.LastYear = max(x.result.LastYear, year)
		if x.result.FirstYear == 0 || year < x.result.FirstYear {
			x.result.FirstYear = year
		}
	}
	x.meet(model.White, h.White, h.WhiteElo, h)
	x.meet(model.Black, h.Black, h.BlackElo, h)
	x.remember(id, h)
	x.line = x.line[:0]
	for n := g.Moves.Main(node); n != model.NoNode && len(x.line) < x.opt.Plies; n = g.Moves.Main(n) {
		x.line = append(x.line, g.Moves.Move(n))
	}
	if len(x.line) == 0 {
		x.result.Ended++
		return nil
	}
	x.play(x.line[0], h)
	return x.lines.add(x.line)
}

// meet counts a game for one of its players.
func (x *explorer) meet(c model.Color, id model.EntityID, elo uint16, h *model.Header) {
	if id < 0 {
		return
	}
	p := x.players[c][id]
	if p == nil {
		p = &PlayerReport{Player: id}
		x.players[c][id] = p
	}
	p.Elo = max(p.Elo, int(elo))
	p.Score.addGame(h, c)
}

// play counts a game for its move.
func (x *explorer) play(m model.Move, h *model.Header) {
	r := x.moves[m]
	if r == nil {
		r = &MoveReport{Move: m, SAN: x.want.SAN(m), Best: model.NoEntity}
		x.moves[m] = r
	}
	side := x.want.Turn()
	r.Score.addGame(h, side)
	r.LastYear = max(r.LastYear, int(h.Date.Year))
	player, elo := h.White, int(h.WhiteElo)
	if side == model.Black {
		player, elo = h.Black, int(h.BlackElo)
	}
	if elo > r.Elo {
		r.Best, r.Elo = player, elo
	}
}

// remember keeps a game while it is one of the last.
func (x *explorer) remember(id model.RecordID, h *model.Header) {
	g := Pairing{id, h.White, h.Black, h.WhiteElo, h.BlackElo, h.Round, h.Subround, h.Date, h.Result}
	r := &x.result
	at, _ := slices.BinarySearchFunc(r.Recent, g, func(a, b Pairing) int {
		return cmp.Or(compareDates(b.Date, a.Date), cmp.Compare(b.elos(), a.elos()), cmp.Compare(a.ID, b.ID))
	})
	if at == x.opt.Recent {
		return
	}
	r.Recent = slices.Insert(r.Recent, at, g)
	r.Tournaments = slices.Insert(r.Tournaments, at, h.Tournament)
	n := min(len(r.Recent), x.opt.Recent)
	r.Recent, r.Tournaments = r.Recent[:n], r.Tournaments[:n]
}

// elos is how strong a game is.
func (p *Pairing) elos() int { return int(p.WhiteElo) + int(p.BlackElo) }

// report puts everything in order.
func (x *explorer) report() (*Report, error) {
	r := &x.result
	typical, err := x.lines.typical()
	if err != nil {
		return nil, err
	}
	for m, move := range x.moves {
		move.Line, move.LineGames = typical[m].moves, typical[m].games
		r.Moves = append(r.Moves, *move)
	}
	slices.SortFunc(r.Moves, func(a, b MoveReport) int {
		return cmp.Or(cmp.Compare(b.Score.Games(), a.Score.Games()), cmp.Compare(a.Move, b.Move))
	})
	for c, players := range x.players {
		list := make([]PlayerReport, 0, len(players))
		for _, p := range players {
			list = append(list, *p)
		}
		slices.SortFunc(list, func(a, b PlayerReport) int {
			return cmp.Or(cmp.Compare(b.Elo, a.Elo), cmp.Compare(b.Score.Games(), a.Score.Games()), cmp.Compare(a.Player, b.Player))
		})
		r.Players[c] = slices.Clone(list[:min(len(list), x.opt.Players)])
	}
	return r, nil
}
