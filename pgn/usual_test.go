package pgn

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/internal/testkit/corpus"
	"cbkit/model"
)

// usualPieces are what is read at one look, and what looks like it.
var usualPieces = []string{
	"1. e4 ", "1... e5 ", "2. Nf3\n", "2... Nc6 ", "3. Bb5 ", "3...a6 ", "4.Ba4 ", "12. ", "1 ", "1\n", "\n1. d4 ", "10... ", "e4", "e5)", "Nf3)", "O-O ", "O-O\n",
	"exd5 ", "d5 ", "Nbd7 ", "e8=Q ", "bxc8(Q) ", "Qh5+ ", "Qxf7# ", "Nf3! ", "Nf3?? ", "b4b5 ", "-- ", "a", "xyz ", "ef ", "(", ")", "( ", " )", "(=)", "(1. d4) ", "(2. Nc3 Nf6) ",
	"$1 ", "$14\n", "$", "$0 ", "$220", "{ [%eval 0.17] [%clk 0:03:00] } ", "{[%clk 0:02:59.1]} ", "{[%clk 1] }", "{ [%eval #-3] }", "{ [%eval 0.17,20] } ", "{ [%eval 12345.678] } ",
	"{ [%clk 0:03:00] [%emt 0:00:07] } ", "{[%clk 0:03:00]  } ", "{[%clk ]} ", "{[%clk 1:2", "{} ", "{ } ", "{ a } ", "{a\nb} ", "{a  b}", " {c\n[Event \"x\"]\n[Site \"y\"]\n}",
	"\n\n", "\r\n", "\t", "*\n\n", "1-0\n\n", " 0-1\r\n\r\n", "\n1/2-1/2\n\n\n", "; 1-0\n\n", "\n% 1-0\n\n", "[x 1-0\n\n", "{ 1-0\n\n",
	"[Event \"a\"]\n", "[Event \"b\"]\n[Site \"c\"]\n\n", "\n[Event \"d\"]\n", "[GameId \"1\"]\n",
}

func usualText(t *rapid.T) string {
	pieces := rapid.SliceOfN(rapid.SampledFrom(slices.Concat(usualPieces, tricky)), 0, 40).Draw(t, "pieces")
	return rapid.SampledFrom([]string{"", "1. e4 ", "[Event \"a\"]\n\n1. e4 "}).Draw(t, "front") + strings.Join(pieces, "")
}

// TestUsualMovesAreNoOthers reads text with and without looking for what is
// usual: everything said of the games is the same.
func TestUsualMovesAreNoOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := usualText(t)
		opt := &ReaderOptions{KeepGoing: rapid.Bool().Draw(t, "keep going")}
		want := rapid.SampledFrom([]model.Want{model.WantAll, 0}).Draw(t, "want")
		checkUsual(t, opt, want, text)
	})
}

// TestUsualMovesOfRealGames does it with real games, and with each of their
// first ones changed at random.
func TestUsualMovesOfRealGames(t *testing.T) {
	for _, name := range []string{"pgn/lichess-big.pgn", "pgn/eco.pgn"} {
		text := string(corpus.Read(t, name))
		text = text[:min(len(text), 1<<20)]
		checkUsual(t, &ReaderOptions{}, model.WantAll, text)
		rapid.Check(t, func(t *rapid.T) {
			from := rapid.IntRange(0, len(text)-1).Draw(t, "from")
			part := []byte(text[from:min(len(text), from+4<<10)])
			for range rapid.IntRange(1, 10).Draw(t, "changes") {
				at := rapid.IntRange(0, len(part)-1).Draw(t, "at")
				part[at] = rapid.SampledFrom([]byte(" \n{}()[];%$1*.\r\"ax\x00\xA0\xE2")).Draw(t, "byte")
			}
			checkUsual(t, &ReaderOptions{}, model.WantAll, string(part))
		})
	}
}

func checkUsual(t rapid.TB, opt *ReaderOptions, want model.Want, text string) {
	t.Helper()
	careful := newParser(opt, want)
	careful.careful = true
	if diff := cmp.Diff(gamesOf(careful, wholeBatch(text)), gamesOf(newParser(opt, want), wholeBatch(text))); diff != "" {
		t.Fatalf("%q: %s", text, diff)
	}
}

// TestUsualCutsAreCuts cuts text at one look and by skimming: where the first
// cuts the second does too, and the games are the same.
func TestUsualCutsAreCuts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := usualText(t)
		cutsOf := func(every bool) (all []int, games []string) {
			p := newParser(&ReaderOptions{}, model.WantAll)
			splitInto(strings.NewReader(text), every, func(b *batch) { all, games = slices.Clone(b.cuts), gamesOf(p, b) })
			return all, games
		}
		every, want := cutsOf(true)
		some, got := cutsOf(false)
		for _, cut := range some {
			if !slices.Contains(every, cut) {
				t.Fatalf("%q is cut at %d, and should be at %d", text, cut, every)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q, cut at %d instead of %d: %s", text, some, every, diff)
		}
	})
}

// TestUsualCutsFindAll cuts real games, which are as usual: none is missed, so
// that nothing has to be skimmed.
func TestUsualCutsFindAll(t *testing.T) {
	text := corpus.Read(t, "pgn/lichess-big.pgn")
	count := func(every bool) (n int) {
		splitInto(bytes.NewReader(text), every, func(b *batch) { n += len(b.cuts) })
		return n
	}
	if got, want := count(false), count(true); got != want {
		t.Errorf("%d games, want %d", got, want)
	}
}

// A comment is looked over once for what decides how it is read.
func TestLookOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.SampledFrom([]byte("aaaaaaaaaaaa    \n\n[\t\r\x01\x00\x1f!\x80\x8a\xa0\xdb\xff")), 0, 40).Draw(t, "text"))
		spaced, lines, bracket := lookOver(text)
		words := strings.FieldsFunc(text, func(r rune) bool { return r < 0x80 && isBlank(byte(r)) })
		want := text == "" || strings.Join(words, " ") != strings.ReplaceAll(text, "\n", " ")
		if spaced != want || lines != strings.Contains(text, "\n") || bracket != strings.Contains(text, "[") {
			t.Fatalf("%q: %t %t %t", text, spaced, lines, bracket)
		}
	})
}
