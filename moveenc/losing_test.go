package moveenc

import (
	"errors"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// The tables of losing chess, modes 8 and 9, work both ways; its rules are the
// only thing missing. An orthodox game stands in for one.
func TestLosingChessTables(t *testing.T) {
	var moves model.Tree
	for range 20 { // codes of many pieces, at many n
		for _, m := range []model.Move{
			model.NewMove(model.G1, model.F3), model.NewMove(model.B8, model.C6),
			model.NewMove(model.F3, model.G1), model.NewMove(model.C6, model.B8),
			model.NewMove(model.B1, model.A3), model.NullMove,
			model.NewMove(model.A3, model.B1), model.NewMove(model.G8, model.H6),
			model.NullMove, model.NewMove(model.H6, model.G8),
		} {
			moves.Append(m)
		}
	}
	for _, mode := range []Mode{8, 9} {
		var e encoder
		must.Do(t, e.encode(mode, nil, &moves))
		head, err := DecodeHead(e.dst)
		if err != nil || head.Mode != mode || head.Size != len(e.dst) {
			t.Fatalf("head %+v, %v", head, err)
		}
		var g Game
		if err := g.decoder.decode(head, e.dst, &g); err != nil || !g.Moves.Equal(&moves) {
			t.Errorf("mode %d: %v, %d moves", mode, err, g.Moves.Len())
		}
		if err := Decode(e.dst, &g); !errors.Is(err, model.ErrUnsupported) {
			t.Errorf("mode %d decoded: %v", mode, err)
		}
		if _, err := Append(nil, nil, &moves, &Form{Mode: mode}); !errors.Is(err, model.ErrUnsupported) {
			t.Errorf("mode %d encoded: %v", mode, err)
		}
	}
}
