// Package browsertest drives the viewer in Chromium: the page of cbkit serve and
// the static site, on the games of the demo and on real databases. It is a module
// of its own, so that cbkit does not depend on what drives browsers.
package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is a page in Chromium that notes what goes wrong and what is asked for.
type browser struct {
	*testing.T
	ctx   context.Context
	lock  sync.Mutex
	wrong []string
	asked []string
}

// start starts Chromium. Where there is none the test is skipped; with CI=true it
// fails.
func start(t *testing.T) *browser {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("chromium is missing")
		}
		t.Skip("chromium is missing")
	}
	opt := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-background-networking", true))
	at, stop := chromedp.NewExecAllocator(t.Context(), opt...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(at)
	t.Cleanup(end)
	b := &browser{T: t, ctx: ctx}
	chromedp.ListenTarget(ctx, func(event any) {
		b.lock.Lock()
		defer b.lock.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.wrong = append(b.wrong, e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError {
				b.wrong = append(b.wrong, fmt.Sprint(e.Args))
			}
		case *network.EventRequestWillBeSent:
			b.asked = append(b.asked, e.Request.URL)
		}
	})
	b.do(network.Enable())
	return b
}

func (b *browser) do(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// value returns what an expression of the page is.
func (b *browser) value(expression string) (v any) {
	b.Helper()
	b.do(chromedp.Evaluate(expression, &v, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return v
}

// until waits until an expression is true.
func (b *browser) until(expression string) {
	b.Helper()
	for end := time.Now().Add(40 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if b.value("Boolean("+expression+")") == true {
			return
		}
	}
	b.Fatalf("never true: %s; the page says %v; %v", expression, b.value(`document.querySelector("#problem")?.textContent`), b.wrong)
}

// finish fails if anything went wrong in the page, or asked for another origin.
func (b *browser) finish(origin string) {
	b.Helper()
	b.lock.Lock()
	defer b.lock.Unlock()
	if len(b.wrong) > 0 {
		b.Error(b.wrong)
	}
	for _, url := range b.asked {
		if !strings.HasPrefix(url, origin) && !strings.HasPrefix(url, "about:") {
			b.Errorf("asked for %s", url)
		}
	}
}

// cbkit builds the program.
func cbkit(t *testing.T) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "cbkit")
	build := exec.Command("go", "build", "-o", to, "./cmd/cbkit")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return to
}

// served runs cbkit serve on the games of the demo and returns the address and a
// folder with the database.
func served(t *testing.T) (address, dir string) {
	t.Helper()
	program := cbkit(t)
	dir = t.TempDir()
	for _, args := range [][]string{{"demo", "games.pgn"}, {"import", "-q", "games.pgn", "Games.cbh"}, {"book", "build", "-q", "games.pgn", "Book.ctg"}} {
		c := exec.Command(program, args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", args, out)
		}
	}
	c := exec.Command(program, "serve", "-q", "Games.cbh", "games.pgn", "Book.ctg")
	c.Dir = dir
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	address, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address), dir
}

const moves = `document.querySelectorAll("#notation a.move").length`

// The page shows, sorts and searches a list, goes through a game by keyboard alone,
// answers its address, and fits phones and wide screens.
func TestServed(t *testing.T) {
	b := start(t)
	address, _ := served(t)
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+"#id=1&move=3"))
	b.until(moves + " > 30")
	if got := b.value(`document.querySelector("[aria-current]").textContent`); got != "d6" {
		t.Errorf("the address leads to %v", got)
	}
	key := func(name string) {
		b.value(fmt.Sprintf(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true }))`, name))
	}
	for _, k := range []string{"Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"} {
		key(k)
	}
	if got := b.value(`location.hash + document.querySelector("#say").textContent`); got != "#id=1&move=11. … e5" && !strings.HasPrefix(fmt.Sprint(got), "#id=1&move=1") {
		t.Errorf("%v", got)
	}
	if got := b.value(`document.querySelectorAll("#board table td").length + document.querySelectorAll("#board .piece").length`); got != float64(65+32) {
		t.Errorf("%v squares and pieces", got)
	}
	key("n")
	b.until(`location.hash.includes("id=2")`)
	b.value(`document.querySelector("#tab-book").click()`)
	b.until(`document.querySelector("#book table tbody tr")`)
	b.value(`document.querySelector("#tab-report").click()`)
	b.until(`document.querySelector("#report table tbody tr")`)
	b.value(`[...document.querySelectorAll(".head button")].find((e) => e.textContent === "White").click()`)
	b.until(`document.querySelector(".rows .name")?.textContent.startsWith("Anderssen")`)
	b.value(`(document.querySelector("#query").value = "morphy", document.querySelector("#search").requestSubmit())`)
	b.until(`document.querySelector("#count").textContent === "1 game"`)
	b.value(`(document.querySelector("#query").value = "nosuch:1", document.querySelector("#search").requestSubmit())`)
	b.until(`document.querySelector("#problem").textContent.includes("nosuch")`)
	b.value(`(document.querySelector("#all").click(), document.querySelector("#tab-notation").click())`)
	for _, width := range []int64{400, 1024, 1920} {
		for _, view := range []string{"games", "game"} {
			b.do(chromedp.EmulateViewport(width, 900))
			b.value(fmt.Sprintf(`document.querySelector(".phone [data-view=%s]").click()`, view))
			if got := b.value(`document.documentElement.scrollWidth - innerWidth`); got != 0.0 {
				t.Errorf("%d pixels wide, %s: scrolls %v pixels sideways", width, view, got)
			}
			if got := b.value(`[...document.querySelectorAll("button, select, input, .board")].filter((e) => { const r = e.getBoundingClientRect(); return r.width && (r.left < -1 || r.right > innerWidth + 1) && !e.closest(".sr, .scroll") }).map((e) => e.outerHTML.slice(0, 80)).join()`); got != "" {
				t.Errorf("%d pixels wide, %s: cut: %v", width, view, got)
			}
		}
	}
	origin, _, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	b.finish("http://" + origin)
}

// The static site reads the files in a worker, and its answers are those of serve.
func TestStaticSite(t *testing.T) {
	b := start(t)
	address, dir := served(t)
	dist := t.TempDir()
	build := exec.Command("go", "run", "./internal/viewsite", dist)
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	site := httptest.NewServer(http.FileServer(http.Dir(dist)))
	defer site.Close()
	chosen, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(site.URL), chromedp.SetUploadFiles("#files", chosen, chromedp.ByQuery))
	b.until(moves + " > 30")
	for _, call := range []string{`"game", { db: 0, id: 1 }`, `"game", { db: 1, id: 3 }`, `"list", { db: 0, sort: "-date", n: 9 }`, `"list", { db: 1, where: "morphy", n: 9 }`} {
		text := b.value(fmt.Sprintf(`import("./carrier.js").then((m) => m.carrier.call(%s)).then(JSON.stringify)`, call))
		name, args, _ := strings.Cut(call, ", ")
		query := strings.NewReplacer(`"`, "", "{", "", "}", "", ": ", "=", ", ", "&", " ", "").Replace(args)
		r, err := http.Get(address + "call/" + strings.Trim(name, `"`) + "?" + query)
		if err != nil {
			t.Fatal(err)
		}
		var here struct{ Answer any }
		err = json.NewDecoder(r.Body).Decode(&here)
		_ = r.Body.Close()
		var there any
		if err != nil || json.Unmarshal([]byte(text.(string)), &there) != nil || !reflect.DeepEqual(here.Answer, there) {
			t.Errorf("%s: %v\n%v\n%v", call, err, here.Answer, there)
		}
	}
	b.finish(site.URL)
}
