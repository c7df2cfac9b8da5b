package stats

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// Table is the table of a tournament. The package comment defines the tie-breaks.
type Table struct {
	Event         // its games are those that count
	Nation string `json:"nation,omitempty"` // a code of three letters
	// System is model.RoundRobin or model.Swiss.
	System model.EventSystem `json:"system"`
	// Rounds is the highest number of a round, 0 if rounds have none.
	Rounds int `json:"rounds,omitempty"`
	// AverageElo is that of the players, if all of them have a rating, else 0.
	// Category is the stored one or, in a round robin, that of the average.
	AverageElo int `json:"averageElo,omitempty"`
	Category   int `json:"category,omitempty"`
	// Nameless is how many games do not count, because a player has no name.
	Nameless int `json:"nameless,omitempty"`
	// MissingRounds are, in a Swiss, the rounds without any game; Absent is how many
	// players lack games that others have. With either, points are partial.
	MissingRounds []int `json:"missingRounds,omitempty"`
	Absent        int   `json:"absent,omitempty"`
	// Standings are the players, the first one best: by points, in a Swiss then by
	// Buchholz cut 1 and Buchholz, in both by Sonneborn-Berger and wins, and at
	// last by rating and name.
	Standings []Standing `json:"players"`
}

// Standing is a player in a table.
type Standing struct {
	Rank   int            `json:"rank"` // from 1
	Player model.EntityID `json:"-"`
	Name   string         `json:"name"`
	Elo    int            `json:"elo,omitempty"` // the first rating in the tournament, 0 if there is none
	// Points are one for a win and half for a draw or, where the tournament says
	// so, three and one.
	Points float64 `json:"points"`
	Tally  Tally   `json:"score"`
	// The tie-breaks.
	Buchholz        float64 `json:"buchholz"`
	BuchholzCut1    float64 `json:"buchholzCut1"`
	SonnebornBerger float64 `json:"sonnebornBerger"`
	Wins            int     `json:"wins"`
	// Meetings are the player's games by round and date.
	Meetings []Meeting `json:"games"`
}

// Meeting is a game from the view of one player. In a bye, which is no game and has no
// opponent, the player gets the points of the result.
type Meeting struct {
	Opponent int // in Table.Standings, -1 in a bye
	Color    model.Color
	Game     *Pairing
}

// Mark returns the result as tables show it: "1", "½" or "0", "+", "=" and "-" of
// games decided without play, and "*".
func (m *Meeting) Mark() string {
	marks := []string{"0", "½", "1"}
	if m.Opponent < 0 || !isPlayed(m.Game.Result) {
		marks = []string{"-", "=", "+"}
	}
	if halves := m.halves(); halves >= 0 {
		return marks[halves]
	}
	return "*"
}

// MarshalJSON writes the game with the rank of the opponent, the colour and the
// mark.
func (m Meeting) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID       model.RecordID `json:"id"`
		Round    uint16         `json:"round,omitempty"`
		Date     string         `json:"date,omitempty"`
		Opponent int            `json:"opponent"` // 0 in a bye
		Color    string         `json:"color"`
		Mark     string         `json:"mark"`
	}{m.Game.ID, m.Game.Round, dateText(m.Game.Date), m.Opponent + 1, m.Color.String(), m.Mark()})
}

func (m *Meeting) halves() int { return halfPoints(m.Game.Result, m.Color) }

// NewTable makes the table of an edition, whose ids are those of e, as of a
// model.RoundRobin or a model.Swiss. Of others, such as model.NoSystem, it is what the
// database says of the tournament, and else what its games look like: they are a round
// robin if two thirds of all pairs have met.
func NewTable(edition *Edition, e *model.Entities, as model.EventSystem) *Table {
	event := e.Tournaments.Value(edition.Tournament)
	t := &Table{Event: edition.Event(), Nation: event.Country().Code(), System: as, Standings: []Standing{}}
	t.Games = 0
	t.enter(edition.Games, e)
	t.settleSystem(event.Type.System)
	t.score(event.ThreePoints)
	t.findMissing(int(event.Rounds))
	t.rank()
	t.rate(&event)
	return t
}

// enter gathers the games of each player.
func (t *Table) enter(games []Pairing, e *model.Entities) {
	at := map[model.EntityID]int{}
	player := func(id model.EntityID, elo uint16) int {
		i, known := at[id]
		if !known {
			i = len(t.Standings)
			at[id] = i
			t.Standings = append(t.Standings, Standing{Player: id, Name: e.Players.Value(id).String()})
		}
		if s := &t.Standings[i]; s.Elo == 0 {
			s.Elo = int(elo)
		}
		return i
	}
	for i := range games {
		g := &games[i]
		if g.White < 0 || g.Black < 0 || g.White == g.Black {
			t.Nameless++
			continue
		}
		t.Rounds = max(t.Rounds, int(g.Round))
		if white, black := isBye(e.Players.Value(g.White)), isBye(e.Players.Value(g.Black)); white || black {
			switch {
			case !white:
				i := player(g.White, g.WhiteElo)
				t.Standings[i].Meetings = append(t.Standings[i].Meetings, Meeting{-1, model.White, g})
			case !black:
				i := player(g.Black, g.BlackElo)
				t.Standings[i].Meetings = append(t.Standings[i].Meetings, Meeting{-1, model.Black, g})
			}
			continue
		}
		t.Games++
		w, b := player(g.White, g.WhiteElo), player(g.Black, g.BlackElo)
		white, black := &t.Standings[w], &t.Standings[b]
		white.Tally.Add(g.Result, model.White, g.WhiteElo, g.BlackElo)
		black.Tally.Add(g.Result, model.Black, g.BlackElo, g.WhiteElo)
		white.Meetings = append(white.Meetings, Meeting{b, model.White, g})
		black.Meetings = append(black.Meetings, Meeting{w, model.Black, g})
	}
	for i := range t.Standings {
		slices.SortStableFunc(t.Standings[i].Meetings, func(a, b Meeting) int {
			return cmp.Or(cmp.Compare(a.Game.Round, b.Game.Round), compareDates(a.Game.Date, b.Game.Date), cmp.Compare(a.Game.Subround, b.Game.Subround))
		})
	}
}

// byeNames are what stands in the place of an opponent, folded.
var byeNames = []string{"bye", "freilos", "spielfrei", "exempt", "libre"}

// isBye reports whether a player is none.
func isBye(p model.Player) bool {
	return p.FirstName == "" && slices.Contains(byeNames, namepattern.Fold(p.LastName))
}

// findMissing finds the rounds of a Swiss that have no games, and players who lack games
// of others.
func (t *Table) findMissing(announced int) {
	if t.System != model.Swiss || t.Rounds == 0 {
		return
	}
	played := map[int]bool{}
	for i := range t.Standings {
		for _, m := range t.Standings[i].Meetings {
			played[int(m.Game.Round)] = true
		}
	}
	if played[0] {
		return // it is not known which round a game is of
	}
	for round := 1; round <= max(t.Rounds, announced); round++ {
		if !played[round] {
			t.MissingRounds = append(t.MissingRounds, round)
		}
	}
	for i := range t.Standings {
		if len(t.Standings[i].Meetings) < len(played) {
			t.Absent++
		}
	}
}

// maxRoundRobin is how many players a round robin has at most; the cross table of
// more cannot be read.
const maxRoundRobin = 40

// settleSystem decides how the table looks.
func (t *Table) settleSystem(stored model.EventSystem) {
	if t.System == model.RoundRobin || t.System == model.Swiss {
		return
	}
	t.System = model.Swiss
	n := len(t.Standings)
	if n > maxRoundRobin || stored == model.Swiss {
		return
	}
	met := map[[2]int]bool{}
	for i := range t.Standings {
		for _, m := range t.Standings[i].Meetings {
			if m.Opponent >= 0 {
				met[[2]int{min(i, m.Opponent), max(i, m.Opponent)}] = true
			}
		}
	}
	if stored == model.RoundRobin || stored == model.Match || 3*len(met) >= n*(n-1) {
		t.System = model.RoundRobin
	}
}

// score counts points, then the tie-breaks, which depend on those of others.
func (t *Table) score(threePoints bool) {
	worth := [3]float64{0, 0.5, 1} // a loss, a draw and a win
	if threePoints {
		worth = [3]float64{0, 1, 3}
	}
	for i := range t.Standings {
		s := &t.Standings[i]
		s.Points = worth[2]*float64(s.Tally.Wins) + worth[1]*float64(s.Tally.Draws)
		for _, m := range s.Meetings {
			if m.Opponent < 0 && t.System == model.Swiss {
				s.Points += worth[max(0, m.halves())]
			}
		}
	}
	for i := range t.Standings {
		s := &t.Standings[i]
		lowest, met := 0.0, false
		for _, m := range s.Meetings {
			halves := m.halves()
			if halves < 0 || m.Opponent < 0 || !isPlayed(m.Game.Result) {
				continue
			}
			points := t.Standings[m.Opponent].Points
			if !met || points < lowest {
				lowest, met = points, true
			}
			s.Buchholz += points
			s.SonnebornBerger += points * float64(halves) / 2
		}
		s.BuchholzCut1 = s.Buchholz - lowest
	}
}

// rank puts the players in their order.
func (t *Table) rank() {
	list, places := sorted(t.Standings, func(a, b *Standing) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), t.compareTied(a, b), cmp.Compare(b.Elo, a.Elo),
			strings.Compare(a.Name, b.Name), cmp.Compare(a.Player, b.Player))
	})
	for i := range list {
		s := &list[i]
		s.Rank, s.Wins = i+1, s.Tally.Wins
		for j := range s.Meetings {
			if m := &s.Meetings[j]; m.Opponent >= 0 {
				m.Opponent = places[m.Opponent]
			}
		}
	}
	t.Standings = list
}

// sorted returns a list in the order that compare says, and the place there of each one.
func sorted[T any](list []T, compare func(a, b *T) int) (inOrder []T, places []int) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return compare(&list[x], &list[y]) })
	inOrder, places = make([]T, len(list)), make([]int, len(list))
	for to, from := range order {
		inOrder[to], places[from] = list[from], to
	}
	return inOrder, places
}

// compareTied compares players with as many points.
func (t *Table) compareTied(a, b *Standing) int {
	swiss := 0
	if t.System == model.Swiss {
		swiss = cmp.Or(cmp.Compare(b.BuchholzCut1, a.BuchholzCut1), cmp.Compare(b.Buchholz, a.Buchholz))
	}
	return cmp.Or(swiss, cmp.Compare(b.SonnebornBerger, a.SonnebornBerger), cmp.Compare(b.Tally.Wins, a.Tally.Wins))
}

// rate sets the category that the tournament has, and if all players have a rating, the
// average; of a round robin without a category, also the one that follows from it.
func (t *Table) rate(event *model.Tournament) {
	var elos ratings
	for i := range t.Standings {
		elos.add(uint16(t.Standings[i].Elo), 1)
	}
	t.Category = int(event.Category)
	if elos.n < int64(len(t.Standings)) {
		return
	}
	t.AverageElo = elos.average()
	if t.Category == 0 && t.System == model.RoundRobin {
		t.Category = Category(t.AverageElo)
	}
}
