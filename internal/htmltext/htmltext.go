// Package htmltext extracts the readable content from guiding texts in HTML: text,
// headings, lists, tables, web links, names of pictures. It keeps nothing else of a page,
// so that nothing can run.
package htmltext

import (
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"cbkit/internal/cbh"
)

// blocks are the elements of HTML that stand on lines of their own.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Br: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true,
	atom.H6: true, atom.Ul: true, atom.Ol: true, atom.Li: true, atom.Table: true, atom.Tr: true, atom.Hr: true,
	atom.Blockquote: true, atom.Pre: true, atom.Dl: true, atom.Dt: true, atom.Dd: true,
}

// unseen are the elements whose text is not shown.
var unseen = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Title: true, atom.Noscript: true, atom.Template: true, atom.Iframe: true, atom.Object: true,
}

// elements are the elements that are shown, by the names that they get.
var elements = map[atom.Atom]string{
	atom.H1: "h1", atom.H2: "h2", atom.H3: "h3", atom.H4: "h4", atom.H5: "h5", atom.H6: "h6",
	atom.P: "p", atom.Div: "div", atom.Center: "div", atom.Blockquote: "blockquote", atom.Pre: "pre", atom.Dl: "div", atom.Dt: "div", atom.Dd: "div",
	atom.Ul: "ul", atom.Ol: "ol", atom.Li: "li", atom.Table: "table", atom.Tr: "tr", atom.Td: "td", atom.Th: "th",
	atom.B: "b", atom.Strong: "b", atom.I: "i", atom.Em: "i", atom.U: "u", atom.S: "s", atom.Strike: "s", atom.Sub: "sub", atom.Sup: "sup",
	atom.A: "a", atom.Br: "br", atom.Hr: "hr", atom.Img: "img",
}

// web is the address of a link that may be followed.
var web = regexp.MustCompile(`(?i)^\s*(https?:|mailto:).*`)

// most is how many pieces a page has at most: what is behind them is one more.
const most = 50_000

// Pieces returns a page in pieces, whose elements need not be nested well.
func Pieces(page string) (pieces []cbh.Piece) {
	hidden, at := 0, 0
	tokens := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return pieces
		}
		from := at
		at += len(tokens.Raw())
		token := tokens.Token()
		name := elements[token.DataAtom]
		switch {
		case unseen[token.DataAtom] && kind == html.StartTagToken:
			hidden++
		case unseen[token.DataAtom] && kind == html.EndTagToken:
			hidden = max(hidden-1, 0)
		case hidden > 0:
		case len(pieces) == most:
			return append(pieces, cbh.Piece{Text: Of(page[from:])})
		case kind == html.TextToken:
			pieces = append(pieces, cbh.Piece{Text: token.Data})
		case kind == html.EndTagToken && name != "":
			pieces = append(pieces, cbh.Piece{End: name})
		case name != "":
			p := cbh.Piece{Begin: name, Center: token.DataAtom == atom.Center}
			for _, a := range token.Attr {
				switch name + " " + a.Key {
				case "a href":
					p.Href = strings.TrimSpace(web.FindString(a.Val))
				case "img src":
					p.Src = fileOf(a.Val)
				case "img alt":
					p.Text = a.Val
				case "p align", "div align":
					p.Center = strings.EqualFold(a.Val, "center")
				}
			}
			pieces = append(pieces, p)
		}
	}
}

// fileOf returns the file of a picture, "" of one that lies on another computer.
func fileOf(src string) string {
	at, err := url.Parse(strings.ReplaceAll(src, `\`, "/"))
	if err != nil || at.Host != "" {
		return ""
	}
	return at.Path[strings.LastIndexByte(at.Path, '/')+1:]
}

// Of returns the text of a page of HTML: a line for each block, without
// the tags.
func Of(page string) string {
	var lines []string
	var line strings.Builder
	end := func() {
		if text := strings.Join(strings.Fields(line.String()), " "); text != "" {
			lines = append(lines, text)
		}
		line.Reset()
	}
	hidden := 0
	tokens := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			end()
			return strings.Join(lines, "\n")
		}
		token := tokens.Token()
		switch {
		case kind == html.TextToken && hidden == 0:
			line.WriteString(token.Data)
		case unseen[token.DataAtom] && kind == html.StartTagToken:
			hidden++
		case unseen[token.DataAtom] && kind == html.EndTagToken:
			hidden = max(hidden-1, 0)
		case blocks[token.DataAtom]:
			if end(); token.DataAtom == atom.Li && kind == html.StartTagToken {
				line.WriteString("- ")
			}
		case token.DataAtom == atom.Td || token.DataAtom == atom.Th:
			line.WriteByte(' ')
		}
	}
}
