package derive

import "cbkit/model"

// AnnotationFacts is what follows from the annotations of a game. The codec of the
// format they are stored in knows it.
type AnnotationFacts interface {
	// Flags has a bit for each kind of annotation that is there.
	Flags() uint32
	// Magnitude has a bit for each kind of which there are many.
	Magnitude() uint16
	// Medals are the medals of all places together.
	Medals() uint16
}

// GameFacts is everything that is stored beside a game about its moves and its
// annotations.
type GameFacts struct {
	Flags     uint32
	Magnitude uint16
	Medals    uint16
	FullMoves uint8
	// Material is what both sides have after the main line, sorted as
	// [Sorted] does.
	Material [2]Material
}

// Game computes the facts of a game from its starting position (nil for the
// standard one), its moves and its annotations. It fails where [Moves] does.
func Game(start *model.Position, tree *model.Tree, annotations AnnotationFacts) (GameFacts, error) {
	moves, err := Moves(start, tree)
	if err != nil {
		return GameFacts{}, err
	}
	f := GameFacts{
		Flags:     moves.Flags | annotations.Flags(),
		Magnitude: moves.Magnitude | annotations.Magnitude(),
		Medals:    annotations.Medals(),
		FullMoves: moves.FullMoves,
	}
	f.Material[0], f.Material[1] = Sorted(moves.Material)
	return f, nil
}

// HasUsualCastling reports whether opening books have words for castling in a game: not in
// one of Chess960 with rights of rooks that are not at home. A start of nil is the usual one.
func HasUsualCastling(start *model.Position) bool {
	if start == nil || !start.Chess960 {
		return true
	}
	for c := range start.Rights {
		for side, rook := range start.Rights[c] {
			if rook != model.NoSquare && rook != model.AllRights()[c][side] {
				return false
			}
		}
	}
	return true
}
