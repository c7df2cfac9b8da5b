package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"cbkit/model"
)

// The width in pixels of a square, and of the edge around the board.
const (
	squarePixels = 80
	edgePixels   = squarePixels / 10
)

// PNG returns a position as a PNG file.
func PNG(p *model.Position, opt Options) []byte {
	const side = 8*squarePixels + 2*edgePixels
	on := &pixels{image: image.NewRGBA(image.Rect(0, 0, side, side).Sub(image.Pt(edgePixels, edgePixels)))}
	on.fill(edge, 1, on.image.Rect, outline{"M2 -10L798 -10Q810 -10 810 2L810 798Q810 810 798 810L2 810Q-10 810 -10 798L-10 2Q-10 -10 2 -10Z", 0, 0, 1})
	draw(on, p, opt)
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, on.image); err != nil {
		panic(err) // it has a size, and a buffer takes what is written
	}
	return b.Bytes()
}

// pixels is a canvas of pixels.
type pixels struct {
	image  *image.RGBA
	raster vector.Rasterizer
}

// An outline is a path as SVG has it, of M, L, Q and Z, which is drawn so many times as
// large at a point of the canvas.
type outline struct {
	path        string
	x, y, scale float64
}

// fill fills outlines, which lie in a part of the image and turn the same way where they
// overlap.
func (p *pixels) fill(name string, opacity float64, box image.Rectangle, outlines ...outline) {
	p.raster.Reset(box.Dx(), box.Dy())
	for _, o := range outlines {
		at := func(x, y string) (float32, float32) {
			fx, _ := strconv.ParseFloat(x, 64)
			fy, _ := strconv.ParseFloat(y, 64)
			return float32((o.x+fx*o.scale)*squarePixels/100) - float32(box.Min.X), float32((o.y+fy*o.scale)*squarePixels/100) - float32(box.Min.Y)
		}
		for words := strings.Fields(spaced.Replace(o.path)); len(words) > 0; {
			switch words[0] {
			case "M":
				p.raster.MoveTo(at(words[1], words[2]))
				words = words[3:]
			case "L":
				p.raster.LineTo(at(words[1], words[2]))
				words = words[3:]
			case "Q":
				x1, y1 := at(words[1], words[2])
				x2, y2 := at(words[3], words[4])
				p.raster.QuadTo(x1, y1, x2, y2)
				words = words[5:]
			default: // Z
				p.raster.ClosePath()
				words = words[1:]
			}
		}
	}
	p.raster.Draw(p.image, box, image.NewUniform(rgb(name, opacity)), image.Point{})
}

var spaced = strings.NewReplacer("M", " M ", "L", " L ", "Q", " Q ", "Z", " Z ")

// rgb returns a colour by its name, as #b3845b.
func rgb(name string, opacity float64) color.NRGBA {
	n, _ := strconv.ParseUint(name[1:], 16, 24)
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), uint8(math.Round(opacity * 255))}
}

// squareAt returns the pixels of the square whose corner is x, y.
func squareAt(x, y int) image.Rectangle {
	return image.Rect(0, 0, squarePixels, squarePixels).Add(image.Pt(x/100, y/100).Mul(squarePixels))
}

func (p *pixels) square(x, y int, color string, opacity float64) {
	p.fill(color, opacity, squareAt(x, y), outline{"M0 0L100 0L100 100L0 100Z", float64(x), float64(y), 1})
}

func (p *pixels) label(x, y int, end bool, color string, name byte) {
	d := font.Drawer{Dst: p.image, Src: image.NewUniform(rgb(color, 1)), Face: letters(), Dot: fixed.P(x, y).Mul(fixed.I(squarePixels)).Div(fixed.I(100))}
	if end {
		d.Dot.X -= d.MeasureString(string(name))
	}
	d.DrawString(string(name))
}

func (p *pixels) piece(x, y int, id string) {
	for _, part := range shapes()[id] {
		p.fill(part.Fill, 1, squareAt(x, y), outline{part.D, float64(x), float64(y), 0.1})
	}
}

func (p *pixels) arrow(color string, from, to point, head [3]point) {
	var b strings.Builder
	for i, at := range head {
		fmt.Fprintf(&b, "%c%.2f %.2f", "ML"[min(i, 1)], at.x, at.y)
	}
	b.WriteString("Z")
	angle, round := math.Atan2(to.y-from.y, to.x-from.x)+math.Pi/2, 16
	for i := range 2*round + 2 { // half a circle around each end
		at, turn := from, i
		if i > round {
			at, turn = to, i-1
		}
		sin, cos := math.Sincos(angle + math.Pi*float64(turn)/float64(round))
		fmt.Fprintf(&b, "%c%.2f %.2f", "ML"[min(i, 1)], at.x+cos*arrowWidth/2, at.y+sin*arrowWidth/2)
	}
	p.fill(color, arrowOpacity, p.image.Rect, outline{b.String() + "Z", 0, 0, 1})
}

// letters returns the letters of the coordinates.
var letters = sync.OnceValue(func() font.Face {
	parsed, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic(err) // it is embedded
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 19 * squarePixels / 100.0, DPI: 72})
	if err != nil {
		panic(err)
	}
	return face
})

type shape struct {
	Fill string `xml:"fill,attr"`
	D    string `xml:"d,attr"`
}

// shapes returns what the pieces of pieces.svg are painted of, by their names.
var shapes = sync.OnceValue(func() map[string][]shape {
	var file struct {
		Symbols []struct {
			ID    string  `xml:"id,attr"`
			Paths []shape `xml:"path"`
		} `xml:"symbol"`
	}
	if err := xml.Unmarshal(pieces(), &file); err != nil {
		panic(err) // it is embedded
	}
	all := map[string][]shape{}
	for _, s := range file.Symbols {
		all[s.ID] = s.Paths
	}
	return all
})
