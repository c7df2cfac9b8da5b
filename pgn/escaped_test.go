package pgn

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/model"
)

// A text whose only oddity are line breaks, and blanks that a comment does not keep, is
// written with signs for them and not in base64.
func TestOddBlanksAreWrittenAsSigns(t *testing.T) {
	for text, want := range map[string]string{
		"ends in a blank ":    `{[%cbtext escaped] ends in a blank\s}`,
		"ends in a line\n":    `{[%cbtext escaped] ends in a line\n}`,
		"one\ntwo\r\n\tthree": `{[%cbtext escaped] one\ntwo\r\n\tthree}`,
		" a  b \\ c":          `{[%cbtext escaped] \sa \sb \\ c}`,
		" ":                   `{[%cbtext escaped] \s}`,
		`C:\new\s`:            `{C:\new\s}`,
		"a\n[#] " + diagram:   `{[%cbtext data=`,
		"closed } \n":         `{[%cbtext data=`,
		"a \x01":              `{[%cbtext data=`,
	} {
		db := readAll(t, []byte("1. e4 *"))
		g := db.List[0].Game
		g.Annotate(0, model.Text{Text: text})
		written, losses := writeAll(t, db, WriterOptions{})
		moves := string(written[strings.Index(string(written), "1. e4"):])
		if !strings.HasPrefix(moves, "1. e4 "+want) || len(losses) > 0 {
			t.Errorf("%q is written as %s, want %s; %v", text, moves, want, losses)
		}
		if back := readAll(t, written).List[0].Game.Annotations; len(back) != 1 || !back[0].Value.Equal(model.Text{Text: text}) {
			t.Errorf("%q reads back as %v", text, back)
		}
	}
}

// Any such texts read back as they are, wherever lines are broken.
func TestOddBlanksReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{"word", " ", "  ", "\n", "\r\n", "\t", "\\", `\n`, `\s`, "[#]", "[%csl Ge4]", diagram, "}", "ü", "(", "1. e4", strings.Repeat("x", 70)}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "text"), "")
		db := readAll2(t, "1. e4 (1. d4) e5 *")
		g := db.List[0].Game
		value := model.Text{Text: text, Before: rapid.Bool().Draw(t, "before"), Language: rapid.SampledFrom([]model.Language{model.AnyLanguage, model.German}).Draw(t, "language")}
		g.Annotate(rapid.IntRange(0, 2).Draw(t, "node"), value)
		back := readAll2(t, string(AppendGame(nil, g, &db.Tables)))
		if got, want := back.List[0].Game.Resolve(&back.Tables), g.Resolve(&db.Tables); !got.Equal(want) {
			t.Fatalf("%q reads back as %v", text, got.Annotations)
		}
	})
}

// readAll2 is readAll for any test.
func readAll2(t rapid.TB, text string) *model.Database {
	db, _ := gamesIn(text)
	if len(db.List) != 1 {
		t.Fatalf("%d games in %s", len(db.List), text)
	}
	return db
}
