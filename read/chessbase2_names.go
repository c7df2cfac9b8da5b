package read

import (
	"sync"
	"sync/atomic"

	"cbkit/internal/cbh2"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// readNames reads the header of the entities; they are read when they are asked for.
func (db *ChessBase2) readNames() error {
	err := model.ErrTruncated
	if db.names != nil {
		b, failed := db.names.Start(cbh2.MaxNamesHeader)
		if failed != nil {
			return failed
		}
		if db.lid, err = cbh2.DecodeNamesHeader(b); err != nil {
			err = wire.Locate(err, db.names.Name(), 0, -1)
		}
	}
	if err != nil {
		if db.found == nil {
			return err
		}
		db.opt.damage(err)
		db.names, db.lid = nil, cbh2.NamesHeader{Types: make([]cbh2.NamesType, len(db.named))}
		for of, n := range db.named {
			db.lid.Types[of].Count = n
		}
	}
	t := &db.tables
	t.Players = newLidTable(db, cbh2.Players, 1<<16, func(b []byte, foreign func([]byte) string) (model.Player, int64, error) {
		p, err := cbh2.DecodePlayer(b, foreign)
		return p.Player, p.FIDE, err
	})
	t.Tournaments = newLidTable(db, cbh2.Tournaments, 1<<13, func(b []byte, foreign func([]byte) string) (model.Tournament, int64, error) {
		v, _, err := cbh2.DecodeTournament(b, foreign)
		return v, 0, err
	})
	t.Sources = newLidTable(db, cbh2.Sources, 1<<12, alone(cbh2.DecodeSource))
	t.Teams = newLidTable(db, cbh2.Teams, 1<<12, alone(cbh2.DecodeTeam))
	t.GameTitles = newLidTable(db, cbh2.Tags, 1<<12, func(b []byte, foreign func([]byte) string) (model.GameTitle, int64, error) {
		title, _, err := cbh2.DecodeTag(b, foreign)
		return title, 0, err
	})
	return nil
}

// annotator returns the id of a player in the table of annotators.
func (db *ChessBase2) annotator(player model.EntityID) model.EntityID {
	if player == model.NoEntity {
		return player
	}
	id, ok := db.annotators[int64(player)]
	if !ok {
		if name := db.tables.Players.Value(player).String(); name == "" {
			id = model.NoEntity
		} else {
			id = db.tables.Annotators.Intern(model.Annotator{Name: name})
		}
		db.annotators[int64(player)] = id
	}
	return id
}

// titlesOf returns the titles of a text, whose languages are those of the model's game
// titles.
func (db *ChessBase2) titlesOf(tag model.EntityID) []model.LocalText {
	if tag == model.NoEntity {
		return nil
	}
	return cbh2.LocalTitles(db.tables.GameTitles.Value(tag))
}

// lidDecoder reads an entity, and what a record that names it has besides.
type lidDecoder[T comparable] func(data []byte, foreign func([]byte) string) (value T, besides int64, err error)

// alone is the decoder of entities with nothing besides.
func alone[T comparable](decode func([]byte, func([]byte) string) (T, error)) lidDecoder[T] {
	return func(b []byte, foreign func([]byte) string) (T, int64, error) {
		v, err := decode(b, foreign)
		return v, 0, err
	}
}

// lidTable is a type of entities in .2lid as a [model.Stored]. It keeps those that were
// asked for last: each has one place, which it shares with others.
type lidTable[T comparable] struct {
	db     *ChessBase2
	of     cbh2.EntityType
	decode lidDecoder[T]
	kept   []atomic.Pointer[lidEntity[T]]

	mu  sync.Mutex
	buf []byte                // of the one that is read
	err atomic.Pointer[error] // the first that kept an entity from being read
}

// lidEntity is an entity in memory.
type lidEntity[T comparable] struct {
	id      model.EntityID
	value   T
	besides int64
	deleted bool
	err     error // why it could not be read
}

func newLidTable[T comparable](db *ChessBase2, of cbh2.EntityType, most int64, decode lidDecoder[T]) model.Table[T] {
	t := &lidTable[T]{db: db, of: of, decode: decode, kept: make([]atomic.Pointer[lidEntity[T]], max(min(most, db.lid.Types[of].Count), 1))}
	db.nameless[of] = func(id model.EntityID) (besides int64, deleted bool, err error) {
		e := t.entity(id)
		return e.besides, e.deleted, e.err
	}
	return model.StoredTable(t)
}

// Len implements [model.Stored].
func (t *lidTable[T]) Len() int { return int(t.db.lid.Types[t.of].Count) }

// Err implements [model.Stored].
func (t *lidTable[T]) Err() error {
	if err := t.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Value implements [model.Stored].
func (t *lidTable[T]) Value(id model.EntityID) T { return t.entity(id).value }

// IsDeleted implements [model.Stored].
func (t *lidTable[T]) IsDeleted(id model.EntityID) bool { return t.entity(id).deleted }

// entity returns an entity, an empty one if it cannot be read.
func (t *lidTable[T]) entity(id model.EntityID) *lidEntity[T] {
	place := &t.kept[int(id)%len(t.kept)]
	if e := place.Load(); e != nil && e.id == id {
		return e
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	e, b := t.read(id, t.buf)
	t.buf = b
	place.Store(e)
	return e
}

// read reads an entity and returns its stored record, in buf if that is large enough.
func (t *lidTable[T]) read(id model.EntityID, buf []byte) (*lidEntity[T], []byte) {
	db, e := t.db, &lidEntity[T]{id: id}
	number := func() { e.value, _, _ = t.decode(cbh2.NumberName(t.of, int64(id)), db.foreign) }
	if db.names == nil {
		number()
		return e, nil
	}
	place := db.lid.Place(t.of, int64(id))
	// Most are far smaller than their place.
	b, err := db.names.Bytes(buf[:0], place, max(min(128, db.lid.Types[t.of].Record, db.names.Size()-place), 4))
	if size := cbh2.EntitySize(b); err == nil && size > int64(len(b)) {
		b, err = db.names.Bytes(b[:0], place, min(size, db.lid.Types[t.of].Record))
	}
	if err == nil {
		var data []byte
		var used bool
		data, _, used, err = cbh2.EntityData(b)
		if e.deleted = used && data == nil; err == nil && len(data) > 0 {
			e.value, e.besides, err = t.decode(data, db.foreign)
		}
	}
	if err != nil {
		err = wire.Locate(err, db.names.Name(), place, int64(id))
		if changed := db.watch.Check(); changed != nil {
			err = changed
		}
		if dbfile.IsDamage(err) { // of one entity
			e.err = err
			if db.opt.damage(err); db.found != nil {
				number()
			}
			return e, b
		}
		t.err.CompareAndSwap(nil, &err)
	}
	return e, b
}

// Slot implements [model.Stored].
func (t *lidTable[T]) Slot(id model.EntityID) model.Slot[T] {
	e, b := t.read(id, nil)
	return model.Slot[T]{Value: e.value, Deleted: e.deleted, Leftover: &model.Leftover{Format: cbh2.Format, Data: b}}
}

// Slots implements [model.Stored].
func (t *lidTable[T]) Slots(yield func(model.EntityID, model.Slot[T]) bool) {
	for id := range model.EntityID(t.Len()) {
		if !yield(id, t.Slot(id)) {
			return
		}
	}
}

// Live implements [model.Stored].
func (t *lidTable[T]) Live(yield func(model.EntityID, T) bool) {
	var buf []byte
	for id := range model.EntityID(t.Len()) {
		e, b := t.read(id, buf)
		if buf = b; !e.deleted && !yield(id, e.value) {
			return
		}
	}
}
