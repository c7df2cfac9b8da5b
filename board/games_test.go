package board_test

import (
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/model"
)

// Games that every textbook prints, as material for tests and benchmarks.
var games = []string{
	// Morphy - Duke of Brunswick and Count Isouard, Paris 1858
	`e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7
	O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#`,
	// Anderssen - Kieseritzky, London 1851
	`e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6
	h5 Qg5 Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#`,
	// D. Byrne - Fischer, New York 1956
	`Nf3 Nf6 c4 g6 Nc3 Bg7 d4 O-O Bf4 d5 Qb3 dxc4 Qxc4 c6 e4 Nbd7 Rd1 Nb6 Qc5 Bg4 Bg5 Na4 Qa3 Nxc3
	bxc3 Nxe4 Bxe7 Qb6 Bc4 Nxc3 Bc5 Rfe8+ Kf1 Be6 Bxb6 Bxc4+ Kg1 Ne2+ Kf1 Nxd4+ Kg1 Ne2+ Kf1 Nc3+
	Kg1 axb6 Qb4 Ra4 Qxb6 Nxd1 h3 Rxa2 Kh2 Nxf2 Re1 Rxe1 Qd8+ Bf8 Nxe1 Bd5 Nf3 Ne4 Qb8 b5 h4 h5
	Ne5 Kg7 Kg1 Bc5+ Kf1 Ng3+ Ke1 Bb4+ Kd1 Bb3+ Kc1 Ne2+ Kb1 Nc3+ Kc1 Rc2#`,
	// Kasparov - Topalov, Wijk aan Zee 1999
	`e4 d6 d4 Nf6 Nc3 g6 Be3 Bg7 Qd2 c6 f3 b5 Nge2 Nbd7 Bh6 Bxh6 Qxh6 Bb7 a3 e5 O-O-O Qe7 Kb1 a6
	Nc1 O-O-O Nb3 exd4 Rxd4 c5 Rd1 Nb6 g3 Kb8 Na5 Ba8 Bh3 d5 Qf4+ Ka7 Rhe1 d4 Nd5 Nbxd5 exd5 Qd6
	Rxd4 cxd4 Re7+ Kb6 Qxd4+ Kxa5 b4+ Ka4 Qc3 Qxd5 Ra7 Bb7 Rxb7 Qc4 Qxf6 Kxa3 Qxa6+ Kxb4 c3+ Kxc3
	Qa1+ Kd2 Qb2+ Kd1 Bf1 Rd2 Rd7 Rxd7 Bxc4 bxc4 Qxh8 Rd3 Qa8 c3 Qa4+ Ke1 f4 f5 Kc1 Rd2 Qa7`,
}

// line is a game from the starting position: its moves and their SAN.
type line struct {
	moves []model.Move
	san   [][]byte
}

func textbookLines(tb testing.TB) []line {
	tb.Helper()
	var lines []line
	for _, game := range games {
		p := board.Start()
		var l line
		for _, san := range strings.Fields(game) {
			m, err := p.ParseSAN(san)
			if err != nil {
				tb.Fatalf("%s after %v: %v", san, l.moves, err)
			}
			l.moves = append(l.moves, m)
			l.san = append(l.san, []byte(san))
			p.Make(m)
		}
		lines = append(lines, l)
	}
	return lines
}

func TestTextbookGames(t *testing.T) {
	for i, l := range textbookLines(t) {
		p := board.Start()
		for j, m := range l.moves {
			if got := p.SAN(m); got != string(l.san[j]) {
				t.Errorf("game %d, ply %d: SAN %s, want %s", i, j, got, l.san[j])
			}
			p.Make(m)
		}
	}
}
