package main

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"cbkit/model"
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

// gameTable writes a line about each game: columns of fixed widths, which on a
// terminal fit its width. Elsewhere names are never cut: the columns are as wide as
// the names of the first games need.
type gameTable struct {
	player int // cells of a name
	event  int // cells of the tournament, 0 for as many as it has
	cut    bool
	colour bool

	held []tableLine // lines that wait until the widths are known
	wide bool        // the widths are known
}

// tableLine is a line of a table.
type tableLine struct {
	style string
	cells []string
}

// heldLines is how many games are looked at for the widths of columns.
const heldLines = 1000

// The columns but for names and tournament take so many cells.
const tableCells = 8 + 2 + 10 + 2 + 1 + 4 + 2 + 1 + 4 + 2 + 7 + 2 + 3 + 2

// Names are not narrower or wider.
const (
	leastName  = 8
	usualName  = 24
	mostName   = 50 // longer ones stand out
	leastEvent = 8
)

// newGameTable returns a table for a stream, which may be a terminal.
func newGameTable(w io.Writer) *gameTable {
	file, ok := terminalOf(w)
	if !ok {
		return &gameTable{player: usualName}
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width <= 0 {
		return &gameTable{player: usualName}
	}
	return fittingTable(width, os.Getenv("NO_COLOR") == "")
}

// fittingTable returns a table for a terminal that is so wide.
func fittingTable(width int, colour bool) *gameTable {
	rest := width - tableCells
	player := min(max(rest/3, leastName), usualName)
	return &gameTable{player: player, event: max(rest-2*player, leastEvent), cut: true, colour: colour}
}

// terminalOf returns the terminal that a stream of the program ends in.
func terminalOf(w io.Writer) (*os.File, bool) {
	w = behind(w)
	if checked, ok := w.(*checkedWriter); ok {
		w = checked.to
	}
	file, ok := w.(*os.File)
	return file, ok && term.IsTerminal(int(file.Fd()))
}

// The colours of a terminal.
const (
	boldText  = "\x1b[1m"
	faintText = "\x1b[2m"
	usualText = "\x1b[0m"
)

// appendTitles appends the header line.
func (t *gameTable) appendTitles(dst []byte) []byte {
	return t.appendLine(dst, boldText, []string{"id", "date", "White", "Elo", "Black", "Elo", "result", "ECO", "tournament"})
}

// appendRow appends the line of a record; those that are marked as deleted are
// faint on a terminal.
func (t *gameTable) appendRow(dst []byte, rec *model.Record, e *model.Entities) []byte {
	style := ""
	if rec.Deleted {
		style = faintText
	}
	id := strconv.Itoa(int(rec.ID))
	if rec.Text != nil {
		return t.appendLine(dst, style, []string{id, "(text)", "", "", "", "", "", "", e.Tournaments.Value(rec.Text.Tournament).Title})
	}
	g := rec.Game
	event := e.Tournaments.Value(g.Tournament).Title
	if g.Round != 0 {
		event += " (" + strconv.Itoa(int(g.Round)) + ")"
	}
	eco, _, _ := strings.Cut(g.ECO.String(), "/")
	return t.appendLine(dst, style, []string{
		id, g.Date.String(), e.Players.Value(g.White).String(), orBlank(int(g.WhiteElo)),
		e.Players.Value(g.Black).String(), orBlank(int(g.BlackElo)), g.Result.String(), eco, event,
	})
}

// appendLine appends a line, or keeps it until the widths of columns are known.
func (t *gameTable) appendLine(dst []byte, style string, cells []string) []byte {
	for i := range cells {
		cells[i] = plainText(oneLine(cells[i]))
	}
	if t.cut || t.wide {
		return t.appendCells(dst, style, cells)
	}
	t.held = append(t.held, tableLine{style, cells})
	t.player = min(max(t.player, uniseg.StringWidth(cells[2]), uniseg.StringWidth(cells[4])), mostName)
	if len(t.held) > heldLines {
		return t.appendHeld(dst)
	}
	return dst
}

// appendHeld appends the lines that were kept. It must be called at the end.
func (t *gameTable) appendHeld(dst []byte) []byte {
	t.wide = true
	for _, line := range t.held {
		dst = t.appendCells(dst, line.style, line.cells)
	}
	t.held = nil
	return dst
}

// appendCells appends the cells of a line.
func (t *gameTable) appendCells(dst []byte, style string, cells []string) []byte {
	columns := [...]struct {
		width int
		right bool
		gap   string
	}{
		{8, true, "  "}, {10, false, "  "}, {t.player, false, " "}, {4, true, "  "}, {t.player, false, " "}, {4, true, "  "},
		{7, false, "  "}, {3, false, "  "}, {t.event, false, ""},
	}
	if style != "" && t.colour {
		dst = append(dst, style...)
	}
	line := len(dst)
	for i, c := range columns {
		cell := cells[i]
		if t.cut {
			cell = cutToCells(cell, c.width)
		}
		blank := strings.Repeat(" ", max(0, c.width-uniseg.StringWidth(cell)))
		if c.right {
			dst = append(append(dst, blank...), cell...)
		} else {
			dst = append(append(dst, cell...), blank...)
		}
		dst = append(dst, c.gap...)
	}
	for len(dst) > line && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	if style != "" && t.colour {
		dst = append(dst, usualText...)
	}
	return append(dst, '\n')
}

// counted says how many were found.
func counted(n int) string { return strconv.Itoa(n) + " found" }

// shownOf says how many of them are shown.
func shownOf(n int) string { return strconv.Itoa(n) + " shown" }
