// Package viewhttp serves the page of web/ and the answers of package viewer over HTTP to
// browsers on this machine, for cbkit serve.
//
// Only those who know the token in the address may ask: other users of the machine, other
// programs, and pages of other sites that a browser shows are refused. It listens on the
// loopback address alone, refuses requests that name another host (DNS rebinding) or come
// from another origin, knows only GET, and serves a fixed set of files from memory: no
// path of a request reaches a file system.
package viewhttp

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cbkit/cmd/internal/viewer"
	"cbkit/cmd/internal/viewpage"
)

// Limits of requests.
const (
	mostHeader  = 16 << 10         // bytes of a request
	mostTime    = 10 * time.Minute // of a call; a database of millions of games is read whole
	progressGap = 100 * time.Millisecond

	// mostStrangers is how many connections may not have shown the token. The oldest goes
	// when it has had the time to show it; that is less while one after the other goes.
	mostStrangers = 64
	timeToShow    = time.Second
	leastToShow   = 50 * time.Millisecond
)

// policy is what pages may do: nothing but talk to this server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Server answers browsers. Its zero value is not one; see New.
type Server struct {
	viewer *viewer.Viewer
	token  string
	door   atomic.Pointer[door] // nil once it was used
	host   string
	files  map[string][]byte
	atOnce chan struct{}
	server http.Server
	listen net.Listener

	meeting   sync.Mutex
	strangers []stranger    // the oldest first
	left      chan struct{} // after one has left
	gone      time.Time     // when one had to go last
}

// stranger is a connection that has not shown the token.
type stranger struct {
	net.Conn
	came time.Time
}

// connection is the key of the connection in the context of a request.
type connection struct{}

// Listen returns a server on the loopback address; port 0 is any that is free.
func Listen(v *viewer.Viewer, port int) (*Server, error) {
	l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	s := New(v, l.Addr().String())
	s.listen = l
	return s, nil
}

// New returns the handler of a server whose requests name the host.
func New(v *viewer.Viewer, host string) *Server {
	s := &Server{viewer: v, token: rand.Text(), host: host, files: viewpage.Set(viewpage.HTTP, "")}
	s.atOnce, s.left = make(chan struct{}, 2*runtime.GOMAXPROCS(0)), make(chan struct{}, 1)
	s.server = http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: mostHeader}
	s.server.ConnContext = func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connection{}, c) }
	s.server.ConnState = func(c net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			s.meet(c)
		case http.StateClosed, http.StateHijacked:
			s.known(c)
		}
	}
	return s
}

// meet takes a connection, before the next one is accepted. If there are too many that
// have not shown the token, the oldest goes: others on this machine cannot take all
// that may be open.
func (s *Server) meet(c net.Conn) {
	s.meeting.Lock()
	s.strangers = append(s.strangers, stranger{c, time.Now()})
	s.meeting.Unlock()
	for {
		s.meeting.Lock()
		var oldest stranger
		many := len(s.strangers) > mostStrangers
		if many {
			oldest = s.strangers[0]
		}
		s.meeting.Unlock()
		if !many {
			return
		}
		wanted := timeToShow
		if time.Since(s.gone) < timeToShow {
			wanted = leastToShow
		}
		if wait := time.Until(oldest.came.Add(wanted)); wait > 0 {
			select {
			case <-s.left:
			case <-time.After(wait):
			}
			continue
		}
		s.gone = time.Now()
		s.known(oldest.Conn)
		_ = oldest.Close() // no client was promised anything
	}
}

// known notes that a connection is no stranger any more.
func (s *Server) known(c net.Conn) {
	s.meeting.Lock()
	defer s.meeting.Unlock()
	s.strangers = slices.DeleteFunc(s.strangers, func(one stranger) bool { return one.Conn == c })
	select {
	case s.left <- struct{}{}:
	default:
	}
}

// Address returns where the page is, with the token.
func (s *Server) Address() string { return "http://" + s.host + "/" + s.token + "/" }

// Door returns an address that leads to the page once, and to nothing after that;
// used, which may be nil, is called then.
func (s *Server) Door(used func()) string {
	d := &door{rand.Text(), used}
	s.door.Store(d)
	return "http://" + s.host + "/" + d.code
}

// door is an address without the token that leads to the page.
type door struct {
	code string
	used func()
}

// Serve answers until ctx ends; what is being asked then is cancelled.
func (s *Server) Serve(ctx context.Context) error {
	s.server.BaseContext = func(net.Listener) context.Context { return ctx }
	stop := context.AfterFunc(ctx, func() {
		short, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if s.server.Shutdown(short) != nil {
			_ = s.server.Close()
		}
	})
	defer stop()
	if err := s.server.Serve(s.listen); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for name, value := range map[string]string{
		"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store",
	} {
		h.Set(name, value)
	}
	token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	origin, site := strings.Join(r.Header.Values("Origin"), " "), r.Header.Values("Sec-Fetch-Site") // all that are said
	asPage := r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") && strings.TrimPrefix(r.Header.Get("Sec-Fetch-Dest"), "document") == ""
	d := s.door.Load()
	switch {
	case r.Host != s.host:
		s.refuse(w, asPage, http.StatusMisdirectedRequest, "This server has another name.")
	case asPage && d != nil && equal(r.URL.Path, "/"+d.code) && s.door.CompareAndSwap(d, nil):
		// From a file, which is another site: what this page of ours leads to is not.
		h.Set("Connection", "close")
		h.Set("Content-Type", kinds[".html"]+"; charset=utf-8")
		_, _ = fmt.Fprintf(w, page, `<meta http-equiv="refresh" content="0; url=/`+s.token+`/">`, "")
		if d.used != nil {
			d.used()
		}
	case origin != "" && origin != "http://"+s.host, slices.Contains(site, "cross-site"), slices.Contains(site, "same-site"):
		s.refuse(w, asPage, http.StatusForbidden, `Another page led here, and other pages may not ask. <a href="">Open it from here</a>, or `+howTo)
	case !equal(token, s.token):
		s.refuse(w, asPage, http.StatusForbidden, "This address has no token, or an old one: each start of cbkit serve makes a new one; "+howTo)
	case r.Method != http.MethodGet:
		h.Set("Allow", http.MethodGet)
		s.refuse(w, false, http.StatusMethodNotAllowed, "only GET")
	default:
		if c, is := r.Context().Value(connection{}).(net.Conn); is {
			s.known(c)
		}
		if name, is := strings.CutPrefix(rest, "call/"); is {
			s.call(w, r, name)
			return
		}
		name := cmp.Or(rest, "index.html")
		data, is := s.files[name]
		if !is {
			http.Error(w, "there is no such file", http.StatusNotFound)
			return
		}
		h.Set("Content-Type", kinds[path.Ext(name)]+"; charset=utf-8")
		_, _ = w.Write(data) // the browser may be gone
	}
}

// page is a page without games: what stands in its head, and what it says.
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>cbkit</title>%s</head><body><h1>cbkit</h1><p>%s</p></body></html>`

// howTo says how to open the page of the games.
const howTo = "open the address that cbkit serve printed when it was started last, or start it with --open."

// refuse says why there is no answer, and ends a connection that has not shown the token.
func (s *Server) refuse(w http.ResponseWriter, asPage bool, status int, why string) {
	w.Header().Set("Connection", "close")
	if !asPage {
		http.Error(w, why, status)
		return
	}
	w.Header().Set("Content-Type", kinds[".html"]+"; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, page, "", why) // the browser may be gone
}

// equal compares secrets.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// kinds are the media types of the files.
var kinds = map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", "": "text/plain"}

// line is one line of an answer: progress, or what ends it.
type line struct {
	Done   int    `json:"done,omitempty"`
	Total  int    `json:"total,omitempty"`
	Answer any    `json:"answer,omitempty"`
	Error  string `json:"error,omitempty"`
}

// call answers a call, after its progress if that takes long.
func (s *Server) call(w http.ResponseWriter, r *http.Request, name string) {
	ctx, cancel := context.WithTimeout(r.Context(), mostTime)
	defer cancel()
	select {
	case s.atOnce <- struct{}{}:
		defer func() { <-s.atOnce }()
	case <-ctx.Done():
		return
	}
	args := map[string]string{}
	for key, values := range r.URL.Query() {
		args[key] = values[0]
	}
	w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
	var writing sync.Mutex
	next := time.Now().Add(progressGap)
	out := json.NewEncoder(w)
	answer, err := s.viewer.Call(ctx, name, args, func(done, total int) {
		writing.Lock()
		defer writing.Unlock()
		if now := time.Now(); now.After(next) {
			next = now.Add(progressGap)
			_ = out.Encode(line{Done: done, Total: total})
			_ = http.NewResponseController(w).Flush()
		}
	})
	writing.Lock()
	defer writing.Unlock()
	if err != nil {
		_ = out.Encode(line{Error: err.Error()})
		return
	}
	_ = out.Encode(line{Answer: answer})
}
