package board_test

import (
	"fmt"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// mustNew returns the position of a FEN.
func mustNew(tb testing.TB, fen string) board.Position {
	tb.Helper()
	m := must.Get(board.ParseModel(fen))(tb)
	return must.Get(board.New(&m))(tb)
}

// The positions of the chess programming wiki's perft page and three more,
// with their published counts.
var perftPositions = []struct {
	fen   string
	nodes []uint64 // by depth, from 1
}{
	{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", []uint64{20, 400, 8902, 197281, 4865609}},
	{kiwipete, []uint64{48, 2039, 97862, 4085603, 193690690}},
	{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", []uint64{14, 191, 2812, 43238, 674624, 11030083}},
	{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", []uint64{6, 264, 9467, 422333, 15833292}},
	{"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", []uint64{6, 264, 9467, 422333, 15833292}},
	{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", []uint64{44, 1486, 62379, 2103487, 89941194}},
	{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", []uint64{46, 2079, 89890, 3894594}},
	{"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", []uint64{24, 496, 9483, 182838, 3605103}},
	{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", []uint64{26, 568, 13744, 314346, 7594526}},
}

// Martin Sedlak's positions: one trap each, with the count at one depth.
var perftTraps = []struct {
	trap  string
	fen   string
	depth int
	nodes uint64
}{
	{"en passant uncovers the rank", "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1134888},
	{"en passant ends a check", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1440467},
	{"short castling gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661072},
	{"long castling gives check", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803711},
	{"rights are captured", "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1274206},
	{"castling is prevented", "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1720476},
	{"promotion ends a check", "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3821001},
	{"check is uncovered", "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1004658},
	{"promotion gives check", "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217342},
	{"underpromotion gives check", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92683},
	{"stalemate of oneself", "K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2217},
	{"stalemate and mate", "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567584},
	{"double check", "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23527},
}

// Chess960 positions from the widely published list of perft results for
// Fischer random chess.
var perft960Positions = []struct {
	fen   string
	nodes []uint64
}{
	{"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", []uint64{21, 528, 12189, 326672, 8146062}},
	{"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", []uint64{21, 807, 18002, 667366, 16253601}},
	{"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", []uint64{20, 479, 10471, 273318, 6417013}},
	{"qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", []uint64{22, 593, 13440, 382958, 9183776}},
	{"1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", []uint64{28, 1120, 31058, 1171749, 34030312}},
	{"qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9", []uint64{29, 899, 26578, 824055, 24851983}},
	{"q1bnrkr1/ppppp2p/2n2p2/4b1p1/2NP4/8/PPP1PPPP/QNB1RRKB w ge - 1 9", []uint64{30, 860, 24566, 732757, 21093346}},
	{"qbn1brkr/ppp1p1p1/2n4p/3p1p2/P7/6PP/QPPPPP2/1BNNBRKR w HFhf - 0 9", []uint64{25, 635, 17054, 465806, 13203304}},
	{"qnnbbrkr/1p2ppp1/2pp3p/p7/1P5P/2NP4/P1P1PPP1/Q1NBBRKR w HFhf - 0 9", []uint64{24, 572, 15243, 384260, 11110203}},
	{"qn1rbbkr/ppp2p1p/1n1pp1p1/8/3P4/P6P/1PP1PPPK/QNNRBB1R w hd - 2 9", []uint64{28, 811, 23175, 679699, 19836606}},
	{"qnr1bkrb/pppp2pp/3np3/5p2/8/P2P2P1/NPP1PP1P/QN1RBKRB w GDg - 3 9", []uint64{33, 823, 26895, 713420, 23114629}},
	{"qb1nrkbr/1pppp1p1/1n3p2/p1B4p/8/3P1P1P/PPP1P1P1/QBNNRK1R w HEhe - 0 9", []uint64{31, 855, 25620, 735703, 21796206}},
}

// checkPerft compares node counts up to a limit of nodes.
func checkPerft(t *testing.T, fen string, nodes []uint64, limit uint64) {
	t.Helper()
	p := mustNew(t, fen)
	before := p
	nodes = append([]uint64{1}, nodes...)
	for i, want := range nodes {
		if want > limit {
			break
		}
		if got := perft(&p, i); got != want {
			t.Errorf("%s: perft %d = %d, want %d", fen, i, got, want)
			return
		}
	}
	if p != before {
		t.Errorf("%s: perft left another position", fen)
	}
}

func nodeLimit() uint64 {
	if testing.Short() {
		return 1_000_000
	}
	return 40_000_000
}

func TestPerft(t *testing.T) {
	for _, c := range perftPositions {
		checkPerft(t, c.fen, c.nodes, nodeLimit())
	}
}

func TestPerftTraps(t *testing.T) {
	for _, c := range perftTraps {
		p := mustNew(t, c.fen)
		if got := perft(&p, c.depth); got != c.nodes {
			t.Errorf("%s: %s: perft %d = %d, want %d", c.trap, c.fen, c.depth, got, c.nodes)
		}
	}
}

func TestPerftChess960(t *testing.T) {
	for _, c := range perft960Positions {
		if p := mustNew(t, c.fen); !p.Chess960() {
			t.Errorf("%s is not marked as Chess960", c.fen)
		}
		checkPerft(t, c.fen, c.nodes, nodeLimit())
	}
}

// The second generator has to earn its trust too.
func TestNaivePerft(t *testing.T) {
	for _, c := range append(perftPositions, perft960Positions...) {
		m := must.Get(board.ParseModel(c.fen))(t)
		p := naive(m)
		if got := p.perft(2); got != c.nodes[1] {
			t.Errorf("%s: naive perft 2 = %d, want %d", c.fen, got, c.nodes[1])
		}
	}
}

func TestPerftOfChess960Starts(t *testing.T) {
	depth := 3
	for _, n := range []int{0, 1, 29, 101, 236, 356, 404, 518, 534, 639, 753, 808, 877, 959} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			m := board.Chess960Start(n)
			slow := naive(m)
			p := must.Get(board.New(&m))(t)
			if got, want := perft(&p, depth), slow.perft(depth); got != want {
				t.Errorf("perft %d = %d, naive generator %d", depth, got, want)
			}
		})
	}
}

// perft counts the sequences of legal moves of the given length from p, the
// usual test of a move generator. The position is the same afterwards.
func perft(p *board.Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	var buf [256]model.Move
	moves := p.AppendLegal(buf[:0])
	if depth == 1 {
		return uint64(len(moves))
	}
	var n uint64
	for _, m := range moves {
		u := p.Make(m)
		n += perft(p, depth-1)
		p.Unmake(m, u)
	}
	return n
}
