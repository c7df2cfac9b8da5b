package moveenc

import (
	"cbkit/board"
	"cbkit/model"
)

// The slots of one side's pieces: the king, three each of queens, rooks,
// bishops and knights, eight pawns. A piece's number is its slot within its
// kind.
const (
	kingSlot   = 0
	queenSlot  = 1
	rookSlot   = 4
	bishopSlot = 7
	knightSlot = 10
	pawnSlot   = 13
	numSlots   = 21

	// unnumbered is the slot of a piece beyond the last of its kind, and of an
	// empty square.
	unnumbered = slotsSize - 1
	// slotsSize leaves room for unnumbered pieces to be written, but never
	// read, like the others.
	slotsSize = 32
)

// slots are the first slot of each kind and the one after the last.
var slots = [...]struct{ first, end uint8 }{
	model.King:   {kingSlot, queenSlot},
	model.Queen:  {queenSlot, rookSlot},
	model.Rook:   {rookSlot, bishopSlot},
	model.Bishop: {bishopSlot, knightSlot},
	model.Knight: {knightSlot, pawnSlot},
	model.Pawn:   {pawnSlot, numSlots},
}

// lastSlot is the last slot of the kind that a slot belongs to.
var lastSlot = func() (last [slotsSize]uint8) {
	for _, span := range slots {
		for s := span.first; s < span.end; s++ {
			last[s] = span.end - 1
		}
	}
	return last
}()

// numbering says which numbers the pieces have (spec/cbg.md 5.2). Pieces are
// numbered once, at the start; a number follows its piece. When a numbered
// queen, rook, bishop or knight is captured the higher ones of its kind move
// down. A pawn's number is never used again. A promoted piece takes the lowest
// number free. A piece without a number never gets one.
type numbering struct {
	square [2][slotsSize]model.Square // by colour and slot; NoSquare if free
	slot   [64]uint8                  // of the piece on each square
}

// renumbering is what a move did to a numbering, and enough to take it back.
type renumbering struct {
	moved      uint8        // slot of the piece that moved
	captured   uint8        // slot of the piece captured
	capturedAt model.Square // NoSquare if nothing was captured
}

// standardNumbers are those of the standard starting position, counted from a1
// and from h8.
var standardNumbers = func() (n [2]numbering) {
	p := board.Start()
	n[0].count(&p, false)
	n[1].count(&p, true)
	return n
}()

// count numbers the pieces of a starting position, file by file from a1, in
// the reverse modes from h8.
func (n *numbering) count(p *board.Position, reverse bool) {
	for c := range n.square {
		for s := range n.square[c] {
			n.square[c][s] = model.NoSquare
		}
	}
	for i := range uint8(64) {
		if reverse {
			i = 63 - i
		}
		s := model.SquareFromFileMajor(i)
		n.slot[s] = unnumbered
		if piece := p.PieceAt(s); piece != model.NoPiece {
			n.put(piece, s)
		}
	}
}

// put gives the piece the lowest number that is free, if one is.
func (n *numbering) put(piece model.Piece, s model.Square) {
	squares := &n.square[piece.Color()]
	n.slot[s] = unnumbered
	for slot := slots[piece.Type()].first; slot < slots[piece.Type()].end; slot++ {
		if squares[slot] == model.NoSquare {
			squares[slot], n.slot[s] = s, slot
			return
		}
	}
}

// play follows a legal move that is about to be made on p.
func (n *numbering) play(p *board.Position, m model.Move) renumbering {
	from, to := m.From()&63, m.To()&63
	r := renumbering{capturedAt: model.NoSquare}
	switch {
	case m.IsNull():
		return r
	case m.IsCastling():
		n.castle(p.Turn(), from, to, m.KingTarget(), m.RookTarget())
		return r
	}
	us := p.Turn() & 1
	if r.capturedAt = captureSquare(p, from, to); r.capturedAt != model.NoSquare {
		r.captured = n.remove(us^1, r.capturedAt)
	}
	r.moved = n.slot[from]
	n.slot[from] = unnumbered
	if becomes := m.Promotion(); becomes != model.NoPieceType {
		n.square[us][r.moved&31] = model.NoSquare
		n.put(model.NewPiece(us, becomes), to)
		return r
	}
	n.slot[to] = r.moved
	n.square[us][r.moved&31] = to
	return r
}

// captureSquare returns where the piece stands that a move captures.
func captureSquare(p *board.Position, from, to model.Square) model.Square {
	if p.PieceAt(to) != model.NoPiece {
		return to
	}
	if from&7 != to&7 && p.PieceAt(from).Type() == model.Pawn {
		return from&56 | to&7
	}
	return model.NoSquare
}

// remove takes away a captured piece and returns the slot it had.
func (n *numbering) remove(c model.Color, s model.Square) uint8 {
	squares := &n.square[c&1]
	had := n.slot[s&63] & 31
	n.slot[s&63] = unnumbered
	free := had
	if movesDown(had) {
		for last := lastSlot[had]; free < last && squares[free+1] != model.NoSquare; free++ {
			squares[free] = squares[free+1]
			n.slot[squares[free]&63] = free
		}
	}
	squares[free] = model.NoSquare
	return had
}

// restore undoes remove.
func (n *numbering) restore(c model.Color, s model.Square, had uint8) {
	squares := &n.square[c&1]
	if movesDown(had) {
		for slot := lastSlot[had]; slot > had; slot-- {
			squares[slot] = squares[slot-1]
			if squares[slot] != model.NoSquare {
				n.slot[squares[slot]&63] = slot
			}
		}
	}
	squares[had&31], n.slot[s&63] = s, had
}

// movesDown reports whether the higher numbers of its kind move down when the
// piece of a slot is captured.
func movesDown(slot uint8) bool { return slot >= queenSlot && slot < pawnSlot }

// castle moves king and rook at once: in Chess960 either may go to a square
// that the other leaves.
func (n *numbering) castle(c model.Color, king, rook, kingTo, rookTo model.Square) {
	kingNumber, rookNumber := n.slot[king&63], n.slot[rook&63]
	n.slot[king&63], n.slot[rook&63] = unnumbered, unnumbered
	n.slot[kingTo&63], n.slot[rookTo&63] = kingNumber, rookNumber
	n.square[c&1][kingNumber&31], n.square[c&1][rookNumber&31] = kingTo, rookTo
}

// takeBack undoes play; c is who made the move.
func (n *numbering) takeBack(c model.Color, m model.Move, r renumbering) {
	from, to := m.From()&63, m.To()&63
	switch {
	case m.IsNull():
		return
	case m.IsCastling():
		n.castle(c, m.KingTarget(), m.RookTarget(), from, to)
		return
	}
	if m.Promotion() != model.NoPieceType {
		n.square[c&1][n.slot[to]&31] = model.NoSquare
	}
	n.slot[to] = unnumbered
	n.slot[from] = r.moved
	n.square[c&1][r.moved&31] = from
	if r.capturedAt != model.NoSquare {
		n.restore(c^1, r.capturedAt, r.captured)
	}
}
