package browsertest

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var million = flag.Int("million", 0, "size of the generated database of TestMillion; without it, it is skipped")

// A database of a million games, in figures: opening, a neighbouring game, the
// middle of the list, a sorted column, a search, memory. (That these tell their progress
// and can be cancelled is TestProgressAndCancel.)
func TestMillion(t *testing.T) {
	if *million == 0 {
		t.Skip("-million is not given")
	}
	dir := t.TempDir()
	build(t, "run", "./internal/testkit/bulk/makedb", "-games", fmt.Sprint(*million), filepath.Join(dir, "Million.cbh"))
	files, err := filepath.Glob(filepath.Join(dir, "Million.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, carrier := range []string{"serve", "static"} {
		t.Run(carrier, func(t *testing.T) {
			b := start(t)
			began := time.Now()
			took := func(what string) time.Duration {
				d := time.Since(began)
				t.Logf("%s: %v", what, d)
				began = time.Now()
				return d
			}
			b.do(chromedp.EmulateViewport(1440, 900))
			if carrier == "serve" {
				address := served(t, dir, "Million.cbh")
				began = time.Now()
				b.do(chromedp.Navigate(address))
			} else {
				b.do(chromedp.Navigate(site(t)))
				b.until(`document.querySelector("#files")`)
				began = time.Now()
				b.do(chromedp.SetUploadFiles("#files", files, chromedp.ByQuery))
			}
			b.until(moves + " > 1")
			if d := took("open, list and first game"); d > time.Second {
				t.Errorf("opening took %v", d)
			}
			var times []float64
			b.read(`(async () => { const list = []; for (let i = 0; i < 40; i++) {
				const t = performance.now(), shown = new Promise((r) => new MutationObserver((_, o) => { o.disconnect(); r(); }).observe(document.querySelector("#about"), { childList: true }));
				document.querySelector("[data-go=nextGame]").click();
				await shown;
				void document.querySelector("#notation").offsetHeight; // and laid out
				list.push(performance.now() - t);
				await new Promise((r) => setTimeout(r, 50)); } return list; })()`, &times)
			slices.Sort(times)
			t.Logf("a neighbouring game: median %.1f ms, slowest %.1f ms", times[len(times)/2], times[len(times)-1])
			if times[len(times)/2] > 20 {
				t.Error("a neighbouring game takes more than 20 ms")
			}
			var scroll float64
			b.read(`(async () => { const t = performance.now(), g = document.querySelector(".grid"); g.scrollTop = g.scrollHeight / 2;
				await new Promise((r) => setTimeout(r, 0));
				for (;;) { const n = Number(document.querySelector(".rows .row").dataset.i); if (n > 1000) return performance.now() - t; await new Promise((r) => setTimeout(r, 1)); } })()`, &scroll)
			t.Logf("to the middle: %.1f ms", scroll)
			if scroll > 100 {
				t.Error("scrolling to the middle takes more than 0.1 s")
			}
			column := func(title string) {
				b.value(fmt.Sprintf(`void [...document.querySelectorAll(".head button")].find((e) => e.textContent === %q).click()`, title))
			}
			for _, title := range []string{"White", "Date"} {
				began = time.Now()
				column(title)
				b.until(`document.querySelector("[aria-sort=ascending]")?.textContent.startsWith("` + title + `") && document.querySelector("#busy").hidden && (document.querySelector(".rows .date")?.textContent ?? "") !== ""`)
				if d := took("sorted by " + title); d > 5*time.Second {
					t.Errorf("sorting took %v", d)
				}
			}
			began = time.Now()
			b.search("year:1999 and result:1-0")
			b.until(`document.querySelector("#count").textContent.match(/^[0-9,]+ game/) && !document.querySelector("#count").textContent.startsWith("1,000,000") && document.querySelector("#busy").hidden`)
			took("searched")
		})
	}
	t.Run("explorer", func(t *testing.T) {
		run(t, dir, "boosters", "-q", "--positions", "Million.cbh")
		b := start(t)
		b.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(served(t, dir, "Million.cbh")))
		b.until(moves + " > 1")
		b.click("#tab-explorer")
		for _, when := range []string{"as it was indexed", "after an edit"} {
			if when == "after an edit" {
				run(t, dir, "edit", "-q", "Million.cbh", "--delete", "5")
			}
			b.value(`void document.querySelector("[data-go=start]").click()`)
			b.until(`document.querySelector("#report .step") && document.querySelector("#report").textContent.includes("9")`)
			var times []float64
			b.read(`(async () => { const list = [], root = document.querySelector("#report"); for (let i = 0; i < 10 && root.querySelector(".step"); i++) {
				const t = performance.now(), shown = new Promise((r) => new MutationObserver((_, o) => { o.disconnect(); r(); }).observe(root, { childList: true }));
				root.querySelector(".step").click();
				await shown;
				void root.offsetHeight; // and laid out
				list.push(performance.now() - t);
				await new Promise((r) => setTimeout(r, 50)); } return list; })()`, &times)
			t.Logf("%s, from click to figures: %.0f ms", when, times)
			if len(times) < 10 || slices.Max(times) > 150 {
				t.Errorf("%s: a step of the explorer takes more than 150 ms, or leads nowhere", when)
			}
		}
	})
	t.Run("memory", func(t *testing.T) { // of the same reader, which a page cannot ask for it
		build(t, "run", "./cmd/internal/viewsite", "-npm", filepath.Join(dir, "node_modules", "cbkit-reader"))
		script := `import { open } from "cbkit-reader";
const chess = await open(process.argv.slice(2));
for (const sort of ["", "white", "date", "-elo"]) await chess.call("list", { db: 0, sort, n: 100 });
await chess.call("list", { db: 0, where: "year:1999 and result:1-0", n: 100 });
for (let id = 1; id < 2000; id++) await chess.game(0, id);
console.log(chess.memory());
chess.close();
`
		if err := os.WriteFile(filepath.Join(dir, "t.mjs"), []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.CommandContext(t.Context(), "node", append([]string{"t.mjs"}, files...)...)
		c.Dir = dir
		out, err := c.Output()
		bytes, failure := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil || failure != nil {
			t.Fatalf("%v: %s", err, out)
		}
		t.Logf("memory of WebAssembly: %.0f MB", bytes/1e6)
		if bytes > 128e6 {
			t.Error("more than 128 MB")
		}
	})
}
