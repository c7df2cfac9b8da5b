package stats

import (
	"cmp"
	"context"
	"slices"

	"cbkit/model"
)

// ScoreBoard is the score of all games of a source, from White's view, or that of
// some players.
type ScoreBoard struct {
	// Players and Opponents are those who were asked for and have games, in the
	// order of their ids.
	Players, Opponents []model.EntityID
	// All are all games, White and Black those with each colour. Without players
	// All and White are the same.
	All, White, Black Tally
	// FirstYear and LastYear are those of the games, 0 if none has a date.
	FirstYear, LastYear int
	// Openings are the openings, the most played first; Years ascending, those
	// games without a date first, under 0.
	Openings []OpeningScore
	Years    []YearScore
}

// OpeningScore is the score with an opening.
type OpeningScore struct {
	// ECO has no sub-code; it is 0 for games without a code.
	ECO          model.ECO
	White, Black Tally
}

// All returns the score with both colours.
func (s *OpeningScore) All() Tally {
	all := s.White
	all.merge(&s.Black)
	return all
}

// YearScore is the score of a year.
type YearScore struct {
	Year int
	Tally
}

// ScoreOptions configures which games [Scores] counts.
type ScoreOptions struct {
	// Player and Versus choose players by their values; nil is everybody. A game
	// between two that Player chooses counts for both.
	Player, Versus func(model.Player) bool
	Options
}

// Scores counts the games of a source. It reads headers only.
func Scores(ctx context.Context, src model.Source, opt ScoreOptions) (*ScoreBoard, error) {
	s := scorer{players: chosen{by: opt.Player}, opponents: chosen{by: opt.Versus}, years: map[uint16]*Tally{}}
	s.openings = make([]OpeningScore, 1+numCodes)
	e := src.Entities()
	for rec, err := range opt.records(ctx, src, model.WantHeaders) {
		if err != nil {
			return nil, err
		}
		if rec.Game == nil {
			continue
		}
		h := &rec.Game.Header
		if s.players.has(h.White, e) && s.opponents.has(h.Black, e) {
			s.add(h, model.White)
		}
		if opt.Player != nil && s.players.has(h.Black, e) && s.opponents.has(h.White, e) {
			s.add(h, model.Black)
		}
	}
	return s.board(), nil
}

// numCodes is how many opening codes there are, A00 to E99.
const numCodes = 500

// scorer counts games.
type scorer struct {
	result             ScoreBoard
	players, opponents chosen
	openings           []OpeningScore // by index of the code plus one
	years              map[uint16]*Tally
}

// chosen remembers which players were chosen.
type chosen struct {
	by   func(model.Player) bool // nil chooses all
	seen []uint8                 // by player: not asked yet, no, yes, yes and with games
}

const (
	notAsked uint8 = iota
	notChosen
	isChosen
	hasPlayed
)

// has reports whether a player is chosen.
func (c *chosen) has(id model.EntityID, e *model.Entities) bool {
	if c.by == nil {
		return true
	}
	if id < 0 || int(id) >= e.Players.Len() {
		return false
	}
	if n := int(id) + 1 - len(c.seen); n > 0 {
		c.seen = append(c.seen, make([]uint8, n)...)
	}
	if c.seen[id] == notAsked {
		c.seen[id] = notChosen
		if c.by(e.Players.Value(id)) {
			c.seen[id] = isChosen
		}
	}
	return c.seen[id] >= isChosen
}

// played notes that a chosen player has a game that counts.
func (c *chosen) played(id model.EntityID) {
	if c.by != nil {
		c.seen[id] = hasPlayed
	}
}

// list returns the chosen players that have games.
func (c *chosen) list() (ids []model.EntityID) {
	for id, state := range c.seen {
		if state == hasPlayed {
			ids = append(ids, model.EntityID(id))
		}
	}
	return ids
}

// add counts a game from the view of a colour.
func (s *scorer) add(h *model.Header, as model.Color) {
	b := &s.result
	opening := &s.openings[0]
	if h.ECO.Valid() {
		opening = &s.openings[1+h.ECO.Index()]
	}
	player, opponent := h.White, h.Black
	color, inOpening := &b.White, &opening.White
	if as == model.Black {
		player, opponent = h.Black, h.White
		color, inOpening = &b.Black, &opening.Black
	}
	s.players.played(player)
	s.opponents.played(opponent)
	year := s.years[h.Date.Year]
	if year == nil {
		year = &Tally{}
		s.years[h.Date.Year] = year
	}
	for _, t := range []*Tally{&b.All, color, inOpening, year} {
		t.addGame(h, as)
	}
}

// board returns what was counted.
func (s *scorer) board() *ScoreBoard {
	b := &s.result
	b.Players, b.Opponents = s.players.list(), s.opponents.list()
	for i, o := range s.openings {
		if o.White.Games()+o.Black.Games() == 0 {
			continue
		}
		if i > 0 {
			o.ECO = model.NewECO(i-1, 0)
		}
		b.Openings = append(b.Openings, o)
	}
	slices.SortStableFunc(b.Openings, func(x, y OpeningScore) int {
		return cmp.Compare(y.White.Games()+y.Black.Games(), x.White.Games()+x.Black.Games())
	})
	for year, t := range s.years {
		b.Years = append(b.Years, YearScore{int(year), *t})
		if year != 0 {
			b.LastYear = max(b.LastYear, int(year))
			if b.FirstYear == 0 || int(year) < b.FirstYear {
				b.FirstYear = int(year)
			}
		}
	}
	slices.SortFunc(b.Years, func(x, y YearScore) int { return cmp.Compare(x.Year, y.Year) })
	return b
}
