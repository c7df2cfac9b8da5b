package ctg

import (
	"encoding/binary"
	"fmt"

	"cbkit/internal/wire"
	"cbkit/model"
)

const (
	// StatsSize is the size in bytes of what follows an entry's moves.
	StatsSize = 33
	// recommendationAt is where the recommendation is in them.
	recommendationAt = 30
	// MaxMoves is how many moves an entry can list.
	MaxMoves = 127
	// MaxPortableMoves is how many moves all programs can take.
	MaxPortableMoves = 50
	// MaxCount is the largest number of games an entry can count.
	MaxCount = 1<<24 - 1
)

// Bits of an entry's recommendation. (docs/formats/ctg.md 6)
const (
	MainMove     = 0x80
	AvoidMove    = 0x40
	WeightedMove = 0x04 // goes with a weight
)

// Entry is the bytes of one position in a page:
//
//	key | u8 1+2n | n times (u8 move, u8 annotation) | 33 bytes of figures
//
// Its lengths have been checked; nothing else has.
type Entry []byte

// CutEntry returns the entry at the beginning of b and what follows it.
func CutEntry(b []byte) (e Entry, rest []byte, err error) {
	if len(b) == 0 {
		return nil, nil, entryError("the page's entries end before their count")
	}
	moves := int(b[0] & keyLength)
	if moves == 0 {
		return nil, nil, entryError("a key of no length")
	}
	if moves >= len(b) {
		return nil, nil, entryError("the key goes past the end of the page's entries")
	}
	m := int(b[moves])
	if m&1 == 0 {
		return nil, nil, entryError("%d bytes of moves; it must be an odd number", m)
	}
	end := moves + m + StatsSize
	if end > len(b) {
		return nil, nil, entryError("it goes past the end of the page's entries")
	}
	return Entry(b[:end:end]), b[end:], nil
}

func entryError(format string, args ...any) error {
	return fmt.Errorf("entry: %w: %s", model.ErrCorrupt, fmt.Sprintf(format, args...))
}

// KeyBytes returns the key.
func (e Entry) KeyBytes() []byte { return e[:e[0]&keyLength] }

// Key returns the key as a value.
func (e Entry) Key() (key Key) {
	copy(key[:], e.KeyBytes())
	return key
}

// Moves returns the list of moves: a move byte and an annotation byte each.
func (e Entry) Moves() []byte {
	at := int(e[0] & keyLength)
	return e[at+1 : at+int(e[at])]
}

// StatsBytes returns the 33 bytes of figures.
func (e Entry) StatsBytes() []byte { return e[len(e)-StatsSize:] }

// Stats are the figures of a position, from the side of the player to move.
// Of the sums and counts as many bytes are stored as the comments say.
type Stats struct {
	Games, Wins, Losses, Draws uint32 // 24 bits
	Score                      uint32 // points in tenths
	OwnGames                   uint32 // 24 bits; games with a rating
	OwnSum                     uint32 // of ratings of the player to move
	OpponentGames              uint32 // 24 bits
	OpponentSum                uint32
	Recommendation             uint8
	Weight                     int8
	Commentary                 uint8 // a NAG, White being the side to move
}

// Stats decodes the figures.
func (e Entry) Stats() Stats {
	b := e.StatsBytes()
	return Stats{
		Games: u24(b), Wins: u24(b[3:]), Losses: u24(b[6:]), Draws: u24(b[9:]),
		Score:    binary.BigEndian.Uint32(b[12:]),
		OwnGames: u24(b[16:]), OwnSum: binary.BigEndian.Uint32(b[19:]),
		OpponentGames: u24(b[23:]), OpponentSum: binary.BigEndian.Uint32(b[26:]),
		Recommendation: b[recommendationAt], Weight: int8(b[31]), Commentary: b[32],
	}
}

func u24(b []byte) uint32 { return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]) }

// Append appends the figures in 33 bytes. Counts must not exceed [MaxCount].
func (s *Stats) Append(dst []byte) []byte {
	dst = wire.AppendU24BE(dst, s.Games)
	dst = wire.AppendU24BE(dst, s.Wins)
	dst = wire.AppendU24BE(dst, s.Losses)
	dst = wire.AppendU24BE(dst, s.Draws)
	dst = wire.AppendU32BE(dst, s.Score)
	dst = wire.AppendU24BE(dst, s.OwnGames)
	dst = wire.AppendU32BE(dst, s.OwnSum)
	dst = wire.AppendU24BE(dst, s.OpponentGames)
	dst = wire.AppendU32BE(dst, s.OpponentSum)
	return append(dst, s.Recommendation, uint8(s.Weight), s.Commentary)
}

// AppendEntry appends an entry. There are two bytes for each move, and at most
// [MaxMoves] moves.
func AppendEntry(dst []byte, key *Key, moves []byte, s *Stats) []byte {
	dst = append(dst, key.Bytes()...)
	dst = appendMoves(dst, moves)
	return s.Append(dst)
}

func appendMoves(dst, moves []byte) []byte {
	dst = append(dst, uint8(1+len(moves)))
	return append(dst, moves...)
}
