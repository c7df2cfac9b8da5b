package cbh

import (
	"cbkit/internal/wire"
)

// RatingType says which list the rating of a player is from. It has 16 bytes in
// .cbj records, big-endian:
//
//	0 kind u16 | national time control u8 | international time control u8
//	4 nation u8 | name, 11 bytes
//
// Source: docs/formats/cbh-entities.md 5.2.
type RatingType struct {
	// Kind is in bits 0-2; others occur, with unknown meaning.
	Kind uint16
	// NationalTime is one of the National constants; InternationalTime one of
	// the International ones, and arbitrary in a national list.
	NationalTime, InternationalTime uint8
	Nation                          uint8 // as in model.Nation, 0 if international
	// Name is the name of the list up to the first NUL.
	Name [11]byte
}

// The kinds of rating lists.
const (
	RatingKindMask      = 7
	RatingInternational = 1
	RatingNational      = 2
)

// The time controls of national rating lists.
const (
	NationalNormal uint8 = iota
	NationalBlitz
	NationalRapid
	NationalCorrespondence
)

// The time controls of international rating lists.
const (
	InternationalNormal uint8 = 1 + iota
	InternationalBlitz
	InternationalRapid
	InternationalCorrespondence
)

// FIDERating is the type that ChessBase gives to new games, rated or not.
var FIDERating = RatingType{
	Kind: RatingInternational, InternationalTime: InternationalNormal, Name: [11]byte{'F', 'I', 'D', 'E'},
}

// ListName returns the name of the list, such as "FIDE" or "ICCF", empty for
// national ones.
func (t RatingType) ListName(cp CodePage) string { return cp.Decode(beforeNUL(t.Name[:])) }

// decodeRatingType reads the first 16 bytes of b.
func decodeRatingType(b []byte) RatingType {
	t := RatingType{
		Kind: uint16(b[0])<<8 | uint16(b[1]), NationalTime: b[2], InternationalTime: b[3], Nation: b[4],
	}
	copy(t.Name[:], b[5:16])
	return t
}

func (t *RatingType) append(dst []byte) []byte {
	dst = wire.AppendU16BE(dst, t.Kind)
	dst = append(dst, t.NationalTime, t.InternationalTime, t.Nation)
	return append(dst, t.Name[:]...)
}
