package model

import (
	"iter"
	"slices"
)

// Table holds the entities of one type by id. Slots of deleted entities stay
// in place so that ids never change. A table only grows.
//
// A deleted entity keeps its value for those who ask by id, since records of
// damaged databases may still refer to it; those who ask by value do not find
// it.
type Table[T comparable] struct {
	slots []Slot[T]
	ids   map[T]EntityID // first live id of each value; nil until needed
}

// Slot is one place of a [Table].
type Slot[T comparable] struct {
	Value   T
	Deleted bool
	// Leftover is what the format of origin stored with the entity.
	Leftover *Leftover
}

// Len returns the number of slots, deleted ones included; ids are below it.
func (t *Table[T]) Len() int { return len(t.slots) }

// Get returns the entity with the given id, deleted or not. For [NoEntity] and
// ids outside the table it returns the zero value and false.
func (t *Table[T]) Get(id EntityID) (T, bool) {
	if id < 0 || int(id) >= len(t.slots) {
		var zero T
		return zero, false
	}
	return t.slots[id].Value, true
}

// Value returns the entity with the given id, deleted or not, the zero value if
// there is none.
func (t *Table[T]) Value(id EntityID) T {
	v, _ := t.Get(id)
	return v
}

// Slot returns the slot with the given id, which must be inside the table.
func (t *Table[T]) Slot(id EntityID) Slot[T] { return t.slots[id] }

// All yields every slot with its id, deleted ones included.
func (t *Table[T]) All() iter.Seq2[EntityID, Slot[T]] {
	return func(yield func(EntityID, Slot[T]) bool) {
		for i, s := range t.slots {
			if !yield(EntityID(i), s) {
				return
			}
		}
	}
}

// Clone returns a copy that can be changed without changing t.
func (t *Table[T]) Clone() Table[T] { return Table[T]{slots: slices.Clone(t.slots)} }

// Append adds a slot at the end and returns its id. It does not look whether
// an equal entity is there already; [Table.Intern] does.
func (t *Table[T]) Append(s Slot[T]) EntityID {
	id := EntityID(len(t.slots))
	t.slots = append(t.slots, s)
	if t.ids != nil && !s.Deleted {
		t.remember(s.Value, id)
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
	if t.ids == nil {
		t.ids = make(map[T]EntityID, len(t.slots))
		for id, s := range t.slots {
			if !s.Deleted {
				t.remember(s.Value, EntityID(id))
			}
		}
	}
	id, ok := t.ids[v]
	if !ok {
		return NoEntity, false
	}
	return id, true
}

func (t *Table[T]) remember(v T, id EntityID) {
	if _, seen := t.ids[v]; !seen {
		t.ids[v] = id
	}
}

// Set gives the live entity id, which must be inside the table, a new value
// and drops its leftover.
func (t *Table[T]) Set(id EntityID, v T) {
	t.slots[id] = Slot[T]{Value: v}
	t.ids = nil
}

// Delete marks the slot id, which must be inside the table, as deleted. Its
// value stays.
func (t *Table[T]) Delete(id EntityID) {
	t.slots[id].Deleted = true
	t.slots[id].Leftover = nil
	t.ids = nil
}
