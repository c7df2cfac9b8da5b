package cbhedit

import (
	"context"
	"maps"
	"math"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/jobs"
	"cbkit/model"
)

// none is the first record of an entity that no record refers to.
const none int32 = -1

// unknown is the first record of an entity before it is known again.
const unknown int32 = math.MaxInt32

// use is who refers to an entity, while that changes.
type use struct {
	was   cbh.EntityUse // as it was stored
	count int32
	first int32 // none; unknown; or the smallest record that is known
	// searchFrom is a record from which on the first one may be, if it is not known; 0
	// if it is.
	searchFrom model.RecordID
	// released says that the entity goes if no record refers to it any more.
	released bool
	// miscounted says that what was stored cannot be true: the references are to
	// be counted.
	miscounted bool
}

// use returns the use of a live entity.
func (e *Entities) use(id int32) (*use, error) {
	if u := e.uses[id]; u != nil {
		return u, nil
	}
	payload, err := e.Payload(id)
	if err != nil {
		return nil, err
	}
	stored := cbh.DecodeEntityUse(payload)
	u := &use{was: stored, count: stored.Count, first: stored.First}
	if len(e.uses) >= e.d.limits.uses {
		for _, id := range slices.Sorted(maps.Keys(e.uses)) { // what is known for certain is written
			known := e.uses[id]
			if known.released || known.searchFrom != 0 || known.miscounted || known.count == 0 {
				continue
			}
			if err := e.putUse(id, known); err != nil {
				return nil, err
			}
			delete(e.uses, id)
		}
	}
	e.uses[id] = u
	return u, nil
}

// References returns how many references a live entity counts, with those of the
// transaction.
func (e *Entities) References(id int32) (int32, error) {
	u, err := e.use(id)
	if err != nil {
		return 0, err
	}
	return u.count, nil
}

// add counts a reference of a record to an entity.
func (e *Entities) add(id int32, rec model.RecordID) error {
	if e.table != nil && e.uses[id] == nil {
		return e.addInMemory(id, rec)
	}
	u, err := e.use(id)
	if err != nil {
		return err
	}
	switch {
	case u.count <= 0:
		u.miscounted = u.miscounted || u.count < 0
		u.first = unknown
	case u.searchFrom == 0 && (u.first < 1 || u.first != unknown && u.first > int32(e.d.headers.Count)):
		u.miscounted = true // it counts references, and names no record that has one
	}
	u.count++
	u.first = min(u.first, int32(rec))
	return nil
}

// addInMemory is add for an entity in memory, whose references all came with the
// transaction.
func (e *Entities) addInMemory(id int32, rec model.RecordID) error {
	if !e.table.IsLive(id) {
		_, err := e.Payload(id) // which says what is wrong
		return err
	}
	payload := e.table.Payload(id)
	u := cbh.DecodeEntityUse(payload)
	u.Add(rec)
	u.Put(payload)
	return nil
}

// release takes a reference of a record away.
func (e *Entities) release(id int32, rec model.RecordID) error {
	u, err := e.use(id)
	if err != nil {
		return err
	}
	if u.count <= 0 || u.searchFrom == 0 && (u.first > int32(rec) || u.count == 1 && u.first != int32(rec)) {
		u.miscounted = true
	}
	u.count--
	u.released = true
	switch {
	case u.count <= 0:
		u.first, u.searchFrom = none, 0
	case u.first == int32(rec):
		if u.searchFrom == 0 {
			u.searchFrom = rec
		}
		u.searchFrom, u.first = min(u.searchFrom, rec), unknown
	}
	return nil
}

// putUse writes the references of an entity.
func (e *Entities) putUse(id int32, u *use) error {
	payload, err := e.Payload(id)
	if err != nil {
		return err
	}
	cbh.EntityUse{Count: u.count, First: u.first}.Put(payload) // in the cache too
	if e.table != nil {
		return nil
	}
	end := e.f.Offset(id) + e.f.RecordSize()
	const size = 8
	return e.f.PutAt(payload[len(payload)-size:], end-size)
}

// finishUses makes counts and first records true, and lets go of the entities
// that have lost their last reference.
func (d *DB) finishUses() error {
	if err := jobs.InTurn(d.findFirst, d.checkReleased, d.settle, d.recount); err != nil {
		return err
	}
	for _, e := range d.entities {
		for _, id := range slices.Sorted(maps.Keys(e.uses)) {
			u := e.uses[id]
			if u.count == 0 {
				u.first = none
			}
			if err := e.putUse(id, u); err != nil {
				return err
			}
			if u.released && u.count == 0 {
				if err := e.remove(id); err != nil {
					return err
				}
			}
		}
	}
	return d.emptyFiles()
}

// settle makes the counts of teams and titles true where the transaction completes the
// .cbj file, whose references prove them from then on.
func (d *DB) settle() error {
	if !d.extsIncomplete || !d.extsGrown {
		return nil
	}
	var found [cbhdb.Titles + 1][]cbh.EntityUse
	for _, kind := range []int{cbhdb.Teams, cbhdb.Titles} {
		n, err := d.entities[kind].Count()
		if err != nil {
			return err
		}
		if kind == cbhdb.Teams || d.HasTitles() {
			found[kind] = make([]cbh.EntityUse, n)
		}
	}
	err := d.eachReference(1, func(rec model.RecordID, ref cbhdb.Reference) bool {
		if int(ref.ID) < len(found[ref.Kind]) {
			found[ref.Kind][ref.ID].Add(rec)
		}
		return true
	})
	if err != nil {
		return err
	}
	for kind, list := range found {
		e := d.entities[kind]
		for i, now := range list {
			id := int32(i)
			r, err := e.record(id)
			if err != nil {
				return err
			}
			stored := cbh.DecodeEntityUse(r.Payload)
			same := stored.Count == now.Count && (now.Count == 0 || stored.First == now.First)
			if r.Links.IsDeleted() || same && e.uses[id] == nil {
				continue
			}
			u, err := e.use(id)
			if err != nil {
				return err
			}
			u.released = u.released || now.Count == 0 && u.was.Count != 0 // if it has ever counted one
			u.count, u.first, u.searchFrom, u.miscounted = now.Count, now.First, 0, false
		}
	}
	return nil
}

// emptyFiles makes those files that have lost their last entity the empty ones that
// real databases have, unless a record refers to what was there.
func (d *DB) emptyFiles() error {
	empty := map[int]bool{}
	for kind, e := range d.entities {
		if !e.changed || e.f == nil || e.f.Head.Live != 0 || e.f.Count == 0 {
			continue
		}
		empty[kind] = true
		for _, err := range e.Live() { // whatever the header counts
			if err != nil {
				return err
			}
			delete(empty, kind)
			break
		}
	}
	if len(empty) == 0 {
		return nil
	}
	err := d.eachReference(1, func(_ model.RecordID, ref cbhdb.Reference) bool {
		delete(empty, ref.Kind)
		return len(empty) > 0
	})
	if err != nil {
		return err
	}
	for kind := range empty {
		e := d.entities[kind]
		h := &e.f.Head
		h.Capacity, h.Root, h.FirstDeleted = 0, 0, cbh.NoLink
		e.f.Count, e.tree = 0, nil
		clear(e.cache)
		clear(e.uses)
		if err := e.f.Truncate(int64(h.Size())); err != nil {
			return err
		}
		d.emptied = true
	}
	return nil
}

// seeking are the entities whose first record is looked for.
type seeking map[cbhdb.Reference]*use

// findFirst finds the first records of entities that have lost theirs: in the
// lists of boosters, else in the headers from there on.
func (d *DB) findFirst() error {
	list := seeking{}
	for kind, e := range d.entities {
		for id, u := range e.uses {
			if u.searchFrom != 0 && u.count > 0 && !u.miscounted {
				list[cbhdb.Reference{Kind: kind, ID: id}] = u
			}
		}
	}
	if err := d.findListed(list); err != nil {
		return err
	}
	if len(list) == 0 {
		return nil
	}
	from := model.RecordID(math.MaxInt32)
	for _, u := range list {
		from = min(from, u.searchFrom)
	}
	err := d.eachReference(from, func(rec model.RecordID, ref cbhdb.Reference) bool {
		if u := list[ref]; u != nil && rec >= u.searchFrom {
			u.first, u.searchFrom = min(u.first, int32(rec)), 0
			delete(list, ref)
		}
		return len(list) > 0
	})
	for _, u := range list { // no record refers to it from there on
		u.miscounted = u.first == unknown
		u.searchFrom = 0
	}
	return err
}

// checkReleased looks whether the lists of the boosters, sealed or not, name records
// that refer to an entity which counts none any more. Without lists its count is
// believed: to prove it, all headers would have to be read for each change.
func (d *DB) checkReleased() error {
	const mostBlocks = 2 // who counted one reference has no long list
	for kind, e := range d.entities {
		pair, _ := cbh.ListsOf(cbh.EntityFiles[kind])
		if !d.has(pair.Table) || !d.has(pair.Blocks) {
			continue
		}
		for _, id := range slices.Sorted(maps.Keys(e.uses)) {
			u := e.uses[id]
			if !u.released || u.count != 0 || u.miscounted {
				continue
			}
			ref := cbhdb.Reference{Kind: kind, ID: id}
			err := d.eachPart(ref, mostBlocks, func(ids []int32) (bool, error) {
				found, err := d.firstOf(ref, ids, 1)
				u.miscounted = found != unknown
				return !u.miscounted, err
			})
			if err := passOver(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// recount counts the references of all entities of which something cannot be
// true.
func (d *DB) recount() error {
	list := seeking{}
	for kind, e := range d.entities {
		for id, u := range e.uses {
			if u.miscounted {
				list[cbhdb.Reference{Kind: kind, ID: id}] = u
				u.count, u.first, u.searchFrom, u.miscounted = 0, none, 0, false
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return d.eachReference(1, func(rec model.RecordID, ref cbhdb.Reference) bool {
		if u := list[ref]; u != nil {
			if u.count == 0 {
				u.first = int32(rec)
			}
			u.count++
		}
		return true
	})
}

// eachReference calls do with all references of all records from one on, until
// it returns false.
func (d *DB) eachReference(from model.RecordID, do func(rec model.RecordID, ref cbhdb.Reference) bool) error {
	ahead := dbfile.NearAhead
	if d.headers.Count-from > 1000 {
		ahead = dbfile.FarAhead >> 4
	}
	var list []cbhdb.Reference
	for h, err := range d.headers.Headers(d.extensions, ahead).From(context.Background(), from) {
		if err != nil {
			return err
		}
		list = h.AppendReferences(list[:0])
		for _, ref := range list {
			if !do(h.ID, ref) {
				return nil
			}
		}
	}
	return nil
}

// RecordsOf returns the records that refer to an entity, in order.
func (d *DB) RecordsOf(kind *cbh.EntityFile, id int32) ([]model.RecordID, error) {
	want := cbhdb.Reference{Kind: cbhdb.KindOf(kind), ID: id}
	if list, ok, err := d.listedRecords(want); ok || err != nil {
		return list, err
	}
	return d.recordsWith(func(ref cbhdb.Reference) bool { return ref == want })
}

// recordsWith returns the records that have a reference which is one of some, in order.
func (d *DB) recordsWith(is func(cbhdb.Reference) bool) (list []model.RecordID, err error) {
	err = d.eachReference(1, func(rec model.RecordID, ref cbhdb.Reference) bool {
		if is(ref) && (len(list) == 0 || list[len(list)-1] != rec) {
			list = append(list, rec)
		}
		return true
	})
	return list, err
}

// Unused returns the live entities of a kind that no record refers to, whatever
// they count themselves.
func (d *DB) Unused(kind *cbh.EntityFile) ([]int32, error) {
	e := d.Entities(kind)
	if err := e.spill(); err != nil {
		return nil, err
	}
	n, err := e.Count()
	if err != nil || n == 0 {
		return nil, err
	}
	used := make([]bool, n)
	index := cbhdb.KindOf(kind)
	err = d.eachReference(1, func(_ model.RecordID, ref cbhdb.Reference) bool {
		if ref.Kind == index && ref.ID < n {
			used[ref.ID] = true
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	var list []int32
	for r, err := range e.f.Reader(dbfile.FarAhead).All() {
		if err != nil {
			return nil, err
		}
		if !used[r.ID] && !r.Links.IsDeleted() {
			list = append(list, r.ID)
		}
	}
	return list, nil
}

// Remove takes away an entity that no record refers to.
func (e *Entities) Remove(id int32) error {
	if err := e.d.check(); err != nil {
		return err
	}
	delete(e.uses, id)
	return e.d.fail(e.remove(id))
}

// Merge makes all records that refer to some entities refer to others of their kind,
// which are not among the first.
func (d *DB) Merge(kind *cbh.EntityFile, into map[int32]int32) error {
	if err := d.check(); err != nil {
		return err
	}
	var ids []model.RecordID
	var err error
	switch len(into) {
	case 0:
		return nil
	case 1:
		for from := range into {
			ids, err = d.RecordsOf(kind, from)
		}
	default:
		index := cbhdb.KindOf(kind)
		ids, err = d.recordsWith(func(ref cbhdb.Reference) bool {
			_, is := into[ref.ID]
			return is && ref.Kind == index
		})
	}
	if err != nil {
		return err
	}
	for _, id := range ids {
		h, err := d.Header(id)
		if err != nil {
			return d.fail(err)
		}
		for _, f := range cbh.References(h.Type().IsText()) {
			record := h.Record(f)
			if f.Entity != kind || !f.In(record) {
				continue
			}
			if to, is := into[int32(f.Uint(record))]; is {
				f.Put(record, uint64(to))
			}
		}
		if err := d.PutHeader(h); err != nil {
			return err
		}
	}
	e := d.Entities(kind)
	for _, from := range slices.Sorted(maps.Keys(into)) {
		u, err := e.use(from)
		if err != nil {
			return d.fail(err)
		}
		// Whatever it counted, no record refers to it now.
		u.count, u.first, u.searchFrom, u.miscounted, u.released = 0, none, 0, false, true
	}
	return nil
}
