package model

// Square is one of the 64 squares, rank by rank: a1 is 0, b1 is 1, a2 is 8,
// h8 is 63. Formats that count file by file convert with [Square.FileMajor].
type Square uint8

// NoSquare is the absence of a square.
const NoSquare Square = 64

// The squares by name.
const (
	A1, B1, C1, D1, E1, F1, G1, H1 Square = 8 * iota, 8*iota + 1, 8*iota + 2, 8*iota + 3, 8*iota + 4, 8*iota + 5, 8*iota + 6, 8*iota + 7
	A2, B2, C2, D2, E2, F2, G2, H2
	A3, B3, C3, D3, E3, F3, G3, H3
	A4, B4, C4, D4, E4, F4, G4, H4
	A5, B5, C5, D5, E5, F5, G5, H5
	A6, B6, C6, D6, E6, F6, G6, H6
	A7, B7, C7, D7, E7, F7, G7, H7
	A8, B8, C8, D8, E8, F8, G8, H8
)

// NewSquare returns the square on the given file (0 for a) and rank (0 for
// the first rank). Both are taken modulo 8.
func NewSquare(file, rank int) Square { return Square(rank&7<<3 | file&7) }

// File returns the file, 0 for a to 7 for h.
func (s Square) File() int { return int(s & 7) }

// Rank returns the rank, 0 for the first to 7 for the eighth.
func (s Square) Rank() int { return int(s >> 3) }

// FileMajor returns the square's number when squares are counted file by
// file: a1 is 0, a2 is 1, b1 is 8. The conversion is its own inverse, see
// [SquareFromFileMajor].
func (s Square) FileMajor() uint8 { return uint8(s&7<<3 | s>>3&7) }

// SquareFromFileMajor is the inverse of [Square.FileMajor]; only the low six
// bits of n count.
func SquareFromFileMajor(n uint8) Square { return Square(n&7<<3 | n>>3&7) }

// Mirror returns the square seen from the other side of the board: a1 and a8
// change places.
func (s Square) Mirror() Square { return s ^ 56 }

// String returns the name, such as "e4", and "-" for NoSquare.
func (s Square) String() string {
	if s >= NoSquare {
		return "-"
	}
	return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
}

// ParseSquare reads a name such as "e4".
func ParseSquare(name string) (Square, bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return NoSquare, false
	}
	return NewSquare(int(name[0]-'a'), int(name[1]-'1')), true
}
