package ctgwrite

import (
	"cmp"
	"slices"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/model"
)

// Books that weigh their moves have no figures of positions. A weight becomes figures of
// the position behind the move: as many games without a result, half a point each. Of
// each position such a book gives the moves, and one entry for each
// move that leads there, with the figures that this move makes and no moves; they meet
// where entries of one key are merged. A position that no move leads to, as the start of
// the game, has the weights of its own moves together.

// The sequence number of an entry has the number of its book above these bits.
const (
	sourceShift = 48
	// isWeighed marks the entries of a book that weighs its moves, isEdge those that
	// stand for a move.
	isWeighed = 1 << 47
	isEdge    = 1 << 46
)

// addWeighed sorts in what an entry of a book that weighs its moves says.
func (w *collector) addWeighed(e *model.BookEntry) error {
	p, err := board.New(&e.Position)
	if err != nil {
		return err
	}
	known := &w.known
	*known = model.BookEntry{Position: e.Position, Moves: append(known.Moves[:0], e.Moves...)}
	slices.SortStableFunc(known.Moves, func(a, b model.BookMove) int { return cmp.Compare(b.MoveWeight, a.MoveWeight) })
	known.Moves = slices.DeleteFunc(known.Moves, func(m model.BookMove) bool {
		return w.keep != nil && !w.keep(&model.BookStats{Games: uint32(m.MoveWeight)})
	})
	known.Stats = resultless(uint32(known.MoveWeights()))
	w.weighs = true
	if err := w.reportDamage(e.MovesErr); err != nil {
		return err
	}
	if err := w.putWeighed(known, &p, 0); err != nil {
		return err
	}
	for _, m := range known.Moves {
		if m.Learn != 0 {
			w.opt.Report.Add(model.LostField, 0, "learn", "%d at %v in %s; a .ctg has no such value", m.Learn, m.Move, p.FEN())
		}
		child := p
		child.Make(m.Move)
		w.twin = model.BookEntry{Position: child.Model(), Stats: resultless(uint32(m.MoveWeight))}
		if err := w.putWeighed(&w.twin, &child, isEdge); err != nil {
			return err
		}
	}
	return nil
}

// resultless returns the figures of games without a result.
func resultless(games uint32) model.BookStats { return model.BookStats{Games: games, Score: 5 * games} }

// putWeighed sorts an entry in under all its keys.
func (w *collector) putWeighed(e *model.BookEntry, p *board.Position, kind uint64) error {
	key, entry, err := w.enc.Encode(e)
	if err == nil {
		err = w.putAs(&key, entry, isWeighed|kind)
	}
	if _, ok := ctg.EncodeTwin(p); !ok || err != nil || w.opt.Exact {
		return err
	}
	e.Position.EnPassant = model.NoFile
	if key, entry, err = w.enc.Encode(e); err != nil {
		return err
	}
	return w.putAs(&key, entry, isWeighed|kind)
}

// weighed is what moves of one book give a position: the largest weight, how many moves
// lead there, and how many of them have that weight; and the weights of its own moves.
type weighed struct {
	of           uint64 // the book's number, 0 for none
	most, own    uint32
	moves, heavy int
}

// weigh takes an entry of a book that weighs its moves.
func (g *weighed) weigh(totals *ctg.Totals, seq uint64, weight uint32, key *ctg.Key, opt *Options) {
	if of := seq >> sourceShift; of != g.of {
		g.settle(totals, key, opt)
		g.of = of
	}
	if seq&isEdge == 0 {
		g.own = max(g.own, weight)
		return
	}
	g.moves++
	switch {
	case g.moves == 1 || weight > g.most:
		g.most, g.heavy = weight, 1
	case weight == g.most:
		g.heavy++
	}
}

// settle adds what a book gives to the figures, and reports weights that are changed.
func (g *weighed) settle(totals *ctg.Totals, key *ctg.Key, opt *Options) {
	for range g.moves - g.heavy {
		opt.Report.Add(model.Changed, 0, "weight", "a move with a smaller weight than %d leads to the position with the key %s, "+
			"of which a .ctg holds one", g.most, key)
	}
	if g.moves == 0 {
		g.most = g.own
	}
	totals.Add(&ctg.Stats{Games: g.most, Score: 5 * g.most})
	*g = weighed{of: g.of}
}
