package gen

import (
	"cbkit/board"
	"cbkit/model"

	"pgregory.net/rapid"
)

// Moves draws a starting position and a tree of legal moves from it.
func Moves(c Config) *rapid.Generator[*model.Game] {
	return rapid.Custom(func(t *rapid.T) *model.Game {
		g := &model.Game{Header: model.NewHeader()}
		g.Start, g.Moves = drawMoves(t, c)
		return g
	})
}

// drawMoves plays moves one by one, each after one of those already there:
// most often after the last one, so that lines become long, sometimes after
// the one before it, so that alternatives pile up, sometimes anywhere.
func drawMoves(t *rapid.T, c Config) (*model.Position, model.Tree) {
	start := drawStart(t, c)
	first, err := board.New(start)
	if err != nil {
		panic(err)
	}
	builder := new(model.TreeBuilder)
	// after[k] is the position after k moves were added, in that order.
	after := []board.Position{first}
	var legal []model.Move
	for range rapid.IntRange(0, c.plies()).Draw(t, "plies") {
		parent := drawParent(t, c, builder)
		pos := after[parent+1]
		legal = pos.AppendLegal(legal[:0])
		m, ok := drawMove(t, c, &pos, legal)
		if !ok {
			continue
		}
		builder.Add(parent, m)
		pos.Make(m)
		after = append(after, pos)
	}
	return start, builder.Tree()
}

func drawParent(t *rapid.T, c Config, b *model.TreeBuilder) int {
	last := b.Len() - 1
	if c.NoVariations || last < 0 {
		return last
	}
	switch rapid.IntRange(0, 9).Draw(t, "parent") {
	case 8:
		return b.Parent(last)
	case 9:
		return rapid.IntRange(model.NoNode, last).Draw(t, "parent")
	}
	return last
}

// drawMove draws a legal move; every other time one of the rarer ones, if
// there are any.
func drawMove(t *rapid.T, c Config, pos *board.Position, legal []model.Move) (model.Move, bool) {
	if !c.NoNullMoves && !pos.InCheck() && chance(t, 20, "null move") {
		return model.NullMove, true
	}
	if len(legal) == 0 {
		return 0, false
	}
	if rapid.Bool().Draw(t, "rare") {
		var rare []model.Move
		for _, m := range legal {
			if isRare(pos, m) {
				rare = append(rare, m)
			}
		}
		if len(rare) > 0 {
			legal = rare
		}
	}
	return rapid.SampledFrom(legal).Draw(t, "move"), true
}

func isRare(pos *board.Position, m model.Move) bool {
	pawn := pos.PieceAt(m.From()).Type() == model.Pawn
	enPassant := pawn && m.From().File() != m.To().File() && pos.PieceAt(m.To()) == model.NoPiece
	return m.IsCastling() || m.Promotion() != model.NoPieceType || enPassant
}
