package read

import (
	"context"
	"iter"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// headerBlock is how many headers are read at once: few enough that they are
// still in the cache of the processor when they are looked at.
const headerBlock = 1024

// headerPass reads the stored headers of all records, a block at a time.
type headerPass struct {
	db                  *ChessBase
	first               model.RecordID // of the block
	n                   int            // records in it
	headers, extensions []byte
	extSize             int
	extCount            int  // records of the .cbj file in extensions
	loaded              bool // extensions are those of this block
}

// next reads the block after the last one; false at the end. What it reads is of
// one state of the database, and of that which was opened.
func (p *headerPass) next() (bool, error) {
	p.first += model.RecordID(p.n)
	p.loaded, p.extCount = false, 0
	p.n = int(min(headerBlock, p.db.headers.Count-p.first+1))
	if p.n <= 0 {
		return false, nil
	}
	var err error
	p.headers, err = p.db.headers.Bytes(p.headers[:0], p.db.headers.Offset(p.first), int64(p.n)*cbh.RecordSize)
	return err == nil, err
}

// loadExtensions reads the records of the .cbj file for the block.
func (p *headerPass) loadExtensions() (err error) {
	x := p.db.extensions
	if p.loaded || x == nil {
		return nil
	}
	p.loaded, p.extSize = true, int(x.Head.RecordSize)
	p.extCount = int(max(0, min(int64(p.n), x.Stored-int64(p.first)+1)))
	p.extensions, err = x.Bytes(p.extensions[:0], x.Offset(p.first), int64(p.extCount)*int64(p.extSize))
	return err
}

// view returns the header of a record of the block.
func (p *headerPass) view(i int) cbh.HeaderView {
	return cbh.HeaderView{Head: (*[cbh.RecordSize]byte)(p.headers[i*cbh.RecordSize:])}
}

// ext returns its record of the .cbj file, nil if there is none.
func (p *headerPass) ext(i int) []byte {
	if i >= p.extCount {
		return nil
	}
	return p.extensions[i*p.extSize : (i+1)*p.extSize]
}

// headersHere yields headers alone, in the caller's goroutine.
func (db *ChessBase) headersHere(ctx context.Context, from model.RecordID, yield func(model.Record, error) bool) {
	pass := headerPass{db: db, first: from}
	var s slot
	texts, reader := newBatch(db, 1), recordReader{db: db}
	texts.n, texts.want = 1, model.WantHeaders
	for {
		if err := ctx.Err(); err != nil {
			yield(model.Record{}, err)
			return
		}
		more, err := pass.next()
		if err == nil {
			err = pass.loadExtensions()
		}
		if changed := db.unlessChanged(db.lost()); changed != nil {
			yield(model.Record{}, changed)
			return
		}
		if err != nil { // one by one, to say of which record
			db.records(ctx, dbfile.FarAhead, idsFrom(pass.first, db.count), model.WantHeaders, yield)
			return
		}
		if !more {
			return
		}
		for i := range pass.n {
			id, v := pass.first+model.RecordID(i), pass.view(i)
			if v.Type().IsText() {
				texts.arena = texts.arena[:0]
				reader.keepHeader(texts, &texts.raws[0], &cbhdb.Header{ID: id, Head: v.Head[:], Ext: pass.ext(i)})
				texts.decode()
				if !yield(texts.finish(0)) {
					return
				}
				continue
			}
			s.decodeHeader(db, id, v, pass.ext(i))
			if !yield(s.record, nil) {
				return
			}
		}
	}
}

// decodeHeader makes the record of a game of its stored header.
func (s *slot) decodeHeader(db *ChessBase, id model.RecordID, v cbh.HeaderView, ext []byte) {
	g := &s.game
	*g = model.Game{}
	v.Game(&g.Header, ext)
	s.record = model.Record{ID: id, Deleted: v.Type().IsDeleted(), Game: g, Unread: v.AppendUnread(nil)}
	if v.Type()&cbh.TypeInUse == 0 || cbh.Meaningless(ext) || !s.record.HasValidReferences(&db.tables) {
		x := cbh.DecodeExtRecord(ext)
		s.judge(db, v.Type(), &x, nil)
	}
}

// Header is the header of a record as it is stored: each field is decoded when
// it is asked for, and what only the .cbj file has is read then. It is valid until
// the next step of [ChessBase.Headers]. Fields that guiding texts do not have are
// [model.NoEntity], or the zero value.
//
// It does not tell of damage to the record; [ChessBase.Records] does.
type Header struct {
	// ID is the number of the record.
	ID   model.RecordID
	view cbh.HeaderView
	pass *headerPass
}

// IsText reports whether the record is a guiding text, which has no players, date,
// result, rating or opening.
func (h *Header) IsText() bool { return h.view.Type().IsText() }

// IsDeleted reports whether the record is marked as deleted.
func (h *Header) IsDeleted() bool { return h.view.Type().IsDeleted() }

// White returns who played White.
func (h *Header) White() model.EntityID { return h.view.White() }

// Black returns who played Black.
func (h *Header) Black() model.EntityID { return h.view.Black() }

// Tournament returns the tournament.
func (h *Header) Tournament() model.EntityID { return h.view.Tournament() }

// Annotator returns the annotator.
func (h *Header) Annotator() model.EntityID { return h.view.Annotator() }

// Source returns the source.
func (h *Header) Source() model.EntityID { return h.view.Source() }

// Date returns the date of a game.
func (h *Header) Date() (d model.Date) {
	if !h.IsText() {
		d = h.view.Date()
	}
	return d
}

// Result returns the result of a game.
func (h *Header) Result() model.Result {
	if h.IsText() {
		return model.NoResult
	}
	return h.view.Result()
}

// Round returns the round and the subround, 0 if not known.
func (h *Header) Round() (round, subround uint16) { return h.view.Round() }

// Elo returns the ratings of a game, 0 if not known.
func (h *Header) Elo() (white, black uint16) {
	if h.IsText() {
		return 0, 0
	}
	return h.view.Elo()
}

// ECO returns the opening of a game.
func (h *Header) ECO() model.ECO {
	if h.IsText() {
		return 0
	}
	return h.view.ECO()
}

// Game fills the header of a game with all that is stored, including teams and title from
// the .cbj file.
func (h *Header) Game(to *model.Header) error {
	if !h.pass.loaded {
		if err := h.pass.db.unlessChanged(h.pass.loadExtensions()); err != nil {
			return err
		}
	}
	h.view.Game(to, h.pass.ext(int(h.ID-h.pass.first)))
	return nil
}

// Headers yields the headers of the records with ids from the given one on (1 is
// the first) in id order. It reads the .cbh file alone and decodes nothing that is
// not asked for: the fastest way to look at a few fields of millions of games. An
// error ends it.
func (db *ChessBase) Headers(ctx context.Context, from model.RecordID) iter.Seq2[*Header, error] {
	return func(yield func(*Header, error) bool) {
		pass := headerPass{db: db, first: max(from, 1)}
		h := Header{pass: &pass}
		for {
			more, err := pass.next()
			if err == nil {
				err = db.lost()
			}
			if err = db.unlessChanged(err); err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !more {
				return
			}
			for i := range pass.n {
				h.ID, h.view = pass.first+model.RecordID(i), pass.view(i)
				if !yield(&h, nil) {
					return
				}
			}
		}
	}
}
