package dcdb

import (
	"fmt"
	"math"

	"cbkit/board"
	"cbkit/model"
)

// Encoder writes games. It keeps its memory from one game to the next.
type Encoder struct {
	// Promotions is how the database numbers promotions.
	Promotions Promotions
	// Legal says that all moves are known to be legal, by [board.Position]'s
	// LegalLoose; it saves playing them.
	Legal bool
	// Lost is told what the format cannot hold; it must not be nil.
	Lost func(kind model.LossKind, field, format string, args ...any)

	game     *model.Game
	chess960 bool
	illegal  map[int]bool // moves that are left out
	body     []byte
	open     []variation
	written  int // moves
	notes    noteEncoder
}

// variation is a move whose alternatives are being written.
type variation struct{ move, alternative int }

// Encode returns a game's record without its length, valid until the next call,
// and the number of plies of the main line in it. It fails if the game is
// larger than a length can say.
func (e *Encoder) Encode(g *model.Game) (body []byte, plies int, err error) {
	e.game, e.body, e.open, e.written = g, e.body[:0], e.open[:0], 0
	e.notes.list = g.Annotations
	e.chess960 = g.Start != nil && g.Start.Chess960
	if !e.start() {
		return append(e.body[:0], markStandard), 0, nil
	}
	e.findIllegal()
	e.annotations(model.NoNode)
	plies = e.moves()
	if left := g.Moves.Len() - e.written; left > 0 {
		e.Lost(model.LostMoves, "moves", "%d moves are impossible, follow impossible ones or are nested too deeply", left)
	}
	if int64(len(e.body)) > math.MaxUint32 {
		return nil, 0, fmt.Errorf("%w: a game of %d bytes", model.ErrTooLarge, len(e.body))
	}
	return e.body, plies, nil
}

// start writes the starting position; it returns false if there is none that
// moves can be made from.
func (e *Encoder) start() bool {
	start := e.game.Start
	if start == nil || *start == model.StartPosition() {
		e.body = append(e.body, markStandard)
		return true
	}
	if _, err := board.New(start); err != nil {
		e.Lost(model.LostMoves, "moves", "the game begins in an impossible position: %v", err)
		return false
	}
	fen, exact := appendFEN(nil, start)
	if !exact {
		e.Lost(model.Changed, "FEN", "%s reads back as another position", fen)
	}
	e.body = AppendLength(append(e.body, markFEN), uint32(len(fen)))
	e.body = append(e.body, fen...)
	return true
}

// findIllegal lists the moves that readers would stop at.
func (e *Encoder) findIllegal() {
	e.illegal = nil
	if e.Legal {
		return
	}
	for node, pos := range board.Walk(e.game.Start, &e.game.Moves) {
		if pos.LegalLoose(e.game.Moves.Move(node)) {
			continue
		}
		if e.illegal == nil {
			e.illegal = map[int]bool{}
		}
		e.illegal[node] = true
	}
}

// moves writes all lines and returns the length of the main line.
func (e *Encoder) moves() (plies int) {
	tree := &e.game.Moves
	node := tree.Main(model.NoNode)
	for {
		for node != model.NoNode && !e.illegal[node] {
			if len(e.open) == 0 {
				plies++
			}
			e.move(node)
			alternative := e.alternative(node)
			if alternative == model.NoNode {
				node = tree.Main(node)
				continue
			}
			e.open = append(e.open, variation{node, alternative})
			e.body = append(e.body, tagBegin)
			node = alternative
		}
		if len(e.open) == 0 {
			return plies
		}
		e.body = append(e.body, tagEnd)
		top := &e.open[len(e.open)-1]
		if top.alternative = e.legalFrom(tree.NextAlternative(top.alternative)); top.alternative != model.NoNode {
			e.body = append(e.body, tagBegin)
			node = top.alternative
			continue
		}
		node = tree.Main(top.move)
		e.open = e.open[:len(e.open)-1]
	}
}

// alternative returns the first move to write in a variation instead of a
// move, NoNode if there is none or the move is in such a place itself.
func (e *Encoder) alternative(node int) int {
	tree := &e.game.Moves
	if len(e.open) == MaxDepth || !tree.IsMain(node) {
		return model.NoNode
	}
	return e.legalFrom(tree.NextAlternative(node))
}

// legalFrom returns the first of a move and the alternatives after it that
// can be written.
func (e *Encoder) legalFrom(node int) int {
	for node != model.NoNode && e.illegal[node] {
		node = e.game.Moves.NextAlternative(node)
	}
	return node
}

// move writes a move with its annotations.
func (e *Encoder) move(node int) {
	e.written++
	if m := e.game.Moves.Move(node); m.IsNull() {
		e.body = append(e.body, tagNull)
	} else {
		v := e.Promotions.encodeMove(m, e.chess960)
		e.body = append(e.body, byte(v>>8), byte(v))
	}
	e.annotations(node)
}

// annotations writes what is said at a place.
func (e *Encoder) annotations(node int) {
	if len(e.notes.list) > 0 {
		e.body = e.notes.append(e.body, node, e.Lost)
	}
}
