package parquet

import (
	"strconv"

	"cbkit/model"
)

// appendUCI appends a move as JSON Lines have it: castling is the king's own
// move from e1 or e8 in orthodox chess, and the king taking its rook everywhere
// else.
func appendUCI(dst []byte, m model.Move, start *model.Position) []byte {
	if m.IsNull() {
		return append(dst, "0000"...)
	}
	from, to := m.From(), m.To()
	if (start == nil || !start.Chess960) && (from == model.E1 || from == model.E8) {
		to = m.KingTarget()
	}
	dst = append(dst, 'a'+byte(from.File()), '1'+byte(from.Rank()), 'a'+byte(to.File()), '1'+byte(to.Rank()))
	if p := m.Promotion(); p != model.NoPieceType {
		dst = append(dst, p.Letter()+'a'-'A')
	}
	return dst
}

// appendMovetext appends the main line as PGN has it, with the clocks and
// evaluations that comments of the game hold, and nothing else.
func appendMovetext(dst []byte, g *played) []byte {
	number, turn := 1, model.White
	if g.start != nil {
		number, turn = int(max(g.start.FullMove, 1)), g.start.Turn
	}
	interrupted := true
	next := 0
	for i := range g.plies {
		row := &g.positions[i]
		switch {
		case turn == model.White:
			dst = append(strconv.AppendInt(dst, int64(number), 10), ". "...)
		case interrupted:
			dst = append(strconv.AppendInt(dst, int64(number), 10), "... "...)
		}
		dst = append(append(dst, g.at(row.san)...), ' ')
		dst, next, interrupted = appendMarks(dst, g.record.marks, next, i)
		if turn = turn.Other(); turn == model.White {
			number++
		}
	}
	return append(dst, g.header.Result.String()...)
}

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
