// Command pieces makes the drawings of chess pieces in web/pieces.svg from the
// glyphs of DejaVu Sans:
//
//	cd internal/pieces && go run . > ../../web/pieces.svg
//
// It is a module of its own, so that neither the library nor the program depends
// on fonts. A drawing has two layers: the piece as a silhouette, which is what lies
// within the outer contours of a glyph, and the glyph itself on it.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// unit is the size of a drawing; glyphs are scaled to fit with a margin.
const (
	unit   = 1000
	margin = 90
)

// layers are the colours of silhouette and glyph, for White and Black.
var layers = [2][2]string{{"#fdfdfb", "#23221f"}, {"#f4f1e8", "#2a2927"}}

// sizes are those of pieces that are drawn smaller than their glyphs.
var sizes = map[rune]float64{'\u2656': 0.9, '\u265C': 0.9, '\u2657': 0.97, '\u265D': 0.97, '\u2658': 0.97, '\u265E': 0.97, '\u2659': 0.82, '\u265F': 0.82}

func main() {
	licence, err := os.ReadFile(filepath.FromSlash("../../web/LICENSE-DejaVu"))
	if err != nil {
		log.Fatal(err)
	}
	f, err := sfnt.Parse(dejavusans.TTF)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("<svg xmlns=\"http://www.w3.org/2000/svg\">\n<!--\nThe outlines of the pieces are those of DejaVu Sans. Its licence:\n\n%s-->\n", strings.ReplaceAll(string(licence), "--", "=="))
	for color, first := range []rune{'\u2654', '\u265A'} {
		for i, letter := range "KQRBNP" {
			contours, err := outline(f, first+rune(i))
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("<symbol id=\"%c%c\" viewBox=\"0 0 %d %d\"><path fill=\"%s\" d=\"%s\"/><path fill=\"%s\" d=\"%s\"/></symbol>\n",
				"wb"[color], letter, unit, unit, layers[color][0], path(outer(contours)), layers[color][1], path(contours))
		}
	}
	fmt.Println("</svg>")
}

// contour is a closed line: its first point, and its pieces.
type contour []sfnt.Segment

// outline returns the contours of a character, scaled and centred.
func outline(f *sfnt.Font, r rune) ([]contour, error) {
	var buf sfnt.Buffer
	glyph, err := f.GlyphIndex(&buf, r)
	if err != nil {
		return nil, err
	}
	ppem := fixed.I(unit)
	segments, err := f.LoadGlyph(&buf, glyph, ppem, nil)
	if err != nil {
		return nil, err
	}
	segments = slices.Clone(segments) // they are in the buffer
	bounds, _, err := f.GlyphBounds(&buf, glyph, ppem, font.HintingNone)
	if err != nil {
		return nil, err
	}
	// All pieces have the scale of the king and stand on one line.
	king, err := f.GlyphIndex(&buf, '\u2654')
	if err != nil {
		return nil, err
	}
	high, _, err := f.GlyphBounds(&buf, king, ppem, font.HintingNone)
	if err != nil {
		return nil, err
	}
	size, smaller := sizes[r]
	if !smaller {
		size = 1
	}
	scale := size * float64((unit-2*margin)*64) / float64(high.Max.Y-high.Min.Y)
	middle := float64(bounds.Min.X+bounds.Max.X) / 2
	move := func(p fixed.Point26_6) fixed.Point26_6 {
		return fixed.Point26_6{
			X: fixed.Int26_6((float64(p.X)-middle)*scale + unit/2*64),
			Y: fixed.Int26_6((float64(p.Y)-float64(high.Max.Y))*scale + (unit-margin)*64),
		}
	}
	var all []contour
	for _, s := range segments {
		if s.Op == sfnt.SegmentOpMoveTo {
			all = append(all, nil)
		}
		for i := range s.Args {
			s.Args[i] = move(s.Args[i])
		}
		all[len(all)-1] = append(all[len(all)-1], s)
	}
	return all, nil
}

// ends are how many points a piece of a line has, the last of which is its end.
var ends = map[sfnt.SegmentOp]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2, sfnt.SegmentOpCubeTo: 3}

// area is the signed area within a contour, by the points of its pieces.
func (c contour) area() (sum float64) {
	last := c[len(c)-1]
	from := last.Args[ends[last.Op]-1]
	for _, s := range c {
		for _, to := range s.Args[:ends[s.Op]] {
			sum += float64(from.X)*float64(to.Y) - float64(to.X)*float64(from.Y)
			from = to
		}
	}
	return sum
}

// outer returns the contours that run like the largest one: those that are not
// holes.
func outer(all []contour) (list []contour) {
	var largest float64
	for _, c := range all {
		if a := c.area(); a*a > largest*largest {
			largest = a
		}
	}
	for _, c := range all {
		if c.area()*largest > 0 {
			list = append(list, c)
		}
	}
	return list
}

// path writes contours as an SVG path.
func path(all []contour) string {
	var b strings.Builder
	for _, c := range all {
		for _, s := range c {
			b.WriteByte("MLQC"[s.Op])
			for i, p := range s.Args[:ends[s.Op]] {
				if i > 0 {
					b.WriteByte(' ')
				}
				fmt.Fprintf(&b, "%d %d", p.X.Round(), p.Y.Round())
			}
		}
		b.WriteByte('Z')
	}
	return b.String()
}
