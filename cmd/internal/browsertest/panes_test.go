package browsertest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"cbkit/cmd/internal/viewer"
	"cbkit/model"
)

// fit finds tables of the explorer that are wider than their pane, bars of White's wins,
// draws and Black's that are not within it and their column, and numbers that do not fit
// into their part of a bar.
const fit = `(() => { const found = [];
	for (const bar of document.querySelectorAll("#explorer .wdl")) {
		const r = bar.getBoundingClientRect(), cell = bar.closest("td")?.getBoundingClientRect(), pane = document.querySelector("#explorer").getBoundingClientRect();
		if (r.left < pane.left || r.right > Math.min(pane.right, innerWidth) || cell && (r.left < cell.left - 1 || r.right > cell.right + 1)) found.push("a bar from " + r.left + " to " + r.right);
		for (const part of bar.children) if (part.scrollWidth > part.clientWidth + 1) found.push("no room for " + part.textContent);
	}
	for (const table of document.querySelectorAll("#explorer .scroll")) if (table.scrollWidth > table.clientWidth + 1) found.push("a table of " + table.scrollWidth + " in " + table.clientWidth);
	return document.querySelector("#explorer .wdl") ? found.join("\n") : "there is no bar"; })()`

// pull pulls the handle of a pane sideways with the mouse.
func (b *browser) pull(pane string, by float64) {
	b.Helper()
	var r struct{ X, Y, Width, Height float64 }
	b.read(fmt.Sprintf(`document.querySelector("%s .handle").getBoundingClientRect()`, pane), &r)
	x, y := r.X+r.Width/2, r.Y+r.Height/2
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		err := input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1).Do(ctx)
		for i := 1.0; err == nil && i <= 4; i++ {
			err = input.DispatchMouseEvent(input.MouseMoved, x+by*i/4, y).WithButton(input.Left).Do(ctx)
		}
		if err == nil {
			err = input.DispatchMouseEvent(input.MouseReleased, x+by, y).WithButton(input.Left).WithClickCount(1).Do(ctx)
		}
		return err
	}))
}

// Panes are pulled by the mouse and keep their widths, as the list keeps its columns, when
// the page is loaded again; the bars of the explorer fit however wide its pane is.
func TestWidths(t *testing.T) {
	t.Parallel()
	b := start(t)
	address := served(t, demo(t), "Games.cbh", "Book.ctg")
	again := func() {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#id=1"))
		b.until(moves + ` > 1 && document.querySelector("#report .wdl") && document.querySelector("#book .wdl")`)
	}
	b.do(chromedp.EmulateViewport(1600, 900), chromedp.Navigate(address+"#id=1"))
	b.until(moves + " > 1")
	b.click("#tab-explorer")
	again()
	width := func(pane string) float64 {
		return b.value(fmt.Sprintf(`document.querySelector(%q).offsetWidth`, pane)).(float64)
	}
	games := width("#games")
	b.pull("#games", 40)
	if w := width("#games"); abs(int(w-games-40)) > 8 {
		t.Errorf("pulled from %v to %v", games, w)
	}
	text := width("#text")
	b.pull("#text", 50) // to the right: narrower
	if w := width("#text"); abs(int(text-50-w)) > 8 {
		t.Errorf("pulled from %v to %v", text, w)
	}
	b.value(`void [...document.querySelectorAll("#columns input")].find((e) => e.value === "9").click()`) // Round
	b.until(`document.querySelector(".head").textContent.includes("Round")`)
	games, text = width("#games"), width("#text")
	again()
	if w, v := width("#games"), width("#text"); w != games || v != text {
		t.Errorf("panes of %v and %v are %v and %v when the page is loaded again", games, text, w, v)
	}
	if got := b.text(".head"); !strings.Contains(got, "Round") {
		t.Errorf("columns when the page is loaded again: %s", got)
	}
	for _, w := range []int64{1920, 1280, 360} {
		b.do(chromedp.EmulateViewport(w, 800))
		b.value(`void document.querySelector(".phone [data-view=game]").click()`)
		again()
		b.value(`void document.querySelector(".phone [data-view=game]").click()`)
		if got := b.value(fit); got != "" {
			t.Errorf("%d wide: %v", w, got)
		}
	}
	b.do(chromedp.EmulateViewport(1600, 900))
	b.value(`void document.querySelector("#text .handle").dispatchEvent(new MouseEvent("dblclick", { bubbles: true }))`)
	b.until(fmt.Sprintf(`document.querySelector("#text").offsetWidth > %v`, text+20))
	b.finish(originOf(address))
}

// Who has the explorer open reads a text nevertheless, and has it again with the next game.
func TestTextBesideExplorer(t *testing.T) {
	t.Parallel()
	b := start(t)
	db, g := &model.Database{}, &model.Game{Header: model.NewHeader()}
	g.Moves.Append(model.NewMove(model.E2, model.E4))
	db.AddGame(g)
	text := model.NewGuidingText()
	text.SetContents([]model.LocalText{{Language: model.English, Text: "Title"}}, []model.LocalText{{Language: model.English, Text: "Read this"}})
	db.AddText(text)
	v := new(viewer.Viewer)
	v.AddSource("Texts", db)
	address := serve(t, v, func(string) {})
	tabs := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`[...document.querySelectorAll(".tabs button")].filter((e) => e.offsetWidth).map((e) => e.textContent).join() + document.querySelector(".tabs [aria-selected=true]").textContent === %q`, want))
	}
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+"#id=1"))
	b.click("#tab-explorer")
	tabs("Moves,Explorer,AboutExplorer")
	b.until(`document.querySelector("#report .step")?.textContent === "e4"`)
	b.value(`void (location.hash = "#id=2")`)
	tabs("Text,AboutText")
	b.until(`document.querySelector("#notation").innerText.includes("Read this") && !document.querySelector("#explorer").offsetWidth`)
	b.value(`void (location.hash = "#id=1")`)
	tabs("Moves,Explorer,AboutExplorer")
	b.finish(originOf(address))
}
