package viewhttp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"cbkit/cmd/internal/viewer"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// served is a server with a database of one game.
func served(t *testing.T) *Server {
	t.Helper()
	db := &model.Database{}
	g := model.NewGame()
	g.White = db.Tables.Players.Intern(model.Player{LastName: "<script>alert(1)</script>"})
	db.AddGame(g)
	v := new(viewer.Viewer)
	v.AddSource("one", db)
	return New(v, "127.0.0.1:4711")
}

// ask makes a request; headers are pairs.
func ask(s *Server, method, target string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, "http://127.0.0.1:4711"+target, nil)
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

// Only who knows the token, on this host, from this page, gets an answer; every
// answer forbids what pages need not do.
func TestRefusals(t *testing.T) {
	s := served(t)
	at := "/" + s.token + "/"
	for _, c := range []struct {
		name, method, target string
		headers              []string
		status               int
	}{
		{"the page", "GET", at, nil, 200},
		{"a module", "GET", at + "app.js", []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://127.0.0.1:4711"}, 200},
		{"a call", "GET", at + "call/open", nil, 200},
		{"no token", "GET", "/", nil, 403},
		{"a wrong token", "GET", "/" + strings.Repeat("A", len(s.token)) + "/call/open", nil, 403},
		{"part of the token", "GET", at[:len(at)-2] + "/call/open", nil, 403},
		{"another host", "GET", at, []string{"Host", "evil.example:4711"}, 421},
		{"another port", "GET", at, []string{"Host", "127.0.0.1:4712"}, 421},
		{"no port", "GET", at, []string{"Host", "127.0.0.1"}, 421},
		{"another origin", "GET", at + "call/open", []string{"Origin", "http://evil.example"}, 403},
		{"no origin", "GET", at + "call/open", []string{"Origin", "null"}, 403},
		{"two origins", "GET", at + "call/open", []string{"Origin", "http://127.0.0.1:4711", "Origin", "http://evil.example"}, 403},
		{"two sites", "GET", at + "call/open", []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Site", "cross-site"}, 403},
		{"another site", "GET", at + "call/open", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another port of this host", "GET", at + "call/open", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"POST", "POST", at + "call/open", nil, 405},
		{"DELETE", "DELETE", at, nil, 405},
		{"a path upwards", "GET", at + "../../etc/passwd", nil, 404},
		{"a path in disguise", "GET", at + "%2e%2e%2f%2e%2e%2fetc%2fpasswd", nil, 404},
		{"an absolute path", "GET", at + "/etc/passwd", nil, 404},
		{"a drive", "GET", at + "C:%5Cautoexec.bat", nil, 404},
		{"another carrier", "GET", at + "worker.js", nil, 404},
	} {
		r := ask(s, c.method, c.target, c.headers...)
		body, _ := io.ReadAll(r.Body)
		if r.StatusCode != c.status {
			t.Errorf("%s: %d %s", c.name, r.StatusCode, body)
		}
		if c.status != 200 && strings.Contains(string(body), s.token) {
			t.Errorf("%s: tells the token", c.name)
		}
		policy := r.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || r.Header.Get("Referrer-Policy") != "no-referrer" ||
			r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", c.name, r.Header)
		}
	}
	if len(s.token) < 26 || s.token == served(t).token {
		t.Errorf("the token is %q", s.token)
	}
}

// A door leads to the page once: who comes to see it, from a file too, and nobody else.
func TestDoor(t *testing.T) {
	s := served(t)
	used := 0
	door := strings.TrimPrefix(s.Door(func() { used++ }), "http://127.0.0.1:4711")
	if strings.Contains(door, s.token) {
		t.Errorf("%s tells the token", door)
	}
	asPage := []string{"Accept", "text/html,*/*", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}
	for _, c := range []struct {
		target, site string
		headers      []string
		status       int
	}{
		{"/", "none", asPage, 403}, {door, "cross-site", nil, 403}, {door, "cross-site", []string{"Accept", "text/html", "Sec-Fetch-Dest", "iframe"}, 403},
		{door + "x", "none", asPage, 403}, {door + "/", "none", asPage, 403},
		{door, "cross-site", asPage, 200}, {door, "cross-site", asPage, 403}, {door, "none", asPage, 403}, {"/", "none", asPage, 403},
	} {
		r := ask(s, "GET", c.target, append([]string{"Sec-Fetch-Site", c.site}, c.headers...)...)
		body, _ := io.ReadAll(r.Body)
		if r.StatusCode != c.status || (c.status == 200) != strings.Contains(string(body), `content="0; url=/`+s.token+`/"`) || r.Header.Get("Connection") != "close" {
			t.Errorf("%s from %s: %d %s %v", c.target, c.site, r.StatusCode, body, r.Header)
		}
	}
	if used != 1 {
		t.Errorf("used %d times", used)
	}
}

// Whoever comes to see the page by an old address, or by a link of another page, sees
// what to do; a script gets a line of text. Neither learns anything.
func TestRefusalsSayWhatToDo(t *testing.T) {
	s := served(t)
	old := "/" + strings.Repeat("A", len(s.token)) + "/"
	for _, c := range []struct {
		target, site, accept string
		page, link           bool
	}{
		{old, "none", "text/html,*/*", true, false}, {"/", "none", "text/html", true, false}, {"/" + s.token + "/", "cross-site", "text/html", true, true},
		{"/" + s.token + "/call/list", "same-site", "text/html", true, true}, {old + "call/open", "same-origin", "*/*", false, false},
	} {
		r := ask(s, "GET", c.target, "Sec-Fetch-Site", c.site, "Accept", c.accept)
		body, _ := io.ReadAll(r.Body)
		text := string(body)
		if r.StatusCode != 403 || strings.Contains(text, s.token) || strings.Contains(text, "alert") || !strings.Contains(text, "cbkit serve") || !strings.Contains(text, "--open") {
			t.Errorf("%s: %d %s", c.target, r.StatusCode, text)
		}
		if strings.HasPrefix(text, "<!doctype html>") != c.page || strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") != c.page || strings.Contains(text, `<a href="">`) != c.link {
			t.Errorf("%s: %s", c.target, text)
		}
	}
}

// Connections without the token cannot take all that may be open: the oldest go, each
// ends with its first answer, and who has the token is answered beside them.
func TestStrangers(t *testing.T) {
	const idle = 400
	v := new(viewer.Viewer)
	s := must.Get(Listen(v, 0))(t)
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { ended <- s.Serve(ctx) }()
	dial := func() net.Conn {
		c := must.Get(net.Dial("tcp4", s.host))(t)
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	get := func(c net.Conn, target string) (status int, more bool) {
		must.Get(fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, s.host))(t)
		r := must.Get(http.ReadResponse(bufio.NewReader(c), nil))(t)
		_, _ = io.Copy(io.Discard, r.Body)
		return r.StatusCode, !r.Close
	}
	at := "/" + s.token + "/call/terms"
	owner := dial()
	if status, more := get(owner, at); status != 200 || !more {
		t.Fatal(status, more)
	}
	if status, more := get(dial(), "/"); status != 403 || more {
		t.Errorf("without the token: %d, and it stays open: %v", status, more)
	}
	var all []net.Conn
	for i := range idle {
		all = append(all, dial())
		if i%50 == 49 {
			for _, c := range []net.Conn{owner, dial()} {
				if status, _ := get(c, at); status != 200 {
					t.Errorf("beside %d: %d", i, status)
				}
			}
		}
	}
	open := 0
	for _, c := range all {
		_ = c.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
		if _, err := c.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			open++
		}
	}
	if open > mostStrangers || open < mostStrangers/2 {
		t.Errorf("%d of %d stay open", open, idle)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Markup in names comes as text of JSON, and the page has nothing inline.
func TestMarkup(t *testing.T) {
	s := served(t)
	r := ask(s, "GET", "/"+s.token+"/call/list?n=1")
	body, _ := io.ReadAll(r.Body)
	if strings.Contains(string(body), "<script") || !strings.Contains(string(body), `\u003cscript\u003e`) || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-ndjson") {
		t.Errorf("%s", body)
	}
	page := string(s.files["index.html"])
	if strings.Contains(page, "<style") || strings.Contains(page, " style=") || strings.Contains(page, "onclick") || strings.Contains(page, "<!--head-->") {
		t.Errorf("%s", page)
	}
}

// Many requests at once are all answered, few at a time.
func TestManyAtOnce(t *testing.T) {
	s := served(t)
	var all sync.WaitGroup
	for range 1000 {
		all.Go(func() {
			r := ask(s, "GET", "/"+s.token+"/call/game?id=1")
			var got line
			text := bufio.NewScanner(r.Body)
			text.Buffer(nil, 1<<20)
			if !text.Scan() || json.Unmarshal(text.Bytes(), &got) != nil || got.Answer == nil {
				t.Errorf("%d %s", r.StatusCode, text.Text())
			}
		})
	}
	all.Wait()
}
