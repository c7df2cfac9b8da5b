// Package replay has the board on which stored games are played while they are read and
// written. It knows less than [board.Position] (for instance no castling rights) and is
// faster.
package replay

import (
	"cbkit/board"
	"cbkit/model"
)

// The slots of one side's pieces: the king, three each of queens, rooks,
// bishops and knights, eight pawns. A piece's number is its slot within its
// kind. Pieces beyond the last of their kind have no number; they share one
// slot for each kind.
const (
	KingSlot   = 0
	QueenSlot  = 1
	RookSlot   = 4
	BishopSlot = 7
	KnightSlot = 10
	PawnSlot   = 13
	NumSlots   = 21

	spareQueen  = 21
	spareRook   = 22
	spareBishop = 23
	spareKnight = 24
	sparePawn   = 25

	// SlotsSize is a power of two, so that a masked slot needs no bounds check.
	SlotsSize = 32
)

// Slots has the first slot of each kind, the one after the last, and that of
// the pieces without a number.
var Slots = [8]struct{ First, End, spare uint8 }{
	model.King:   {KingSlot, QueenSlot, KingSlot},
	model.Queen:  {QueenSlot, RookSlot, spareQueen},
	model.Rook:   {RookSlot, BishopSlot, spareRook},
	model.Bishop: {BishopSlot, KnightSlot, spareBishop},
	model.Knight: {KnightSlot, PawnSlot, spareKnight},
	model.Pawn:   {PawnSlot, NumSlots, sparePawn},
}

// lastSlot is the last slot of the kind that a slot belongs to.
var lastSlot = func() (last [SlotsSize]uint8) {
	for _, span := range Slots {
		for s := span.First; s < span.End; s++ {
			last[s] = span.End - 1
		}
	}
	return last
}()

// Man is what stands on a square: the slot in bits 0 to 4, the colour in bit
// 5. [Nobody] is an empty square.
type Man uint8

const (
	slotBits Man = SlotsSize - 1
	colorBit Man = SlotsSize
	Nobody   Man = slotBits // of no kind
	menCount     = 2 * SlotsSize

	// Masks for what is in range anyhow, so that it needs no bounds check.
	Mask      = menCount - 1
	squareSet = 63
)

// pieces are the pieces that men are; NoPiece for Nobody.
var pieces = func() (pieces [menCount]model.Piece) {
	for _, color := range [2]Man{0, colorBit} {
		for kind, span := range Slots {
			for s := span.First; s < span.End; s++ {
				pieces[Man(s)|color] = model.NewPiece(color.color(), model.PieceType(kind))
			}
			if span.End > 0 {
				pieces[Man(span.spare)|color] = model.NewPiece(color.color(), model.PieceType(kind))
			}
		}
	}
	return pieces
}()

// Side returns the bit that the men of a colour have.
func Side(c model.Color) Man { return Man(c&1) * colorBit }

// Slot returns the man's slot.
func (m Man) Slot() uint8 { return uint8(m & slotBits) }

// side returns the bit of the man's colour.
func (m Man) side() Man { return m & colorBit }

// color returns the man's colour.
func (m Man) color() model.Color { return model.Color(m / colorBit & 1) }

// Piece returns the piece that the man is.
func (m Man) Piece() model.Piece { return pieces[m&Mask] }

// Kind returns the kind of piece.
func (m Man) Kind() model.PieceType { return m.Piece().Type() }

// Board is where the pieces stand, with their numbers (docs/formats/cbg.md 5.2), and
// all else that the next move depends on. Pieces are numbered once, at the
// start; a number follows its piece. When a numbered queen, rook, bishop or
// knight is captured the higher ones of its kind move down. A pawn's number is
// never used again. A promoted piece takes the lowest number free. A piece
// without a number never gets one.
type Board struct {
	At        [64]Man                // by square
	Square    [menCount]model.Square // by man; NoSquare if there is none
	sides     [2]uint64              // where a colour's men are: bit n is square n
	kinds     [8]uint64              // where the men of a kind are, of both colours
	Turn      model.Color
	enPassant int8 // file of the pawn that has just advanced two squares
	Chess960  bool
}

// Change is what a move does to the men, and enough to take it back.
type Change struct {
	moved      Man          // Nobody for a null move
	captured   Man          // Nobody if nothing is captured
	capturedAt model.Square // where it stands
	enPassant  int8         // before the move
}

// Standard are the boards of the standard starting position, counted from a1 and
// from h8.
var Standard = func() (m [2]Board) {
	p := board.Start()
	m[0].Set(&p, false)
	m[1].Set(&p, true)
	return m
}()

// Set numbers the pieces of a starting position, file by file from a1, in
// the reverse modes from h8.
func (b *Board) Set(p *board.Position, reverse bool) {
	*b = Board{Turn: p.Turn(), enPassant: p.EnPassant(), Chess960: p.Chess960()}
	for m := range b.Square {
		b.Square[m] = model.NoSquare
	}
	for i := range uint8(64) {
		if reverse {
			i = 63 - i
		}
		s := model.SquareFromFileMajor(i)
		b.At[s] = Nobody
		if piece := p.PieceAt(s); piece != model.NoPiece {
			b.sides[piece.Color()&1] |= set(s)
			b.kinds[piece.Type()&7] |= set(s)
			b.put(piece.Type(), Side(piece.Color()), s)
		}
	}
}

// put gives a piece that has come to a square the lowest number that is free,
// if one is.
func (b *Board) put(kind model.PieceType, color Man, s model.Square) {
	span := Slots[kind&7]
	m := Man(span.spare) | color
	for slot := span.First; slot < span.End; slot++ {
		if numbered := Man(slot) | color; b.Square[numbered&Mask] == model.NoSquare {
			m = numbered
			break
		}
	}
	b.At[s&squareSet] = m
	b.Square[m&Mask] = s
}

// occupied returns the squares of all men.
func (b *Board) occupied() uint64 { return b.sides[0] | b.sides[1] }

// King returns the square of a colour's king, NoSquare without one.
func (b *Board) King(c model.Color) model.Square { return b.Square[Side(c)|KingSlot] }

// Play makes a move that [Board.Accept] has looked at.
func (b *Board) Play(m model.Move, ch Change) {
	b.enPassant = model.NoFile
	b.Turn ^= 1
	if ch.captured != Nobody {
		b.remove(ch.captured, ch.capturedAt)
	}
	if isSpecial := m == model.NullMove || m>>12 != 0; isSpecial {
		b.playOther(m, ch)
		return
	}
	from, to := m.From(), m.To()
	b.At[from] = Nobody
	b.At[to] = ch.moved
	b.Square[ch.moved&Mask] = to
	kind := ch.moved.Kind()
	b.shift(ch.moved, kind, from, to)
	if from^to == 16 && kind == model.Pawn {
		b.enPassant = int8(from & 7)
	}
}

// shift moves a man of a kind in the sets.
func (b *Board) shift(m Man, kind model.PieceType, from, to model.Square) {
	us, same := &b.sides[m.color()], &b.kinds[kind&7]
	*us = *us&^set(from) | set(to)
	*same = *same&^set(from) | set(to)
}

// playOther makes castling, a promotion or a null move.
func (b *Board) playOther(m model.Move, ch Change) {
	from, to := m.From(), m.To()
	switch {
	case m.IsNull():
	case m.IsCastling():
		b.castle(from, to, m.KingTarget(), m.RookTarget())
	default:
		b.At[from] = Nobody
		b.Square[ch.moved&Mask] = model.NoSquare
		b.sides[ch.moved.color()] ^= set(from) | set(to)
		b.kinds[model.Pawn] &^= set(from)
		b.kinds[m.Promotion()] |= set(to)
		b.put(m.Promotion(), ch.moved.side(), to)
	}
}

// remove takes a captured piece off the board.
func (b *Board) remove(captured Man, s model.Square) {
	b.At[s&squareSet] = Nobody
	b.sides[captured.color()] &^= set(s)
	b.kinds[captured.Kind()&7] &^= set(s)
	free := captured
	if captured.movesDown() {
		for last := captured.side() | Man(lastSlot[captured.Slot()&31]); free < last; free++ {
			next := b.Square[(free+1)&Mask]
			if next == model.NoSquare {
				break
			}
			b.Square[free&Mask] = next
			b.At[next&squareSet] = free
		}
	}
	b.Square[free&Mask] = model.NoSquare
}

// restore undoes remove.
func (b *Board) restore(captured Man, s model.Square) {
	if captured.movesDown() {
		for m := captured.side() | Man(lastSlot[captured.Slot()&31]); m > captured; m-- {
			b.Square[m&Mask] = b.Square[(m-1)&Mask]
			if now := b.Square[m&Mask]; now != model.NoSquare {
				b.At[now&squareSet] = m
			}
		}
	}
	b.Square[captured&Mask], b.At[s&squareSet] = s, captured
	b.sides[captured.color()] |= set(s)
	b.kinds[captured.Kind()&7] |= set(s)
}

// movesDown reports whether the higher numbers of its kind move down when the
// man is captured.
func (m Man) movesDown() bool { return m.Slot() >= QueenSlot && m.Slot() < PawnSlot }

// castle moves king and rook at once: in Chess960 either may go to a square
// that the other leaves.
func (b *Board) castle(king, rook, kingTo, rookTo model.Square) {
	k, r := b.At[king&squareSet], b.At[rook&squareSet]
	b.At[king&squareSet], b.At[rook&squareSet] = Nobody, Nobody
	b.At[kingTo&squareSet], b.At[rookTo&squareSet] = k, r
	b.Square[k&Mask], b.Square[r&Mask] = kingTo, rookTo
	us, kings, rooks := &b.sides[k.color()], &b.kinds[model.King], &b.kinds[model.Rook]
	*us = *us&^(set(king)|set(rook)) | set(kingTo) | set(rookTo)
	*kings = *kings&^set(king) | set(kingTo)
	*rooks = *rooks&^set(rook) | set(rookTo)
}

// TakeBack undoes Play.
func (b *Board) TakeBack(m model.Move, ch Change) {
	b.Turn ^= 1
	b.enPassant = ch.enPassant
	from, to := m.From(), m.To()
	switch {
	case m.IsNull():
		return
	case m.IsCastling():
		b.castle(m.KingTarget(), m.RookTarget(), from, to)
		return
	}
	if became := m.Promotion(); became != model.NoPieceType {
		b.Square[b.At[to&squareSet]&Mask] = model.NoSquare
		b.kinds[became] &^= set(to)
	}
	b.At[to&squareSet], b.At[from&squareSet] = Nobody, ch.moved
	b.Square[ch.moved&Mask] = from
	b.shift(ch.moved, ch.moved.Kind(), to, from)
	if ch.captured != Nobody {
		b.restore(ch.captured, ch.capturedAt)
	}
}

// Sets of squares: bit n is square n.
var (
	// reach are the squares that a piece attacks on an empty board, by piece
	// and square.
	reach [16][64]uint64
	// attackersOf are the attackers of each square.
	attackersOf [64]attackers
	// path are the squares between two on a rank, a file or a diagonal.
	path [64][64]uint64
	// slides are the squares that must be free on the path of a piece.
	slides = [16]uint64{
		model.WhiteQueen: ^uint64(0), model.WhiteRook: ^uint64(0), model.WhiteBishop: ^uint64(0),
		model.BlackQueen: ^uint64(0), model.BlackRook: ^uint64(0), model.BlackBishop: ^uint64(0),
	}
)

// attackers are the squares from which pieces attack one on an empty board.
type attackers struct {
	knight, king, rook, bishop uint64
	pawn                       [2]uint64 // by colour
}

// direction is a step without the modulo.
type direction struct{ file, rank int }

func init() {
	straight := []direction{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	oblique := []direction{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}
	jumps := []direction{{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}}
	for s := range model.Square(64) {
		for _, c := range []model.Color{model.White, model.Black} {
			of := func(t model.PieceType) *uint64 { return &reach[model.NewPiece(c, t)][s] }
			*of(model.Rook) = walk(s, straight, 7)
			*of(model.Bishop) = walk(s, oblique, 7)
			*of(model.Queen) = *of(model.Rook) | *of(model.Bishop)
			*of(model.King) = walk(s, straight, 1) | walk(s, oblique, 1)
			*of(model.Knight) = walk(s, jumps, 1)
			*of(model.Pawn) = walk(s, oblique[2*c:2*c+2], 1)
			attackersOf[s].pawn[c^1] = *of(model.Pawn)
		}
		to := &attackersOf[s]
		to.knight, to.king = reach[model.WhiteKnight][s], reach[model.WhiteKing][s]
		to.rook, to.bishop = reach[model.WhiteRook][s], reach[model.WhiteBishop][s]
	}
}

// walk returns the squares up to n steps from s in each direction, and fills
// path on its way.
func walk(s model.Square, directions []direction, n int) uint64 {
	var all uint64
	for _, d := range directions {
		var passed uint64
		for k := 1; k <= n; k++ {
			file, rank := s.File()+k*d.file, s.Rank()+k*d.rank
			if file|rank < 0 || file|rank > 7 {
				break
			}
			to := model.NewSquare(file, rank)
			path[s][to] = passed
			passed |= set(to)
		}
		all |= passed
	}
	return all
}

func set(s model.Square) uint64 { return 1 << (s & squareSet) }
