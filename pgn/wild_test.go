package pgn

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/board"
	"cbkit/model"
)

// wildTexts are kinds of slips that people and programs make, as in oddTexts.
var wildTexts = []readingTest{
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
	{"signs of a code page at first moves", "1. e4\xb6 e5 2. Nf3 *\n\n1. e4\xb1 e5 0-1 1. d4\xb1 d5 *\n\n[Event \"C\"] 1. c4\xb1 c5 *",
		[]string{
			`"?" 1. e4 e5 2. Nf3 *`,
			`"?" 1. e4 $16 e5 0-1`,
			`"?" 1. d4 $16 d5 *`,
			`"C" 1. c4 $16 c5 *`,
		}, []string{`read otherwise: record 1: symbols: x.pgn:1: "¶" is no known sign; left out`}},
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
	{"signs together behind the last move", "1. e4 e5 2. Nf3 ±→ *\n\n1. e4 e5 (1... c5 2. Nf3 ⨀⨁) ⇄⊥\n2. d4 ==⩲\n\n1. d4 d5 =∞⇄ {x} 1-0",
		[]string{
			`"?" 1. e4 e5 2. Nf3 $16 $40 *`,
			`"?" 1. e4 e5 $132 $245 (1... c5 2. Nf3 $22 $138) 2. d4 $144 $14 *`,
			`"?" 1. d4 d5 $44 $132 {x} 1-0`,
		}, nil},
	{"letters together behind the last move", "1. e4 e5 NN *\n\n1. d4 d5 =D *",
		[]string{
			`"?" 1. e4 e5 {NN} *`,
			`"?" 1. d4 d5 {=D} *`,
		}, []string{
			`read otherwise: record 1: moves: x.pgn:1: "NN" behind the last move became a comment`,
			`read otherwise: record 2: moves: x.pgn:3: "=D" behind the last move became a comment`,
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

	// What is no game.
	{"commas behind tags", "[Event \"E\"],\n[White \"A\"],\n[Black \"B\"],\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n",
		[]string{`"E" 1. e4 e5 1-0`}, []string{
			`read otherwise: record 1: tag: x.pgn:1: "," stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "," stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:3: "," stands beside a tag; left out`,
		}},
	{"a page of the web", "<p>[Event \"Open\"]<br />\n[White \"A, B\"]<br />\n[Result \"1-0\"]</p>\n<p>1. e4 d5 2. exd5<br />\nQxd5 1-0</p>\n",
		[]string{`"Open" {<p>} 1. e4 d5 2. exd5 {<br />} 2... Qxd5 1-0`}, []string{
			`read otherwise: text: x.pgn:1: "<p>" belongs to no game; left out`,
			`read otherwise: record 1: tag: x.pgn:1: "<br />" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "<br />" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:3: "</p>" stands beside a tag; left out`,
			`read otherwise: text: x.pgn:5: "</p>" belongs to no game; left out`,
		}},
	{"lines of markup between tags", "[Event \"E\"]\n<br />\n[White \"A\"]\n<br>\n</p>\n\n<p>\n[Result \"1-0\"]\n\n1. e4 e5 <br />\n1-0\n",
		[]string{`"E" 1. e4 e5 {<br />} 1-0`}, []string{
			`read otherwise: record 1: tag: x.pgn:2: "<br />" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:4: "<br>" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:5: "</p>" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:7: "<p>" stands beside a tag; left out`,
		}},
	{"a mail", "Hello,\r\n\r\n>> [Event \"E\"]\r\n>> [White \"A\"]\r\n>>\r\n>> 1. e4 e5 1-0\r\n>>\r\n>> [Event \"F\"]\r\n>>\r\n>> [White \"B\"]\r\n>> 1. d4 *\r\n-- \r\nYours",
		[]string{
			`"E" 1. e4 e5 1-0`,
			`"F" 1. d4 *`,
		}, []string{
			`read otherwise: text: x.pgn:1: "Hello, >>" belongs to no game; left out`,
			`read otherwise: record 1: tag: x.pgn:4: ">>" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:5: ">>" stands beside a tag; left out`,
			`read otherwise: text: x.pgn:7: ">> >>" belongs to no game; left out`,
			`read otherwise: record 2: tag: x.pgn:9: ">>" stands beside a tag; left out`,
			`read otherwise: record 2: tag: x.pgn:10: ">>" stands beside a tag; left out`,
			`read otherwise: text: x.pgn:12: "-- Yours" belongs to no game; left out`,
		}},
	{"lists", "* [Event \"E\"]\n* [White \"A\"]\n\n1. e4 e5 1-0\n\n* [Event \"F\"]\n* [White \"B\"]\n\n1. d4 *\n\n1. [Event \"G\"]\n2. [White \"A\"]\n1. c4 c5\n\n- [Event \"H\"]\n- [White \"B\"]\n1. f4 *\n",
		[]string{
			`"E" 1. e4 e5 1-0`,
			`"F" 1. d4 *`,
			`"G" 1. c4 c5 *`,
			`"H" 1. f4 *`,
		}, []string{
			`read otherwise: text: x.pgn:1: "*" belongs to no game; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "*" stands beside a tag; left out`,
			`read otherwise: text: x.pgn:6: "*" belongs to no game; left out`,
			`read otherwise: record 2: tag: x.pgn:7: "*" stands beside a tag; left out`,
			`read otherwise: text: x.pgn:11: "1." belongs to no game; left out`,
			`read otherwise: record 3: tag: x.pgn:12: "2." stands beside a tag; left out`,
			`read otherwise: record 4: tag: x.pgn:16: "-" stands beside a tag; left out`,
		}},
	{"a list with bullets and a mark", "\ufeff•\t[Event \"E\"]\n•\t[White \"A\"]\n\n• 1. e4 e5 1-0\n",
		[]string{`"E" 1. e4 e5 1-0`}, []string{
			`read otherwise: text: x.pgn:1: "•" belongs to no game; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "•" stands beside a tag; left out`,
			`read otherwise: record 1: symbols: x.pgn:4: "•" is no known sign; left out`,
		}},
	{"a table", "| [Event \"E\"] | [White \"A\"] |\n| [Black \"B\"] | [Date \"1999\"] |\n\n1. e4 e5 1-0\n\n| [GameId \"E\"] | [White \"A\"] |\n\n1. d4 *\n",
		[]string{
			`"E" 1. e4 e5 1-0`,
			`"?" 1. d4 *`,
		}, []string{
			`read otherwise: text: x.pgn:1: "|" belongs to no game; left out`,
			`read otherwise: record 1: tag: x.pgn:1: "|" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:1: "|" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "|" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "|" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "|" stands beside a tag; left out`,
			`read otherwise: text: x.pgn:6: "|" belongs to no game; left out`,
			`read otherwise: record 2: tag: x.pgn:6: "|" stands beside a tag; left out`,
			`read otherwise: record 2: tag: x.pgn:6: "|" stands beside a tag; left out`,
		}},
	{"bold tags", "**[Event \"E\"]**\n**[White \"A\"]**\n\n1. e4 e5 1-0\n\n**[Event \"F\"]**\n__[White \"B\"]__\n1. d4 *\n",
		[]string{
			`"E" 1. e4 e5 1-0`,
			`"F" 1. d4 *`,
		}, []string{
			`read otherwise: text: x.pgn:1: "**" belongs to no game; left out`,
			`read otherwise: record 1: tag: x.pgn:1: "**" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "**" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "**" stands beside a tag; left out`,
			`read otherwise: text: x.pgn:6: "**" belongs to no game; left out`,
			`read otherwise: record 2: tag: x.pgn:6: "**" stands beside a tag; left out`,
			`read otherwise: record 2: tag: x.pgn:7: "__" stands beside a tag; left out`,
			`read otherwise: record 2: tag: x.pgn:7: "__" stands beside a tag; left out`,
		}},
	{"moves, numbers and results beside tags", "e4 [Event \"E\"]\nd4 [White \"A\"] 1-0\n[Black \"B\"] e5\n1-0 [Result \"1-0\"] 0-1\n\n1. e4 e5 1-0\n\nd4 [GameId \"F\"]\n12 [Event \"F\"] 3...\n*\n",
		[]string{
			`"E" 1. e4 e5 1-0`,
			`"F" *`,
		}, []string{
			`read otherwise: text: x.pgn:1: "e4" belongs to no game; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "d4" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "1-0" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:3: "e5" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:4: "1-0" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:4: "0-1" stands beside a tag; left out`,
			`read otherwise: text: x.pgn:8: "d4" belongs to no game; left out`,
			`read otherwise: record 2: tag: x.pgn:9: "12" stands beside a tag; left out`,
			`read otherwise: record 2: tag: x.pgn:9: "3..." stands beside a tag; left out`,
		}},
	{"words of a code page beside tags", "[Event \"E\"] gr\xe4n\n\xe4: [White \"A\"]\n\n1. e4 *\n",
		[]string{`"E" 1. e4 *`}, []string{
			`read otherwise: record 1: tag: x.pgn:1: "grän" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:2: "ä:" stands beside a tag; left out`,
		}},
	{"comments beside tags", "[Event \"E\"] {c1} , {c2} |\n> {c3}\n> [White \"B\"] ; c4\n>\n> 1. e4 *\n",
		[]string{`"E" {c1 c2 c3 c4} 1. e4 *`}, []string{
			`read otherwise: record 1: tag: x.pgn:1: "," stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:1: "|" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:2: ">" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:3: ">" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:4: ">" stands beside a tag; left out`,
		}},
	{"comments in front of quoted tags", "{a}\n> [Event \"E\"]\n> [White \"B\"]\n\n1. e4 *\n\n{b}\n\n> [GameId \"E\"]\n> [White \"B\"]\n\n1. d4 *\n",
		[]string{
			`"E" {a} 1. e4 *`,
			`"?" {b} 1. d4 *`,
		}, []string{
			`read otherwise: record 1: tag: x.pgn:2: ">" stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:3: ">" stands beside a tag; left out`,
			`read otherwise: record 2: tag: x.pgn:9: ">" stands beside a tag; left out`,
			`read otherwise: record 2: tag: x.pgn:10: ">" stands beside a tag; left out`,
		}},
	{"moves behind tags", "[Event \"A\"][White \"W\"], 1. e4 1-0 [Event \"B\"][White \"W\"] | e4 e5 0-1\n[White \"C\"] [FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"] 34. Ka2 *",
		[]string{
			`"A" 1. e4 1-0`,
			`"B" 1. e4 e5 0-1`,
			`"?" 1. Ka2 *`,
		}, []string{
			`read otherwise: record 1: tag: x.pgn:1: "," stands beside a tag; left out`,
			`read otherwise: record 2: tag: x.pgn:1: "|" stands beside a tag; left out`,
		}},
	{"tags among moves with signs", "1. e4 e5\n[GameId \"B\"],\n[Foo \"E\"]|\n 2. Nf3 *\n\n1. e4\n> [GameId \"B\"]\n> [Event \"E\"]\n> 1. d4 *\n",
		[]string{
			`"?" 1. e4 e5 2. Nf3 *`,
			`"?" 1. e4 *`,
			`"E" 1. d4 *`,
		}, []string{
			`read otherwise: record 1: tag: x.pgn:2: "," stands beside a tag; left out`,
			`read otherwise: record 1: tag: x.pgn:3: "|" stands beside a tag; left out`,
			`read otherwise: record 3: tag: x.pgn:8: ">" stands beside a tag; left out`,
		}},
	{"repeated tags", "[White \"A\"]\n[White \"B\"]\n[Annotator \"x\"]\n[Annotator \"y\"]\n\n1. e4 *\n\n[White \"A\"]\n\n[White \"B\"]\n\n*\n\n[Event \"A\"]\n[Event \"B\"]\n\n1. e4 *\n",
		[]string{
			`"?" 1. e4 *`,
			`"?" *`,
			`"?" *`,
			`"A" *`,
			`"B" 1. e4 *`,
		}, nil},
	{"shortcodes", "[pgn]\n\n[Event \"E\"]\n[White \"A\"]\n\n1. e4 e5 1-0\n\n[/pgn]\n",
		[]string{`"E" 1. e4 e5 1-0`}, []string{
			`read otherwise: text: x.pgn:1: "[pgn]" belongs to no game; left out`,
			`read otherwise: text: x.pgn:8: "[/pgn]" belongs to no game; left out`,
		}},
	{"shortcodes without tags", "[pgn height=400]1. e4 e5 2. Nf3 1-0[/pgn] and [PGN]1. d4 d5[/PGN]\n[pgn]\n1. c4\n[/pgn]\n",
		[]string{
			`"?" 1. e4 e5 2. Nf3 1-0`,
			`"?" 1. d4 d5 *`,
			`"?" 1. c4 *`,
		}, []string{
			`read otherwise: text: x.pgn:1: "[pgn height=400]" belongs to no game; left out`,
			`read otherwise: text: x.pgn:1: "[/pgn] and [PGN]" belongs to no game; left out`,
			`read otherwise: text: x.pgn:1: "[/PGN] [pgn]" belongs to no game; left out`,
			"read otherwise: record 3: end: x.pgn:5: the file ends without a result behind its last game; is it complete?",
			`read otherwise: text: x.pgn:4: "[/pgn]" belongs to no game; left out`,
		}},
	{"shortcodes and bare moves", "[pgn]e4 e5[/pgn]",
		[]string{`"?" 1. e4 e5 *`}, []string{
			`read otherwise: text: x.pgn:1: "[pgn]" belongs to no game; left out`,
			"read otherwise: record 1: end: x.pgn:1: the file ends without a result behind its last game; is it complete?",
			`read otherwise: text: x.pgn:1: "[/pgn]" belongs to no game; left out`,
		}},
	{"shortcodes around tags", "Look:\n[pgn]\n[White \"A\"]\n[/pgn]\n[pgn]\n[White \"B\"]\n\n*\n[/pgn]\n[pgn4web] [Event \"A\"] [/pgn4web]",
		[]string{
			`"?" *`,
			`"?" *`,
			`"A" *`,
		}, []string{
			`read otherwise: text: x.pgn:1: "Look: [pgn]" belongs to no game; left out`,
			`read otherwise: text: x.pgn:4: "[/pgn] [pgn]" belongs to no game; left out`,
			`read otherwise: text: x.pgn:9: "[/pgn] [pgn4web]" belongs to no game; left out`,
			`read otherwise: record 3: tag: x.pgn:10: "[/pgn4web]" stands beside a tag; left out`,
			"read otherwise: record 3: end: x.pgn:10: the file ends without a result behind its last game; is it complete?",
		}},
	{"a shortcode in a variation", "[Event \"A\"]\n\n1. e4 e5 (1... c5\n[/pgn]\n[pgn]\n[GameId \"2\"]\n[Event \"B\"]\n\n*",
		[]string{
			`"A" 1. e4 e5 (1... c5) *`,
			`"B" *`,
		}, []string{
			"cut game: record 1: moves: x.pgn:3: game 1: a variation that begins here has no end; add the missing ); the game ends in it",
			`read otherwise: text: x.pgn:4: "[/pgn] [pgn]" belongs to no game; left out`,
		}},
	{"a variation behind the result", "1. e4 e5 2. Nf3 1-0 (2. d4 exd4)\n\n[GameId \"B\"]\n\n1. d4 *",
		[]string{
			`"?" 1. e4 e5 2. Nf3 (2. d4 exd4) 1-0`,
			`"?" 1. d4 *`,
		}, nil},
	{"variations behind the result", "1. e4 e5 2. Nf3 1-0\n(2. d4 {c} exd4 (2... d6) 3. c3) (2. Nc3) {end} 1. d4 d5 0-1\n",
		[]string{
			`"?" 1. e4 e5 2. Nf3 {end} (2. d4 {c} 2... exd4 (2... d6) 3. c3) (2. Nc3) 1-0`,
			`"?" 1. d4 d5 0-1`,
		}, nil},
	{"variations and moves behind the result", "1. e4 e5 2. Nf3 1-0 (2. d4 exd4 0-1) 2... Nc6 3. Bb5 (3. Bc4) a6 0-1",
		[]string{`"?" 1. e4 e5 2. Nf3 (2. d4 exd4) 2... Nc6 3. Bb5 (3. Bc4) 3... a6 0-1`}, []string{"read otherwise: record 1: Result: x.pgn:1: the moves go on behind 1-0"}},
	{"variations without end behind the result", "1. e4 e5 2. Nf3 1-0 (2. d4 exd4\n\n1. d4 d5 2. c4) *\n\n1. c4 c5 0-1 (1... e5 2. Ke6 (2. e4) *\n\n[Event \"D\"]\n\n1. f4 *",
		[]string{
			`"?" 1. e4 e5 2. Nf3 1-0`,
			`"?" 1. d4 d5 2. c4 *`,
			`"?" 1. c4 c5 0-1`,
			`"D" 1. f4 *`,
		}, []string{
			`read otherwise: text: x.pgn:1: "(2. d4 exd4" belongs to no game; left out`,
			`read otherwise: text: x.pgn:5: "(1... e5 2. Ke6 (2. e4) *" belongs to no game; left out`,
		}},
	{"a bad variation behind the result", "1. e4 e5 2. Nf3 1-0 (2. Ke6 d6)",
		[]string{`"?" 1. e4 e5 2. Nf3 {Ke6 d6} 1-0`}, []string{"cut game: record 1: moves: x.pgn:1: game 1: 2.Ke6: no legal move fits; the rest of the variation became a comment"}},
	{"brackets behind the result and a blank line", "1. e4 e5 2. Nf3 1-0\n\n(2. d4 exd4) and (3. c3)\n\n1. d4 d5 0-1\n",
		[]string{
			`"?" 1. e4 e5 2. Nf3 1-0`,
			`"?" 1. d4 d5 0-1`,
		}, []string{`read otherwise: text: x.pgn:3: "(2. d4 exd4) and (3. c3)" belongs to no game; left out`}},
	{"words in brackets behind the result", "1. e4 e5 2. Nf3 1-0 (see 1. d4 d5)\n\n(1. c4 c5)\n\n[Event \"B\"]\n\n1. d4 *",
		[]string{
			`"?" 1. e4 e5 2. Nf3 1-0`,
			`"B" 1. d4 *`,
		}, []string{`read otherwise: text: x.pgn:1: "(see 1. d4 d5) (1. c4 c5)" belongs to no game; left out`}},
	{"Fen that the moves do not fit", "[Event \"C\"]\n[Variant \"Standard\"]\n[Fen \"rnbqkbnr/ppp1pppp/8/3p4/3P1P2/8/PPP1P1PP/RNBQKBNR b KQkq - 0 2\"]\n\n1. d4 d5 2. f4 Nc6 0-1\n",
		[]string{`"C" 1. d4 d5 2. f4 Nc6 0-1`}, []string{`read otherwise: record 1: Fen: x.pgn:1: the moves do not fit "rnbqkbnr/ppp1pppp/8/3p4/3P1P2/8/PPP1P1PP/RNBQKBNR b KQkq - 0…"; they begin where games begin`}},
	{"Fen that the moves fit, none, and bad ones", "[Event \"C\"]\n[Fen \"7k/P7/8/8/8/8/8/K7 w - - 0 9\"]\n\n9. Ka2 *\n\n[Fen \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n*\n\n[Fen \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. e4 Ke5 *\n\n[Fen \"x\"]\n\n1. e4 *\n",
		[]string{
			`"C" 9. Ka2 *`,
			`"?" *`,
			"x.pgn:12: game 3: 1.e4: no legal move fits",
			`"?" 1. e4 *`,
		}, []string{`read otherwise: record 3: Fen: x.pgn:14: the moves do not fit "x"; they begin where games begin`}},
	{"Fen and FEN", "[Event \"C\"]\n[Fen \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n[FEN \"7k/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Kb2 Kg7 2. Kc3 *\n",
		[]string{`"C" 1. Kb2 Kg7 2. Kc3 *`}, nil},
	{"Fen with all that a game may have", "[Event \"C\"]\n[Variant \"Chess960\"]\n[Fen \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. e4 {c} (1. d4) e5\n[Foo \"x\"]\n2. Nf3 *\n",
		[]string{`"C" 1. e4 {c} (1. d4) 1... e5 2. Nf3 *`}, []string{`read otherwise: record 1: Fen: x.pgn:1: the moves do not fit "7k/P7/8/8/8/8/8/K7 w - - 0 1"; they begin where games begin`}},
}

func TestWildTexts(t *testing.T) {
	for _, test := range wildTexts {
		t.Run(test.name, test.run)
	}
}

// habit draws one way of writing something.
func habit(t *rapid.T, ways ...string) string { return rapid.SampledFrom(ways).Draw(t, "habit") }

// TestWildGames prints random games with the habits of people and programs: they read back
// as the same games, and what was left out is reported.
func TestWildGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		var want []string
		front, behind := habit(t, "", "> ", "* ", "- ", "12. ", "• ", "| ", "**", "<p>", "1-0 ", "e4 "), habit(t, "", ",", " |", "**", "<br />", " 0-1", " e4", " *")
		lineEnd := habit(t, "\n", "\r\n")
		quoted := front == "> "
		blank := lineEnd
		if quoted {
			blank = ">" + lineEnd
		}
		odd := front != "" || behind != ""
		for n := range rapid.IntRange(1, 4).Draw(t, "games") {
			for _, tag := range []string{"Event", "White", "Annotator"} {
				fmt.Fprintf(&text, "%s[%s \"%d\"]%s%s", front, tag, n, behind, lineEnd)
			}
			text.WriteString(habit(t, "", blank, blank+blank))
			pos := board.Start()
			var moves []string
			glues := false
			for ply := range rapid.IntRange(0, 30).Draw(t, "plies") {
				legal := pos.AppendLegal(nil)
				if len(legal) == 0 {
					break
				}
				m := legal[rapid.IntRange(0, len(legal)-1).Draw(t, "move")]
				if i := slices.IndexFunc(legal, model.Move.IsCastling); i >= 0 {
					m = legal[i]
				}
				word := pos.SAN(m)
				switch {
				case m.IsShortCastling():
					word = habit(t, "O-O", "0-0", "OO", "00", "oo", "o-o", "0–0")
				case m.IsCastling():
					word = habit(t, "O-O-O", "0-0-0", "OOO", "000", "ooo")
				case m.Promotion() != model.NoPieceType && !strings.ContainsAny(word, "+#"):
					word = strings.Replace(word, "=", habit(t, "=", "+=", "+", "=+"), 1)
				}
				if quoted && ply%8 == 0 {
					text.WriteString(habit(t, "> ", lineEnd+"> "))
				}
				if ply%2 == 0 {
					fmt.Fprintf(&text, habit(t, "%d. ", "%d.", "%d "), ply/2+1)
				}
				sign := habit(t, "", "", "", "", "!", "‼", " ⁇", "±→", " $14", "\\$14", "☆", " ※", "{c}", " <0.1>", " (--- "+"<>)")
				odd, glues = odd || strings.ContainsAny(sign, "☆※"), sign == ""
				text.WriteString(word + sign + habit(t, " ", " ", lineEnd))
				moves = append(moves, pos.SAN(m))
				pos.Make(m)
			}
			result := habit(t, "1-0", "0-1", "1/2-1/2", "½-½", "*")
			r, _ := parseResult(result)
			written := strings.TrimRight(text.String(), " \r\n")
			text.Reset()
			text.WriteString(written)
			if glues {
				text.WriteString(habit(t, "", " ", lineEnd))
			} else {
				text.WriteString(lineEnd)
			}
			text.WriteString(result)
			if len(moves) > 0 {
				text.WriteString(habit(t, "", " (--- a6)", " {c}"))
			}
			text.WriteString(lineEnd + habit(t, "", blank))
			want = append(want, fmt.Sprint(n, " ", moves, " ", r))
		}
		var got, reports []string
		opt := ReaderOptions{Report: func(l model.Loss) { reports = append(reports, l.String()) }}
		r := NewReader(strings.NewReader(text.String()), opt)
		for rec, err := range r.Records(t.Context(), 1, model.WantAll) {
			if err != nil {
				t.Fatalf("%q: %v", text.String(), err)
			}
			g := rec.Game
			pos := board.Start()
			var moves []string
			for i := g.Moves.Main(model.NoNode); i != model.NoNode; i = g.Moves.Main(i) {
				moves = append(moves, pos.SAN(g.Moves.Move(i)))
				pos.Make(g.Moves.Move(i))
			}
			got = append(got, fmt.Sprint(r.Entities().Players.Value(g.White).LastName, " ", moves, " ", g.Result))
		}
		if diff := cmp.Diff(want, got); diff != "" || odd && len(reports) == 0 {
			t.Fatalf("%q: %s, reported %q", text.String(), diff, reports)
		}
	})
}
