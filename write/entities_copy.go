package write

import (
	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/model"
)

// copyFrom takes over the records of the original file, which has so many
// slots, with their links. New and changed entities, which bring no record
// along, are put into the tree anew.
func (t *entityTable[T]) copyFrom(head *cbh.EntityHeader, slots int32) error {
	t.head = head
	if head != nil {
		t.tree.Root, t.tree.Free, t.tree.Live = head.Root, head.FirstDeleted, head.Live
	}
	complete := true
	for id, slot := range t.src.All() {
		node, ok := t.copySlot(slot)
		if !ok || int32(id) >= slots {
			complete = false
		}
		t.tree.Nodes = append(t.tree.Nodes, node)
	}
	t.uses = make([]cbh.EntityUse, len(t.tree.Nodes))
	for id := range t.uses {
		t.uses[id].First = -1
	}
	if complete {
		return nil
	}
	t.c.copy.changed()
	return t.rebuild()
}

// copySlot appends the payload of a slot and returns its links; ok is false
// if they are not known.
func (t *entityTable[T]) copySlot(slot model.Slot[T]) (node avl.Node, ok bool) {
	record := slot.Leftover.From(cbh.Format)
	if len(record) != t.codec.RecordSize() {
		t.appendValue(slot.Value, nil)
		return avl.Node{Left: avl.None, Right: avl.None}, false
	}
	links, err := cbh.DecodeEntityLinks(record)
	t.appendValue(slot.Value, record[cbh.EntityLinksSize:])
	if slot.Deleted != links.IsDeleted() {
		err = model.ErrCorrupt
	}
	return avl.Node{Left: links.Left, Right: links.Right, Balance: links.Balance}, err == nil
}

// appendValue appends a payload: the stored one as far as it still says v.
func (t *entityTable[T]) appendValue(v T, stored []byte) {
	var losses []model.Loss
	t.payloads, losses = t.codec.Merge(t.payloads, v, stored, t.c.page)
	for _, l := range losses {
		l.Field = t.codec.Name + " " + l.Field
		t.c.report(l)
	}
}

// useEmpty counts a reference of a record that has no entity and whose stored
// record does not say so either: ChessBase has an entity without a name for
// that. Without a file of entities there is none.
func (t *entityTable[T]) useEmpty(by model.RecordID) (int32, error) {
	if t.head == nil {
		return int32(model.NoEntity), nil
	}
	var zero T
	if id, ok := t.src.Find(zero); ok {
		return t.use(id, by)
	}
	if t.none == 0 {
		t.c.copy.changed()
		// The trees of old programs may not be in balance.
		if err := t.rebuild(); err != nil {
			return 0, err
		}
	}
	id, err := t.intern(&t.none, zero, by)
	if err != nil {
		return 0, err
	}
	return t.use(model.EntityID(id), by)
}

// rebuild makes the tree anew from all live entities.
func (t *entityTable[T]) rebuild() error {
	signed := t.codec.DefaultSigned
	live := func(yield func(int32) bool) {
		for id, slot := range t.src.All() {
			if !slot.Deleted && !yield(int32(id)) {
				return
			}
		}
	}
	return t.tree.Rebuild(live, func(a, b int32) int {
		return t.codec.Compare(t.payload(a), t.payload(b), signed)
	})
}
