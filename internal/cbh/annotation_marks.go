package cbh

import "cbkit/model"

// Squares are numbered file by file. Annotations count from 1 (a1 is 1, a2 is
// 2, h8 is 64), quotations and training from 0 (docs/formats/cba.md, notation).

// squareOne returns the number of a square, counted from 1.
func squareOne(s model.Square) uint8 { return s.FileMajor() + 1 }

// parseSquareOne returns the square with the given number, counted from 1.
func parseSquareOne(n uint8) (model.Square, bool) {
	return model.SquareFromFileMajor(n - 1), n >= 1 && n <= 64
}

// Coloured squares, type 04: colour and square, repeated to the end.
func decodeSquares(p []byte) model.Value {
	if len(p)%2 != 0 {
		return nil
	}
	list := make(model.Squares, 0, len(p)/2)
	for ; len(p) > 0; p = p[2:] {
		square, ok := parseSquareOne(p[1])
		if !ok {
			return nil
		}
		list = append(list, model.ColoredSquare{Color: model.MarkColor(p[0]), Square: square})
	}
	return list
}

func appendSquares(dst []byte, list model.Squares) []byte {
	for _, s := range list {
		dst = append(dst, uint8(s.Color), squareOne(s.Square))
	}
	return dst
}

// Arrows, type 05: colour, from and to, repeated to the end.
func decodeArrows(p []byte) model.Value {
	if len(p)%3 != 0 {
		return nil
	}
	list := make(model.Arrows, 0, len(p)/3)
	for ; len(p) > 0; p = p[3:] {
		from, okFrom := parseSquareOne(p[1])
		to, okTo := parseSquareOne(p[2])
		if !okFrom || !okTo {
			return nil
		}
		list = append(list, model.ColoredArrow{Color: model.MarkColor(p[0]), From: from, To: to})
	}
	return list
}

func appendArrows(dst []byte, list model.Arrows) []byte {
	for _, a := range list {
		dst = append(dst, uint8(a.Color), squareOne(a.From), squareOne(a.To))
	}
	return dst
}

// The path of a piece, type 15: a number and the square of the piece.
func decodePiecePath(p []byte) model.Value {
	if len(p) != 2 {
		return nil
	}
	square, ok := parseSquareOne(p[1])
	if !ok {
		return nil
	}
	return model.PiecePath{Mode: p[0], Square: square}
}
