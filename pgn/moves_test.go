package pgn

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/model"
)

// movesOf reads a text with one game and returns how its moves are written.
func movesOf(t *testing.T, text string) string {
	t.Helper()
	db := readAll(t, []byte(text))
	if len(db.List) != 1 {
		t.Fatalf("%d games in %q", len(db.List), text)
	}
	out := AppendGame(nil, db.List[0].Game, &db.Tables)
	_, moves, _ := strings.Cut(string(out), "\n\n")
	return strings.Join(strings.Fields(moves), " ")
}

const endgame = "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n"

func TestMoves(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"standard", "1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nf3 *"},
		{"no blanks", "1.e4 e5 2.Nf3 Nc6 1-0", "1. e4 e5 2. Nf3 Nc6 1-0"},
		{"no numbers", "e4 e5 Nf3 *", "1. e4 e5 2. Nf3 *"},
		{"numbers without dots", "1 e4 e5 2 Nf3 *", "1. e4 e5 2. Nf3 *"},
		{"wrong numbers", "7. e4 9. e5 1-0", "1. e4 e5 1-0"},
		{"Black's numbers", "1. e4 1... e5 2. Nf3 2...Nc6 *", "1. e4 e5 2. Nf3 Nc6 *"},
		{"ellipsis", "1. e4 1… e5 2. Nf3 2…Nc6 *", "1. e4 e5 2. Nf3 Nc6 *"},
		{"hard blanks", "1.\u00A0e4\u00A0e5 *", "1. e4 e5 *"},
		{"no result", "1. e4 e5", "1. e4 e5 *"},
		{"long and UCI", "1. e2e4 e7-e5 2. Ng1-f3 b8c6 3. f1b5 *", "1. e4 e5 2. Nf3 Nc6 3. Bb5 *"},
		{"castling", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 *", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *"},
		{"castling in UCI", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. e1g1 O-O *", "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *"},
		{"promotions", endgame + "1. a8(Q)+ *", "1. a8=Q+ *"},
		{"promotion, short", endgame + "1. a8N *", "1. a8=N *"},
		{"promotion, UCI", endgame + "1. a7a8r *", "1. a8=R+ *"},
		{"missing and wrong checks", "1. e4+ e5 2. Qh5 g6# 3. Qxe5 *", "1. e4 e5 2. Qh5 g6 3. Qxe5+ *"},
		{"captures without x", "1. e4 d5 2. ed5 Qd5 *", "1. e4 d5 2. exd5 Qxd5 *"},
		{"en passant", "1. e4 a6 2. e5 d5 3. exd6e.p. a5 *", "1. e4 a6 2. e5 d5 3. exd6 a5 *"},
		{"en passant, apart", "1. e4 a6 2. e5 d5 3. exd6 e.p. a5 *", "1. e4 a6 2. e5 d5 3. exd6 a5 *"},
		{"needless origin", "1. Ng1f3 Nb8c6 *", "1. Nf3 Nc6 *"},
		{"null moves", "1. e4 -- 2. Z0 null 3. @@@@ 0000 4. d4 *", "1. e4 -- 2. -- -- 3. -- -- 4. d4 *"},
		{"signs, attached", "1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *", "1. e4 $1 e5 $2 2. Nf3 $3 Nc6 $4 3. Bb5 $5 a6 $6 *"},
		{"signs, apart", "1. e4 ! e5 ?! *", "1. e4 $1 e5 $6 *"},
		{"judgements", "1. e4 += e5 = 2. Nf3 +- Nc6 -+ 3. Bb5 ∞ a6 ± *", "1. e4 $14 e5 $11 2. Nf3 $18 Nc6 $19 3. Bb5 $13 a6 $16 *"},
		{"judgements, attached", "1. e4+/- e5= 2. Nf3+- Nc6∓ *", "1. e4 $16 e5 $11 2. Nf3 $18 Nc6 $17 *"},
		{"novelty", "1. e4 N e5N *", "1. e4 $146 e5 $146 *"},
		{"NAGs", "1. e4 $1 $14$142 e5$2 *", "1. e4 $142 $1 $14 e5 $2 *"},
		{"NAG 0 and beyond", "1. e4 $0 e5 $300 *", "1. e4 e5 {$300} *"},
		{"diagrams", "1. e4 $220 e5 D 2. Nf3 {[#] see} *", "1. e4 {[#]} 1... e5 {[#]} 2. Nf3 {[#] see} *"},
		{"variations", "1. e4 (1. d4 d5 (1... f5)) (1. c4) 1... e5 *", "1. e4 (1. d4 d5 (1... f5)) (1. c4) 1... e5 *"},
		{"variation in brackets", "1. e4 ((1. d4)) e5 *", "1. e4 (1. d4) 1... e5 *"},
		{"variation without end", "1. e4 e5 (1... c5 2. Nf3", "1. e4 e5 (1... c5 2. Nf3) *"},
		{"bracket too much", "1. e4 ) e5 *", "1. e4 e5 *"},
		{"empty variation", "1. e4 () e5 *", "1. e4 e5 *"},
		{"result in a variation", "1. e4 (1. d4 1-0) e5 0-1", "1. e4 (1. d4) 1... e5 0-1"},
		{"half a point", "1. e4 ½-½", "1. e4 1/2-1/2"},
		{"a draw, short", "1. e4 1/2", "1. e4 1/2-1/2"},
		{"escaped line", "1. e4\n% not { this\ne5 *", "1. e4 e5 *"},
		{"line comment", "1. e4 ; the { king's pawn\ne5 *", "1. e4 {the { king's pawn} 1... e5 *"},
		{"stray brace", "1. e4 } e5 *", "1. e4 e5 *"},
		{"NUL bytes", "1. e4\x00 \x00e5 *", "1. e4 e5 *"},
		{"Black begins", "[FEN \"7k/8/8/8/8/8/p7/K7 b - - 0 33\"]\n\n33... Kg7 34. Kxa2 *", "33... Kg7 34. Kxa2 *"},
		{"comment after the result", "1. e4 1-0 {Black resigned}", "1. e4 {Black resigned} 1-0"},
		{"comment first", "{Hello} 1. e4 *", "{Hello} 1. e4 *"},
		{"command without braces", "1. e4 [%clk 1:00:00] e5 *", "1. e4 {[%clk 1:00:00]} 1... e5 *"},
		{"colons", "1. e4 d5 2. e:d5 Q:d5 3. Nc3 Qd8 *", "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 *"},
		{"captures by files", "1. e4 d5 2. exd c5 3. dc6: bc *", "1. e4 d5 2. exd5 c5 3. dxc6 bxc6 *"},
		{"small letters", "1. pe4 e5 2. Nf3 Nf6 3. Be2 Be7 4. o-o o-o *", "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O *"},
		{"promotion behind a stroke", endgame + "1. a8/Q *", "1. a8=Q+ *"},
		{"words for check", "1. e4 e5 2. Qh5 Nc6 3. Qxf7 ch Kxf7 4. a3 a6 + 5. a4. dbl.ch. a5ch *", "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. a3 a6 5. a4 a5 *"},
		{"pass", "1. e4 pass 2. d4 *", "1. e4 -- 2. d4 *"},
		{"draw offer", "1. e4 (=) e5 *", "1. e4 {(=)} 1... e5 *"},
		{"results with colons", "1. e4 1:0", "1. e4 1-0"},
		{"results with blanks", "1. e4 0 - 1", "1. e4 0-1"},
		{"half a point with a colon", "1. e4 ½:½", "1. e4 1/2-1/2"},
		{"resigns", "1. e4 e5 resigns", "1. e4 e5 {resigns} *"},
		{"White resigns", "1. e4 e5 White resigns. 1-0", "1. e4 e5 {White resigns.} 1-0"},
		{"words and a comment", "1. e4 e5 time {sic} (he said) after 40 moves $1 1-0", "1. e4 e5 {time sic (he said) after 40 moves} $1 1-0"},
		{"words in a variation", "1. e4 e5 (1... c5 and so on) 2. Nf3 *", "1. e4 e5 (1... c5 {and so on}) 2. Nf3 *"},
		{"angle brackets", "1. e4 <diagram> e5 < *", "1. e4 {<diagram>} 1... e5 *"},
		{"a tag among moves", "[White \"A\"]\n\n1. e4 e5\n[Annotator \"x\"]\n2. Nf3 1-0", "1. e4 e5 2. Nf3 1-0"},
		{"a tag before the result", "[White \"A\"]\n\n1. e4 e5\n\n[Annotator \"x\"]\n\n1-0", "1. e4 e5 1-0"},
		{"both lose", "[Result \"0-0\"]\n\n1. e4 0-0", "1. e4 *"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := movesOf(t, test.text); got != test.want {
				t.Errorf("%q\n got %s\nwant %s", test.text, got, test.want)
			}
		})
	}
}

// errorsOf reads a text and returns the errors, and how many games there are.
func errorsOf(text string, opt ReaderOptions) (list []string, games int) {
	for _, err := range NewReader(strings.NewReader(text), opt).Records(context.Background(), 1, model.WantAll) {
		if err != nil {
			list = append(list, err.Error())
		} else {
			games++
		}
	}
	return list, games
}

func TestUnreadableMoves(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"illegal", "1. e4 e5\n2. Ke3 *", "test.pgn:2: game 1: 2.Ke3: no legal move fits"},
		{"Black's", "1. e4 Ke6 *", "test.pgn:1: game 1: 1...Ke6: no legal move fits"},
		{"in a variation without end", "1. e4 (1. d4 d4 e5 *", "test.pgn:1: game 1: 1...d4: no legal move fits"},
		{"a capture of nothing", "1. e4 e5 2. Ng1-f3 Nb8xd6 *", "test.pgn:1: game 1: 2...Nb8xd6: no legal move fits"},
		{"two knights", "1. Nf3 a6 2. Nd4 a5 3. Nc3 a4 4. Nb5 *", "test.pgn:1: game 1: 4.Nb5: more than one legal move fits"},
		{"promotion to what", endgame + "1. a8 *", "test.pgn:3: game 1: 1.a8: promotion without a piece"},
		{"two other languages", "1. e4 e5 2. Sf3 Cc6 1-0", "test.pgn:1: game 1: 2.Sf3: not a move"},
		{"prose", "1. e4 hello e5 *", "test.pgn:1: game 1: 1...hello: not a move"},
		{"strange sign", "1. e4 1... ¤ e5 *", "test.pgn:1: game 1: 1...¤: a sign that means nothing here"},
		{"a long word", "1. e4 " + strings.Repeat("x", 1000) + " e5 *", "test.pgn:1: game 1: 1...xxxxxxxxxxxxxxxxxxxx…: not a move"},
		{"open comment", "1. e4\ne5 {no end", "test.pgn:2: game 1: a comment that begins here has no end; add the missing }"},
		{"variation of nothing without end", "[Event \"x\"]\n\n(1. d4 1. e4 *", "test.pgn:3: game 1: a variation stands before the first move"},
		{"bad FEN", "[Event \"x\"]\n[FEN \"8/8\"]\n\n*", "test.pgn:1: game 1: FEN: board at byte 3: 2 ranks, not 8"},
		{"two kings", "[FEN \"KK5k/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*", "test.pgn:1: game 1: white: more than one king of a colour"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, games := errorsOf(test.text+"\n\n[Event \"next\"]\n\n1. e4 *", ReaderOptions{File: "test.pgn"})
			if games != 1 {
				t.Errorf("%d other games, want 1", games)
			}
			if len(got) != 1 || got[0] != test.want {
				t.Errorf("got %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestGameErrorWraps(t *testing.T) {
	for rec, err := range NewReader(strings.NewReader("1. e4 Ke6 *"), ReaderOptions{}).Records(context.Background(), 1, 0) {
		var e *GameError
		if rec.ID != 1 || !errors.As(err, &e) || !errors.Is(err, board.ErrIllegal) || !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("record %d: %v", rec.ID, err)
		}
		if want := "line 1: game 1: 1...Ke6: no legal move fits"; err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

func TestKeepGoing(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"main line", "1. e4 e5 2. Ke3 Nc6 {good} 1-0", "1. e4 e5 {[%cbtext data=S2UzIE5jNiB7Z29vZH0] Ke3 Nc6 (good)} 1-0"},
		{"variation", "1. e4 (1. d4 d4 2. c4) e5 0-1", "1. e4 (1. d4 {d4 2. c4}) 1... e5 0-1"},
		{"first move", "[Event \"x\"]\n\n1. e5 *", "{e5} *"},
		{"start of a variation", "1. e4 (e5) e5 *", "1. e4 {e5} 1... e5 *"},
		{"signs in front", "1. e4 <,Ke5 Nf3 *", "1. e4 {<,Ke5 Nf3} *"},
		{"a tag behind", "[White \"A\"]\n\n1. e4 Ke5\n[Annotator \"x\"]\n2. Nf3 *", "1. e4 {Ke5 [Annotator \"x\"] 2. Nf3} *"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var losses []model.Loss
			opt := ReaderOptions{KeepGoing: true, Report: func(l model.Loss) { losses = append(losses, l) }}
			db, err := model.Load(context.Background(), NewReader(strings.NewReader(test.text), opt))
			if err != nil || len(db.List) != 1 || len(losses) != 1 {
				t.Fatalf("%d games, losses %v, error %v", len(db.List), losses, err)
			}
			_, got, _ := bytes.Cut(AppendGame(nil, db.List[0].Game, &db.Tables), []byte("\n\n"))
			if s := strings.Join(strings.Fields(string(got)), " "); s != test.want {
				t.Errorf("got %s\nwant %s", s, test.want)
			}
		})
	}
}

func TestDeepVariations(t *testing.T) {
	const depth = 5_000
	text := "1. e4 " + strings.Repeat("(1. d4 ", depth) + strings.Repeat(")", depth) + " e5 *"
	db := readAll(t, []byte(text))
	if n := db.List[0].Game.Moves.Len(); n != depth+2 {
		t.Errorf("%d moves, want %d", n, depth+2)
	}
	again := readAll(t, AppendGame(nil, db.List[0].Game, &db.Tables))
	if !model.Equal(db, again) {
		t.Error("the game reads back otherwise")
	}
	errs, _ := errorsOf("1. e4 "+strings.Repeat("(1. d4 ", maxDepth+1), ReaderOptions{})
	if len(errs) != 1 || !strings.Contains(errs[0], "nested") {
		t.Errorf("too deep: %v", errs)
	}
}
