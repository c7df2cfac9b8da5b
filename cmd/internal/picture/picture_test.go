package picture_test

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"testing"

	"cbkit/board"
	"cbkit/cmd/internal/picture"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

var update = flag.Bool("update", false, "write testdata anew")

// A PNG is the picture that people have looked at: pieces of all kinds, coordinates, marks
// and arrows. Processors round colours differently.
func TestPNG(t *testing.T) {
	p := must.Get(board.ParseModel("r1b2rk1/2q1bppp/p2p1n2/npp1p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 b - - 2 12"))(t)
	drawn := picture.PNG(&p, picture.Options{
		Flip:    true,
		Squares: model.Squares{{Color: model.Red, Square: model.E5}, {Color: model.Green, Square: model.D4}, {Color: model.Yellow, Square: model.A8}, {Color: model.Blue, Square: model.NoSquare}},
		Arrows:  model.Arrows{{Color: model.Green, From: model.D2, To: model.F1}, {Color: model.Blue, From: model.C7, To: model.C2}, {Color: model.Red, From: model.G3, To: model.G3}},
	})
	if *update {
		must.Do(t, os.WriteFile("testdata/board.png", drawn, 0o666))
	}
	golden := must.Get(os.ReadFile("testdata/board.png"))(t)
	want := must.Get(png.Decode(bytes.NewReader(golden)))(t)
	got, err := png.Decode(bytes.NewReader(drawn))
	if err != nil || got.Bounds() != want.Bounds() {
		t.Fatal(err, got.Bounds())
	}
	near := func(a, b uint32) bool { return max(a, b)-min(a, b) <= 4*0x101 }
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			r1, g1, b1, a1 := got.At(x, y).RGBA()
			if r2, g2, b2, a2 := want.At(x, y).RGBA(); !near(r1, r2) || !near(g1, g2) || !near(b1, b2) || !near(a1, a2) {
				t.Fatalf("at %d, %d is %v, want %v", x, y, got.At(x, y), want.At(x, y))
			}
		}
	}
}
