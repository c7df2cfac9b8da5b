package stats

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"cbkit/eco"
	"cbkit/model"
)

// ScoreBoard is the score of all games of a source, from White's view, or that of
// some players.
type ScoreBoard struct {
	// Players and Opponents are the names of those who were asked for and have
	// games, in the order of their ids.
	Players   []string `json:"players,omitempty"`
	Opponents []string `json:"opponents,omitempty"`
	// FirstYear and LastYear are those of the games, 0 if none has a date.
	FirstYear int `json:"firstYear,omitempty"`
	LastYear  int `json:"lastYear,omitempty"`
	Sides
	// Openings begin with the most played. Years ascend; games without a date come first,
	// as year 0.
	Openings []OpeningScore `json:"openings"`
	Years    []YearScore    `json:"years"`
	// Groups are those of ScoreOptions.By, one after the other.
	Groups []GroupScore `json:"groups,omitempty"`
}

// Sides are the score of all games, and of those with each colour. Where no player
// was asked for, All is White's, and the others are nil.
type Sides struct {
	All   Tally  `json:"all"`
	White *Tally `json:"white,omitempty"`
	Black *Tally `json:"black,omitempty"`
}

// OpeningScore is the score with an opening. The opening of a game is that of its code or
// else of its positions; games with neither count under an empty code and name.
type OpeningScore struct {
	ECO  string `json:"eco,omitempty"` // without a sub-code
	Name string `json:"name,omitempty"`
	Sides
}

// YearScore is the score of a year.
type YearScore struct {
	Year int   `json:"year,omitempty"`
	All  Tally `json:"all"`
}

// ScoreOptions configures which games [Scores] counts.
type ScoreOptions struct {
	// Player and Versus choose players by their ids in the source and their values; nil
	// is every player. A game between two that Player chooses counts for both.
	Player, Versus func(model.EntityID, model.Player) bool
	// Again, if not nil, is a source of the same records that can be read after all
	// headers: moves are read from it, from the first game without a code to the last. If
	// it is nil the moves of all games are read.
	Again model.Source
	// By are words of [Groupings]; "color" and "opponent" make sense with Player.
	By []string
	Options
}

// Scores counts the games of a source. It finds the openings of games without a code by
// their positions; if only the header of such a game can be read, it has no opening.
func Scores(ctx context.Context, src model.Source, opt ScoreOptions) (*ScoreBoard, error) {
	s := scorer{players: chosen{by: opt.Player}, opponents: chosen{by: opt.Versus}, years: map[uint16]*Tally{}, by: opt.By}
	for _, by := range opt.By {
		if !slices.Contains(Groupings(), by) {
			return nil, fmt.Errorf("%q is nothing to group games by; there are %s", by, strings.Join(Groupings(), ", "))
		}
		s.groups = append(s.groups, map[string]*Tally{})
	}
	want := model.WantMoves
	if opt.Again != nil {
		want = 0
	}
	e := src.Entities()
	var later []model.RecordID // those whose openings their moves tell
	for rec, err := range opt.records(ctx, src, want) {
		if err != nil {
			return nil, err
		}
		if rec.Game == nil {
			continue
		}
		h, counts := &rec.Game.Header, false
		for as := range s.sides(h, e) {
			s.add(h, as, e)
			counts = true
		}
		if counts && opt.Again != nil && !h.ECO.Valid() {
			later = append(later, rec.ID)
		} else if counts {
			s.open(rec.Game, e)
		}
	}
	if len(later) == 0 {
		return s.board(e), nil
	}
	for rec, err := range opt.records(ctx, behind{opt.Again, later[0]}, model.WantMoves) {
		if err != nil {
			return nil, err
		}
		for len(later) > 0 && later[0] < rec.ID { // one that cannot be read
			later = later[1:]
		}
		if len(later) > 0 && later[0] == rec.ID {
			s.open(rec.Game, e)
			later = later[1:]
		}
		if len(later) == 0 {
			break
		}
	}
	return s.board(e), nil
}

// numCodes is how many opening codes there are, A00 to E99.
const numCodes = 500

// scorer counts games.
type scorer struct {
	result             ScoreBoard
	players, opponents chosen
	openings           [1 + numCodes]Sides // by index of the code plus one
	years              map[uint16]*Tally
	by                 []string
	groups             []map[string]*Tally // for each of by
}

// chosen remembers which players were chosen.
type chosen struct {
	by   func(model.EntityID, model.Player) bool // nil chooses all
	seen []uint8                                 // by player: not asked yet, no, yes, yes and with games
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
		if c.by(id, e.Players.Value(id)) {
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

// names returns the names of the chosen players that have games.
func (c *chosen) names(e *model.Entities) (names []string) {
	for id, state := range c.seen {
		if state == hasPlayed {
			names = append(names, e.Players.Value(model.EntityID(id)).String())
		}
	}
	return names
}

// sides yields the colours for which a game counts.
func (s *scorer) sides(h *model.Header, e *model.Entities) iter.Seq[model.Color] {
	return func(yield func(model.Color) bool) {
		if s.players.has(h.White, e) && s.opponents.has(h.Black, e) && !yield(model.White) {
			return
		}
		if s.players.by != nil && s.players.has(h.Black, e) && s.opponents.has(h.White, e) {
			yield(model.Black)
		}
	}
}

// open counts a game for its opening, from all views.
func (s *scorer) open(g *model.Game, e *model.Entities) {
	code := g.ECO
	if !code.Valid() {
		o, _, _ := eco.Classify(g)
		code = o.Code
	}
	opening := &s.openings[0]
	if code.Valid() {
		opening = &s.openings[1+code.Index()]
	}
	for as := range s.sides(&g.Header, e) {
		s.tally(opening, &g.Header, as)
	}
}

// tally counts a game for all of them and for the colour.
func (s *scorer) tally(sides *Sides, h *model.Header, as model.Color) {
	sides.All.addGame(h, as)
	if s.players.by == nil {
		return
	}
	if sides.White == nil {
		sides.White, sides.Black = &Tally{}, &Tally{}
	}
	[]*Tally{sides.White, sides.Black}[as].addGame(h, as)
}

// add counts a game from the view of a colour.
func (s *scorer) add(h *model.Header, as model.Color, e *model.Entities) {
	players := playersOf(h)
	s.players.played(players[as].id)
	s.opponents.played(players[as.Other()].id)
	year := s.years[h.Date.Year]
	if year == nil {
		year = &Tally{}
		s.years[h.Date.Year] = year
	}
	year.addGame(h, as)
	for i, by := range s.by {
		if by == "eco" {
			continue
		}
		name := groupOf(by, h, as, e)
		t := s.groups[i][name]
		if t == nil {
			t = &Tally{}
			s.groups[i][name] = t
		}
		t.addGame(h, as)
	}
	s.tally(&s.result.Sides, h, as)
}

// behind are the records of a source from one on.
type behind struct {
	model.Source
	first model.RecordID
}

// Records implements [model.Source].
func (b behind) Records(ctx context.Context, _ model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return b.Source.Records(ctx, b.first, want)
}

// board returns what was counted.
func (s *scorer) board(e *model.Entities) *ScoreBoard {
	b := &s.result
	b.Players, b.Opponents = s.players.names(e), s.opponents.names(e)
	b.Openings, b.Years = []OpeningScore{}, []YearScore{}
	for i, sides := range s.openings {
		if sides.All.Games() == 0 {
			continue
		}
		o := OpeningScore{Sides: sides}
		if i > 0 {
			code := model.NewECO(i-1, 0)
			opening, _ := eco.Named(code)
			o.ECO, o.Name = code.String(), opening.Name
		}
		b.Openings = append(b.Openings, o)
	}
	slices.SortStableFunc(b.Openings, func(x, y OpeningScore) int { return cmp.Compare(y.All.Games(), x.All.Games()) })
	for _, year := range slices.Sorted(maps.Keys(s.years)) { // 0 first, which is none
		b.Years = append(b.Years, YearScore{int(year), *s.years[year]})
		b.FirstYear, b.LastYear = cmp.Or(b.FirstYear, int(year)), int(year)
	}
	b.Groups = s.grouped()
	return b
}
