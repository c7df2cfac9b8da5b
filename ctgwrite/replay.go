package ctgwrite

import (
	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

// counter replays lines and counts their positions.
type counter struct {
	table *table
	codes ctg.Codes
	// twins counts positions whose en passant capture is illegal under both
	// their keys.
	twins bool
	// lost is called for lines that end before their last move.
	lost func(id model.RecordID, ply int, m model.Move)
	// unnamed is called for moves that the book has no word for, once for all
	// lines of a game that share them.
	unnamed func(id model.RecordID, ply int, m model.Move)
	path    []visited // by variations
}

// count adds a line to the table: each position once, however often it was
// reached, and the moves of every visit.
func (c *counter) count(b *batch, l *line) {
	p := board.Start()
	if l.start >= 0 {
		p = b.starts[l.start]
	}
	moves := b.moves[l.first : l.first+l.n]
	c.table.line++
	c.table.grow(2 * (len(moves) + 1)) // positions and their twins
	for ply, m := range moves {
		if m.IsNull() || !p.Legal(m) {
			c.lost(l.record, ply, m)
			break
		}
		key, view := ctg.Encode(&p)
		code, ok := ctg.EncodeMove(&p, view, m, c.codes)
		if !ok {
			code = noCode
			c.unnamed(l.record, ply, m)
		}
		c.visit(l, &p, &key, code)
		p.Make(m)
	}
	key, _ := ctg.Encode(&p)
	c.visit(l, &p, &key, noCode)
}

// noCode stands for no move: 0xaf is the null move, which no book has.
const noCode = 0xaf

// visit counts a position, and the move played there.
func (c *counter) visit(l *line, p *board.Position, key *ctg.Key, code byte) {
	c.visitKey(l, p.Turn(), key, code)
	if !c.twins {
		return
	}
	if twin, ok := ctg.EncodeTwin(p); ok {
		c.visitKey(l, p.Turn(), &twin, code)
	}
}

func (c *counter) visitKey(l *line, turn model.Color, key *ctg.Key, code byte) {
	n := c.table.find(key)
	if s := &c.table.sums[n]; s.line != c.table.line {
		s.line = c.table.line
		s.add(l, turn)
	}
	if code != noCode {
		c.table.addMove(n, code, 1)
	}
}

// add counts a line, seen by the side to move.
func (s *sum) add(l *line, turn model.Color) {
	own, opponent, points := l.white, l.black, l.points
	won, lost := &s.wins, &s.losses
	if turn == model.Black {
		own, opponent, points = opponent, own, 10-points
		won, lost = lost, won
	}
	s.games++
	switch l.outcome {
	case whiteWon:
		*won++
	case blackWon:
		*lost++
	case drawn:
		s.draws++
	case bothLost: // a game without a winner, and without points
		points = 0
	}
	s.score += uint32(points)
	if own != 0 {
		s.ownGames++
		s.ownSum += uint64(own)
	}
	if opponent != 0 {
		s.opponentGames++
		s.opponentSum += uint64(opponent)
	}
}
