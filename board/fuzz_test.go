package board_test

import (
	"slices"
	"testing"

	"cbkit/board"
	"cbkit/model"
)

// fenSeeds are small valid inputs of all kinds.
var fenSeeds = []string{
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	kiwipete,
	"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
	"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
	"k5r1/8/b7/8/8/5p1p/5PBP/6KR w H - 0 1",
	"8/8/8/8/8/8/8/8 b - -",
	"4k3/8/8/8/8/8/8/R3K2R w - - 99 120",
	"4k3/P7/8/8/8/8/8/4K3 w Kq - 0 1",
}

// FuzzParseFEN: what is read can be written, and what is written is read back
// as the same.
func FuzzParseFEN(f *testing.F) {
	for _, fen := range fenSeeds {
		f.Add(fen)
	}
	f.Fuzz(func(t *testing.T, fen string) {
		for _, parse := range []func(string) (model.Position, error){board.ParseModel, board.ParseModel960} {
			p, err := parse(fen)
			if err != nil {
				continue
			}
			written := board.FormatFEN(&p)
			back, err := parse(written)
			if err != nil || back != p {
				t.Fatalf("%q is written %q, read back as %q (%v)\n%+v\n%+v", fen, written, board.FormatFEN(&back), err, p, back)
			}
			if again := board.FormatFEN(&back); again != written {
				t.Fatalf("%q is written %q, then %q", fen, written, again)
			}
		}
	})
}

// position returns the position of a FEN, if there is one.
func position(fen string) (board.Position, bool) {
	m, err := board.ParseModel(fen)
	if err != nil {
		return board.Position{}, false
	}
	p, err := board.New(&m)
	return p, err == nil
}

// FuzzParseSAN: any text on any position gives a legal move, or an error.
func FuzzParseSAN(f *testing.F) {
	for _, fen := range fenSeeds {
		for _, san := range []string{"e4", "Nbxd2+", "exd6 e.p.", "e8=Q#", "a8(N)", "O-O-O", "0-0", "e1g1", "e2-e4", "--", "Z0", "e:d6", "exd", "ed:", "pe4", "a8/Q", "o-o"} {
			f.Add(fen, san)
		}
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		p, ok := position(fen)
		if !ok {
			return
		}
		before := p
		if m, err := p.ParseSAN(text); err == nil {
			if !p.LegalLoose(m) {
				t.Fatalf("%s: %q is %v, not legal", fen, text, m)
			}
			san := p.SAN(m)
			if again, err := p.ParseSAN(san); p.Legal(m) && (again != m || err != nil) {
				t.Fatalf("%s: %q is %v, written %s, read back as %v (%v)", fen, text, m, san, again, err)
			}
		}
		if m, err := p.ParseUCI(text); err == nil && !p.LegalLoose(m) {
			t.Fatalf("%s: UCI %q is %v, not legal", fen, text, m)
		}
		if p != before {
			t.Fatalf("%s: reading %q has changed it", fen, text)
		}
	})
}

// FuzzMake: any moves on any position are made and taken back, every method
// can be called in between, and legal moves are those of the naive generator.
func FuzzMake(f *testing.F) {
	for _, fen := range fenSeeds {
		f.Add(fen, []byte{0x0C, 0x07, 0x34, 0x09, 0, 0, 0x04, 0x80})
	}
	f.Fuzz(func(t *testing.T, fen string, moves []byte) {
		p, ok := position(fen)
		if !ok {
			return
		}
		for ; len(moves) >= 2; moves = moves[2:] {
			m := model.Move(moves[0]) | model.Move(moves[1])<<8
			before := p
			_, _, _ = p.Legal(m), p.LegalLoose(m), p.SAN(m)
			u := p.Make(m)
			checkIntact(t, &p)
			after := p
			p.Unmake(m, u)
			if p != before {
				t.Fatalf("%s: %v is not taken back: %s", before.FEN(), m, p.FEN())
			}
			p = after
		}
		slow := naive(p.Model())
		got, want := p.AppendLegal(nil), slow.moves()
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%s\n got %v\nwant %v", p.FEN(), got, want)
		}
	})
}
