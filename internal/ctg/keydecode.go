package ctg

import (
	"fmt"

	"cbkit/model"
)

// What can be wrong with a key; all are [model.ErrCorrupt].
var (
	errKeyUnused   = keyError("bit 7 of its first byte is set")
	errKeyBoard    = keyError("it ends before the 64th square")
	errKeyPadding  = keyError("bits between the board and the end are not zero")
	errKeyLong     = keyError("it goes on after its end")
	errKeyNoRights = keyError("castling rights are announced and none is there")
	errKeyHome     = keyError("a castling right without king and rook at home")
	errKeyPassant  = keyError("en passant without the pawns for it")
	errKeyView     = keyError("the board should be mirrored")
)

func keyError(what string) error { return fmt.Errorf("key: %w: %s", model.ErrCorrupt, what) }

// Position returns the position of a key in canonical form: White to move.
// Every key that Encode makes is accepted, and no other bytes: of the keys
// that are accepted, each is the only one of its position.
func (k *Key) Position() (model.Position, error) {
	p := model.Position{Rights: model.NoRights(), EnPassant: model.NoFile, FullMove: 1}
	if k[0]&keyUnused != 0 {
		return p, errKeyUnused
	}
	r := keyReader{key: k.Bytes(), bit: 8}
	for file := range model.Square(8) {
		for rank := model.Square(0); rank < 64; rank += 8 {
			p.Board[rank|file] = r.piece()
		}
	}
	if r.short {
		return p, errKeyBoard
	}
	err := k.tail(&p, &r)
	return p, err
}

// tail reads what follows the board.
func (k *Key) tail(p *model.Position, r *keyReader) error {
	n := 0
	if k[0]&keyEnPassant != 0 {
		n += 3
	}
	if k[0]&keyCastling != 0 {
		n += 4
	}
	padding := (8 - (r.bit+n)%8) % 8
	if n == 0 && padding == 0 {
		padding = 8
	}
	if r.take(padding) != 0 {
		return errKeyPadding
	}
	if k[0]&keyEnPassant != 0 {
		p.EnPassant = int8(r.take(3))
	}
	if k[0]&keyCastling != 0 {
		rights := castlingTail(uint8(r.take(4)))
		if rights == 0 {
			return errKeyNoRights
		}
		setRights(p, rights)
	}
	switch {
	case r.short:
		return errKeyBoard
	case r.bit != 8*len(r.key):
		return errKeyLong
	}
	return k.plausible(p)
}

func setRights(p *model.Position, rightBits uint8) {
	for c, home := range model.AllRights() {
		for side, square := range home {
			if rightBits>>(2*c+side)&1 != 0 {
				p.Rights[c][side] = square
			}
		}
	}
}

// plausible refuses what Encode never makes although it can be decoded.
func (k *Key) plausible(p *model.Position) error {
	for c, rooks := range p.Rights {
		for _, rook := range rooks {
			if rook == model.NoSquare {
				continue
			}
			if p.Board[rook] != model.NewPiece(model.Color(c), model.Rook) ||
				p.Board[rook&^7|model.E1] != model.NewPiece(model.Color(c), model.King) {
				return errKeyHome
			}
		}
	}
	if p.EnPassant != model.NoFile && !enPassantAttacked(p) {
		return errKeyPassant
	}
	if king := p.KingSquare(model.White); !p.Rights.Any() && king != model.NoSquare && king.File() < 4 {
		return errKeyView
	}
	return nil
}

func enPassantAttacked(p *model.Position) bool {
	pawn := model.NewSquare(int(p.EnPassant), 4)
	if p.Board[pawn] != model.BlackPawn || p.Board[pawn+8] != model.NoPiece {
		return false
	}
	return pawn.File() > 0 && p.Board[pawn-1] == model.WhitePawn ||
		pawn.File() < 7 && p.Board[pawn+1] == model.WhitePawn
}

// keyReader takes bits from a key, most significant first.
type keyReader struct {
	key   []byte
	bit   int
	short bool
}

// take returns the next n bits, at most 8.
func (r *keyReader) take(n int) (v int) {
	if r.bit+n > 8*len(r.key) {
		r.short = true
		return 0
	}
	for range n {
		v = v<<1 | int(r.key[r.bit>>3]>>(7-r.bit&7))&1
		r.bit++
	}
	return v
}

// piece reads one square.
func (r *keyReader) piece() model.Piece {
	switch {
	case r.take(1) == 0:
		return model.NoPiece
	case r.take(1) == 1:
		return model.NewPiece(model.Color(r.take(1)), model.Pawn)
	}
	kind := model.PieceType(0)
	switch r.take(2) {
	case 0b11:
		kind = model.Rook
	case 0b10:
		kind = model.Bishop
	case 0b01:
		kind = model.Knight
	case 0b00:
		kind = model.King
		if r.take(1) == 1 {
			kind = model.Queen
		}
	}
	return model.NewPiece(model.Color(r.take(1)), kind)
}
