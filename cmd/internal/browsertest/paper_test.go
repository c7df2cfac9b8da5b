package browsertest

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// paper returns pictures of the pages that are printed.
func (b *browser) paper() (pages []image.Image) {
	b.Helper()
	var pdf bytes.Buffer
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		data, _, err := page.PrintToPDF().Do(ctx)
		pdf.Write(data)
		return err
	}))
	dir := b.TempDir()
	c := exec.CommandContext(b.Context(), "pdftoppm", "-r", "60", "-png", "-", filepath.Join(dir, "page"))
	c.Stdin = &pdf
	if err := c.Run(); err != nil {
		b.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.png"))
	if err != nil || len(files) == 0 {
		b.Fatalf("%v: no page", err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		p, err := png.Decode(f)
		if err = errors.Join(err, f.Close()); err != nil {
			b.Fatal(err)
		}
		pages = append(pages, p)
	}
	return pages
}

// dots counts the dots of pages that have a colour, or nearly, and all of them.
func dots(pages []image.Image, red, green, blue int) (n, all int) {
	for _, p := range pages {
		for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y; y++ {
			for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x++ {
				r, g, b, _ := p.At(x, y).RGBA()
				if all++; max(abs(int(r>>8)-red), abs(int(g>>8)-green), abs(int(b>>8)-blue)) <= 6 {
					n++
				}
			}
		}
	}
	return n, all
}

func abs(n int) int { return max(n, -n) }

// Paper is white in the dark, too, and has evaluations, both curves and, if wanted, the
// position with both clocks: of the game that is shown, and of chosen ones, by the server
// and by an exported page.
func TestCurvesOnPaper(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pdftotext", "pdftoppm"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(name, " (poppler-utils) is missing")
		}
	}
	b := start(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "g.pgn"), []byte(deep), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "export", "-q", "g.pgn", "page.html")
	for _, address := range []string{served(t, dir, "g.pgn"), "file://" + filepath.ToSlash(filepath.Join(dir, "page.html"))} {
		b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#id=1&move=3"))
		b.until(moves + " > 60")
		b.value(`void (document.documentElement.dataset.theme = "dark", document.querySelector(".phone [data-view=game]").click())`)
		look := func(what string, position bool, words string) {
			t.Helper()
			text, p := strings.Join(b.printed(), " "), b.paper()
			if n, all := dots(p, 255, 255, 255); n < all/2 {
				t.Errorf("%s: %d of %d dots are white", what, n, all)
			}
			for _, c := range [][3]int{{0x4b, 0x4f, 0x57}, {0xf4, 0xf1, 0xea}, {0xc9, 0xa4, 0x6c}, {0x7b, 0x5a, 0x38}} {
				if n, _ := dots(p, c[0], c[1], c[2]); n < 60 {
					t.Errorf("%s: %d dots of a curve in %x", what, n, c)
				}
			}
			if n, _ := dots(p, 0xb3, 0x84, 0x5b); (n > 1000) != position {
				t.Errorf("%s: %d dots of dark squares", what, n)
			}
			for word := range strings.SplitSeq(words, "|") {
				if strings.Contains(text, strings.TrimPrefix(word, "-")) == strings.HasPrefix(word, "-") {
					t.Errorf("%s: %s in %s", what, word, text)
				}
			}
		}
		look("the game", false, "Rxb7|-1:57:00")
		b.click("#onpaper")
		look("the game with its position", true, "1:57:00|1:56:00|+0.40|Kasparov, Garry 2812")
		b.keys(kb.ArrowRight)
		b.at("Nc3")
		b.value(`void document.querySelector(".rows .row").dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true }))`)
		b.until(`document.querySelectorAll("#paper article").length === 1`)
		look("a chosen game with its position", true, "White 1:57:00 · Black 1:56:00|Rxb7")
		b.click("#onpaper")
		look("a chosen game", false, "Rxb7|-1:57:00")
	}
	if len(b.wrong) > 0 {
		t.Error(b.wrong)
	}
}
