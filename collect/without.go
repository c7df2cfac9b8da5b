package collect

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"cbkit/internal/headerfields"
	"cbkit/internal/lifecycle"
	"cbkit/model"
)

// Without returns src without the duplicates of a list. If from is not nil (src, or the
// same source opened again), the kept games get the moves, variations and annotations of
// those dropped, and the header fields that they lack; fields that they have stay. The
// dropped games are first read from it and kept in memory. OnDrop, if not nil, is called
// for each dropped record, which is valid until OnDrop returns, and onFill for each
// field.
func Without(ctx context.Context, src model.Source, list []Duplicate, from model.Source, onDrop func(*model.Record), onFill func(Filled)) (model.Source, error) {
	w := &without{Source: src, onDrop: onDrop, onFill: onFill, dropped: make(map[model.RecordID]bool, len(list))}
	into := map[model.RecordID]Duplicate{}
	for _, d := range list {
		w.dropped[d.Drop] = true
		into[d.Drop] = d
	}
	if from == nil || len(list) == 0 {
		return w, nil
	}
	w.more, w.others = map[model.RecordID][]*model.Game{}, map[model.RecordID][]headerfields.Head{}
	w.names = new(model.Entities)
	w.ids = model.NewEntityMap(src.Entities(), w.names)
	ids := model.NewEntityMap(from.Entities(), w.names)
	for rec, err := range model.Readable(ctx, from, model.WantMoves|model.WantAnnotations, passOver) {
		if err != nil {
			return nil, err
		}
		d, has := into[rec.ID]
		g := rec.Game
		if !has || g == nil {
			continue
		}
		w.others[d.Keep] = append(w.others[d.Keep], headOf(ids.Record(rec)))
		if d.Reason == Contained || len(g.Annotations) > 0 || g.Moves.HasVariations() {
			w.more[d.Keep] = append(w.more[d.Keep], g.Clone())
		}
	}
	return w, nil
}

// without is a source without some of its records.
type without struct {
	model.Source
	onDrop  func(*model.Record)
	onFill  func(Filled)
	dropped map[model.RecordID]bool
	more    map[model.RecordID][]*model.Game // by the game that they are united with
	ids     *model.EntityMap                 // to names, nil if the entities are those of the source
	filling
}

// Entities implements [model.Source].
func (w *without) Entities() *model.Entities {
	if w.ids == nil {
		return w.Source.Entities()
	}
	return w.names
}

// Count implements [model.Source].
func (w *without) Count() int {
	if n := w.Source.Count(); n >= 0 {
		return n - len(w.dropped)
	}
	return -1
}

// Progress implements [model.Measured] as the source does.
func (w *without) Progress() (done, total int64) { return model.ProgressOf(w.Source) }

// LegalMoves implements [model.Referee] as the source does.
func (w *without) LegalMoves() bool { return lifecycle.LegalMoves(w.Source) }

// Preflight implements [model.Preflighter] as the source does.
func (w *without) Preflight(ctx context.Context) error { return lifecycle.Preflight(ctx, w.Source) }

// Leftover implements [model.Source]: what a format stored about a database as a
// whole fits no part of it.
func (w *without) Leftover() *model.Leftover { return nil }

// Records implements [model.Source]. Records keep their ids.
func (w *without) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range w.Source.Records(ctx, from, want) {
			if w.dropped[rec.ID] && rec.ID != 0 && err == nil {
				if w.onDrop != nil {
					w.onDrop(&rec)
				}
				continue
			}
			if w.ids != nil {
				rec = w.ids.Record(rec)
			}
			was := rec.Game
			for _, other := range w.more[rec.ID] {
				if rec.Game != nil {
					rec.Game = Unite(rec.Game, other)
				}
			}
			keepFaults(&rec, was)
			if rec.Game != nil && len(w.others[rec.ID]) > 0 {
				list := w.fill(rec.ID, &rec.Game.Header, true)
				if _, is := w.stated[rec.ID]; is || len(list) > 0 {
					rec.Game.Forget(0)
				}
				for _, f := range list {
					if w.onFill != nil {
						w.onFill(f)
					}
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// String says what a duplicate is: "record 7 is record 3 (spelling)".
func (d Duplicate) String() string {
	return fmt.Sprintf("record %d is record %d (%v)", d.Drop, d.Keep, d.Reason)
}

// Unite returns a game with the variations and annotations of both games,
// without repeating what they share. Both must begin in the same position. Where
// their main lines differ, that of other becomes a variation. For many games see
// [cbkit/lines.Forest], which does not copy the tree for each of them.
func Unite(g, other *model.Game) *model.Game {
	u := uniter{builder: new(model.TreeBuilder), places: map[model.Node]int{}}
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
