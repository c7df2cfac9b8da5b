package pgn

import (
	"strings"
	"testing"

	"cbkit/model"
)

// oddTexts are texts as people and programs really have them, and worse.
var oddTexts = []readingTest{
	// Where games begin.
	{"a mark in front of a later game", "[Event \"A\"]\n\n1. e4 1-0\n\n\uFEFF[Event \"B\"]\n[White \"W\"]\n\n1. d4 0-1\n",
		[]string{`"A" 1. e4 1-0`, `"B" 1. d4 0-1`}, nil},
	{"a mark in front of moves", "\uFEFF1. e4 1-0\n\uFEFF1. d4 0-1\n", []string{`"?" 1. e4 1-0`, `"?" 1. d4 0-1`}, nil},
	{"a tag behind a result", "[Event \"A\"]\n\n1. e4 1-0 [Event \"B\"]\n[White \"W\"]\n\n1. d4 0-1\n",
		[]string{`"A" 1. e4 1-0`, `"B" 1. d4 0-1`}, nil},
	{"another tag behind a result", "[Event \"A\"]\n\n1. e4 1-0 [GameId \"B\"]\n[White \"W\"]\n\n1. d4 0-1\n",
		[]string{`"A" 1. e4 1-0`, `"?" 1. d4 0-1`}, nil},
	{"a tag behind moves", "[Event \"A\"]\n\n1. e4 [Event \"B\"]\n[White \"W\"]\n\n1. d4 0-1\n", []string{`"A" 1. e4 *`, `"B" 1. d4 0-1`}, nil},
	{"a tag behind a hard blank", "[Event \"A\"]\n\n1. e4 1-0\n\n\u00A0[Event \"B\"]\n\u00A0[White \"W\"]\n\n1. d4 0-1\n",
		[]string{`"A" 1. e4 1-0`, `"B" 1. d4 0-1`}, nil},
	{"a tag behind a hard blank of a code page", "[Event \"A\"]\n\n1. e4 1-0\n\n\xA0[Event \"B\"]\n[White \"\xC4\"]\n\n1.\xA0d4 0-1\n",
		[]string{`"A" 1. e4 1-0`, `"B" 1. d4 0-1`}, nil},
	{"a tag behind text", "[Event \"A\"]\n\n1. e4 1-0\n\nNext: [Event \"B\"]\n\n1. d4 0-1\n", []string{`"A" 1. e4 1-0`, `"B" 1. d4 0-1`},
		[]string{`read otherwise: text: x.pgn:5: "Next:" belongs to no game; left out`}},
	{"tags without line breaks", "[Event \"A\"][White \"W\"] 1. e4 1-0 [Event \"B\"][White \"W\"] 1. d4 0-1", []string{`"A" 1. e4 1-0`, `"B" 1. d4 0-1`}, nil},
	{"games without tags or numbers", "e4 e5 1-0\nd4 d5 0-1\n", []string{`"?" 1. e4 e5 1-0`, `"?" 1. d4 d5 0-1`}, nil},
	{"games without tags on a line", "1. e4 e5 1-0 1. d4 d5 0-1 c4 *", []string{`"?" 1. e4 e5 1-0`, `"?" 1. d4 d5 0-1`, `"?" 1. c4 *`}, nil},
	{"games without tags or results", "1. e4 e5\n\n1. d4 d5\n\n1 c4 *\n", []string{`"?" 1. e4 e5 *`, `"?" 1. d4 d5 *`, `"?" 1. c4 *`}, nil},
	{"games without tags, one bad", "1. e4 Ke6\n\n1. d4 d5 *\n", []string{`x.pgn:1: game 1: 1...Ke6: no legal move fits`, `"?" 1. d4 d5 *`}, nil},
	{"a game without tags behind one with tags", "[Event \"A\"]\n\n1. e4 e5 1-0\n\nd4 d5 0-1\n", []string{`"A" 1. e4 e5 1-0`, `"?" 1. d4 d5 0-1`}, nil},
	{"a blank line and Black's first move", "1. e4\n\n1... e5\n\n2. Nf3 *\n", []string{`"?" 1. e4 e5 2. Nf3 *`}, nil},
	{"a blank line in a variation", "1. e4 (\n\n1. d4 d5) e5 *\n", []string{`"?" 1. e4 (1. d4 d5) 1... e5 *`}, nil},
	{"words behind moves without a result", "1. e4 e5 Black resigns\n\n1. d4 d5 *\n", []string{`"?" 1. e4 e5 {Black resigns} *`, `"?" 1. d4 d5 *`},
		[]string{`read otherwise: record 1: moves: x.pgn:1: "Black resigns" behind the last move became a comment`}},
	{"text between games that begins like a move", "1. e4 e5 1-0\n\nWhite: e4! was good\n\n1. d4 *\n", []string{`"?" 1. e4 e5 1-0`, `"?" 1. d4 *`},
		[]string{`read otherwise: text: x.pgn:3: "White: e4! was good" belongs to no game; left out`}},
	{"a result among moves", "1. e4 e5 1-0 2. Nf3 Nc6 *", []string{`"?" 1. e4 e5 2. Nf3 Nc6 *`},
		[]string{`read otherwise: record 1: Result: x.pgn:1: the moves go on behind 1-0`}},
	{"results among moves", "[Result \"0-1\"]\n\n1. e4 * e5 1-0 2. Nf3 1-0 2... Nc6 0-1\n\n[Event \"B\"]\n\n*", []string{`"?" 1. e4 e5 2. Nf3 Nc6 0-1`, `"B" *`},
		[]string{
			`read otherwise: record 1: Result: x.pgn:3: the moves go on behind *`,
			`read otherwise: record 1: Result: x.pgn:3: the moves go on behind 1-0`,
			`read otherwise: record 1: Result: x.pgn:3: the moves go on behind 1-0`,
		}},
	{"a move that is no more possible behind a result", "1. e4 e5 1-0 3. Nf3 Nc6 *", []string{`"?" 1. e4 e5 1-0`, `"?" 1. Nf3 Nc6 *`}, nil},
	{"an open bracket", "1. e4 e5 [ 2. Nf3 { [%clk 1:00] } [.. Nc6 {x} [see 3] *", []string{`"?" 1. e4 e5 2. Nf3 {[%clk 1:00]} 2... Nc6 {x [see 3]} *`}, nil},
	{"a line with an open bracket", "1. e4 e5\n[see there\n2. Nf3 *", []string{`"?" 1. e4 e5 {[see there} 2. Nf3 *`},
		[]string{`read otherwise: record 1: moves: x.pgn:2: "[see there" is no tag; it became a comment`}},
	{"only carriage returns", "[Event \"A\"]\r\r1. e4 1-0\r\r[Event \"B\"]\r\r1. d4 *\r", []string{`"A" 1. e4 1-0`, `"B" 1. d4 *`}, nil},

	// Side lines.
	{"a bad move in a variation", "1. e4 e5 (1... c5 2. Nf6) 2. Nf3 Nc6 3. Bb5 1-0", []string{`"?" 1. e4 e5 (1... c5 {Nf6}) 2. Nf3 Nc6 3. Bb5 1-0`},
		[]string{`cut game: record 1: moves: x.pgn:1: game 1: 2.Nf6: no legal move fits; the rest of the variation became a comment`}},
	{"bad moves in nested variations", "1. e4 (1. d4 d5 (1... Ke6 (2. x) 2. c4) 2. c4 {c} (2. Nf6)) (1. Nf6) e5 *",
		[]string{`"?" 1. e4 {Nf6} (1. d4 d5 {Ke6 (2. x) 2. c4} 2. c4 {c Nf6}) 1... e5 *`},
		[]string{
			`cut game: record 1: moves: x.pgn:1: game 1: 1...Ke6: no legal move fits; the rest of the variation became a comment`,
			`cut game: record 1: moves: x.pgn:1: game 1: 2.Nf6: no legal move fits; the rest of the variation became a comment`,
			`cut game: record 1: moves: x.pgn:1: game 1: 1.Nf6: no legal move fits; the rest of the variation became a comment`,
		}},
	{"a bad variation with brackets in comments", "1. e4 e5 (1... c5 2. Nf6 {:)} ; ) (\n3. x) 2. Nf3 *", []string{`"?" 1. e4 e5 (1... c5 {[%cbtext data=TmY2IHs6KX0gOyApICggMy4geA] Nf6 (:)) ; ) ( 3. x}) 2. Nf3 *`},
		[]string{`cut game: record 1: moves: x.pgn:1: game 1: 2.Nf6: no legal move fits; the rest of the variation became a comment`}},
	{"a variation before any move", "[Event \"A\"]\n\n(1. d4 d5) 1. e4 *\n", []string{`"A" {(1. d4 d5)} 1. e4 *`},
		[]string{`cut game: record 1: moves: x.pgn:3: game 1: a variation stands before the first move; the rest of the variation became a comment`}},
	{"a bad move in the main line, too", "1. e4 e5 (1... c5 2. Nf6) 2. Nf3 Nc6 3. Bb6 1-0\n\n[Event \"B\"]\n\n*", []string{`x.pgn:1: game 1: 3.Bb6: no legal move fits`, `"B" *`}, nil},
	{"a bad variation without end", "1. e4 e5 (1... c5 2. Nf6 2. Nf3 1-0\n\n[Event \"B\"]\n\n*", []string{`x.pgn:1: game 1: 2.Nf6: no legal move fits`, `"B" *`}, nil},

	// Where a file breaks off.
	{"the end inside a variation", "1. e4 e5 (1... c5\n2. Nf3", []string{`"?" 1. e4 e5 (1... c5 2. Nf3) *`},
		[]string{`cut game: record 1: moves: x.pgn:1: game 1: a variation that begins here has no end; add the missing ); the game ends in it`}},
	{"a game that ends inside a variation", "[Event \"A\"]\n\n1. e4 e5 (1... c5 2. Nf3 1-0\n\n[Event \"B\"]\n\n*", []string{`"A" 1. e4 e5 (1... c5 2. Nf3) *`, `"B" *`},
		[]string{`cut game: record 1: moves: x.pgn:3: game 1: a variation that begins here has no end; add the missing ); the game ends in it`}},
	{"the end inside a comment", "[Event \"A\"]\n\n1. e4 e5 {no en", []string{`x.pgn:3: game 1: a comment that begins here has no end; add the missing }`}, nil},
	{"the end inside a comment among tags", "[Event \"A\"]\n{no en", []string{`x.pgn:2: game 1: a comment that begins here has no end; add the missing }`}, nil},
	{"the end inside a value", "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B", []string{`"A" 1. e4 *`, `"B" *`},
		[]string{`cut game: record 2: tags: x.pgn:5: game 2: the file ends inside a tag; there may have been more`}},
	{"the end behind a value", "[Event \"A\"]\n[White \"W\"", []string{`"A" *`},
		[]string{`cut game: record 1: tags: x.pgn:2: game 1: the file ends inside a tag; there may have been more`}},
	{"the end inside a name", "[Event \"A\"]\n\n1. e4 *\n\n[Eve", []string{`"A" 1. e4 *`, `"?" *`},
		[]string{`cut game: record 2: tags: x.pgn:5: game 2: the file ends inside a tag; there may have been more`}},
	{"the end before the result", "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4\n", []string{`"A" 1. e4 *`, `"B" 1. d4 *`},
		[]string{`read otherwise: record 2: end: x.pgn:8: the file ends without a result behind its last game; is it complete?`}},
	{"a game without a result in front", "[Event \"A\"]\n\n1. e4\n\n[Event \"B\"]\n\n1. d4 *\n", []string{`"A" 1. e4 *`, `"B" 1. d4 *`}, nil},

	// Tags.
	{"a tag over two lines", "[Event \"A\"]\n[Site\n\"y\"]\n[\nWhite \"W\"\n]\n\n1. e4 *\n\n[Event\n\"B\"]\n\n*", []string{`"A" 1. e4 *`, `"B" *`}, nil},
	{"a value over two lines", "[Event \"A and\n  more\"]\n[White \"W\"]\n\n1. e4 *\n", []string{`"A and more" 1. e4 *`}, nil},
	{"a value without a quote", "[Event \"A]\n[White \"W\"]\n\n1. e4 *\n", []string{`"A" 1. e4 *`}, nil},
	{"typographic quotes", "[Event “A”]\n[White „W“]\n\n1. e4 *\n\n[Event “B”]\n\n*", []string{`"A" 1. e4 *`, `"B" *`}, nil},
	{"a tag that was cut and another", "[Event \"A\"]\n\n1. e4 *\n\n[Ev[Event \"B\"]\n\n1. d4 *\n", []string{`"A" 1. e4 *`, `"B" 1. d4 *`},
		[]string{`read otherwise: text: x.pgn:5: "[Ev" belongs to no game; left out`}},

	// Comments.
	{"braces in a comment", "1. e4 {a {b} c} e5 *", []string{`"?" 1. e4 {a {b c} 1... e5 *`},
		[]string{`read otherwise: record 1: comment: x.pgn:1: "c" belongs to it, because it has two opening braces`}},
	{"a result at the end of a comment", "1. e4 {a} e5 ; 1-0\n{b} 2. Nf3 *\n", []string{`"?" 1. e4 {a} 1... e5 {1-0 b} 2. Nf3 *`}, nil},
	{"an escaped line with brackets", "[Event \"A\"]\n% [Event \"x\"] {\n\n1. e4\n%(\n%{\ne5 *\n", []string{`"A" 1. e4 e5 *`}, nil},
}

func TestOddTexts(t *testing.T) {
	for _, test := range oddTexts {
		t.Run(test.name, test.run)
	}
}

// TestOddMoves reads what means the same as moves and results of the standard.
func TestOddMoves(t *testing.T) {
	const passant = "1. e4 a6 2. e5 f5 "
	tests := []struct{ name, text, want string }{
		{"ep, attached", passant + "3. exf6ep g5 *", "1. e4 a6 2. e5 f5 3. exf6 g5 *"},
		{"ep with dots, apart", passant + "3. exf6 e.p. g5 *", "1. e4 a6 2. e5 f5 3. exf6 g5 *"},
		{"ep with dots and check", passant + "3. exf6 e.p.+ g5 *", "1. e4 a6 2. e5 f5 3. exf6 g5 *"},
		{"ep in brackets", passant + "3. exf6 (e.p.) g5 *", "1. e4 a6 2. e5 f5 3. exf6 g5 *"},
		{"an x too much", "1. xe4 e7xe5 2. Nxf3 N:c6 *", "1. e4 e5 2. Nf3 Nc6 *"},
		{"dashes", "1. Nf3 Nf6 2. g2–g3 g7‑g6 3. Bf1—g2 Bg7 4. O‑O 0–0 1–0", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 1-0"},
		{"a dash", "1. e4 1—0", "1. e4 1-0"},
		{"a dash of a code page", "1. e4 {\xE4} 0\x961", "1. e4 {ä} 0-1"},
		{"minus", "1. e4 0−1", "1. e4 0-1"},
		{"blanks and a dash", "1. e4 1 – 0", "1. e4 1-0"},
		{"halves and blanks", "1. e4 1/2 - 1/2", "1. e4 1/2-1/2"},
		{"typographic halves and blanks", "1. e4 ½ – ½", "1. e4 1/2-1/2"},
		{"halves as decimals", "1. e4 0.5-0.5", "1. e4 1/2-1/2"},
		{"halves as decimals with a dash", "1. e4 0.5–0.5", "1. e4 1/2-1/2"},
		{"castling behind a number", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4.0-0 0-0 *", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *"},
		{"won without play", "[White \"A\"]\n\n+--", "1-0"},
		{"lost without play", "[White \"A\"]\n\n--+", "0-1"},
		{"won without play, a stroke", "[White \"A\"]\n\n+/-", "1-0"},
		{"won without play, a colon", "[White \"A\"]\n\n+:-", "1-0"},
		{"a judgement of the last move", "1. e4 e5 +/-", "1. e4 e5 $16 *"},
		{"what the tag says, too", "[Result \"+/-\"]\n\n1. e4 e5 +/-", "1. e4 e5 1-0"},
		{"figurines", "1. ♘f3 ♞f6 2. ♙e4 ♞xe4 3. ♖g1 ♚-- *", ""},
		{"figurines of both colours", "1. ♘f3 ♞f6 2. ♗x♗ *", ""},
		{"figurines, pieces", "1. ♘f3 ♞f6 2. ♖g1 ♘d5! 3. d3 ♛", ""},
		{"white figurines", "1. e4 e5 2. ♘f3 ♘c6 3. ♗b5 ♘f6 4. O–O ♘×e4!? *", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 $5 *"},
		{"black figurines with selectors", "1. e4 e5 2. ♘\uFE0Ef3 ♞\uFE0Ec6 3. ♗b5† *", "1. e4 e5 2. Nf3 Nc6 3. Bb5 *"},
		{"figurines of a promotion", endgame + "1. a8=♕+ *", "1. a8=Q+ *"},
		{"thin blanks", "1.\u2009e4\u202Fe5 2.\u200ANf3 *", "1. e4 e5 2. Nf3 *"},
		{"a soft hyphen", "1. e4 e5 2. N\u00ADf3 *", "1. e4 e5 2. Nf3 *"},
		{"dots of all sorts", "1.e4 1. ...e5 2 . Nf3 2. . . Nc6 *", "1. e4 e5 2. Nf3 Nc6 *"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.want == "" {
				if errs, _ := errorsOf(test.text, ReaderOptions{}); len(errs) == 0 {
					t.Errorf("%q is read as %s", test.text, movesOf(t, test.text))
				}
				return
			}
			if got := movesOf(t, test.text); got != test.want {
				t.Errorf("%q\n got %s\nwant %s", test.text, got, test.want)
			}
		})
	}
}

// TestLanguages reads a game with the letters of other languages.
func TestLanguages(t *testing.T) {
	const english = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Qe2 Qe7 5. Rf1 Kd8 (5... Rb8 6. Kd1) 6. d4 *"
	letters := map[string]string{
		"German, Danish, Norwegian or Swedish": "SLTDK", "French": "CFTDR", "Spanish, Italian or Catalan": "CATDR", "Dutch": "PLTDK",
		"Portuguese": "CBTDR", "Polish": "SGWHK", "Czech or Slovak": "JSVDK", "Hungarian": "HFBVK", "Romanian": "CNTDR",
		"Finnish": "RLTDK", "Estonian": "ROVLK", "Icelandic": "RBHDK",
	}
	for language, other := range letters {
		var pairs []string
		for i, letter := range "NBRQK" {
			pairs = append(pairs, string(letter), other[i:i+1])
		}
		checkLanguage(t, strings.NewReplacer(pairs...).Replace(english), english, language)
	}
	checkLanguage(t, strings.NewReplacer("N", "К", "B", "С", "R", "Л", "Q", "Ф", "K", "Кр").Replace(english), english, "Russian")
	checkLanguage(t, strings.NewReplacer("N", "A", "B", "F", "R", "K", "Q", "V", "K", "Ş").Replace(english), english, "Turkish")
}

func checkLanguage(t *testing.T, text, want, language string) {
	t.Helper()
	games, reports := readReporting(t, text+"\n", ReaderOptions{})
	if len(games) != 1 || games[0] != `"?" `+want {
		t.Errorf("%s: %q is read as %q", language, text, games)
	}
	report := "read otherwise: record 1: moves: x.pgn:1: read with the letters of the pieces in " + language
	if len(reports) != 1 || reports[0] != report {
		t.Errorf("%s: reported %q", language, reports)
	}
}

// TestNoLanguage has games that read with no letters, or not with one set
// throughout.
func TestNoLanguage(t *testing.T) {
	for name, text := range map[string]string{
		"two languages":             "1. e4 e5 2. Sf3 Cc6 *",
		"English and another":       "1. e4 e5 2. Nf3 Sc6 *",
		"another one and a slip":    "1. e4 e5 2. Sf3 Sc6 3. Lb6 *",
		"a slip with English signs": "1. e4 e5 2. Rf3 Rc6 *",
		"a variation of another":    "1. e4 e5 2. Nf3 Nc6 (2... Sf6) 3. Bb6 *",
		"two readings":              "1. e4 e5 2. Pf3 Dh4 *",
	} {
		if errs, games := errorsOf(text, ReaderOptions{}); len(errs) != 1 || games != 0 {
			t.Errorf("%s: %d games, errors %q", name, games, errs)
		}
	}
	// A promotion has a letter, too.
	if got, want := movesOf(t, endgame+"1. a8=D+ Kh7 2. De4+ *"), "1. a8=Q+ Kh7 2. Qe4+ *"; got != want {
		t.Errorf("got %s", got)
	}
}

// TestVariants reads those that are chess, and refuses the others by name.
func TestVariants(t *testing.T) {
	for variant, name := range map[string]string{
		"Antichess": "Antichess", "Suicide chess": "Suicide", "Crazyhouse": "Crazyhouse", "crazy_house": "Crazyhouse", "Atomic": "Atomic",
		"Horde": "Horde", "Racing Kings": "Racing Kings", "racingKings": "Racing Kings", "Bughouse": "Bughouse", "Giveaway": "Antichess",
	} {
		text := "[Event \"A\"]\n[Variant \"" + variant + "\"]\n\n1. e4 e5 *\n\n[Event \"B\"]\n\n*"
		errs, games := errorsOf(text, ReaderOptions{File: "x.pgn", KeepGoing: true})
		want := "x.pgn:1: game 1: it is " + name + ", which has other rules than chess: unsupported"
		if games != 1 || len(errs) != 1 || errs[0] != want {
			t.Errorf("%s: %d games, errors %q", variant, games, errs)
		}
	}
	for _, variant := range []string{"Standard", "From Position", "Three-check", "King of the Hill", "Chess960", "Sicilian Defence", "normal"} {
		text := "[Event \"A\"]\n[Variant \"" + variant + "\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 e5 *\n"
		if got := movesOf(t, text); got != "1. e4 e5 *" {
			t.Errorf("%s: %s", variant, got)
		}
	}
	for _, fen := range []string{"7k/8/8/8/8/8/8/K6R w - - 3+2 4 7", "7k/8/8/8/8/8/8/K6R w - - 4 7 +0+1"} {
		text := "[Event \"A\"]\n[Variant \"Three-check\"]\n[FEN \"" + fen + "\"]\n\n7. Rg1 *\n"
		if got := movesOf(t, text); got != "7. Rg1 *" {
			t.Errorf("%s: %s", fen, got)
		}
		if out := string(AppendGame(nil, readAll(t, []byte(text)).List[0].Game, &model.Entities{})); !strings.Contains(out, fen) {
			t.Errorf("the checks are gone:\n%s", out)
		}
	}
}
