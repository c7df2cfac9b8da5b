package parquet

import (
	"math/bits"

	"cbkit/board"
	"cbkit/model"
)

// signatureKinds are the kinds of pieces in the order of a material signature.
var signatureKinds = [...]model.PieceType{model.King, model.Queen, model.Rook, model.Bishop, model.Knight, model.Pawn}

// countMaterial packs how many pieces of each kind there are into a number.
func countMaterial(p *board.Position) (packed uint64) {
	for c := range model.Color(2) {
		for _, t := range signatureKinds {
			packed = packed<<5 | uint64(bits.OnesCount64(p.Pieces(c, t)))
		}
	}
	return packed
}

// appendMaterial appends what countMaterial has counted, such as "KRPP-KRP",
// White first.
func appendMaterial(dst []byte, packed uint64) []byte {
	shift := 5 * 2 * len(signatureKinds)
	for c := range 2 {
		if c == 1 {
			dst = append(dst, '-')
		}
		for _, t := range signatureKinds {
			shift -= 5
			for range packed >> shift & 31 {
				dst = append(dst, t.Letter())
			}
		}
	}
	return dst
}

// appendPawns appends where the pawns stand, as in the first field of a FEN.
func appendPawns(dst []byte, white, black uint64) []byte {
	for rank := 7; rank >= 0; rank-- {
		w, b := white>>(8*rank), black>>(8*rank)
		empty := byte(0)
		for file := range 8 {
			letter := byte(0)
			switch {
			case w>>file&1 != 0:
				letter = 'P'
			case b>>file&1 != 0:
				letter = 'p'
			default:
				empty++
				continue
			}
			if empty > 0 {
				dst = append(dst, '0'+empty)
				empty = 0
			}
			dst = append(dst, letter)
		}
		if empty > 0 {
			dst = append(dst, '0'+empty)
		}
		if rank > 0 {
			dst = append(dst, '/')
		}
	}
	return dst
}
