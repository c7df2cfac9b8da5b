// Package marks reads and writes the commands for marked squares and arrows in
// comments of PGN and of the Simple Chess Database (docs/formats/pgn.md 5):
//
//	[%csl Ge4,Rd5]   squares: a letter for the colour, the square
//	[%cal Ge2e4]     arrows: a letter for the colour, from, to
//
// It reads what servers say in comments of clocks, times and verdicts.
package marks

import (
	"strings"

	"cbkit/model"
)

// How the commands begin; they end with a bracket.
const (
	squares = "[%csl "
	arrows  = "[%cal "
)

// letters are those of the colours that have one.
var letters = map[model.MarkColor]byte{
	model.Green: 'G', model.Yellow: 'Y', model.Red: 'R', model.Blue: 'B',
}

func parseColor(letter byte) (model.MarkColor, bool) {
	for c, l := range letters {
		if l == letter {
			return c, true
		}
	}
	return 0, false
}

// ParseSquares reads what stands between "[%csl " and "]". It returns false if
// any of it is not a mark.
func ParseSquares(args string) (model.Value, bool) {
	list := make(model.Squares, 0, len(args)/4+1)
	for mark := range strings.SplitSeq(args, ",") {
		if len(mark) != 3 {
			return nil, false
		}
		color, ok := parseColor(mark[0])
		square, valid := model.ParseSquare(mark[1:])
		if !ok || !valid {
			return nil, false
		}
		list = append(list, model.ColoredSquare{Color: color, Square: square})
	}
	return list, true
}

// ParseArrows does the same for "[%cal ".
func ParseArrows(args string) (model.Value, bool) {
	list := make(model.Arrows, 0, len(args)/6+1)
	for mark := range strings.SplitSeq(args, ",") {
		if len(mark) != 5 {
			return nil, false
		}
		color, ok := parseColor(mark[0])
		from, validFrom := model.ParseSquare(mark[1:3])
		to, validTo := model.ParseSquare(mark[3:])
		if !ok || !validFrom || !validTo {
			return nil, false
		}
		list = append(list, model.ColoredArrow{Color: color, From: from, To: to})
	}
	return list, true
}

// AppendSquares appends the command for the squares whose colours have letters,
// and nothing if there are none. Exact says that all are in it.
func AppendSquares(dst []byte, list model.Squares) (command []byte, exact bool) {
	start := len(dst)
	dst = append(dst, squares...)
	n := 0
	for _, s := range list {
		letter := letters[s.Color]
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

// AppendArrows does the same for arrows.
func AppendArrows(dst []byte, list model.Arrows) (command []byte, exact bool) {
	start := len(dst)
	dst = append(dst, arrows...)
	n := 0
	for _, a := range list {
		letter := letters[a.Color]
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
