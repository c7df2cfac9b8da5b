package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"cbkit/eco"
	"cbkit/model"
)

// column is a column of a table for people.
type column struct {
	title string
	key   string // what CSV calls it, the title if empty
	right bool   // numbers stand to the right
	most  int    // cells; longer values are cut; 0 is no limit
	is    bending
	// rank says how soon the column goes where the table does not fit, the highest
	// first, columns of one rank together; 0 stays.
	rank  int
	tight bool // one blank behind it, not two
}

// bending is what is done with the values of a column that does not fit.
type bending uint8

const (
	isFixed bending = iota // nothing
	isWords                // they are cut
	isName                 // first names become initials, and then they are cut
)

// number, text and person are kinds of columns.
func number(title string) column { return column{title: title, right: true} }

func text(title string, most int) column {
	c := column{title: title, most: most}
	if most > 0 {
		c.is = isWords
	}
	return c
}

func person(title string) column { return column{title: title, most: mostName, is: isName} }

// left returns the column with the rank by which it is left out.
func (c column) left(rank int) column { c.rank = rank; return c }

// called returns the column with the name that CSV has for it.
func (c column) called(key string) column { c.key = key; return c }

// gap is how many blanks stand behind the column.
func (c *column) gap() int {
	if c.tight {
		return 1
	}
	return 2
}

// Widths of columns that give way.
const (
	goodWidth  = 13 // as long as others can go, a column is no narrower
	leastWidth = 4
	mostName   = 50
)

// usualWidth is how many cells a line has where that is unknown.
const usualWidth = 80

// widthOf returns how many cells a line of a stream has.
func widthOf(w io.Writer) int {
	if file, ok := terminalOf(w); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			return width
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return usualWidth
}

// layout is how the columns of a table stand in lines of a width.
type layout struct {
	columns []column
	widths  []int // cells of each; noColumn is left out
	line    int
}

const noColumn = -1

// spare is the rank of columns that stand only where they have values, and all others the room
// that they need.
const spare = 9

// layOut fits columns whose values need so many cells into lines.
func layOut(columns []column, need []int, line int) layout {
	l := layout{columns: columns, widths: slices.Clone(need), line: line}
	for l.sum(goodWidth) > line || l.has(spare) && l.sum(line) > line {
		rank := 0
		for i, c := range columns {
			if l.widths[i] != noColumn {
				rank = max(rank, c.rank)
			}
		}
		if rank == 0 {
			break
		}
		for i, c := range columns {
			if c.rank == rank {
				l.widths[i] = noColumn
			}
		}
	}
	l.bend()
	return l
}

// sum returns how wide a line is if those columns that give way have no more than so
// many cells.
func (l *layout) sum(bent int) int {
	sum, gap := 0, 0
	for i := range l.columns {
		if l.widths[i] == noColumn {
			continue
		}
		width := l.widths[i]
		if l.columns[i].is != isFixed {
			width = min(width, bent)
		}
		sum += gap + width
		gap = l.columns[i].gap()
	}
	return sum
}

// bend gives the columns that give way what the others leave: as much as it takes to
// the short ones, and the same to all others.
func (l *layout) bend() {
	bent := l.line
	for bent > leastWidth && l.sum(bent) > l.line {
		bent--
	}
	rest := l.line - l.sum(bent)
	for i, c := range l.columns {
		if c.is == isFixed || l.widths[i] <= bent {
			continue
		}
		more := max(0, min(rest, l.widths[i]-bent))
		l.widths[i] = bent + more
		rest -= more
	}
}

// has reports whether any column of a rank is there.
func (l *layout) has(rank int) bool {
	for i, c := range l.columns {
		if c.rank == rank && l.widths[i] != noColumn {
			return true
		}
	}
	return false
}

// appendRow appends a line with the values of a row.
func (l *layout) appendRow(dst []byte, cells []string) []byte {
	start, gap := len(dst), 0
	for i, c := range l.columns {
		width := l.widths[i]
		if width == noColumn {
			continue
		}
		cell := cells[i]
		if c.is == isName {
			cell = shortName(cell, width)
		}
		if c.is != isFixed {
			cell = cutToCells(cell, width)
		}
		dst = appendBlanks(dst, gap)
		blanks := width - uniseg.StringWidth(cell)
		if c.right {
			dst = append(appendBlanks(dst, blanks), cell...)
		} else {
			dst = appendBlanks(append(dst, cell...), blanks)
		}
		gap = c.gap()
	}
	dst = dst[:start+len(bytes.TrimRight(dst[start:], " "))]
	if row := string(dst[start:]); uniseg.StringWidth(row) > l.line { // more fixed cells than there is room for
		dst = append(dst[:start], cutToCells(row, l.line)...)
	}
	return append(dst, '\n')
}

func appendBlanks(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

// titlesOf are the titles of columns.
func titlesOf(columns []column) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.title
	}
	return list
}

// needed returns how many cells the columns need for their titles and rows, of which
// it makes the values plain.
func needed(columns []column, rows [][]string) []int {
	need := make([]int, len(columns))
	for i, c := range columns {
		if need[i] = uniseg.StringWidth(c.title); c.rank == spare && !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" && row[i] != c.title }) {
			need[i] = noColumn
			continue
		}
		for _, row := range rows {
			row[i] = cutToCells(plainText(oneLine(row[i])), c.most)
			need[i] = max(need[i], uniseg.StringWidth(row[i]))
		}
	}
	return need
}

// printColumns prints a table that fits into the lines of a stream, with as wide
// columns as its values need, counted in the cells of a terminal.
func printColumns(w io.Writer, columns []column, rows [][]string) error {
	l := layOut(columns, needed(columns, rows), widthOf(w))
	out := bufio.NewWriter(w)
	line := func(cells []string) { _, _ = out.Write(l.appendRow(nil, cells)) } // Flush returns the error
	line(titlesOf(columns))
	for _, row := range rows {
		line(row)
	}
	return out.Flush()
}

// limited returns the first of a list, as many as a limit says; 0 is no limit.
func limited[T any](list []T, limit count) []T {
	if limit == 0 {
		return list
	}
	return list[:min(len(list), int(limit))]
}

// wrapped breaks a line of words at blanks, so that it fits into the lines of a stream.
func wrapped(w io.Writer, s string) string { return wrappedAt(w, 0, s) }

// wrappedAt does so with words that begin at a column, below which all lines begin.
func wrappedAt(w io.Writer, column int, s string) string {
	var b strings.Builder
	most, at := widthOf(w), column
	for word := range strings.SplitSeq(oneLine(s), " ") {
		cells := uniseg.StringWidth(word)
		switch {
		case b.Len() == 0:
		case at+1+cells > most:
			b.WriteString("\n" + strings.Repeat(" ", column))
			at = column
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += cells
	}
	return b.String()
}

// labelled is what the words of a line are set off from by blanks, if anything.
var labelled = regexp.MustCompile(`^ *(?:\S+(?: \S+)?  +)?`)

// wrappedLines breaks those lines of a text that are too wide for a terminal. What goes on
// begins below the words. Elsewhere a line stays one, which programs search.
func wrappedLines(w io.Writer, text string) string {
	if _, ok := terminalOf(w); !ok {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if whole := strings.TrimSuffix(line, "\n"); uniseg.StringWidth(whole) > widthOf(w) {
			label := labelled.FindString(whole)
			line = label + wrappedAt(w, uniseg.StringWidth(label), whole[len(label):]) + line[len(whole):]
		}
		b.WriteString(line)
	}
	return b.String()
}

// printWords prints a line of words behind a label. On a terminal that is too narrow for
// it they go on below each other.
func printWords(w io.Writer, label, words string) error {
	if _, ok := terminalOf(w); ok {
		words = wrappedAt(w, uniseg.StringWidth(label), words)
	}
	_, err := fmt.Fprintln(w, label+words)
	return err
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

// shortName returns a name with initials in place of the first names, if it is too
// long as it is.
func shortName(name string, most int) string {
	if uniseg.StringWidth(name) <= most {
		return name
	}
	last, first, ok := strings.Cut(name, ",")
	if !ok {
		return name
	}
	initials := ""
	for word := range strings.FieldsSeq(first) {
		g := uniseg.NewGraphemes(word)
		g.Next()
		initials += g.Str()
	}
	short := last + ", " + initials
	if g := uniseg.NewGraphemes(initials); uniseg.StringWidth(short) > most && g.Next() {
		short = last + ", " + g.Str()
	}
	return short
}

// gameTable writes a line about each game. The widths of the columns are those that
// the first games need.
type gameTable struct {
	columns []column // gameColumns, and others behind them
	line    int      // cells
	colour  bool
	label   func(model.RecordID) string // of a folder, else nil

	held []tableLine // lines that wait until the widths are known
	as   *layout     // nil until then
}

// tableLine is a line of a table.
type tableLine struct {
	style string
	cells []string
	text  string // in place of the columns behind the first two
}

// heldLines is how many games are looked at for the widths of columns.
const heldLines = 100

// gameColumns are the columns of a table of games.
var gameColumns = []column{
	number("id"), text("date", 0), person("White"), number("Elo").called("whiteElo"), person("Black"), number("Elo").called("blackElo").left(3),
	text("result", 0), text("ECO", 0).left(2), text("rd", 0).called("round").left(1), text("tournament", mostName),
}

// openingColumn has what people call the code of a game.
var openingColumn = text("opening", 40).left(spare)

// openingName is what people call an opening code, "" if there is none.
func openingName(code model.ECO) string {
	o, _ := eco.Named(code)
	return o.Name
}

// deletedMark stands before the number of a record that is marked as deleted.
const deletedMark = "x "

// newGameTable returns a table for a stream, which may be a terminal. It may have more
// columns than those of the games.
func newGameTable(w io.Writer, more ...column) *gameTable {
	_, is := terminalOf(w)
	columns := append(slices.Clone(gameColumns), more...)
	if tournament := &columns[len(gameColumns)-1]; len(more) > 0 && more[0].rank != spare {
		tournament.rank = 4 // it is the widest
	}
	return &gameTable{columns: columns, line: widthOf(w), colour: is && os.Getenv("NO_COLOR") == ""}
}

// terminalOf returns the terminal that a stream of the program ends in.
func terminalOf(w io.Writer) (*os.File, bool) {
	file, ok := behind(w).(*os.File)
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
	return t.appendLine(dst, tableLine{style: boldText, cells: titlesOf(t.columns)})
}

// appendRow appends the line of a record; those that are marked as deleted have a mark,
// and are faint on a terminal.
func (t *gameTable) appendRow(dst []byte, rec *model.Record, e *model.Entities, more ...string) []byte {
	line := tableLine{cells: append(gameCells(rec, e), more...)}
	if t.label != nil {
		line.cells[0] = t.label(rec.ID)
	}
	if rec.Deleted {
		line.style = faintText
		line.cells[0] = deletedMark + line.cells[0]
	}
	if rec.Text != nil {
		line.text = textTitle(rec.Text, e)
	}
	return t.appendLine(dst, line)
}

// gameCells are the values of a record in a table of games.
func gameCells(rec *model.Record, e *model.Entities) []string {
	cells := make([]string, len(gameColumns))
	cells[0] = strconv.Itoa(int(rec.ID))
	if rec.Text != nil {
		cells[1], cells[len(cells)-1] = "(text)", textTitle(rec.Text, e)
		return cells
	}
	g := rec.Game
	code, _, _ := strings.Cut(g.ECO.String(), "/")
	copy(cells[1:], []string{
		g.Date.String(), e.Players.Value(g.White).String(), orBlank(int(g.WhiteElo)),
		e.Players.Value(g.Black).String(), orBlank(int(g.BlackElo)), g.Result.String(), code, orBlank(int(g.Round)),
		e.Tournaments.Value(g.Tournament).Title,
	})
	return cells
}

// textTitle is what people call a guiding text.
func textTitle(t *model.GuidingText, e *model.Entities) string {
	for _, title := range t.Titles {
		if title.Text != "" {
			return title.Text
		}
	}
	return e.Tournaments.Value(t.Tournament).Title
}

// appendLine appends a line, or keeps it until the widths of columns are known.
func (t *gameTable) appendLine(dst []byte, line tableLine) []byte {
	for i := range line.cells {
		line.cells[i] = plainText(oneLine(line.cells[i]))
	}
	line.text = plainText(oneLine(line.text))
	if t.as != nil {
		return t.appendCells(dst, line)
	}
	t.held = append(t.held, line)
	if len(t.held) > heldLines {
		return t.appendHeld(dst)
	}
	return dst
}

// appendHeld appends the lines that were kept. It must be called at the end.
func (t *gameTable) appendHeld(dst []byte) []byte {
	if t.as == nil {
		var rows [][]string
		for _, line := range t.held {
			if line.text == "" {
				rows = append(rows, line.cells)
			} else {
				rows = append(rows, append(slices.Clone(line.cells[:2]), make([]string, len(t.columns)-2)...))
			}
		}
		need := needed(t.columns, rows)
		least := min(4, t.line) // later numbers are longer
		if len(t.columns) > len(gameColumns) && t.columns[len(gameColumns)].rank != spare {
			need[0] = max(need[0], least) // the last column does not give way
		}
		as := layOut(t.columns, need, t.line)
		as.widths[0] = max(as.widths[0], least)
		t.as = &as
	}
	for _, line := range t.held {
		dst = t.appendCells(dst, line)
	}
	t.held = nil
	return dst
}

// appendCells appends the cells of a line.
func (t *gameTable) appendCells(dst []byte, line tableLine) []byte {
	style := t.colour && line.style != ""
	if style {
		dst = append(dst, line.style...)
	}
	if line.text == "" {
		dst = t.as.appendRow(dst, line.cells)
	} else {
		rest := layout{columns: []column{gameColumns[0], gameColumns[1], text("", mostName)}, line: t.line}
		rest.widths = []int{t.as.widths[0], t.as.widths[1], uniseg.StringWidth(line.text)}
		rest.bend()
		dst = rest.appendRow(dst, []string{line.cells[0], line.cells[1], line.text})
	}
	if style {
		dst = append(dst[:len(dst)-1], usualText+"\n"...)
	}
	return dst
}
