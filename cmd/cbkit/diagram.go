package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// diagramFlags say which position is drawn, and how.
type diagramFlags struct {
	Ply   *int `help:"Draw the position after this many plies of the line, counted from the beginning of the game; negative counts from its end." placeholder:"N"`
	Line  *int `help:"Draw a position of the variation with this number, its last one without --ply; 0 is the main line." placeholder:"N"`
	ASCII bool `name:"ascii" help:"Letters for pieces."`
	Flip  bool `help:"Black at the bottom."`
}

// diagram draws a position of a game, "" if none was asked for. First has the
// first moves of its lines.
func (f *diagramFlags) diagram(g *model.Game, first []int, color bool) (string, error) {
	if f.Ply == nil && f.Line == nil {
		return "", nil
	}
	_, p, err := f.position(g, first)
	if err != nil {
		return "", err
	}
	return "\n" + f.draw(&p, color) + board.FormatFEN(&p) + "\n", nil
}

// position returns the position that was asked for, by default that at the end of
// the main line, and the node that it is behind.
func (f *diagramFlags) position(g *model.Game, first []int) (node int, p model.Position, err error) {
	line, ply := 0, -1
	if f.Line != nil {
		line = *f.Line
	}
	if f.Ply != nil {
		ply = *f.Ply
	}
	if line < 0 || line >= len(first) {
		return 0, p, usageError{fmt.Errorf("--line: the game has %s", plural(len(first)-1, "variation"))}
	}
	nodes := nodesOf(&g.Moves, first[line])
	if ply < 0 {
		ply += len(nodes) + 1
	}
	switch {
	case ply >= 0 && ply <= len(nodes):
	case line == 0:
		return 0, p, usageError{fmt.Errorf("--ply: the main line has %s", plural(len(nodes), "ply"))}
	default:
		return 0, p, usageError{fmt.Errorf("--ply: variation %d ends after %s", line, plural(len(nodes), "ply"))}
	}
	if node = model.NoNode; ply > 0 {
		node = nodes[ply-1]
	}
	after, err := board.After(g.Start, &g.Moves, node)
	if err != nil {
		return 0, p, err
	}
	return node, after.Model(), nil
}

// nodesOf returns all moves from the beginning of the game to the end of the line
// that begins with a node.
func nodesOf(t *model.Tree, node int) (nodes []int) {
	for n := node; n != model.NoNode; n = t.Parent(n) {
		nodes = append(nodes, n)
	}
	slices.Reverse(nodes)
	if node != model.NoNode {
		for n := t.Main(node); n != model.NoNode; n = t.Main(n) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// figurines are the pieces of Unicode, by the letter of FEN.
var figurines = map[rune]rune{
	'K': '♔', 'Q': '♕', 'R': '♖', 'B': '♗', 'N': '♘', 'P': '♙', 'k': '♚', 'q': '♛', 'r': '♜', 'b': '♝', 'n': '♞', 'p': '♟',
}

// draw draws the board.
func (f *diagramFlags) draw(p *model.Position, color bool) string {
	var b strings.Builder
	for row := range 8 {
		rank := 7 - row
		if f.Flip {
			rank = row
		}
		fmt.Fprintf(&b, "%d |", rank+1)
		for column := range 8 {
			file := column
			if f.Flip {
				file = 7 - column
			}
			f.square(&b, p, file, rank, color)
		}
		b.WriteByte('\n')
	}
	if files := "abcdefgh"; f.Flip {
		b.WriteString("    h g f e d c b a\n")
	} else {
		b.WriteString("    " + strings.Join(strings.Split(files, ""), " ") + "\n")
	}
	return b.String()
}

// square draws one square.
func (f *diagramFlags) square(b *strings.Builder, p *model.Position, file, rank int, color bool) {
	sign := rune(p.Board[model.NewSquare(file, rank)].Letter())
	if figure, ok := figurines[sign]; ok && !f.ASCII {
		sign = figure
	}
	switch {
	case color && (file+rank)%2 == 0:
		fmt.Fprintf(b, "%s%c %s", colorDark, sign, colorOff)
	case color:
		fmt.Fprintf(b, "%s%c %s", colorLight, sign, colorOff)
	case sign == ' ':
		b.WriteString(" .")
	default:
		fmt.Fprintf(b, " %c", sign)
	}
}

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
