package browsertest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// square returns where a square is in the window.
func (b *browser) square(name string) (x, y float64) {
	b.Helper()
	var r struct{ X, Y, Width float64 }
	b.read(`document.querySelector("#board svg").getBoundingClientRect()`, &r)
	return r.X + r.Width*(float64(name[0]-'a')+0.5)/8, r.Y + r.Width*(8.5-float64(name[1]-'0'))/8
}

// drag moves a piece with the mouse.
func (b *browser) drag(from, to string) {
	b.Helper()
	x1, y1 := b.square(from)
	x2, y2 := b.square(to)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		err := input.DispatchMouseEvent(input.MousePressed, x1, y1).WithButton(input.Left).WithClickCount(1).Do(ctx)
		for i := 1.0; err == nil && i <= 4; i++ {
			err = input.DispatchMouseEvent(input.MouseMoved, x1+(x2-x1)*i/4, y1+(y2-y1)*i/4).WithButton(input.Left).Do(ctx)
		}
		if err == nil {
			err = input.DispatchMouseEvent(input.MouseReleased, x2, y2).WithButton(input.Left).WithClickCount(1).Do(ctx)
		}
		return err
	}))
}

// press clicks a square with the mouse.
func (b *browser) press(square string) {
	b.Helper()
	x, y := b.square(square)
	b.do(chromedp.MouseClickXY(x, y))
}

// at waits until the move on the board has a notation.
func (b *browser) at(san string) {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#notation [aria-current] [role=img]")?.firstChild.data === %q`, san))
}

// Pieces move by drag, by click and typed, on a board that is turned, too; moves of the
// game are followed, others open a line of one's own, which stays with its game, stands
// in no address, and is copied; what is no move stays; promotion asks.
func TestMoving(t *testing.T) {
	t.Parallel()
	b := start(t)
	address := written(t, deep+"\n[FEN \"r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. O-O *\n")
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(address+"#id=1"))
	b.until(moves + " > 60")
	b.drag("e2", "e4")
	b.at("e4")
	b.press("d7")
	b.until(`document.querySelectorAll(".hints .dot-to").length === 2`)
	b.press("d6")
	b.at("d6")
	b.until(`document.querySelectorAll("#notation .own").length === 0 && location.hash === "#id=1&move=1"`)
	b.drag("e4", "e6") // no move
	b.press("e4")
	b.press("e4")
	b.until(`!document.querySelector(".hints *")`)
	b.keys("m")
	b.until(`document.activeElement.id === "typed"`)
	b.value(`document.querySelector("#typed").value = ""`) // what DevTools send behind the key
	b.keys("n", "f", "3", kb.Enter)
	b.at("Nf3")
	b.until(`document.querySelectorAll("#notation .own").length === 1 && document.querySelector("#say").textContent.includes("knight f3")`)
	b.keys("e", "7", "e", "5", kb.Enter)
	b.at("e5")
	b.until(`location.hash === "#id=1&move=1"`) // the last move that stands in the game
	b.keys("z", "z", kb.Enter)
	b.until(`document.querySelector("#problem").textContent === "zz is no move here."`)
	b.value(`void (document.activeElement.blur(), navigator.clipboard.writeText = async (x) => { window.copied = x; })`)
	b.click("[data-copy=pgn]")
	b.until(`window.copied?.includes("1. e4 d6 2. Nf3 e5 *")`)
	b.keys(kb.ArrowLeft, kb.ArrowLeft)
	b.until(`document.querySelector("#fork").textContent === "2. d42. Nf3"`)
	b.click("#fork button:last-child")
	b.at("Nf3")
	b.keys("n")
	b.until(`document.querySelector("#about dd")?.textContent === "2"`)
	b.keys("f")
	b.until(`document.querySelector("#board .coordinates text").textContent === "1"`)
	b.drag("g2", "g1") // seen from Black's side: b7-b8
	b.until(`document.querySelector("dialog.choice")?.textContent === "QueenRookBishopKnight"`)
	b.keys(kb.Escape)
	b.until(`!document.querySelector("dialog.choice") && !document.querySelector("#notation .own")`)
	b.drag("g2", "g1")
	b.until(`document.querySelector("dialog.choice")`)
	b.value(`void [...document.querySelectorAll("dialog.choice button")].find((e) => e.textContent === "Knight").click()`)
	b.at("b8=N")
	b.keys(kb.ArrowLeft, "f")
	b.until(`document.querySelector("#board .coordinates text").textContent === "8"`)
	b.drag("e1", "g1")
	b.at("O-O")
	b.keys(kb.ArrowLeft, "p")
	b.until(`document.querySelectorAll("#notation .own").length === 2 && document.querySelector("#about dd").textContent === "1"`)
	b.click("[data-copy=forget]")
	b.until(`document.querySelectorAll("#notation .own").length === 0`)
	b.finish(originOf(address))
}

// The explorer follows every step, with what the games and the books say; a click on a
// move plays it, the focus stays, and what is shown is said.
func TestExplorer(t *testing.T) {
	t.Parallel()
	b := start(t)
	address := served(t, demo(t), "Games.cbh", "Book.ctg")
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(address+"#id=1"))
	b.until(moves + " > 10")
	b.click("#tab-explorer")
	b.until(`document.querySelector("#report .step")?.textContent === "e4" && document.querySelector("#book .step")`)
	if got := b.text("#explorer"); !strings.Contains(got, "White scores") || b.value(`document.querySelector("#report .wdl").getAttribute("aria-label").startsWith("White wins ")`) != true {
		t.Errorf("the explorer says %q", got)
	}
	for _, root := range []string{"#report", "#book"} {
		for range 3 {
			before := b.text("#explorer")
			b.value(fmt.Sprintf(`void (document.querySelector(%q).focus(), document.querySelector(%q).click())`, root+" .step", root+" .step"))
			b.until(fmt.Sprintf(`document.querySelector("#explorer").textContent !== %q && document.activeElement.closest(%q) && document.activeElement.matches(".step") && /games?, White scores/.test(document.querySelector("#say").textContent)`, before, root))
		}
	}
	b.keys(kb.Home)
	b.until(`document.querySelector("#report .step")?.textContent === "e4"`)
	// Wins of White are white, whoever moves, and stand there as numbers.
	shares := b.value(`(async () => { const m = await import("./explorer.js"), b = m.bar(m.byColor({ wins: 3, draws: 1, losses: 1 }, "b")); return b.getAttribute("aria-label") + [...b.children].map((e) => e.className + e.textContent + e.style.flexGrow).join(); })()`)
	if shares != "White wins 20 %, draws 20 %, Black wins 60 %win201,draw201,loss603" {
		t.Errorf("three wins of Black in five games: %v", shares)
	}
	b.finish(originOf(address))
}

// Back and forward walk games, searches and lists, and not the moves; what was chosen
// stays: theme, board, columns, widths, panel.
func TestHistoryAndMemory(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := demo(t)
	address := served(t, dir, "Games.cbh")
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address))
	b.until(moves + ` > 1 && location.hash === "#id=1"`)
	steps := []struct {
		do  func()
		now string
	}{
		{func() { b.keys("n") }, `location.hash === "#id=2" && document.querySelector("#about dd").textContent === "2"`},
		{func() { b.search("morphy") }, `document.querySelector("#count").textContent === "1 game" && location.hash.includes("where=morphy")`},
		{func() {
			b.value(`(document.querySelector("#kind").value = "players", document.querySelector("#kind").dispatchEvent(new Event("change")))`)
		}, `document.querySelector(".grid").getAttribute("aria-label") === "players" && location.hash.includes("list=players")`},
		{func() { b.click(`.rows .row:first-child`) }, `document.querySelector("#card table") && document.querySelector("#chips").textContent.endsWith(" · player") && location.hash.includes("where=player")`},
	}
	for _, s := range steps {
		s.do()
		b.until(s.now)
		b.keys(kb.ArrowRight)
		b.do(chromedp.Sleep(250e6)) // the address is written after a moment
	}
	for i := len(steps) - 2; i >= 0; i-- {
		b.value(`void history.back()`)
		b.until(strings.Replace(steps[i].now, `location.hash === "#id=2" &&`, `location.hash.startsWith("#id=2") &&`, 1))
		b.do(chromedp.Sleep(250e6))
	}
	b.value(`void history.forward()`)
	b.until(steps[1].now)
	b.click(".chip")
	b.until(`document.querySelector("#count").textContent !== "1 game" && !document.querySelector(".chip")`)
	order := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`[...document.querySelectorAll(".head > div")].map((e) => e.textContent).join() === %q`, want))
	}
	order("White,Elo,Black,Elo,Result,ECO,Date,Event")
	b.value(`void [...document.querySelectorAll(".head button")].find((e) => e.textContent === "Event").click()`)
	b.until(`document.querySelector(".chip")?.textContent === "by event" && document.querySelector(".grid").scrollTop === 0`)
	b.value(`void [...document.querySelectorAll("#columns input")].filter((e) => e.value === "0" || e.value === "8").forEach((e) => e.click())`)
	order("No,White,Elo,Black,Elo,Result,ECO,Date")
	b.value(`void [...document.querySelectorAll(".head button")].find((e) => e.textContent === "No").click()`)
	b.until(`!document.querySelector(".chip") && document.querySelector(".rows .id").textContent === "1"`)
	wide := b.value(`document.querySelector("#games").offsetWidth`).(float64)
	b.value(`void document.querySelector("#games .handle").focus()`)
	b.keys(kb.ArrowLeft, kb.ArrowLeft, "f")
	b.click("#theme")
	b.click("#figurines")
	b.click("#tab-about")
	theme := b.value(`document.documentElement.dataset.theme`)
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#id=1"))
	b.until(moves + " > 1")
	order("No,White,Elo,Black,Elo,Result,ECO,Date")
	b.until(fmt.Sprintf(`document.querySelector("#games").offsetWidth === %v && document.documentElement.dataset.theme === %q && !document.querySelector("#about").hidden &&
		document.querySelector("#board .coordinates text").textContent === "1" && /[♔♕♖♗♘]/.test(document.querySelector("#notation").textContent)`, wide-40, theme))
	b.value(`void (navigator.clipboard.writeText = async () => {})`)
	b.click("[data-copy=fen]")
	b.until(`!document.querySelector("#told").hidden && document.querySelector("#told").textContent === "The position was copied."`)

	// What another program changes is told, and shown when that is wanted.
	run(t, dir, "edit", "-q", "Games.cbh", "--set", "1.white=Newcomer, Nina")
	b.value(`void window.dispatchEvent(new Event("focus"))`) // back from the other program
	b.until(`!document.querySelector("#old").hidden`)
	b.click("#old")
	b.until(`document.querySelector("#old").hidden && document.querySelector(".rows .name").title === "Newcomer, Nina"`)
	b.value(`void (location.hash = "#id=99999")`)
	b.until(`/99999/.test(document.querySelector("#problem").textContent)`)
	b.finish(originOf(address))
}

// On a phone Back leads from a game to the list.
func TestBackOnAPhone(t *testing.T) {
	t.Parallel()
	b := start(t)
	address := served(t, demo(t), "Games.cbh")
	b.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch), chromedp.Navigate(address))
	b.until(moves + ` > 1 && document.body.dataset.view === "games" && history.state`)
	b.click(".rows .row:nth-child(3)")
	b.until(`document.body.dataset.view === "game" && location.hash === "#id=3" && history.state.side === "game"`)
	b.value(`void history.back()`)
	b.until(`document.body.dataset.view === "games"`)
	b.finish(originOf(address))
}

// Of two lists that are asked for the later one is shown, in whatever order the server answers
// what is asked for the first.
func TestLaterList(t *testing.T) {
	t.Parallel()
	b := start(t)
	address := served(t, demo(t), "Games.cbh")
	b.do(chromedp.Navigate(address))
	b.until(moves + " > 1")
	b.value(`void (() => {
		const ask = window.fetch;
		let asked = 0;
		window.fetch = async (...args) => {
			if (String(args[0]).startsWith("call/edition") && asked++ === 0) await new Promise((r) => setTimeout(r, 500));
			return ask(...args);
		};
		document.querySelector("#query").value = "morphy";
		document.querySelector("#search").requestSubmit();
		document.querySelector("#kind").value = "tournaments";
		document.querySelector("#kind").dispatchEvent(new Event("change"));
	})()`)
	const shown = `document.querySelector(".grid").getAttribute("aria-label")`
	b.until(shown + ` === "tournaments"`)
	b.value(`new Promise((r) => setTimeout(r, 1500))`)
	if got := b.value(shown + ` + " " + document.querySelector("#kind").value`); got != "tournaments tournaments" {
		t.Errorf("%v is shown", got)
	}
	b.finish(originOf(address))
}

// Plain words are understood, by the server and by an exported page; each part can be taken
// away; nothing found says what would find something.
func TestSearchInWords(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := demo(t)
	run(t, dir, "export", "-q", "Games.cbh", "page.html")
	for _, address := range []string{served(t, dir, "Games.cbh"), "file://" + dir + "/page.html"} {
		b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("about:blank"), chromedp.Navigate(address))
		b.until(moves + " > 1")
		b.search("morphy 1858")
		b.until(`document.querySelector("#count").textContent === "1 game" && document.querySelectorAll(".chip").length === 2`)
		b.search("morphy 1999")
		b.until(`/without "1999" there are 1/.test(document.querySelector("#problem").textContent)`)
		b.click("#chips .chip:last-child")
		b.until(`document.querySelector("#query").value === "morphy" && document.querySelector("#count").textContent === "1 game" && document.querySelector("#problem").hidden`)
		b.search("player:morphy year:1850..1860 eco:C")
		b.until(`document.querySelectorAll(".chip").length === 3 && document.querySelector("#count").textContent === "1 game"`)
		b.search("philidor")
		b.until(`document.querySelectorAll(".chip").length === 1 && /opening/.test(document.querySelector(".chip").textContent) && document.querySelector(".rows .eco").textContent === "C41"`)
		for query, count := range map[string]string{
			"Morphy, P": "1 game", "king's": "1 game", `player:"Morphy, Paul"`: "1 game", "moves:..17 morphy": "1 game", "xyz-zy!": "0 games", "result:draw": "1 game", "reti": "1 game",
		} {
			b.search("")
			b.until(`document.querySelector("#count").textContent === "4 games"`)
			b.search(query)
			b.until(fmt.Sprintf(`document.querySelector("#count").textContent === %q`, count))
		}
	}
	b.search("morphy or xyz") // an exported page cannot tell
	b.until(`/cbkit serve/.test(document.querySelector("#problem").textContent)`)
	if len(b.wrong) > 0 {
		t.Error(b.wrong)
	}
}

// A server that has ended is told to the eye, and what is shown stays.
func TestServerEnds(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(served(t, demo(t), "Games.cbh")))
	b.until(moves + " > 1")
	b.do(network.EmulateNetworkConditions(true, 0, 0, 0))
	b.keys("n")
	b.until(`document.querySelector("#problem").textContent.includes("it has ended") && !document.querySelector("#problem").hidden && document.querySelector("#about dd").textContent === "1"`)
	b.keys(kb.ArrowRight)
	b.until(`document.querySelector("#notation [aria-current]")`)
}
