package stats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cbkit/internal/headerfields"
	"cbkit/model"
)

// GroupScore is the score of the games that have something in common.
type GroupScore struct {
	By   string `json:"by"` // a word of [Groupings]
	Name string `json:"name"`
	All  Tally  `json:"all"`
}

// Groupings returns the words for the properties by which [Scores] can group games.
func Groupings() []string {
	return []string{"opponent", "elo", "month", "year", "time-control", "eco", "color", "event"}
}

// none stands for games that do not tell.
var none = map[string]string{"elo": "no rating", "month": "no date", "year": "no date", "time-control": "no time control", "event": "no event", "opponent": "no name"}

// groupOf returns the group of a game for a colour; those by opening are made of the others.
func groupOf(by string, h *model.Header, as model.Color, e *model.Entities) (name string) {
	opponent := playersOf(h)[as.Other()]
	switch by {
	case "opponent":
		if opponent.id >= 0 && int(opponent.id) < e.Players.Len() {
			name = e.Players.Value(opponent.id).String()
		}
	case "elo":
		if opponent.elo != 0 {
			band := opponent.elo / 100 * 100
			name = fmt.Sprintf("%d-%d", band, band+99)
		}
	case "month", "year":
		switch d := h.Date; {
		case d.Year != 0 && d.Month != 0 && by == "month":
			name = fmt.Sprintf("%04d.%02d", d.Year, d.Month)
		case d.Year != 0:
			name = fmt.Sprintf("%04d", d.Year)
		}
	case "time-control":
		t := e.Tournaments.Value(h.Tournament)
		name = headerfields.Speed(h, &t)
	case "color":
		name = []string{"White", "Black"}[as]
	case "event":
		name = e.Tournaments.Value(h.Tournament).Title
	}
	return cmp.Or(name, none[by])
}

// grouped returns the groups in the order of their numbers or times, those by opponent, opening
// and event with most games first.
func (s *scorer) grouped() (list []GroupScore) {
	for i, by := range s.by {
		groups := []GroupScore{}
		for name, t := range s.groups[i] {
			groups = append(groups, GroupScore{by, name, *t})
		}
		for i := 0; by == "eco" && i < len(s.result.Openings); i++ {
			o := &s.result.Openings[i]
			groups = append(groups, GroupScore{by, cmp.Or(strings.TrimSpace(o.ECO+" "+o.Name), "no code"), o.All})
		}
		rank := func(g *GroupScore) int {
			switch {
			case g.Name == none[by]:
				return -1 << 30
			case by == "time-control":
				return slices.Index(headerfields.Speeds, g.Name)
			case by == "opponent" || by == "eco" || by == "event":
				return -g.All.Games()
			case by == "color":
				return map[string]int{"Black": 1}[g.Name]
			}
			return 0
		}
		slices.SortFunc(groups, func(a, b GroupScore) int {
			return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(len(a.Name), len(b.Name))*map[string]int{"elo": 1}[by], strings.Compare(a.Name, b.Name))
		})
		list = append(list, groups...)
	}
	return list
}
