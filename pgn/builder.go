package pgn

import (
	"strings"

	"cbkit/board"
	"cbkit/internal/scidgame"
	"cbkit/model"
)

func init() {
	scidgame.ParseTags, scidgame.NewBuilder = ParseTags, func() scidgame.Builder { return new(Builder) }
}

// Notation receives a game in the order of notation. A [Teller] calls its methods; a
// [Builder] implements it.
type Notation interface {
	// Play is a move of the line.
	Play(m model.Move)
	// Symbol is a NAG of the last move.
	Symbol(n model.NAG)
	// Comment is a comment after the last move, or before the first move of a line.
	Comment(text string)
	// Enter begins a variation, an alternative to the last move of the line, Leave ends it.
	Enter()
	Leave()
}

// Teller passes on games as a [Writer] with Plain writes them, for writers of other
// formats.
type Teller struct {
	enc    encoder
	tags   []model.Tag
	ends   []int // of the values of tags
	values []byte
}

// NewTeller returns a teller. Report is called for what cannot be expressed.
func NewTeller(report model.Report) *Teller {
	t := &Teller{}
	t.enc.init(true, report)
	t.enc.take = func(name string, value []byte) {
		from := len(t.values)
		t.values = append(t.values, value...)
		for i, b := range t.values[from:] {
			if isControl(b) {
				t.values[from+i] = ' '
			}
		}
		t.tags, t.ends = append(t.tags, model.Tag{Name: name}), append(t.ends, len(t.values))
	}
	return t
}

// Tell calls to with the moves of a game, which must be legal, and their comments and
// symbols. It returns the tags, which are valid until the next call.
func (t *Teller) Tell(rec *model.Record, e *model.Entities, to Notation) []model.Tag {
	enc := &t.enc
	enc.record, enc.legal = rec.ID, rec.Game.MovesErr == nil
	t.tags, t.ends, t.values = t.tags[:0], t.ends[:0], t.values[:0]
	enc.g, enc.e = rec.Game.WithKnownValues(enc.record, enc.report).LinksAsTags(&enc.links), e
	enc.writeTags()
	values, from := string(t.values), 0
	for i, end := range t.ends {
		t.tags[i].Value, from = values[from:end], end
	}
	enc.out.reset(nil)
	enc.out.tell = to
	enc.writeMoveText()
	enc.g, enc.e = nil, nil
	return t.tags
}

var _ Notation = (*Builder)(nil)

// Builder makes moves and annotations from games stored in the order of notation, as a
// [Reader] does from text, with the same commands in comments. It is for readers of other
// formats; moves must be legal. The zero value is ready for use, and its memory is used
// again for each game.
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

// Comment adds a comment after the last move or, before the first one of a variation, in
// front of that.
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
