package cbhedit

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/derive"
	"cbkit/model"
)

// longestList is how many blocks of a list are read to find a record; reading
// the headers costs less than a longer one.
const longestList = 1 << 12

// findListed finds the first records of entities in the lists of the boosters,
// and takes those that it has found from the list. What is found is looked up in
// the header.
func (d *DB) findListed(list seeking) error {
	if len(list) == 0 {
		return nil
	}
	if err := d.findChanged(list); err != nil {
		return err
	}
	inOrder := func(a, b cbhdb.Reference) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) }
	for _, ref := range slices.SortedFunc(maps.Keys(list), inOrder) {
		u := list[ref]
		found, believed, err := d.firstListed(ref, u)
		if err != nil {
			return err
		}
		if !believed {
			continue
		}
		if u.first = min(u.first, found); u.first != unknown {
			u.searchFrom = 0
			delete(list, ref)
		}
	}
	return nil
}

// findChanged finds the first records of entities among those that no list has yet:
// records of which references have changed, or that have come.
func (d *DB) findChanged(list seeking) error {
	for _, id := range d.withNew(slices.Collect(d.changedReferences.all())) {
		h, err := d.Header(id)
		if err != nil {
			return err
		}
		for _, ref := range h.AppendReferences(nil) {
			if u := list[ref]; u != nil && id >= u.searchFrom {
				u.first = min(u.first, int32(id))
			}
		}
	}
	return nil
}

// firstListed returns the first record in the list of an entity that refers to it
// now, unknown if there is none, and whether there is a list that can be believed:
// one that is sealed, or that begins with the record that the entity had first and
// has as many as it counted.
func (d *DB) firstListed(ref cbhdb.Reference, u *use) (found int32, believed bool, err error) {
	pair, _ := cbh.ListsOf(cbh.EntityFiles[ref.Kind])
	if !d.has(pair.Table) || !d.has(pair.Blocks) {
		return unknown, false, nil
	}
	fits, err := d.sealed(pair.Table, pair.Blocks)
	if err != nil {
		return unknown, false, err
	}
	found = unknown
	if fits {
		err = d.eachPart(ref, math.MaxInt32, func(ids []int32) (bool, error) {
			found, err = d.firstOf(ref, ids, u.searchFrom)
			return found == unknown, err
		})
		return found, err == nil, passOver(err)
	}
	ids, err := d.provenList(ref, u.was)
	if err != nil || ids == nil {
		return unknown, false, passOver(err)
	}
	found, err = d.firstOf(ref, ids, u.searchFrom)
	return found, true, err
}

// firstOf returns the first of some records, from one on, that refers to an
// entity now.
func (d *DB) firstOf(ref cbhdb.Reference, ids []int32, from model.RecordID) (int32, error) {
	for _, id := range ids {
		if model.RecordID(id) < from || model.RecordID(id) > d.before {
			continue
		}
		h, err := d.Header(model.RecordID(id))
		if err != nil {
			return unknown, err
		}
		if slices.Contains(h.AppendReferences(nil), ref) {
			return id, nil
		}
	}
	return unknown, nil
}

// provenList returns the list of an entity that had been referred to as given; none
// if it cannot be believed.
func (d *DB) provenList(ref cbhdb.Reference, was cbh.EntityUse) (ids []int32, err error) {
	err = d.eachPart(ref, longestList, func(part []int32) (bool, error) {
		ids = append(ids, part...)
		return len(ids) <= int(was.Count), nil
	})
	if err != nil || len(ids) != int(was.Count) || len(ids) == 0 || ids[0] != was.First || !slices.IsSorted(ids) {
		return nil, err
	}
	return ids, nil
}

// errEnough ends the reading of a list.
var errEnough = errors.New("enough of the list is read")

// eachPart calls do with the ids in the blocks of a list, of at most so many, until
// it returns false.
func (d *DB) eachPart(ref cbhdb.Reference, most int, do func(ids []int32) (bool, error)) error {
	pair, kind := cbh.ListsOf(cbh.EntityFiles[ref.Kind])
	lists, err := booster.OpenLists(files{d}, pair)
	if err != nil {
		return err
	}
	ends, err := lists.Ends(derive.Reference{Kind: kind, Entity: ref.ID})
	if err != nil {
		return err
	}
	if list, inline := ends.Inline(); inline {
		_, err := do(list.Append(nil, int32(d.before)))
		return err
	}
	_, err = lists.Append(nil, ref.ID, kind, ends, d.before, func(_ int32, k *cbh.ListBlock) error {
		more, err := do(k.InUse())
		if most--; err == nil && (!more || most == 0) {
			err = errEnough
		}
		return err
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// listedRecords returns the records that refer to an entity now, in order, by its
// list, if that is sealed.
func (d *DB) listedRecords(want cbhdb.Reference) (list []model.RecordID, ok bool, err error) {
	pair, _ := cbh.ListsOf(cbh.EntityFiles[want.Kind])
	if ok, err = d.sealed(pair.Table, pair.Blocks); !ok || err != nil || !d.has(pair.Table) || !d.has(pair.Blocks) {
		return nil, false, err
	}
	n, err := d.Entities(cbh.EntityFiles[want.Kind]).Count()
	if err != nil || want.ID >= n {
		return nil, false, err
	}
	table, err := files{d}.Open(pair.Table)
	if err != nil {
		return nil, false, err
	}
	var ids []model.RecordID
	if pair.RowOffset(want.ID) < table.Size() { // else it came with this transaction
		err = d.eachPart(want, math.MaxInt32, func(part []int32) (bool, error) {
			for _, id := range part {
				ids = append(ids, model.RecordID(id))
			}
			return true, nil
		})
		if err != nil {
			return nil, false, passOver(err)
		}
	}
	for _, id := range d.withNew(slices.AppendSeq(ids, d.changedReferences.all())) {
		h, err := d.Header(id)
		if err != nil {
			return nil, false, err
		}
		if slices.Contains(h.AppendReferences(nil), want) {
			list = append(list, id)
		}
	}
	return list, true, nil
}
