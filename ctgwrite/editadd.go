package ctgwrite

import (
	"context"
	"errors"
	"slices"

	"cbkit/internal/ctg"
)

// NewBuilder returns a builder that collects games in the form of this book,
// for [Editor.Add]. Options that concern only new books are ignored.
func (ed *Editor) NewBuilder(opt BuilderOptions) *Builder {
	opt.Exact, opt.Extended, opt.files = ed.form.Exact, ed.form.Extended, ed.opt.files
	if opt.Report == nil {
		opt.Report, opt.AcceptLosses = ed.opt.Report, ed.opt.AcceptLosses
	}
	return NewBuilder(opt)
}

// Errors of what an editor is given.
var (
	errOtherForm = errors.New("the builder is not for this book; Editor.NewBuilder makes one that is")
	errMinGames  = errors.New("a book that grows cannot leave out rare positions, which it may have from other games; prune it")
)

// Add adds the games of a builder made by [Editor.NewBuilder], which is used up. The book
// then equals one made of all games, except in positions with more moves than an entry
// holds, where rare moves were already dropped. Moves of a position keep their order; new
// ones follow, the most played first. Marks, weights and comments of the user stay.
//
// If none of the games could be read, Add changes nothing and returns
// [ErrNothingRead].
func (ed *Editor) Add(ctx context.Context, b *Builder) error {
	if err := ed.steps.Open(); err != nil {
		return err
	}
	switch {
	case b.workers != nil && (b.opt.Exact != ed.form.Exact || b.opt.codes() != ed.form.codes()):
		return errOtherForm
	case b.opt.MinGames > 1:
		return errMinGames
	}
	if err := b.finishCounting(); err != nil {
		return err
	}
	f := finisher{b: b, ctx: ctx}
	done := 0
	for p, err := range countedPositions(b.sorter) {
		if err == nil && done&4095 == 0 {
			err = ctx.Err()
		}
		if err == nil {
			err = ed.update(&p.key, func(old ctg.Entry) (ctg.Entry, error) {
				f.grow(old, p)
				return f.entry, nil
			})
		}
		if err != nil {
			return err
		}
		if done++; b.opt.Progress != nil && done&4095 == 0 {
			b.opt.Progress(done)
		}
	}
	b.settings.reportUnused(b.opt.Report)
	ed.games += uint64(b.games)
	return nil
}

// grow makes the entry that a position has when its figures are added to those of
// an old one, if there is one.
func (f *finisher) grow(old ctg.Entry, p *position) {
	if old == nil {
		f.make(p)
		return
	}
	s := old.Stats()
	p.totals.Add(s.WithScore())
	stats := p.totals.Stats()
	stats.Recommendation, stats.Weight, stats.Commentary = s.Recommendation, s.Weight, s.Commentary
	f.moves = append(f.moves[:0], old.Moves()...)
	p.sortMoves()
	for _, m := range p.moves {
		isListed := false
		for pair := range slices.Chunk(f.moves, 2) {
			isListed = isListed || pair[0] == m.code
		}
		if !isListed {
			f.moves = append(f.moves, m.code, 0)
		}
	}
	f.moves = f.b.opt.cutMoves(f.moves, max(f.b.opt.moveLimit(), len(old.Moves())/2), &p.key, "the last ones; there is room for")
	f.b.settings.apply(&p.key, f.moves, &stats)
	f.entry = ctg.AppendEntry(f.entry[:0], &p.key, f.moves, &stats)
}
