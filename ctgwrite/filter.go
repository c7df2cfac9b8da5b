package ctgwrite

import (
	"slices"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// PlayedBy returns a filter for the games that a player played with a colour,
// or with both if no colour is given. The name is a pattern for the last name, or
// for "Last, First", as in searches: '*' stands for any characters and '?' for
// one; upper and lower case are the same.
func PlayedBy(name string, colors ...model.Color) func(*model.Game, *model.Entities) bool {
	fits := namepattern.Pattern(name).Matches
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
			if ok && slices.ContainsFunc(namepattern.PlayerNames(p), fits) {
				return true
			}
		}
		return false
	}
}
