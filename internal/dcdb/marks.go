package dcdb

import (
	"bytes"
	"strings"

	"cbkit/model"
)

// Squares and arrows ride in comments as PGN has them: commands without blanks
// between them, in front of the text or behind it, one blank apart from it.
//
//	[%csl Ge4,Rd5][%cal Ge2e4] text [%csl Ya1]
const (
	squaresCommand = "[%csl "
	arrowsCommand  = "[%cal "
	commandSize    = len(squaresCommand) // of both
)

// markColors are the letters of the colours.
var markColors = [...]struct {
	letter byte
	color  model.MarkColor
}{{'G', model.Green}, {'Y', model.Yellow}, {'R', model.Red}, {'B', model.Blue}}

// appendMarks appends squares or arrows as a command. It returns false, with
// dst as it was, for other values, for empty lists and if a mark has no form.
func appendMarks(dst []byte, v model.Value) ([]byte, bool) {
	start := len(dst)
	switch v := v.(type) {
	case model.Squares:
		dst = append(dst, squaresCommand...)
		for _, s := range v {
			if dst = appendMark(dst, s.Color, s.Square); dst == nil {
				break
			}
		}
	case model.Arrows:
		dst = append(dst, arrowsCommand...)
		for _, a := range v {
			if dst = appendMark(dst, a.Color, a.From, a.To); dst == nil {
				break
			}
		}
	}
	if len(dst) <= start+commandSize {
		return dst[:min(start, len(dst))], false
	}
	dst[len(dst)-1] = ']' // in place of the last comma
	return dst, true
}

// appendMark appends one mark and a comma; nil if it has no form.
func appendMark(dst []byte, c model.MarkColor, squares ...model.Square) []byte {
	for _, m := range markColors {
		if m.color != c {
			continue
		}
		dst = append(dst, m.letter)
		for _, s := range squares {
			if s >= model.NoSquare {
				return nil
			}
			dst = append(dst, s.String()...)
		}
		return append(dst, ',')
	}
	return nil
}

// parseMarks reads one command at the beginning of text and returns what
// follows it.
func parseMarks(text string) (v model.Value, rest string, ok bool) {
	if !strings.HasPrefix(text, squaresCommand) && !strings.HasPrefix(text, arrowsCommand) {
		return nil, text, false
	}
	end := strings.IndexByte(text, ']')
	if end < 0 {
		return nil, text, false
	}
	args := text[commandSize:end]
	if text[:commandSize] == squaresCommand {
		v, ok = parseSquares(args)
	} else {
		v, ok = parseArrows(args)
	}
	return v, text[end+1:], ok
}

func parseSquares(args string) (model.Value, bool) {
	list := make(model.Squares, 0, len(args)/4+1)
	for mark := range strings.SplitSeq(args, ",") {
		color, at, ok := parseMark(mark, 1)
		if !ok {
			return nil, false
		}
		list = append(list, model.ColoredSquare{Color: color, Square: at[0]})
	}
	return list, true
}

func parseArrows(args string) (model.Value, bool) {
	list := make(model.Arrows, 0, len(args)/6+1)
	for mark := range strings.SplitSeq(args, ",") {
		color, at, ok := parseMark(mark, 2)
		if !ok {
			return nil, false
		}
		list = append(list, model.ColoredArrow{Color: color, From: at[0], To: at[1]})
	}
	return list, true
}

// parseMark reads a colour and one or two squares.
func parseMark(mark string, squares int) (c model.MarkColor, at [2]model.Square, ok bool) {
	if len(mark) != 1+2*squares {
		return 0, at, false
	}
	for _, m := range markColors {
		if m.letter == mark[0] {
			c, ok = m.color, true
		}
	}
	for i := range squares {
		square, valid := model.ParseSquare(mark[1+2*i : 3+2*i])
		at[i], ok = square, ok && valid
	}
	return c, at, ok
}

// splitComment takes the marks before and behind the text out of a comment.
func splitComment(comment string) (before []model.Value, text string, behind []model.Value) {
	text = comment
	if !strings.Contains(text, "[%c") {
		return nil, text, nil
	}
	before, text = leadingMarks(text)
	if len(before) > 0 {
		text = strings.TrimPrefix(text, " ")
	}
	// A run of commands ends the text where one begins that reaches the end.
	for from := 0; ; from++ {
		i := strings.Index(text[from:], " [%c")
		if i < 0 {
			return before, text, nil
		}
		from += i
		if marks, rest := leadingMarks(text[from+1:]); rest == "" {
			return before, text[:from], marks
		}
	}
}

// leadingMarks reads all commands at the beginning of a text.
func leadingMarks(text string) (list []model.Value, rest string) {
	for {
		v, rest, ok := parseMarks(text)
		if !ok {
			return list, text
		}
		list, text = append(list, v), rest
	}
}

// mayHoldMarks reports whether a text could be mistaken for one with marks.
func mayHoldMarks(text []byte) bool { return bytes.Contains(text, []byte("[%c")) }
