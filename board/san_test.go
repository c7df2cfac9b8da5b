package board_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

func TestSANEqualsNaive(t *testing.T) {
	everyPosition(t, func(t *rapid.T, p board.Position) {
		if p.FullMove()%8 != 0 {
			return
		}
		slow := naive(p.Model())
		for _, m := range p.AppendLegal(nil) {
			if got, want := p.SAN(m), slow.san(m); got != want {
				t.Fatalf("%s: %v is %s, want %s", p.FEN(), m, got, want)
			}
		}
	})
}

// Every legal move is read back from SAN, with and without its signs, from
// long algebraic notation and from UCI.
func TestNotationRoundTrip(t *testing.T) {
	everyPosition(t, func(t *rapid.T, p board.Position) {
		before := p
		for _, m := range p.AppendLegal(nil) {
			san := p.SAN(m)
			texts := []string{san, strings.TrimRight(san, "+#"), strings.TrimRight(san, "+#") + "#!?",
				strings.ReplaceAll(san, "x", ""), strings.ReplaceAll(san, "=", ""), m.UCI(p.Chess960())}
			if m.IsCastling() {
				texts = append(texts, strings.ReplaceAll(san, "O", "0"), m.UCI(true))
			} else {
				texts = append(texts, long(&p, m, "-"), long(&p, m, ""))
			}
			for _, text := range texts {
				if got, err := p.ParseSAN(text); got != m || err != nil {
					t.Fatalf("%s: %q is %v (%v), want %v", p.FEN(), text, got, err, m)
				}
			}
			for _, text := range []string{m.UCI(p.Chess960()), m.UCI(true)} {
				if got, err := p.ParseUCI(text); got != m || err != nil {
					t.Fatalf("%s: UCI %q is %v (%v), want %v", p.FEN(), text, got, err, m)
				}
			}
		}
		if p != before {
			t.Fatal("reading has changed the position")
		}
	})
}

// long returns long algebraic notation.
func long(p *board.Position, m model.Move, sign string) string {
	var b strings.Builder
	if t := p.PieceAt(m.From()).Type(); t != model.Pawn {
		b.WriteByte(t.Letter())
	}
	b.WriteString(m.From().String() + sign + m.To().String())
	if t := m.Promotion(); t != model.NoPieceType {
		b.WriteString("(" + string(rune(t.Letter())) + ")")
	}
	return b.String()
}

func TestSAN(t *testing.T) {
	cases := []struct{ fen, uci, san string }{
		{kiwipete, "e1g1", "O-O"},
		{kiwipete, "e1c1", "O-O-O"},
		{kiwipete, "e5f7", "Nxf7"},
		{kiwipete, "d5e6", "dxe6"},
		{kiwipete, "0000", "--"},
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1d1", "Rd1"},
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h8", "Rh8+"},
		{"3k4/8/3K4/8/8/8/8/7R w - - 0 1", "h1h8", "Rh8#"},
		{"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"},
		{"6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1", "a1d1", "Rad1"},
		{"6k1/5ppp/R7/8/8/8/R7/6K1 w - - 0 1", "a2a4", "R2a4"},
		{"6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"},
		// The other knight is pinned: no need to tell.
		{"4r1k1/8/8/8/8/4N3/8/2N1K3 w - - 0 1", "c1e2", "Ne2"},
		{"4r1k1/8/8/8/4N3/8/8/N3K3 w - - 0 1", "a1c2", "Nc2"},
		{"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a8=N"},
		{"1r6/P6k/8/8/8/8/8/K7 w - - 0 1", "a7b8q", "axb8=Q"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
		{"4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "O-O"},
	}
	for _, c := range cases {
		p := mustNew(t, c.fen)
		m, err := p.ParseUCI(c.uci)
		if err != nil {
			t.Errorf("%s: %s: %v", c.fen, c.uci, err)
			continue
		}
		if got := p.SAN(m); got != c.san {
			t.Errorf("%s: %s is %s, want %s", c.fen, c.uci, got, c.san)
		}
	}
}

func TestParseSAN(t *testing.T) {
	const (
		castles  = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
		noRights = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"
		promotes = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1"
		passant  = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
		bishop   = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1"
		pinned   = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"
		twins    = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1"
		start    = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
		capture  = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
		knight   = "4k3/8/8/3pPN2/8/8/8/4K3 w - d6 0 1"
	)
	cases := []struct{ fen, text, uci string }{
		{start, "e4", "e2e4"}, {start, "e2e4", "e2e4"}, {start, "e2-e4", "e2e4"}, {start, "Pe4", "e2e4"},
		{start, "Nf3", "g1f3"}, {start, "Ng1f3", "g1f3"}, {start, "Ng1-f3", "g1f3"}, {start, "g1f3", "g1f3"},
		{start, "Ngf3", "g1f3"}, {start, "N1f3", "g1f3"}, {start, "Nf3+", "g1f3"}, {start, "Nf3#!?", "g1f3"},
		{start, "e4 ", "e2e4"}, {start, "ee4", "e2e4"}, {start, "b4", "b2b4"}, {start, "e4!!", "e2e4"},
		{start, "--", "0000"}, {start, "Z0", "0000"}, {start, "null", "0000"}, {start, "@@@@", "0000"}, {start, "0000", "0000"},
		{start, "---", "0000"}, {start, "<>", "0000"}, {castles, "OO", "e1g1"}, {castles, "00", "e1g1"}, {castles, "oo+", "e1g1"},
		{castles, "OOO", "e1c1"}, {castles, "000", "e1c1"}, {castles, "ooo", "e1c1"},
		{promotes, "a8+=Q", "a7a8q"}, {promotes, "a8+Q", "a7a8q"}, {promotes, "axb8#=R", "a7b8r"}, {promotes, "a8+(N)", "a7a8n"}, {promotes, "a8=+Q", "a7a8q"}, {promotes, "a7-a8+=Q+", "a7a8q"},
		{castles, "O-O", "e1g1"}, {castles, "0-0", "e1g1"}, {castles, "O-O-O+", "e1c1"}, {castles, "0-0-0", "e1c1"},
		{castles, "e1g1", "e1g1"}, {castles, "e1h1", "e1g1"}, {castles, "e1c1", "e1c1"}, {castles, "e1a1", "e1c1"},
		{castles, "Ke1-g1", "e1g1"}, {castles, "Kf1", "e1f1"}, {castles, "Rxh8", "h1h8"},
		{noRights, "O-O", "e1g1"}, {noRights, "0-0-0", "e1c1"}, {noRights, "e1g1", "e1g1"}, {noRights, "e1a1", "e1c1"},
		{promotes, "a8=Q", "a7a8q"}, {promotes, "a8Q", "a7a8q"}, {promotes, "a8(Q)", "a7a8q"}, {promotes, "a8=N", "a7a8n"},
		{promotes, "a7a8b", "a7a8b"}, {promotes, "a7-a8=R", "a7a8r"}, {promotes, "axb8=Q+", "a7b8q"}, {promotes, "ab8Q", "a7b8q"},
		{promotes, "a7xb8(R)+", "a7b8r"},
		{passant, "exd6", "e5d6"}, {passant, "ed6", "e5d6"}, {passant, "exd6e.p.", "e5d6"}, {passant, "exd6 e.p.+", "e5d6"},
		{passant, "e5xd6", "e5d6"}, {passant, "xd6", "e5d6"}, {passant, "e5d6", "e5d6"},
		{bishop, "bxc3", "b2c3"}, {bishop, "Bxc3", "d2c3"}, {bishop, "bc3", "b2c3"}, {bishop, "Bc3", "d2c3"},
		{bishop, "b2xc3", "b2c3"}, {bishop, "b3", "b2b3"},
		{start, "pe4", "e2e4"}, {start, "pass", "0000"}, {castles, "o-o", "e1g1"}, {castles, "o-o-o+", "e1c1"},
		{castles, "R:h8", "h1h8"}, {castles, "Rh8:", "h1h8"}, {castles, "Rh1:h8", "h1h8"},
		{promotes, "a8/N", "a7a8n"}, {promotes, "a7:b8/Q+", "a7b8q"}, {promotes, "ab/Q", "a7b8q"}, {promotes, "pa8=Q", "a7a8q"},
		{passant, "e:d6", "e5d6"}, {passant, "ed6:", "e5d6"}, {passant, "exd", "e5d6"}, {passant, "ed", "e5d6"}, {passant, "e:d", "e5d6"},
		{passant, "ed:", "e5d6"}, {passant, "ed e.p.", "e5d6"}, {passant, "pe:d6", "e5d6"},
		{bishop, "b:c3", "b2c3"}, {bishop, "B:c3", "d2c3"}, {bishop, "bc", "b2c3"},
		{passant, "exd6ep", "e5d6"}, {passant, "exd6 ep.", "e5d6"}, {passant, "exd6e.p", "e5d6"}, {passant, "e5d6 ep+", "e5d6"},
		{start, "Nxf3", "g1f3"}, {start, "e2xe4", "e2e4"}, {start, ":e4", "e2e4"}, {start, "N:f3", "g1f3"},
		{capture, "exe5", "e4e5"}, {capture, "xe5", "e4e5"}, {capture, "xd5", "e4d5"}, {capture, "exd5", "e4d5"},
		{knight, "f5xd6", "f5d6"}, {knight, "Nxd6", "f5d6"}, {knight, "exd6", "e5d6"},
		{pinned, "Ne2", "g1e2"}, {pinned, "Nge2", "g1e2"}, {twins, "Nbd2", "b1d2"}, {twins, "Nc3", "b1c3"},
	}
	for _, c := range cases {
		p := mustNew(t, c.fen)
		m, err := p.ParseSAN(c.text)
		if err != nil || m.UCI(false) != c.uci {
			t.Errorf("%s: %q is %v (%v), want %s", c.fen, c.text, m, err, c.uci)
		}
	}
}

func TestParseSANRefuses(t *testing.T) {
	const (
		promotes = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1"
		capture  = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
		twins    = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1"
		castles  = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
		exposed  = "4k3/3P4/8/8/8/8/8/K3R3 w - - 0 1"
		stays    = "4k3/8/8/8/8/8/8/6KR w H - 0 1"
		blocked  = "4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1"
		two      = "4k3/8/3p4/3pP3/4P3/8/8/4K3 w - - 0 1"
		start    = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	)
	cases := []struct {
		fen, text string
		want      error
	}{
		{start, "", board.ErrNotation}, {start, "+", board.ErrNotation}, {start, "e", board.ErrNotation},
		{start, "e9", board.ErrNotation}, {start, "i4", board.ErrNotation}, {start, "N", board.ErrNotation},
		{start, "Nf", board.ErrNotation}, {start, "Nxf", board.ErrNotation}, {start, "nf3", board.ErrNotation},
		{start, "e4e.p", board.ErrNotation}, {two, "deep", board.ErrNotation}, {two, "edep", board.ErrNotation}, {start, "O", board.ErrNotation}, {start, "O-O-O-O", board.ErrNotation},
		{start, "-", board.ErrNotation}, {start, "----", board.ErrNotation}, {start, "<", board.ErrNotation}, {start, "<->", board.ErrNotation}, {start, "OOOO", board.ErrNotation}, {start, "00000", board.ErrNotation}, {start, "0", board.ErrNotation}, {start, "--+", board.ErrNotation}, {start, "Z1", board.ErrNotation},
		{start, "1-0", board.ErrNotation}, {start, "0-1", board.ErrNotation}, {start, "e2e4e5", board.ErrNotation},
		{start, "e4(Q", board.ErrNotation}, {start, "e4Q)", board.ErrNotation}, {start, "(Q)", board.ErrNotation},
		{start, "=Q", board.ErrNotation}, {start, "e4=K", board.ErrNotation}, {start, "N1g1f3", board.ErrNotation},
		{start, "e5", board.ErrIllegal}, {start, "Nd2", board.ErrIllegal}, {start, "O-O", board.ErrIllegal},
		{start, "e4=Q", board.ErrIllegal}, {start, "Nf3=Q", board.ErrIllegal}, {start, "a1a1", board.ErrIllegal},
		{start, "e7e5", board.ErrIllegal}, {start, "Bg1f3", board.ErrIllegal},
		{start, "exd3", board.ErrIllegal}, {start, "Nbf3", board.ErrIllegal}, {start, "Ke1g1", board.ErrIllegal},
		{promotes, "a8", board.ErrPromotion}, {promotes, "axb8", board.ErrPromotion}, {promotes, "a7a8", board.ErrPromotion},
		{promotes, "a8=+", board.ErrNotation}, {promotes, "+Q", board.ErrNotation}, {promotes, "a8=+=Q", board.ErrNotation}, {promotes, "b8", board.ErrIllegal}, {promotes, "c8", board.ErrIllegal},
		{capture, "d5", board.ErrIllegal}, {capture, "exf5", board.ErrIllegal}, {capture, "xe4", board.ErrIllegal},
		{twins, "Nd2", board.ErrAmbiguous}, {twins, "N1d2", board.ErrAmbiguous},
		{castles, "Kg1", board.ErrIllegal}, {castles, "e1b1", board.ErrIllegal}, {castles, "e1g1q", board.ErrIllegal},
		{castles, "e1g8", board.ErrIllegal}, {castles, "Ka1b1", board.ErrIllegal},
		{start, "e2xe5", board.ErrIllegal}, {start, "e4abc.", board.ErrNotation}, {castles, "e1e1", board.ErrIllegal},
		{exposed, "Rxe8", board.ErrIllegal}, {exposed, "dxe8=Q", board.ErrIllegal}, {exposed, "e1xe8", board.ErrIllegal},
		{stays, "g1g1", board.ErrIllegal}, {twins, "Nxd2", board.ErrAmbiguous},
		{blocked, "e1h1", board.ErrIllegal},
		{capture, "e4:", board.ErrIllegal}, {capture, "d5:e4", board.ErrIllegal}, {capture, "dxe", board.ErrIllegal},
		{two, "ed", board.ErrAmbiguous}, {two, "exd", board.ErrAmbiguous}, {two, "exf", board.ErrIllegal}, {two, "ec", board.ErrNotation},
		{promotes, "ab", board.ErrPromotion}, {promotes, "ab:", board.ErrPromotion}, {promotes, "ab=K", board.ErrNotation},
		{start, "be", board.ErrNotation}, {start, "ed", board.ErrIllegal}, {start, "Bc", board.ErrNotation}, {start, "o-o", board.ErrIllegal},
		{start, ":", board.ErrNotation}, {start, ":e5", board.ErrIllegal}, {start, "::", board.ErrNotation}, {start, "p", board.ErrNotation},
		{start, "pp", board.ErrNotation}, {start, "pNf3", board.ErrNotation}, {start, "e4/", board.ErrNotation}, {start, "1:0", board.ErrNotation},
		{start, "e2-e4-e5-e6-e7", board.ErrNotation}, {start, "passed", board.ErrNotation},
	}
	for _, c := range cases {
		p := mustNew(t, c.fen)
		if m, err := p.ParseSAN(c.text); !errors.Is(err, c.want) || m != model.NullMove {
			t.Errorf("%s: %q is %v (%v), want %v", c.fen, c.text, m, err, c.want)
		}
	}
}

func TestParseUCIRefuses(t *testing.T) {
	p := board.Start()
	for _, text := range []string{"", "e4", "e2e", "e2e9", "i2e4", "e2-e4", "e2e4e", "e7e8Q", "e7e8k", "e7e8p", "0-0", "00000"} {
		if _, err := p.ParseUCI(text); !errors.Is(err, board.ErrNotation) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"e2e5", "a1a1", "e7e5", "e1g1", "e2e4q"} {
		if _, err := p.ParseUCI(text); !errors.Is(err, board.ErrIllegal) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A right that names a rook on the wrong wing is no castling at all.
func TestCastlingRightOnWrongWing(t *testing.T) {
	m := must.Get(board.ParseModel("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"))(t)
	m.Rights[model.White] = [2]model.Square{model.A1, model.NoSquare}
	p := open(t, &m)
	if got, err := p.ParseSAN("O-O"); err == nil {
		t.Errorf("O-O is %v", got)
	}
	if long := model.NewCastling(model.E1, model.A1); p.Legal(long) || slices.Contains(p.AppendLegal(nil), long) {
		t.Error("long castling by the right to short castling")
	}
}

// In Chess960 a king's step is a step; more than one file is castling.
func TestParseUCIChess960(t *testing.T) {
	p := mustNew(t, "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1")
	for text, want := range map[string]model.Move{
		"f1g1": model.NewMove(model.F1, model.G1),
		"f1h1": model.NewCastling(model.F1, model.H1),
		"f1b1": model.NewCastling(model.F1, model.B1),
		"f1c1": model.NewCastling(model.F1, model.B1),
	} {
		if got, err := p.ParseUCI(text); got != want || err != nil {
			t.Errorf("%s: %v (%v), want %v", text, got, err, want)
		}
	}
}
