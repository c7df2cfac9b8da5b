package ctgwrite

import (
	"context"
	"iter"

	"cbkit/internal/ctg"
	"cbkit/model"
)

// finisher turns counted positions into entries.
type finisher struct {
	b     *Builder
	ctx   context.Context
	moves []byte
	entry []byte
	once  int // positions with one game
}

// entries yields the entries of the book in trie order.
func (f *finisher) entries() iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		seq := uint64(0)
		f.once = 0
		for p, err := range countedPositions(f.b.sorter) {
			if err == nil && seq&4095 == 0 {
				err = f.ctx.Err()
			}
			if err != nil {
				yield(placed{}, err)
				return
			}
			if p.totals.Games < uint64(max(f.b.opt.MinGames, 0)) {
				continue
			}
			if p.totals.Games == 1 {
				f.once++
			}
			f.make(p)
			if !yield(placed{hash: p.hash, seq: seq, Entry: f.entry}, nil) {
				return
			}
			seq++
		}
	}
}

// make makes the entry of a position.
func (f *finisher) make(p *position) {
	p.sortMoves()
	if limit := f.b.opt.moveLimit(); len(p.moves) > limit {
		f.b.opt.Report.Add(model.LostMoves, 0, "moves",
			"%d moves of the position with the key %s, the least played; programs have room for %d",
			len(p.moves)-limit, &p.key, limit)
		p.moves = p.moves[:limit]
	}
	f.moves = f.moves[:0]
	for _, m := range p.moves {
		f.moves = append(f.moves, m.code, 0)
	}
	stats := p.totals.Stats()
	f.b.settings.apply(&p.key, f.moves, &stats)
	f.entry = ctg.AppendEntry(f.entry[:0], &p.key, f.moves, &stats)
}
