package picture

import (
	"bytes"
	"fmt"
	"strings"

	"cbkit/model"
	"cbkit/web"
)

// SVG returns a position as an SVG file.
func SVG(p *model.Position, opt Options) []byte {
	on := &svg{used: map[string]bool{}}
	draw(on, p, opt)
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-10 -10 820 820\" width=\"480\" height=\"480\" role=\"img\">\n<title>%s</title>\n", escape(opt.Title))
	b.WriteString(symbols(on.used))
	fmt.Fprintf(&b, "<rect x=\"-10\" y=\"-10\" width=\"820\" height=\"820\" rx=\"12\" fill=\"%s\"/>\n", edge)
	b.Write(on.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// svg is a canvas of SVG.
type svg struct {
	bytes.Buffer
	used map[string]bool // pieces
}

func (s *svg) square(x, y int, color string, opacity float64) {
	attribute := ""
	if opacity < 1 {
		attribute = fmt.Sprintf(" opacity=\"%g\"", opacity)
	}
	fmt.Fprintf(s, "<rect x=\"%d\" y=\"%d\" width=\"100\" height=\"100\" fill=\"%s\"%s/>\n", x, y, color, attribute)
}

func (s *svg) label(x, y int, end bool, color string, name byte) {
	anchor := ""
	if end {
		anchor = " text-anchor=\"end\""
	}
	fmt.Fprintf(s, "<text x=\"%d\" y=\"%d\"%s font-family=\"sans-serif\" font-size=\"19\" font-weight=\"600\" fill=\"%s\">%c</text>\n", x, y, anchor, color, name)
}

func (s *svg) piece(x, y int, id string) {
	s.used[id] = true
	fmt.Fprintf(s, "<use href=\"#%s\" x=\"%d\" y=\"%d\" width=\"100\" height=\"100\"/>\n", id, x, y)
}

func (s *svg) arrow(color string, from, to point, head [3]point) {
	fmt.Fprintf(s, "<g opacity=\"%g\"><line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%d\" stroke-linecap=\"round\"/>"+
		"<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" fill=\"%s\"/></g>\n",
		arrowOpacity, from.x, from.y, to.x, to.y, color, arrowWidth, head[0].x, head[0].y, head[1].x, head[1].y, head[2].x, head[2].y, color)
}

// symbols returns what of pieces.svg a drawing needs: the licence, and the pieces
// that are used.
func symbols(used map[string]bool) string {
	var b strings.Builder
	pieces, _ := web.Files.ReadFile("pieces.svg") // it is embedded
	for line := range strings.Lines(string(pieces)) {
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
	allowed := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.NewReplacer("<", "&lt;", "&", "&amp;", ">", "&gt;").Replace(allowed)
}
