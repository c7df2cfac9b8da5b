package wire

import (
	"errors"
	"slices"

	"cbkit/model"
)

// The board of a position that is set up takes 24 bytes: bits from the highest on,
// squares file by file (a1, a2, ... h8), each 0 for an empty square or 1, colour (1 is
// Black), three bits of piece as in [BoardPieces]. (docs/formats/cbg.md 4)
const (
	BoardSize = 24
	// MostOnBoard is how many pieces have room.
	MostOnBoard = (8*BoardSize - 64) / 4
)

// BoardPieces are the pieces by number; 0 and 7 are none.
var BoardPieces = [8]model.PieceType{
	1: model.King, 2: model.Queen, 3: model.Knight, 4: model.Bishop, 5: model.Rook, 6: model.Pawn,
}

var (
	errBoardEnd  = errors.New("more pieces than 24 bytes hold")
	errPieceCode = errors.New("piece code without a meaning")
)

// ParseBoard reads the BoardSize bytes of a board into squares, which are empty before. It
// returns an error for a number that is no piece, and for more pieces than bytes; what is
// behind the last square does not count.
func ParseBoard(b []byte, squares *[64]model.Piece) error {
	bit := 0
	next := func() byte { // a bit; 0 beyond the end
		v := byte(0)
		if bit < 8*len(b) {
			v = b[bit/8] >> (7 - bit%8) & 1
		}
		bit++
		return v
	}
	for i := range uint8(64) {
		if next() == 0 {
			continue
		}
		color := model.Color(next())
		piece := BoardPieces[next()<<2|next()<<1|next()]
		if piece == model.NoPieceType {
			return errPieceCode
		}
		squares[model.SquareFromFileMajor(i)] = model.NewPiece(color, piece)
	}
	if bit > 8*len(b) {
		return errBoardEnd
	}
	return nil
}

// AppendBoard appends the bytes of a board. It returns false, with dst as it was, if there
// are more than MostOnBoard pieces.
func AppendBoard(dst []byte, squares *[64]model.Piece) (out []byte, ok bool) {
	var b [BoardSize]byte
	bit, pieces := 0, 0
	for i := range uint8(64) {
		piece := squares[model.SquareFromFileMajor(i)]
		if piece == model.NoPiece {
			bit++
			continue
		}
		if pieces++; pieces > MostOnBoard {
			return dst, false
		}
		v := 1<<4 | byte(piece.Color())<<3 | byte(slices.Index(BoardPieces[1:], piece.Type())+1)
		for k := 4; k >= 0; k-- {
			b[bit/8] |= v >> k & 1 << (7 - bit%8)
			bit++
		}
	}
	return append(dst, b[:]...), true
}

// EventType returns the type of an event of a number: the system in bits 0-4, then a bit
// each for blitz (5), rapid (6), correspondence (7) and teams (8). Bits above count as
// zero. It is the type byte of a .cbt record and the team bit.
func EventType(v uint16) model.EventType {
	return model.EventType{System: model.EventSystem(v & 31), Blitz: v>>5&1 != 0, Rapid: v>>6&1 != 0, Correspondence: v>>7&1 != 0, Team: v>>8&1 != 0}
}

// EventNumber is the inverse of EventType.
func EventNumber(t model.EventType) uint16 {
	v := uint16(t.System & 31)
	for i, set := range [4]bool{t.Blitz, t.Rapid, t.Correspondence, t.Team} {
		if set {
			v |= 1 << (5 + i)
		}
	}
	return v
}
