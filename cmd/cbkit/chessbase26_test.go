package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	lib "cbkit"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// chessBase26 are databases with the PGN that ChessBase 26 exports of them, and how many
// of their games go wrong somewhere.
var chessBase26 = []struct {
	db, pgn string
	cut     int
}{
	{"cbh26/UnusualStart/UnusualStartBytes.cbh", "cbh26/UnusualStart/UnusualStart.pgn", 0},
	{"cbh26/NormalNoPop/StandardMissingPop.cbh", "cbh26/NormalNoPop/StandardNoPop.pgn", 1},
	{"cbh26/Chess960Corrupt/Corrupt.cbh", "cbh26/Chess960Corrupt/Corrupt960.pgn", 4},
}

// Every game has the moves and variations that ChessBase gives, and begins as there; one
// that goes wrong has a comment where it was cut.
func TestGamesOfChessBase26(t *testing.T) {
	load := func(t *testing.T, path string) *model.Database {
		src := must.Get(lib.Open(path, lib.Options{}))(t)
		defer src.Close()
		return must.Get(model.Load(context.Background(), src))(t)
	}
	// ChessBase writes no rights to castle for Chess960, and counts no half-moves.
	board := func(g *model.Game) model.Position {
		p := g.StartPosition()
		if p.Chess960 {
			p.Rights = model.NoRights()
		}
		return p
	}
	for _, c := range chessBase26 {
		for _, form := range []string{"", "--plain"} {
			t.Run(filepath.Base(c.db)+form, func(t *testing.T) {
				db, want := corpus.Path(t, c.db), load(t, corpus.Path(t, c.pgn))
				here(t)
				status := exitDone
				if c.cut > 0 {
					status = exitFailed
				}
				if r := cbkit(t, "", append([]string{"convert", db, "out.pgn"}, strings.Fields(form)...)...); r.status != status {
					t.Fatalf("%+v", r)
				}
				got := load(t, "out.pgn")
				if len(got.List) != len(want.List) {
					t.Fatalf("%d games, want %d", len(got.List), len(want.List))
				}
				cut := 0
				for i, rec := range got.List {
					is, was := rec.Game, want.List[i].Game
					if !is.Moves.Equal(&was.Moves) || board(is) != board(was) {
						t.Errorf("game %d: %d moves, want %d; %v, want %v", i+1, is.Moves.Len(), was.Moves.Len(), board(is), board(was))
					}
					if is.Resolve(&got.Tables).White != was.Resolve(&want.Tables).White || is.Date != was.Date || is.Round != was.Round || is.WhiteElo != was.WhiteElo || is.Result != was.Result {
						t.Errorf("game %d: %v, want %v", i+1, rec.Header(&got.Tables), want.List[i].Header(&want.Tables))
					}
					for _, a := range is.Annotations {
						if text, ok := a.Value.(model.Text); ok && strings.HasPrefix(text.Text, "the stored moves end here: move ") {
							if cut++; int(a.Node) != is.Moves.Len()-1 {
								t.Errorf("game %d: cut at %d of %d", i+1, a.Node, is.Moves.Len())
							}
						}
					}
				}
				if cut != c.cut {
					t.Errorf("%d games are cut, want %d", cut, c.cut)
				}
			})
		}
	}
}

// A game whose moves go wrong counts as far as it goes, with and without an index; formats
// that take the stored record as it is have nothing else.
func TestQuestionsOfCutGames(t *testing.T) {
	from := filepath.Dir(corpus.Path(t, "cbh26/NormalNoPop/StandardMissingPop.cbh"))
	here(t)
	must.Do(t, os.CopyFS("db", os.DirFS(from)))
	const db = "db/StandardMissingPop.cbh"
	questions := [][]string{
		{"find", db, "--fen", "rnbqkbnr/pppppp1p/6p1/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 2", "--csv"},
		{"find", db, "--fen", "6r1/3bkpN1/1p1pp2R/p2pP3/1PpP4/2P3P1/5K2/8 b - - 0 1", "--csv"},
		{"find", db, "moves:50..", "--csv"},
		{"find", db, "material:KRN[P]-KRB[P]", "--csv"},
		{"report", db, "e4", "g6"},
		{"report", db, "e4", "g6", "d4", "Bg7", "Nc3", "d6", "f4", "Nd7"},
		{"stats", db},
		{"tree", db, "-"},
		{"eco", db, "-", "--keep"},
	}
	answers := make([]result, len(questions))
	for i, q := range questions {
		answers[i] = cbkit(t, "", q...)
		if !strings.Contains(answers[i].out, "Poppner") && !strings.Contains(answers[i].out, "B06") && i != 1 {
			t.Errorf("%v: %+v", q, answers[i])
		}
	}
	for _, indexes := range [][]string{{"--positions"}, nil} {
		if r := cbkit(t, "", append([]string{"boosters", db}, indexes...)...); r.status != exitFailed || !strings.Contains(r.errOut, "move 108") {
			t.Fatalf("%+v", r)
		}
		for i, q := range questions {
			if r := cbkit(t, "", q...); r.out != answers[i].out || r.status != answers[i].status {
				t.Errorf("%v with %v: %+v\nwithout: %+v", q, indexes, r, answers[i])
			}
		}
	}
	for _, as := range []string{"cbh", "jsonl"} {
		cbkit(t, "", "convert", db, "copy."+as)
		if r := cbkit(t, "", "export", "copy."+as, "-"); r.status != exitFailed || strings.Count(r.out, "the stored moves end here") != 1 {
			t.Errorf("%s: %+v", as, r)
		}
	}
	if r := cbkit(t, "", "convert", db, "copy.dci"); r.status != exitFailed {
		t.Errorf("%+v", r)
	}
	mustRun(t, "export", "copy.dci", "-").prints(t, "54. Ke3 {the stored moves end here")
}
