package stats

import (
	"cmp"
	"slices"
	"strings"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// TeamTable is the table of the teams of a tournament. All games of two teams in a round,
// or on a day if rounds have no numbers, are one match. The team with more board points
// gets two match points; if they are equal, each gets one.
type TeamTable struct {
	Event
	// Teamless is how many games do not count, because a side has no team.
	Teamless int `json:"teamless,omitempty"`
	// Standings are the teams, the first one best: by match points, board points and
	// name.
	Standings []TeamStanding `json:"teams"`
}

// TeamStanding is a team in a table.
type TeamStanding struct {
	Rank        int            `json:"rank"` // from 1
	Team        model.EntityID `json:"-"`
	Name        string         `json:"name"`
	Won         int            `json:"won"`
	Drawn       int            `json:"drawn"`
	Lost        int            `json:"lost"`
	MatchPoints int            `json:"matchPoints"`
	BoardPoints float64        `json:"boardPoints"`
	// Matches are the team's matches in the order of the rounds.
	Matches []TeamMatch `json:"matches"`
}

// TeamMatch is a match from the view of one team. A match without a result of any game has
// no match points.
type TeamMatch struct {
	Opponent int     `json:"opponent"` // its rank
	Round    uint16  `json:"round,omitempty"`
	Date     string  `json:"date,omitempty"`
	For      float64 `json:"for"` // board points
	Against  float64 `json:"against"`
}

// matchKey tells matches apart. The lower id of both teams is the first.
type matchKey struct {
	round         uint16
	date          model.Date // where rounds have no numbers
	first, second model.EntityID
}

// teamPoints are the board points of both teams of a match, in halves.
type teamPoints struct {
	halves [2]int
	known  bool // a game has a result
	date   model.Date
}

// NewTeamTable makes the table of the teams of an edition, whose ids are those of e.
func NewTeamTable(edition *Edition, e *model.Entities) *TeamTable {
	t := &TeamTable{Event: edition.Event(), Standings: []TeamStanding{}}
	t.Games = 0
	matches := map[matchKey]*teamPoints{}
	var order []matchKey
	for i := range edition.Games {
		g := &edition.Games[i]
		white, black := e.Teams.Value(g.WhiteTeam).Title, e.Teams.Value(g.BlackTeam).Title
		if white == "" || black == "" || g.WhiteTeam == g.BlackTeam {
			t.Teamless++
			continue
		}
		t.Games++
		key := matchKey{round: g.Round, first: min(g.WhiteTeam, g.BlackTeam), second: max(g.WhiteTeam, g.BlackTeam)}
		if g.Round == 0 {
			key.date = g.Date
		}
		m := matches[key]
		if m == nil {
			m = &teamPoints{date: g.Date}
			matches[key] = m
			order = append(order, key)
		}
		if halves := halfPoints(g.Result, model.White); halves >= 0 {
			side := 0
			if g.WhiteTeam != key.first {
				side = 1
			}
			m.known = true
			m.halves[side] += halves
			m.halves[1-side] += halfPoints(g.Result, model.Black)
		}
	}
	slices.SortStableFunc(order, func(a, b matchKey) int {
		return cmp.Or(cmp.Compare(a.round, b.round), compareDates(matches[a].date, matches[b].date))
	})
	at := map[model.EntityID]int{}
	team := func(id model.EntityID) int {
		i, known := at[id]
		if !known {
			i = len(t.Standings)
			at[id] = i
			t.Standings = append(t.Standings, TeamStanding{Team: id, Name: e.Teams.Value(id).Title})
		}
		return i
	}
	for _, key := range order {
		m := matches[key]
		sides := [2]int{team(key.first), team(key.second)}
		for side, i := range sides {
			t.Standings[i].enter(sides[1-side], key.round, m, side)
		}
	}
	t.rank()
	return t
}

// enter adds a match.
func (s *TeamStanding) enter(opponent int, round uint16, m *teamPoints, side int) {
	mine, theirs := m.halves[side], m.halves[1-side]
	s.Matches = append(s.Matches, TeamMatch{opponent, round, dateText(m.date), float64(mine) / 2, float64(theirs) / 2})
	s.BoardPoints += float64(mine) / 2
	switch {
	case !m.known:
	case mine > theirs:
		s.Won++
		s.MatchPoints += 2
	case mine == theirs:
		s.Drawn++
		s.MatchPoints++
	default:
		s.Lost++
	}
}

// rank puts the teams in their order, and ranks in the place of opponents.
func (t *TeamTable) rank() {
	list, places := sorted(t.Standings, func(a, b *TeamStanding) int {
		return cmp.Or(cmp.Compare(b.MatchPoints, a.MatchPoints), cmp.Compare(b.BoardPoints, a.BoardPoints),
			strings.Compare(namepattern.Fold(a.Name), namepattern.Fold(b.Name)), cmp.Compare(a.Team, b.Team))
	})
	for i := range list {
		list[i].Rank = i + 1
		for j := range list[i].Matches {
			m := &list[i].Matches[j]
			m.Opponent = places[m.Opponent] + 1
		}
	}
	t.Standings = list
}
