package read

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
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
		if p.FIDE < 0 || p.FIDE > math.MaxUint32 { // no id
			p.FIDE = 0
		}
		return p.Player, int64(max(p.ID, 0))<<32 | p.FIDE, err
	})
	t.Tournaments = newLidTable(db, cbh2.Tournaments, 1<<13, func(b []byte, foreign func([]byte) string) (model.Tournament, int64, error) {
		v, today, err := cbh2.DecodeTournament(b, foreign)
		if today == v.Nation {
			today = 0
		}
		return v, int64(today), err
	})
	t.Sources = newLidTable(db, cbh2.Sources, 1<<12, alone(cbh2.DecodeSource))
	t.Teams = newLidTable(db, cbh2.Teams, 1<<12, alone(cbh2.DecodeTeam))
	t.GameTitles = newLidTable(db, cbh2.Tags, 1<<12, func(b []byte, foreign func([]byte) string) (model.GameTitle, int64, error) {
		title, others, err := cbh2.DecodeTag(b, foreign)
		return title, int64(others), err
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
	row    model.EntityID                 // so many are read when one is asked for
	kept   []atomic.Pointer[lidEntity[T]] // a power of two of them

	mu     sync.Mutex // for what follows
	window *dbfile.Window
	err    atomic.Pointer[error] // the first that kept an entity from being read
}

// lidEntity is an entity in memory.
type lidEntity[T comparable] struct {
	id      model.EntityID
	deleted bool
	told    bool // that it could not be read
	besides int64
	value   T
	err     *error // why it could not be read; a pointer, so that a player is one line of the cache
}

func newLidTable[T comparable](db *ChessBase2, of cbh2.EntityType, most int64, decode lidDecoder[T]) model.Table[T] {
	t := &lidTable[T]{db: db, of: of, decode: decode, row: pageSize, kept: make([]atomic.Pointer[lidEntity[T]], 1<<bits.Len64(uint64(max(min(most, db.lid.Types[of].Count), 1)-1)))}
	if db.opt.asBytes { // a sample from all over
		t.row = 1
	}
	ahead := db.lid.Place(of, min(int64(t.row), db.lid.Types[of].Count)) - db.lid.Place(of, 0) // a row at once, where that is not much
	if t.row == 1 || ahead > dbfile.FarAhead {
		ahead = lidHead
	}
	t.window = t.newWindow(int(ahead))
	db.plain[of] = make([]uint64, len(t.kept))
	db.nameless[of] = func(id model.EntityID) (besides int64, deleted bool, err error) {
		e := t.entity(id)
		if e.err != nil {
			err = *e.err
		}
		return e.besides, e.deleted, err
	}
	return model.StoredTable(t)
}

// lidHead is how many bytes are read first of a name: most are far smaller than their place.
const lidHead = 128

func (t *lidTable[T]) newWindow(ahead int) *dbfile.Window {
	if t.db.names == nil {
		return nil
	}
	return dbfile.NewWindow(t.db.names, ahead)
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
	if e := t.kept[int(id)&(len(t.kept)-1)].Load(); e != nil && e.id == id {
		return e
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	first := id - id%t.row
	row := make([]lidEntity[T], min(t.row, model.EntityID(t.Len())-first))
	for i := range row {
		e := &row[i]
		t.read(e, first+model.EntityID(i), t.window)
		if word := int(e.id / 64); e.err == nil && e.besides == 0 && !e.deleted && word < len(t.db.plain[t.of]) {
			atomic.OrUint64(&t.db.plain[t.of][word], 1<<(e.id%64))
		}
		if e.err == nil || e.id == id { // others are told when they are asked for
			t.kept[int(e.id)&(len(t.kept)-1)].Store(e)
		}
	}
	e := &row[id-first]
	t.tell(e)
	return e
}

// read reads an entity and returns its stored record, which is part of the window.
func (t *lidTable[T]) read(e *lidEntity[T], id model.EntityID, w *dbfile.Window) []byte {
	db := t.db
	e.id = id
	number := func() { e.value, _, _ = t.decode(cbh2.NumberName(t.of, int64(id)), db.foreign) }
	if db.names == nil {
		number()
		return nil
	}
	b, data, deleted, err := db.storedName(t.of, id, w)
	if e.deleted = deleted; err == nil && len(data) > 0 {
		e.value, e.besides, err = t.decode(data, db.foreign)
	}
	if err == nil {
		return b
	}
	if e.err = db.unreadName(t.of, id, err); dbfile.IsDamage(*e.err) && db.found != nil {
		number()
	}
	return b
}

// storedName reads the stored record of an entity, which is part of the window, and what it
// holds. It is the same code for all types.
func (db *ChessBase2) storedName(of cbh2.EntityType, id model.EntityID, w *dbfile.Window) (b, data []byte, deleted bool, err error) {
	place := db.lid.Place(of, int64(id))
	b, err = w.At(place, max(min(lidHead, db.lid.Types[of].Record, db.names.Size()-place), 4))
	if size := cbh2.EntitySize(b); err == nil && size > int64(len(b)) {
		b, err = w.At(place, min(size, db.lid.Types[of].Record))
	}
	if err != nil {
		return b, nil, false, err
	}
	data, _, used, err := cbh2.EntityData(b)
	return b, data, used && data == nil, err
}

// unreadName says why an entity could not be read.
func (db *ChessBase2) unreadName(of cbh2.EntityType, id model.EntityID, err error) *error {
	return new(cmp.Or(db.watch.Check(), wire.Locate(err, db.names.Name(), db.lid.Place(of, int64(id)), int64(id))))
}

// tell tells why an entity that was asked for could not be read.
func (t *lidTable[T]) tell(e *lidEntity[T]) {
	switch {
	case e.err == nil || e.told:
	case dbfile.IsDamage(*e.err): // of this one
		e.told = true
		t.db.opt.damage(*e.err)
	default:
		t.err.CompareAndSwap(nil, e.err)
	}
}

// Slot implements [model.Stored].
func (t *lidTable[T]) Slot(id model.EntityID) (slot model.Slot[T]) {
	t.slots(id, id+1, lidHead, func(e *lidEntity[T], b []byte) bool {
		slot = model.Slot[T]{Value: e.value, Deleted: e.deleted, Leftover: &model.Leftover{Format: cbh2.Format, Data: slices.Clone(b)}}
		return true
	})
	return slot
}

// Slots implements [model.Stored].
func (t *lidTable[T]) Slots(yield func(model.EntityID, model.Slot[T]) bool) {
	t.slots(0, model.EntityID(t.Len()), dbfile.FarAhead, func(e *lidEntity[T], b []byte) bool {
		return yield(e.id, model.Slot[T]{Value: e.value, Deleted: e.deleted, Leftover: &model.Leftover{Format: cbh2.Format, Data: slices.Clone(b)}})
	})
}

// Live implements [model.Stored].
func (t *lidTable[T]) Live(yield func(model.EntityID, T) bool) {
	t.slots(0, model.EntityID(t.Len()), dbfile.FarAhead, func(e *lidEntity[T], _ []byte) bool {
		return e.deleted || yield(e.id, e.value)
	})
}

// slots yields a run of entities with what is stored of each.
func (t *lidTable[T]) slots(first, end model.EntityID, ahead int, yield func(*lidEntity[T], []byte) bool) {
	w, e := t.newWindow(ahead), new(lidEntity[T])
	for id := first; id < end; id++ {
		*e = lidEntity[T]{}
		b := t.read(e, id, w)
		if t.tell(e); !yield(e, b) {
			return
		}
	}
}
