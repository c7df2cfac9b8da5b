package booster

import (
	"iter"

	"cbkit/internal/cbh"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Entities is an open entity file, read record by record: a look-up by name
// follows the tree in the file and reads no more than lies on its way. It is
// for one goroutine.
type Entities struct {
	// Count is the number of records, deleted ones included.
	Count int32
	// Warning is not nil if the header counts others.
	Warning error

	kind   *cbh.EntityFile
	head   cbh.EntityHeader
	file   *file
	window window
	// visited are the records that walks through the tree have met.
	visited map[int32]bool
}

// OpenEntities opens an entity file.
func OpenEntities(files Files, kind *cbh.EntityFile) (*Entities, error) {
	f, err := open(files, kind.Ext)
	if err != nil {
		return nil, err
	}
	e := &Entities{kind: kind, file: f, window: window{file: f, ahead: NearAhead}, visited: map[int32]bool{}}
	if err := e.readHead(); err != nil {
		f.Close()
		return nil, err
	}
	return e, nil
}

func (e *Entities) readHead() error {
	b := make([]byte, min(e.file.size, maxEntityHeader))
	if err := e.file.read(b, 0); err != nil {
		return err
	}
	var err error
	if e.head, err = cbh.DecodeEntityHeader(b); err == nil {
		err = e.kind.Check(&e.head)
	}
	if err != nil {
		return wire.Locate(err, e.file.name, 0, -1)
	}
	records, wrong := e.head.Stored(e.file.size)
	e.Count, e.Warning = int32(records), wire.Locate(wrong, e.file.name, 0, -1)
	return nil
}

// Close closes the file.
func (e *Entities) Close() { e.file.Close() } // it was only read

// EntityRecord is a record of an entity file.
type EntityRecord struct {
	ID    int32
	Links cbh.EntityLinks
	// Payload is valid until the next record is read.
	Payload []byte
}

// At reads a record, from 0 to Count-1.
func (e *Entities) At(id int32) (EntityRecord, error) {
	offset := int64(e.head.Size()) + int64(id)*int64(e.kind.RecordSize())
	b, err := e.window.at(offset, e.kind.RecordSize())
	if err != nil {
		return EntityRecord{}, err
	}
	links, err := cbh.DecodeEntityLinks(b)
	return EntityRecord{id, links, b[cbh.EntityLinksSize:]}, err
}

// Visited returns how many records were read on walks through the tree.
func (e *Entities) Visited() int { return len(e.visited) }

// All yields all live records by number.
func (e *Entities) All() iter.Seq2[EntityRecord, error] {
	return func(yield func(EntityRecord, error) bool) {
		for id := range e.Count {
			r, err := e.At(id)
			if err == nil && r.Links.IsDeleted() {
				continue
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// From yields the records in the order of the tree, from the first on for which
// before does not hold: before reports whether a payload comes before those
// that are sought. A tree with a link that no sound one has ends with an error.
func (e *Entities) From(before func(payload []byte) bool) iter.Seq2[EntityRecord, error] {
	return func(yield func(EntityRecord, error) bool) {
		w := treeWalk{entities: e, left: e.Count}
		if e.Count > 0 {
			w.descend(e.head.Root, before)
		}
		always := func([]byte) bool { return false }
		for len(w.pending) > 0 && w.err == nil {
			last := len(w.pending) - 1
			r, err := e.At(w.pending[last])
			if err != nil {
				yield(r, err)
				return
			}
			w.pending = w.pending[:last]
			right := r.Links.Right
			if !yield(r, nil) {
				return
			}
			if right != cbh.NoLink {
				w.descend(right, always)
			}
		}
		if w.err != nil {
			yield(EntityRecord{}, w.err)
		}
	}
}

// treeWalk walks a tree in order. It keeps the records whose turn comes after
// their left subtree.
type treeWalk struct {
	entities *Entities
	pending  []int32
	left     int32 // records it may still enter: a sound tree has each only once
	err      error
}

// descend goes down from a record to the first one that does not come before
// those sought.
func (w *treeWalk) descend(id int32, before func([]byte) bool) {
	for id != cbh.NoLink {
		if id < 0 || id >= w.entities.Count || w.left == 0 {
			w.err = w.entities.file.wrong(-1, int64(id), "tree", model.ErrCorrupt, "a link leads to it that no sound tree has")
			return
		}
		w.left--
		w.entities.visited[id] = true
		r, err := w.entities.At(id)
		if err == nil && r.Links.IsDeleted() {
			err = w.entities.file.wrong(-1, int64(id), "tree", model.ErrCorrupt, "a link leads to it, but it is deleted")
		}
		if err != nil {
			w.err = err
			return
		}
		if before(r.Payload) {
			id = r.Links.Right
		} else {
			w.pending = append(w.pending, id)
			id = r.Links.Left
		}
	}
}
