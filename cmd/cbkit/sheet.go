package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
)

// csvFlag and htmlFlag choose another form of what is printed as tables.
type csvFlag struct {
	CSV bool `name:"csv" xor:"form" help:"Print the table as CSV, for spreadsheets, with all columns and nothing cut."`
}

type htmlFlag struct {
	HTML bool `name:"html" xor:"form" help:"Print a page for a web site."`
}

// sheet writes the tables of a verb, as text for a terminal, CSV or HTML.
type sheet struct {
	out, notes io.Writer
	as         sheetForm
	lines      *csv.Writer
	header     []string // of the CSV that was written last
	err        error    // the first of writing a table; nothing is written behind it
}

type sheetForm uint8

const (
	asText sheetForm = iota
	asCSV
	asHTML
	asMarkdown
)

// newSheet begins a sheet. Its end must be written.
func (env *environment) newSheet(title string, c csvFlag, h htmlFlag) *sheet {
	s := &sheet{out: env.text, notes: env.text}
	switch {
	case c.CSV:
		s.as, s.notes = asCSV, env.stderr
		s.to(env.stdout) // values are made plain one by one
	case h.HTML:
		s.as = asHTML
		s.begin(title)
	}
	return s
}

// begin begins a page.
func (s *sheet) begin(title string) {
	if s.as == asHTML {
		fmt.Fprintf(s.out, pageHead, html.EscapeString(plainText(oneLine(title))))
	}
}

// heading writes what stands above a part, or with level 1 above all.
func (s *sheet) heading(title string, level int) {
	switch title = plainText(oneLine(title)); s.as {
	case asText:
		if level > 1 {
			fmt.Fprintln(s.out)
		}
		fmt.Fprintln(s.out, wrapped(s.out, title))
	case asHTML:
		fmt.Fprintf(s.out, "<h%d>%s</h%[1]d>\n", level, html.EscapeString(title))
	case asMarkdown:
		fmt.Fprintf(s.out, "\n%s %s\n", strings.Repeat("#", level), markdown(title))
	}
}

// to sets what CSV is written to.
func (s *sheet) to(w io.Writer) { s.lines = csv.NewWriter(w) }

// pageHead and pageEnd are around a page.
const (
	pageHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>%s</title>
<style>
body { font-family: sans-serif; margin: 1em }
table { border-collapse: collapse; margin: 1em 0 }
th, td { border: 1px solid #bbb; padding: .15em .5em; text-align: left }
.n { text-align: right; font-variant-numeric: tabular-nums }
</style>
</head>
<body>
`
	pageEnd = "</body>\n</html>\n"
)

// end completes the sheet, and returns the first error of its tables.
func (s *sheet) end() error {
	if s.as == asHTML && s.err == nil {
		_, s.err = io.WriteString(s.out, pageEnd)
	}
	return s.err
}

// say writes a line about the tables, which CSV has no room for.
func (s *sheet) say(line string) {
	switch s.as {
	case asText:
		fmt.Fprintln(s.out, wrapped(s.out, line))
	case asHTML:
		fmt.Fprintf(s.out, "<p>%s</p>\n", html.EscapeString(oneLine(line)))
	case asMarkdown:
		fmt.Fprintf(s.out, "\n%s\n", markdown(plainText(oneLine(line))))
	}
}

// note writes what a table leaves out; beside CSV it goes to standard error.
func (s *sheet) note(line string) {
	if s.as == asHTML || s.as == asMarkdown {
		s.say(line)
		return
	}
	fmt.Fprintln(s.notes, wrapped(s.notes, line))
}

// more says how many further things there are than were shown.
func (s *sheet) more(n int, what string) {
	if n > 0 {
		s.note(fmt.Sprintf("and %s; --limit 0 shows all", plural(n, "more "+what)))
	}
}

// gap leaves a line free before the next table of a text.
func (s *sheet) gap() {
	if s.as == asText {
		fmt.Fprintln(s.out)
	}
}

// table writes a table. An error ends the sheet: nothing is written behind it, and [sheet.end]
// returns it.
func (s *sheet) table(columns []column, rows [][]string) {
	if s.err != nil {
		return
	}
	switch s.as {
	case asCSV:
		s.err = s.csv(columns, rows)
	case asHTML:
		s.err = s.html(columns, rows)
	case asMarkdown:
		s.err = s.markdown(columns, rows)
	default:
		s.err = printColumns(s.out, columns, rows)
	}
	if s.err != nil {
		s.out, s.notes = io.Discard, io.Discard
	}
}

// csv writes a table as CSV. One that has the columns of the table before has no header.
func (s *sheet) csv(columns []column, rows [][]string) error {
	var header []string
	for _, c := range columns {
		header = append(header, cmp.Or(c.key, strings.ToLower(c.title)))
	}
	w := s.lines
	if !slices.Equal(header, s.header) {
		s.header = header
		_ = w.Write(header) // Error returns it
	}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = csvValue(&columns[i], cell)
		}
		_ = w.Write(cells)
	}
	w.Flush()
	return w.Error()
}

// csvValue is a value as a spreadsheet reads it: halves as fractions of ten, numbers of
// names without their sign.
func csvValue(c *column, cell string) string {
	cell = plainText(strings.TrimSpace(oneLine(cell)))
	if !c.right {
		return cell
	}
	cell = strings.TrimPrefix(cell, "#")
	for _, f := range [...]struct{ sign, digits string }{{"¼", ".25"}, {"½", ".5"}, {"¾", ".75"}} {
		if whole, ok := strings.CutSuffix(cell, f.sign); ok {
			return cmp.Or(whole, "0") + f.digits
		}
	}
	return cell
}

// html writes a table as HTML.
func (s *sheet) html(columns []column, rows [][]string) error {
	var b strings.Builder
	line := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for i, cell := range cells {
			class := ""
			if columns[i].right {
				class = ` class="n"`
			}
			fmt.Fprintf(&b, "<%s%s>%s</%[1]s>", tag, class, html.EscapeString(plainText(oneLine(strings.TrimSpace(cell)))))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<table>\n")
	line("th", titlesOf(columns))
	for _, row := range rows {
		line("td", row)
	}
	b.WriteString("</table>\n")
	_, err := io.WriteString(s.out, b.String())
	return err
}

// markdown writes a table as Markdown.
func (s *sheet) markdown(columns []column, rows [][]string) error {
	var b strings.Builder
	line := func(cells []string) {
		for _, cell := range cells {
			b.WriteString("| " + cell + " ")
		}
		b.WriteString("|\n")
	}
	b.WriteByte('\n')
	aligned := make([]string, len(columns))
	for i := range columns {
		if aligned[i] = "---"; columns[i].right {
			aligned[i] = "--:"
		}
	}
	line(titlesOf(columns))
	line(aligned)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = markdown(plainText(oneLine(strings.TrimSpace(cell))))
		}
		line(cells)
	}
	_, err := io.WriteString(s.out, b.String())
	return err
}
