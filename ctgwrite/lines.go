package ctgwrite

import (
	"cmp"

	"cbkit/board"
	"cbkit/model"
)

// line is the main line of a game as it counts in a book.
type line struct {
	record model.RecordID
	// start is the index of the position it begins in, -1 for the usual one.
	start int32
	// first and n are the moves in the batch.
	first, n int32
	outcome  outcome
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

	variations []variations
	nodes      []node
}

// batchPlies is how many plies a batch holds, more or less.
const batchPlies = 1 << 14

func (b *batch) reset() {
	b.lines, b.moves, b.starts = b.lines[:0], b.moves[:0], b.starts[:0]
	b.variations, b.nodes = b.variations[:0], b.nodes[:0]
}

func (b *batch) full() bool { return len(b.moves)+len(b.nodes)+len(b.lines) >= batchPlies }

// addLine adds the main line of a game from its start, nil for the usual one,
// but no more than maxPly plies if that is not 0.
func (b *batch) addLine(id model.RecordID, g *model.Game, start *board.Position, maxPly int) {
	l := line{record: id, start: b.startOf(id, start), white: g.WhiteElo, black: g.BlackElo}
	l.outcome, l.points = outcomeOf(g)
	n := g.Moves.MainLen()
	if maxPly > 0 {
		n = min(n, maxPly)
	}
	l.first, l.n = int32(len(b.moves)), int32(n)
	for node := range n {
		b.moves = append(b.moves, g.Moves.Move(node))
	}
	b.lines = append(b.lines, l)
}

// startOf returns the index of a game's starting position, which its variations
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
// sign for its last position. (docs/formats/ctg.md 6)
func points(sign model.NAG) uint8 { return cmp.Or(pointsOfSigns[sign], 5) }

var pointsOfSigns = [256]uint8{14: 6, 15: 4, 16: 7, 17: 3, 18: 9, 19: 1}
