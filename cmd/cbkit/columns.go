package main

import (
	"bufio"
	"io"
	"strings"

	"github.com/rivo/uniseg"
)

// column is a column of a table for people.
type column struct {
	title string
	right bool // numbers stand to the right
	most  int  // cells; longer values are cut; 0 is no limit
}

// number and text are the two kinds of columns.
func number(title string) column { return column{title: title, right: true} }

func text(title string, most int) column { return column{title: title, most: most} }

// printColumns prints a table with as wide columns as its values need, counted in
// the cells of a terminal.
func printColumns(w io.Writer, columns []column, rows [][]string) error {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = uniseg.StringWidth(c.title)
		for _, row := range rows {
			row[i] = cutToCells(plainText(oneLine(row[i])), c.most)
			widths[i] = max(widths[i], uniseg.StringWidth(row[i]))
		}
	}
	out := bufio.NewWriter(w)
	line := func(cell func(int) string) {
		var b strings.Builder
		for i, c := range columns {
			s := cell(i)
			blank := strings.Repeat(" ", widths[i]-uniseg.StringWidth(s))
			if c.right {
				s = blank + s
			} else {
				s += blank
			}
			b.WriteString(s + "  ")
		}
		_, _ = out.WriteString(strings.TrimRight(b.String(), " ") + "\n") // Flush tells
	}
	line(func(i int) string { return columns[i].title })
	for _, row := range rows {
		line(func(i int) string { return row[i] })
	}
	return out.Flush()
}

// cutToCells cuts a text to a number of cells, of which the last shows that it
// was cut.
func cutToCells(s string, most int) string {
	if most == 0 || uniseg.StringWidth(s) <= most {
		return s
	}
	var b strings.Builder
	width := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if width += g.Width(); width >= most {
			break
		}
		b.WriteString(g.Str())
	}
	return b.String() + "…"
}
