package read

import (
	"context"
	"iter"

	"cbkit/internal/dbfile"
	"cbkit/internal/dcdb"
	"cbkit/internal/jobs"
	"cbkit/model"
)

// Records implements [model.Source]. Reading runs ahead of decoding and
// decoding ahead of the caller, in a bounded number of batches. Damage inside
// a game that leaves something to keep is not an error; Record.Damage tells.
func (db *SimpleDB) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		reader := db.newSimpleReader(dbfile.FarAhead, max(from, 1), want)
		workers := jobs.Count(db.opt.Jobs)
		take := func(b *simpleBatch) bool { return b.yieldAll(db, yield) }
		if want == model.WantHeaders || workers == 1 {
			b := newSimpleBatch(batchSize)
			for ctx.Err() == nil && reader.fill(b) {
				b.decode(db)
				if !take(b) {
					return
				}
			}
			if err := ctx.Err(); err != nil {
				yield(model.Record{}, err)
			}
			return
		}
		p := jobs.Pipeline[*simpleBatch]{
			Jobs: workers, Create: func() *simpleBatch { return newSimpleBatch(batchSize) },
			Fill: reader.fill, Work: func(b *simpleBatch) { b.decode(db) }, Take: take,
		}
		if err := p.Run(ctx); err != nil {
			yield(model.Record{}, err)
		}
	}
}

// simpleBatch is a run of records on its way from the files to the caller. Its
// memory is used again and again.
type simpleBatch struct {
	want    model.Want
	n       int
	slots   []simpleSlot
	arena   []byte // the games
	changed error  // what was read may be of two states of the database
	decoder dcdb.Decoder
	encoder dcdb.Encoder
}

func newSimpleBatch(records int) *simpleBatch {
	return &simpleBatch{slots: make([]simpleSlot, records)}
}

// simpleReader reads raw records, ahead of their use where they lie in order.
type simpleReader struct {
	db             *SimpleDB
	next           model.RecordID
	want           model.Want
	entries, games *dbfile.Window
	sharing        dbfile.Sharing // of games
}

func (db *SimpleDB) newSimpleReader(ahead int, from model.RecordID, want model.Want) *simpleReader {
	return &simpleReader{db: db, next: from, want: want,
		entries: dbfile.NewWindow(db.index, ahead), games: dbfile.NewWindow(db.games, ahead)}
}

// fill reads the next records; it returns false if there are none.
func (r *simpleReader) fill(b *simpleBatch) bool {
	b.want, b.n, b.arena = r.want, 0, b.arena[:0]
	for b.n < len(b.slots) && len(b.arena) < arenaSize && r.next <= r.db.count {
		r.read(&b.slots[b.n], b)
		b.n++
		r.next++
	}
	b.changed = r.db.watch.Check()
	return b.n > 0
}

// read reads one record.
func (r *simpleReader) read(s *simpleSlot, b *simpleBatch) {
	s.id, s.err, s.notes, s.damage = r.next, nil, s.notes[:0], s.damage[:0]
	s.body = extent{len(b.arena), len(b.arena)}
	l := r.db.layout
	raw, err := r.entries.At(r.db.entryPlace(r.next), int64(l.EntrySize()))
	if err != nil {
		s.err = err
		return
	}
	s.entry = l.DecodeEntry(raw)
	if r.want == model.WantHeaders {
		return
	}
	place, size, err := r.gameExtent(r.next, &s.entry)
	if err != nil {
		if size < 0 {
			s.err = err
			return
		}
		s.damage = append(s.damage, err)
	}
	body, err := r.games.At(place, size)
	if err != nil {
		s.err = err
		return
	}
	s.place = place
	b.arena = append(b.arena, body...)
	s.body.to = len(b.arena)
}

// entryPlace is where an index entry begins.
func (db *SimpleDB) entryPlace(id model.RecordID) int64 {
	return int64(db.layout.HeaderSize()) + int64(id-1)*int64(db.layout.EntrySize())
}

// gameExtent returns where the game of an entry lies, without its length. With
// an error size is what is there, or -1 if it is nowhere.
func (r *simpleReader) gameExtent(id model.RecordID, e *dcdb.Entry) (place, size int64, err error) {
	db, f := r.db, r.db.games
	if e.Offset < dcdb.MagicSize || e.Offset >= uint64(f.Size()) {
		return 0, -1, db.wrongRef(id, "offset", "%d is not inside %s, which has %d bytes", e.Offset, f.Name(), f.Size())
	}
	at := int64(e.Offset)
	head, err := r.games.At(at, min(dcdb.MaxLengthSize, f.Size()-at))
	if err != nil {
		return 0, -1, err
	}
	n, digits := dcdb.DecodeLength(head)
	if digits == 0 {
		return 0, -1, f.Wrong(at, int64(id), "length", model.ErrCorrupt, "%02x begins no length, or the file ends in it", head[0])
	}
	place, size = at+int64(digits), int64(n)
	rest := f.Size() - place
	if !r.sharing.Pass(f.Size(), place, min(size, rest)) {
		return 0, -1, r.sharing.Refused(f.Name(), place, min(size, rest), id)
	}
	if size > rest {
		return place, rest, f.Wrong(at, int64(id), "length", model.ErrTruncated, "%d bytes are announced, the file has %d", size, rest)
	}
	return place, size, nil
}

// checkExtent checks where one game claims to lie.
func (r *simpleReader) checkExtent(id model.RecordID) error {
	raw, err := r.entries.At(r.db.entryPlace(id), int64(r.db.layout.EntrySize()))
	if err != nil {
		return err
	}
	e := r.db.layout.DecodeEntry(raw)
	_, _, err = r.gameExtent(id, &e)
	return err
}

// decode turns the raw records into records of the model.
func (b *simpleBatch) decode(db *SimpleDB) {
	if b.want != model.WantHeaders {
		b.decoder.Promotions = db.promotionCoding()
		b.decoder.Foreign = db.foreign
		b.decoder.NoAnnotations = b.want&(model.WantAnnotations|model.WantRaw) == 0
		b.encoder.Promotions, b.encoder.Legal = b.decoder.Promotions, true
		b.encoder.Lost = func(model.LossKind, string, string, ...any) {}
	}
	for i := range b.n {
		b.slots[i].decode(db, b)
	}
}

// yieldAll passes the records on; it reports whether the caller wants more.
func (b *simpleBatch) yieldAll(db *SimpleDB, yield func(model.Record, error) bool) bool {
	if b.changed != nil {
		yield(model.Record{}, b.changed)
		return false
	}
	for i := range b.n {
		if !yield(b.slots[i].finish(db)) {
			return false
		}
	}
	return true
}

// promotionCoding finds out how the database numbers promotions: the first
// games say, else the version. (docs/formats/dcdb.md 4.3)
func (db *SimpleDB) promotionCoding() dcdb.Promotions {
	db.promotions.once.Do(func() {
		db.promotions.Promotions = db.layout.Promotions()
		if seen := db.sniffPromotions(); seen != 0 {
			db.promotions.Promotions = seen
		}
	})
	return db.promotions.Promotions
}

// sniffPromotions looks through the first games, passing damaged ones over.
func (db *SimpleDB) sniffPromotions() (seen dcdb.Promotions) {
	r := db.newSimpleReader(dbfile.FarAhead, 1, model.WantMoves)
	b := newSimpleBatch(batchSize)
	for r.next <= min(db.count, dcdb.PromotionSample) && r.fill(b) {
		for i := range b.n {
			switch s := &b.slots[i]; dcdb.SeenPromotions(s.body.of(b.arena)) {
			case dcdb.FromTwo:
				return dcdb.FromTwo
			case dcdb.FromOne:
				seen = dcdb.FromOne
			}
		}
	}
	return seen
}
