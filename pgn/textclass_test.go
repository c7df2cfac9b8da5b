package pgn

import (
	"strings"
	"testing"

	"cbkit/internal/corpus"
	"cbkit/model"

	"pgregory.net/rapid"
)

// textParts are what texts are made of that are not what they seem.
var textParts = append([]string{"word", "e4", "  ", " ", ".", "{", "}", "~", "|", "\x7f", "\x1f", "ä", "[%clk 0:03:00]", "[%cbx", "[%pre 1]",
	"[%evaluation 1,2]", "[%eval -0.5]", "[%eval 1,2]", "[%e]", "[%medal x]", "]", "[%"}, nasty...)

// What is said of a text at a quick look is what a close one finds.
func TestClassOfText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(textParts), 0, 8).Draw(t, "parts"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		compareClass(t, text)
	})
}

// Every text of a real file likewise.
func TestClassOfRealTexts(t *testing.T) {
	db := readAll(t, corpus.Read(t, "pgn/lichess-big.pgn")[:200_000])
	texts := 0
	for _, rec := range db.List {
		for _, a := range rec.Game.Annotations {
			if text, ok := a.Value.(model.Text); ok {
				compareClass(t, text.Text)
				texts++
			}
		}
	}
	if texts == 0 {
		t.Error("no texts")
	}
}

func compareClass(t rapid.TB, text string) {
	class, plain := classOf(text), string(appendPlainWords(nil, text))
	odd := strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > 'z' || r == '[' }) ||
		strings.Contains(" "+text+" ", "  ") && text != ""
	switch {
	case class == plainWords && (plain != text || strings.Contains(text, "[")):
		t.Fatalf("%q is no plain words", text)
	case class == hasBracket && plain != text && !strings.Contains(text, ownCommand):
		t.Fatalf("%q is more than words and brackets: %q", text, plain)
	case class == oddText && !odd:
		t.Fatalf("%q is plain words", text)
	}
	var w losslessWriter
	if fast, slow := w.isExact(text), w.isExactOdd(text); fast != slow {
		t.Fatalf("%q reads back as it is: %v at a quick look, %v at a close one", text, fast, slow)
	}
}
