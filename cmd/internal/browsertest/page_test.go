package browsertest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var pictures = flag.String("pictures", "", "folder for the pictures of docs/viewer.md; without it none are kept")

// picture keeps a picture of the page.
func (b *browser) picture(name string, width, height int64, dark bool) {
	b.Helper()
	var png []byte
	theme := "light"
	if dark {
		theme = "dark"
	}
	b.value(fmt.Sprintf("document.documentElement.dataset.theme = %q", theme))
	b.do(chromedp.EmulateViewport(width, height), chromedp.Sleep(400e6), chromedp.CaptureScreenshot(&png))
	if *pictures == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*pictures, name), png, 0o666); err != nil {
		b.Fatal(err)
	}
}

// The page lists, sorts and searches, shows report, book, players and curves,
// answers its address, and asks nobody but its server.
func TestServed(t *testing.T) {
	t.Parallel()
	b := start(t)
	address := served(t, demo(t), "Games.cbh", "games.pgn", "Book.ctg")
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+"#id=1&move=3"))
	b.until(moves + " > 30")
	if got := b.text("#notation [aria-current]"); got != "2…d6" {
		t.Errorf("the address leads to %v", got)
	}
	if got := b.value(`document.querySelectorAll("#board table td").length + document.querySelectorAll("#board .piece").length`); got != float64(65+32) {
		t.Errorf("%v squares and pieces", got)
	}
	b.until(`[...document.querySelectorAll(".rows .eco")].some((e) => e.textContent === "C41" && e.title.startsWith("Philidor Defen"))`)
	b.click("#tab-explorer")
	b.until(`document.querySelector("#book table tbody tr") && document.querySelector("#report table tbody tr")`)
	b.value(`[...document.querySelectorAll(".head button")].find((e) => e.textContent === "White").click()`)
	b.until(`document.querySelector(".rows .name")?.textContent.startsWith("Anderssen")`)
	b.value(`[...document.querySelectorAll(".head button")].find((e) => e.textContent === "White").click()`)
	b.until(`document.querySelector("[aria-sort=descending]") && !document.querySelector(".rows .name")?.textContent.startsWith("Anderssen")`)
	b.search("morphy")
	b.until(`document.querySelector("#count").textContent === "1 game"`)
	b.search("nosuch:1")
	b.until(`document.querySelector("#problem").textContent.includes("nosuch")`)
	b.click(".chip")
	b.until(`document.querySelector("#count").textContent !== "1 game"`)
	b.value(`(document.querySelector("#kind").value = "players", document.querySelector("#kind").dispatchEvent(new Event("change")))`)
	b.until(`document.querySelector(".rows .wide")?.textContent`)
	b.click(`.rows .row:first-child`)
	b.until(`document.querySelector("#card table") && document.querySelector(".chip") && document.querySelector("#query").value === ""`)
	for kind := range strings.FieldsSeq("tournaments annotators sources teams titles") {
		b.value(fmt.Sprintf(`(document.querySelector("#kind").value = %q, document.querySelector("#kind").dispatchEvent(new Event("change")))`, kind))
		b.until(fmt.Sprintf(`document.querySelector(".grid").getAttribute("aria-label") === %q`, kind))
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#id=1"))
	b.until(moves + " > 30")
	b.click("#tab-notation")
	b.keys(kb.End, kb.ArrowLeft, kb.ArrowLeft)
	b.value(`document.querySelector(".phone [data-view=game]").click()`)
	b.picture("phone.png", 400, 860, true)
	b.picture("wide.png", 1280, 800, false)
	b.finish(originOf(address))
}

// What --open gives to the browser leads to the page; a link of another page, and an
// address without the token, lead to a page that says what to do.
func TestWaysIn(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := demo(t)
	bin, given := filepath.Join(dir, "bin"), filepath.Join(dir, "given")
	if err := errors.Join(os.Mkdir(bin, 0o700), os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" > '"+given+"'\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	address := servedWith(t, dir, []string{"PATH=" + bin, "HOME=" + dir}, "--open", "Games.cbh")
	var file string
	for end := time.Now().Add(30 * time.Second); !strings.HasSuffix(file, "\n"); time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(given)
		if file = string(text); err != nil && time.Now().After(end) {
			t.Fatal(err)
		}
	}
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+strings.TrimSpace(file)))
	b.until(moves + " > 10 && location.href.startsWith(\"" + address + "\")")
	if _, err := os.Stat(strings.TrimSpace(file)); !os.IsNotExist(err) {
		t.Errorf("%s is there: %v", file, err)
	}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `<!doctype html><a href="%s">games</a>`, address)
	}))
	t.Cleanup(other.Close)
	b.do(chromedp.Navigate(other.URL))
	b.click("a")
	b.until(`document.body.innerText.includes("Another page led here")`)
	b.click("a")
	b.until(moves + " > 10")
	b.do(chromedp.Navigate(originOf(address) + "/AAAAAAAAAAAAAAAAAAAAAAAAAA/"))
	b.until(`document.body.innerText.includes("an old one")`)
}

// Everything can be done by keyboard, and each step is said.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	b := start(t)
	address := served(t, demo(t), "Games.cbh")
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address))
	b.until(moves + " > 10")
	said := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector("#say").textContent.includes(%q)`, want))
	}
	active := func() string {
		return fmt.Sprint(b.value(`document.activeElement.id || document.activeElement.className`))
	}
	// The list is reached by tabulator, moved in by arrows, and opens by Enter.
	for n := 0; active() != "grid"; n++ {
		if n == 40 {
			t.Fatal("the list is never reached")
		}
		b.keys(kb.Tab)
	}
	b.keys(kb.ArrowDown, kb.ArrowDown)
	if got := b.value(`document.querySelector("#" + document.activeElement.getAttribute("aria-activedescendant")).getAttribute("aria-selected")`); got != "true" {
		t.Errorf("the row is not named: %v", got)
	}
	before := b.text("#heading h2")
	b.keys(kb.Enter)
	b.until(fmt.Sprintf(`document.querySelector("#heading h2").textContent !== %q`, before))
	b.value(`document.activeElement.blur()`)
	there := b.text("#heading h2")
	b.keys("n")
	b.until(fmt.Sprintf(`document.querySelector("#heading h2").textContent !== %q`, there))
	b.keys("p")
	b.until(fmt.Sprintf(`document.querySelector("#heading h2").textContent === %q`, there))
	b.keys(kb.Home, kb.ArrowRight)
	said("1. ")
	b.keys(kb.ArrowRight)
	said("1… ")
	b.keys("b")
	said("White king ")
	b.keys(kb.End)
	b.until(`document.querySelector("#notation [aria-current]") && location.hash.includes("move=")`)
	b.keys(kb.ArrowLeft, kb.Home)
	said("Starting position")
	b.keys("f")
	b.until(`document.querySelector("#board .coordinates text").textContent === "1"`)
	b.keys("f", "?")
	b.until(`document.querySelector("#keys").open`)
	b.keys(kb.Escape)
	b.until(`!document.querySelector("#keys").open && document.activeElement === document.body`)
	b.keys("/")
	b.until(`document.activeElement.id === "query"`)
	b.keys("m", "o", "r", "p", "h", "y", kb.Enter)
	b.until(`document.querySelector("#count").textContent === "1 game"`)
	// Variations by up and down; the tabs by arrows.
	b.value(`document.querySelector("#tab-notation").focus()`)
	b.keys(kb.ArrowRight)
	b.until(`document.activeElement.id === "tab-explorer" && !document.querySelector("#explorer").hidden`)
	b.keys(kb.ArrowLeft)
	b.until(`!document.querySelector("#notation").hidden`)
	// Wherever the tabulator leads there is something to see, and it has a name.
	for range 60 {
		b.keys(kb.Tab)
		if got := b.value(`(() => { const e = document.activeElement, r = e.getBoundingClientRect();
			return e === document.body || r.width > 0 && (e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length) ? "" : e.outerHTML.slice(0, 200) })()`); got != "" {
			t.Errorf("nothing to see or to say: %v", got)
		}
	}
	b.finish(originOf(address))
}

// cut finds, of what is in sight, what lies outside of the page, what is cut off and
// does not say so by dots or a scroll bar, and controls that overlap.
const cut = `(() => {
  const found = [], seen = (e) => { const r = e.getBoundingClientRect(), s = getComputedStyle(e); return r.width > 1 && r.height > 1 && s.visibility === "visible" && !e.closest(".sr, [hidden], dialog:not([open]), .skip"); };
  const name = (e) => e.outerHTML.slice(0, 90);
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways by " + (document.documentElement.scrollWidth - innerWidth));
  const scrolled = (e) => { for (let p = e; p; p = p.parentElement) if (p !== e && /fixed|sticky/.test(getComputedStyle(p).position)) return p; else if (p !== e && /auto|scroll/.test(getComputedStyle(p).overflowX + getComputedStyle(p).overflowY) && (p.scrollWidth > p.clientWidth || p.scrollHeight > p.clientHeight)) return p; };
  const controls = [...document.querySelectorAll("button, select, input, summary, .board, #heading h2, .plate b, #count")].filter(seen).map((e) => ({ e, r: e.getBoundingClientRect(), within: scrolled(e) }));
  for (const { e, r, within } of controls) {
    if (!within && (r.left < -1 || r.right > innerWidth + 1 || r.top < -1 || r.bottom > innerHeight + 1)) found.push("outside: " + name(e));
    if (e.matches("button, h2") && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow !== "visible") found.push("cut: " + name(e));
  }
  for (let i = 0; i < controls.length; i++) for (let j = i + 1; j < controls.length; j++) {
    const { e: a, r: p, within } = controls[i], { e: b, r: q } = controls[j];
    if (a.contains(b) || b.contains(a) || within !== controls[j].within) continue;
    if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1) found.push("overlap: " + name(a) + " and " + name(b));
  }
  for (const e of document.querySelectorAll("p, h1, h2, span, td, th, .row > div")) {
    if (!seen(e) || e.children.length || !e.textContent.trim()) continue;
    const s = getComputedStyle(e);
    if (s.overflowX !== "visible" && s.textOverflow !== "ellipsis" && e.scrollWidth > e.clientWidth + 1) found.push("cut text: " + name(e));
  }
  return [...new Set(found)].slice(0, 20).join("\n");
})()`

// Nothing is cut, overlaps or scrolls sideways on a phone, a tablet and a wide
// screen, whatever is shown.
func TestLayout(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := corpus(t)
	address := served(t, dir, "cbh/hedgehog/Hedgehog.cbh", "cbh/cbh_cbj_test/cbh_cbj_test.cbh", "pgn/lichess-big.pgn", "ctg/simple/simple.ctg")
	views := []struct{ name, hash, then string }{
		{"a game", "#id=7", ""},
		{"a text", "#id=2", ""},
		{"search", "#where=year%3A2000..&sort=white", ""},
		{"explorer", "#id=7&move=9", `document.querySelector("#tab-explorer").click()`},
		{"about", "#id=7", `document.querySelector("#tab-about").click()`},
		{"curves", "#db=2&id=3&move=20", ""},
		{"players", "#id=7", `(document.querySelector("#kind").value = "players", document.querySelector("#kind").dispatchEvent(new Event("change")))`},
		{"a problem", "#where=nosuch%3A1", ""},
	}
	for _, v := range views {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+v.hash))
		b.until(`document.querySelector("#heading h2") || !document.querySelector("#problem").hidden`)
		if v.then != "" {
			b.value("void " + v.then)
			b.do(chromedp.Sleep(300e6))
		}
		for _, width := range []int64{400, 1024, 1920} {
			b.do(chromedp.EmulateViewport(width, 900))
			for _, side := range []string{"games", "game"} {
				b.value(fmt.Sprintf(`document.querySelector(".phone [data-view=%s]").click()`, side))
				if got := b.value(cut); got != "" {
					t.Errorf("%d pixels wide, %s, %s:\n%v", width, v.name, side, got)
				}
			}
		}
	}
	b.finish(originOf(address))
}

// Curves end upright where nothing is said of the last moves, and hold what is known
// where nothing is said between.
func TestCurves(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := t.TempDir()
	const game = "1. e4 {[%clk 0:10:00]} e5 {[%eval 0.5]} 2. Nf3 Nc6 {[%eval #3]} 3. Bb5 a6 {[%clk 0:05:00]} *"
	if err := os.WriteFile(filepath.Join(dir, "g.pgn"), []byte(game), 0o600); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(served(t, dir, "g.pgn")))
	b.until(moves + " === 6")
	const want = "1,40 1,17.64 2,17.64 2,17.64 3,17.64 3,1.00 4,1.00 4,1.00 5,1.00 5,1.00 6,1.00 6,40"
	if got := b.value(`document.querySelector(".white-side").getAttribute("points")`); got != want {
		t.Errorf("%v, not %s", got, want)
	}
	if got := b.value(`[...document.querySelectorAll("#curve path")].map((e) => e.getAttribute("d")).join(" ")`); got != "M0.1 40v-38h0.8V40z M5.1 40v-19h0.8V40z" {
		t.Errorf("times: %v", got)
	}
	// A game may have more moves than a call may have arguments.
	if got := b.value(`(async () => { const { curves } = await import("./panels.js"), nodes = Array.from({ length: 200000 }, (_, i) => ({ clock: i, eval: { pawns: 1 } }));
		const root = document.createElement("div");
		curves(root, { nodes, data: {}, mainLine: () => nodes.map((_, i) => i) }, () => {});
		return root.children.length; })()`); got != 2.0 {
		t.Errorf("%v curves of a long game", got)
	}
}

// A page with everything in it works from the disk: list, search, moves; without
// scripts it is text; nothing is asked for.
func TestExportedPage(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := demo(t)
	run(t, dir, "export", "-q", "Games.cbh", "page.html")
	address := "file://" + filepath.ToSlash(filepath.Join(dir, "page.html"))
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address))
	b.until(moves + " > 10")
	b.search("morphy")
	b.until(`document.querySelector("#count").textContent === "1 game"`)
	b.keys(kb.ArrowRight)
	if got := b.value(cut); got != "" {
		t.Error(got)
	}
	b.finish(address)
	text, err := os.ReadFile(filepath.Join(dir, "page.html"))
	if err != nil || !strings.Contains(string(text), "Morphy") {
		t.Error(err)
	}
}

// printed returns the words of the page on paper.
func (b *browser) printed() []string {
	b.Helper()
	var pdf []byte
	b.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = page.PrintToPDF().Do(ctx)
		return err
	}))
	c := exec.CommandContext(b.Context(), "pdftotext", "-", "-")
	c.Stdin = bytes.NewReader(pdf)
	text, err := c.Output()
	if err != nil {
		b.Fatal(err)
	}
	return strings.Fields(string(text))
}

// On paper an exported page has the games of its list with their moves, and once one is
// chosen that one; of many it has 500, and says so.
func TestPrinted(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("pdftotext (poppler-utils) is missing")
	}
	b := start(t)
	dir := t.TempDir()
	var games strings.Builder
	for i := range 503 {
		fmt.Fprintf(&games, "[White \"Player%03d\"]\n[Black \"%s\"]\n[Result \"1-0\"]\n\n1. e4 c6 2. d4 d5 {word%03d} 3. Nc3 1-0\n\n", i, []string{"Odd", "Even"}[i%2], i)
	}
	if err := os.WriteFile(filepath.Join(dir, "games.pgn"), []byte(games.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "export", "-q", "games.pgn", "page.html")
	address := "file://" + filepath.ToSlash(filepath.Join(dir, "page.html"))
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address))
	b.until(moves + " === 5")
	see := func(what string, want, least int) {
		t.Helper()
		words := b.printed()
		games, text := 0, strings.Join(words, " ")
		for i := range 503 {
			if strings.Contains(text, fmt.Sprintf("Player%03d", i)) && strings.Contains(text, fmt.Sprintf("word%03d", i)) {
				games++
			}
		}
		if games != want || len(words) < least || strings.Contains(text, "500 of 503 games") != (want == 500) || !strings.Contains(text, "Nc3") {
			t.Errorf("%s: %d games and %d words on paper: %.300s", what, games, len(words), text)
		}
	}
	see("before a game is chosen", 500, 500*10)
	b.search("Player12")
	b.until(`document.querySelector("#count").textContent === "10 games"`)
	see("what was found", 10, 100)
	b.click(".rows .row:nth-child(3)")
	b.until(`document.querySelector("#heading h2").textContent.includes("Player122")`)
	see("a game", 1, 10)
	if got := b.value(`document.querySelectorAll("#paper *").length`); got != 0.0 {
		t.Errorf("%v elements of the paper stay in the page", got)
	}
	b.finish(address)
}

// The npm package reads what the page reads.
func TestPackage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("node is missing")
	}
	dir := demo(t)
	build(t, "run", "./cmd/internal/viewsite", "-npm", filepath.Join(dir, "node_modules", "cbkit-reader"))
	script := `import { open } from "cbkit-reader";
import { readFileSync } from "node:fs";
const chess = await open(["."]), other = await open([{ name: "week.pgn", data: readFileSync("games.pgn") }]);
console.log(chess.sources.map((s) => s.name + " " + s.records).join(), chess.books.join(), other.sources[0].records);
let games = 0, same = 0;
for await (const g of chess.games(0)) {
  games++;
  const h = await other.game(0, g.id);
  if (g.nodes.map((n) => n.fen).join() === h.nodes.map((n) => n.fen).join()) same++;
}
for await (const g of other.games(0, { where: "player:morphy" })) console.log(g.white, g.nodes.length > 20);
console.log(games, same);
await open([{ name: "no.cbh", data: new Uint8Array(9) }]).catch((e) => console.log("refused:", e.message));
chess.close();
`
	if err := os.WriteFile(filepath.Join(dir, "t.mjs"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "node", "t.mjs")
	c.Dir = dir
	out, err := c.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 4 {
		t.Fatalf("%v: %s", err, out)
	}
	var n, m, k int
	if _, err := fmt.Sscanf(lines[0], "Games %d,games.pgn %d Book.ctg %d", &n, &m, &k); err != nil || n == 0 || n != m || n != k {
		t.Errorf("%s: %v", out, err)
	}
	if lines[1] != "Morphy, Paul true" || lines[2] != fmt.Sprint(n, n) || !strings.HasPrefix(lines[3], "refused: no.cbh") {
		t.Errorf("%s", out)
	}
}

// Chosen games are printed one after the other, light and with the position if that is
// wanted, by the server and by an exported page; the static site tells how far its reader is
// loaded, and has it packed, too.
func TestChosenOnPaper(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("pdftotext (poppler-utils) is missing")
	}
	b := start(t)
	dir := demo(t)
	run(t, dir, "export", "-q", "Games.cbh", "page.html")
	for _, address := range []string{served(t, dir, "Games.cbh"), "file://" + filepath.ToSlash(filepath.Join(dir, "page.html"))} {
		b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#id=1"))
		b.until(moves + " > 10")
		b.value(`void (window.print = () => { window.asked = true; }, document.querySelectorAll(".rows .row")[1].dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true })))`)
		b.until(`document.querySelectorAll(".row.chosen").length === 1 && document.querySelector("#told").textContent === "Chosen for paper: 1 game."`)
		b.value(`void document.querySelector(".grid").focus()`)
		b.keys(kb.Home, kb.ArrowDown, kb.ArrowDown, " ")
		b.until(`document.querySelectorAll(".row.chosen").length === 2`)
		names := strings.Split(fmt.Sprint(b.value(`[...document.querySelectorAll(".row.chosen .name")].map((e) => e.textContent.split(",")[0]).join("|")`)), "|")
		b.until(`document.querySelectorAll("#paper article").length === 2`)
		if text := strings.Join(b.printed(), " "); strings.Count(text, " 1.") != 2 { // by the browser's own keys
			t.Errorf("on paper: %.600s", text)
		}
		b.click("[data-copy=print]")
		b.until("window.asked")
		text := strings.Join(b.printed(), " ")
		for _, name := range names {
			if !strings.Contains(text, name) {
				t.Errorf("%s is not on paper: %.300s", name, text)
			}
		}
		if len(names) != 4 || strings.Count(text, " 1.") != 2 {
			t.Errorf("%d names; on paper: %.600s", len(names), text)
		}
		b.value(`void document.documentElement.setAttribute("data-theme", "dark")`)
		b.do(emulation.SetEmulatedMedia().WithMedia("print"))
		if got := b.value(`getComputedStyle(document.body).color + getComputedStyle(document.body).backgroundColor + getComputedStyle(document.querySelector("#board")).display`); got != "rgb(0, 0, 0)rgb(255, 255, 255)none" {
			t.Errorf("paper is %v", got)
		}
		b.click("#onpaper")
		b.until(`getComputedStyle(document.querySelector("#board")).display === "block" && getComputedStyle(document.querySelector("#paper .position")).display === "block"`)
		b.do(emulation.SetEmulatedMedia())
	}
	b.do(chromedp.Navigate(site(t)))
	b.until(`document.querySelector("#files")`)
	packed, err := os.ReadFile(filepath.Join(made, "dist", "cbkit.wasm.gz"))
	plain, failed := os.Stat(filepath.Join(made, "dist", "cbkit.wasm"))
	worker, missing := os.ReadFile(filepath.Join(made, "dist", "worker.js"))
	if err := errors.Join(err, failed, missing); err != nil || int64(len(packed)) > plain.Size()/2 || !strings.Contains(string(worker), fmt.Sprintf("const size = %d;", plain.Size())) {
		t.Errorf("%v: %d of %d bytes packed", err, len(packed), plain.Size())
	}
}

// A large page has its games deflated, and their names as a table; it lists, searches, shows
// and prints as a small one does, and says so where a browser cannot unpack it. With --plain
// nothing is packed.
func TestLargePage(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := t.TempDir()
	build(t, "run", "./internal/testkit/bulk/makedb", "-games", "600", filepath.Join(dir, "Many.pgn"))
	run(t, dir, "export", "-q", "Many.pgn", "packed.html")
	run(t, dir, "export", "-q", "--plain", "Many.pgn", "open.html")
	packed, err := os.ReadFile(filepath.Join(dir, "packed.html"))
	open, failed := os.ReadFile(filepath.Join(dir, "open.html"))
	if err = errors.Join(err, failed); err != nil || len(packed) > len(open)/2 || bytes.Count(packed, []byte("<tr>")) != 601 || bytes.Contains(packed, []byte("<pre>")) || bytes.Count(open, []byte("<pre>")) != 600 {
		t.Fatalf("%v: %d bytes packed, %d open", err, len(packed), len(open))
	}
	address := "file://" + filepath.ToSlash(filepath.Join(dir, "packed.html"))
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+"#id=599"))
	b.until(moves + ` > 1 && document.querySelector("#count").textContent === "600 games" && document.querySelector("#about dd").textContent === "599" && document.querySelector("h1 span").textContent === "Many"`)
	b.search("result:1-0")
	b.until(`document.querySelectorAll(".chip").length === 1 && document.querySelector("#count").textContent !== "600 games"`)
	if n := len(b.printed()); n < 5000 {
		t.Errorf("%d words on paper", n)
	}
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument("delete window.DecompressionStream").Do(ctx)
		return err
	}), chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	b.until(`document.querySelector("#problem").textContent.includes("cannot unpack")`)
	b.finish(address[:len("file://")])
}
