package read

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"sync"
	"sync/atomic"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/jobs"
	"cbkit/internal/stale"
	"cbkit/model"
)

// batched is what the open databases have in common. Where entities are met with the
// records, no two goroutines may read records at a time.
type batched struct {
	set     *FileSet
	opt     Options
	watch   *Watch
	page    cbh.CodePage
	foreign func([]byte) string // reads bytes of that page
	opened  []io.Closer
	large   []string // endings of the files that [batched.Progress] measures, the main one first
	count   model.RecordID
	tables  model.Entities
	reached atomic.Int64          // how many records were read last
	unread  atomic.Pointer[error] // why entities could not be read
	// heavyHeaders says that headers alone are work enough for several goroutines.
	heavyHeaders bool

	newBatch  func(records int) recordBatch
	newReader func(ahead int, next ids, want model.Want) (fill func(recordBatch) bool)

	sized sync.Once
	size  int64 // of the large files
}

// ids returns the id of the record to read next; false if there is none.
type ids func() (id model.RecordID, more bool)

// idsFrom returns the ids from one to another.
func idsFrom(from, to model.RecordID) ids {
	return func() (model.RecordID, bool) {
		from++
		return from - 1, from-1 <= to
	}
}

// recordBatch is a run of records on its way from the files to the caller. Its memory is
// used again and again.
type recordBatch interface {
	raw() *rawBatch
	// decode turns what was read into records, but for the entities.
	decode()
	// finish looks up the entities of a record, in the caller's goroutine.
	finish(i int) (model.Record, error)
}

// rawBatch is what all batches have.
type rawBatch struct {
	want    model.Want
	size    int    // records there is room for
	n       int    // records that were read
	arena   []byte // what extents lie in
	changed error  // what was read may be of two states of the database
}

func (b *rawBatch) raw() *rawBatch { return b }

// extent is a run of bytes in the arena.
type extent struct{ from, to int }

func (e extent) of(arena []byte) []byte { return arena[e.from:e.to] }

func (e extent) size() int { return e.to - e.from }

// kept is the memory for the leftovers of a record.
type kept [3]model.Leftover

// keep returns a leftover in that memory.
func (k *kept) keep(part int, format string, data []byte) *model.Leftover {
	k[part] = model.Leftover{Format: format, Data: data}
	return &k[part]
}

// arenaSize bounds the stored bytes of a batch, so that few annotated games are
// under way at a time, and what was decoded is still near when it is used. Only the
// last record can go beyond it.
const arenaSize = 32 << 10

// readBy makes a database one of batches B, which readers R fill: these read the record that
// is to be one of a batch, ahead of its use where records lie in order. As many of the next
// ones are read as there is room for.
func readBy[B recordBatch, R interface {
	fill(b B, i int, id model.RecordID)
}](db *batched, newBatch func(records int) B, newReader func(ahead int) R) {
	db.newBatch = func(records int) recordBatch {
		b := newBatch(records)
		b.raw().size = records
		return b
	}
	db.newReader = func(ahead int, next ids, want model.Want) func(recordBatch) bool {
		r := newReader(ahead)
		return func(b recordBatch) bool {
			raw := b.raw()
			raw.want, raw.arena = want, raw.arena[:0]
			for raw.n = 0; raw.n < raw.size && len(raw.arena) < arenaSize; raw.n++ {
				id, more := next()
				if !more {
					break
				}
				r.fill(b.(B), raw.n, id)
			}
			raw.changed = db.watch.Check()
			return raw.n > 0
		}
	}
}

// countRecords returns how many whole records of a size a file has behind its header, as
// many as can be numbered, and reports a part of one behind them.
func (db *batched) countRecords(f *dbfile.File, header, size int64, one, more string) (n int64, err error) {
	n, rest := (f.Size()-header)/size, (f.Size()-header)%size
	if n > 1<<31-2 {
		return 0, f.Wrong(0, -1, "", model.ErrUnsupported, "%d %s are more than can be numbered", n, more)
	}
	if rest != 0 {
		db.opt.damage(f.Wrong(f.Size()-rest, n+1, "", model.ErrTruncated, "%d bytes behind the last whole %s are left out", rest, one))
	}
	return n, nil
}

// load begins to watch the database with a main file, if that is named, and loads all of
// one state.
func (db *batched) load(set *FileSet, main string, opt Options, steps ...func() error) error {
	page, err := opt.page()
	if err != nil {
		return err
	}
	if db.set, db.watch = set, new(Watch); main != "" {
		if db.set, db.watch, err = set.Watch(main); err != nil {
			return err
		}
	}
	db.opt, db.page, db.foreign = opt, page, page.Decode
	for _, step := range steps {
		if err = step(); err != nil {
			break
		}
	}
	if err = db.unlessChanged(err); err != nil {
		db.Close()
	}
	return err
}

// openFile opens one of the files; nil if it is missing and need not be there.
func (db *batched) openFile(ext string, mandatory bool) (*dbfile.File, error) {
	f, err := db.set.open(ext, mandatory)
	if f != nil {
		db.opened = append(db.opened, f)
	}
	return f, err
}

// LegalMoves implements [model.Referee].
func (db *batched) LegalMoves() bool { return true }

// Entities implements [model.Source].
func (db *batched) Entities() *model.Entities { return &db.tables }

// Changed returns an error that wraps [model.ErrChanged] if another program has
// changed the database since it was opened. Callers that read its files themselves ask
// after the last read: without an error, everything they read belongs to one state.
func (db *batched) Changed() error { return db.watch.Check() }

// unlessChanged returns the error of reading, or that another program has changed
// the database meanwhile, which may be the reason of it.
func (db *batched) unlessChanged(err error) error { return cmp.Or(db.watch.Check(), err) }

// lose notes why entities could not be read; the first reason counts.
func (db *batched) lose(err error) { db.unread.CompareAndSwap(nil, &err) }

// lost returns why entities could not be read, nil if all could.
func (db *batched) lost() error {
	if err := db.unread.Load(); err != nil {
		return *err
	}
	return nil
}

// Count implements [model.Source]; after Close it is 0.
func (db *batched) Count() int {
	if db.watch.closed.Load() {
		return 0
	}
	return int(db.count)
}

// Files returns the set of files the database consists of.
func (db *batched) Files() *FileSet { return db.set }

// Progress implements [model.Measured]: of the bytes of the files the same part is
// taken to be done as of the records.
func (db *batched) Progress() (done, total int64) {
	if db.watch.closed.Load() {
		return 0, 0
	}
	db.sized.Do(func() {
		for _, ext := range db.large {
			if info, err := db.set.files.Stat(db.set.Path(ext)); err == nil && db.set.Has(ext) {
				db.size += info.Size()
			}
		}
	})
	if db.count == 0 {
		return 0, db.size
	}
	return int64(float64(db.size) * float64(db.reached.Load()) / float64(db.count)), db.size
}

// Close implements [Database].
func (db *batched) Close() error {
	db.watch.closed.Store(true)
	var err error
	for _, f := range db.opened {
		err = errors.Join(err, f.Close())
	}
	return err
}

// Record implements [Database].
func (db *batched) Record(ctx context.Context, id model.RecordID, want model.Want) (model.Record, error) {
	if err := ctx.Err(); err != nil {
		return model.Record{}, err
	}
	if db.watch.closed.Load() {
		return model.Record{}, fs.ErrClosed
	}
	if id < 1 || id > db.count {
		return model.Record{ID: id}, db.noRecord(id)
	}
	b := db.newBatch(1)
	db.newReader(dbfile.NearAhead, idsFrom(id, id), want)(b)
	if changed := b.raw().changed; changed != nil {
		return model.Record{}, changed
	}
	b.decode()
	return b.finish(0)
}

// Records implements [model.Source]; a record is valid until the next step alone, and
// [model.Kept] yields copies. Reading runs ahead of decoding and decoding ahead of the
// caller, in a bounded number of batches. Damage inside a record that leaves something to
// keep is not an error; Record.Damage tells.
func (db *batched) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		from := max(from, 1)
		db.reached.Store(int64(from) - 1)
		db.records(ctx, dbfile.FarAhead, idsFrom(from, db.count), want, stale.After(yield))
	}
}

// RecordsOf implements [model.Numbered]. It reads ahead as Records does.
func (db *batched) RecordsOf(ctx context.Context, list iter.Seq[model.RecordID], want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		db.reached.Store(0)
		next, stop := iter.Pull(list)
		defer stop()
		yield = stale.After(yield)
		for more := true; more; {
			var id model.RecordID
			is, unknown := true, false
			known := func() (model.RecordID, bool) {
				if is {
					id, is = next()
				}
				if is && (id < 1 || id > db.count) {
					is, unknown = false, true
				}
				return id, is
			}
			more = db.records(ctx, dbfile.NearAhead, known, want, yield) && unknown && yield(model.Record{ID: id}, db.noRecord(id))
		}
	}
}

// noRecord is the error of a record that is not there.
func (db *batched) noRecord(id model.RecordID) error {
	return fmt.Errorf("%s: record %d: %w; there are %d", db.set.Name(db.large[0]), id, model.ErrNoRecord, db.count)
}

// records reads and decodes records; it reports whether all were read and more are wanted.
func (db *batched) records(ctx context.Context, ahead int, next ids, want model.Want, yield func(model.Record, error) bool) (all bool) {
	if db.watch.closed.Load() {
		yield(model.Record{}, fs.ErrClosed)
		return false
	}
	workers, records := jobs.Count(db.opt.Jobs), batchSize
	if want.OnlyHeaders() && !db.heavyHeaders { // little work for each: what comes once for a batch would be most
		workers, records = 1, 4*batchSize
	}
	create := func() recordBatch { return db.newBatch(records) }
	all = true
	err := inBatches(ctx, workers, create, db.newReader(ahead, next, want), recordBatch.decode, func(b recordBatch) bool {
		n := b.raw().n
		if changed := cmp.Or(db.lost(), b.raw().changed); changed != nil {
			yield(model.Record{}, changed)
			all = false
			return false
		}
		for i := range n {
			if !yield(b.finish(i)) {
				all = false
				return false
			}
		}
		db.reached.Add(int64(n))
		return true
	})
	if err == nil && all {
		err = db.lost()
	}
	if err != nil {
		yield(model.Record{}, err)
	}
	return all && err == nil
}

// inBatches passes batches on that are filled in order, worked on, by several goroutines
// if there are to be some, and taken in order, until there are no more or no more are
// wanted. It returns the error of the context.
func inBatches[B any](ctx context.Context, workers int, create func() B, fill func(B) bool, work func(B), take func(B) bool) error {
	if workers > 1 {
		p := jobs.Pipeline[B]{Jobs: workers, Create: create, Fill: fill, Work: work, Take: take}
		return p.Run(ctx)
	}
	b := create()
	for ctx.Err() == nil && fill(b) {
		work(b)
		if !take(b) {
			return nil
		}
	}
	return ctx.Err()
}

// summary returns what [Database.Info] tells of any of them: of the files, those of the
// format and others, and which of the usual ones are missing.
func (db *batched) summary(ctx context.Context, src model.Source, of dbfile.Format, format string, usual, others []string) (Info, error) {
	info, err := Summarize(ctx, src, db.opt.reportUnread)
	if err == nil {
		info.Path, info.Format = db.set.Path(of[0].Ext), format
		err = listFiles(db.set, of, others, &info)
	}
	if err = db.unlessChanged(err); err != nil { // which may have taken files away
		return Info{}, err
	}
	for _, ext := range usual {
		if !db.set.Has(ext) {
			info.Missing = append(info.Missing, db.set.Name(ext))
		}
	}
	return info, nil
}
