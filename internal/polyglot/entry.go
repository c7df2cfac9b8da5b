// Package polyglot is the format of the opening books of Polyglot (.bin): entries of
// 16 bytes in ascending order of their keys (docs/formats/polyglot.md).
package polyglot

import (
	"encoding/binary"
	"fmt"

	"cbkit/board"
	"cbkit/model"
)

// Size is that of an entry in bytes.
const Size = 16

// Entry is a move of a position:
//
//	u64 key | u16 move | u16 weight | u32 learn
//
// with the highest byte first.
type Entry struct {
	// Key is the position's, see [board.Position.PolyglotKey].
	Key    uint64
	Move   Move
	Weight uint16
	Learn  uint32
}

// Decode decodes the entry that b begins with, which has [Size] bytes.
func Decode(b []byte) Entry {
	return Entry{
		Key: binary.BigEndian.Uint64(b), Move: Move(binary.BigEndian.Uint16(b[8:])),
		Weight: binary.BigEndian.Uint16(b[10:]), Learn: binary.BigEndian.Uint32(b[12:]),
	}
}

// Append appends the entry.
func (e *Entry) Append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, e.Key)
	dst = binary.BigEndian.AppendUint16(dst, uint16(e.Move))
	dst = binary.BigEndian.AppendUint16(dst, e.Weight)
	return binary.BigEndian.AppendUint32(dst, e.Learn)
}

// Move is a move in the bits of an entry, from the lowest on: to file, to rank, from
// file, from rank, three each, then three for the piece that a pawn becomes: 0 for none,
// 1 to 4 for knight, bishop, rook and queen. Castling is the king taking its rook.
type Move uint16

// IsNone reports whether it is no move; programs ignore such an entry.
func (m Move) IsNone() bool { return m == 0 }

// IsPossible reports whether the bits can mean a move of some position, or none.
func (m Move) IsPossible() bool { return m.IsNone() || m>>6&63 != m&63 && m>>12 <= 4 }

// String returns the bits as a move, such as e7e8q, or as a number if they mean none.
func (m Move) String() string {
	if m.IsNone() || !m.IsPossible() {
		return fmt.Sprintf("%04x", uint16(m))
	}
	s := model.Square(m>>6&63).String() + model.Square(m&63).String()
	if become := m >> 12; become != 0 {
		s += "nbrq"[become-1 : become]
	}
	return s
}

// EncodeMove returns the bits of a move.
func EncodeMove(m model.Move) Move {
	out := Move(m.To()) | Move(m.From())<<6
	if become := m.Promotion(); become != model.NoPieceType {
		out |= Move(become-model.Knight+1) << 12
	}
	return out
}

// On returns the move that the bits mean on a board, and whether it is legal there.
// Castling is also understood where the king goes to its new square, as some programs
// write it.
func (m Move) On(p *board.Position) (move model.Move, legal bool) {
	if m.IsNone() || !m.IsPossible() {
		return model.NullMove, false
	}
	move, err := p.ParseUCI(m.String())
	return move, err == nil && p.Legal(move)
}
