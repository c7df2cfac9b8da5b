// Package picture draws positions as SVG and as PNG: the board with coordinates, the
// pieces of web/pieces.svg, marked squares and arrows. A drawing needs nothing else; as
// SVG it carries the licence of the font that its pieces come from.
package picture

import (
	"cmp"
	"math"
	"strings"

	"cbkit/model"
)

// Options configures a drawing.
type Options struct {
	// Flip puts Black at the bottom.
	Flip bool
	// Squares and Arrows are drawn on the board.
	Squares model.Squares
	Arrows  model.Arrows
	// Title is what an SVG has for those who cannot see it.
	Title string
}

// Colours of the board and of marks.
const (
	light = "#f0dfc0"
	dark  = "#b3845b"
	edge  = "#6b4a2f"
	other = "#8a5bc4"
)

var colors = map[model.MarkColor]string{model.Green: "#2e9b4f", model.Yellow: "#e8c31e", model.Red: "#d23b33", model.Blue: "#2f74d0"}

func colorOf(c model.MarkColor) string { return cmp.Or(colors[c], other) }

// A canvas is what is drawn on. A square is 100 wide, and the left upper corner of the
// board is 0, 0.
type canvas interface {
	// square paints a square.
	square(x, y int, color string, opacity float64)
	// label writes the name of a rank or a file from x on, or, where end is set, up to x.
	label(x, y int, end bool, color string, name byte)
	// piece puts a piece of pieces.svg on a square.
	piece(x, y int, id string)
	// arrow draws a line with round ends and a triangle as its head.
	arrow(color string, from, to point, head [3]point)
}

type point struct{ x, y float64 }

// Widths of arrows, and opacities of them and of marked squares.
const (
	arrowWidth   = 15
	arrowOpacity = 0.78
	markOpacity  = 0.55
)

// draw draws a position.
func draw(on canvas, p *model.Position, opt Options) {
	place := func(s model.Square) (x, y int) {
		if x, y = s.File(), 7-s.Rank(); opt.Flip {
			x, y = 7-x, 7-y
		}
		return x * 100, y * 100
	}
	for s := range model.NoSquare {
		x, y := place(s)
		fill := light
		if (s.File()+s.Rank())%2 == 0 {
			fill = dark
		}
		on.square(x, y, fill, 1)
	}
	for i := range 8 {
		rank, file := 8-i, i
		if opt.Flip {
			rank, file = i+1, 7-i
		}
		tone := [2]string{dark, light}
		on.label(5, i*100+22, false, tone[i%2], '0'+byte(rank))
		on.label(i*100+95, 794, true, tone[(i+1)%2], 'a'+byte(file))
	}
	for _, m := range opt.Squares {
		if m.Square < model.NoSquare {
			x, y := place(m.Square)
			on.square(x, y, colorOf(m.Color), markOpacity)
		}
	}
	for s, piece := range p.Board {
		letter, color := string(piece.Letter()), "w"
		if upper := strings.ToUpper(letter); upper != letter {
			letter, color = upper, "b"
		}
		if strings.Contains("KQRBNP", letter) {
			x, y := place(model.Square(s))
			on.piece(x, y, color+letter)
		}
	}
	for _, a := range opt.Arrows {
		if a.From >= model.NoSquare || a.To >= model.NoSquare || a.From == a.To {
			continue
		}
		fromX, fromY := place(a.From)
		toX, toY := place(a.To)
		x1, y1, x2, y2 := float64(fromX+50), float64(fromY+50), float64(toX+50), float64(toY+50)
		length := math.Hypot(x2-x1, y2-y1)
		ux, uy := (x2-x1)/length, (y2-y1)/length
		bx, by := x2-ux*34, y2-uy*34 // where the head begins
		on.arrow(colorOf(a.Color), point{x1 + ux*20, y1 + uy*20}, point{bx + ux*4, by + uy*4},
			[3]point{{x2, y2}, {bx - uy*22, by + ux*22}, {bx + uy*22, by - ux*22}})
	}
}
