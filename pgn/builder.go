package pgn

import (
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// Builder makes the moves and annotations of games that are stored in the order of the
// notation, as a [Reader] makes those of a text: comments hold the same commands. It is for
// readers of other formats; moves must be legal. The zero value is ready for use, and its
// memory is used again for each game.
type Builder struct{ p parser }

// Reset begins a game; without annotations comments and symbols are passed over.
func (b *Builder) Reset(annotations bool) {
	b.p.annotations = annotations
	b.p.texts.made = strings.Builder{} // texts share no memory with those of games before
	b.p.game.reset(board.Position{})
}

// Play adds a move to the line. Moves are numbered from 0 in the order in which they come.
func (b *Builder) Play(m model.Move) { b.p.game.play(m) }

// Symbol adds a NAG to the last move or, before the first one of a variation, to that.
func (b *Builder) Symbol(n model.NAG) { b.p.symbol(n) }

// Comment adds a comment, likewise.
func (b *Builder) Comment(text string) { b.p.comment(text) }

// Enter begins a variation, an alternative to the last move of the line, and Leave ends it.
func (b *Builder) Enter() { b.p.game.enter(0) }

// Leave ends a variation.
func (b *Builder) Leave() { b.p.closeLine() }

// Build ends all lines and puts moves and annotations into a game. It returns the nodes of
// the moves in the order in which they came, nil where that is the order of the tree.
func (b *Builder) Build(g *model.Game) (order []int32) {
	b.p.endLines()
	order = b.p.game.tree.Build(&g.Moves)
	g.Annotations = b.p.game.annotations.collect(g.Annotations[:0], order, g.Moves.Len(), &b.p.texts)
	return order
}
