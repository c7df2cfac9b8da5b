package ctgwrite_test

import (
	"math/rand/v2"

	"cbkit/board"
	"cbkit/model"
)

// starts are positions that random games begin in, besides the usual one.
var starts = []string{
	"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
	"2k5/PPPP4/8/8/8/8/pppp4/2K5 w - - 0 1",
	"4k3/1p1p1p1p/8/P1P1P1P1/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
	"QQQ1k3/8/8/8/8/8/qqqq4/K6R b - - 0 1",
	"8/8/8/K2p3r/4P3/8/8/4k3 b - - 0 1", // with ...d5: no
	"8/3p4/8/K3P2r/8/8/8/4k3 b - - 0 1", // after ...d5 the pawn on e5 is pinned
}

// randomDatabase makes games of random legal moves. They keep to few choices
// in the beginning, so that lines meet again.
func randomDatabase(seed uint64, games, plies int) *model.Database {
	rng := rand.New(rand.NewPCG(seed, 0))
	db := new(model.Database)
	for range games {
		db.AddGame(randomGame(rng, plies))
	}
	return db
}

func randomGame(rng *rand.Rand, plies int) *model.Game {
	g := &model.Game{Header: model.NewHeader()}
	g.Result = model.Result(rng.IntN(int(model.BothLose) + 1))
	if rng.IntN(3) > 0 {
		g.WhiteElo = uint16(1000 + rng.IntN(1900))
	}
	if rng.IntN(3) > 0 {
		g.BlackElo = uint16(1000 + rng.IntN(1900))
	}
	if g.Result == model.NoResult && rng.IntN(2) == 0 {
		g.LineEvaluation = model.NAG(10 + rng.IntN(12))
	}
	p := board.Start()
	if rng.IntN(8) == 0 {
		start, err := board.ParseModel(starts[rng.IntN(len(starts))])
		if err != nil {
			panic(err)
		}
		g.Start = &start
		if p, err = board.New(&start); err != nil {
			panic(err)
		}
	}
	b := new(model.TreeBuilder)
	parent := model.NoNode
	for ply := range rng.IntN(plies + 1) {
		moves := p.AppendLegal(nil)
		if len(moves) == 0 {
			break
		}
		choices := min(len(moves), 2+ply/2)
		if rng.IntN(10) == 0 { // a variation of a few moves
			addVariation(rng, b, parent, p)
		}
		m := moves[rng.IntN(choices)]
		parent = b.Add(parent, m)
		p.Make(m)
	}
	b.Build(&g.Moves)
	for node := range g.Moves.Len() {
		if rng.IntN(4) == 0 {
			g.Annotate(node, model.Symbols{Position: model.NAG(10 + rng.IntN(12))})
		}
	}
	return g
}

func addVariation(rng *rand.Rand, b *model.TreeBuilder, parent int, p board.Position) {
	for range 1 + rng.IntN(4) {
		moves := p.AppendLegal(nil)
		if len(moves) == 0 {
			return
		}
		m := moves[rng.IntN(len(moves))]
		parent = b.Add(parent, m)
		p.Make(m)
	}
}
