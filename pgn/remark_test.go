package pgn

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cbkit/model"
)

// readReporting reads a text and returns the games, written again, and what
// was reported.
func readReporting(t *testing.T, text string, opt ReaderOptions) (games, reports []string) {
	t.Helper()
	opt.File = "x.pgn"
	opt.Report = func(l model.Loss) { reports = append(reports, string(l.Kind)+": "+l.String()) }
	r := NewReader(strings.NewReader(text), opt)
	for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			games = append(games, err.Error())
			continue
		}
		tags, moves, _ := strings.Cut(string(AppendGame(nil, rec.Game, r.Entities())), "\n\n")
		event := strings.TrimPrefix(strings.Split(tags, "\n")[0], "[Event ")
		games = append(games, event[:len(event)-1]+" "+strings.Join(strings.Fields(moves), " "))
	}
	return games, reports
}

// A readingTest is a text, and what the reader makes of it: the games, with their event
// and moves, or the errors in their place, and what is reported.
type readingTest struct {
	name, text     string
	games, reports []string
}

func (test readingTest) run(t *testing.T) {
	games, reports := readReporting(t, test.text, ReaderOptions{})
	if diff := cmp.Diff(test.games, games); diff != "" {
		t.Error("games:", diff)
	}
	if diff := cmp.Diff(test.reports, reports); diff != "" {
		t.Error("reports:", diff)
	}
}

func TestReports(t *testing.T) {
	tests := []readingTest{
		{"nothing to say", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {x} 1-0\n\n\x1a", []string{`"a" 1. e4 {x} 1-0`}, nil},
		{"results that differ", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4\n0-1\n", []string{`"a" 1. e4 1-0`},
			[]string{"read otherwise: record 1: Result: x.pgn:5: the tag says 1-0, the end of the moves 0-1; the tag counts"}},
		{"no result at the end", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 *\n", []string{`"a" 1. e4 1-0`}, nil},
		{"NAG 0", "[Event \"a\"]\n\n1. e4\n$0 *\n", []string{`"a" 1. e4 *`},
			[]string{`read otherwise: record 1: symbols: x.pgn:4: "$0" says nothing; left out`}},
		{"words at the end", "[Event \"a\"]\n\n1. e4\nWhite resigns 0-1\n", []string{`"a" 1. e4 {White resigns} 0-1`},
			[]string{`read otherwise: record 1: moves: x.pgn:4: "White resigns" behind the last move became a comment`}},
		{"text in front and behind", "Dear John,\n\n[Event \"a\"]\n\n1. e4 *\n\nGame 2:\n\n[Event \"b\"]\n\n*\n\nYours\n", []string{`"a" 1. e4 *`, `"b" *`},
			[]string{`read otherwise: text: x.pgn:1: "Dear John," belongs to no game; left out`,
				`read otherwise: text: x.pgn:7: "Game 2:" belongs to no game; left out`,
				`read otherwise: text: x.pgn:13: "Yours" belongs to no game; left out`}},
		{"comments in front", "{one} ; two\n{three}\n\n[Event \"a\"]\n\n{four} 1. e4 *\n", []string{`"a" {one two three four} 1. e4 *`}, nil},
		{"a comment before the next game", "[Event \"a\"]\n\n1. e4 *\n\n{one}\n; two\n\n[Event \"b\"]\n\n*\n", []string{`"a" 1. e4 *`, `"b" {one two} *`}, nil},
		{"a comment before moves", "1. e4 *\n\n{one} 1. d4 *\n", []string{`"?" 1. e4 *`, `"?" {one} 1. d4 *`}, nil},
		{"a comment behind the result", "[Event \"a\"]\n\n1. e4 *\n{one}\n\n[Event \"b\"]\n\n*\n", []string{`"a" 1. e4 {one} *`, `"b" *`}, nil},
		{"a comment behind the last result", "[Event \"a\"]\n\n1. e4 *\n\n{one}\n", []string{`"a" 1. e4 {one} *`}, nil},
		{"comments among tags", "[Event \"a\"]\n; one\n[Site \"s\"]\n{two\n}\n[White \"w\"]\n\n1. e4 *\n", []string{`"a" {one two} 1. e4 *`}, nil},
		{"a bracket that is no tag", "[Event \"a\"]\n[ \"x\"]\n[-a b]\n[White \"w\"]\n\n1. e4 *\n", []string{`"a" 1. e4 *`},
			[]string{`read otherwise: record 1: tag: x.pgn:2: "[ \"x\"] [-a b]" is no tag; left out`}},
		{"a comment with tags", "[Event \"a\"]\n\n1. e4 {see\n[Event \"b\"]\n[White \"c\"]\n\n1. d4} e5 *\n",
			[]string{`"a" 1. e4 {see [Event "b"] [White "c"] 1. d4} 1... e5 *`},
			[]string{"read otherwise: record 1: comment: x.pgn:3: it holds the tags of a game; is a } missing in front of them?"}},
	}
	for _, test := range tests {
		t.Run(test.name, test.run)
	}
}

// TestCutGames reads games with bad moves: each is reported by itself.
func TestCutGames(t *testing.T) {
	const text = "[Event \"a\"]\n\n1. e4 e5\n2. Ke3 Nf6 1-0\n\n[Event \"b\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. Nd5 *\n"
	games, reports := readReporting(t, text, ReaderOptions{KeepGoing: true})
	if diff := cmp.Diff([]string{`"a" 1. e4 e5 {Ke3 Nf6} 1-0`, `"b" 1. d4 *`, `"c" {Nd5} *`}, games); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"cut game: record 1: moves: x.pgn:4: game 1: 2.Ke3: no legal move fits; the rest of the game became a comment",
		"cut game: record 3: moves: x.pgn:12: game 3: 1.Nd5: no legal move fits; the rest of the game became a comment",
	}, reports); diff != "" {
		t.Error(diff)
	}
}
