package ctgwrite

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"golang.org/x/sync/errgroup"

	"cbkit/board"
	"cbkit/internal/ctg"
	"cbkit/internal/derive"
	"cbkit/internal/extsort"
	"cbkit/internal/jobs"
	"cbkit/model"
)

// BuilderOptions configures which games a book is made of, and how much of
// them.
type BuilderOptions struct {
	// MaxPly is how many plies of each game count, 0 for all: the positions after 0 to
	// MaxPly plies are in the book, the last one without moves.
	MaxPly int
	// MinGames drops positions through which fewer games went, and the moves
	// that lead to them.
	MinGames int
	// Variations makes a line of its own of every variation that begins
	// before MaxPly. Such lines have no result and no ratings.
	Variations bool
	// Keep selects games, by their headers; nil takes all.
	Keep func(g *model.Game, e *model.Entities) bool
	// Jobs is how many processors are used, as in [cbkit/read.Options].
	Jobs int
	// Options are those of writing. Memory counts for collecting positions
	// too; beyond it they go to temporary files.
	Options
}

// Builder makes a book of games. It must be closed.
type Builder struct {
	opt      BuilderOptions
	sorter   *extsort.Sorter
	sorting  sync.Mutex // of sorter and Report
	settings settings
	games    int
	// read and unread are how many records could be read, and how many not.
	read, unread int
	workers      []*worker
}

// errUsedUp is the error of every use of a builder after Write or Close.
var errUsedUp error = usedUp{}

type usedUp struct{}

func (usedUp) Error() string { return "the builder was used up or closed" }

// Is reports that it is a kind of [fs.ErrClosed].
func (usedUp) Is(target error) bool { return target == fs.ErrClosed }

// worker counts lines in a table of its own.
type worker struct {
	b       *Builder
	counter counter
	record  []byte
}

// NewBuilder returns a builder of an empty book.
func NewBuilder(opt BuilderOptions) *Builder {
	opt.setDefaults()
	opt.Jobs = jobs.Count(opt.Jobs)
	// Half of the memory is for counting, half for sorting.
	b := &Builder{opt: opt, sorter: opt.sorter(opt.Memory / 2), settings: settings{}}
	for range opt.Jobs {
		w := &worker{b: b, counter: counter{
			table: newTable(opt.Memory / 2 / opt.Jobs), codes: opt.codes(), twins: !opt.Exact, lost: b.reportLine, unnamed: b.reportMove,
		}}
		b.workers = append(b.workers, w)
	}
	return b
}

// Close removes the temporary files of the builder.
func (b *Builder) Close() error {
	b.workers = nil
	return b.sorter.Close()
}

// Add adds the games of a source. Deleted games, texts, games whose moves could
// not be decoded and games of Chess960 that no book can hold are left out. It
// stops at the first error of the source, unless OnError lets it go on.
//
// After Write or Close it returns an error.
func (b *Builder) Add(ctx context.Context, src model.Source) error {
	if b.workers == nil {
		return errUsedUp
	}
	group, ctx := errgroup.WithContext(ctx)
	defer group.Wait() // also where the source panics, which is read in this goroutine
	full := make(chan *batch)
	free := make(chan *batch, 2*len(b.workers))
	for range cap(free) {
		free <- new(batch)
	}
	for _, w := range b.workers {
		group.Go(func() error {
			for batch := range full {
				if err := w.count(batch); err != nil {
					return err
				}
				batch.reset()
				free <- batch
			}
			return nil
		})
	}
	err := func() error {
		defer close(full)
		return b.feed(ctx, src, full, free)
	}()
	if stopped := group.Wait(); stopped != nil {
		return stopped // why there was no more to feed
	}
	return err
}

// feed puts the lines of all games into batches.
func (b *Builder) feed(ctx context.Context, src model.Source, full chan<- *batch, free <-chan *batch) error {
	lines := <-free
	send := func() error {
		select {
		case full <- lines:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case lines = <-free:
		case <-ctx.Done():
			return ctx.Err()
		}
		return nil
	}
	want := model.WantMoves
	if b.opt.Variations {
		want |= model.WantAnnotations
	}
	for rec, err := range src.Records(ctx, 1, want) {
		g := rec.Game
		if err != nil || g != nil && g.MovesErr != nil {
			b.unread++
		} else {
			b.read++
		}
		if err != nil {
			if err = b.opt.onDamage(err); err != nil {
				return err
			}
			continue // after an error with id 0 nothing comes
		}
		switch {
		case g == nil || rec.Deleted || b.opt.Keep != nil && !b.opt.Keep(g, src.Entities()):
			continue
		case g.MovesErr != nil && g.Moves.Len() == 0: // else the source goes on, up to the damage
			b.report(model.LostRecord, rec.ID, "moves", "%v", g.MovesErr)
			continue
		case !derive.HasUsualCastling(g.Start):
			b.report(model.LostRecord, rec.ID, "variant", "books have no words for the castling rights of Chess960")
			continue
		}
		var start *board.Position // nil for the usual one
		if g.Start != nil {
			p, err := board.New(g.Start)
			if err != nil {
				b.report(model.LostRecord, rec.ID, "start", "%v", err)
				continue
			}
			start = &p
		}
		b.games++
		lines.addLine(rec.ID, g, start, b.opt.MaxPly)
		if b.opt.Variations {
			lines.addVariations(rec.ID, g, start, b.opt.MaxPly)
		}
		if lines.full() {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return send()
}

func (b *Builder) report(kind model.LossKind, id model.RecordID, field, format string, args ...any) {
	b.sorting.Lock()
	defer b.sorting.Unlock()
	b.opt.Report.Add(kind, id, field, format, args...)
}

func (b *Builder) reportLine(id model.RecordID, ply int, m model.Move) {
	b.report(model.LostMoves, id, "moves", "the line ends after %d plies: %v is not a legal move there", ply, m)
}

func (b *Builder) reportMove(id model.RecordID, ply int, m model.Move) {
	if p := m.Promotion(); p != model.NoPieceType && p != model.Queen {
		b.report(model.LostMoves, id, "underpromotion", "%v after %d plies: in a book pawns become queens only", m, ply)
		return
	}
	b.report(model.LostMoves, id, "move", "%v after %d plies: "+b.opt.noWord(), m, ply)
}

// count counts a batch and empties the table when it is full.
func (w *worker) count(lines *batch) error {
	for i := range lines.lines {
		if w.counter.table.full() {
			if err := w.flush(); err != nil {
				return err
			}
		}
		w.counter.count(lines, &lines.lines[i])
	}
	for i := range lines.variations {
		if err := w.counter.countVariations(lines, &lines.variations[i], w.b.opt.MaxPly, w.flush); err != nil {
			return err
		}
	}
	return nil
}

// flush moves everything from the table to the sorter.
func (w *worker) flush() error {
	w.b.sorting.Lock()
	defer w.b.sorting.Unlock()
	return w.counter.table.flush(func(key *ctg.Key, s *sum, moves []moveCount) error {
		w.record = appendCounted(w.record[:0], key, s, moves)
		return w.b.sorter.Add(w.record)
	})
}

// finishCounting brings everything that was counted into the sorter.
func (b *Builder) finishCounting() error {
	if b.workers == nil {
		return errUsedUp
	}
	if b.unread > 0 && b.read == 0 {
		return ErrNothingRead
	}
	for _, w := range b.workers {
		if err := w.flush(); err != nil {
			return err
		}
	}
	b.workers = nil
	return nil
}

// Write writes the book to the files path names. The builder keeps nothing
// that could be added to afterwards. If none of the games could be read it writes
// nothing and returns ErrNothingRead.
func (b *Builder) Write(ctx context.Context, path string) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if err := b.finishCounting(); err != nil {
		return Result{}, err
	}
	f := finisher{b: b, ctx: ctx}
	s := bookStream{entries: f.entries(), header: ctg.NewHeader()}
	s.header.SetCounts(0, 0, uint32(min(int64(b.games), 1<<32-1)))
	s.written = func() { b.settings.reportUnused(b.opt.Report) }
	if b.opt.MinGames <= 1 {
		r, err := writeStream(ctx, path, &s, &b.opt.Options)
		r.Once = f.once
		return r, err
	}
	scratch, err := newScratch(ctx, &s, &b.opt.Options)
	if err != nil {
		return Result{Once: f.once}, err
	}
	s.entries = scratch.pruned(ctx)
	r, err := writeStream(ctx, path, &s, &b.opt.Options)
	r.Once = f.once
	return r, errors.Join(err, scratch.close())
}
