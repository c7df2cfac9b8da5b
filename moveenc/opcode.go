package moveenc

import (
	"cbkit/internal/replay"
	"cbkit/model"
)

// kind sorts the values of the compact encoder that are moves.
type kind uint8

const (
	noMove kind = iota
	nullMove
	pieceStep
	castleShort
	castleLong
	twoBytes
)

// The values that name no piece (docs/formats/cbg.md 5.1). From 0xED to 0xFD they
// mean nothing.
const (
	codeNull        = 0x00
	codeCastleShort = 0x09 // O-O
	codeCastleLong  = 0x0A // O-O-O
	codeTwoBytes    = 0xEB // a word follows
	codeDummy       = 0xEC // nothing
	codePush        = 0xFE // alternatives to the next move will follow
	codePop         = 0xFF // the line ends; back to the last PUSH
)

// opcode is the meaning of a value. For a step: which piece of the mover, and
// how far it goes; files and ranks are added modulo 8.
type opcode struct {
	kind  kind
	piece model.PieceType
	slot  uint8
	// twin says that an earlier value means the same move: a queen or bishop
	// has two for (4,4), and ChessBase writes the first.
	twin bool
	step [2]step // by colour: pawns go towards the opponent
}

// step is a distance in files and ranks, each 0 to 7.
type step struct{ file, rank uint8 }

// from returns the square one step away from s.
func (d step) from(s model.Square) model.Square {
	return (s+model.Square(d.rank)<<3)&56 | (s+model.Square(d.file))&7
}

// between returns the step that leads from one square to another.
func between(from, to model.Square) step {
	return step{uint8(to-from) & 7, uint8(to>>3-from>>3) & 7}
}

// index numbers the 64 steps.
func (d step) index() uint8 { return d.rank<<3 | d.file }

// The steps of each kind of piece, in the order of their codes.
var (
	kingSteps   = []step{{0, 1}, {1, 1}, {1, 0}, {1, 7}, {0, 7}, {7, 7}, {7, 0}, {7, 1}}
	knightSteps = []step{{2, 1}, {1, 2}, {7, 2}, {6, 1}, {6, 7}, {7, 6}, {1, 6}, {2, 7}}
	pawnSteps   = []step{{0, 1}, {0, 2}, {1, 1}, {7, 1}} // White's
	queenSteps  = sliderSteps()
	rookSteps   = queenSteps[:14]
	bishopSteps = queenSteps[14:]
)

// sliderSteps returns the steps along the file, the rank and both diagonals.
func sliderSteps() (steps []step) {
	for _, unit := range []step{{0, 1}, {1, 0}, {1, 1}, {1, 7}} {
		for k := uint8(1); k <= 7; k++ {
			steps = append(steps, step{unit.file * k & 7, unit.rank * k & 7})
		}
	}
	return steps
}

// ranges are the runs of codes of the numbered pieces: the first code, the
// slot of the piece, its steps.
var ranges = []struct {
	first byte
	slot  uint8
	steps []step
}{
	{0x01, replay.KingSlot, kingSteps},
	{0x0B, replay.QueenSlot, queenSteps},
	{0x27, replay.RookSlot, rookSteps},
	{0x35, replay.RookSlot + 1, rookSteps},
	{0x43, replay.BishopSlot, bishopSteps},
	{0x51, replay.BishopSlot + 1, bishopSteps},
	{0x5F, replay.KnightSlot, knightSteps},
	{0x67, replay.KnightSlot + 1, knightSteps},
	{0x6F, replay.PawnSlot, pawnSteps},
	{0x73, replay.PawnSlot + 1, pawnSteps},
	{0x77, replay.PawnSlot + 2, pawnSteps},
	{0x7B, replay.PawnSlot + 3, pawnSteps},
	{0x7F, replay.PawnSlot + 4, pawnSteps},
	{0x83, replay.PawnSlot + 5, pawnSteps},
	{0x87, replay.PawnSlot + 6, pawnSteps},
	{0x8B, replay.PawnSlot + 7, pawnSteps},
	{0x8F, replay.QueenSlot + 1, queenSteps},
	{0xAB, replay.QueenSlot + 2, queenSteps},
	{0xC7, replay.RookSlot + 2, rookSteps},
	{0xD5, replay.BishopSlot + 2, bishopSteps},
	{0xE3, replay.KnightSlot + 2, knightSteps},
}

var (
	// opcodes are the meanings of all values.
	opcodes [256]opcode
	// codes is the way back: the value for a colour, slot and step, and 0
	// where there is none.
	codes [2][replay.SlotsSize][64]byte
	// twins are the second values of moves that have two, by the first.
	twins [256]byte
)

func init() {
	opcodes[codeNull].kind = nullMove
	opcodes[codeCastleShort].kind = castleShort
	opcodes[codeCastleLong].kind = castleLong
	opcodes[codeTwoBytes].kind = twoBytes
	for _, r := range ranges {
		for i, white := range r.steps {
			code, black := r.first+byte(i), white
			if r.slot >= replay.PawnSlot {
				black = step{-white.file & 7, -white.rank & 7}
			}
			op := &opcodes[code]
			*op = opcode{kind: pieceStep, piece: replay.Man(r.slot).Kind(), slot: r.slot, step: [2]step{white, black}}
			if first := codes[model.White][r.slot][white.index()]; first != 0 {
				op.twin = true
				twins[first] = code
			} else {
				codes[model.White][r.slot][white.index()] = code
				codes[model.Black][r.slot][black.index()] = code
			}
		}
	}
}

// A word holds a move in two bytes, for the simple encoder and for what has no
// one-byte code (docs/formats/cbg.md 5.3, 7):
//
//	bits  0-5   square the move starts from, a1 0, a2 1, ... h8 63
//	bits  6-11  square it goes to
//	bits 12-13  promotion: 0 queen, 1 rook, 2 bishop, 3 knight
//	bit  14     simple encoder: the line ends after this move
//	bit  15     simple encoder: alternatives to this move will follow
//
// In the reverse modes of the simple encoder the squares change places.
// Castling is the king's move; in Chess960 both squares are the one where the
// king ends. A null move is 0; in bits 12-13 it can have anything.
const (
	wordEnds      = 1 << 14
	wordBranch    = 1 << 15
	wordSquares   = 1<<12 - 1
	wordPromotion = 3 << 12
)

// promotions are the pieces a pawn can become, in the order of their numbers.
var promotions = [4]model.PieceType{model.Queen, model.Rook, model.Bishop, model.Knight}

// promotionNumbers is the inverse of promotions, shifted to its place.
var promotionNumbers = [8]uint16{model.Rook: 1 << 12, model.Bishop: 2 << 12, model.Knight: 3 << 12}

// swapSquares exchanges the two squares of a word.
func swapSquares(w uint16) uint16 {
	return w&^wordSquares | w&63<<6 | w>>6&63
}

// word returns the move as a word, without bits 14 and 15.
func (s *state) word(m model.Move) uint16 {
	from, to := m.From(), m.To()
	if m.IsCastling() {
		to = m.KingTarget()
		if s.Chess960 {
			from = to
		}
	}
	return uint16(from.FileMajor()) | uint16(to.FileMajor())<<6 | promotionNumbers[m.Promotion()&7]
}

// parseWord returns the move that a word means to the side to move. It need
// not be legal; ok is false if no move is written so.
func (s *state) parseWord(w uint16) (m model.Move, ok bool) {
	from, to := model.SquareFromFileMajor(uint8(w)), model.SquareFromFileMajor(uint8(w>>6))
	promotion := w >> 12 & 3
	switch {
	case w&wordSquares == 0:
		return model.NullMove, true
	case from == to:
		side := model.KingSide
		if to.File() < 4 {
			side = model.QueenSide
		}
		m, ok = s.castling(side)
		return m, ok && promotion == 0 && s.Chess960 && m.KingTarget() == to
	case s.At[from].Kind() == model.Pawn && (to.Rank() == 0 || to.Rank() == 7):
		return model.NewPromotion(from, to, promotions[promotion]), true
	case promotion != 0:
		return 0, false
	case !s.Chess960 && from == s.King(s.Turn) && (to-from == 2 || from-to == 2):
		side := model.KingSide
		if to < from {
			side = model.QueenSide
		}
		return s.castling(side)
	}
	return model.NewMove(from, to), true
}
