package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cbkit/board"
	"cbkit/model"
)

// diagramFlags say which position is drawn, and how.
type diagramFlags struct {
	Ply   *int      `help:"Draw the position after this many plies of the line, counted from the beginning of the game; negative counts from its end." placeholder:"N"`
	Move  *moveName `help:"Draw the position after White's move of this number, or, with a b behind it, Black's: 23, 23b." placeholder:"N"`
	Line  *int      `help:"Draw a position of the variation with this number, its last one without --ply; 0 is the main line." placeholder:"N"`
	ASCII bool      `name:"ascii" help:"Letters for pieces."`
	Flip  bool      `help:"Black at the bottom."`
}

// caption says who is to move, and what was moved last.
func caption(g *model.Game, node int, p *model.Position) string {
	turn := "White to move"
	if p.Turn == model.Black {
		turn = "Black to move"
	}
	if node == model.NoNode {
		return turn
	}
	before, err := board.After(g.Start, &g.Moves, g.Moves.Parent(node))
	if err != nil {
		return turn
	}
	dots, number := ".", max(p.FullMove, 1)
	if p.Turn == model.White {
		dots, number = "...", max(number-1, 1)
	}
	return fmt.Sprintf("%s, after %d%s %s", turn, number, dots, before.SAN(g.Moves.Move(node)))
}

// A moveName names a move of a line by its number in the game and its player.
type moveName struct {
	number int
	black  bool
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *moveName) UnmarshalText(text []byte) error {
	digits := strings.TrimRight(string(text), ".")
	m.black = strings.HasSuffix(string(text), "...")
	if n := len(digits) - 1; n > 0 && strings.ContainsRune("wWbB", rune(digits[n])) {
		m.black, digits = digits[n]|0x20 == 'b', digits[:n]
	}
	var err error
	if m.number, err = strconv.Atoi(digits); err != nil || m.number < 1 {
		return fmt.Errorf("%q is no move; say 23 for White's move 23, 23b for Black's", text)
	}
	return nil
}

// String returns the name of the move.
func (m *moveName) String() string {
	if m.black {
		return strconv.Itoa(m.number) + "b"
	}
	return strconv.Itoa(m.number)
}

// ply returns how many plies of a line that begins with a position are made when
// the move is.
func (m *moveName) ply(start *model.Position) int {
	plies := 2*(m.number-max(int(start.FullMove), 1)) + 1
	if m.black {
		plies++
	}
	if start.Turn == model.Black {
		plies--
	}
	return plies
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
	switch {
	case f.Move != nil && f.Ply != nil:
		return 0, p, usageError{errors.New("--ply and --move: one of them is enough")}
	case f.Move != nil:
		start, err := board.New(g.Start)
		if err != nil {
			return 0, p, err
		}
		from := start.Model()
		if ply = f.Move.ply(&from); ply < 1 || ply > len(nodes) {
			last := moveName{number: max(int(from.FullMove), 1)}
			if n := len(nodes) - 1 + int(from.Turn); n > 0 {
				last = moveName{number: last.number + n/2, black: n%2 == 1}
			}
			return 0, p, usageError{fmt.Errorf("--move: %s is not in the line, which ends with move %s", f.Move, &last)}
		}
	case ply < 0:
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
	if node == model.NoNode {
		return nil
	}
	for n := t.Parent(node); n != model.NoNode; n = t.Parent(n) {
		nodes = append(nodes, n)
	}
	slices.Reverse(nodes)
	return slices.AppendSeq(nodes, t.Line(node))
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
			sign := rune(p.Board[model.NewSquare(file, rank)].Letter())
			if figure, ok := figurines[sign]; ok && !f.ASCII {
				sign = figure
			}
			switch {
			case color && (file+rank)%2 == 0:
				fmt.Fprintf(&b, "%s%c %s", colorDark, sign, colorOff)
			case color:
				fmt.Fprintf(&b, "%s%c %s", colorLight, sign, colorOff)
			case sign == ' ':
				b.WriteString(" .")
			default:
				fmt.Fprintf(&b, " %c", sign)
			}
		}
		b.WriteByte('\n')
	}
	if f.Flip {
		return b.String() + "    h g f e d c b a\n"
	}
	return b.String() + "    a b c d e f g h\n"
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
