// Package marks reads and writes the commands for marked squares and arrows in
// comments of PGN and of the Simple Chess Database (docs/formats/pgn.md 5):
//
//	[%csl Ge4,Rd5]   squares: a letter for the colour, the square
//	[%cal Ge2e4]     arrows: a letter for the colour, from, to
//
// It also reads the clocks, times and verdicts that servers write into comments.
package marks

import (
	"slices"
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
	return appendMarks(dst, squares, list, func(dst []byte, s model.ColoredSquare) []byte {
		return appendMark(dst, s.Color, s.Square)
	})
}

// AppendArrows does the same for arrows.
func AppendArrows(dst []byte, list model.Arrows) (command []byte, exact bool) {
	return appendMarks(dst, arrows, list, func(dst []byte, a model.ColoredArrow) []byte {
		return appendMark(dst, a.Color, a.From, a.To)
	})
}

// appendMarks appends a command with the marks for which add appends something.
func appendMarks[M any](dst []byte, command string, list []M, add func([]byte, M) []byte) (_ []byte, exact bool) {
	start, n := len(dst), 0
	dst = append(dst, command...)
	for _, mark := range list {
		before := len(dst)
		dst = add(dst, mark)
		if len(dst) > before {
			n++
		}
	}
	if n == 0 {
		return dst[:start], false
	}
	dst[len(dst)-1] = ']' // in the place of the last comma
	return dst, n == len(list)
}

// appendMark appends a mark and a comma, but nothing if its colour has no letter or a
// square is none.
func appendMark(dst []byte, color model.MarkColor, at ...model.Square) []byte {
	letter := letters[color]
	if letter == 0 || slices.Max(at) >= model.NoSquare {
		return dst
	}
	dst = append(dst, letter)
	for _, s := range at {
		dst = append(dst, 'a'+byte(s.File()), '1'+byte(s.Rank()))
	}
	return append(dst, ',')
}
