package ctgwrite

import (
	"strings"

	"cbkit/model"
)

// PlayedBy returns a filter for the games that a player played with a colour,
// or with both if no colour is given. The name is "Last, First" or just the last
// name; upper and lower case are the same.
func PlayedBy(name string, colors ...model.Color) func(*model.Game, *model.Entities) bool {
	last, first, full := strings.Cut(name, ",")
	last, first = strings.TrimSpace(last), strings.TrimSpace(first)
	if len(colors) == 0 {
		colors = []model.Color{model.White, model.Black}
	}
	return func(g *model.Game, e *model.Entities) bool {
		for _, c := range colors {
			id := g.White
			if c == model.Black {
				id = g.Black
			}
			p, ok := e.Players.Get(id)
			if ok && strings.EqualFold(p.LastName, last) && (!full || strings.EqualFold(p.FirstName, first)) {
				return true
			}
		}
		return false
	}
}
