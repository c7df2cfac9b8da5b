package collect

import (
	"context"
	"iter"
	"sync"

	"cbkit/internal/lifecycle"
	"cbkit/model"
)

// reading reads the records of a source by the ids of entries, for one part after the
// other: the source reads ahead across them, and sees what records of several share.
type reading struct {
	src   model.Numbered
	opt   Options
	whole bool // all entries are one part, with the key ""

	mu     sync.Mutex // the source asks for ids from goroutines of its own
	next   func() (entryLine, error, bool)
	ahead  []entryAhead // that were asked for and whose records were not taken
	given  int          // of them, to the source
	last   string       // key of an entry
	ended  bool
	failed error

	// What is being read: ctx and want of the caller. Zero if stop is nil.
	ctx  context.Context
	want model.Want
	take func() (model.Record, error, bool)
	stop func()
}

// entryAhead is an entry whose record comes.
type entryAhead struct {
	id  model.RecordID
	key string // of its part
}

// at returns an entry by its place among those ahead, which it asks for.
func (r *reading) at(i int) (entryAhead, bool) {
	for !r.ended && i >= len(r.ahead) {
		entry, err, ok := r.next()
		if r.failed = err; err != nil || !ok {
			r.ended = true
			break
		}
		if !r.whole && r.last != string(entry.key) {
			r.last = string(entry.key)
		}
		r.ahead = append(r.ahead, entryAhead{entry.id, r.last})
	}
	if i < len(r.ahead) {
		return r.ahead[i], true
	}
	return entryAhead{}, false
}

// first returns the entry whose record comes next.
func (r *reading) first() (entryAhead, error, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	entry, ok := r.at(0)
	return entry, r.failed, ok
}

// pass takes entries up to the one with that id from those ahead.
func (r *reading) pass(id model.RecordID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.ahead) > 0 {
		last := r.ahead[0].id == id
		r.ahead = r.ahead[1:]
		if r.given = max(r.given-1, 0); last {
			return
		}
	}
}

// begin sees to it that the records of the entries ahead are being read.
func (r *reading) begin(ctx context.Context, want model.Want) {
	if r.stop != nil && r.ctx == ctx && r.want == want {
		return
	}
	r.end()
	r.ctx, r.want = ctx, want
	r.take, r.stop = iter.Pull2(r.src.RecordsOf(ctx, func(yield func(model.RecordID) bool) {
		for {
			r.mu.Lock()
			entry, ok := r.at(r.given)
			r.given++
			r.mu.Unlock()
			if !ok || !yield(entry.id) {
				return
			}
		}
	}, want))
}

// end ends reading.
func (r *reading) end() {
	if r.stop != nil {
		r.stop()
	}
	r.stop, r.given = nil, 0
}

// readPart are the records of the entries of one key, numbered anew. It can be read once.
type readPart struct {
	*reading
	key  string
	read func(model.RecordID) // called with the id that each record had; may be nil
}

// Entities implements [model.Source].
func (p *readPart) Entities() *model.Entities { return p.src.Entities() }

// Count implements [model.Source].
func (p *readPart) Count() int { return -1 }

// Leftover implements [model.Source]: what a format stored about the database as a
// whole goes by the numbers that records had.
func (p *readPart) Leftover() *model.Leftover { return nil }

// LegalMoves implements [model.Referee] as the source does.
func (p *readPart) LegalMoves() bool { return lifecycle.LegalMoves(p.src) }

// Records implements [model.Source].
func (p *readPart) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		n := model.RecordID(0)
		for {
			entry, err, ok := p.first()
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(model.Record{}, err)
				return
			}
			if !ok || entry.key != p.key {
				return
			}
			p.begin(ctx, want)
			rec, err, ok := p.take()
			if !ok {
				return // its context has ended
			}
			was := rec.ID
			if was != 0 {
				p.pass(was)
			}
			if err != nil && was != 0 && p.opt.OnError != nil {
				if err = p.opt.OnError(was, err); err == nil {
					continue
				}
			}
			if err != nil {
				yield(model.Record{}, err)
				return
			}
			if p.opt.OnRecord != nil {
				p.opt.OnRecord(&rec)
			}
			if p.read != nil {
				p.read(was)
			}
			n++
			rec.ID = n
			if n >= from && !yield(rec, nil) {
				return
			}
		}
	}
}
