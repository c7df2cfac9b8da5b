package pgn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/model"
)

// tricky are pieces of text in which it is hard to tell what begins where.
var tricky = []string{
	"[Event \"a\"]\n", "[Site \"b\"]", "[White \"z\"]\n", "\n[ x \"y\"]\n", "[x \"y\"] ", "[GameId \"1\"]\n", "[Eve", "[Site\n\"y\"]\n", "[Date \"a\nb\"]\n",
	"[Event “a”]\n", "[Annotator \"\\\"]\"]\n", "[sic]", "[%clk 1]", "[#]", "\n\n", "\n", "\r\n", " ", "\t", "\u00A0", "\uFEFF", "\xA0", "\xEF\xBB", "\x00",
	"{", "}", "{c}", "{c}\n\n", "\n\n{d}\n", ";", "; l\n", "\n%", "%", "% e\n", "(", ")", "(=)", "<d>", "<", "$1", "$", "!", "?!", ".", "…", "*", "\"",
	"1. e4 ", "1. d4", "\n\n1. c4 ", "e5 ", "2. Nf3", "1... c5 ", "e8(Q)", "1-0", "1-0\n", " 1/2-1/2 ", "½", "1 - 0", "0-0", "0.5-0.5", "1–0", "x", "Sf3 ",
	strings.Repeat("x", 100),
	"> ", ">\n", ",", "|", "**", "- ", "e4 ", "<br />", "e4 [Event \"e\"]\n", "> [Site \"s\"]\n", "> [GameId \"2\"]\n", "[pgn]", "[/pgn]\n", "[Fen \"x\"]\n",
	"Nf31-0\n", "0-0\n", "(1. d4 d5)", "1-0 (1. c4)\n", "---", "※ ", "e4‼ ", "\n\n   1. d4 ", "1/2-0", "OO ", "\\", "1. ",
}

func trickyText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(tricky), 0, 40).Draw(t, "pieces"), "")
}

// TestSkimSeesWhatNextSees reads text at both speeds: the structure is the same,
// also where the text comes in pieces.
func TestSkimSeesWhatNextSees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(trickyText(t))
		var want, got []string
		full := lexer{text: text, complete: true, last: true}
		for u := full.next(); u.kind != tokEnd; u = full.next() {
			if isComment(u.kind) || u.kind == tokTag || u.kind == tokBracket {
				want = append(want, fmt.Sprint(u))
			}
		}
		step := rapid.IntRange(1, 200).Draw(t, "step")
		for fast, n := (lexer{}), 0; n <= len(text)+step; n += step {
			fast.text, fast.complete = text[:min(n, len(text))], n >= len(text)
			fast.last = fast.complete
			for u, found := fast.skim(); found; u, found = fast.skim() {
				got = append(got, fmt.Sprint(u))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q in steps of %d: %s", text, step, diff)
		}
	})
}

// TestCutsChangeNothing reads text in one piece and as the splitter cuts it: the
// games are the same.
func TestCutsChangeNothing(t *testing.T) {
	for _, text := range []string{"[Eve\n\n[Event \"a\"]\n"} {
		cutsChangeNothing(t, text, false)
	}
	rapid.Check(t, func(t *rapid.T) {
		cutsChangeNothing(t, trickyText(t), rapid.Bool().Draw(t, "keep going"))
	})
}

func cutsChangeNothing(t rapid.TB, text string, keepGoing bool) {
	p := newParser(&ReaderOptions{KeepGoing: keepGoing}, model.WantAll)
	whole := gamesOf(p, wholeBatch(text))
	for _, every := range []bool{true, false} {
		var chunks []string
		splitInto(strings.NewReader(text), every, func(b *batch) { chunks = gamesOf(p, b) })
		if diff := cmp.Diff(whole, chunks); diff != "" {
			t.Fatalf("%q, cut %q: %s", text, splitAll(strings.NewReader(text)), diff)
		}
	}
}

// wholeBatch is a text that is not cut.
func wholeBatch(text string) *batch {
	return &batch{text: []byte(text), cuts: []int{len(text)}, line: 1, last: true, ends: true}
}

// gamesOf reads a batch and returns all that the parser says of it.
func gamesOf(p *parser, b *batch) (games []string) {
	p.batch(b)
	for i := range b.games.len() {
		g := b.games.at(i)
		games = append(games, fmt.Sprint(g.err, g.isGame, g.headed, g.openTag, g.at, g.names, g.game.Result, g.game.Tags, g.game.Moves.Nodes(),
			g.game.Annotations, g.remarks))
		for _, c := range g.cuts {
			games = append(games, fmt.Sprint(c.err, c.what))
		}
	}
	for _, r := range b.left {
		games = append(games, fmt.Sprint(r))
	}
	return games
}
