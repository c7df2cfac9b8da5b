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
	// FirstYear and LastYear are those of the games, 0 if none has a date.
	FirstYear int `json:"firstYear,omitempty"`
	LastYear  int `json:"lastYear,omitempty"`
	// Score is White's.
	Score Tally `json:"white"`
	// Ended are the games that ended in the position.
	Ended int `json:"ended"`
	// Moves are the moves that were played, the most played first.
	Moves []MoveReport `json:"moves"`
	// BestWhite and BestBlack are the players with the highest ratings; a player
	// without any rating comes last.
	BestWhite []PlayerReport `json:"bestWhite"`
	BestBlack []PlayerReport `json:"bestBlack"`
	// Recent are the last games, of one day the strongest first.
	Recent []RecentGame `json:"recent"`
}

// MoveReport is a move with what became of it.
type MoveReport struct {
	Move model.Move `json:"-"`
	UCI  string     `json:"uci"`
	SAN  string     `json:"san"`
	// Score is that of the side that moves.
	Score Tally `json:"score"`
	// LastYear is when it was last played, 0 if not known.
	LastYear int `json:"lastYear,omitempty"`
	// Best is the player with the highest rating who played it, and Elo that
	// rating; "" and 0 if no rating is known.
	Best string `json:"bestPlayer,omitempty"`
	Elo  int    `json:"bestElo,omitempty"`
	// Line is what is played most, move by move, from this move on: "2.Nf3 d6";
	// LineGames is how many games follow it to the end.
	Line      string `json:"line"`
	LineGames int    `json:"lineGames"`

	best model.EntityID
	line []model.Move
}

// PlayerReport is a player with the games in which he reached the position.
type PlayerReport struct {
	Name  string `json:"name"`
	Elo   int    `json:"elo,omitempty"` // the highest, 0 if not known
	Score Tally  `json:"score"`

	id model.EntityID
}

// RecentGame is a game that was played lately.
type RecentGame struct {
	ID       model.RecordID `json:"id"`
	White    string         `json:"white"`
	Black    string         `json:"black"`
	WhiteElo uint16         `json:"whiteElo,omitempty"`
	BlackElo uint16         `json:"blackElo,omitempty"`
	Result   string         `json:"result"`
	Date     string         `json:"date,omitempty"` // "2024.05.??", "" if not known
	Event    string         `json:"event,omitempty"`
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

// Explore reports on a position. Variations do not count, nor do games whose moves cannot
// all be read, as in a search. It needs the main lines
// of all games; the lines from the position on are sorted in temporary files if
// they are many.
func Explore(ctx context.Context, src model.Source, position board.Position, opt ExploreOptions) (*Report, error) {
	x := newExplorer(position, opt)
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
	if _, err := x.finish(); err != nil {
		return nil, err
	}
	return x.name(src.Entities()), nil
}

// usualPlies is how long typical lines are.
const usualPlies = 12

// explorer makes a report.
type explorer struct {
	opt     ExploreOptions
	want    board.Position
	pieces  int
	result  Report
	moves   map[model.Move]*MoveReport
	players [2]map[model.EntityID]*PlayerReport
	recent  []recent
	lines   lineSorter
	line    []model.Move
}

func newExplorer(want board.Position, opt ExploreOptions) *explorer {
	opt.Players, opt.Recent, opt.Plies = cmp.Or(opt.Players, 5), cmp.Or(opt.Recent, 5), cmp.Or(opt.Plies, usualPlies)
	x := &explorer{opt: opt, want: want, pieces: bits.OnesCount64(want.Occupied()), moves: map[model.Move]*MoveReport{}}
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

// add takes a game if it reaches the position, and all of its moves can be read.
func (x *explorer) add(id model.RecordID, g *model.Game) error {
	node, ok := x.reached(g)
	if !ok || g.MovesErr != nil {
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
		p = &PlayerReport{id: id}
		x.players[c][id] = p
	}
	p.Elo = max(p.Elo, int(elo))
	p.Score.addGame(h, c)
}

// play counts a game for its move.
func (x *explorer) play(m model.Move, h *model.Header) {
	r := x.moves[m]
	if r == nil {
		r = &MoveReport{Move: m, best: model.NoEntity}
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
		r.best, r.Elo = player, elo
	}
}

// recent is one of the last games.
type recent struct {
	id model.RecordID
	model.Header
}

// remember keeps a game while it is one of the last.
func (x *explorer) remember(id model.RecordID, h *model.Header) {
	g := recent{id, *h}
	g.Tags = nil
	at, _ := slices.BinarySearchFunc(x.recent, g, func(a, b recent) int {
		return cmp.Or(compareDates(b.Date, a.Date), cmp.Compare(b.elos(), a.elos()), cmp.Compare(a.id, b.id))
	})
	if at < x.opt.Recent {
		x.recent = slices.Insert(x.recent, at, g)
		x.recent = x.recent[:min(len(x.recent), x.opt.Recent)]
	}
}

// elos is how strong a game is.
func (g *recent) elos() int { return int(g.WhiteElo) + int(g.BlackElo) }

// finish puts everything in order.
func (x *explorer) finish() (*Report, error) {
	r := &x.result
	r.Moves = []MoveReport{}
	typical, err := x.lines.typical()
	if err != nil {
		return nil, err
	}
	for m, move := range x.moves {
		move.line, move.LineGames = typical[m].moves, typical[m].games
		r.Moves = append(r.Moves, *move)
	}
	slices.SortFunc(r.Moves, func(a, b MoveReport) int {
		return cmp.Or(cmp.Compare(b.Score.Games(), a.Score.Games()), cmp.Compare(a.Move, b.Move))
	})
	for c, best := range []*[]PlayerReport{&r.BestWhite, &r.BestBlack} {
		list := make([]PlayerReport, 0, len(x.players[c]))
		for _, p := range x.players[c] {
			list = append(list, *p)
		}
		slices.SortFunc(list, func(a, b PlayerReport) int {
			return cmp.Or(cmp.Compare(b.Elo, a.Elo), cmp.Compare(b.Score.Games(), a.Score.Games()), cmp.Compare(a.id, b.id))
		})
		*best = slices.Clone(list[:min(len(list), x.opt.Players)])
	}
	return r, nil
}

// name gives names to what is in order, and says moves in words.
func (x *explorer) name(e *model.Entities) *Report {
	r := &x.result
	name := func(id model.EntityID) string { return e.Players.Value(id).String() }
	for i := range r.Moves {
		m := &r.Moves[i]
		m.UCI, m.SAN, m.Line, m.Best = m.Move.String(), x.want.SAN(m.Move), FormatLine(x.want, m.line), name(m.best)
	}
	for _, best := range [2][]PlayerReport{r.BestWhite, r.BestBlack} {
		for i := range best {
			best[i].Name = name(best[i].id)
		}
	}
	r.Recent = []RecentGame{}
	for _, g := range x.recent {
		r.Recent = append(r.Recent, RecentGame{
			g.id, name(g.White), name(g.Black), g.WhiteElo, g.BlackElo, g.Result.String(), dateText(g.Date), e.Tournaments.Value(g.Tournament).Title,
		})
	}
	return r
}
