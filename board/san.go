package board

import (
	"encoding/binary"

	"cbkit/model"
)

// SAN returns the move in standard algebraic notation. See
// [Position.AppendSAN].
func (p *Position) SAN(m model.Move) string {
	var buf [12]byte
	return string(p.AppendSAN(buf[:0], m))
}

// AppendSAN appends the move in standard algebraic notation: "Nbd7", "exd6",
// "e8=Q+", "O-O-O#", "--" for the null move. A piece's file, rank or square is
// added only where another piece of its kind could legally go to the same
// square.
//
// The move should be legal in p; for one that is not, the text means nothing.
func (p *Position) AppendSAN(dst []byte, m model.Move) []byte {
	return AppendSigned(dst, m, p.Sign(m))
}

// Sign returns what notation says of a move, which should be legal in p, besides
// its squares.
func (p *Position) Sign(m model.Move) model.Sign {
	next := *p
	s, _ := next.made(m)
	return s
}

// made makes a move, which should be legal, and returns its sign.
func (p *Position) made(m model.Move) (model.Sign, Undo) {
	s := p.unchecked(m)
	u := p.Make(m)
	if p.InCheck() && !m.IsNull() {
		s |= p.checkSign()
	}
	return s, u
}

// AppendMade is [Position.AppendSAN] followed by [Position.Make], and costs less
// than both.
func (p *Position) AppendMade(dst []byte, m model.Move) ([]byte, Undo) {
	s, u := p.made(m)
	return AppendSigned(dst, m, s), u
}

// AppendSigned is [Position.AppendSAN] for a move whose sign is known: then no
// position is needed.
func AppendSigned(dst []byte, m model.Move, s model.Sign) []byte {
	var w word
	switch {
	case m.IsNull():
		w = nullWord
	case m.IsCastling():
		if w = castleLong; m.IsShortCastling() {
			w = castleShort
		}
	default:
		w.piece(m, s)
		if becomes := m.Promotion(); becomes != model.NoPieceType {
			w.add('=')
			w.add(letters[becomes&7])
		}
	}
	w.addIf(checkSigns[s>>6&3], uint(s>>6|s>>7)&1)
	return w.append(dst)
}

// checkSigns are the signs of check and mate, by the two highest bits.
const checkSigns = " +##"

// piece adds the move of a piece, without branches: what comes next is hard to
// guess.
func (w *word) piece(m model.Move, s model.Sign) {
	from := m.From()
	takes, file, rank := uint(s>>3)&1, uint(s>>4)&1, uint(s>>5)&1
	if s&model.SignPiece == model.Sign(model.Pawn) {
		file = takes // a pawn that captures names its file
	} else {
		w.add(letters[s&model.SignPiece])
	}
	w.addIf('a'+byte(from&7), file)
	w.addIf('1'+byte(from>>3), rank)
	w.addIf('x', takes)
	w.square(m.To())
}

// word is a move in words of the notation, of which none has more than seven
// characters: the first in the lowest byte. It is written at one stroke.
type word struct {
	text uint64
	bits uint // 8 for each character
}

// append appends the word to a text.
func (w *word) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, w.text)
	return dst[:len(dst)-8+int(w.bits/8)]
}

func (w *word) add(c byte) {
	w.text |= uint64(c) << w.bits
	w.bits += 8
}

// addIf adds a character once or, for 0, not at all.
func (w *word) addIf(c byte, once uint) {
	w.text |= uint64(c) * uint64(once) << w.bits
	w.bits += 8 * once
}

func (w *word) square(s model.Square) {
	w.text |= uint64(squareNames[s&63]) << w.bits
	w.bits += 16
}

// squareNames are the names of the squares, the file in the lower byte.
var squareNames = func() (names [64]uint16) {
	for s := range names {
		names[s] = uint16('1'+s>>3)<<8 | uint16('a'+s&7)
	}
	return names
}()

// letters are those of the pieces, by kind.
const letters = " PNBRQK "

// Whole words, and castling without its sign of check.
var (
	nullWord    = word{'-' | '-'<<8, 16}
	castleShort = word{'O' | '-'<<8 | 'O'<<16, 24}
	castleLong  = word{'O' | '-'<<8 | 'O'<<16 | '-'<<24 | 'O'<<32, 40}
)

// unchecked returns the sign of a move, which should be legal, without what it
// says of check or mate.
func (p *Position) unchecked(m model.Move) (s model.Sign) {
	from, to := m.From(), m.To()
	t := p.board[from].Type()
	switch {
	case m.IsNull():
		return 0
	case m.IsCastling():
		return model.Sign(model.King)
	case t == model.Pawn:
		if from&7 != to&7 {
			s = model.SignCapture
		}
		return s | model.Sign(model.Pawn)
	}
	s = model.Sign(t)
	if rivals := p.rivals(t, from, to); rivals != 0 {
		s |= p.origin(rivals, from, to)
	}
	if p.board[to] != model.NoPiece {
		s |= model.SignCapture
	}
	return s
}

// checkSign returns the sign of the move that gave check to the side to move.
func (p *Position) checkSign() model.Sign {
	if p.HasLegalMove() {
		return model.SignCheck
	}
	return model.SignCheck | model.SignMate
}

// rivals returns the pieces of one kind besides the one on from with which the
// side to move attacks a square; there is one king.
func (p *Position) rivals(t model.PieceType, from, to model.Square) uint64 {
	set := p.Pieces(p.turn, t) & rays(t, to) &^ bit(from)
	if set == 0 || t == model.King {
		return 0
	}
	return p.unblocked(set, to)
}

// origin says what tells the piece on from apart from its rivals that may go to
// the same square.
func (p *Position) origin(rivals uint64, from, to model.Square) model.Sign {
	for set := rivals; set != 0; set &= set - 1 {
		if s := first(set); !p.safe(s, to) {
			rivals &^= bit(s)
		}
	}
	return Origin(rivals, from)
}

// Origin returns what distinguishes the square from from those of rivals, a bitboard: the
// file if that is enough, else the rank, else both.
func Origin(rivals uint64, from model.Square) model.Sign {
	switch {
	case rivals == 0:
		return 0
	case rivals&(fileA<<(from&7)) == 0:
		return model.SignFile
	case rivals&(firstRank<<(from&56)) == 0:
		return model.SignRank
	}
	return model.SignFile | model.SignRank
}

// candidates returns the pieces of one kind, not pawns, with which the side to
// move attacks a square.
func (p *Position) candidates(t model.PieceType, to model.Square) uint64 {
	return p.unblocked(p.Pieces(p.turn, t)&rays(t, to), to)
}

// unblocked returns those of a set of pieces between which and a square none
// stands.
func (p *Position) unblocked(set uint64, to model.Square) uint64 {
	occupied := p.Occupied()
	row := &between[to&63]
	for rest := set; rest != 0; rest &= rest - 1 {
		if s := first(rest); row[s&63]&occupied != 0 {
			set &^= bit(s)
		}
	}
	return set
}

// pawnOrigins returns the pawns of the side to move that could go to the
// square: straight ahead, or diagonally if capture is set.
func (p *Position) pawnOrigins(to model.Square, capture bool) uint64 {
	pawns := p.Pieces(p.turn, model.Pawn)
	if capture {
		return pawns & pawnAttacks[p.turn&1^1][to&63]
	}
	behind := pawnStep(bit(to), p.turn.Other())
	if behind&p.Occupied() == 0 {
		behind = pawnStep(behind&doubleStepRank(p.turn), p.turn.Other())
	}
	return behind & pawns
}
