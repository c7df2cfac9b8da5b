package ctg

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// sensibleStats are figures that a book built from games can have.
func sensibleStats(rng *rand.Rand) model.BookStats {
	n := func() uint32 { return uint32(rng.IntN(1000)) }
	s := model.BookStats{Wins: n(), Draws: n(), Losses: n()}
	open := n()
	s.Games = s.Wins + s.Draws + s.Losses + open
	s.Score = 10*s.Wins + 5*s.Draws + uint32(rng.IntN(int(10*open+1)))
	if s.Own.Games = n(); s.Own.Games > 0 {
		s.Own.Sum = 2000 * s.Own.Games
	}
	s.Recommendation = model.Recommendation(rng.IntN(3))
	s.Weight = int8(rng.IntN(251) - 125)
	s.Commentary = model.NAG(rng.IntN(160))
	return s
}

func TestEncodeDecodeEntry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 2))
		enc := Encoder{Codes: AllCodes}
		walk(seed, 60, func(p *board.Position) {
			want := model.BookEntry{Position: p.Model(), Stats: sensibleStats(rng)}
			_, view := Encode(p)
			for _, m := range p.AppendLegal(nil) {
				if _, ok := EncodeMove(p, view, m, AllCodes); ok && rng.IntN(5) == 0 {
					want.Moves = append(want.Moves, model.BookMove{Move: m, Annotation: model.NAG(rng.IntN(256))})
				}
			}
			_, e, err := enc.Encode(&want)
			if err != nil {
				t.Fatal(err)
			}
			var got model.BookEntry
			Decode(e, p, view, &got)
			if d := cmp.Diff(want, got, cmpopts.IgnoreFields(model.BookEntry{}, "Leftover"), cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("%s: %s", p.FEN(), d)
			}
		})
	})
}

// Whatever an entry holds, unknown bits and bytes of moves included, comes
// back as long as nothing was changed.
func TestUnchangedEntriesKeepTheirBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 3))
		var enc Encoder
		walk(seed, 60, func(p *board.Position) {
			key, view := Encode(p)
			moves := make([]byte, 2*rng.IntN(20))
			for i := range moves {
				moves[i] = byte(rng.Uint32())
			}
			s := randomStats(rng)
			raw := AppendEntry(nil, &key, moves, &s)
			var e model.BookEntry
			Decode(raw, p, view, &e)
			for _, m := range e.Moves {
				if !p.Legal(m.Move) {
					t.Fatalf("%s: %v is not legal", p.FEN(), m.Move)
				}
			}
			if _, again, err := enc.Encode(&e); err != nil || !bytes.Equal(again, raw) {
				t.Fatalf("%s: %x, %v; want %x", p.FEN(), again, err, raw)
			}
			e.Stats.Weight++
			if _, again, err := enc.Encode(&e); err != nil || bytes.Equal(again, raw) {
				t.Fatalf("%s: a changed entry kept its bytes (%v)", p.FEN(), err)
			}
		})
	})
}

// What is stored under the key of a mirror image must read the same there.
func TestDecodeUnderEveryView(t *testing.T) {
	white := position(t, "4k3/8/8/8/8/8/P7/2K5 w - - 0 1")
	black := position(t, "2k5/p7/8/8/8/8/8/4K3 b - - 0 1")
	s := Stats{Games: 1, Score: 7, Commentary: 16, Recommendation: MainMove | WeightedMove}
	keyWhite, viewWhite := Encode(&white)
	keyBlack, viewBlack := Encode(&black)
	if keyWhite != keyBlack {
		t.Fatalf("keys %s and %s", &keyWhite, &keyBlack)
	}
	m := must.Get(white.ParseUCI("a2a4"))(t)
	code, ok := EncodeMove(&white, viewWhite, m, PortableCodes)
	if !ok {
		t.Fatal("a2a4 has no code")
	}
	raw := Entry(AppendEntry(nil, &keyWhite, []byte{code, 3}, &s))
	for _, c := range []struct {
		p    *board.Position
		v    View
		uci  string
		sign model.NAG
	}{{&white, viewWhite, "a2a4", 16}, {&black, viewBlack, "a7a5", 17}} {
		var e model.BookEntry
		Decode(raw, c.p, c.v, &e)
		if len(e.Moves) != 1 || e.Moves[0].Move.String() != c.uci || e.Moves[0].Annotation != 3 {
			t.Errorf("%s: moves %v, want %s", c.p.FEN(), e.Moves, c.uci)
		}
		if e.Stats.Commentary != c.sign || e.Stats.Score != 7 || e.Stats.Recommendation != model.MainMove {
			t.Errorf("%s: %+v, want commentary %d", c.p.FEN(), e.Stats, c.sign)
		}
	}
}

func TestScoreOfOldBooks(t *testing.T) {
	for _, c := range []struct {
		s    Stats
		want uint32
	}{
		{Stats{Games: 10, Wins: 4, Draws: 2, Losses: 3}, 55},
		{Stats{Games: 10, Wins: 4, Draws: 2, Losses: 3, Score: 3}, 55},
		{Stats{Games: 10, Wins: 4, Draws: 2, Losses: 3, Score: 51}, 51},
		{Stats{Games: 3, Losses: 3}, 0},
	} {
		if got := c.s.Neutral(0).Score; got != c.want {
			t.Errorf("%+v: score %d, want %d", c.s, got, c.want)
		}
	}
}

func TestTotalsStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want Totals
		count := rapid.Uint64Range(0, 1<<26)
		want.Wins, want.Losses, want.Draws = count.Draw(t, "wins"), count.Draw(t, "losses"), count.Draw(t, "draws")
		open := count.Draw(t, "open")
		want.Games = want.Wins + want.Losses + want.Draws + open
		want.Score = 10*want.Wins + 5*want.Draws + rapid.Uint64Range(0, 10*open).Draw(t, "score")
		want.OwnGames = count.Draw(t, "rated")
		want.OwnSum = want.OwnGames * rapid.Uint64Range(1, 4000).Draw(t, "average")
		s := want.Stats()
		for _, n := range []uint32{s.Games, s.Wins, s.Losses, s.Draws, s.OwnGames} {
			if n > MaxCount {
				t.Fatalf("%+v", s)
			}
		}
		decided := s.Wins + s.Draws + s.Losses
		if decided > s.Games || s.Score < 10*s.Wins+5*s.Draws || s.Score > 10*(s.Games-s.Losses)-5*s.Draws {
			t.Fatalf("%+v contradicts itself (of %+v)", s, want)
		}
		if s.OwnSum > MaxRatingSum || s.OwnGames == 0 && s.OwnSum != 0 {
			t.Fatalf("ratings %d of %d", s.OwnSum, s.OwnGames)
		}
		if want.Games <= MaxCount && uint64(s.Games) != want.Games {
			t.Fatalf("%d games for %d", s.Games, want.Games)
		}
	})
}

func TestStrictEncoding(t *testing.T) {
	p := position(t, "k7/8/8/8/8/8/6K1/Q3Q3 w - - 0 1")
	key, view := Encode(&p)
	raw := AppendEntry(nil, &key, []byte{0xf9, 0, 0x4d, 0, 0xff, 0}, &Stats{Games: 1, Recommendation: 0x14})
	var e model.BookEntry
	Decode(raw, &p, view, &e)
	var dropped []model.Move
	enc := Encoder{Strict: true, Limit: MaxPortableMoves, Dropped: func(_ *board.Position, m model.Move) { dropped = append(dropped, m) }}
	_, got, err := enc.Encode(&e)
	if err != nil {
		t.Fatal(err)
	}
	if s := got.Stats(); s.Recommendation != 0 || s.Games != 1 {
		t.Errorf("recommendation %02x of %d games, want 00 of 1", s.Recommendation, s.Games)
	}
	if !bytes.Equal(got.Moves(), []byte{0x4d, 0}) || len(dropped) != 2 || dropped[0] != model.NullMove || dropped[1].String() != "e1c1" {
		t.Errorf("moves %x, dropped %v; want 4d00, 0000 and e1c1", got.Moves(), dropped)
	}
}
