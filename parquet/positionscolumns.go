package parquet

import (
	pq "github.com/parquet-go/parquet-go"

	"cbkit/model"
)

// positionsColumns are the columns of the table of positions, in their order.
var positionsColumns = []column{
	{name: "id", node: ascending(pq.Int(64)), fill: eachPosition(func(v *vector, g *played, _ *position) { v.int64(g.id) })},
	{name: "database", node: word(), fill: eachPosition(func(v *vector, g *played, _ *position) { v.string(g.database) })},
	{name: "variation", node: ascending(pq.Int(32)), fill: eachPosition(func(v *vector, _ *played, p *position) { v.int32(p.variation) })},
	{name: "ply", node: ascending(pq.Int(32)), fill: eachPosition(func(v *vector, _ *played, p *position) { v.int32(p.ply) })},
	{name: "key", node: pq.Uint(64), fill: eachPosition(func(v *vector, _ *played, p *position) { v.int64(int64(p.key)) })},
	{name: "uci", node: pq.Optional(dense(dictionary(pq.String()))), unbounded: true, fill: eachPosition(fillPositionUCI)},
	{name: "san", node: word(), unbounded: true, fill: eachPosition(fillSAN)},
	{name: "move", node: pq.Optional(dense(dictionary(pq.Int(32)))), fill: eachPosition(fillMove)},
	{name: "turn", node: dictionary(pq.String()), unbounded: true, fill: eachPosition(fillTurn)},
	{name: "material", node: dictionary(pq.String()), unbounded: true, fill: eachPosition(func(v *vector, g *played, p *position) { v.bytes(g.at(p.material)) })},
	{name: "pawns", node: dictionary(pq.String()), unbounded: true, fill: eachPosition(func(v *vector, g *played, p *position) { v.bytes(g.at(p.pawns)) })},
	{name: "clock", node: number(), fill: eachPosition(func(v *vector, _ *played, p *position) { v.maybe(p.after.clock) })},
	{name: "timeSpent", node: number(), fill: eachPosition(func(v *vector, _ *played, p *position) { v.maybe(p.after.spent) })},
	{name: "eval", node: number(), fill: eachPosition(func(v *vector, _ *played, p *position) { v.maybe(p.before.eval) })},
	{name: "mate", node: number(), fill: eachPosition(func(v *vector, _ *played, p *position) { v.maybe(p.before.mate) })},
	{name: "firstVisit", node: pq.Optional(pq.Leaf(pq.BooleanType)), fill: eachPosition(fillVisit)},
	{name: fenColumn, node: pq.String(), unbounded: true, fill: eachPosition(func(v *vector, g *played, p *position) { v.bytes(g.at(p.fen)) })},
}

// fenColumn is the column of positions that is written where it is asked for.
const fenColumn = "fen"

// eachPosition fills a column with one value for each position.
func eachPosition(put func(*vector, *played, *position)) func([]vector, *played) {
	return func(v []vector, g *played) {
		for i := range g.positions {
			put(&v[0], g, &g.positions[i])
		}
	}
}

func fillMove(v *vector, _ *played, p *position) {
	if !p.hasMove {
		v.null()
		return
	}
	v.int32(int32(p.move))
}

func fillPositionUCI(v *vector, g *played, p *position) {
	if !p.hasMove {
		v.null()
		return
	}
	v.uci(p.move, g.start)
}

func fillSAN(v *vector, g *played, p *position) {
	if !p.hasMove {
		v.null()
		return
	}
	v.bytes(g.at(p.san))
}

func fillTurn(v *vector, _ *played, p *position) {
	if p.turn == model.White {
		v.bytes(whiteWord)
	} else {
		v.bytes(blackWord)
	}
}

var whiteWord, blackWord = []byte("white"), []byte("black")

func fillVisit(v *vector, _ *played, p *position) {
	if p.visit == notCounted {
		v.null()
		return
	}
	v.bool(p.visit == firstVisit)
}
