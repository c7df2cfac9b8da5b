package dcdb

import "cbkit/internal/wire"

// SearchFields is what an index entry of layout V1 holds of a game's main
// line, so that a search can pass games over without replaying them.
// (docs/formats/dcdb.md 2.2)
type SearchFields struct {
	// HalfMoves is the number of plies, null moves included, at most 65535.
	HalfMoves uint16
	// FinalMaterial counts the pieces of the final position: bit 31 says that
	// the others hold; then, from the highest bit of each field, black pawns
	// 30-28, knights 27-26, bishops 25-24, rooks 23-22, queens 21-20, white
	// pawns 14-12, knights 11-10, bishops 9-8, rooks 7-6, queens 5-4. It is 0
	// if a number is too large for its field, as in the starting position.
	FinalMaterial uint32
	// PawnMoves lists the pawns that left their squares in the order of their
	// first moves: 0-7 for White's a- to h-pawn, 8-15 for Black's, and
	// NoPawnMove to the end. Games that do not begin in the standard position
	// have none.
	PawnMoves [16]uint8
}

// NoPawnMove fills the end of [SearchFields].PawnMoves.
const NoPawnMove = 0x10

// SearchFieldsSize is their size in an entry.
const SearchFieldsSize = 2 + 4 + 16

// DecodeSearchFields reads the fields; what is missing is zero.
func DecodeSearchFields(b []byte) SearchFields {
	c := wire.NewCursor(b)
	f := SearchFields{HalfMoves: c.U16BE(), FinalMaterial: c.U32BE()}
	copy(f.PawnMoves[:], c.Bytes(len(f.PawnMoves)))
	return f
}

// AppendSearchFields appends the fields.
func AppendSearchFields(dst []byte, f *SearchFields) []byte {
	dst = wire.AppendU16BE(dst, f.HalfMoves)
	dst = wire.AppendU32BE(dst, f.FinalMaterial)
	return append(dst, f.PawnMoves[:]...)
}
