package browsertest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// Markup in names, comments, links and files' names is text; a comment of 10 MB
// and damage are shown; nothing runs and nothing is asked of others.
func TestHostile(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := t.TempDir()
	const evil = `<img src=x onerror='window.hacked=1'><script>window.hacked=2</script>`
	var pgn strings.Builder
	tag := func(name, value string) { fmt.Fprintf(&pgn, "[%s %q]\n", name, value) }
	tag("Event", evil)
	tag("Site", "http://evil.example/")
	tag("White", evil)
	tag("Black", "\u202Eknal\u202C")
	tag("Annotator", evil)
	tag("Mark"+"up", "javascript:window.hacked=3")
	fmt.Fprintf(&pgn, "\n{%s} 1. e4 {%s [%%csl Ge4\" onload=\"window.hacked=4] [%%clk 0:0<b>] javascript:window.hacked=5} 1... e5 {%s} (1... c5 {<svg/onload=window.hacked=6>}) 2. Nf3 *\n\n",
		evil, evil, strings.Repeat("<b>long</b> ", 10<<20/12))
	pgn.WriteString("[White \"Damage\"]\n\n1. e4 e5 2. Ke5 Qxh9 3. zz *\n\n[White \"Last\"]\n\n1. d4 *\n")
	name := `a&b<i onclick=alert(1)>.pgn`
	if err := os.WriteFile(filepath.Join(dir, name), []byte(pgn.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "demo", "games.pgn")
	run(t, dir, "import", "-q", "games.pgn", "Games.cbh")
	cutFile := func(ending string, by int64) {
		t.Helper()
		path := filepath.Join(dir, "Games"+ending)
		info, err := os.Stat(path)
		if err == nil {
			err = os.Truncate(path, info.Size()-by)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cutFile(".cbg", 60)
	cutFile(".cbp", 40)
	address := served(t, dir, name, "Games.cbh")
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+"#id=1"))
	b.until(moves + " === 4")
	if got := b.text("#heading h2"); !strings.Contains(got, evil) {
		t.Errorf("the name is shown as %s", got)
	}
	b.click("#notation a.move")
	b.until(`[...document.querySelectorAll("#notation button")].some((e) => e.textContent.startsWith("Show all 1"))`)
	b.value(`void [...document.querySelectorAll("#notation button")].find((e) => e.textContent.startsWith("Show all 1")).click()`)
	b.until(`document.querySelector("#notation").textContent.length > 1e7`)
	for _, tab := range []string{"about", "explorer", "notation"} {
		b.click("#tab-" + tab)
	}
	b.search(evil)
	b.until(`!document.querySelector("#problem").hidden || document.querySelector("#count").textContent`)
	b.value(`void (location.hash = "#db=0&id=2")`)
	b.until(`document.querySelector("#notation .fault")`)
	b.value(`void (location.hash = "#db=1&id=4")`)
	b.until(`document.querySelector("#source").value === "1" && document.querySelector("#notation .fault, #problem:not([hidden]), .row.fault")`)
	b.value(`void (location.hash = "#db=999&id=999999999999&move=zz&where=%00&sort=%3Cb%3E")`)
	b.until(`!document.querySelector("#problem").hidden && document.querySelector("#problem").textContent.includes("no such record")`) // what was wrong before goes first
	if got := b.text("#problem"); strings.Contains(got, "undefined") {
		t.Errorf("the page says %q", got)
	}
	if got := b.value(`typeof window.hacked + document.querySelectorAll("img, iframe, script:not([src='app.js']), b b, #notation svg[onload]").length`); got != "undefined0" {
		t.Errorf("something ran: %v", got)
	}
	b.finish(originOf(address))

	// Whoever has no token learns nothing; a thousand that have one get answers.
	var all sync.WaitGroup
	for i := range 1000 {
		all.Go(func() {
			at, want := address+"call/game?db=0&id=3", http.StatusOK
			if i%10 == 0 {
				at, want = originOf(address)+"/AAAAAAAAAAAAAAAAAAAAAAAAAA/call/open", http.StatusForbidden
			}
			r, err := http.Get(at)
			if err != nil {
				t.Error(err)
				return
			}
			text, err := io.ReadAll(r.Body)
			_ = r.Body.Close()
			var line struct{ Answer *game }
			if err != nil || r.StatusCode != want || want == http.StatusOK && (json.Unmarshal(text, &line) != nil || line.Answer == nil || len(line.Answer.Nodes) != 1) {
				t.Errorf("%d %v: %.200s", r.StatusCode, err, text)
			}
		})
	}
	all.Wait()
}

// A page that cannot read what it is given says why, and takes something else.
func TestNothingToRead(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := demo(t)
	empty := filepath.Join(dir, "empty.cbh")
	if err := os.WriteFile(empty, make([]byte, 20), 0o600); err != nil {
		t.Fatal(err)
	}
	static := site(t)
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(static))
	b.until(`document.querySelector("#files")`)
	for _, c := range []struct{ file, want string }{{filepath.Join(made, "cbkit.exe"), "no database"}, {empty, "empty.cbh"}} {
		b.do(chromedp.SetUploadFiles("#files", []string{c.file}, chromedp.ByQuery))
		b.until(fmt.Sprintf(`document.querySelector("#problem").textContent.includes(%q)`, c.want))
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.SetUploadFiles("#files", files, chromedp.ByQuery))
	b.until(moves + " > 1")
	b.until(`document.querySelector("#problem").textContent.includes("empty.cbh")`)
	b.finish(static)

	// As a file it runs nothing, and says what to do.
	b.do(chromedp.Navigate("file://" + filepath.ToSlash(filepath.Join(made, "dist", "index.html"))))
	b.until(`document.body.innerText.includes("Put its folder on any web server")`)
}
