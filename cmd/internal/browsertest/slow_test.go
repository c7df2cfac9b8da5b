package browsertest

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"cbkit/cmd/internal/viewer"
	"cbkit/cmd/internal/viewhttp"
)

// gate lets reads through, all of them or one by one: a disk that is as slow as a
// test wants.
type gate struct {
	lock   sync.Mutex
	moved  *sync.Cond
	shut   bool
	more   int // that are let through though it is shut
	passed int
}

func newGate() *gate {
	g := &gate{}
	g.moved = sync.NewCond(&g.lock)
	return g
}

// pass waits until a read is let through.
func (g *gate) pass() {
	g.lock.Lock()
	defer g.lock.Unlock()
	for g.shut && g.more == 0 {
		g.moved.Wait()
	}
	g.more = max(0, g.more-1)
	g.passed++
}

// set shuts the gate but for some reads, or opens it.
func (g *gate) set(shut bool, more int) {
	g.lock.Lock()
	defer g.lock.Unlock()
	g.shut, g.more = shut, more
	g.moved.Broadcast()
}

func (g *gate) count() int {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.passed
}

// gated are files behind a gate.
type gated struct {
	fs.FS
	gate *gate
}

func (f gated) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if at, is := file.(*os.File); is {
		return gatedFile{at, f.gate}, err
	}
	return file, err
}

type gatedFile struct {
	*os.File
	gate *gate
}

func (f gatedFile) ReadAt(p []byte, at int64) (int, error) {
	f.gate.pass()
	return f.File.ReadAt(p, at)
}

// here serves a database of a folder from this process, through a gate, and returns
// the address of the page. What is asked for is told to asked.
func here(t *testing.T, dir, name string, g *gate, asked func(path string)) string {
	t.Helper()
	v := new(viewer.Viewer)
	if err := v.Add(t.Context(), name, viewer.Options{Files: gated{os.DirFS(dir), g}, Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	address := serve(t, v, asked)
	t.Cleanup(func() { g.set(false, 0) })
	return address
}

// serve serves what is open from this process.
func serve(t *testing.T, v *viewer.Viewer, asked func(path string)) string {
	t.Helper()
	t.Cleanup(func() { _ = v.Close() })
	var s *viewhttp.Server
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked(r.URL.Path)
		s.ServeHTTP(w, r)
	}))
	s = viewhttp.New(v, front.Listener.Addr().String())
	t.Cleanup(front.Close)
	return s.Address()
}

// gatedSite serves the static site, whose worker asks at a gate before it reads a block.
func gatedSite(t *testing.T, g *gate) string {
	t.Helper()
	site(t)
	dist := filepath.Join(made, "dist")
	const read = "self.readBlock = (file, from, to) => "
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/gate":
			g.pass()
		case "/worker.js":
			text, err := os.ReadFile(filepath.Join(dist, "worker.js"))
			if err != nil || !strings.Contains(string(text), read) {
				t.Errorf("%v: the worker reads blocks in another way", err)
			}
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, strings.Replace(string(text), read, read+`(() => { const r = new XMLHttpRequest(); r.open("GET", "gate", false); r.send(); })() ?? `, 1))
		default:
			http.FileServer(http.Dir(dist)).ServeHTTP(w, r)
		}
	}))
	t.Cleanup(front.Close)
	t.Cleanup(func() { g.set(false, 0) })
	return front.URL
}

// Sorting and searching tell how far they are and can be cancelled, on both
// carriers, with a disk of which a test says when it reads: progress shows while
// reads go through one by one; the file is larger than the cache of the worker; after a cancel the list is as it was, and nothing
// reads on.
func TestProgressAndCancel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	many := filepath.Join(dir, "Many.pgn")
	build(t, "run", "./internal/testkit/bulk/makedb", "-games", "50000", many)
	for _, carrier := range []string{"serve", "static"} {
		t.Run(carrier, func(t *testing.T) {
			b, g := start(t), newGate()
			b.do(chromedp.EmulateViewport(1280, 800))
			if carrier == "serve" {
				b.do(chromedp.Navigate(here(t, dir, "Many.pgn", g, func(string) {})))
			} else {
				b.do(chromedp.Navigate(gatedSite(t, g)), chromedp.SetUploadFiles("#files", []string{many}, chromedp.ByQuery))
			}
			b.until(moves + " > 1")
			b.value(calls)
			whole, first := b.text("#count"), b.text(".rows .name")
			byDate := func() {
				b.value(`void [...document.querySelectorAll(".head button")].find((e) => e.textContent === "Date").click()`)
			}
			for _, c := range []struct {
				doing string
				do    func()
			}{{"Sorting", byDate}, {"Searching", func() { b.search("year:1999") }}} {
				g.set(true, 0)
				c.do()
				b.until(fmt.Sprintf(`!document.querySelector("#busy").hidden && document.querySelector("#doing").textContent === %q`, c.doing))
				// What the sort has read may be in the cache of the worker when the search begins.
				if c.doing == "Sorting" && b.value(`document.querySelector("#done").hasAttribute("value")`) == true {
					t.Errorf("%s tells progress before there is any", c.doing)
				}
				for n := 0; b.value(`document.querySelector("#done").value > 0 && document.querySelector("#done").value < document.querySelector("#done").max`) != true; n++ {
					if n == 40 {
						t.Fatalf("%s never tells how far it is", c.doing)
					}
					g.set(true, 1)
					time.Sleep(120 * time.Millisecond) // carriers tell it ten or twenty times a second
				}
				b.click("#cancel")
				b.until(`document.querySelector("#busy").hidden`)
				// It ends soon: the worker answers again, and does not read the whole file first.
				b.value(`void (window.answered = false, ask("terms", {}).then(() => { window.answered = true; }))`)
				cancelled := g.count()
				for b.value("answered") != true {
					if g.count() > cancelled+40 {
						t.Fatalf("%s goes on after it was cancelled", c.doing)
					}
					g.set(true, 1)
					time.Sleep(60 * time.Millisecond)
				}
				if got := b.text("#count") + b.text(".rows .name") + fmt.Sprint(b.value(`document.querySelectorAll("[aria-sort=ascending]").length`)); got != whole+first+"0" {
					t.Errorf("%s was cancelled, and the list is %s", c.doing, got)
				}
			}
			g.set(false, 0)
			stopped := g.count()
			time.Sleep(200 * time.Millisecond)
			if n := g.count() - stopped; n > 1 {
				t.Errorf("%d reads after all was cancelled", n)
			}
			byDate()
			b.until(`document.querySelector("[aria-sort=ascending]")?.textContent.startsWith("Date") && document.querySelector("#busy").hidden`)
			if got := b.text("#count"); got != whole {
				t.Errorf("sorted are %s", got)
			}
			b.search("year:1999")
			b.until(fmt.Sprintf(`document.querySelector("#count").textContent !== %q && document.querySelector(".rows .date").textContent.startsWith("1999")`, whole))
			t.Logf("%d reads until then, %d in all", stopped, g.count())
			if len(b.wrong) > 0 {
				t.Error(b.wrong)
			}
		})
	}
}

// A neighbouring game costs one request to the server, and a move none: no list, no
// icon, no game twice.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	b := start(t)
	var lock sync.Mutex
	var asked []string
	address := here(t, demo(t), "Games.cbh", newGate(), func(path string) {
		lock.Lock()
		defer lock.Unlock()
		if name := path[strings.LastIndex(path, "/")+1:]; name != "edition" { // which nothing waits for
			asked = append(asked, name)
		}
	})
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+"#id=1"))
	b.until(moves + ` > 1 && document.querySelector("#terms option") && location.hash.includes("id=1")`)
	taken := func() string {
		time.Sleep(300 * time.Millisecond) // the address is written after a moment
		lock.Lock()
		defer lock.Unlock()
		defer func() { asked = nil }()
		return strings.Join(asked, " ")
	}
	taken()
	for id := 2; id < 5; id++ {
		b.keys("n")
		b.until(fmt.Sprintf(`location.hash === "#id=%d"`, id))
		if got := taken(); got != "game" {
			t.Errorf("game %d: asked for %s", id, got)
		}
	}
	b.value(`void [..."12345"].forEach(() => document.querySelector("[data-go=next]").click())`)
	b.until(`location.hash === "#id=4&move=4"`)
	if got := taken(); got != "" {
		t.Errorf("moves asked for %s", got)
	}
}
