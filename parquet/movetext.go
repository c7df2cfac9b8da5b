package parquet

import (
	"strconv"

	"cbkit/model"
)

// appendUCI appends a move as JSON Lines have it: castling is the king's own
// move from e1 or e8 in orthodox chess, and the king taking its rook everywhere
// else.
func appendUCI(dst []byte, m model.Move, start *model.Position) []byte {
	dst = append(dst, uciSquares(m, start)...)
	if p := m.Promotion(); p != model.NoPieceType {
		dst = append(dst, p.Letter()+'a'-'A')
	}
	return dst
}

// uciSquares returns what appendUCI appends for a move that is no promotion; it
// must not be changed.
func uciSquares(m model.Move, start *model.Position) []byte {
	if m.IsNull() {
		return nullWord
	}
	from, to := m.From(), m.To()
	if (start == nil || !start.Chess960) && (from == model.E1 || from == model.E8) {
		to = m.KingTarget()
	}
	return squareWords[from&63][to&63][:]
}

var (
	nullWord = []byte("0000")
	// squareWords are the words of two squares each, such as e2e4: most of what
	// columns of moves hold.
	squareWords = func() (words [64][64][4]byte) {
		for from := range model.Square(64) {
			for to := range model.Square(64) {
				words[from][to] = [4]byte{'a' + byte(from.File()), '1' + byte(from.Rank()), 'a' + byte(to.File()), '1' + byte(to.Rank())}
			}
		}
		return words
	}()
)

// movetext writes the main line as PGN has it, with the clocks and evaluations
// that comments of the game hold, and nothing else.
type movetext struct {
	dst         []byte
	marks       []model.Annotation
	next        int // of the marks
	number      int
	turn        model.Color
	interrupted bool // the number of a move of Black must be said
}

// beginMovetext begins the text of a game in the memory of the last one.
func beginMovetext(g *played) movetext {
	t := movetext{dst: g.movetext[:0], marks: g.record.marks, number: 1, turn: model.White, interrupted: true}
	if g.start != nil {
		t.number, t.turn = int(max(g.start.FullMove, 1)), g.start.Turn
	}
	return t
}

// beginMove writes what stands before a move.
func (t *movetext) beginMove() {
	switch {
	case t.turn == model.White:
		t.dst = append(strconv.AppendInt(t.dst, int64(t.number), 10), ". "...)
	case t.interrupted:
		t.dst = append(strconv.AppendInt(t.dst, int64(t.number), 10), "... "...)
	}
}

// endMove writes what stands behind a move, whose node is given.
func (t *movetext) endMove(node int) {
	t.dst = append(t.dst, ' ')
	t.interrupted = false
	if t.next < len(t.marks) {
		t.dst, t.next, t.interrupted = appendMarks(t.dst, t.marks, t.next, node)
	}
	if t.turn = t.turn.Other(); t.turn == model.White {
		t.number++
	}
}

// end writes the result and returns the text.
func (t *movetext) end(r model.Result) []byte { return append(t.dst, r.String()...) }

// appendMarks appends the commands at a move as a comment. It returns where the
// marks of the next moves begin.
func appendMarks(dst []byte, list []model.Annotation, next, node int) (out []byte, after int, some bool) {
	for ; next < len(list) && int(list[next].Node) <= node; next++ {
		comment, ok := list[next].Value.(model.Text)
		if !ok || int(list[next].Node) < node {
			continue
		}
		for c, rest, ok := nextCommand(comment.Text); ok; c, rest, ok = nextCommand(rest) {
			if !c.isMark() {
				continue
			}
			if !some {
				dst = append(dst, "{ "...)
			}
			dst, some = append(append(dst, c.text...), ' '), true
		}
	}
	if some {
		dst = append(dst, "} "...)
	}
	return dst, next, some
}
