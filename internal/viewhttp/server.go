// Package viewhttp is the carrier of cbkit serve: it gives the page of web/ and the
// answers of package viewer to browsers on this machine, over HTTP.
//
// Only those who know the token in the address may ask: other users of the machine,
// other programs, and pages of other sites that a browser shows are refused. It listens
// on the loopback address alone, takes no request that names another host (a page whose
// name was made to lead here) or comes from another origin, knows GET and nothing else,
// and serves a fixed set of files from memory: no path of a request reaches a file
// system.
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
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cbkit/internal/viewer"
	"cbkit/internal/viewpage"
)

// Limits of requests.
const (
	mostHeader  = 16 << 10         // bytes of a request
	mostTime    = 10 * time.Minute // of a call; a database of millions of games is read whole
	progressGap = 100 * time.Millisecond
)

// policy is what pages may do: nothing but talk to this server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Server answers browsers. Its zero value is not one; see New.
type Server struct {
	viewer *viewer.Viewer
	token  string
	door   atomic.Value // string: the code that leads to the page once, "" then
	host   string
	files  map[string][]byte
	atOnce chan struct{}
	server http.Server
	listen net.Listener
}

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
	s.atOnce = make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	s.server = http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: mostHeader}
	return s
}

// Address returns where the page is, with the token.
func (s *Server) Address() string { return "http://" + s.host + "/" + s.token + "/" }

// Door returns an address that leads to the page once, and to nothing after that.
// It is for command lines, such as that of a browser: everybody on the machine can
// read those.
func (s *Server) Door() string {
	code := rand.Text()
	s.door.Store(code)
	return "http://" + s.host + "/" + code
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
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	switch {
	case r.Host != s.host:
		http.Error(w, "this server has another name", http.StatusMisdirectedRequest)
	case origin != "" && origin != "http://"+s.host, site == "cross-site", site == "same-site":
		http.Error(w, "other pages may not ask", http.StatusForbidden)
	case r.Method == http.MethodGet && rest == "" && token != "" && s.door.CompareAndSwap(token, ""):
		http.Redirect(w, r, "/"+s.token+"/", http.StatusSeeOther)
	case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
		http.Error(w, "the address lacks its token; use the one that cbkit serve has printed", http.StatusForbidden)
	case r.Method != http.MethodGet:
		h.Set("Allow", http.MethodGet)
		http.Error(w, "only GET", http.StatusMethodNotAllowed)
	case strings.HasPrefix(rest, "call/"):
		s.call(w, r, strings.TrimPrefix(rest, "call/"))
	default:
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
