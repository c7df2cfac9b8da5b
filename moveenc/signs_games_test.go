package moveenc_test

import (
	"testing"

	"cbkit/moveenc"

	"pgregory.net/rapid"
)

// Decode finds the signs that a board finds in games of any kind.
func TestSignsOfGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGame(t, rapid.Bool().Draw(t, "chess960"))
		moveenc.CompareSigns(t, g.start, &g.moves)
	})
}
