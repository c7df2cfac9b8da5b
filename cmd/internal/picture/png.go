package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"regexp"
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
	on.fill(edge, 1, on.image.Rect, 0, 0, 1, "M2 -10L798 -10Q810 -10 810 2L810 798Q810 810 798 810L2 810Q-10 810 -10 798L-10 2Q-10 -10 2 -10Z")
	draw(on, p, opt)
	var b bytes.Buffer
	_ = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, on.image) // a buffer takes all
	return b.Bytes()
}

// pixels is a canvas of pixels.
type pixels struct {
	image  *image.RGBA
	raster vector.Rasterizer
}

// fill fills a path as SVG has it, of M, L, Q and Z, at a point and so many times as large, in
// a part of the image. Parts of the path that overlap turn the same way.
func (p *pixels) fill(name string, opacity float64, box image.Rectangle, x, y int, scale float64, path string) {
	p.raster.Reset(box.Dx(), box.Dy())
	corner := [2]int{box.Min.X, box.Min.Y}
	for _, step := range steps.FindAllString(path, -1) {
		var to [4]float32
		for i, word := range strings.Fields(step[1:]) {
			n, _ := strconv.ParseFloat(word, 64)
			to[i] = float32((float64([2]int{x, y}[i%2])+n*scale)*squarePixels/100) - float32(corner[i%2])
		}
		switch step[0] {
		case 'M':
			p.raster.MoveTo(to[0], to[1])
		case 'L':
			p.raster.LineTo(to[0], to[1])
		case 'Q':
			p.raster.QuadTo(to[0], to[1], to[2], to[3])
		default:
			p.raster.ClosePath()
		}
	}
	p.raster.Draw(p.image, box, image.NewUniform(rgb(name, opacity)), image.Point{})
}

var steps = regexp.MustCompile("[MLQZ][^MLQZ]*")

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
	p.fill(color, opacity, squareAt(x, y), x, y, 1, "M0 0L100 0L100 100L0 100Z")
}

func (p *pixels) label(x, y int, end bool, color string, name byte) {
	d := font.Drawer{Dst: p.image, Src: image.NewUniform(rgb(color, 1)), Face: letters(), Dot: fixed.P(x, y).Mul(fixed.I(squarePixels)).Div(fixed.I(100))}
	if end {
		d.Dot.X -= d.MeasureString(string(name))
	}
	d.DrawString(string(name))
}

func (p *pixels) piece(x, y int, id string) {
	for _, painted := range paths.FindAllStringSubmatch(symbols(map[string]bool{id: true}), -1) {
		p.fill(painted[1], 1, squareAt(x, y), x, y, 0.1, painted[2])
	}
}

var paths = regexp.MustCompile(`<path fill="([^"]+)" d="([^"]+)"`)

func (p *pixels) arrow(color string, from, to point, head [3]point) {
	var b strings.Builder
	fmt.Fprintf(&b, "M%f %fL%f %fL%f %fZ", head[0].x, head[0].y, head[1].x, head[1].y, head[2].x, head[2].y)
	angle, round := math.Atan2(to.y-from.y, to.x-from.x)+math.Pi/2, 16
	for i := range 2*round + 2 { // half a circle around each end
		at, turn := from, i
		if i > round {
			at, turn = to, i-1
		}
		sin, cos := math.Sincos(angle + math.Pi*float64(turn)/float64(round))
		fmt.Fprintf(&b, "%c%.2f %.2f", "ML"[min(i, 1)], at.x+cos*arrowWidth/2, at.y+sin*arrowWidth/2)
	}
	p.fill(color, arrowOpacity, p.image.Rect, 0, 0, 1, b.String()+"Z")
}

// letters returns the letters of the coordinates.
var letters = sync.OnceValue(func() font.Face {
	parsed, _ := opentype.Parse(gobold.TTF) // neither fails of a font that is embedded
	face, _ := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 19 * squarePixels / 100.0, DPI: 72})
	return face
})
