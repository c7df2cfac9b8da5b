package pgn

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/model"
)

// commandsIn returns the commands of a text that stand whole on a line, as most
// programs look for them.
func commandsIn(text string) (list []string) {
	for line := range strings.Lines(text) {
		list = append(list, regexp.MustCompile(`\[%[a-z]+(?: [^\]\n]*)?\]`).FindAllString(line, -1)...)
	}
	slices.Sort(list)
	return list
}

// Every command of a comment stands whole on its line, however the text around it
// is wrapped, in both forms.
func TestCommandsStayWhole(t *testing.T) {
	commands := []string{
		"[%clk 0:03:00]", "[%eval 0.17]", "[%eval #-3]", "[%emt 0:32:14]", "[%csl Ge4,Rd5]", "[%x a b c d e f g]", "[%cal Ge2e4]",
		"[%long " + strings.Repeat("of many words ", 12) + "]",
	}
	for _, words := range []string{"", "a ", "é ", "{ [%x ", "% ; "} {
		for n := range 90 {
			var body, want []string
			for i, c := range commands {
				body = append(body, strings.Repeat(words, (n+i*7)%13)+strings.Repeat("w", (n*(i+3))%70), c)
				want = append(want, c)
			}
			slices.Sort(want)
			text := "[Event \"x\"]\n\n1. e4 {" + strings.Join(body, " ") + "} *\n"
			db := readAll(t, []byte(text))
			g := db.List[0].Game
			lossless := string(AppendGame(nil, g, &db.Tables))
			if got := commandsIn(lossless); !slices.Equal(got, want) && !strings.Contains(words, "[%") {
				t.Fatalf("commands %q\n%s", got, lossless)
			}
			if back := readAll(t, []byte(lossless)); !model.Equal(db, back) {
				t.Fatalf("%d, %q: not the same game:\n%s", n, words, lossless)
			}
			plain := string(AppendPlainGame(nil, g, &db.Tables))
			if got := commandsIn(plain); len(got) < len(want) && !strings.Contains(words, "[%") {
				t.Fatalf("plain: %d commands of %d\n%s", len(got), len(want), plain)
			}
			for line := range strings.Lines(lossless) {
				if len([]rune(line)) > lineWidth+1 && !strings.Contains(line, "[%long") && !strings.Contains(words, "%") {
					t.Fatalf("a line of %d characters: %s", len(line), line)
				}
			}
		}
	}
}

// Those of our own, which hold what PGN has no word for, are whole however much that
// is, and wherever they stand.
func TestOwnCommandsStayWhole(t *testing.T) {
	for n := range 300 {
		long := strings.Repeat(" odd  {words}", n)
		db := &model.Database{}
		g := model.NewGame()
		g.Moves.Append(model.NewMove(model.E2, model.E4))
		g.Annotate(0, model.Text{Text: strings.Repeat("word ", n%20) + "x"})
		g.Annotate(0, model.Opaque{Format: "cbh", Type: 8, Data: []byte(long)})
		g.Annotate(0, model.Text{Language: model.German, Text: "a" + long})
		db.AddGame(g)
		text := AppendGame(nil, g, &db.Tables)
		if got := commandsIn(string(text)); len(got) != strings.Count(string(text), "[%") || len(got) < 2 || strings.Contains(string(text), " ]") {
			t.Fatalf("%d commands are whole:\n%s", len(got), text)
		}
		if back := readAll(t, text); !model.Equal(db, back) {
			t.Fatalf("not the same game:\n%s", text)
		}
	}
}

// The same for all games of a real file.
func TestRealCommandsStayWhole(t *testing.T) {
	text := string(corpus.Read(t, "pgn/lichess-big.pgn"))
	if testing.Short() {
		text = text[:400_000]
	}
	text = text[:strings.LastIndex(text, "[Event ")]
	db := readAll(t, []byte(text))
	want := len(commandsIn(text))
	for _, plain := range []bool{false, true} {
		var enc encoder
		enc.init(plain, nil)
		var out []byte
		for _, rec := range db.List {
			out = enc.appendGame(out, rec.Game, &db.Tables)
		}
		if got := len(commandsIn(string(out))); got != want || want == 0 {
			t.Errorf("plain %v: %d commands are whole, %d were", plain, got, want)
		}
	}
}
