package pgn

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wildTexts are kinds of slips that people and programs make, as in oddTexts.
var wildTexts = []struct {
	name, text     string
	games, reports []string
}{
	// Results at moves, and 0-0.
	{"castling with zeros that is not possible", "1. e4 e5 2. Nf3 0-0 3. Nc3 Nf6 1-0\n\n[Event \"B\"]\n\n1. d4 *\n",
		[]string{
			"x.pgn:1: game 1: 2...0-0: no legal move fits",
			`"B" 1. d4 *`,
		}, nil},
	{"the same at the end of a line", "1. e4 e5 2. Nf3 0-0\r\n3. Nc3 Nf6 1-0\r\n",
		[]string{"x.pgn:1: game 1: 2...0-0: no legal move fits"}, nil},
	{"the same in front of a comment", "1. e4 e5 2. Nf3 0–0 {oops} 3. Nc3 Nf6 1-0\n",
		[]string{"x.pgn:1: game 1: 2...0–0: no legal move fits"}, nil},
	{"the same in a variation", "1. e4 e5 (1... c5 2. 0-0 a6) 2. Nf3 *\n",
		[]string{`"?" 1. e4 e5 (1... c5 {0-0 a6}) 2. Nf3 *`}, []string{"cut game: record 1: moves: x.pgn:1: game 1: 2.0-0: no legal move fits; the rest of the variation became a comment"}},
	{"both lose, and another game", "1. e4 e5 0-0 {late}\n\n1. d4 d5 *\n",
		[]string{
			`"?" 1. e4 e5 {late} *`,
			`"?" 1. d4 d5 *`,
		}, nil},
	{"both lose, and tags", "1. e4 e5 0-0 ; both\n\n[Event \"B\"]\n\n0-0\n\n[Event \"C\"]\n\n*",
		[]string{
			`"?" 1. e4 e5 {both} *`,
			`"B" *`,
			`"C" *`,
		}, nil},
	{"castling at the ends of lines", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0\n5. d4 a6 *",
		[]string{`"?" 1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 5. d4 a6 *`}, nil},
	{"both lose, and a star", "1. e4 e5 0-0 *",
		[]string{`"?" 1. e4 e5 *`}, []string{`read otherwise: text: x.pgn:1: "*" belongs to no game; left out`}},
	{"castling in front of comments", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0\n\n{c}\n4... 0-0\n\n{d}\n5. d4 *",
		[]string{`"?" 1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O {c} 4... O-O {d} 5. d4 *`}, nil},
	{"results at moves", "1. f3 e5 2. g4 Qh4#0-1\n\n1. e4 e5 2. Nf31-0\n\n[Event \"C\"]\n\n1. e4 e51/2-1/2\n\n1. e4 e5*\n",
		[]string{
			`"?" 1. f3 e5 2. g4 Qh4# 0-1`,
			`"?" 1. e4 e5 2. Nf3 1-0`,
			`"C" 1. e4 e5 1/2-1/2`,
			`"?" 1. e4 e5 *`,
		}, nil},
	{"results at moves with signs", "1. e4 e5 2. Nf3!1-0\n\n[GameId \"3\"]\n\n1. e4 e5+-1-0\n\n{next}\n[Event \"D\"]\n\n1. e4 e5ch0–1\n\n1. ♘f3 ♞f6½-½\n\n♘f3½\n",
		[]string{
			`"?" 1. e4 e5 2. Nf3 $1 1-0`,
			`"?" 1. e4 e5 $18 1-0`,
			`"D" {next} 1. e4 e5 0-1`,
			`"?" 1. Nf3 Nf6 1/2-1/2`,
			`"?" 1. Nf3 1/2-1/2`,
		}, nil},
	{"results at castling", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O1-0\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-00-1\n\n1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 00 001/2\n",
		[]string{
			`"?" 1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 1-0`,
			`"?" 1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O 0-1`,
			`"?" 1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 1/2-1/2`,
		}, nil},
	{"a result at a move of a code page", "[Event \"\xe4\"]\n\n1. e4 e51:0\n",
		[]string{`"ä" 1. e4 e5 1-0`}, nil},
	{"a result at the last move of a bad game", "1. e4 e5 2. Ke6 Nf6 3. Nf31-0 1. d4 d50-1\n",
		[]string{
			"x.pgn:1: game 1: 2.Ke6: no legal move fits",
			`"?" 1. d4 d5 0-1`,
		}, nil},
	{"results at moves that are not the last", "1. e4 e5 (1... c51-0) 2. Nf31-0 Nc6 3. Bb50.5-0.5",
		[]string{`"?" 1. e4 e5 (1... c5) 2. Nf3 Nc6 3. Bb5 1/2-1/2`}, []string{"read otherwise: record 1: Result: x.pgn:1: the moves go on behind 1-0"}},

	// Signs, and other spellings.
	{"signs of one character", "1. e4‼ e5⁇ 2. Nf3⁉ Nc6⁈ 3. Bb5 ‼ a6 1-0",
		[]string{`"?" 1. e4 $3 e5 $4 2. Nf3 $5 Nc6 $6 3. Bb5 $3 a6 1-0`}, nil},
	{"signs of positions", "1. e4⨀ e5⨁ 2. Nf3⯹ Nc6 ↑↑ 3. Bb5 =∞ a6±→ 4. Ba4⇄ Nf6 ⊥ 5. O-O 1-0",
		[]string{`"?" 1. e4 $22 e5 $138 2. Nf3 $44 Nc6 $32 3. Bb5 $44 a6 $16 $40 4. Ba4 $132 Nf6 $245 5. O-O 1-0`}, nil},
	{"more signs side by side", "1. ♘f3⩲⟳↑ ♞f6 ⩲⟳ 2. g3+– g6!∓⊞ 3. Bg2 RR Bg7N 4. O–O=↑ *",
		[]string{`"?" 1. Nf3 $14 $32 $36 Nf6 $14 $32 2. g3 $18 g6 $1 $17 $241 3. Bg2 $145 Bg7 $146 4. O-O $11 $36 *`}, nil},
	{"escaped NAGs", `1. e4\$14 e5 \$2 2\. Nf3 \$1\$36 *`,
		[]string{`"?" 1. e4 $14 e5 $2 2. Nf3 $1 $36 *`}, nil},
	{"signs that are not known", "1. e4 e5 2. Nf3 ※ Nc6☆±★ 3. Bb5 & a6@ 4. Ba4 |\n| Nf6 | O-O 👍🏽 ^ 5... Be7 1-0",
		[]string{`"?" 1. e4 e5 2. Nf3 Nc6 $16 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0`}, []string{
			`read otherwise: record 1: symbols: x.pgn:1: "※" is no known sign; left out`,
			`read otherwise: record 1: symbols: x.pgn:1: "☆★" is no known sign; left out`,
			`read otherwise: record 1: symbols: x.pgn:1: "&" is no known sign; left out`,
			`read otherwise: record 1: symbols: x.pgn:1: "@" is no known sign; left out`,
			`read otherwise: record 1: symbols: x.pgn:1: "|" is no known sign; left out`,
			`read otherwise: record 1: symbols: x.pgn:2: "|" is no known sign; left out`,
			`read otherwise: record 1: symbols: x.pgn:2: "|" is no known sign; left out`,
			`read otherwise: record 1: symbols: x.pgn:2: "👍🏽" is no known sign; left out`,
			`read otherwise: record 1: symbols: x.pgn:2: "^" is no known sign; left out`,
		}},
	{"a sign of a code page that is not known", "1. e4 ¤ {\xe4} e5§ *",
		[]string{`"?" 1. e4 {ä} 1... e5 *`}, []string{
			`read otherwise: record 1: symbols: x.pgn:1: "¤" is no known sign; left out`,
			`read otherwise: record 1: symbols: x.pgn:1: "§" is no known sign; left out`,
		}},
	{"a sign that is not known in a variation", "1. e4 e5 (1... c5 ※ 2. Nf3 ☆) 2. Nf3 *",
		[]string{`"?" 1. e4 e5 (1... c5 2. Nf3 {☆}) 2. Nf3 *`}, []string{
			`read otherwise: record 1: symbols: x.pgn:1: "※" is no known sign; left out`,
			`read otherwise: record 1: moves: x.pgn:1: "☆" behind the last move became a comment`,
		}},
	{"a sign behind the last move", "1. e4 e5☆\n※ 1-0",
		[]string{`"?" 1. e4 e5 {※} 1-0`}, []string{
			`read otherwise: record 1: symbols: x.pgn:1: "☆" is no known sign; left out`,
			`read otherwise: record 1: moves: x.pgn:2: "※" behind the last move became a comment`,
		}},
	{"a sign behind a number", "1. e4 e5 2. ※ f3 *",
		[]string{"x.pgn:1: game 1: 2.※: a sign that means nothing here"}, nil},
	{"a sign behind a number of Black", "1. e4 1... ☆ e5 *",
		[]string{"x.pgn:1: game 1: 1...☆: a sign that means nothing here"}, nil},
	{"a figurine by itself", "1. e4 e5 2. ♘ f3 *",
		[]string{"x.pgn:1: game 1: 2.♘: not a move"}, nil},
	{"a figurine by itself behind a move", "1. e4 e5 ♘ 2. d4 *",
		[]string{"x.pgn:1: game 1: 2.♘: not a move"}, nil},
	{"a figurine at a move", "1. e4 e5♘ 2. d4 *",
		[]string{"x.pgn:1: game 1: 1...e5♘: not a move"}, nil},
	{"a figurine in the place of a rook", "1. e4 e5 ♖♖ 2. d4 *",
		[]string{"x.pgn:1: game 1: 2.♖♖: not a move"}, nil},
	{"a dash at a move", "1. e4 e5- 2. d4 *",
		[]string{"x.pgn:1: game 1: 1...e5-: not a move"}, nil},
	{"a bracket at a move", "1. e4 e5⟨ 2. d4 *",
		[]string{"x.pgn:1: game 1: 1...e5⟨: not a move"}, nil},
	{"brackets by themselves", "1. e4 【】 e5 *",
		[]string{"x.pgn:1: game 1: 1...【】: a sign that means nothing here"}, nil},
	{"null moves", "1. e4 e5 2. --- d5 3. <> Nc6 4. e4d5 4. - Bd6 5. ——— *",
		[]string{`"?" 1. e4 e5 2. -- d5 3. -- Nc6 4. exd5 Bd6 5. -- *`}, nil},
	{"castling without hyphens", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 00! oo 5. Nc3 *",
		[]string{`"?" 1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O $1 O-O 5. Nc3 *`}, nil},
	{"castling to the queen's side without hyphens", "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. 000 OOO+ *",
		[]string{`"?" 1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O *`}, nil},
	{"castling in another language", "1. e4 e5 2. Sf3 Sf6 3. Lc4 Lc5 4. OO 00 *",
		[]string{`"?" 1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *`}, []string{"read otherwise: record 1: moves: x.pgn:1: read with the letters of the pieces in German, Danish, Norwegian or Swedish"}},
	{"castling without hyphens that is not possible", "1. e4 e5 2. 00 Nf6 *",
		[]string{"x.pgn:1: game 1: 2.00: no legal move fits"}, nil},
	{"promotions behind check", "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8+=Q# Kh7 *\n\n[Event \"B\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8+(Q) Kh7 *\n\n[Event \"C\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=+♕ Kh7 *\n\n[Event \"D\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8+D1-0",
		[]string{
			`"?" 1. a8=Q+ Kh7 *`,
			`"B" 1. a8=Q+ Kh7 *`,
			`"C" 1. a8=Q+ Kh7 *`,
			`"D" 1. a8=Q+ 1-0`,
		}, []string{"read otherwise: record 4: moves: x.pgn:18: read with the letters of the pieces in German, Danish, Norwegian or Swedish"}},
	{"byes", "[Event \"A\"]\n[Result \"1/2-0\"]\n\n1/2-0\n\n[Event \"B\"]\n[Result \"0-1/2\"]\n 0-½\n\n[Event \"C\"]\n[Result \"½-0\"]\n\n0.5-0\n\n[Event \"D\"]\n 0-0.5\n\n[Event \"E\"]\n\n0 - 1/2",
		[]string{
			`"A" *`,
			`"B" *`,
			`"C" *`,
			`"D" *`,
			`"E" *`,
		}, []string{
			`read otherwise: record 1: Result: x.pgn:4: "1/2-0" is not the result of a game`,
			`read otherwise: record 2: Result: x.pgn:8: "0-½" is not the result of a game`,
			`read otherwise: record 3: Result: x.pgn:13: "0.5-0" is not the result of a game`,
			`read otherwise: record 4: Result: x.pgn:16: "0-0.5" is not the result of a game`,
			`read otherwise: record 5: Result: x.pgn:20: "0 - 1/2" is not the result of a game`,
		}},
	{"comments in angle brackets", "1.e4 e5 2.Bc4 <0.12> Bc5 <-> 3. d3 <+0.3/12> d6 <b>good</b> 1-0",
		[]string{`"?" 1. e4 e5 2. Bc4 {<0.12>} 2... Bc5 {<->} 3. d3 {<+0.3/12>} 3... d6 {<b> good</b>} 1-0`}, []string{`read otherwise: record 1: moves: x.pgn:1: "good</b>" behind the last move became a comment`}},
	{"angle brackets around moves", "1.e4 e5 < 2.Bc4 > Bc5 <2. Nf3> *",
		[]string{`"?" 1. e4 e5 2. Bc4 Bc5 3. Nf3 *`}, nil},
	{"indented games", "1. e4 e5 {x}\n\n\n    1. d4 d5 {y}\n\n\t1. c4\r\n\r\n  1. f4 *",
		[]string{
			`"?" 1. e4 e5 {x} *`,
			`"?" 1. d4 d5 {y} *`,
			`"?" 1. c4 *`,
			`"?" 1. f4 *`,
		}, nil},
	{"an indented game of several paragraphs", "    1. e4 e5\n\n    2. Nf3 (\n\n    1. c4) *",
		[]string{`"?" 1. e4 e5 2. Nf3 (2. c4) *`}, nil},
}

func TestWildTexts(t *testing.T) {
	for _, test := range wildTexts {
		t.Run(test.name, func(t *testing.T) {
			games, reports := readReporting(t, test.text, ReaderOptions{})
			if diff := cmp.Diff(test.games, games); diff != "" {
				t.Error("games:", diff)
			}
			if diff := cmp.Diff(test.reports, reports); diff != "" {
				t.Error("reports:", diff)
			}
		})
	}
}
