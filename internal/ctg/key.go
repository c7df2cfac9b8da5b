package ctg

import (
	"encoding/hex"

	"cbkit/board"
	"cbkit/model"
)

// MaxKey is the size in bytes of the longest key that its header byte can
// announce. A legal position needs 28 at most.
const MaxKey = 31

// Bits of a key's header byte.
const (
	keyLength    = 0x1f
	keyEnPassant = 0x20
	keyCastling  = 0x40
	keyUnused    = 0x80
)

// Key is the encoded form of a position, by which a book finds it. The low
// five bits of the first byte are the length in bytes, the rest is zero. Keys
// are equal if and only if they are == to each other.
type Key [MaxKey + 1]byte

// Bytes returns the key's bytes as they are in the book.
func (k *Key) Bytes() []byte { return k[:k[0]&keyLength] }

// Hash returns the key's hash.
func (k *Key) Hash() uint32 { return Hash(k.Bytes()) }

// String returns the key in hexadecimal.
func (k *Key) String() string { return hex.EncodeToString(k.Bytes()) }

// View is how the canonical board lies on the real one: squares change places
// by an exclusive or with it. It is its own inverse.
type View uint8

const (
	flipRanks   View = 56
	mirrorFiles View = 7
)

// Square returns the canonical square of a real one, or the reverse.
func (v View) Square(s model.Square) model.Square { return s ^ model.Square(v) }

// Flipped reports whether the colours are exchanged: Black is to move.
func (v View) Flipped() bool { return v&flipRanks != 0 }

// otherColor makes a piece one of the other colour.
const otherColor = model.BlackPawn ^ model.WhitePawn

// code are bits, and how many they are.
type code struct {
	bits uint16
	n    uint8
}

// pieceCodes are those of each piece on the board. (docs/formats/ctg.md 5)
var pieceCodes = [16]code{
	model.NoPiece:     {0b0, 1},
	otherColor:        {0b0, 1}, // no piece, turned round
	model.WhitePawn:   {0b110, 3},
	model.BlackPawn:   {0b111, 3},
	model.WhiteRook:   {0b10110, 5},
	model.BlackRook:   {0b10111, 5},
	model.WhiteBishop: {0b10100, 5},
	model.BlackBishop: {0b10101, 5},
	model.WhiteKnight: {0b10010, 5},
	model.BlackKnight: {0b10011, 5},
	model.WhiteQueen:  {0b100010, 6},
	model.BlackQueen:  {0b100011, 6},
	model.WhiteKing:   {0b100000, 6},
	model.BlackKing:   {0b100001, 6},
}

// pairCodes are those of two pieces, the first of them times 16 plus the second.
var pairCodes = func() (table [256]code) {
	for i := range table {
		first, second := pieceCodes[i>>4], pieceCodes[i&15]
		table[i] = code{first.bits<<second.n | second.bits, first.n + second.n}
	}
	return table
}()

// Encode returns the position's key and the view under which it was taken. En
// passant is part of the key if an enemy pawn stands beside the one that has
// just advanced, pinned or not; castling rights if king and rook stand on
// their orthodox squares. (docs/formats/ctg.md 5)
func Encode(p *board.Position) (Key, View) {
	rights := orthodoxRights(p)
	view := viewOf(p, rights)
	ep := model.NoFile
	if p.EnPassantAttacked() {
		ep = p.EnPassant()
	}
	return encode(p, view, rights, ep), view
}

// EncodeTwin returns the second key under which some programs look for a
// position: the one without en passant, when the neighbouring pawn's capture
// is illegal. For other positions ok is false. (docs/formats/ctg.md 5)
func EncodeTwin(p *board.Position) (key Key, ok bool) {
	if !p.EnPassantAttacked() || p.EnPassantLegal() {
		return Key{}, false
	}
	rights := orthodoxRights(p)
	return encode(p, viewOf(p, rights), rights, model.NoFile), true
}

// orthodoxRights returns the castling rights that a key can say, in four bits:
// White's on the king's side (1) and the queen's (2), Black's (4, 8).
func orthodoxRights(p *board.Position) (rightBits uint8) {
	rights := p.Rights()
	if !rights.Any() {
		return 0
	}
	for c, home := range model.AllRights() {
		king, rook := model.NewPiece(model.Color(c), model.King), model.NewPiece(model.Color(c), model.Rook)
		if p.PieceAt(home[model.QueenSide]+4) != king {
			continue
		}
		for side, square := range home {
			if rights[c][side] == square && p.PieceAt(square) == rook {
				rightBits |= 1 << (2*c + side)
			}
		}
	}
	return rightBits
}

func viewOf(p *board.Position, rightBits uint8) (v View) {
	if p.Turn() == model.Black {
		v = flipRanks
	}
	king := p.KingSquare(p.Turn())
	if rightBits == 0 && king != model.NoSquare && king.File() < 4 {
		v |= mirrorFiles
	}
	return v
}

func encode(p *board.Position, v View, rightBits uint8, ep int8) (key Key) {
	var swap model.Piece
	if v.Flipped() {
		swap = otherColor
		rightBits = rightBits>>2 | rightBits&3<<2
	}
	n, acc, count := 1, uint64(0), uint8(0)
	for file := range model.Square(8) {
		for rank := model.Square(0); rank < 64; rank += 16 {
			first, second := p.PieceAt(v.Square(rank|file))^swap, p.PieceAt(v.Square(rank+8|file))^swap
			c := &pairCodes[first&15<<4|second&15]
			acc, count = acc<<c.n|uint64(c.bits), count+c.n
		}
		n, count = key.put(n, acc, count)
	}
	header, tail, tailBits := byte(0), uint8(0), uint8(0)
	if ep != model.NoFile {
		header |= keyEnPassant
		tail, tailBits = uint8(v.Square(model.Square(ep)).File()), 3
	}
	if rightBits != 0 {
		header |= keyCastling
		tail, tailBits = tail<<4|castlingTail(rightBits), tailBits+4
	}
	// As many zero bits that the tail, of at most 7 bits, ends with a byte; without a tail
	// at least one.
	padding := (16 - count - tailBits) % 8
	if tailBits == 0 && padding == 0 {
		padding = 8
	}
	n, _ = key.put(n, acc<<padding<<tailBits|uint64(tail), count+padding+tailBits)
	key[0] = header | byte(n)
	return key
}

// put writes the bytes from the n-th on that bits have in full, most significant first, of
// which count are new, and returns how many bytes there are then, and how many bits are left.
func (k *Key) put(n int, bits uint64, count uint8) (int, uint8) {
	for ; count >= 8; n++ {
		count -= 8
		k[n] = byte(bits >> count)
	}
	return n, count
}

// castlingTail puts the rights in their order in the key: Black's on the
// king's side first, White's on the queen's side last. It is its own inverse.
func castlingTail(rightBits uint8) uint8 {
	return rightBits>>1&0b0101 | rightBits<<1&0b1010
}
