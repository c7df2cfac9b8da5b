package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
	"golang.org/x/sys/unix"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
)

// terminal is a pseudo-terminal: what the program takes for one, and what is seen there.
type terminal struct {
	*os.File
	seen chan string
}

// newTerminal opens a pseudo-terminal that is so wide.
func newTerminal(t *testing.T, width int) *terminal {
	t.Helper()
	master := must.Get(os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0))(t)
	t.Cleanup(func() { _ = master.Close() })
	fd := int(master.Fd())
	n := must.Get(unix.IoctlGetInt(fd, unix.TIOCGPTN))(t)
	must.Do(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	must.Do(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(width)}))
	slave := must.Get(os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0))(t)
	term := &terminal{slave, make(chan string, 1)}
	go func() {
		all, _ := io.ReadAll(master) // ends with an error when the last one has closed it
		term.seen <- string(all)
	}()
	return term
}

// onTerminal runs the program on a terminal of a width, and returns what was written to
// it and the lines that stand there in the end.
func onTerminal(t *testing.T, width int, args ...string) (written string, lines []string, status int) {
	t.Helper()
	term := newTerminal(t, width)
	status = runOn(t, strings.NewReader(""), term.File, term.File, args)
	_ = term.Close()
	written = <-term.seen
	return written, screenOf(written, width), status
}

// screenOf returns the lines that a terminal shows, without blanks at their ends.
func screenOf(written string, width int) []string {
	var lines [][]string // a text for each cell, "" behind a wide one
	at, line := 0, 0
	put := func(s string, cells int) {
		if at+cells > width {
			at, line = 0, line+1
		}
		for len(lines) <= line {
			lines = append(lines, nil)
		}
		for len(lines[line]) < at+cells {
			lines[line] = append(lines[line], " ")
		}
		lines[line][at] = s
		for i := 1; i < cells; i++ {
			lines[line][at+i] = ""
		}
		at += cells
	}
	for g := uniseg.NewGraphemes(written); g.Next(); {
		switch s := g.Str(); s {
		case "\r\n":
			at, line = 0, line+1
		case "\n":
			line++
		case "\r":
			at = 0
		case "\x1b": // a style: to its letter
			for g.Next() && !(g.Str() >= "a" && g.Str() <= "z" || g.Str() >= "A" && g.Str() <= "Z") {
			}
		default:
			put(s, max(1, g.Width()))
		}
	}
	var texts []string
	for _, cells := range lines {
		texts = append(texts, strings.TrimRight(strings.Join(cells, ""), " "))
	}
	return texts
}

// wideNames is a database with names in several scripts.
const wideNames = `[Event "Чемпионат мира по шахматам среди клубных команд, финальный турнир"]
[Site "Москва"]
[Date "2016.07.30"]
[Round "3"]
[White "Непомнящий, Ян Александрович"]
[Black "侯逸凡侯逸凡侯逸凡侯逸凡侯逸凡侯逸凡侯逸凡侯逸凡"]
[Result "1-0"]
[WhiteElo "2703"]
[BlackElo "2655"]
[ECO "C67"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 1-0

[Event "Schach-Bundesliga der Frauen und Männer mit einem sehr langen Namen"]
[Site "Baden-Baden"]
[Date "2016.07.31"]
[Round "4"]
[White "Bhattacharyya-Schwarzenberger, Anna Maria Theresia"]
[Black "Непомнящий, Ян Александрович"]
[Result "1/2-1/2"]
[WhiteElo "2703"]
[BlackElo "2655"]
[ECO "B90"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1/2-1/2
`

// No row of a table is wider than the terminal, and no bar is left on it, in any verb.
func TestScreensFitTheTerminal(t *testing.T) {
	twic, small := corpus.Path(t, "cbh/twic1134/twic1134.cbh"), corpus.Path(t, "cbh/small/small.cbh")
	hedgehog := corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh")
	here(t)
	save(t, "wide.pgn", wideNames)
	mustRun(t, "import", "-q", "wide.pgn", "Wide.cbh")
	mustRun(t, "edit", "-q", "Wide.cbh", "--append", "wide.pgn", "--delete", "4")
	for _, db := range []string{"Wide.cbh", "wide.pgn", twic, small, hedgehog} {
		if testing.Short() && (db == twic || db == hedgehog) {
			continue // they are large
		}
		for _, verb := range [][]string{
			{"list", db, "players", "--limit", "40"}, {"list", db, "tournaments"}, {"list", db, "annotators"}, {"list", db, "teams", "--limit", "20"},
			{"stats", db, "--limit", "5"}, {"report", db, "--best", "3"}, {"report", db, "1.e4 c5"}, {"find", db, "year:1900..", "--limit", "30"},
			{"find", db, "kind:text"}, {"info", db}, {"verify", db}, {"find", "--terms"},
		} {
			if verb[0] == "verify" && db == "wide.pgn" {
				continue
			}
			for _, width := range []int{80, 120} {
				written, lines, _ := onTerminal(t, width, verb...)
				name := fmt.Sprintf("%d columns: cbkit %s", width, strings.Join(verb, " "))
				for _, line := range lines {
					if strings.Contains(line, "% |") || strings.Contains(line, "[0s") {
						t.Errorf("%s: a bar is left: %q", name, line)
					}
				}
				for i, line := range strings.Split(strings.ReplaceAll(written, "\r\n", "\n"), "\n") {
					line = line[strings.LastIndexByte(line, '\r')+1:] // behind a bar that is gone
					for _, style := range []string{boldText, faintText, usualText} {
						line = strings.ReplaceAll(line, style, "")
					}
					if cells := uniseg.StringWidth(line); cells > width && !strings.HasPrefix(line, "cbkit: ") {
						t.Errorf("%s: line %d has %d cells: %q", name, i+1, cells, line)
					}
				}
				if len(lines) == 0 {
					t.Errorf("%s: nothing is printed", name)
				}
			}
		}
	}
}

// So does what is no table: the demo, and what is said of books.
func TestOtherScreensFitTheTerminal(t *testing.T) {
	here(t)
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.ctg")
	mustRun(t, "book", "build", "-q", "games.pgn", "Book.bin")
	for _, args := range [][]string{{"demo"}, {"book", "info", "Book.ctg"}, {"info", "Book.bin"}, {"help", "flags"}, {"help"}} {
		written, lines, status := onTerminal(t, 80, args...)
		if status != exitDone || len(lines) > strings.Count(written, "\n") {
			t.Errorf("%q: status %d, or wider than the terminal: %s", args, status, strings.Join(lines, "\n"))
		}
	}
}

// What matters least goes first, and names have initials before they are cut.
func TestNarrowTables(t *testing.T) {
	here(t)
	save(t, "wide.pgn", wideNames)
	mustRun(t, "import", "-q", "wide.pgn", "Wide.cbh")
	mustRun(t, "edit", "-q", "Wide.cbh", "--delete", "2")
	for _, c := range []struct {
		width int
		args  string
		want  []string
	}{
		{80, "find Wide.cbh year:2016", []string{
			"  id  date        White            Elo  Black           result  rd  tournament",
			"   1  2016.07.30  Непомнящий, ЯА  2703  侯逸凡侯逸凡…   1-0     3   Чемпионат м…",
			"1 found",
		}},
		{120, "find Wide.cbh year:2016 deleted:yes", []string{
			"  id  date        White                      Elo  Black                    Elo  result   ECO  rd  tournament",
			" x 2  2016.07.31  Bhattacharyya-Schwarzen…  2703  Непомнящий, Ян Алексан  2655  1/2-1/2  B90  4   Schach-Bundesliga der…",
			"1 found",
		}},
		{80, "stats wide.pgn Непомнящий", []string{
			"Непомнящий, Ян Александрович: 2 games, 2016",
		}},
	} {
		_, lines, _ := onTerminal(t, c.width, strings.Fields(c.args)...)
		for i, want := range c.want {
			if i >= len(lines) || lines[i] != want {
				t.Errorf("%d columns: cbkit %s:\n%s\nwant in line %d\n%s", c.width, c.args, strings.Join(lines, "\n"), i+1, want)
				break
			}
		}
	}
}

// What a check finds goes on below its words on a terminal, and is a line of its own
// everywhere else.
func TestFindingsFitTheTerminal(t *testing.T) {
	hedgehog := corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh")
	here(t)
	mustRun(t, "import", "-q", "games.pgn", "A-name-that-is-rather-long-for-a-database.cbh")
	mustRun(t, "boosters", "-q", "A-name-that-is-rather-long-for-a-database.cbh")
	for _, ext := range []string{".cbp", ".cit2"} { // the first player, and the first list
		name := "A-name-that-is-rather-long-for-a-database" + ext
		b := must.Get(os.ReadFile(name))(t)
		b[len(b)-5] ^= 0x55
		save(t, name, string(b))
	}
	const db = "A-name-that-is-rather-long-for-a-database.cbh"
	for _, args := range [][]string{
		{"check", "-q", db}, {"check", "-q", db, "--max", "-1"}, {"check", "-q", db, "--repair", "--dry-run"}, {"boosters", "-q", "--check", db},
		{"check", "-q", hedgehog}, {"check", "-q", hedgehog, "--max", "-1"},
	} {
		_, lines, _ := onTerminal(t, 80, args...)
		written, _, _ := onTerminal(t, 80, args...)
		for line := range strings.SplitSeq(strings.ReplaceAll(written, "\r\n", "\n"), "\n") {
			if cells := uniseg.StringWidth(line); cells > 80 {
				t.Errorf("%v: %d cells: %q", args, cells, line)
			}
		}
		r := cbkit(t, "", args...)
		joined := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		for line := range strings.Lines(r.out) {
			if words := strings.Join(strings.Fields(line), " "); !strings.Contains(joined, words) {
				t.Errorf("%v: not on the terminal: %q", args, words)
			}
		}
		if plain := strings.Count(r.out, "\n"); plain >= len(lines) {
			t.Errorf("%v: %d lines of %d on a terminal", args, plain, len(lines))
		}
	}
}

// A bar is there while a work takes long, and goes before anything else is printed.
func TestBarsAreNotLeft(t *testing.T) {
	term := newTerminal(t, 80)
	on := &screen{}
	errors := plainWriter{to: term.File, screen: on}
	for range 2 {
		bar := newProgress(errors, false, 1000, "reading", "games")
		bar.set(1, 1000)
		on.since = time.Now().Add(-time.Minute) // it has taken long
		time.Sleep(120 * time.Millisecond)      // bars are drawn so often
		bar.set(500, 1000)
		if on.cells == 0 {
			t.Error("there is no bar")
		}
		fmt.Fprintln(errors, "an answer")
		bar.done()
	}
	_ = term.Close()
	written := <-term.seen
	if lines := screenOf(written, 80); len(lines) != 2 || lines[0] != "an answer" || lines[1] != "an answer" || !strings.Contains(written, "reading") {
		t.Errorf("%q", lines)
	}
}

// TestMessagesOnTerminal breaks messages at words, below the words that they go on.
func TestMessagesOnTerminal(t *testing.T) {
	term := newTerminal(t, 30)
	w := plainWriter{to: term.File, screen: &screen{}, messages: true}
	fmt.Fprint(w, "cbkit: a message that is wider than the terminal\n       3  kinds of something that is lost\nshort\n")
	_ = term.Close()
	want := []string{"cbkit: a message that is wider", "than the terminal", "       3  kinds of something", "          that is lost", "short"}
	if lines := screenOf(<-term.seen, 30); !slices.Equal(lines, want) {
		t.Errorf("%q", lines)
	}
	var file bytes.Buffer
	fmt.Fprint(plainWriter{to: &file, screen: &screen{}, messages: true}, strings.Repeat("word ", 30)+"\n")
	if strings.Count(file.String(), "\n") != 1 {
		t.Errorf("in a file: %q", file.String())
	}
}

// A picture in pixels is kept off a terminal.
func TestPictureOnTerminal(t *testing.T) {
	here(t)
	save(t, "g.pgn", "1. e4 *\n")
	if written, _, status := onTerminal(t, 80, "show", "g.pgn", "1", "--png"); status != exitUsage || written != "cbkit: --png: a terminal shows no picture; send it to a file with > NAME.png\r\n" {
		t.Errorf("%d %q", status, written)
	}
}
