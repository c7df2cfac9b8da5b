// Package viewpage assembles the page of web/: as several files for cbkit serve and the
// static site, as one file with everything in it for cbkit export.
package viewpage

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"strings"

	"cbkit/cmd/internal/viewer"
	"cbkit/web"
)

// Carrier says where a page gets its answers from.
type Carrier string

// The carriers, by their modules.
const (
	HTTP  Carrier = "http.js"
	Files Carrier = "files.js"
	Alone Carrier = "page.js"
)

// modules are the modules of the page in the order in which each needs only those
// before it.
var modules = []string{"list.js", "memory.js", "panes.js", "board.js", "guide.js", "notation.js", "explorer.js", "panels.js", "play.js", "app.js"}

// file returns a file of the page. All are embedded.
func file(name string) []byte {
	data, err := web.Files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return data
}

// pieces are the drawings to stand in a page.
func pieces() []byte {
	return bytes.Replace(file("pieces.svg"), []byte("<svg "), []byte(`<svg class="sr" width="0" height="0" aria-hidden="true" `), 1)
}

// fill puts HTML in the place of the comments that mark where it goes.
func fill(page []byte, parts map[string][]byte) []byte {
	for _, mark := range []string{"head", "pieces", "plain", "data", "script"} {
		page = bytes.Replace(page, []byte("<!--"+mark+"-->"), parts[mark], 1)
	}
	return page
}

// scriptless is what is seen as long as no script has taken its mark from the body:
// browsers load no modules from file:.
const scriptless = `<div id="plain"><h1>cbkit</h1><p>This page needs scripts, and a web server: browsers run nothing of it ` +
	`that is opened as a file. Put its folder on any web server, or use cbkit serve.</p></div>`

// Set returns the files that a page consists of for a carrier, by name: index.html
// and what it asks for. The policy is what its meta element says of contents; it is
// left out where a header says it.
func Set(carrier Carrier, policy string) map[string][]byte {
	head := "<link rel=\"stylesheet\" href=\"style.css\">\n<link rel=\"icon\" href=\"icon.svg\">"
	if policy != "" {
		head = fmt.Sprintf("<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n%s", policy, head)
	}
	// One of the pieces, without which browsers ask for an icon at every change of the address.
	icon := bytes.Replace(file("pieces.svg"), []byte("<svg "), []byte(`<svg viewBox="0 0 1000 1000" `), 1)
	icon = bytes.Replace(icon, []byte("</svg>"), []byte(`<use href="#bN"/></svg>`), 1)
	set := map[string][]byte{
		"index.html": fill(file("index.html"), map[string][]byte{
			"head": []byte(head), "pieces": pieces(), "plain": []byte(scriptless), "script": []byte(`<script type="module" src="app.js"></script>`),
		}),
		"style.css": file("style.css"), "icon.svg": icon, "carrier.js": file(string(carrier)), "LICENSE-DejaVu": file("LICENSE-DejaVu"),
	}
	for _, name := range modules {
		set[name] = file(name)
	}
	if carrier == Files {
		set["worker.js"] = file("worker.js")
	}
	return set
}

// Limits of a page with everything in it. A larger one than openBytes has its games
// deflated, and of each one line that is readable without scripts; packedBytes is how large
// they may be before that.
const (
	MostGames   = 5000
	MostBytes   = 20 << 20
	openBytes   = 2 << 20
	packedBytes = 200 << 20
)

// ErrTooLarge is the error of a page that browsers and mails would not bear.
var ErrTooLarge = errors.New("too much for one page")

// Book collects the games of a page with everything in it: each as the JSON that the
// page's script reads, and as plain text, which stands in the page without scripts. It is
// no opening book.
type Book struct {
	// Open says that the games are never deflated.
	Open bool

	name        string
	games       []json.RawMessage
	plain, rows bytes.Buffer
	size        int
}

// NewBook returns an empty book.
func NewBook(name string) *Book { return &Book{name: name} }

// Add adds a game with its PGN, "" for a text, and how it reads in plain text.
func (b *Book) Add(g *viewer.Game, pgn, plain string) error {
	data, err := json.Marshal(struct {
		*viewer.Game
		PGN string `json:"pgn,omitempty"`
	}{g, pgn})
	if err != nil {
		return err
	}
	fmt.Fprintf(&b.plain, "<pre>%s</pre>\n", html.EscapeString(plain))
	b.rows.WriteString("<tr>")
	for _, cell := range []string{g.White, g.Black, g.Result, strings.TrimRight(g.Date, ".?"), g.Event} {
		fmt.Fprintf(&b.rows, "<td>%s</td>", html.EscapeString(cell))
	}
	b.rows.WriteString("</tr>\n")
	b.games = append(b.games, data)
	b.size += len(data)
	if whole := b.size + b.plain.Len(); len(b.games) > MostGames || whole > packedBytes || b.Open && whole > MostBytes {
		return ErrTooLarge
	}
	return nil
}

// Page returns the page: one file that asks for nothing, and whose policy lets
// nothing run but its own script.
func (b *Book) Page() ([]byte, error) {
	data, err := json.Marshal(map[string]any{"name": b.name, "games": b.games})
	if err != nil {
		return nil, err
	}
	plain, kind := b.plain.Bytes(), "application/json"
	if !b.Open && len(data)+len(plain) > openBytes {
		kind, plain = "text/plain", fmt.Appendf(nil, "<p>The moves show in browsers that run scripts.</p>\n<table>\n<tr><th>White<th>Black<th>Result<th>Date<th>Event</tr>\n%s</table>\n", b.rows.Bytes())
		if data, err = deflated(data); err != nil {
			return nil, err
		}
	}
	var all strings.Builder // the modules as one script: without their imports, and without the word export
	all.WriteString("\"use strict\";\n")
	for _, name := range append([]string{string(Alone)}, modules...) {
		for line := range strings.Lines(string(file(name))) {
			if !strings.HasPrefix(line, "import ") && !strings.HasPrefix(line, "export {") {
				all.WriteString(strings.TrimPrefix(line, "export "))
			}
		}
	}
	script, style := all.String(), string(file("style.css"))
	policy := fmt.Sprintf("default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'", sum(script), sum(style))
	page := fill(file("index.html"), map[string][]byte{
		"head":   fmt.Appendf(nil, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n<style>%s</style>", policy, style),
		"pieces": pieces(),
		"plain":  fmt.Appendf(nil, "<div id=\"plain\">\n<h1>%s</h1>\n%s</div>", html.EscapeString(b.name), plain),
		"data":   fmt.Appendf(nil, "<script type=\"%s\" id=\"data\">%s</script>", kind, data),
		"script": fmt.Appendf(nil, "<script>%s</script>", script),
	})
	if len(page) > MostBytes {
		return nil, ErrTooLarge
	}
	return page, nil
}

// deflated returns data as browsers inflate them ("deflate-raw"), in Base64.
func deflated(data []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return base64.StdEncoding.AppendEncode(nil, packed.Bytes()), nil
}

// sum is the sum of a script or style by which a policy allows it.
func sum(text string) string {
	hash := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(hash[:])
}
