// Package browsertest drives the viewer in Chromium: the page of cbkit serve and
// the static site, on the games of the demo and on real databases. It is a module
// of its own, so that cbkit does not depend on what drives browsers.
package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
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
func (b *browser) value(expression string) any {
	b.Helper()
	v, err := b.evaluate(expression)
	if err != nil {
		b.Fatal(err)
	}
	return v
}

func (b *browser) evaluate(expression string) (v any, err error) {
	err = chromedp.Run(b.ctx, chromedp.Evaluate(expression, &v, awaited))
	return v, err
}

// left reports whether an expression has no value because its page was left for another
// one meanwhile: Chromium answers so or so, by how far it has come.
func left(err error) bool {
	var answer *cdproto.Error
	return errors.As(err, &answer) && (strings.Contains(answer.Message, "navigated") || strings.Contains(answer.Message, "context"))
}

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// read reads what an expression of the page is.
func (b *browser) read(expression string, into any) {
	b.Helper()
	text, is := b.value("Promise.resolve(" + expression + ").then(JSON.stringify)").(string)
	if !is {
		b.Fatalf("nothing: %s", expression)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
}

// keys types.
func (b *browser) keys(keys ...string) {
	b.Helper()
	for _, k := range keys {
		b.do(chromedp.KeyEvent(k))
	}
}

// click clicks an element as a script does, wherever it stands.
func (b *browser) click(selector string) {
	b.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q)", selector))
	if _, err := b.evaluate(fmt.Sprintf("void document.querySelector(%q).click()", selector)); err != nil && !left(err) {
		b.Fatal(err)
	}
}

// text returns the text of an element.
func (b *browser) text(selector string) string {
	b.Helper()
	return fmt.Sprint(b.value(fmt.Sprintf("document.querySelector(%q).textContent", selector)))
}

// search searches the list.
func (b *browser) search(query string) {
	b.Helper()
	b.value(fmt.Sprintf(`(document.querySelector("#query").value = %q, document.querySelector("#search").requestSubmit())`, query))
}

// until waits until an expression is true.
func (b *browser) until(expression string) {
	b.Helper()
	var last any
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		// A page that is on its way may have no body yet, or be left for the next one.
		var err error
		if last, err = b.evaluate("(() => { try { return Boolean(" + expression + ") } catch (e) { return String(e) } })()"); last == true {
			return
		} else if err != nil && !left(err) {
			b.Fatal(err)
		}
	}
	b.Fatalf("never true: %s (%v); the page says %v, %v; %v", expression, last, b.value(`document.querySelector("#problem")?.textContent`), b.value(`document.querySelector("#say")?.textContent`), b.wrong)
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
		if !strings.HasPrefix(strings.TrimPrefix(url, "blob:"), origin) && !strings.HasPrefix(url, "about:") {
			b.Errorf("asked for %s", url)
		}
	}
}

// made are the program, the static site and the npm package, built once.
var made string

func TestMain(m *testing.M) {
	code := func() int {
		var err error
		if made, err = os.MkdirTemp("", "cbkit-browser"); err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(made) }()
		return m.Run()
	}()
	os.Exit(code)
}

// once makes what several tests need.
var once sync.Map

func makeOnce(what string, do func()) {
	made, _ := once.LoadOrStore(what, sync.OnceFunc(do))
	made.(func())()
}

// build runs go for the module that this one tests.
func build(t *testing.T, args ...string) {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir = filepath.Join("..", "..", "..")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v: %s", args, err, out)
	}
}

// program returns the program.
func program(t *testing.T) string {
	t.Helper()
	to := filepath.Join(made, "cbkit.exe")
	makeOnce(to, func() { build(t, "build", "-o", to, "./cmd/cbkit") })
	return to
}

// run runs the program in a folder.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command(program(t), args...)
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		t.Fatalf("cbkit %v: %v", args, err)
	}
	return string(out)
}

// demo makes a folder with the games of the demo, as a database, as PGN and as a
// book.
func demo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "demo", "games.pgn")
	run(t, dir, "import", "-q", "games.pgn", "Games.cbh")
	run(t, dir, "book", "build", "-q", "games.pgn", "Book.ctg")
	return dir
}

// served runs cbkit serve in a folder and returns the address of the page.
func served(t *testing.T, dir string, names ...string) string {
	t.Helper()
	return servedWith(t, dir, nil, names...)
}

// servedWith does so with more variables of the environment.
func servedWith(t *testing.T, dir string, environment []string, names ...string) string {
	t.Helper()
	c := exec.Command(program(t), append([]string{"serve", "-q"}, names...)...)
	c.Dir, c.Env = dir, append(os.Environ(), environment...)
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	return strings.TrimSpace(address)
}

// originOf returns the origin of an address.
func originOf(address string) string {
	host, _, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	return "http://" + host
}

// site serves the static site.
func site(t *testing.T) string {
	t.Helper()
	dist := filepath.Join(made, "dist")
	makeOnce(dist, func() { build(t, "run", "./cmd/internal/viewsite", dist) })
	s := httptest.NewServer(http.FileServer(http.Dir(dist)))
	t.Cleanup(s.Close)
	return s.URL
}

// corpus returns the folder with real databases. Where there is none the test is
// skipped; with CI=true it fails.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("CBKIT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("there is no corpus: ", err)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

const moves = `document.querySelectorAll("#notation a.move").length`
