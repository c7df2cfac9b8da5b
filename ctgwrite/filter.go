package ctgwrite

import (
	"slices"

	"cbkit/internal/namepattern"
	"cbkit/model"
)

// PlayedBy returns a filter for the games that a player played with a colour,
// or with both if no colour is given. The name is what people type, as in searches:
// "Tal", "Mikhail Tal", "Tal,M", "Muller" for Müller; with a '*' for any characters
// or a '?' for one it is a pattern for the last name, or for "Last, First". The
// filter must not be used by more than one goroutine at a time.
func PlayedBy(name string, colors ...model.Color) func(*model.Game, *model.Entities) bool {
	meant := namepattern.NewPlayers(name)
	if len(colors) == 0 {
		colors = []model.Color{model.White, model.Black}
	}
	return func(g *model.Game, e *model.Entities) bool {
		return slices.Contains(colors, model.White) && meant.Has(e, g.White) ||
			slices.Contains(colors, model.Black) && meant.Has(e, g.Black)
	}
}
