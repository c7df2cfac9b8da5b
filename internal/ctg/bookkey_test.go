package ctg

import (
	"testing"

	"cbkit/board"
	"cbkit/internal/testkit/must"
)

// TestBookKeySaysWhatBooksHoldAsOne compares [board.Position.BookKey] with the
// keys of books: one has the same for exactly those positions for which the
// other has. A position whose en passant capture is illegal counts by the key
// that it has besides.
func TestBookKeySaysWhatBooksHoldAsOne(t *testing.T) {
	byBook, byBoard := map[Key]uint64{}, map[uint64]Key{}
	images, castling, twins := 0, 0, 0
	check := func(p *board.Position) {
		key, _ := Encode(p)
		if twin, ok := EncodeTwin(p); ok {
			key, twins = twin, twins+1
		}
		if key[0]&keyCastling != 0 {
			castling++
		}
		number := p.BookKey()
		if other, seen := byBook[key]; seen && other != number {
			t.Fatalf("%s: BookKey %016x, and %016x of another position with the key %s", p.FEN(), number, other, &key)
		}
		if other, seen := byBoard[number]; seen && other != key {
			t.Fatalf("%s: key %s, and %s of another position with the BookKey %016x", p.FEN(), &key, &other, number)
		}
		byBook[key], byBoard[number] = number, key
	}
	for _, fen := range []string{
		"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1",
		"4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r1k1/8/8/3pP3/8/8/8/3K4 w - d6 0 1",
		"3k4/8/8/q2pP2K/8/8/8/8 w - d6 0 1", "7k/8/8/q2pP2K/8/8/8/8 w - d6 0 1",
	} {
		m := must.Get(board.ParseModel(fen))(t)
		p := must.Get(board.New(&m))(t)
		check(&p)
	}
	for seed := range uint64(300) {
		walk(seed, 120, func(p *board.Position) {
			check(p)
			m := p.Model()
			for _, image := range []func() error{
				func() error { q, err := board.New(ptr(flipped(m))); check(&q); return err },
				func() error { q, err := board.New(ptr(mirrored(m))); check(&q); return err },
			} {
				must.Do(t, image())
				images++
			}
		})
	}
	if len(byBook) < 5000 || images < 10_000 || castling < 1000 || twins < 3 {
		t.Errorf("%d keys, %d images, %d with castling, %d twins: too few to prove anything", len(byBook), images, castling, twins)
	}
}

func ptr[T any](v T) *T { return &v }
