package viewhttp

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"cbkit/internal/viewer"
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
		r.Header.Set(headers[i], headers[i+1])
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

// A door leads to the page once, and only who asks for itself.
func TestDoor(t *testing.T) {
	s := served(t)
	door := strings.TrimPrefix(s.Door(), "http://127.0.0.1:4711")
	if strings.Contains(door, s.token) {
		t.Errorf("%s tells the token", door)
	}
	for _, c := range []struct {
		target string
		site   string
		status int
	}{{"/", "none", 403}, {door, "cross-site", 403}, {door + "x", "none", 403}, {door, "none", 303}, {door, "none", 403}, {"/", "none", 403}} {
		r := ask(s, "GET", c.target, "Sec-Fetch-Site", c.site)
		if r.StatusCode != c.status || c.status == 303 && r.Header.Get("Location") != "/"+s.token+"/" {
			t.Errorf("%s from %s: %d %v", c.target, c.site, r.StatusCode, r.Header)
		}
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
