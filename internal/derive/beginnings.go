package derive

import (
	"iter"

	"cbkit/model"
)

// Beginnings yields the hash of a game's start, with ply 0, and of each beginning of
// its main line: games of equal moves have the same. Files keep them
// (docs/formats/positions.md 5).
func Beginnings(g *model.Game) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		hash := uint64(14695981039346656037)
		if start := g.StartPosition(); start != model.StartPosition() {
			for _, piece := range start.Board {
				hash = Mix(hash, uint64(piece))
			}
			hash = Mix(Mix(hash, uint64(start.Turn)+1), uint64(start.EnPassant)+2)
		}
		if !yield(0, hash) {
			return
		}
		for i, node := range g.Moves.Nodes()[:g.Moves.MainLen()] {
			hash = Mix(hash, uint64(node.Move)+1)
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
