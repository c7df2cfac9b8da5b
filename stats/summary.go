package stats

import (
	"context"
	"encoding/json"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// SummaryMost is how many players of each side, and how many of the last games, a summary
// has.
const SummaryMost = 20

// summaryMemory is how many bytes lines take before they go to a file.
const summaryMemory = 16 << 20

// Summarize makes of some games what [Recall] makes their report of, as [Explore] would. It
// holds as long as the games are what they are; names are those that entities have when it
// is recalled. Games are given by their ids, in ascending order; deleted ones, and those
// that do not reach the position, do not count.
func Summarize(ctx context.Context, db model.Numbered, ids []model.RecordID, position board.Position, opt Options) ([]byte, error) {
	x := newExplorer(position, ExploreOptions{Players: SummaryMost, Recent: SummaryMost, Options: opt})
	x.lines.memory = summaryMemory
	defer x.lines.close()
	records := db.RecordsOf(ctx, slices.Values(ids), model.WantMoves)
	if 2*len(ids) > db.Count() { // reading on is faster
		records = db.Records(ctx, 1, model.WantMoves)
	}
	for rec, err := range records {
		if _, is := slices.BinarySearch(ids, rec.ID); !is && rec.ID != 0 {
			continue
		}
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
	r, err := x.finish()
	if err != nil {
		return nil, err
	}
	s := summary{Position: diagram(position), FirstYear: r.FirstYear, LastYear: r.LastYear, Score: r.Score.stored(), Ended: r.Ended}
	for i := range r.Moves {
		m := &r.Moves[i]
		s.Moves = append(s.Moves, summaryMove{m.Move, m.Score.stored(), m.LastYear, m.best, m.Elo, m.line, m.LineGames})
	}
	for c, list := range [2][]PlayerReport{r.BestWhite, r.BestBlack} {
		for i := range list {
			s.Best[c] = append(s.Best[c], summaryPlayer{list[i].id, list[i].Elo, list[i].Score.stored()})
		}
	}
	for _, g := range x.recent {
		s.Recent = append(s.Recent, summaryGame{g.id, g.White, g.Black, g.Tournament, g.WhiteElo, g.BlackElo, g.Result, summaryDate(g.Date)})
	}
	return json.Marshal(s)
}

// Recall makes a report of what [Summarize] has kept. It reports false if that is of
// another position or damaged, or if more players, games or plies are asked for than it has.
func Recall(kept []byte, position board.Position, e *model.Entities, opt ExploreOptions) (*Report, bool) {
	var s summary
	x := newExplorer(position, opt)
	if x.opt.Plies != usualPlies || json.Unmarshal(kept, &s) != nil || s.Position != diagram(position) {
		return nil, false
	}
	for _, list := range [...]struct{ want, has int }{
		{x.opt.Players, len(s.Best[0])}, {x.opt.Players, len(s.Best[1])}, {x.opt.Recent, len(s.Recent)},
	} {
		if list.want > SummaryMost && list.has >= SummaryMost {
			return nil, false
		}
	}
	r := &x.result
	r.FirstYear, r.LastYear, r.Score, r.Ended, r.Moves = s.FirstYear, s.LastYear, s.Score.tally(), s.Ended, []MoveReport{}
	for _, m := range s.Moves {
		if len(m.Line) == 0 || m.Line[0] != m.Move || !canPlay(position, m.Line) {
			return nil, false
		}
		r.Moves = append(r.Moves, MoveReport{Move: m.Move, Score: m.Score.tally(), LastYear: m.LastYear, best: m.Best, Elo: m.Elo, line: m.Line, LineGames: m.LineGames})
	}
	for c, best := range []*[]PlayerReport{&r.BestWhite, &r.BestBlack} {
		*best = []PlayerReport{}
		for _, p := range s.Best[c][:min(x.opt.Players, len(s.Best[c]))] {
			*best = append(*best, PlayerReport{id: p.ID, Elo: p.Elo, Score: p.Score.tally()})
		}
	}
	for _, g := range s.Recent[:min(x.opt.Recent, len(s.Recent))] {
		x.recent = append(x.recent, recent{g.ID, model.Header{
			White: g.White, Black: g.Black, Tournament: g.Tournament, WhiteElo: g.WhiteElo, BlackElo: g.BlackElo, Result: g.Result, Date: model.Date(g.Date),
		}})
	}
	return x.name(e), true
}

// canPlay reports whether all moves are legal.
func canPlay(p board.Position, moves []model.Move) bool {
	for _, m := range moves {
		if !p.LegalLoose(m) {
			return false
		}
		p.Make(m)
	}
	return true
}

// summary is a report without names, as it is stored.
type summary struct {
	Position            string
	FirstYear, LastYear int
	Score               storedTally
	Ended               int
	Moves               []summaryMove
	Best                [2][]summaryPlayer
	Recent              []summaryGame
}

type summaryMove struct {
	Move      model.Move
	Score     storedTally
	LastYear  int
	Best      model.EntityID
	Elo       int
	Line      []model.Move
	LineGames int
}

type summaryPlayer struct {
	ID    model.EntityID
	Elo   int
	Score storedTally
}

type summaryGame struct {
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

// storedTally are the numbers of a tally, in the order of its fields.
type storedTally [11]int64

func (t *Tally) stored() storedTally {
	return storedTally{
		int64(t.Wins), int64(t.Draws), int64(t.Losses), int64(t.Unfinished),
		t.own.sum, t.own.n, t.opponents.sum, t.opponents.n, t.rated.sum, t.rated.n, t.ratedHalves,
	}
}

func (s storedTally) tally() Tally {
	return Tally{int(s[0]), int(s[1]), int(s[2]), int(s[3]), ratings{s[4], s[5]}, ratings{s[6], s[7]}, ratings{s[8], s[9]}, s[10]}
}

// diagram is the FEN of the pieces and the side to move.
func diagram(p board.Position) string {
	m := p.Model()
	m.Rights, m.EnPassant, m.HalfMoves, m.FullMove = model.CastlingRights{}, model.NoFile, 0, 1
	return board.FormatFEN(&m)
}
