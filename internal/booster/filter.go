package booster

import (
	"math/bits"

	"cbkit/board"
)

// filteredPieces is how many pieces a position has at most that few enough games
// reach for the boosters to be worth asking.
const filteredPieces = 28

// IsWorthAsking reports whether the boosters can rule out most games as having reached
// a position.
func IsWorthAsking(p *board.Position) bool { return bits.OnesCount64(p.Occupied()) <= filteredPieces }
