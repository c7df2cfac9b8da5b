package booster

import (
	"cmp"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/derive"
	"cbkit/model"
)

// Entry is a record that is added to an [Index].
type Entry struct {
	ID   model.RecordID
	Refs derive.References
}

// Append adds one record, saved by itself, behind all others.
func (x *Index) Append(e Entry) error {
	for _, ref := range x.inOrder(&e.Refs, saveOrder) {
		if err := x.appendID(ref, int32(e.ID)); err != nil {
			return err
		}
	}
	return x.flush()
}

// AppendBatch adds records, in id order, that came together: copied or
// imported. All lists that did not exist get their first block as the batch
// meets their entities; what else is needed follows by entity.
func (x *Index) AppendBatch(batch []Entry) error {
	type addition struct {
		ref derive.Reference
		id  int32
	}
	var list []addition
	for _, e := range batch {
		for _, ref := range x.inOrder(&e.Refs, batchOrder) {
			if _, err := x.begin(ref); err != nil {
				return err
			}
			list = append(list, addition{ref, int32(e.ID)})
		}
	}
	slices.SortStableFunc(list, func(a, b addition) int { return a.ref.Compare(b.ref) })
	for _, a := range list {
		if err := x.appendID(a.ref, a.id); err != nil {
			return err
		}
	}
	return x.flush()
}

// How the references of a record are met, by their kinds: of one that is saved by itself,
// and in a batch.
var (
	saveOrder  = []cbh.ListKind{cbh.PlayerList, cbh.TournamentList, cbh.SourceList, cbh.AnnotatorList, cbh.TeamList}
	batchOrder = []cbh.ListKind{cbh.PlayerList, cbh.TeamList, cbh.TournamentList, cbh.AnnotatorList, cbh.SourceList}
)

// inOrder returns the references of a record in an order of kinds.
func (x *Index) inOrder(r *derive.References, order []cbh.ListKind) []derive.Reference {
	list := r.Append(make([]derive.Reference, 0, 7), x.pair)
	place := func(ref derive.Reference) int { return slices.Index(order, ref.Kind) }
	slices.SortStableFunc(list, func(a, b derive.Reference) int { return cmp.Compare(place(a), place(b)) })
	return list
}

// begin gives an entity without a list an empty block, and returns the ends of its list.
func (x *Index) begin(ref derive.Reference) (cbh.ListEnds, error) {
	ends, err := x.Ends(ref)
	if err != nil || ends != cbh.NoList {
		return ends, err
	}
	n, err := x.allocate()
	if err == nil {
		err = x.setBlock(n, &cbh.ListBlock{Next: -1})
	}
	if err != nil {
		return ends, err
	}
	ends = cbh.ListEnds{Head: n, Tail: n}
	return ends, x.setEnds(ref, ends)
}

// appendID adds an id at the end of a list.
func (x *Index) appendID(ref derive.Reference, id int32) error {
	ends, err := x.begin(ref)
	if err != nil {
		return err
	}
	if list, inline := ends.Inline(); inline {
		return x.Replace(ref, append(list.Append(nil, id), id))
	}
	tail, err := x.Block(ends.Tail)
	if err == nil {
		err = checkTail(ends.Tail, &tail, id)
	}
	if err != nil {
		return err
	}
	if tail.Count == cbh.ListBlockIDs {
		return x.extend(ref, ends, &tail, id)
	}
	tail.IDs[tail.Count] = id
	tail.Count++
	return x.setBlock(ends.Tail, &tail)
}

// checkTail returns an error if a block cannot be the last one of a list to which an
// id comes.
func checkTail(n int32, tail *cbh.ListBlock, id int32) error {
	if k := tail.Count; tail.Next != -1 || k < 0 || k > cbh.ListBlockIDs || k > 0 && tail.IDs[k-1] > id {
		return fmt.Errorf("block %d cannot be the last one of a list that goes on with record %d: %w", n, id, model.ErrCorrupt)
	}
	return nil
}

// extend adds an id in a new block behind the last block, which is full.
func (x *Index) extend(ref derive.Reference, ends cbh.ListEnds, tail *cbh.ListBlock, id int32) error {
	n, err := x.allocate()
	if err != nil {
		return err
	}
	next := cbh.ListBlock{Next: -1, Count: 1}
	next.IDs[0] = id
	if err := x.setBlock(n, &next); err != nil {
		return err
	}
	tail.Next = n
	if err := x.setBlock(ends.Tail, tail); err != nil {
		return err
	}
	return x.setEnds(ref, cbh.ListEnds{Head: ends.Head, Tail: n})
}

// Replace gives an entity another list, of ids in order: its record has become
// one of another game, or of one more or less in between. The new list goes
// into other blocks; then the old ones become free, but for block 0, which a list
// keeps.
func (x *Index) Replace(ref derive.Reference, ids []int32) error {
	ends, err := x.Ends(ref)
	if err != nil {
		return err
	}
	old, err := x.chain(ends)
	if err != nil {
		return err
	}
	x.vacant = x.vacant || slices.Contains(old, 0)
	if ends, err = x.store(ids); err != nil {
		return err
	}
	if err := x.setEnds(ref, ends); err != nil {
		return err
	}
	if err := x.release(old); err != nil {
		return err
	}
	return x.flush()
}

// store writes a list into new blocks.
func (x *Index) store(ids []int32) (cbh.ListEnds, error) {
	if len(ids) == 0 {
		return cbh.NoList, nil
	}
	n, err := x.allocate()
	if err != nil {
		return cbh.NoList, err
	}
	ends := cbh.ListEnds{Head: n, Tail: n}
	for part := range slices.Chunk(ids, cbh.ListBlockIDs) {
		k := cbh.ListBlock{Next: -1, Count: int32(len(part))}
		copy(k.IDs[:], part)
		n := ends.Tail
		if ids = ids[len(part):]; len(ids) > 0 {
			if ends.Tail, err = x.allocate(); err != nil {
				return ends, err
			}
			k.Next = ends.Tail
		}
		if err := x.setBlock(n, &k); err != nil {
			return ends, err
		}
	}
	return ends, nil
}
