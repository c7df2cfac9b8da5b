package collect

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"

	"cbkit/internal/lifecycle"
	"cbkit/model"
)

// Union is several sources as one: the records of the first, then those of the
// second, and so on, numbered from 1. It is a [model.Source] and can be read as
// often as its parts can.
//
// What a format stored about a database as a whole has no place in a union; what
// it stored about records and entities stays with them. An entity that several
// sources have is one; the leftover of the first is kept.
//
// The tables grow while records are read: one goroutine may use a union at a time.
type Union struct {
	parts    []*part
	entities model.Entities
	reading  atomic.Int32     // the part that is read now
	before   []model.RecordID // how many records stand before each part, as far as they were read

	// Broken, if not nil, is called with an error that ends one of the sources, and the
	// others are read. If it is nil the error ends the union, and Preflight refuses
	// damaged sources.
	Broken func(error)
}

// part is one of the sources.
type part struct {
	model.Source
	ids *model.EntityMap
}

var (
	_ model.Source      = (*Union)(nil)
	_ model.Preflighter = (*Union)(nil)
	_ model.Referee     = (*Union)(nil)
	_ model.Measured    = (*Union)(nil)
)

// NewUnion returns the union of the sources, which must stay open while it is
// read.
func NewUnion(sources ...model.Source) *Union {
	u := &Union{}
	for _, src := range sources {
		p := &part{Source: src}
		p.ids = model.NewEntityMap(src.Entities(), &u.entities)
		u.parts = append(u.parts, p)
	}
	return u
}

// Entities implements [model.Source]. The tables have the entities of the
// records read so far.
func (u *Union) Entities() *model.Entities { return &u.entities }

// Leftover implements [model.Source]: there is none.
func (u *Union) Leftover() *model.Leftover { return nil }

// Count implements [model.Source].
func (u *Union) Count() int {
	all := 0
	for _, p := range u.parts {
		n := p.Count()
		if n < 0 {
			return -1
		}
		all += n
	}
	return all
}

// Progress implements [model.Measured], if all parts do.
func (u *Union) Progress() (done, total int64) {
	reading := int(u.reading.Load())
	for i, p := range u.parts {
		here, all := model.ProgressOf(p.Source)
		if all < 0 {
			return 0, -1
		}
		total += all
		switch {
		case i < reading:
			done += all
		case i == reading:
			done += here
		}
	}
	return done, total
}

// LegalMoves implements [model.Referee]: it is true if it is of all parts.
func (u *Union) LegalMoves() bool {
	return !slices.ContainsFunc(u.parts, func(p *part) bool { return !lifecycle.LegalMoves(p.Source) })
}

// Preflight implements [model.Preflighter].
func (u *Union) Preflight(ctx context.Context) error {
	if u.Broken != nil {
		return nil // it is told where it is read
	}
	var errs []error
	for _, p := range u.parts {
		errs = append(errs, lifecycle.Preflight(ctx, p.Source))
	}
	return errors.Join(errs...)
}

// Origin returns the number of the part, from 0, that a record is from, and its id there.
// It knows only records that were read.
func (u *Union) Origin(id model.RecordID) (part int, in model.RecordID) {
	part, _ = slices.BinarySearch(u.before, id)
	if part--; part < 0 {
		return 0, id
	}
	return part, id - u.before[part]
}

// Records implements [model.Source].
func (u *Union) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		next := model.RecordID(1)
		for i, p := range u.parts {
			u.reading.Store(int32(i))
			u.before = append(u.before[:i], next-1)
			for rec, err := range p.Records(ctx, 1, want) {
				if err != nil && rec.ID == 0 && u.Broken != nil && ctx.Err() == nil {
					u.Broken(err)
					break
				} else if err != nil && rec.ID == 0 {
					yield(model.Record{}, err)
					return
				}
				id := next
				next++
				if id < from {
					continue
				}
				rec = p.ids.Record(rec)
				rec.ID = id
				if !yield(rec, err) {
					return
				}
			}
		}
	}
}
