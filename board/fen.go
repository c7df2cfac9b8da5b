package board

import (
	"fmt"
	"strconv"

	"cbkit/model"
)

// FENError says what is wrong with a FEN, and where.
type FENError struct {
	Field  string // such as "board", "castling"
	Offset int    // in bytes from the start of the FEN
	Reason string
}

// Error returns one line.
func (e *FENError) Error() string {
	return fmt.Sprintf("FEN: %s at byte %d: %s", e.Field, e.Offset, e.Reason)
}

// The six fields of a FEN, in order.
var fenFields = [6]string{
	"board", "side to move", "castling", "en passant", "half-move clock", "move number",
}

// Parse reads a FEN and returns the position: what [ParseModel] reads and [New] takes.
func Parse(fen string) (Position, error) {
	p, err := ParseModel(fen)
	if err != nil {
		return Position{}, err
	}
	return New(&p)
}

// ParseModel reads a FEN as the plain data that package model has, which games and
// [FormatFEN] take, of four to six fields; the half-move clock and the move
// number may be absent and are then 0 and 1. Errors are [*FENError].
//
// Castling rights may be given as KQkq or by the files of the rooks (Shredder-FEN). The
// position is marked as Chess960 if they cannot be orthodox: by file letters, when king
// and rooks are not on their orthodox squares; by KQkq (X-FEN: the outermost rook), when
// in addition every right has its rook and both sides' kings and rooks are on the same
// files. Otherwise KQkq are orthodox rights, with or without rooks: many set-ups just
// leave them in.
//
// The number of kings and pieces is not checked; [New] does that, and [Parse] both.
func ParseModel(s string) (model.Position, error) { return parseFEN(s, false) }

// ParseModel960 reads a FEN of a Chess960 game: the position is marked as such,
// and KQkq always mean the outermost rook on that side of the king. A right
// among KQkq that has no rook is dropped.
func ParseModel960(s string) (model.Position, error) { return parseFEN(s, true) }

func parseFEN(s string, chess960 bool) (model.Position, error) {
	p := model.Position{
		Rights: model.NoRights(), EnPassant: model.NoFile, FullMove: 1, Chess960: chess960,
	}
	offset := 0
	for i, name := range fenFields {
		for offset < len(s) && s[offset] == ' ' {
			offset++
		}
		end := offset
		for end < len(s) && s[end] != ' ' {
			end++
		}
		if end == offset {
			if i < 4 {
				return p, &FENError{name, offset, "missing"}
			}
			return p, nil
		}
		if at, reason := readFENField(&p, i, s[offset:end]); reason != "" {
			return p, &FENError{name, offset + at, reason}
		}
		offset = end
	}
	for ; offset < len(s); offset++ {
		if s[offset] != ' ' {
			return p, &FENError{"end", offset, "more than six fields"}
		}
	}
	return p, nil
}

// readFENField reads field number i. If it cannot, it says where in the text
// and why.
func readFENField(p *model.Position, i int, text string) (at int, reason string) {
	switch i {
	case 0:
		return readBoard(&p.Board, text)
	case 1:
		switch text {
		case "w":
			p.Turn = model.White
		case "b":
			p.Turn = model.Black
		default:
			return 0, fmt.Sprintf("%q is neither w nor b", text)
		}
		return 0, ""
	case 2:
		return readCastling(p, text)
	case 3:
		if text == "-" {
			return 0, ""
		}
		s, ok := model.ParseSquare(text)
		if !ok {
			return 0, fmt.Sprintf("%q is not a square", text)
		}
		p.EnPassant = int8(s.File())
		if target := p.EnPassantTarget(); target != s {
			return 0, fmt.Sprintf("%v with %v to move; it can only be on rank %d", s, p.Turn, target.Rank()+1)
		}
		return 0, ""
	case 4:
		return readCounter(&p.HalfMoves, text)
	}
	at, reason = readCounter(&p.FullMove, text)
	p.FullMove = max(p.FullMove, 1)
	return at, reason
}

func readBoard(board *[64]model.Piece, text string) (at int, reason string) {
	file, rank := 0, 7
	for i := range len(text) {
		b := text[i]
		piece := model.PieceOf(b)
		switch {
		case b == '/':
			if file != 8 {
				return i, fmt.Sprintf("rank %d has %d squares, not 8", rank+1, file)
			}
			if rank == 0 {
				return i, "more than 8 ranks"
			}
			file, rank = 0, rank-1
			continue
		case '1' <= b && b <= '8':
			file += int(b - '0')
		case piece != model.NoPiece:
			if file < 8 {
				board[model.NewSquare(file, rank)] = piece
			}
			file++
		default:
			return i, fmt.Sprintf("%q is not a piece", text[i:i+1])
		}
		if file > 8 {
			return i, fmt.Sprintf("rank %d has more than 8 squares", rank+1)
		}
	}
	switch {
	case file != 8:
		return len(text), fmt.Sprintf("rank %d has %d squares, not 8", rank+1, file)
	case rank != 0:
		return len(text), fmt.Sprintf("%d ranks, not 8", 8-rank)
	}
	return 0, ""
}

func readCounter(n *uint16, text string) (at int, reason string) {
	v, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0, fmt.Sprintf("%q is not a number from 0 to 65535", text)
	}
	*n = uint16(v)
	return 0, ""
}

// FEN returns the position as [FormatFEN] does.
func (p Position) FEN() string {
	m := p.Model()
	return FormatFEN(&m)
}

// FormatFEN returns the position as a FEN of six fields. The en passant field
// is the square behind the pawn whenever the position has the file, whether a
// capture is possible or not. Castling rights are KQkq where [ParseModel] (of a
// Chess960 position, [ParseModel960]) reads the same rights back, else the files
// of the rooks. A piece that is none of the twelve becomes a '?', which no
// reader takes for one.
func FormatFEN(p *model.Position) string {
	var buf [96]byte
	return string(AppendFEN(buf[:0], p))
}

// AppendFEN appends what [FormatFEN] returns.
func AppendFEN(dst []byte, p *model.Position) []byte {
	return appendFEN(dst, p, castlingField(p))
}

// ShredderFEN returns the position as a FEN with the castling rights given by
// the files of the rooks, "HAha", in orthodox chess too.
func ShredderFEN(p *model.Position) string {
	var buf [96]byte
	return string(appendFEN(buf[:0], p, rookFiles(&p.Rights)))
}

func appendFEN(dst []byte, p *model.Position, castling castlingText) []byte {
	dst = AppendPlacement(dst, &p.Board)
	dst = append(dst, ' ', "wb"[p.Turn&1], ' ')
	dst = append(dst, castling.bytes[:castling.n]...)
	dst = append(dst, ' ')
	if target := p.EnPassantTarget(); target != model.NoSquare {
		dst = append(dst, 'a'+byte(target&7), '1'+byte(target>>3&7))
	} else {
		dst = append(dst, '-')
	}
	dst = append(dst, ' ')
	dst = strconv.AppendUint(dst, uint64(p.HalfMoves), 10)
	dst = append(dst, ' ')
	return strconv.AppendUint(dst, uint64(max(p.FullMove, 1)), 10)
}

// fenLetter returns the letter of a piece, '?' if it is none.
func fenLetter(p model.Piece) byte {
	if letter := p.Letter(); p <= model.BlackKing && letter != ' ' {
		return letter
	}
	return '?'
}

// AppendPlacement appends what stands where: the first field of a FEN.
func AppendPlacement(dst []byte, board *[64]model.Piece) []byte {
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for file := range 8 {
			piece := board[rank*8+file]
			if piece == model.NoPiece {
				empty++
				continue
			}
			if empty > 0 {
				dst = append(dst, '0'+empty)
				empty = 0
			}
			dst = append(dst, fenLetter(piece))
		}
		if empty > 0 {
			dst = append(dst, '0'+empty)
		}
		if rank > 0 {
			dst = append(dst, '/')
		}
	}
	return dst
}

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
	r := castlingReader{
		kings:     [2]model.Square{model.NoSquare, model.NoSquare},
		outermost: model.NoRights(), corners: model.NoRights(),
	}
	for c := range r.kings {
		for s := corner(c, model.QueenSide); s <= corner(c, model.KingSide); s++ {
			switch p.Board[s] {
			case model.NewPiece(model.Color(c), model.King):
				r.kings[c] = s
			case model.NewPiece(model.Color(c), model.Rook):
				r.rooks[c] |= bit(s)
			}
		}
	}
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
func corner(c int, wing model.Side) model.Square { return model.AllRights()[c&1][wing&1] }

// castlingText is the castling field of a FEN.
type castlingText struct {
	bytes [4]byte
	n     int
}

func (t *castlingText) String() string { return string(t.bytes[:t.n]) }

// castlingField returns the text that is read back as the rights of p: KQkq or
// the files of the rooks, if possible so that [ParseModel] reads it back too.
// Rights that no text gives back are written as KQkq.
func castlingField(p *model.Position) castlingText {
	files := rookFiles(&p.Rights)
	wings := castlingLetters(&p.Rights, func(wing model.Side, _ model.Square) byte { return "KQ"[wing&1] })
	for _, known960 := range [2]bool{false, true} {
		for _, text := range [2]castlingText{wings, files} {
			q := model.Position{Board: p.Board, Rights: model.NoRights(), Chess960: known960}
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
