package ctgwrite

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"cbkit/internal/ctg"
	"cbkit/model"
)

// Merge writes one book with the positions of several. The figures of a position that is
// in more than one are added up, its moves put together; a recommendation, weight,
// commentary or annotation, and the .ini file, are taken from the first book that has
// one. To replace one of the books, take a [Claim] before opening it, or changes made to
// it meanwhile are lost.
func Merge(ctx context.Context, path string, books []model.Book, opt Options) (r Result, err error) {
	w := newCollector(&opt)
	defer func() { err = errors.Join(err, w.sorter.Close()) }()
	w.enc.Legal = true
	s := bookStream{header: ctg.NewHeader()}
	games := int64(0)
	for _, book := range books {
		if err := w.collect(ctx, book); err != nil {
			return Result{}, err
		}
		games += int64(book.Games())
		if left := ctg.UnpackLeftover(book.Leftover()); left != nil && s.ini == nil && len(left.Ini) > 0 {
			s.ini = left.Ini
		}
	}
	if err := w.readAny(); err != nil {
		return Result{}, err
	}
	s.header.SetCounts(0, 0, uint32(min(games, math.MaxUint32)))
	s.entries = mergedEntries(sortedEntries(w.sorter), w)
	return writeStream(ctx, path, &s, w.opt)
}

// mergedEntries makes one entry of those with the same key.
func mergedEntries(entries iter.Seq2[placed, error], w *collector) iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		m := merger{opt: w.opt, keep: w.keep}
		for e, err := range entries {
			if err != nil {
				yield(placed{}, err)
				return
			}
			if e.hash != m.hash && !m.yield(yield) {
				return
			}
			m.hash = e.hash
			m.add(e)
		}
		m.yield(yield)
	}
}

// merger collects the entries with one hash.
type merger struct {
	opt    *Options
	keep   func(*model.BookStats) bool // of entries of books that weigh their moves
	hash   uint32
	groups []mergeGroup // their memory is used again
	entry  []byte
}

// mergeGroup is what comes of the entries with one key.
type mergeGroup struct {
	seq    uint64
	key    ctg.Key
	count  int
	raw    []byte // the first entry
	totals ctg.Totals
	marks  ctg.Stats // recommendation, weight, commentary
	moves  []byte
	weighed
}

// add adds an entry to those with its key.
func (m *merger) add(e placed) {
	key := e.Key()
	i := slices.IndexFunc(m.groups, func(g mergeGroup) bool { return g.key == key })
	if i < 0 {
		i = len(m.groups)
		m.groups = slices.Grow(m.groups, 1)[:i+1]
		g := &m.groups[i]
		*g = mergeGroup{seq: e.seq, key: key, raw: append(g.raw[:0], e.Entry...), moves: g.moves[:0]}
	}
	g := &m.groups[i]
	g.count++
	s := e.Stats()
	if e.seq&isWeighed == 0 {
		g.totals.Add(s.WithScore())
	} else {
		g.weigh(&g.totals, e.seq, s.Games, &g.key, m.opt)
	}
	if g.marks.Recommendation == 0 && g.marks.Weight == 0 {
		g.marks.Recommendation, g.marks.Weight = s.Recommendation, s.Weight
	}
	if g.marks.Commentary == 0 {
		g.marks.Commentary = s.Commentary
	}
	for pair := range slices.Chunk(e.Moves(), 2) {
		at := 0
		for at < len(g.moves) && g.moves[at] != pair[0] {
			at += 2
		}
		if at == len(g.moves) {
			g.moves = append(g.moves, pair...)
		} else if g.moves[at+1] == 0 {
			g.moves[at+1] = pair[1]
		}
	}
}

// yield gives the entries collected, and forgets them.
func (m *merger) yield(yield func(placed, error) bool) bool {
	for i := range m.groups {
		g := &m.groups[i]
		e := ctg.Entry(g.raw) // one that was alone keeps its bytes
		if g.count > 1 {
			g.moves = m.opt.cutMoves(g.moves, m.opt.moveLimit(), &g.key, "those of later books; there is room for")
			g.settle(&g.totals, &g.key, m.opt)
			s := g.totals.Stats()
			s.Recommendation, s.Weight, s.Commentary = g.marks.Recommendation, g.marks.Weight, g.marks.Commentary
			m.entry = ctg.AppendEntry(m.entry[:0], &g.key, g.moves, &s)
			e = m.entry
		}
		if g.of != 0 && m.keep != nil && !m.keep(&model.BookStats{Games: e.Stats().Games}) {
			continue
		}
		if !yield(placed{m.hash, g.seq, e}, nil) {
			return false
		}
	}
	m.groups = m.groups[:0]
	return true
}
