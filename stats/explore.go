package stats

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// Report says what happened in a position. A game counts once, from the first time it
// reaches the position. As in a search, a position is the same pieces on the same squares
// and the same side to move.
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
	// Recent are the last games; of games on one day the strongest come first.
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
}

// PlayerReport is a player with the games in which he reached the position.
type PlayerReport struct {
	Name  string `json:"name"`
	Elo   int    `json:"elo,omitempty"` // the highest, 0 if not known
	Score Tally  `json:"score"`
}

// RecentGame is a game that was played lately.
type RecentGame struct {
	File     string         `json:"file,omitempty"` // where ID counts, "" if there is one source
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
	opt = opt.complete()
	x := newExplorer(position, opt, mostKept{opt.Players, opt.Recent, 1})
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
	s, err := x.summary()
	if err != nil {
		return nil, err
	}
	return s.report(position, opt, src.Entities()), nil
}

// complete puts what is usual in place of zeros.
func (opt ExploreOptions) complete() ExploreOptions {
	opt.Players, opt.Recent, opt.Plies = cmp.Or(opt.Players, 5), cmp.Or(opt.Recent, 5), cmp.Or(opt.Plies, SummaryPlies)
	return opt
}

// mostKept is how many players of each side, how many of the last games, and how many
// games of each move with the highest ratings are kept.
type mostKept struct{ players, recent, best int }

// explorer counts the games that reach a position. Moves and players are put into the summary
// when all have been counted.
type explorer struct {
	position
	most    mostKept
	counted summary
	moves   map[model.Move]*summaryMove
	players [2]map[model.EntityID]*summaryPlayer
	lines   lineSorter
}

// yearCounts are how many games there are of each year; 0 is none.
type yearCounts map[uint16]int

func newExplorer(want board.Position, opt ExploreOptions, most mostKept) *explorer {
	x := &explorer{position: newPosition(want, opt.Plies), most: most, moves: map[model.Move]*summaryMove{}}
	x.counted.Years = yearCounts{}
	x.players = [2]map[model.EntityID]*summaryPlayer{{}, {}}
	x.lines.tempDir = opt.TempDir
	return x
}

// position is one that games reach, with the lines behind it.
type position struct {
	want   board.Position
	pieces int
	plies  int // of lines
	line   []model.Move
}

func newPosition(want board.Position, plies int) position {
	return position{want: want, pieces: bits.OnesCount64(want.Occupied()), plies: plies}
}

// lineOf returns the line of a game behind the position, valid until the next call, and
// whether the game counts: it reaches the position as far as its moves can be read.
func (p *position) lineOf(g *model.Game) (line []model.Move, ok bool) {
	if !g.IsPlayable() {
		return nil, false
	}
	at, err := board.New(g.Start)
	if err != nil {
		return nil, false
	}
	main := g.Moves.Nodes()[:g.Moves.MainLen()]
	for !at.SameDiagram(&p.want) {
		if len(main) == 0 || bits.OnesCount64(at.Occupied()) < p.pieces {
			return nil, false
		}
		at.Make(main[0].Move)
		main = main[1:]
	}
	p.line = p.line[:0]
	for _, node := range main[:min(len(main), p.plies)] {
		p.line = append(p.line, node.Move)
	}
	return p.line, true
}

// add takes a game if it counts.
func (x *explorer) add(id model.RecordID, g *model.Game) error {
	line, ok := x.lineOf(g)
	if !ok {
		return nil
	}
	h := &g.Header
	x.counted.count(h, line, 1)
	for c, player := range playersOf(h) {
		if player.id < 0 {
			continue
		}
		p := x.players[c][player.id]
		if p == nil {
			p = &summaryPlayer{ID: player.id}
			x.players[c][player.id] = p
		}
		p.count(h, model.Color(c), 1)
	}
	x.counted.Recent = insertTop(x.counted.Recent, recentOf(id, h), recentGame.compare, x.most.recent)
	if len(line) == 0 {
		return nil
	}
	m := x.moves[line[0]]
	if m == nil {
		m = &summaryMove{Move: line[0], Years: yearCounts{}}
		x.moves[line[0]] = m
	}
	side := x.want.Turn()
	m.count(h, side, 1)
	if player := playersOf(h)[side]; player.elo > 0 {
		m.Best = insertTop(m.Best, bestGame{id, player.elo, player.id}, bestGame.compare, x.most.best)
	}
	return x.lines.add(line)
}

// ratedPlayer is a player of a game with his rating.
type ratedPlayer struct {
	id  model.EntityID
	elo int
}

// playersOf returns the players of a game by their colours.
func playersOf(h *model.Header) [2]ratedPlayer {
	return [2]ratedPlayer{{h.White, int(h.WhiteElo)}, {h.Black, int(h.BlackElo)}}
}

// insertTop inserts one into a sorted list of so many at most.
func insertTop[T any](list []T, one T, compare func(a, b T) int, most int) []T {
	if len(list) == most && (most == 0 || compare(list[most-1], one) <= 0) {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, one, compare)
	list = slices.Insert(list, at, one)
	return list[:min(len(list), most)]
}
