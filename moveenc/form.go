package moveenc

// Form is what a record holds besides its start position and its moves, as far
// as it is not what [Encode] writes by itself: together, the three give back
// the record byte for byte. The zero Form is that of a record which Encode
// wrote without one; every record of a newer ChessBase has it.
//
// Nodes are indices into the game's tree. Lists ascend.
type Form struct {
	// Mode is the encoding mode, 0 for the default of the game: [ModeRegular],
	// or [ModeChess960] if it is a game of Chess960.
	Mode Mode
	// Bit7 is bit 7 of the first byte.
	Bit7 bool
	// NoEnd says that the last POP is missing (of the simple encoder: its bit
	// in the last word).
	NoEnd bool
	// Start is the start position as stored, 28 or 36 bytes, if it is not as
	// we would write it: a move number 0, a wrong Chess960 number, other bits.
	Start []byte
	// Dummies are the places of bytes without meaning: the number of tokens
	// (moves, PUSH, POP) before each. Old programs wrote one into about half
	// of their games (docs/formats/real-databases.md, fact 4).
	Dummies []uint32
	// Words are the nodes whose moves stand in two bytes although they have a
	// one-byte code.
	Words []uint32
	// Twins are the nodes whose moves stand in the second of two codes with
	// the same meaning: a queen's or bishop's four steps.
	Twins []uint32
	// Nulls are the null moves in two bytes that have bits for a promotion: for
	// each its node times 4, plus the number of the piece, 1 to 3.
	Nulls []uint32
	// Trailer are the bytes after the last POP.
	Trailer []byte
}

// IsZero reports whether the record is exactly what [Encode] writes.
func (f *Form) IsZero() bool {
	return f.Mode == 0 && !f.Bit7 && !f.NoEnd && len(f.Start) == 0 && !f.hasPlaces() && len(f.Trailer) == 0
}

// hasPlaces reports whether there is anything at certain places of the record.
func (f *Form) hasPlaces() bool { return f.isCompact() || len(f.Nulls) > 0 }

// isCompact reports whether there is anything that only the compact encoder
// knows.
func (f *Form) isCompact() bool {
	return len(f.Dummies)+len(f.Words)+len(f.Twins) > 0
}

// reset makes f zero and keeps its memory.
func (f *Form) reset() {
	*f = Form{Start: f.Start[:0], Dummies: f.Dummies[:0], Words: f.Words[:0],
		Twins: f.Twins[:0], Nulls: f.Nulls[:0], Trailer: f.Trailer[:0]}
}

// takeFirst removes the first of an ascending list if it is n.
func takeFirst(list *[]uint32, n int) bool {
	if len(*list) == 0 || (*list)[0] != uint32(n) {
		return false
	}
	*list = (*list)[1:]
	return true
}
