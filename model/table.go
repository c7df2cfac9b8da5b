package model

import (
	"hash/maphash"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
)

// Table holds the entities of one type by id. Slots of deleted entities stay
// in place so that ids never change. A table only grows.
//
// A deleted entity keeps its value for look-ups by id, since records of damaged databases
// may still refer to it; look-ups by value do not find it.
//
// Several goroutines may look things up in a table at once, while none changes it;
// Append, Intern, Set and Delete change it.
//
// The table of a source may leave its entities where they are stored until they
// are asked for ([StoredTable]); [Table.Err] tells whether all could be read.
type Table[T comparable] struct {
	slots  []Slot[T]
	index  *index[T] // nil of an empty table
	stored Stored[T] // what to ask for the entities, which are not in slots
	count  int       // how many are stored
}

// index finds entities by value. It is made when it is first needed, by one of
// those who ask at once.
type index[T comparable] struct {
	making sync.Mutex
	ids    atomic.Pointer[idSet] // first live id of each value; nil until needed
}

// idSet is a hash table of ids, whose values stay in their table: it takes a quarter of a
// map that has them as keys.
type idSet struct {
	seed  maphash.Seed
	cells []uint64 // a hash in the high half, id+1 in the low one, 0 of an empty cell; a power of two
	used  int
}

// lookUp returns the id of a value, [NoEntity] if there is none, and its hash.
func (t *Table[T]) lookUp(s *idSet, v T) (EntityID, uint64) {
	hash := maphash.Comparable(s.seed, v) >> 32
	for at := s.home(hash); s.cells[at] != 0; at = s.home(uint64(at) + 1) {
		if id := EntityID(uint32(s.cells[at]) - 1); s.cells[at]>>32 == hash && t.Value(id) == v {
			return id, hash
		}
	}
	return NoEntity, hash
}

// remember adds an id to the index, unless one of the same value is there.
func (t *Table[T]) remember(s *idSet, v T, id EntityID) {
	if known, hash := t.lookUp(s, v); known == NoEntity {
		s.put(hash<<32 + uint64(id) + 1)
	}
}

// home returns the cell where to look first.
func (s *idSet) home(hash uint64) int { return int(hash & uint64(len(s.cells)-1)) }

// put adds a cell; at least a quarter of them stays empty.
func (s *idSet) put(cell uint64) {
	if s.used++; 4*s.used > 3*len(s.cells) {
		old := s.cells
		s.cells, s.used = make([]uint64, 2*len(old)), 1
		for _, c := range old {
			if c != 0 {
				s.put(c)
			}
		}
	}
	at := s.home(cell >> 32)
	for s.cells[at] != 0 {
		at = s.home(uint64(at) + 1)
	}
	s.cells[at] = cell
}

// Stored looks up the entities of a source where they are stored. Its methods may be
// called from several goroutines at once. What cannot be read is the zero value.
type Stored[T comparable] interface {
	// Len returns the number of slots, which does not change.
	Len() int
	// Value returns the entity with an id inside the table.
	Value(id EntityID) T
	// IsDeleted reports whether it is deleted.
	IsDeleted(id EntityID) bool
	// Slot returns the slot with an id inside the table.
	Slot(id EntityID) Slot[T]
	// Slots yields all slots in the order of ids.
	Slots(yield func(EntityID, Slot[T]) bool)
	// Live yields the entities that are not deleted in the order of ids.
	Live(yield func(EntityID, T) bool)
	// Err returns why entities could not be read, nil if all could.
	Err() error
}

// StoredTable returns a table of entities that are read when they are asked for. The
// first change reads all of them.
func StoredTable[T comparable](s Stored[T]) Table[T] {
	return Table[T]{stored: s, count: s.Len(), index: new(index[T])}
}

// Err returns why entities of a source could not be read when they were asked for, so
// that they were the zero value; nil if all could be. Call it after using a table.
func (t *Table[T]) Err() error {
	if t.stored == nil {
		return nil
	}
	return t.stored.Err()
}

// read makes the table one in memory.
func (t *Table[T]) read() {
	if t.count > 0 {
		t.slots, t.count = t.list(), 0
	}
}

// list returns all slots, of a table in memory its own.
func (t *Table[T]) list() []Slot[T] {
	if t.count == 0 {
		return t.slots
	}
	list := make([]Slot[T], 0, t.count)
	for _, s := range t.stored.Slots {
		list = append(list, s)
	}
	return append(list, make([]Slot[T], t.count-len(list))...) // which could not be read
}

// Slot is one place of a [Table].
type Slot[T comparable] struct {
	Value   T
	Deleted bool
	// Leftover is what the format of origin stored with the entity.
	Leftover *Leftover
}

// Len returns the number of slots, deleted ones included; ids are below it.
func (t *Table[T]) Len() int { return len(t.slots) + t.count }

// Get returns the entity with the given id, deleted or not. For [NoEntity] and
// ids outside the table it returns the zero value and false.
func (t *Table[T]) Get(id EntityID) (T, bool) {
	if uint(id) < uint(len(t.slots)) {
		return t.slots[id].Value, true
	}
	return t.Value(id), id >= 0 && int(id) < t.count
}

// Value returns the entity with the given id, deleted or not, the zero value if
// there is none.
func (t *Table[T]) Value(id EntityID) (v T) {
	if uint(id) < uint(len(t.slots)) {
		return t.slots[id].Value
	}
	if uint(id) < uint(t.count) {
		return t.stored.Value(id)
	}
	return v
}

// Slot returns the slot with the given id, an empty one if there is none.
func (t *Table[T]) Slot(id EntityID) (s Slot[T]) {
	if uint(id) < uint(len(t.slots)) {
		return t.slots[id]
	}
	if uint(id) < uint(t.count) {
		return t.stored.Slot(id)
	}
	return s
}

// IsDeleted reports whether the given id is that of a deleted entity.
func (t *Table[T]) IsDeleted(id EntityID) bool {
	if uint(id) < uint(len(t.slots)) {
		return t.slots[id].Deleted
	}
	return uint(id) < uint(t.count) && t.stored.IsDeleted(id)
}

// All yields every slot with its id, deleted ones included.
func (t *Table[T]) All() iter.Seq2[EntityID, Slot[T]] {
	if t.count > 0 {
		return t.stored.Slots
	}
	return func(yield func(EntityID, Slot[T]) bool) {
		for i, s := range t.slots {
			if !yield(EntityID(i), s) {
				return
			}
		}
	}
}

// Live yields every entity that is not deleted with its id. For a table whose entities
// are stored it is much faster than [Table.All], which also yields what was stored with
// each.
func (t *Table[T]) Live() iter.Seq2[EntityID, T] {
	if t.count > 0 {
		return t.stored.Live
	}
	return func(yield func(EntityID, T) bool) {
		for i := range t.slots {
			if s := &t.slots[i]; !s.Deleted && !yield(EntityID(i), s.Value) {
				return
			}
		}
	}
}

// Clone returns a copy that can be changed without changing t.
func (t *Table[T]) Clone() Table[T] {
	if t.count > 0 {
		return Table[T]{slots: t.list(), index: new(index[T])}
	}
	return Table[T]{slots: slices.Clone(t.slots), index: new(index[T])}
}

// Append adds a slot at the end and returns its id. It does not look whether
// an equal entity is there already; [Table.Intern] does.
func (t *Table[T]) Append(s Slot[T]) EntityID {
	t.read()
	id := EntityID(len(t.slots))
	t.slots = append(t.slots, s)
	if t.index == nil {
		t.index = new(index[T])
	}
	if ids := t.index.ids.Load(); ids != nil && !s.Deleted {
		t.remember(ids, s.Value, id)
	}
	return id
}

// Intern returns the id of the entity that equals v, adding it if there is
// none.
func (t *Table[T]) Intern(v T) EntityID {
	if id, ok := t.Find(v); ok {
		return id
	}
	return t.Append(Slot[T]{Value: v})
}

// Find returns the id of the first live entity that equals v.
func (t *Table[T]) Find(v T) (EntityID, bool) {
	if t.index == nil {
		return NoEntity, false
	}
	ids := t.index.ids.Load()
	if ids == nil {
		ids = t.makeIndex()
	}
	id, _ := t.lookUp(ids, v)
	return id, id != NoEntity
}

// makeIndex makes the index, unless another goroutine has.
func (t *Table[T]) makeIndex() *idSet {
	t.index.making.Lock()
	defer t.index.making.Unlock()
	if ids := t.index.ids.Load(); ids != nil {
		return ids
	}
	ids := &idSet{seed: maphash.MakeSeed(), cells: make([]uint64, 8)}
	for id, v := range t.Live() {
		t.remember(ids, v, id)
	}
	t.index.ids.Store(ids)
	return ids
}

// forget drops the index of a table that changes otherwise than at its end.
func (t *Table[T]) forget() { t.index.ids.Store(nil) }

// Set gives the live entity id, which must be inside the table, a new value
// and drops its leftover.
func (t *Table[T]) Set(id EntityID, v T) {
	t.read()
	t.slots[id] = Slot[T]{Value: v}
	t.forget()
}

// Delete marks the slot id, which must be inside the table, as deleted. Its
// value stays.
func (t *Table[T]) Delete(id EntityID) {
	t.read()
	t.slots[id].Deleted = true
	t.slots[id].Leftover = nil
	t.forget()
}
