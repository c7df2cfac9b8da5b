package jsonl

import (
	"bytes"
	"fmt"

	"cbkit/board"
	"cbkit/internal/jsontext"
	"cbkit/model"
)

// positionShape says all that the model says of a position, where FEN does
// not:
//
//	{"board":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR","turn":"white",
//	 "rooks":["h1","a1","h8","a8"],"enPassant":"e","halfMoves":3,"fullMove":2,"chess960":true}
//
// "board" is the first field of a FEN. "rooks" are the rooks that may still
// castle: White's on the king's and the queen's side, then Black's, null for
// none; it is absent when there is none at all. What is zero is absent. The
// board must hold nothing but the twelve pieces.
var positionShape = jsontext.Shape[model.Position]{
	{Key: "board", Append: appendPlacement, Parse: parsePlacement},
	side("turn", "side", func(p *model.Position) *model.Color { return &p.Turn }),
	{Key: "rooks", Append: appendRights, Parse: parseRights},
	jsontext.Named("enPassant", "file", func(p *model.Position) *int8 { return &p.EnPassant }, fileWord, parseFileWord),
	jsontext.Number("halfMoves", func(p *model.Position) *uint16 { return &p.HalfMoves }),
	jsontext.Number("fullMove", func(p *model.Position) *uint16 { return &p.FullMove }),
	jsontext.Flag("chess960", func(p *model.Position) *bool { return &p.Chess960 }),
}

func appendPosition(dst []byte, p *model.Position) []byte {
	o := jsontext.Object{Dst: dst}
	positionShape.Append(&o, p)
	return o.End()
}

// parsePosition reads a position. It asks nothing about the rules of chess.
func parsePosition(s *jsontext.Scanner) *model.Position {
	p := &model.Position{Rights: model.NoRights(), EnPassant: model.NoFile}
	positionShape.Parse(s, p)
	return p
}

func appendPlacement(o *jsontext.Object, key string, p *model.Position) {
	o.Key(key)
	o.Dst = append(board.AppendPlacement(append(o.Dst, '"'), &p.Board), '"')
}

func parsePlacement(s *jsontext.Scanner, p *model.Position) {
	text := s.Bytes()
	p.Board = [64]model.Piece{}
	ranks := bytes.Split(text, []byte{'/'})
	if s.Err() == nil && len(ranks) != 8 {
		s.Failf("a board of %d ranks", len(ranks))
	}
	for i := 0; s.Err() == nil && i < 8; i++ {
		file := 0
		for _, c := range ranks[i] {
			piece := model.PieceOf(c)
			switch {
			case c >= '1' && c <= '8':
				file += int(c-'0') - 1
			case piece == model.NoPiece:
				s.Failf("no piece has the letter %q", c)
			case file < 8:
				p.Board[model.NewSquare(file, 7-i)] = piece
			}
			file++
		}
		if file != 8 {
			s.Failf("rank %d of the board has %d squares", 8-i, file)
		}
	}
}

func appendRights(o *jsontext.Object, key string, p *model.Position) {
	if !p.Rights.Any() {
		return
	}
	r := &p.Rights
	jsontext.AppendList(o, key, []model.Square{r[0][0], r[0][1], r[1][0], r[1][1]}, func(dst []byte, rook model.Square) []byte {
		if rook == model.NoSquare {
			return append(dst, "null"...)
		}
		return jsontext.AppendString(dst, squareWord(rook))
	})
}

func parseRights(s *jsontext.Scanner, p *model.Position) {
	rooks := jsontext.Elements(s, func() model.Square {
		if s.Null() {
			return model.NoSquare
		}
		return jsontext.Word(s, "square", parseSquareWord)
	})
	if len(rooks) != 4 {
		s.Failf("%d rooks; want 4, null for those that may not castle", len(rooks))
		return
	}
	p.Rights = model.CastlingRights{{rooks[0], rooks[1]}, {rooks[2], rooks[3]}}
}

// fileWord returns the letter of a file, nothing for none, and "#9" for what
// is no file.
func fileWord(file int8) string {
	if file == model.NoFile {
		return ""
	}
	if file >= 0 && file < 8 {
		return string(rune('a' + file))
	}
	return numberWord(int(uint8(file)))
}

func parseFileWord(s string) (int8, bool) {
	if len(s) == 1 && s[0] >= 'a' && s[0] <= 'h' {
		return int8(s[0] - 'a'), true
	}
	n, ok := parseNumberWord(s, 8)
	return int8(n), ok
}

// chess960 is the only value of "variant".
const chess960 = "chess960"

func parseFEN(fen string, is960 bool) (model.Position, error) {
	if is960 {
		return board.ParseModel960(fen)
	}
	return board.ParseModel(fen)
}

// parseStart makes the starting position of what the line says about it; the
// exact one counts only while it agrees with the FEN.
func parseStart(fen, variant string, exact *model.Position) (*model.Position, error) {
	if variant != "" && variant != chess960 {
		return nil, fmt.Errorf("variant: %.40q is not known; only %q is: %w", variant, chess960, model.ErrUnsupported)
	}
	is960 := variant == chess960
	if exact != nil && exact.Chess960 == is960 && board.FormatFEN(exact) == fen {
		return exact, nil
	}
	switch {
	case fen != "":
		p, err := parseFEN(fen, is960)
		if err != nil {
			return nil, fmt.Errorf("fen: %w", err)
		}
		return &p, nil
	case is960:
		p := model.StartPosition()
		p.Chess960 = true
		return &p, nil
	}
	return nil, nil
}
