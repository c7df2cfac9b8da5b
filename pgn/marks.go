package pgn

import (
	"strings"

	"cbkit/model"
)

// The commands for marked squares and arrows: [%csl Ge4,Rd5], [%cal Ge2e4]
// (spec/cba.md 9).

var markLetters = map[model.MarkColor]byte{
	model.Green: 'G', model.Yellow: 'Y', model.Red: 'R', model.Blue: 'B',
}

func parseMarkColor(letter byte) (model.MarkColor, bool) {
	for c, l := range markLetters {
		if l == letter {
			return c, true
		}
	}
	return 0, false
}

func parseSquares(args string) (model.Value, bool) {
	list := make(model.Squares, 0, len(args)/4+1)
	for mark := range strings.SplitSeq(args, ",") {
		if len(mark) != 3 {
			return nil, false
		}
		color, ok := parseMarkColor(mark[0])
		square, valid := model.ParseSquare(mark[1:])
		if !ok || !valid {
			return nil, false
		}
		list = append(list, model.ColoredSquare{Color: color, Square: square})
	}
	return list, true
}

func parseArrows(args string) (model.Value, bool) {
	list := make(model.Arrows, 0, len(args)/6+1)
	for mark := range strings.SplitSeq(args, ",") {
		if len(mark) != 5 {
			return nil, false
		}
		color, ok := parseMarkColor(mark[0])
		from, validFrom := model.ParseSquare(mark[1:3])
		to, validTo := model.ParseSquare(mark[3:])
		if !ok || !validFrom || !validTo {
			return nil, false
		}
		list = append(list, model.ColoredArrow{Color: color, From: from, To: to})
	}
	return list, true
}

// appendSquares appends the squares whose colours have letters.
func appendSquares(dst []byte, list model.Squares) (command []byte, exact bool) {
	start := len(dst)
	dst = append(dst, "[%csl "...)
	n := 0
	for _, s := range list {
		letter := markLetters[s.Color]
		if letter == 0 || s.Square >= model.NoSquare {
			continue
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = appendSquare(append(dst, letter), s.Square)
		n++
	}
	if n == 0 {
		return dst[:start], false
	}
	return append(dst, ']'), n == len(list)
}

// appendArrows appends the arrows whose colours have letters.
func appendArrows(dst []byte, list model.Arrows) (command []byte, exact bool) {
	start := len(dst)
	dst = append(dst, "[%cal "...)
	n := 0
	for _, a := range list {
		letter := markLetters[a.Color]
		if letter == 0 || a.From >= model.NoSquare || a.To >= model.NoSquare {
			continue
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = appendSquare(appendSquare(append(dst, letter), a.From), a.To)
		n++
	}
	if n == 0 {
		return dst[:start], false
	}
	return append(dst, ']'), n == len(list)
}

func appendSquare(dst []byte, s model.Square) []byte {
	return append(dst, 'a'+byte(s.File()), '1'+byte(s.Rank()))
}
