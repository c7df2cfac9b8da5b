package dcdb

import (
	"fmt"
	"math"
	"strings"

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
	// Lost is called for what the format cannot hold; it must not be nil.
	Lost func(kind model.LossKind, field, format string, args ...any)

	game     *model.Game
	chess960 bool
	illegal  map[int]bool // moves that are left out, at which readers would stop
	body     []byte
	open     []variation
	written  int // moves

	annotationEncoder
}

// variation is a move whose alternatives are being written.
type variation struct{ move, alternative int }

// Encode returns a game's record without its length, valid until the next call,
// and the number of plies of the main line in it. It fails if the game is
// larger than a length can say.
func (e *Encoder) Encode(g *model.Game) (body []byte, plies int, err error) {
	e.game, e.body, e.open, e.written = g, e.body[:0], e.open[:0], 0
	e.list = g.Annotations
	e.chess960 = g.Start != nil && g.Start.Chess960
	if !e.start() {
		return append(e.body[:0], markStandard), 0, nil
	}
	e.illegal = nil
	if !e.Legal {
		for node, pos := range board.Walk(g.Start, &g.Moves) {
			if pos.LegalLoose(g.Moves.Move(node)) {
				continue
			}
			if e.illegal == nil {
				e.illegal = map[int]bool{}
			}
			e.illegal[node] = true
		}
	}
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

// parseFEN reads a FEN of four to six fields. Castling rights given by the
// files of the rooks are those of Chess960.
func parseFEN(s string) (model.Position, error) {
	fields := strings.Fields(s)
	if len(fields) > 2 && strings.Trim(fields[2], "KQkq-") != "" {
		return board.ParseModel960(s)
	}
	return board.ParseModel(s)
}

// appendFEN appends a position as a FEN; exact is false if it reads back as
// another one.
func appendFEN(dst []byte, p *model.Position) (fen []byte, exact bool) {
	start := len(dst)
	if p.Chess960 {
		dst = append(dst, board.ShredderFEN(p)...)
	} else {
		dst = board.AppendFEN(dst, p)
	}
	want := *p
	want.FullMove = max(want.FullMove, 1)
	back, err := parseFEN(string(dst[start:]))
	return dst, err == nil && back == want
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
			e.written++
			if m := tree.Move(node); m.IsNull() {
				e.body = append(e.body, tagNull)
			} else {
				v := e.Promotions.encodeMove(m, e.chess960)
				e.body = append(e.body, byte(v>>8), byte(v))
			}
			e.annotations(node)
			alternative := model.NoNode
			if len(e.open) < MaxDepth && tree.IsMain(node) {
				alternative = e.legalFrom(tree.NextAlternative(node))
			}
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

// legalFrom returns the first of a move and the alternatives after it that
// can be written.
func (e *Encoder) legalFrom(node int) int {
	for node != model.NoNode && e.illegal[node] {
		node = e.game.Moves.NextAlternative(node)
	}
	return node
}

// annotations writes what is said at a place.
func (e *Encoder) annotations(node int) {
	if len(e.list) > 0 {
		e.body = e.append(e.body, node, e.Lost)
	}
}
