package derive

import (
	"cbkit/board"
	"cbkit/model"
)

// Flags of a game that follow from its moves. The other bits of the word
// follow from its annotations. (docs/formats/cbh-entities.md 6.5)
const (
	FlagSetup      uint32 = 1 << 0  // the game has its own starting position
	FlagVariations uint32 = 1 << 1  // there are moves beside the main line
	FlagUnorthodox uint32 = 1 << 27 // the rules are those of Chess960
)

// MoveFlags are all flags that follow from the moves, MoveMagnitude the bits of
// the magnitude word that do.
const (
	MoveFlags            = FlagSetup | FlagVariations | FlagUnorthodox
	MoveMagnitude uint16 = 1<<0 | 1<<1
)

// MoveFacts is what follows from a starting position and a tree of moves.
type MoveFacts struct {
	// Flags holds the bits above.
	Flags uint32
	// Magnitude holds bits 0-1 of the magnitude word: how many plies the
	// variations have. (docs/formats/cbh-entities.md 6.6)
	Magnitude uint16
	// FullMoves is the number of full moves of the main line, at most 255.
	FullMoves uint8
	// Material of each colour at the end of the main line.
	Material [2]Material
}

// Moves computes the facts of a game; start is nil for the standard starting
// position. It fails where [board.New] refuses the position.
func Moves(start *model.Position, tree *model.Tree) (MoveFacts, error) {
	pos, err := board.New(start)
	if err != nil {
		return MoveFacts{}, err
	}
	var f MoveFacts
	if start != nil {
		f.Flags |= FlagSetup
		if start.Chess960 {
			f.Flags |= FlagUnorthodox
		}
	}
	plies := tree.MainLen()
	f.FullMoves = fullMoves(plies, pos.Turn())
	if rest := tree.Len() - plies; rest > 0 {
		f.Flags |= FlagVariations
		f.Magnitude = variationMagnitude(rest)
	}
	for _, node := range tree.Nodes()[:plies] {
		pos.Make(node.Move)
	}
	f.Material = [2]Material{MaterialOf(&pos, model.White), MaterialOf(&pos, model.Black)}
	return f, nil
}

// fullMoves counts full moves: half of the plies, rounded up, when White
// starts; when Black starts the first ply alone is a move.
// (docs/formats/cbh-entities.md 3)
func fullMoves(plies int, turn model.Color) uint8 {
	n := (plies + 1) / 2
	if turn == model.Black && plies > 0 {
		n = plies/2 + 1
	}
	return uint8(min(n, 255))
}

// variationMagnitude sorts games by the number of plies in their variations.
func variationMagnitude(plies int) uint16 {
	switch {
	case plies <= 50:
		return 0
	case plies <= 300:
		return 1
	case plies <= 1000:
		return 2
	}
	return 3
}
