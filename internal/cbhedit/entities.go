package cbhedit

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// Entities is an entity file under change.
type Entities struct {
	d    *DB
	kind *cbh.EntityFile
	f    *cbhdb.Entities // nil before it is needed, and if there is none
	open bool            // f is what it should be

	// table are the records of a file that had none when it was needed first: they are
	// in memory until the file is read, or the transaction finished.
	table   *cbhdb.Table
	tree    *avl.Tree // nil before it is needed
	signed  bool      // the order of the tree
	ordered bool      // which is known, and not only assumed
	cache   map[int32]cbhdb.EntityRecord
	err     error // of reading, inside of a comparison
	changed bool  // the header
	uses    map[int32]*use
}

// Entities returns one of the entity files.
func (d *DB) Entities(kind *cbh.EntityFile) *Entities { return d.entities[cbhdb.KindOf(kind)] }

// file opens the file; of one that is missing, f stays nil.
func (e *Entities) file() (err error) {
	if err := e.d.check(); err != nil {
		return err
	}
	if !e.open {
		e.f, err = e.d.db.Entities(e.kind)
		e.open = err == nil
	}
	return err
}

// Count returns the number of records, deleted ones included.
func (e *Entities) Count() (int32, error) {
	if err := e.file(); err != nil || e.f == nil {
		return 0, err
	}
	if e.table != nil {
		return int32(e.tree.Len()), nil
	}
	return e.f.Count, nil
}

// spill writes the records that are in memory.
func (e *Entities) spill() error {
	if e.table == nil {
		return nil
	}
	err := e.table.Store()
	e.table, e.tree = nil, nil
	return err
}

// record reads a record.
func (e *Entities) record(id int32) (cbhdb.EntityRecord, error) {
	if e.table.InRange(id) {
		return e.table.At(id), nil
	}
	if r, ok := e.cache[id]; ok {
		return r, nil
	}
	if id < 0 || id >= e.f.Count {
		return cbhdb.EntityRecord{}, e.wrong(id, "there is no such %s", e.kind.Name)
	}
	b, err := e.f.Bytes(nil, e.f.Offset(id), e.f.RecordSize())
	if err != nil {
		return cbhdb.EntityRecord{}, err
	}
	links, err := cbh.DecodeEntityLinks(b)
	r := cbhdb.EntityRecord{ID: id, Links: links, Payload: b[cbh.EntityLinksSize:]}
	if len(e.cache) >= e.d.limits.entities {
		clear(e.cache)
	}
	e.cache[id] = r
	return r, err
}

func (e *Entities) wrong(id int32, format string, args ...any) error {
	return &model.FormatError{File: e.d.Name(e.kind.Ext), Offset: -1, Record: int64(id), Err: fmt.Errorf("%w: %s", model.ErrNoRecord, fmt.Sprintf(format, args...))}
}

// Payload returns the payload of a live entity; one that is deleted, or that was
// never there, is an error. It must not be changed.
func (e *Entities) Payload(id int32) ([]byte, error) {
	if err := e.file(); err != nil {
		return nil, err
	}
	if e.f == nil {
		return nil, e.wrong(id, "there is no such %s", e.kind.Name)
	}
	r, err := e.record(id)
	if err == nil && r.Links.IsDeleted() {
		err = e.wrong(id, "the %s is deleted", e.kind.Name)
	}
	return r.Payload, err
}

// Live yields all records that are not deleted, in the order of their numbers. They
// are valid until the next one.
func (e *Entities) Live() iter.Seq2[cbhdb.EntityRecord, error] {
	return func(yield func(cbhdb.EntityRecord, error) bool) {
		if err := cmp.Or(e.file(), e.spill()); err != nil {
			yield(cbhdb.EntityRecord{}, err)
			return
		}
		if e.f == nil {
			return
		}
		e.f.Reader(dbfile.FarAhead).Live()(yield)
	}
}

// comparing returns a comparison with a payload.
func (e *Entities) comparing(payload []byte) avl.Compare {
	return func(id int32) int {
		r, err := e.record(id)
		if err != nil {
			e.err = errors.Join(e.err, err)
			return 0
		}
		c := e.kind.Compare(payload, r.Payload, e.signed)
		if !e.ordered && (c < 0) != (e.kind.Compare(payload, r.Payload, !e.signed) < 0) {
			e.err = errors.Join(e.err, errOrder)
			return 0
		}
		return c
	}
}

// failed returns what went wrong while a tree was read.
func (e *Entities) failed(err error) error {
	read := e.err
	e.err = nil
	return cmp.Or(read, err)
}

// Find returns the live entities whose key in the tree is that of a payload, the
// first ones in the order of the tree first.
func (e *Entities) Find(payload []byte) ([]int32, error) {
	if err := e.ready(); err != nil || e.f == nil {
		return nil, err
	}
	var list []int32
	err := e.inOrder(func() error {
		list = list[:0]
		for id := range e.tree.Equal(e.comparing(payload)) {
			list = append(list, id)
		}
		return e.tree.Err()
	})
	return list, err
}

// Insert adds an entity and returns its number. Nothing refers to it yet.
func (e *Entities) Insert(payload []byte) (id int32, err error) {
	if err := e.d.check(); err != nil {
		return 0, err
	}
	defer func() { err = e.d.fail(err) }() // others may have come for the same record
	if err := e.file(); err != nil {
		return 0, err
	}
	if e.f == nil {
		head := cbh.NewEntityHeader(e.kind)
		if err := e.d.create(e.kind.Ext, head.Append(nil)); err != nil {
			return 0, err
		}
		if err := e.d.reopen(); err != nil {
			return 0, err
		}
		e.open = false
	}
	if err := e.ready(); err != nil {
		return 0, err
	}
	if err := e.checkDangling(); err != nil {
		return 0, err
	}
	payload = append([]byte(nil), payload...)
	cbh.EntityUse{First: -1}.Put(payload)
	err = e.change(func() (err error) {
		id, err = e.tree.Add(e.comparing(payload))
		return err
	})
	if err != nil {
		return 0, err
	}
	if err := e.store(id, payload); err != nil {
		return 0, err
	}
	if e.table == nil {
		e.uses[id] = &use{first: none}
	}
	e.d.did.Added++
	e.note()
	return id, nil
}

// store writes an entity that has come into the tree, and the links that have
// changed by that.
func (e *Entities) store(id int32, payload []byte) error {
	if e.changed = true; e.table != nil {
		e.table.PutPayload(id, payload)
		return nil
	}
	r := cbhdb.EntityRecord{ID: id, Links: cbh.EntityLinks(e.tree.Node(id)), Payload: payload}
	if err := e.f.Put(r); err != nil {
		return err
	}
	e.cache[id] = r
	return e.putTree()
}

// putTree writes the links that the last change of the tree has changed.
func (e *Entities) putTree() error {
	if e.changed = true; e.table != nil {
		return nil
	}
	for _, id := range e.tree.AppendChanged(nil) {
		if r, ok := e.cache[id]; ok {
			r.Links = cbh.EntityLinks(e.tree.Node(id))
			e.cache[id] = r
		}
	}
	if err := e.f.PutTree(e.tree); err != nil {
		return err
	}
	if e.tree.Kept() > e.d.limits.entities {
		e.tree = e.f.Tree(e.record) // and forget what was read
	}
	return nil
}

// change makes a change of the tree. If it meets something wrong, the tree is
// built anew first.
func (e *Entities) change(do func() error) error {
	err := e.inOrder(do)
	if _, damaged := errors.AsType[*avl.DamageError](err); damaged {
		t, loading := e.f.Load()
		if loading == nil {
			loading = e.rebuild(t, err)
		}
		if loading != nil {
			return loading
		}
		err = e.failed(do())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", e.d.Name(e.kind.Ext), err)
	}
	return nil
}

// Change gives an entity another payload, but for its references. It keeps its
// number and gets another place in the tree if its key is another one.
func (e *Entities) Change(id int32, payload []byte) (err error) {
	old, err := e.Payload(id)
	if err != nil {
		return err
	}
	if err := e.d.check(); err != nil {
		return err
	}
	defer func() { err = e.d.fail(err) }()
	if err := e.ready(); err != nil {
		return err
	}
	payload = append([]byte(nil), payload...)
	cbh.DecodeEntityUse(old).Put(payload)
	if e.kind.Compare(old, payload, e.signed) != 0 {
		if err := e.change(func() error { return e.tree.Delete(id, e.comparing(old)) }); err != nil {
			return err
		}
		if err := e.putTree(); err != nil {
			return err
		}
		if err := e.change(func() error { return e.tree.Insert(id, e.comparing(payload)) }); err != nil {
			return err
		}
	}
	return e.store(id, payload)
}

// note notes that there are more entities, or fewer.
func (e *Entities) note() { e.d.noteReference(cbhdb.KindOf(e.kind)) }

// remove takes an entity out of the tree and makes its record free.
func (e *Entities) remove(id int32) error {
	payload, err := e.Payload(id)
	if err != nil {
		return err
	}
	if err := e.ready(); err != nil {
		return err
	}
	if err := e.change(func() error { return e.tree.Remove(id, e.comparing(payload)) }); err != nil {
		return err
	}
	e.d.did.Removed++
	e.note()
	return e.putTree()
}

// smallFile is up to which size all of an entity file is looked at, in bytes.
const smallFile = 1 << 14

// newExtensions is the version of .cbj files whose programs keep their trees in
// balance and in the orders that cbkit writes.
const newExtensions = 11

// ready opens the tree. The tree of a small file, and that of an old database, is
// looked at as a whole, and its order is known then; that of others is found out
// where it makes a difference. (docs/formats/cbh.md, The order of entities)
func (e *Entities) ready() error {
	if e.tree != nil {
		return nil
	}
	if err := e.file(); err != nil || e.f == nil {
		return err
	}
	e.tree = e.f.Tree(e.record)
	// Programs that wrote an older .cbj file, or none, may not have kept the tree.
	d := e.d
	old := d.headers.Head.Used == cbh.UsedOld || d.extensions == nil || d.extensions.Stored == 0 || d.extensions.Head.Version < newExtensions
	if old || e.f.Size() <= smallFile {
		if err := e.judge(); err != nil {
			return err
		}
	}
	if e.f.Size() == int64(e.f.Head.Size()) {
		e.table = &cbhdb.Table{Entities: e.f, Tree: *avl.New()}
		e.tree = &e.table.Tree
	}
	return nil
}

// errOrder says that a comparison depends on the order of the tree, which is not
// known yet.
var errOrder = errors.New("the order of the tree is not known")

// inOrder looks something up in the tree, or changes it. It does so again, in a
// tree as it was, if a comparison has to know its order.
func (e *Entities) inOrder(do func() error) error {
	err := e.failed(do())
	if !errors.Is(err, errOrder) {
		return err
	}
	e.tree = e.f.Tree(e.record)
	if err := e.guessOrder(); err != nil {
		return err
	}
	return e.failed(do())
}

// judge looks at the whole tree, whose order is known then, and builds it anew if it is
// damaged.
func (e *Entities) judge() error {
	t, err := e.f.Load()
	if err != nil {
		return err
	}
	faults, signed := t.Verify()
	if len(faults) > 0 {
		return e.rebuild(t, &avl.DamageError{Finding: faults[0]})
	}
	e.signed, e.ordered = signed, true
	return nil
}

// rebuild builds the tree of a file anew in the order of new files, because of what is
// wrong with it.
func (e *Entities) rebuild(t *cbhdb.Table, why error) error {
	e.signed, e.ordered = e.kind.DefaultSigned, true
	if err := t.Rebuild(e.signed); err != nil {
		return err
	}
	e.changed = true
	clear(e.cache)
	if err := e.f.PutTree(&t.Tree); err != nil {
		return err
	}
	e.tree = e.f.Tree(e.record)
	e.d.noteOnce("the tree of %s was built anew: %v", e.d.Name(e.kind.Ext), why)
	return nil
}

// guessOrder finds out the order of the tree by the records at both of its ends,
// where names begin with the letters that one order has first and the other last.
func (e *Entities) guessOrder() error {
	left, err := e.spine(func(n avl.Node) int32 { return n.Left })
	if err != nil {
		return err
	}
	right, err := e.spine(func(n avl.Node) int32 { return n.Right })
	if err != nil {
		return err
	}
	slices.Reverse(left)
	line := append(left, right[min(1, len(right)):]...) // in the order of the tree
	faults := map[bool]int{}
	var last []byte
	for _, id := range line {
		r, err := e.record(id)
		if err != nil {
			return err
		}
		for _, signed := range []bool{false, true} {
			if last != nil && e.kind.Compare(last, r.Payload, signed) > 0 {
				faults[signed]++
			}
		}
		last = r.Payload
	}
	switch usual := e.kind.DefaultSigned; {
	case faults[usual] == 0:
		e.signed = usual
	case faults[!usual] == 0:
		e.signed = !usual
	default:
		return e.judge()
	}
	e.ordered = true
	return nil
}

// spine follows one link from the root to the end. It stops where the tree is
// damaged: the next change there will meet it.
func (e *Entities) spine(link func(avl.Node) int32) (list []int32, err error) {
	const deepest = 64 // no tree in balance is
	for id := e.f.Head.Root; id >= 0 && id < e.f.Count && len(list) < deepest; {
		n := e.tree.Node(id)
		if !n.Live() {
			break
		}
		list = append(list, id)
		id = link(n)
	}
	return list, e.failed(e.tree.Err())
}
