// Package htmltext makes plain text of the HTML that guiding texts are written in.
package htmltext

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// blocks are the elements of HTML that stand on lines of their own.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Br: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true,
	atom.H6: true, atom.Ul: true, atom.Ol: true, atom.Li: true, atom.Table: true, atom.Tr: true, atom.Hr: true,
	atom.Blockquote: true, atom.Pre: true, atom.Dl: true, atom.Dt: true, atom.Dd: true,
}

// unseen are the elements whose text is not shown.
var unseen = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Title: true, atom.Noscript: true, atom.Template: true}

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
