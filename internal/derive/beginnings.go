package derive

import (
	"iter"

	"cbkit/model"
)

// Beginnings yields the hash of a game's start, with ply 0, and of each beginning of
// its main line: games of equal moves have the same. Files keep them
// (docs/formats/positions.md 5).
func Beginnings(g *model.Game) iter.Seq2[int, uint64] {
	nodes := g.Moves.Nodes()
	return BeginningsOf(g.Start, g.Moves.MainLen(), func(i int) model.Move { return nodes[i].Move })
}

// BeginningsOf is Beginnings of so many moves from a position; nil is the usual one.
func BeginningsOf(from *model.Position, plies int, move func(int) model.Move) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		hash := uint64(14695981039346656037)
		if from != nil && *from != model.StartPosition() {
			for _, piece := range from.Board {
				hash = Mix(hash, uint64(piece))
			}
			hash = Mix(Mix(hash, uint64(from.Turn)+1), uint64(from.EnPassant)+2)
		}
		if !yield(0, hash) {
			return
		}
		for i := range plies {
			hash = Mix(hash, uint64(move(i))+1)
			if !yield(i+1, hash) {
				return
			}
		}
	}
}

// Mix is a step of a hash: FNV with a rotation, so that all bits take part.
func Mix(hash, v uint64) uint64 {
	hash = (hash ^ v) * 1099511628211
	return hash ^ hash>>29
}
