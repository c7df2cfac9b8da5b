package ctgwrite

import (
	"iter"
	"slices"

	"cbkit/board"
	"cbkit/model"
)

// line is one line of a game as it counts in a book.
type line struct {
	record model.RecordID
	// start is the index of the position it begins in, -1 for the usual one.
	start int32
	// first and n are the moves in the batch.
	first, n int32
	// shared is how many of them an earlier line of the game has, too.
	shared  int32
	outcome outcome
	// points of White in tenths.
	points uint8
	// ratings, 0 if not known.
	white, black uint16
}

// outcome is how a line ended.
type outcome uint8

const (
	open outcome = iota
	whiteWon
	blackWon
	drawn
	bothLost
)

// batch is a number of lines with all that is needed to count them, in flat
// memory that is used again.
type batch struct {
	lines  []line
	moves  []model.Move
	starts []board.Position
}

// batchPlies is how many plies a batch holds, more or less.
const batchPlies = 1 << 14

func (b *batch) reset() { b.lines, b.moves, b.starts = b.lines[:0], b.moves[:0], b.starts[:0] }

func (b *batch) full() bool { return len(b.moves)+len(b.lines) >= batchPlies }

// lineEnds yields every line of a game that counts: the main line, and with
// variations every other one that is not the same as an earlier one in the
// first maxPly plies, if that is not 0. Each begins with the game; its last node
// comes with the number of plies that it shares with an earlier one.
// (spec/ctg.md 6.1)
func lineEnds(t *model.Tree, variations bool, maxPly int) iter.Seq2[int, int] {
	return func(yield func(last, shared int) bool) {
		main := t.MainLen()
		if !yield(main-1, 0) || !variations {
			return
		}
		branch := main // the alternative that the current line began with
		for node := main; node < t.Len(); node++ {
			if !t.IsMain(node) {
				branch = node
			}
			if t.Main(node) != model.NoNode {
				continue
			}
			shared := t.Ply(branch)
			if (maxPly == 0 || shared < maxPly) && !yield(node, shared) {
				return
			}
		}
	}
}

// addLine adds the line of a game from its start, nil for the usual one, to
// a node, but no more than maxPly plies if that is not 0. The first so many are
// shared with an earlier line.
func (b *batch) addLine(id model.RecordID, g *model.Game, start *board.Position, node, shared, maxPly int) {
	l := line{record: id, start: b.startOf(id, start), shared: int32(shared)}
	if node < g.Moves.MainLen() {
		l.white, l.black = g.WhiteElo, g.BlackElo
		l.outcome, l.points = outcomeOf(g)
	} else {
		// What was never played has no result, and nobody's rating.
		l.points = points(judgement(g, node))
	}
	n := 0
	if node != model.NoNode {
		n = g.Moves.Ply(node) + 1
	}
	for ; maxPly > 0 && n > maxPly; n-- {
		node = g.Moves.Parent(node)
	}
	l.first, l.n = int32(len(b.moves)), int32(n)
	b.moves = slices.Grow(b.moves, n)[:len(b.moves)+n]
	for i := n - 1; i >= 0; i-- {
		b.moves[int(l.first)+i] = g.Moves.Move(node)
		node = g.Moves.Parent(node)
	}
	b.lines = append(b.lines, l)
}

// startOf returns the index of a game's starting position, which its lines
// share; nil is the usual one.
func (b *batch) startOf(id model.RecordID, start *board.Position) int32 {
	if start == nil {
		return -1
	}
	if last := len(b.lines) - 1; last >= 0 && b.lines[last].record == id && b.lines[last].start >= 0 {
		return b.lines[last].start
	}
	b.starts = append(b.starts, *start)
	return int32(len(b.starts) - 1)
}

// outcomeOf returns how the main line of a game counts.
func outcomeOf(g *model.Game) (outcome, uint8) {
	switch g.Result {
	case model.WhiteWins, model.WhiteWinsByForfeit:
		return whiteWon, 10
	case model.BlackWins, model.BlackWinsByForfeit:
		return blackWon, 0
	case model.Draw, model.DrawByForfeit:
		return drawn, 5
	case model.BothLose:
		return bothLost, 0
	}
	sign := g.LineEvaluation
	if sign == 0 {
		sign = judgement(g, g.Moves.MainLen()-1)
	}
	return open, points(sign)
}

// judgement returns the sign for the position after a node.
func judgement(g *model.Game, node int) model.NAG {
	for _, a := range g.AnnotationsAt(node) {
		if s, ok := a.Value.(model.Symbols); ok {
			return s.Position
		}
	}
	return 0
}

// points returns White's points in tenths for a line without a result, by the
// sign for its last position. (spec/ctg.md 6)
func points(sign model.NAG) uint8 {
	switch sign {
	case 14:
		return 6
	case 15:
		return 4
	case 16:
		return 7
	case 17:
		return 3
	case 18:
		return 9
	case 19:
		return 1
	}
	return 5
}
