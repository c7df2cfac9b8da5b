package main

import (
	"io"
	"os"
	"strings"
)

// The colours of terminals: black on light and dark squares, and those of tags,
// comments and variations.
const (
	colorLight     = "\x1b[30;48;5;230m"
	colorDark      = "\x1b[30;48;5;180m"
	colorTag       = "\x1b[36m"
	colorComment   = "\x1b[32m"
	colorVariation = "\x1b[2m"
	colorOff       = "\x1b[0m"
)

// wantsColor reports whether what is written there may have colours: it is a
// terminal, and nobody has asked for none (no-color.org).
func wantsColor(w io.Writer) bool {
	w = behind(w)
	if checked, ok := w.(*checkedWriter); ok {
		w = checked.to
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

// colored puts colours into a game in PGN's form.
func colored(game string) string {
	tags, moves, _ := strings.Cut(game, "\n\n")
	var b strings.Builder
	b.WriteString(colorTag + tags + colorOff + "\n\n")
	depth, comment, now := 0, false, ""
	turn := func(color string) {
		if color == now {
			return
		}
		b.WriteString(colorOff + color)
		now = color
	}
	for _, r := range moves {
		switch {
		case r == '{':
			comment = true
		case !comment && r == '(':
			depth++
		}
		switch {
		case comment:
			turn(colorComment)
		case depth > 0:
			turn(colorVariation)
		default:
			turn("")
		}
		b.WriteRune(r)
		switch {
		case r == '}':
			comment = false
		case !comment && r == ')':
			depth--
		}
	}
	return b.String() + colorOff
}
