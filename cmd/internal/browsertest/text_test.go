package browsertest

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"cbkit/model"
	"cbkit/write"
)

// aPicture is a small picture.
func aPicture(t *testing.T) []byte {
	t.Helper()
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

// hedgehog copies a real book, with a picture beside it.
func hedgehog(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := os.CopyFS(dir, os.DirFS(filepath.Join(corpus(t), "cbh", "hedgehog")))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "1.1.BMP"), aPicture(t), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// The texts of a real book are read like one: headings, diagrams, pictures; links lead by
// click and by keyboard to texts and games, and Back leads back. So in the static site
// and, but for pictures, in an exported page.
func TestBook(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := hedgehog(t)
	run(t, dir, "export", "-q", "Hedgehog.cbh", "page.html")
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	walk := func(address, origin string, pictures, judged bool) {
		t.Helper()
		judge := func(what string) {
			if judged {
				b.judge(address + what)
			}
		}
		b.until(`document.querySelector("#notation .guide")`)
		if pictures {
			b.until(`document.querySelector("#notation .picture img")?.naturalWidth === 30`)
		} else {
			b.until(`document.querySelector("#notation .picture").textContent === "Picture: 1.1.bmp"`)
		}
		judge(", a text with a picture")
		if got := b.value(`document.querySelector("#notation a[href^=mailto]").rel`); got != "noopener noreferrer" {
			t.Errorf("%s: mail: %v", address, got)
		}
		// By keyboard: from the text to its links, along them, and back.
		b.value(`void document.querySelector("#notation").focus()`)
		b.keys(kb.Tab, kb.Tab)
		if got := b.value(`document.activeElement.textContent`); got != "Содержание" {
			t.Errorf("%s: Tab leads to %v", address, got)
		}
		b.keys(kb.Enter)
		b.until(`document.querySelector("#heading h2").textContent === "Содержание" && document.querySelectorAll("#notation .guide a").length > 20`)
		if got := b.value(`[...document.querySelectorAll("#notation [role=heading]")].map((e) => e.ariaLevel).join("")`); !strings.HasPrefix(fmt.Sprint(got), "3") || strings.Contains(fmt.Sprint(got), "35") {
			t.Errorf("%s: headings %v", address, got)
		}
		judge(", contents")
		b.value(`void [...document.querySelectorAll("#notation .guide a")].find((a) => a.textContent.startsWith("История")).click()`)
		b.until(`document.querySelectorAll("#notation .diagram").length > 0`)
		b.value(`void [...document.querySelectorAll("#notation .guide a")].find((a) => a.textContent.startsWith("К. Опоченский")).click()`)
		b.until(`document.querySelector("#heading h2").textContent.startsWith("Opocensky, Karel") && ` + moves + " > 20")
		b.value(`void history.back()`)
		b.until(`document.querySelector("#heading h2").textContent.startsWith("История")`)
		if got := b.value(`document.querySelectorAll("#notation .lost").length`); got != 0.0 {
			t.Errorf("%s: %v links lead nowhere", address, got)
		}
		b.do(chromedp.EmulateViewport(390, 664))
		judge(", a chapter on a phone")
		if got := b.value(`document.documentElement.scrollWidth - innerWidth`); got != 0.0 {
			t.Errorf("%s: scrolls sideways by %v", address, got)
		}
		b.finish(origin)
	}
	forget := func() {
		b.do(chromedp.Navigate("about:blank"), chromedp.Sleep(500e6))
		b.lock.Lock()
		b.asked = nil
		b.lock.Unlock()
	}
	address := served(t, dir, "Hedgehog.cbh")
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+"#id=1"))
	walk(address, originOf(address), true, true)
	static := site(t)
	forget()
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(static), chromedp.WaitReady("#files"), chromedp.SetUploadFiles("#files", files, chromedp.ByQuery))
	walk(static, static, true, false)
	page := "file://" + filepath.ToSlash(filepath.Join(dir, "page.html"))
	forget()
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(page))
	walk(page, page, false, false)
}

// A page of HTML becomes what is read of it, however it is nested; nothing of it runs, asks
// another computer, or leads elsewhere than to the web. Its pictures are for this page alone.
func TestHostileText(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := t.TempDir()
	const page = `<html><head><script>window.hacked=1</script><base href="http://evil.example/"><meta http-equiv="refresh" content="0; url=http://evil.example/"></head>
<body onload="window.hacked=2"><h1>Report</h1><h5>deep</h5><h2> </h2><p onclick="window.hacked=3" style="background:url(http://evil.example/x.png)">A <b>bold <i>word</b></i>
<a href="https://example.org/?a=1">web</a> <a href="javascript:window.hacked=4">script</a> <a href="data:text/html,<script>window.hacked=5</script>">data</a> <a href="https://e.org/"></a></p>
<img src="http://evil.example/t.gif" onerror="window.hacked=6"><img src="Games.html/map.png" alt="A map" onload="window.hacked=7"><img src="gone.png"><img src="bad.png">
<li>alone<ul>text<li>one<li>two<ul><li>deeper</ul></ul><td>cell<table>t<tr><th>a<td>b<tr><td>c<table><td>d</table></table>
<svg onload="window.hacked=8"><a xlink:href="javascript:1">s</a></svg><iframe src="http://evil.example/"></iframe><form action="http://evil.example/"><input autofocus onfocus="window.hacked=9"></form>
<object data="http://evil.example/"></object><link rel="stylesheet" href="http://evil.example/"><div id="notation">same id</div>last</body></html>`
	db := &model.Database{}
	for _, html := range []string{page, strings.Repeat("<b><ul><table>", 50_000) + "end", strings.Repeat("word <b>x</b> ", 60_000), "<html><body><p>&nbsp;</p></body></html>"} {
		text := model.NewGuidingText()
		text.HTML = true
		text.SetContents([]model.LocalText{{Language: model.English, Text: "<b>Title</b>"}}, []model.LocalText{{Language: model.English, Text: html}, {Language: model.German, Text: "<p></p>"}})
		db.AddText(text)
	}
	sink, err := write.Create(t.Context(), filepath.Join(dir, "Games.cbh"), write.Options{})
	if err == nil {
		err = model.Copy(t.Context(), sink, db, model.CopyOptions{})
	}
	err = errors.Join(err, os.Mkdir(filepath.Join(dir, "Games.html"), 0o700), os.WriteFile(filepath.Join(dir, "Games.html", "map.png"), aPicture(t), 0o600),
		os.WriteFile(filepath.Join(dir, "bad.png"), []byte("\x89PNG\r\n\x1a\nbroken"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	address := served(t, dir, "Games.cbh")
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+"#id=1"))
	b.until(`document.querySelector("#notation .guide img")?.naturalWidth === 30 && document.querySelector("#notation .guide").textContent.includes("bad.png cannot be shown")`)
	for expression, want := range map[string]any{
		`typeof window.hacked`: "undefined",
		`document.querySelectorAll("#notation :is(script, iframe, form, input, svg:not(.board svg), object, link, [style], [onclick], [onload], [id])").length`: 0.0,
		`[...document.querySelectorAll("#notation a")].map((a) => a.textContent + a.href + a.rel).join()`:                                                       "webhttps://example.org/?a=1noopener noreferrer",
		`[...document.querySelectorAll("#notation [role=heading]")].map((e) => e.textContent + e.ariaLevel).join()`:                                             "Report3,deep4",
		`[...document.querySelectorAll("#notation li")].map((e) => e.parentNode.localName + e.firstChild.data).join()`:                                          "ultext,ulone,ultwo,uldeeper",
		`[...document.querySelectorAll("#notation :is(td, th)")].map((e) => e.parentNode.localName + e.firstChild.data.trim()).join()`:                          "trt,tra,trb,trc,trd",
		`document.querySelector("#notation img").alt`:                                           "A map",
		`document.querySelector("#notation .guide b").textContent`:                              "bold word",
		`document.querySelector("#notation .guide").textContent.includes("window.hacked")`:      false,
		`document.querySelector("#language").hidden`:                                            true,
		`document.querySelector("#heading h2").textContent`:                                     "<b>Title</b>",
		`document.querySelector("#notation .guide").textContent.trim().endsWith("same idlast")`: true,
	} {
		if got := b.value(expression); got != want {
			t.Errorf("%s: %v, want %v", expression, got, want)
		}
	}
	b.judge("a page of HTML")
	b.value(`void (location.hash = "#id=2")`)
	b.until(`document.querySelector("#notation .guide")?.textContent === "end"`)
	b.value(`void (location.hash = "#id=3")`)
	b.until(`document.querySelector("#notation .guide button")?.textContent.startsWith("Show all 4")`)
	b.click("#notation .guide button")
	b.until(`document.querySelector("#notation .guide").textContent.length > 400000`)
	b.value(`void (location.hash = "#id=4")`)
	b.until(`location.hash === "#id=4" && document.querySelector("#notation") && !document.querySelector("#notation .guide")`)
	b.finish(originOf(address))

	// Who has no token, or asks from another page, gets no picture.
	at := address + "call/picture?db=0&id=1&name=map.png"
	for _, c := range []struct {
		at, origin string
		status     int
	}{{at, "", 200}, {at, "http://evil.example", 403}, {originOf(address) + "/AAAAAAAAAAAAAAAAAAAAAAAAAA/call/picture?db=0&id=1&name=map.png", "", 403}} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.at, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != c.status || strings.Contains(string(text), "image/png") != (c.status == 200) {
			t.Errorf("%s from %q: %d %.100s", c.at, c.origin, answer.StatusCode, text)
		}
	}
}
