package browsertest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// deep has clocks, evaluations, a comment and seven nested variations.
const deep = `[White "Kasparov, Garry"]
[Black "Topalov, Veselin"]
[WhiteElo "2812"]
[Result "1-0"]

1. e4 {[%clk 1:59:00] [%eval 0.3] Best by test, says whoever plays it.} d6 {[%clk 1:58:00] [%eval 0.4]} 2. d4 {[%clk 1:57:00] [%eval 0.5]} Nf6 {[%clk 1:56:00] [%eval 0.4]} 3. Nc3
( 3. Bd3 g6 ( 3... e5 4. Nf3 ( 4. c3 Be7 ( 4... Nc6 5. Nf3 ( 5. Ne2 Be7 ( 5... d5 6. exd5 ( 6. f3 dxe4 ( 6... Be7 7. O-O ) 7. fxe4 ) 6... Nxd5 ) 6. O-O ) 5... Be7 ) 5. Nf3 ) 4... Nc6 ) 4. Nf3 )
3... g6 {[%clk 1:54:00] [%eval 0.35]} 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5 11. O-O-O Qe7 12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4
15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 19. Bh3 d5 20. Qf4+ Ka7 21. Rhe1 d4 22. Nd5 Nbxd5 23. exd5 Qd6 24. Rxd4 cxd4 25. Re7+ Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4 28. Qc3 Qxd5 29. Ra7 Bb7 30. Rxb7 1-0
`

// written writes a PGN file and serves it.
func written(t *testing.T, pgn string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "g.pgn"), []byte(pgn), 0o600); err != nil {
		t.Fatal(err)
	}
	return served(t, dir, "g.pgn")
}

// phone shows the page as a phone does, from the beginning.
func (b *browser) phone(width, height int64, address string) {
	b.Helper()
	b.do(chromedp.EmulateViewport(width, height, chromedp.EmulateMobile, chromedp.EmulateTouch), chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	b.until(moves + " > 1")
	b.do(chromedp.Sleep(200e6))
}

// touch moves a finger over the board, from one place to another in parts of its width;
// it is held at first.
func (b *browser) touch(held time.Duration, x1, y1, x2, y2 float64) {
	b.Helper()
	var r struct{ X, Y, Width float64 }
	b.read(`document.querySelector("#board svg").getBoundingClientRect()`, &r)
	at := func(x, y float64) []*input.TouchPoint {
		return []*input.TouchPoint{{X: r.X + x*r.Width, Y: r.Y + y*r.Width}}
	}
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		err := input.DispatchTouchEvent(input.TouchStart, at(x1, y1)).Do(ctx)
		time.Sleep(held)
		for i := 1.0; err == nil && i <= 6 && (x1 != x2 || y1 != y2); i++ {
			err = input.DispatchTouchEvent(input.TouchMove, at(x1+(x2-x1)*i/6, y1+(y2-y1)*i/6)).Do(ctx)
		}
		if err == nil {
			err = input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}).Do(ctx)
		}
		return err
	}))
}

// Of a game with clocks, evaluations and nested variations at least six lines of moves are
// in sight beside a board of full width, or height, where the address leads and at the
// beginning; nothing scrolls sideways, also where the page is zoomed; taps and swipes step,
// and leave the page where it is; a piece that is held can be put elsewhere.
func TestPhone(t *testing.T) {
	t.Parallel()
	b := start(t)
	address := written(t, deep)
	const lines = `(() => {
		const free = document.querySelector("#board").getBoundingClientRect(), nav = document.querySelector(".phone").getBoundingClientRect().top, seen = new Set();
		for (const e of document.querySelectorAll("#notation a.move")) { const r = e.getBoundingClientRect(), x = r.left + r.width / 2;
			if (r.top >= 0 && r.bottom <= nav + 1 && document.elementFromPoint(x, r.top + 3)?.closest("a.move") === e && document.elementFromPoint(x, r.bottom - 3)?.closest("a.move") === e) seen.add(Math.round(r.top / 8)); }
		return seen.size; })()`
	for _, s := range [][2]int64{{320, 568}, {360, 740}, {390, 664}, {393, 852}, {740, 360}, {844, 390}, {640, 512}, {320, 256}} {
		for _, move := range []string{"", "&move=3", "&move=17", "&move=60"} {
			b.phone(s[0], s[1], address+"#id=1"+move)
			if got, is := b.value(lines).(float64); !is || s[1] > 300 && got < 6 {
				t.Errorf("%v%s: %v lines", s, move, got)
			}
			if got := b.value(`document.querySelector("#board").getBoundingClientRect().width`).(float64); s[1] > 512 && got < float64(s[0]) || s[1] < 400 && s[1] > 300 && got < float64(s[1]) {
				t.Errorf("%v: a board of %v", s, got)
			}
			if move != "" && s[1] > 300 {
				b.until(`((r) => r.top >= 0 && document.elementFromPoint(r.left + 4, r.top + r.height / 2)?.closest("a")?.hasAttribute("aria-current"))(document.querySelector("#notation [aria-current]").getBoundingClientRect())`)
			}
			if got := b.value(cut); got != "" {
				t.Errorf("%v%s: %v", s, move, got)
			}
		}
	}
	b.phone(360, 740, address+"#id=1&move=1")
	length := b.value("history.length")
	for _, c := range []struct {
		what           string
		x1, y1, x2, y2 float64
		at             string
	}{
		{"a tap on the right", 0.8, 0.5, 0.8, 0.5, "&move=2"}, {"a swipe to the left", 0.9, 0.5, 0.2, 0.52, "&move=3"},
		{"a tap on the left", 0.2, 0.5, 0.2, 0.5, "&move=2"}, {"a swipe to the right", 0.02, 0.5, 0.8, 0.5, "&move=1"},
	} {
		b.touch(0, c.x1, c.y1, c.x2, c.y2)
		b.until(fmt.Sprintf(`location.hash === "#id=1%s"`, c.at))
	}
	// After 1. e4 d6 the pawn of d2 is held and put on d3, which opens a line.
	b.touch(450*time.Millisecond, 0.44, 0.81, 0.44, 0.69)
	b.until(`document.querySelector("#notation .own")?.textContent.includes("d3") && document.querySelector("#notation .own[aria-current]")`)
	if got := b.value("history.length + String(scrollY)"); got != fmt.Sprint(length)+"0" && !strings.HasPrefix(fmt.Sprint(got), fmt.Sprint(length)) {
		t.Errorf("the page was left: %v", got)
	}
	b.finish(originOf(address))
}

// tap taps an element with a finger, where it is in sight.
func (b *browser) tap(selector string) {
	b.Helper()
	b.until(fmt.Sprintf(`((e) => { const r = e.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2;
		window.spot = { x, y }; return e.contains(document.elementFromPoint(x, y)); })(document.querySelector(%q))`, selector))
	var at input.TouchPoint
	b.read("window.spot", &at)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		err := input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: at.X, Y: at.Y}}).Do(ctx)
		if err == nil {
			err = input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}).Do(ctx)
		}
		return err
	}))
}

// On a phone the explorer opens by a tap, a move in it is played by a tap, figures follow,
// and what is shown is said; its bars fit, and nothing is cut.
func TestExplorerOnAPhone(t *testing.T) {
	t.Parallel()
	b := start(t)
	address := served(t, demo(t), "Games.cbh", "Book.ctg")
	b.phone(360, 740, address+"#id=1")
	b.tap("#tab-explorer")
	b.until(`document.querySelector("#report .step")?.textContent === "e4" && document.querySelector("#book .step")`)
	for i := range 4 {
		before, move := b.text("#report"), b.text("#report .step")
		b.tap("#report .step")
		b.until(fmt.Sprintf(`document.querySelector("#report").textContent !== %q && document.querySelector("#say").textContent.includes(%q) && /games?, White scores/.test(document.querySelector("#say").textContent)`, before, move))
		b.until(fmt.Sprintf(`document.querySelector("#board .board").getAttribute("aria-label").startsWith("Position after %d%s %s")`, i/2+1, []string{".", "…"}[i%2], move))
		for _, wrong := range []string{fit, cut} {
			if got := b.value(wrong); got != "" {
				t.Errorf("after %s: %v", move, got)
			}
		}
	}
	b.finish(originOf(address))
}

// On a phone the moves that may follow stay in sight beside the board, and neither they nor
// the players cover anything of it.
func TestForkOnAPhone(t *testing.T) {
	t.Parallel()
	b := start(t)
	address := written(t, deep)
	const covered = `(() => { const found = [], board = document.querySelector("#board .board").getBoundingClientRect(), name = (e) => e?.outerHTML.slice(0, 60);
		if (!document.querySelector("#fork button")) return "no moves to choose from";
		for (const e of document.querySelectorAll(".plate, #fork, .controls, #heading")) {
			const r = e.getBoundingClientRect(), left = Math.max(r.left, board.left), right = Math.min(r.right, board.right), top = Math.max(r.top, board.top), bottom = Math.min(r.bottom, board.bottom);
			if (right - left > 1 && bottom - top > 1 && e.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))) found.push(name(e));
		}
		for (const e of document.querySelectorAll("#fork button")) {
			const r = e.getBoundingClientRect(), x = (r.left + r.right) / 2;
			for (const y of [r.top + 2, r.bottom - 2]) if (!e.contains(document.elementFromPoint(x, y))) found.push(name(e) + " is not in sight");
		}
		for (let x = 1; x < 16; x += 2) for (let y = 1; y < 16; y += 2) {
			const on = document.elementFromPoint(board.left + board.width * x / 16, board.top + board.height * y / 16);
			if (!on?.closest("#board")) found.push("square " + x + " " + y + ": " + name(on));
		}
		return found.join("\n"); })()`
	for _, s := range [][2]int64{{360, 740}, {390, 844}, {320, 568}, {740, 360}} {
		for _, scroll := range []int{0, 20, 40, 200, 400} {
			b.phone(s[0], s[1], address+"#id=1&move=3")
			b.value(fmt.Sprintf("void scrollTo(0, %d)", scroll))
			b.do(chromedp.Sleep(100e6))
			if got := b.value(covered); got != "" {
				t.Errorf("%v, scrolled by %d: %v", s, scroll, got)
			}
		}
	}
	b.finish(originOf(address))
}
