package board

import (
	"fmt"

	"cbkit/model"
)

// castlingReader reads the castling field of a FEN.
type castlingReader struct {
	kings [2]model.Square // on their home ranks, else NoSquare
	rooks [2]uint64       // on their home ranks
	// outermost has the rights when KQkq mean the outermost rooks, corners
	// when they mean the corners. Rights named by file are in both.
	outermost, corners model.CastlingRights
	byFile             bool
}

// readCastling reads the castling field into p, whose board and mark of
// Chess960 are set.
func readCastling(p *model.Position, text string) (at int, reason string) {
	if text == "-" {
		return 0, ""
	}
	r := newCastlingReader(&p.Board)
	for i := range len(text) {
		if reason := r.letter(text[i]); reason != "" {
			return i, reason
		}
	}
	switch {
	case p.Chess960:
		p.Rights = r.outermost
	case r.byFile:
		p.Rights = r.outermost
		p.Chess960 = !r.orthodox(&p.Rights)
	case r.isChess960():
		p.Rights, p.Chess960 = r.outermost, true
	default:
		p.Rights = r.corners
	}
	return 0, ""
}

func newCastlingReader(board *[64]model.Piece) castlingReader {
	r := castlingReader{
		kings:     [2]model.Square{model.NoSquare, model.NoSquare},
		outermost: model.NoRights, corners: model.NoRights,
	}
	for c := range r.kings {
		for s := corner(c, model.QueenSide); s <= corner(c, model.KingSide); s++ {
			switch board[s] {
			case model.NewPiece(model.Color(c), model.King):
				r.kings[c] = s
			case model.NewPiece(model.Color(c), model.Rook):
				r.rooks[c] |= bit(s)
			}
		}
	}
	return r
}

// letter reads one right.
func (r *castlingReader) letter(b byte) (reason string) {
	c, letter := 0, b
	if b >= 'a' {
		c, letter = 1, b-('a'-'A')
	}
	king := r.kings[c]
	var wing model.Side
	var rook, orthodox model.Square
	switch {
	case letter == 'K' || letter == 'Q':
		if letter == 'Q' {
			wing = model.QueenSide
		}
		orthodox, rook = corner(c, wing), model.NoSquare
		if king != model.NoSquare {
			rook = outermostRook(r.rooks[c], king, wing)
		}
	case 'A' <= letter && letter <= 'H':
		rook = corner(c, model.QueenSide) + model.Square(letter-'A')
		orthodox = rook
		if king == model.NoSquare && rook&7 < model.E1 || king != model.NoSquare && rook < king {
			wing = model.QueenSide
		}
		r.byFile = true
	default:
		return fmt.Sprintf("%q is not a castling right", string(b))
	}
	if r.corners[c][wing] != model.NoSquare {
		return fmt.Sprintf("%q names a second rook on the same wing", string(b))
	}
	r.corners[c][wing], r.outermost[c][wing] = orthodox, rook
	return ""
}

// orthodox reports whether all rights are those of kings on the e-file with
// rooks in the corners.
func (r *castlingReader) orthodox(rights *model.CastlingRights) bool {
	for c := range rights {
		for wing, rook := range rights[c] {
			if rook != model.NoSquare && (rook != corner(c, model.Side(wing)) || r.kings[c]&7 != model.E1) {
				return false
			}
		}
	}
	return true
}

// isChess960 reports whether KQkq can only be those of Chess960: not orthodox,
// every right with a rook, both sides on the same files.
func (r *castlingReader) isChess960() bool {
	if r.orthodox(&r.outermost) {
		return false
	}
	kings, rooks := model.NoSquare, [2]model.Square{model.NoSquare, model.NoSquare}
	for c := range r.corners {
		for wing, named := range r.corners[c] {
			if named == model.NoSquare {
				continue
			}
			rook := r.outermost[c][wing]
			if rook == model.NoSquare ||
				rooks[wing] != model.NoSquare && rooks[wing] != rook&7 ||
				kings != model.NoSquare && kings != r.kings[c]&7 {
				return false
			}
			kings, rooks[wing] = r.kings[c]&7, rook&7
		}
	}
	return true
}

// corner returns where a colour's rook stands in orthodox chess.
func corner(c int, wing model.Side) model.Square { return model.AllRights[c&1][wing&1] }

// castlingText is the castling field of a FEN.
type castlingText struct {
	bytes [4]byte
	n     int
}

func (t *castlingText) String() string { return string(t.bytes[:t.n]) }

// castlingField returns the text that is read back as the rights of p: KQkq or
// the files of the rooks, if possible so that [ParseFEN] reads it back too.
// Rights that no text gives back are written as KQkq.
func castlingField(p *model.Position) castlingText {
	files := rookFiles(&p.Rights)
	wings := castlingLetters(&p.Rights, func(wing model.Side, _ model.Square) byte { return "KQ"[wing&1] })
	for _, known960 := range [2]bool{false, true} {
		for _, text := range [2]castlingText{wings, files} {
			q := model.Position{Board: p.Board, Rights: model.NoRights, Chess960: known960}
			readCastling(&q, text.String())
			if q.Rights == p.Rights && q.Chess960 == p.Chess960 {
				return text
			}
		}
	}
	return wings
}

func rookFiles(rights *model.CastlingRights) castlingText {
	return castlingLetters(rights, func(_ model.Side, rook model.Square) byte { return 'A' + byte(rook&7) })
}

// castlingLetters joins one letter per right, in capitals for White.
func castlingLetters(rights *model.CastlingRights, letter func(model.Side, model.Square) byte) castlingText {
	var t castlingText
	for c := range rights {
		for wing, rook := range rights[c] {
			if rook < model.NoSquare {
				t.bytes[t.n&3] = letter(model.Side(wing), rook) + byte(c)*('a'-'A')
				t.n++
			}
		}
	}
	if t.n == 0 {
		t = castlingText{bytes: [4]byte{'-'}, n: 1}
	}
	return t
}
