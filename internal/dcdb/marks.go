package dcdb

import (
	"strings"

	"cbkit/internal/marks"
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

// appendMarks appends squares or arrows as a command. It returns false, with
// dst as it was, for other values, for empty lists and if a mark has no form.
func appendMarks(dst []byte, v model.Value) ([]byte, bool) {
	out, exact := dst, false
	switch v := v.(type) {
	case model.Squares:
		out, exact = marks.AppendSquares(dst, v)
	case model.Arrows:
		out, exact = marks.AppendArrows(dst, v)
	}
	if !exact {
		return dst, false
	}
	return out, true
}

// parseMarks reads one command at the beginning of text and returns what
// follows it.
func parseMarks(text string) (v model.Value, rest string, ok bool) {
	if !strings.HasPrefix(text, squaresCommand) && !strings.HasPrefix(text, arrowsCommand) {
		return nil, text, false
	}
	end := strings.IndexAny(text[1:], "[]") + 1
	if end == 0 || text[end] == '[' {
		return nil, text, false
	}
	args := text[commandSize:end]
	if text[:commandSize] == squaresCommand {
		v, ok = marks.ParseSquares(args)
	} else {
		v, ok = marks.ParseArrows(args)
	}
	return v, text[end+1:], ok
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
	if !strings.HasSuffix(text, "]") {
		return before, text, nil
	}
	// A run of commands ends the text where one begins that reaches the end.
	for from := 0; ; from++ {
		i := strings.Index(text[from:], " [%c")
		if i < 0 {
			return before, text, nil
		}
		from += i
		if list, rest := leadingMarks(text[from+1:]); rest == "" {
			return before, text[:from], list
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
