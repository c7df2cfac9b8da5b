package cbh

import (
	"encoding/binary"
	"slices"

	"cbkit/internal/wire"
	"cbkit/model"
)

// The quotation of a game, type 13 (docs/formats/cba.md 6), big-endian:
//
//	u16 size of the payload | u16 mode | u16 start
//	start position, 28 bytes, only if start is 64
//	white, black | u16 ratings of both | u16 opening | event, site
//	u32 date | u16 event type | u16 nation | u16 category | u16 rounds
//	u8 subround | u8 round | u8 result | u16 spare
//	moves, u16 each
//
// A string is a length byte, its bytes and a zero that is not counted.
// The spare word looks like memory that was not cleared.
const (
	quoteHeader = 1 // mode: without moves
	quoteMoves  = 2 // mode: with the main line

	quoteFromStart = 0
	quoteFromSetup = 64
)

func decodeQuotation(p []byte, page CodePage) model.Value {
	var q model.Quotation
	c := wire.NewCursor(p)
	size, mode, start := c.U16BE(), c.U16BE(), c.U16BE()
	switch {
	case int(size) != len(p), mode != quoteHeader && mode != quoteMoves:
		return nil
	case start == quoteFromSetup:
		q.Start = decodeSetup(c.Bytes(setupSize))
		if q.Start == nil {
			return nil
		}
	case start != quoteFromStart:
		return nil
	}
	q.WithMoves = mode == quoteMoves
	q.White, q.Black = quotedString(&c, page), quotedString(&c, page)
	q.WhiteElo, q.BlackElo = c.U16BE(), c.U16BE()
	q.ECO, _ = UnpackOpening(c.U16BE())
	q.Event, q.Site = quotedString(&c, page), quotedString(&c, page)
	q.Date = UnpackDate(c.U32BE())
	q.EventType = wire.EventType(c.U16BE())
	nation := c.U16BE()
	q.Nation = model.Nation(nation)
	q.Category, q.Rounds = c.U16BE(), c.U16BE()
	q.Subround, q.Round = c.U8(), c.U8()
	result, okResult := UnpackResult(c.U8())
	q.Result = result
	q.Spare = c.U16BE()
	moves, okMoves := decodeQuotedMoves(c.Rest(), q.Start)
	q.Moves = moves
	if c.Err() != nil || nation > 255 || !okResult || !okMoves {
		return nil
	}
	return q
}

// appendQuotation returns false if the starting position does not fit.
func appendQuotation(dst []byte, q model.Quotation, page CodePage) (out []byte, ok bool) {
	start := len(dst)
	out = wire.AppendU16BE(dst, 0)
	mode := uint16(quoteHeader)
	if q.WithMoves {
		mode = quoteMoves
	}
	out = wire.AppendU16BE(out, mode)
	if q.Start == nil {
		out = wire.AppendU16BE(out, quoteFromStart)
	} else {
		out = wire.AppendU16BE(out, quoteFromSetup)
		if out, ok = appendSetup(out, q.Start); !ok {
			return dst, false
		}
	}
	out = appendQuotedString(out, q.White, page)
	out = appendQuotedString(out, q.Black, page)
	out = wire.AppendU16BE(out, q.WhiteElo)
	out = wire.AppendU16BE(out, q.BlackElo)
	out = wire.AppendU16BE(out, PackOpening(q.ECO, -1))
	out = appendQuotedString(out, q.Event, page)
	out = appendQuotedString(out, q.Site, page)
	date, _ := PackDate(q.Date)
	out = wire.AppendU32BE(out, date)
	out = wire.AppendU16BE(out, wire.EventNumber(q.EventType))
	out = wire.AppendU16BE(out, uint16(q.Nation))
	out = wire.AppendU16BE(out, q.Category)
	out = wire.AppendU16BE(out, q.Rounds)
	out = append(out, q.Subround, q.Round, PackResult(q.Result))
	out = wire.AppendU16BE(out, q.Spare)
	out = appendQuotedMoves(out, q.Moves)
	binary.BigEndian.PutUint16(out[start:], uint16(len(out)-start))
	return out, true
}

func quotedString(c *wire.Cursor, page CodePage) string {
	b := c.Bytes(int(c.U8()))
	if c.U8() != 0 {
		c.Fail("", model.ErrCorrupt)
	}
	return page.Decode(b)
}

func appendQuotedString(dst []byte, s string, page CodePage) []byte {
	return append(appendShortString(dst, s, page), 0)
}

// A set-up position takes 28 bytes (docs/formats/cbg.md 4):
//
//	+0  u8 1
//	+1  u8 bits 0-3 en passant file, 1 for a, 0 none; bit 4 Black to move
//	+2  u8 castling rights, bit by bit: see setupRights
//	+3  u8 number of the next full move; 0 means 1
//	+4  board, 24 bytes: see wire.ParseBoard
const (
	setupSize     = 28
	setupVersion  = 1
	setupBlackBit = 1 << 4
)

// setupRights are the castling rights, lowest bit first.
var setupRights = [4]struct {
	color model.Color
	side  model.Side
	rook  model.Square
}{
	{model.White, model.QueenSide, model.A1},
	{model.White, model.KingSide, model.H1},
	{model.Black, model.QueenSide, model.A8},
	{model.Black, model.KingSide, model.H8},
}

// decodeSetup returns nil if b is too short or no board. Values that mean
// nothing, such as en passant on a ninth file, count as zero.
func decodeSetup(b []byte) *model.Position {
	if len(b) != setupSize {
		return nil
	}
	p := &model.Position{
		Rights:    model.NoRights(),
		EnPassant: int8(b[1]&15) - 1,
		FullMove:  uint16(max(b[3], 1)),
	}
	if p.EnPassant > 7 {
		p.EnPassant = model.NoFile
	}
	if b[1]&setupBlackBit != 0 {
		p.Turn = model.Black
	}
	for i, r := range setupRights {
		if b[2]>>i&1 != 0 {
			p.Rights[r.color][r.side] = r.rook
		}
	}
	if wire.ParseBoard(b[4:], &p.Board) != nil {
		return nil
	}
	return p
}

// appendSetup returns false if there are more pieces than the board has bits
// for. It writes a move number above 255 as 255, and leaves out the clock of
// half moves and what is special to Chess960.
func appendSetup(dst []byte, p *model.Position) (out []byte, ok bool) {
	side := uint8(p.EnPassant+1) & 15
	if p.Turn == model.Black {
		side |= setupBlackBit
	}
	var rights uint8
	for i, r := range setupRights {
		if p.Rights[r.color][r.side] == r.rook {
			rights |= 1 << i
		}
	}
	dst = append(dst, setupVersion, side, rights, uint8(min(p.FullMove, 255)))
	return wire.AppendBoard(dst, &p.Board)
}

// The moves of a quoted game are words: bits 0-5 from, 6-11 to, 12-13 what a
// pawn becomes, bit 14 the end. Castling is the king's move. The end is a null
// move. Both bytes of word k, counted from 0, are enciphered: see quoteCipher.
const quotedEnd = 1 << 14

// quotedPromotions are the pieces of bits 12-13.
var quotedPromotions = [4]model.PieceType{model.Queen, model.Rook, model.Bishop, model.Knight}

// decodeQuotedMoves decodes all of b, false unless it ends with the end.
func decodeQuotedMoves(b []byte, start *model.Position) ([]model.Move, bool) {
	n := len(b)/2 - 1
	if len(b)%2 != 0 || n < 0 || quotedWord(b, n) != quotedEnd {
		return nil, false
	}
	board := newQuotedBoard(start)
	moves := make([]model.Move, n)
	for k := range moves {
		w := quotedWord(b, k)
		if w >= quotedEnd {
			return nil, false
		}
		from := model.SquareFromFileMajor(uint8(w))
		to := model.SquareFromFileMajor(uint8(w >> 6))
		moves[k] = board.move(from, to, quotedPromotions[w>>12])
	}
	return moves, true
}

// quotedWord deciphers word k.
func quotedWord(b []byte, k int) uint16 {
	high, low := quoteDecipher[b[2*k]-byte(k)], quoteDecipher[b[2*k+1]-byte(k)]
	return uint16(high)<<8 | uint16(low)
}

func appendQuotedMoves(dst []byte, moves []model.Move) []byte {
	k := byte(0) // only the low byte of k counts
	add := func(w uint16) {
		dst = append(dst, quoteCipher[w>>8]+k, quoteCipher[w&0xFF]+k)
		k++
	}
	for _, m := range moves {
		w := uint16(m.From().FileMajor()) | uint16(m.KingTarget().FileMajor())<<6
		if piece := slices.Index(quotedPromotions[:], m.Promotion()); piece > 0 {
			w |= uint16(piece) << 12
		}
		add(w)
	}
	add(quotedEnd)
	return dst
}

// quotedBoard knows where kings and pawns stand, of either colour, which is
// all it takes to tell castling and promotion. It replays what it is given,
// legal or not.
type quotedBoard struct{ kings, pawns uint64 }

func newQuotedBoard(start *model.Position) quotedBoard {
	if start == nil {
		p := model.StartPosition()
		start = &p
	}
	var b quotedBoard
	for square, piece := range start.Board {
		switch piece.Type() {
		case model.King:
			b.kings |= 1 << square
		case model.Pawn:
			b.pawns |= 1 << square
		}
	}
	return b
}

// move plays a stored move and returns it as the model has it: a king on e1 or
// e8 that goes two files castles, and a pawn on the last rank becomes promoted.
func (b *quotedBoard) move(from, to model.Square, promoted model.PieceType) model.Move {
	if from == to { // a null move
		return model.NewMove(from, to)
	}
	fromBit, toBit := uint64(1)<<from, uint64(1)<<to
	isKing, isPawn := b.kings&fromBit != 0, b.pawns&fromBit != 0
	b.kings &^= fromBit | toBit
	b.pawns &^= fromBit | toBit
	switch {
	case isKing:
		b.kings |= toBit
		if rook := castlingRook(from, to); rook != model.NoSquare {
			return model.NewCastling(from, rook)
		}
	case isPawn && (to.Rank() == 0 || to.Rank() == 7):
		return model.NewPromotion(from, to, promoted)
	case isPawn:
		b.pawns |= toBit
	}
	return model.NewMove(from, to)
}

// castlingRook returns the rook's square if a king's move is castling.
func castlingRook(from, to model.Square) model.Square {
	switch {
	case from == model.E1 && to == model.G1:
		return model.H1
	case from == model.E1 && to == model.C1:
		return model.A1
	case from == model.E8 && to == model.G8:
		return model.H8
	case from == model.E8 && to == model.C8:
		return model.A8
	}
	return model.NoSquare
}

// quoteCipher enciphers the moves of quotations: byte b of word k is stored as
// quoteCipher[b]+k, modulo 256 (docs/formats/cba.md 6, type 13).
var quoteCipher = [256]byte{
	0xAF, 0x13, 0x67, 0xBE, 0x44, 0x0A, 0x8C, 0x97, 0xDF, 0x6B, 0xF6, 0x05, 0x9D, 0x94, 0x37, 0xB7,
	0x9A, 0xFD, 0x2F, 0x74, 0x31, 0xE5, 0x39, 0x29, 0x8F, 0xF1, 0xA2, 0x45, 0xE7, 0x28, 0x61, 0xED,
	0x42, 0x80, 0x4B, 0x47, 0x7E, 0xD9, 0xD7, 0x81, 0xE8, 0x7A, 0x99, 0x87, 0x50, 0xE1, 0x7F, 0xCD,
	0x98, 0xEF, 0x6E, 0x52, 0x86, 0x7D, 0xF4, 0xE3, 0xC5, 0xA5, 0x7B, 0x69, 0xC4, 0xA9, 0x0E, 0xAD,
	0xB5, 0xD8, 0x21, 0x2E, 0xC1, 0x0D, 0x6A, 0x15, 0x3A, 0x12, 0x26, 0xB2, 0x3C, 0xA7, 0x66, 0xC3,
	0x1B, 0xF5, 0xC2, 0xB9, 0x9F, 0x32, 0x09, 0x1D, 0x72, 0x79, 0xCC, 0x88, 0xCA, 0x22, 0x54, 0x36,
	0x34, 0x85, 0xF7, 0x0F, 0xDA, 0x8A, 0xE9, 0xD2, 0x4C, 0xF3, 0xD3, 0x01, 0x30, 0x2A, 0xE0, 0xEC,
	0xDB, 0x8B, 0x0C, 0x04, 0x62, 0x96, 0xD1, 0x55, 0x9B, 0x7C, 0x27, 0xCF, 0xE6, 0xEB, 0x06, 0xBB,
	0x5F, 0x00, 0xDE, 0xCB, 0xB1, 0x2D, 0x82, 0x18, 0xC8, 0x5C, 0xC7, 0xA3, 0x4A, 0x14, 0x24, 0x4D,
	0xBD, 0xA0, 0xB0, 0xC6, 0x1A, 0xC9, 0xF8, 0x03, 0xFA, 0x08, 0xBC, 0xF9, 0xF0, 0x92, 0xFB, 0xAE,
	0x38, 0x41, 0x23, 0x6F, 0x63, 0xAB, 0x3B, 0x53, 0xFE, 0x8E, 0xEE, 0x59, 0x65, 0x71, 0xEA, 0x76,
	0x57, 0xCE, 0x64, 0xD4, 0x9E, 0x17, 0x77, 0x90, 0x07, 0x25, 0xBA, 0xDC, 0x35, 0x46, 0x4E, 0xAC,
	0x1E, 0x6C, 0x2C, 0x02, 0x70, 0x75, 0xD5, 0xA8, 0x10, 0x5E, 0x95, 0x9C, 0xC0, 0xD6, 0xF2, 0x40,
	0x5D, 0x33, 0x83, 0xBF, 0x0B, 0x73, 0x6D, 0xFC, 0x68, 0x3E, 0x16, 0x4F, 0x51, 0xE4, 0xB8, 0x48,
	0xE2, 0x93, 0xA1, 0x3F, 0x60, 0x2B, 0x19, 0x3D, 0xB4, 0x89, 0x43, 0x1F, 0x11, 0x91, 0x5B, 0xDD,
	0x84, 0x56, 0xA6, 0x8D, 0xAA, 0x1C, 0x78, 0x58, 0xD0, 0xFF, 0x20, 0xB3, 0xB6, 0xA4, 0x5A, 0x49,
}

// quoteDecipher is the inverse of quoteCipher.
var quoteDecipher = func() (inverse [256]byte) {
	for plain, c := range quoteCipher {
		inverse[c] = byte(plain)
	}
	return inverse
}()
