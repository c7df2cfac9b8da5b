package model

import (
	"bytes"
	"fmt"

	"cbkit/internal/jsontext"
)

// AppendPositionJSON appends a position as a JSON object that says all that
// the model says, where FEN does not:
//
//	{"board":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR","turn":"white",
//	 "rooks":["h1","a1","h8","a8"],"enPassant":"e","halfMoves":3,"fullMove":2,"chess960":true}
//
// "board" is the first field of a FEN. "rooks" are the rooks that may still
// castle: White's on the king's and the queen's side, then Black's, null for
// none; it is absent when there is none at all. What is zero is absent. The
// board must hold nothing but the twelve pieces.
func AppendPositionJSON(dst []byte, p *Position) []byte {
	o := jsontext.Object{Dst: dst}
	o.Key("board")
	o.Dst = append(appendPlacement(append(o.Dst, '"'), p), '"')
	o.Text("turn", wordOf(sideWords, uint8(p.Turn)))
	if p.Rights.Any() {
		appendRights(&o, p.Rights)
	}
	if p.EnPassant != NoFile {
		o.Text("enPassant", fileWord(p.EnPassant))
	}
	o.Int("halfMoves", int64(p.HalfMoves))
	o.Int("fullMove", int64(p.FullMove))
	o.True("chess960", p.Chess960)
	return o.End()
}

// ParsePositionJSON reads what [AppendPositionJSON] writes. It asks nothing
// about the rules of chess.
func ParsePositionJSON(data []byte) (*Position, error) {
	s := jsontext.NewScanner(data)
	p := parsePosition(s)
	if err := s.End(); err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	return p, nil
}

func parsePosition(s *jsontext.Scanner) *Position {
	p := &Position{Rights: NoRights, EnPassant: NoFile}
	s.Members(func(key string) bool {
		switch key {
		case "board":
			parsePlacement(s, p, s.Bytes())
		case "turn":
			p.Turn = jsontext.Word(s, "side", parseSide)
		case "rooks":
			p.Rights = parseRights(s)
		case "enPassant":
			p.EnPassant = jsontext.Word(s, "file", parseFileWord)
		case "halfMoves":
			p.HalfMoves = s.Uint16()
		case "fullMove":
			p.FullMove = s.Uint16()
		case "chess960":
			p.Chess960 = s.Bool()
		default:
			return false
		}
		return true
	})
	return p
}

func appendPlacement(dst []byte, p *Position) []byte {
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for file := range 8 {
			letter := p.Board[NewSquare(file, rank)].Letter()
			if PieceOf(letter) == NoPiece {
				empty++
				continue
			}
			if empty > 0 {
				dst = append(dst, '0'+empty)
			}
			empty = 0
			dst = append(dst, letter)
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

func parsePlacement(s *jsontext.Scanner, p *Position, text []byte) {
	p.Board = [64]Piece{}
	ranks := bytes.Split(text, []byte{'/'})
	if s.Err() == nil && len(ranks) != 8 {
		s.Failf("a board of %d ranks", len(ranks))
	}
	for i := 0; s.Err() == nil && i < 8; i++ {
		file := 0
		for _, c := range ranks[i] {
			piece := PieceOf(c)
			switch {
			case c >= '1' && c <= '8':
				file += int(c-'0') - 1
			case piece == NoPiece:
				s.Failf("no piece has the letter %q", c)
			case file < 8:
				p.Board[NewSquare(file, 7-i)] = piece
			}
			file++
		}
		if file != 8 {
			s.Failf("rank %d of the board has %d squares", 8-i, file)
		}
	}
}

func appendRights(o *jsontext.Object, r CastlingRights) {
	rooks := o.List("rooks")
	for _, rook := range [...]Square{r[0][0], r[0][1], r[1][0], r[1][1]} {
		rooks.Next()
		if rook == NoSquare {
			o.Dst = append(o.Dst, "null"...)
		} else {
			o.Dst = jsontext.AppendString(o.Dst, squareWord(rook))
		}
	}
	rooks.End()
}

func parseRights(s *jsontext.Scanner) (r CastlingRights) {
	rooks := jsontext.Elements(s, func() Square {
		if s.Null() {
			return NoSquare
		}
		return jsontext.Word(s, "square", parseSquareWord)
	})
	if len(rooks) != 4 {
		s.Failf("%d rooks; want 4, null for those that may not castle", len(rooks))
		return NoRights
	}
	return CastlingRights{{rooks[0], rooks[1]}, {rooks[2], rooks[3]}}
}

// fileWord returns the letter of a file, and "#9" for what is none.
func fileWord(file int8) string {
	if file >= 0 && file < 8 {
		return string(rune('a' + file))
	}
	return fmt.Sprintf("#%d", uint8(file))
}

func parseFileWord(s string) (int8, bool) {
	if len(s) == 1 && s[0] >= 'a' && s[0] <= 'h' {
		return int8(s[0] - 'a'), true
	}
	n, ok := parseWord(nil, s)
	return int8(n), ok
}
