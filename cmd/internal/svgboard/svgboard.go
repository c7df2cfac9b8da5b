// Package svgboard draws positions as SVG: the board with coordinates, the pieces
// of web/pieces.svg, marked squares and arrows. A drawing needs nothing else, and
// carries the licence of the font that its pieces come from.
package svgboard

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"cbkit/model"
	"cbkit/web"
)

// Options configures a drawing.
type Options struct {
	// Flip puts Black at the bottom.
	Flip bool
	// Squares and Arrows are drawn on the board.
	Squares model.Squares
	Arrows  model.Arrows
	// Title is what is read to those who cannot see it.
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

func colorOf(c model.MarkColor) string {
	if s := colors[c]; s != "" {
		return s
	}
	return other
}

// Draw returns a position as an SVG file.
func Draw(p *model.Position, opt Options) []byte {
	var b bytes.Buffer
	used := map[string]bool{}
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-10 -10 820 820\" width=\"480\" height=\"480\" role=\"img\">\n<title>%s</title>\n", escape(opt.Title))
	var board bytes.Buffer
	fmt.Fprintf(&board, "<rect x=\"-10\" y=\"-10\" width=\"820\" height=\"820\" rx=\"12\" fill=\"%s\"/>\n", edge)
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
		fmt.Fprintf(&board, "<rect x=\"%d\" y=\"%d\" width=\"100\" height=\"100\" fill=\"%s\"/>\n", x, y, fill)
	}
	for i := range 8 {
		rank, file := 8-i, i
		if opt.Flip {
			rank, file = i+1, 7-i
		}
		tone := [2]string{dark, light}
		fmt.Fprintf(&board, "<text x=\"5\" y=\"%d\" font-family=\"sans-serif\" font-size=\"19\" font-weight=\"600\" fill=\"%s\">%d</text>\n", i*100+22, tone[i%2], rank)
		fmt.Fprintf(&board, "<text x=\"%d\" y=\"794\" text-anchor=\"end\" font-family=\"sans-serif\" font-size=\"19\" font-weight=\"600\" fill=\"%s\">%c</text>\n", i*100+95, tone[(i+1)%2], 'a'+file)
	}
	for _, m := range opt.Squares {
		if m.Square < model.NoSquare {
			x, y := place(m.Square)
			fmt.Fprintf(&board, "<rect x=\"%d\" y=\"%d\" width=\"100\" height=\"100\" fill=\"%s\" opacity=\"0.55\"/>\n", x, y, colorOf(m.Color))
		}
	}
	for s, piece := range p.Board {
		id := "" // of the piece in pieces.svg
		switch letter := piece.Letter(); {
		case letter >= 'A' && letter <= 'Z':
			id = "w" + string(letter)
		case letter >= 'a' && letter <= 'z':
			id = "b" + strings.ToUpper(string(letter))
		default:
			continue
		}
		used[id] = true
		x, y := place(model.Square(s))
		fmt.Fprintf(&board, "<use href=\"#%s\" x=\"%d\" y=\"%d\" width=\"100\" height=\"100\"/>\n", id, x, y)
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
		color := colorOf(a.Color)
		fmt.Fprintf(&board, "<g opacity=\"0.78\"><line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"15\" stroke-linecap=\"round\"/>"+
			"<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" fill=\"%s\"/></g>\n",
			x1+ux*20, y1+uy*20, bx+ux*4, by+uy*4, color, x2, y2, bx-uy*22, by+ux*22, bx+uy*22, by-ux*22, color)
	}
	b.WriteString(symbols(used))
	b.Write(board.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// symbols returns what of pieces.svg a drawing needs: the licence, and the pieces
// that are used.
func symbols(used map[string]bool) string {
	data, err := web.Files.ReadFile("pieces.svg")
	if err != nil {
		panic(err) // it is embedded
	}
	var b strings.Builder
	for line := range strings.Lines(string(data)) {
		rest, is := strings.CutPrefix(line, "<symbol id=\"")
		if is && !used[rest[:2]] || strings.HasPrefix(line, "<svg") || strings.HasPrefix(line, "</svg") {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// escape makes text that XML can hold: without the characters that it forbids.
func escape(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '>':
			b.WriteString("&gt;")
		case r < ' ' || r == 0xFFFE || r == 0xFFFF:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
