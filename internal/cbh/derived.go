package cbh

import "cbkit/internal/wire"

// ProvenFlags are the bits of GameRecord.Flags whose rule was seen to hold in
// real databases: starting position, variations, texts, symbols, squares,
// arrows, time spent, training, quotations, pawn structure, piece path and
// critical positions. (docs/formats/check.md)
const ProvenFlags = 0x3F | 1<<7 | 1<<9 | 1<<19 | 1<<20 | 1<<21 | 1<<24

// DerivedSize is the size of a Derived in bytes.
const DerivedSize = 17

// Derived is what the records of a game in the .cbh and .cbj files say about
// its moves and annotations. It travels in model.GameLeftovers.Derived, big-
// endian:
//
//	0 flags u32 | magnitude u16 | medals u16 | move count u8 | material u32 × 2
type Derived struct {
	Flags     uint32
	Magnitude uint16
	Medals    uint16
	MoveCount uint8
	Material  [2]uint32
}

// DerivedOf collects the values from both records.
func DerivedOf(r *GameRecord, ext *ExtRecord) Derived {
	return Derived{r.Flags, r.Magnitude, r.Medals, r.MoveCount, ext.Material}
}

// Put stores the values in both records.
func (d *Derived) Put(r *GameRecord, ext *ExtRecord) {
	r.Flags, r.Magnitude, r.Medals, r.MoveCount = d.Flags, d.Magnitude, d.Medals, d.MoveCount
	ext.SetMaterialWords(d.Material)
}

// Append appends the 17 bytes.
func (d *Derived) Append(dst []byte) []byte {
	dst = wire.AppendU32BE(dst, d.Flags)
	dst = wire.AppendU16BE(dst, d.Magnitude)
	dst = wire.AppendU16BE(dst, d.Medals)
	dst = append(dst, d.MoveCount)
	dst = wire.AppendU32BE(dst, d.Material[0])
	return wire.AppendU32BE(dst, d.Material[1])
}

// ParseDerived is the inverse of Append; ok is false if b has another length.
func ParseDerived(b []byte) (d Derived, ok bool) {
	if len(b) != DerivedSize {
		return d, false
	}
	c := wire.NewCursor(b)
	d = Derived{Flags: c.U32BE(), Magnitude: c.U16BE(), Medals: c.U16BE(), MoveCount: c.U8()}
	d.Material = [2]uint32{c.U32BE(), c.U32BE()}
	return d, c.Err() == nil
}
