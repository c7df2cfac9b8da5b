package cbh

import (
	"encoding/binary"
	"fmt"

	"cbkit/internal/wire"
	"cbkit/model"
)

// TraceSize is the size of the header and of every record of a .cbb file: the
// record of game id begins at id*TraceSize.
const TraceSize = 52

// TraceHeader is the first 52 bytes of a .cbb file, big-endian:
//
//	0 count u32 | 1 u16 | record size u16, 52 | 00 × 44
//
// The count is that of the records, with the header counted among them; older
// statements say without it. Behind the last record there may be zero records
// up to a multiple of 131072. Source: docs/formats/boosters.md 5.
type TraceHeader struct {
	Count      uint32
	Version    uint16
	RecordSize uint16
	Reserved8  [44]byte
}

// NewTraceHeader returns the header of a file for the given number of games and
// texts.
func NewTraceHeader(records int) TraceHeader {
	return TraceHeader{Count: uint32(records) + 1, Version: 1, RecordSize: TraceSize}
}

// DecodeTraceHeader reads the first 52 bytes of b. It fails with
// model.ErrCorrupt if the records are not those of a .cbb file.
func DecodeTraceHeader(b []byte) (TraceHeader, error) {
	c := wire.NewCursor(b)
	h := TraceHeader{Count: c.U32BE(), Version: c.U16BE(), RecordSize: c.U16BE()}
	copy(h.Reserved8[:], c.Bytes(len(h.Reserved8)))
	if c.Err() == nil && (h.Version != 1 || h.RecordSize != TraceSize) {
		return h, fail(4, "record size", fmt.Errorf("version %d, %d bytes: %w", h.Version, h.RecordSize, model.ErrCorrupt))
	}
	return h, c.Err()
}

// Append appends the 52 bytes of the header.
func (h *TraceHeader) Append(dst []byte) []byte {
	dst = wire.AppendU32BE(dst, h.Count)
	dst = wire.AppendU16BE(dst, h.Version)
	dst = wire.AppendU16BE(dst, h.RecordSize)
	return append(dst, h.Reserved8[:]...)
}

// Covers returns how many games and texts a file of the given size has records
// of, for a database that has the given number.
func (h *TraceHeader) Covers(records int, size int64) int {
	n := min(int64(h.Count), size/TraceSize-1)
	return int(min(max(n, 0), int64(records)))
}

// GameTrace is the record of a game in a .cbb file: which squares its pieces
// have stood on, from the starting position to the end of the main line. A
// guiding text has 52 zeros. Arrays have White first.
//
//	 0 00 × 3
//	 3 bits 0-2 white pawns at the end | bit 3 White had only king and pawns
//	   bits 4-6 black pawns at the end | bit 7 Black had only king and pawns
//	 4 White had no queen, at most one rook, bishop, knight: bits 0-3; Black: 4-7
//	 5 White had no queen, no rook, no bishop, no knight: bits 0-3; Black: 4-7
//	 6 white pawns on ranks 3-7, a byte each, bit 0 is the a-file
//	11 black pawns on ranks 2-6
//	16 ranks of the white king, bit 0 is rank 1 | ranks of the black king
//	18 files of the white king, bit 0 is the a-file | files of the black king
//	20 white rooks and queens on ranks 1-8 | 28 black ones
//	36 white knights and bishops on ranks 1-8 | 44 black ones
//
// "Had" means: at some time, be it for one position. Source: docs/formats/boosters.md
// 5.
type GameTrace struct {
	Unknown0 [3]byte
	// Pawns is their number at the end, at most 7.
	Pawns [2]uint8
	// OnlyPawns says that at some time there was nothing but king and pawns.
	OnlyPawns [2]bool
	// Few and None hold the bits TraceQueens to TraceKnights: of which kinds
	// there was, at some time, at most one piece (of queens: none), or none.
	Few, None [2]uint8
	// PawnSquares are sets of squares, bit n for square n. Only those of ranks
	// 3 to 7 for White and 2 to 6 for Black are stored.
	PawnSquares [2]uint64
	// KingRanks and KingFiles are sets of ranks and files.
	KingRanks, KingFiles [2]uint8
	// Heavy are the squares of rooks and queens, Light those of bishops and
	// knights.
	Heavy, Light [2]uint64
}

// The bits of GameTrace.Few and GameTrace.None.
const (
	TraceQueens uint8 = 1 << iota
	TraceRooks
	TraceBishops
	TraceKnights
)

// tracePawnRanks are the ranks of which pawns are stored, lowest first, White's
// and Black's: five from this one (0 is the first).
var tracePawnRanks = [2]int{2, 1}

// TracePawns returns the squares of a side whose pawns a record can hold.
func TracePawns(c model.Color) uint64 {
	return 0xFF_FFFF_FFFF << (8 * tracePawnRanks[c])
}

// DecodeGameTrace reads the first 52 bytes of b.
func DecodeGameTrace(b []byte) (GameTrace, error) {
	if len(b) < TraceSize {
		return GameTrace{}, truncated(b)
	}
	le := binary.LittleEndian // the byte of a rank holds its files, rank 1 comes first
	t := GameTrace{
		Unknown0:  [3]byte(b),
		Pawns:     [2]uint8{b[3] & 7, b[3] >> 4 & 7},
		OnlyPawns: [2]bool{b[3]&(1<<3) != 0, b[3]&(1<<7) != 0},
		Few:       [2]uint8{b[4] & 15, b[4] >> 4},
		None:      [2]uint8{b[5] & 15, b[5] >> 4},
		KingRanks: [2]uint8{b[16], b[17]},
		KingFiles: [2]uint8{b[18], b[19]},
		Heavy:     [2]uint64{le.Uint64(b[20:]), le.Uint64(b[28:])},
		Light:     [2]uint64{le.Uint64(b[36:]), le.Uint64(b[44:])},
	}
	for c, rank := range tracePawnRanks {
		five := b[6+5*c:]
		t.PawnSquares[c] = (uint64(le.Uint32(five)) | uint64(five[4])<<32) << (8 * rank)
	}
	return t, nil
}

// Append appends the 52 bytes of the record.
func (t *GameTrace) Append(dst []byte) []byte {
	dst = append(dst, t.Unknown0[:]...)
	dst = append(dst,
		min(t.Pawns[0], 7)|bit(t.OnlyPawns[0], 3)|min(t.Pawns[1], 7)<<4|bit(t.OnlyPawns[1], 7),
		t.Few[0]&15|t.Few[1]<<4, t.None[0]&15|t.None[1]<<4)
	for c, rank := range tracePawnRanks {
		five := t.PawnSquares[c] >> (8 * rank)
		dst = wire.AppendU32LE(dst, uint32(five))
		dst = append(dst, byte(five>>32))
	}
	dst = append(dst, t.KingRanks[0], t.KingRanks[1], t.KingFiles[0], t.KingFiles[1])
	for _, squares := range [...]uint64{t.Heavy[0], t.Heavy[1], t.Light[0], t.Light[1]} {
		dst = wire.AppendU64LE(dst, squares)
	}
	return dst
}

// bit returns the bit n if on.
func bit(on bool, n int) uint8 {
	if on {
		return 1 << n
	}
	return 0
}
