package collect

import (
	"slices"

	"cbkit/model"
)

// Unite returns a game with the variations and annotations of both games,
// without repeating what they share. The main line of one must begin that of
// the other.
func Unite(g, other *model.Game) *model.Game {
	u := uniter{builder: model.NewTreeBuilder(), places: map[model.Node]int{}}
	own, more := u.add(g, false), u.add(other, true)
	var tree model.Tree
	order := u.builder.Build(&tree)
	list := moved(g.Annotations, own, order)
	for _, a := range moved(other.Annotations, more, order) {
		if !slices.ContainsFunc(list, func(b model.Annotation) bool { return a.Node == b.Node && a.Value.Equal(b.Value) }) {
			list = append(list, a)
		}
	}
	united := g.Clone()
	united.SetMoves(united.Start, tree)
	united.SetAnnotations(list)
	return united
}

// uniter makes one tree of two.
type uniter struct {
	builder *model.TreeBuilder
	places  map[model.Node]int // of moves, by move and parent
}

// add adds the moves of a game and returns where each has gone. With join, moves
// that are there already are not added.
func (u *uniter) add(g *model.Game, join bool) []int {
	var where []int
	for _, n := range g.Moves.Nodes() {
		parent := model.NoNode
		if n.Parent != model.NoNode {
			parent = where[n.Parent]
		}
		key := model.Node{Move: n.Move, Parent: int32(parent)}
		place, has := u.places[key]
		if !has || !join {
			place = u.builder.Add(parent, n.Move)
		}
		if !has {
			u.places[key] = place
		}
		where = append(where, place)
	}
	return where
}

// moved returns annotations at the places where their moves have gone: first by
// where, then by order, which is nil if it changes nothing.
func moved(list []model.Annotation, where []int, order []int32) []model.Annotation {
	list = slices.Clone(list)
	for i := range list {
		node := int(list[i].Node)
		if node < 0 || node >= len(where) {
			continue
		}
		list[i].Node = int32(where[node])
		if order != nil {
			list[i].Node = order[where[node]]
		}
	}
	return list
}
