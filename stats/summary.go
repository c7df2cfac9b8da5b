package stats

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// summaryMost is how many players of each side, and how many of the last games, can be
// recalled of a summary.
const summaryMost = 20

// SummaryPlies is the length of the lines in a summary (see [Summarize]), in plies; it is
// the default of ExploreOptions.Plies.
const SummaryPlies = 12

// summaryKept is what a summary has: more than can be recalled, so that some of it may
// change (see [summary.change]).
var summaryKept = mostKept{players: 64, recent: 2 * summaryMost, best: 8}

// summaryMemory is how many bytes lines take before they go to a file.
const summaryMemory = 16 << 20

// Summarize returns a summary of some games, from which [Recall] makes the report that
// [Explore] would make. Names are looked up by Recall. Ids are those of the games, in
// ascending order; deleted games, and those that do not reach the position, do not count.
func Summarize(ctx context.Context, db model.Numbered, ids []model.RecordID, position board.Position, opt Options) ([]byte, error) {
	x := newExplorer(position, ExploreOptions{Options: opt}.complete(), summaryKept)
	x.lines.memory = summaryMemory
	defer x.lines.close()
	for rec, err := range db.RecordsOf(ctx, slices.Values(ids), model.WantMoves) {
		if err != nil && rec.ID != 0 && opt.OnError != nil {
			if err = opt.OnError(rec.ID, err); err == nil {
				continue
			}
		}
		if err == nil && rec.Game != nil && !rec.Deleted {
			err = x.add(rec.ID, rec.Game)
		}
		if err != nil {
			return nil, err
		}
	}
	s, err := x.summary()
	if err != nil {
		return nil, err
	}
	s.Position = diagram(position)
	return json.Marshal(s)
}

// Recall makes a report from a summary of [Summarize]. Was are the records that have
// changed since, as they were then; is are the changed and the new records as they are
// now. It returns false if the summary is damaged or of another position, has fewer
// players, games or plies than asked for, or if so much has changed that other players or
// games may belong in the report.
func Recall(kept []byte, was, is []model.Record, position board.Position, e *model.Entities, opt ExploreOptions) (*Report, bool) {
	var s summary
	opt = opt.complete()
	if opt.Plies != SummaryPlies || json.Unmarshal(kept, &s) != nil || s.Position != diagram(position) || !s.isSound(position) {
		return nil, false
	}
	if !s.change(position, was, is) || !s.has(opt) {
		return nil, false
	}
	return s.report(position, opt, e), true
}

// summary is what is known of the games that reach a position, without names. Its lists
// are in order, and may end before all is in them.
type summary struct {
	Position string
	Years    yearCounts
	Score    storedTally
	Ended    int
	Moves    []summaryMove
	Players  [2]int // how many there are
	Best     [2][]summaryPlayer
	Recent   []recentGame
}

// summaryMove is a move. Its lines are those beginnings that one of sharedLines of its
// games have.
type summaryMove struct {
	Move  model.Move
	Score storedTally
	Years yearCounts
	Best  []bestGame
	Lines lineNode
}

// sharedLines is of how many games of a move one must have a beginning, for it to be kept.
// Typical lines need a tenth.
const sharedLines = 40

// leastShared returns how many games a beginning must have that is kept, of so many.
func leastShared(games int) int { return max(1, games/sharedLines) }

// summaryPlayer is a player with his highest rating, and in how many games it was that.
type summaryPlayer struct {
	ID           model.EntityID
	Elo, Highest int
	Score        storedTally
}

// compare orders by ratings, then by games.
func (p summaryPlayer) compare(o summaryPlayer) int {
	return cmp.Or(cmp.Compare(o.Elo, p.Elo), cmp.Compare(o.Score.Games(), p.Score.Games()), cmp.Compare(p.ID, o.ID))
}

// bestGame is a game of a move by the rating of the player.
type bestGame struct {
	ID     model.RecordID
	Elo    int
	Player model.EntityID
}

// compare orders by ratings, then by numbers.
func (g bestGame) compare(o bestGame) int {
	return cmp.Or(cmp.Compare(o.Elo, g.Elo), cmp.Compare(g.ID, o.ID))
}

// recentGame is one of the last games.
type recentGame struct {
	ID                       model.RecordID
	White, Black, Tournament model.EntityID
	WhiteElo, BlackElo       uint16
	Result                   model.Result
	Date                     summaryDate
}

// summaryDate is a date as its numbers.
type summaryDate struct {
	Year       uint16
	Month, Day uint8
}

func recentOf(id model.RecordID, h *model.Header) recentGame {
	return recentGame{id, h.White, h.Black, h.Tournament, h.WhiteElo, h.BlackElo, h.Result, summaryDate(h.Date)}
}

// compare orders by dates, the last first, then by ratings.
func (g recentGame) compare(o recentGame) int {
	return cmp.Or(compareDates(model.Date(o.Date), model.Date(g.Date)), cmp.Compare(o.elos(), g.elos()), cmp.Compare(g.ID, o.ID))
}

// elos is how strong a game is.
func (g *recentGame) elos() int { return int(g.WhiteElo) + int(g.BlackElo) }

// storedTally is a tally that is stored as its numbers, in the order of its fields.
type storedTally struct{ Tally }

// MarshalJSON implements [json.Marshaler].
func (t storedTally) MarshalJSON() ([]byte, error) {
	return json.Marshal([]int64{
		int64(t.Wins), int64(t.Draws), int64(t.Losses), int64(t.Unfinished),
		t.own.sum, t.own.n, t.opponents.sum, t.opponents.n, t.rated.sum, t.rated.n, t.ratedHalves,
	})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (t *storedTally) UnmarshalJSON(b []byte) error {
	var s [11]int64
	err := json.Unmarshal(b, &s)
	t.Tally = Tally{int(s[0]), int(s[1]), int(s[2]), int(s[3]), ratings{s[4], s[5]}, ratings{s[6], s[7]}, ratings{s[8], s[9]}, s[10]}
	return err
}

// diagram is the FEN of the pieces and the side to move.
func diagram(p board.Position) string {
	m := p.Model()
	m.Rights, m.EnPassant, m.HalfMoves, m.FullMove = model.CastlingRights{}, model.NoFile, 0, 1
	return board.FormatFEN(&m)
}

// MarshalJSON implements [json.Marshaler]: a list of years and counts.
func (y yearCounts) MarshalJSON() ([]byte, error) {
	list := make([][2]int, 0, len(y))
	for _, year := range slices.Sorted(maps.Keys(y)) {
		list = append(list, [2]int{int(year), y[year]})
	}
	return json.Marshal(list)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (y *yearCounts) UnmarshalJSON(b []byte) error {
	var pairs [][2]int
	if err := json.Unmarshal(b, &pairs); err != nil {
		return err
	}
	*y = yearCounts{}
	for _, p := range pairs {
		(*y)[uint16(p[0])] = p[1]
	}
	return nil
}

// span returns the first and the last year that is known, 0 if none is.
func (y yearCounts) span() (first, last int) {
	var known bounds
	for year := range y {
		known.add(year)
	}
	return int(known.least), int(known.most)
}

// count adds so many games of a year.
func (y yearCounts) count(year uint16, by int) {
	if y[year] += by; y[year] == 0 {
		delete(y, year)
	}
}

// isSound reports whether no year has less than nothing.
func (y yearCounts) isSound() bool {
	for _, n := range y {
		if n < 0 {
			return false
		}
	}
	return true
}

// MarshalJSON implements [json.Marshaler]: the nodes as bytes, each with its depth, its move
// and its games.
func (n lineNode) MarshalJSON() ([]byte, error) { return json.Marshal(n.append(nil, 0)) }

func (n *lineNode) append(dst []byte, depth byte) []byte {
	dst = append(dst, depth, byte(n.move>>8), byte(n.move))
	dst = binary.AppendUvarint(dst, uint64(n.games))
	for i := range n.next {
		dst = n.next[i].append(dst, depth+1)
	}
	return dst
}

// UnmarshalJSON implements [json.Unmarshaler].
func (n *lineNode) UnmarshalJSON(b []byte) error {
	var nodes []byte
	if err := json.Unmarshal(b, &nodes); err != nil {
		return err
	}
	*n = lineNode{}
	if rest := n.parse(nodes, 0); len(rest) > 0 || n.games == 0 {
		return model.ErrCorrupt
	}
	return nil
}

// parse reads a node and those behind it, and returns what is left: of a damaged one all.
func (n *lineNode) parse(b []byte, depth byte) []byte {
	if len(b) < 4 || b[0] != depth {
		return b
	}
	games, size := binary.Uvarint(b[3:])
	if size <= 0 || games > 1<<31 || depth > SummaryPlies {
		return b
	}
	n.move, n.games = model.Move(b[1])<<8|model.Move(b[2]), int(games)
	b = b[3+size:]
	for len(b) > 0 && b[0] == depth+1 {
		var next lineNode
		rest := next.parse(b, depth+1)
		if len(rest) == len(b) {
			return b
		}
		n.next, b = append(n.next, next), rest
	}
	return b
}

// summary returns what was counted.
func (x *explorer) summary() (*summary, error) {
	s := &x.counted
	lines, err := x.lines.beginnings(func(m model.Move) int { return leastShared(x.moves[m].Score.Games()) })
	if err != nil {
		return nil, err
	}
	for m, move := range x.moves {
		move.Lines = lines[m]
		s.Moves = append(s.Moves, *move)
	}
	s.sortMoves()
	for c := range s.Best {
		list := make([]summaryPlayer, 0, len(x.players[c]))
		for _, p := range x.players[c] {
			list = append(list, *p)
		}
		slices.SortFunc(list, summaryPlayer.compare)
		s.Players[c] = len(list)
		s.Best[c] = slices.Clone(list[:min(len(list), x.most.players)])
	}
	return s, nil
}

// sortMoves puts the moves in their order: the most played first.
func (s *summary) sortMoves() {
	slices.SortFunc(s.Moves, func(a, b summaryMove) int {
		return cmp.Or(cmp.Compare(b.Score.Games(), a.Score.Games()), cmp.Compare(a.Move, b.Move))
	})
}

// report gives names to what is known, and says moves in words.
func (s *summary) report(position board.Position, opt ExploreOptions, e *model.Entities) *Report {
	name := func(id model.EntityID) string { return e.Players.Value(id).String() }
	r := &Report{Score: s.Score.Tally, Ended: s.Ended, Moves: []MoveReport{}, Recent: []RecentGame{}}
	r.FirstYear, r.LastYear = s.Years.span()
	for i := range s.Moves {
		m := &s.Moves[i]
		move := MoveReport{Move: m.Move, UCI: m.Move.String(), SAN: position.SAN(m.Move), Score: m.Score.Tally, Best: name(model.NoEntity)}
		_, move.LastYear = m.Years.span()
		if len(m.Best) > 0 {
			move.Best, move.Elo = name(m.Best[0].Player), m.Best[0].Elo
		}
		line, games := m.Lines.typical()
		move.Line, move.LineGames = FormatLine(position, line), games
		r.Moves = append(r.Moves, move)
	}
	for c, best := range []*[]PlayerReport{&r.BestWhite, &r.BestBlack} {
		*best = []PlayerReport{}
		for _, p := range s.Best[c][:min(opt.Players, len(s.Best[c]))] {
			*best = append(*best, PlayerReport{name(p.ID), p.Elo, p.Score.Tally})
		}
	}
	for _, g := range s.Recent[:min(opt.Recent, len(s.Recent))] {
		r.Recent = append(r.Recent, RecentGame{
			"", g.ID, name(g.White), name(g.Black), g.WhiteElo, g.BlackElo, g.Result.String(), dateText(model.Date(g.Date)), e.Tournaments.Value(g.Tournament).Title,
		})
	}
	return r
}
