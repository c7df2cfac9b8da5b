package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe returns the script of axe-core, from node_modules beside this file or from
// npm.
func axe(t *testing.T) string {
	t.Helper()
	const at = "node_modules/axe-core/axe.min.js"
	if text, err := os.ReadFile(at); err == nil {
		return string(text)
	}
	dir := t.TempDir()
	if out, err := exec.Command("npm", "install", "--silent", "--no-package-lock", "--no-audit", "--no-fund", "--prefix", dir, "axe-core@4.14.1").CombinedOutput(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v: %s", err, out)
		}
		t.Skip("axe-core cannot be installed: ", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, at))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// judge lets axe-core look at the page: its rules find nothing.
func (b *browser) judge(what string) {
	b.Helper()
	script := axe(b.T)
	b.do(chromedp.Sleep(200e6))
	if b.value("typeof axe") != "object" {
		b.value(script + ";0")
	}
	var found []struct {
		ID, Help string
		Nodes    []struct{ HTML, FailureSummary string }
	}
	b.read(`axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations)`, &found)
	for _, f := range found {
		b.Errorf("%s: %s, %s: %+v", what, f.ID, f.Help, f.Nodes)
	}
}

// The rules of axe-core find nothing: lists, a game, each panel, the keys, light and
// dark, a phone, the static site before and after files were chosen, and a page with
// everything in it.
func TestAccess(t *testing.T) {
	t.Parallel()
	b := start(t)
	dir := demo(t)
	run(t, dir, "export", "-q", "Games.cbh", "page.html")
	pages := func(address string, states ...string) {
		t.Helper()
		b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(address))
		b.until(`document.querySelector("#heading h2")`)
		for _, s := range states {
			b.value("void " + s)
			for theme, width := range map[string]int64{"light": 1280, "dark": 400} {
				b.do(chromedp.EmulateViewport(width, 900))
				b.value(fmt.Sprintf("void (document.documentElement.dataset.theme = %q)", theme))
				b.judge(fmt.Sprintf("%s, %d pixels, %s, %s", address, width, theme, s))
			}
		}
	}
	tab := func(name string) string { return fmt.Sprintf(`document.querySelector("#tab-%s").click()`, name) }
	address := served(t, corpus(t), "cbh/cbh_cbj_test/cbh_cbj_test.cbh", "cbh/hedgehog/Hedgehog.cbh", "ctg/simple/simple.ctg")
	pages(address+"#db=1&id=7&move=9", `document.querySelector(".phone [data-view=games]").click()`, `document.querySelector(".phone [data-view=game]").click()`,
		tab("explorer"), tab("about"), `document.querySelector("#keys").showModal()`)
	pages(address+"#db=0&id=3", `document.querySelector(".phone [data-view=game]").click()`,
		`(document.querySelector("#kind").value = "players", document.querySelector("#kind").dispatchEvent(new Event("change")), document.querySelector(".phone [data-view=games]").click())`)
	pages("file://"+filepath.ToSlash(filepath.Join(dir, "page.html")), "0")
	b.do(chromedp.Navigate(site(t)))
	b.until(`document.querySelector("#files")`)
	b.judge("the static site")
}
