package cbhrepair

import (
	"context"
	"slices"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/wire"
)

// The numbers in cbh.EntityFiles of the kinds that .cbj records refer to.
const (
	teams  = 4
	titles = 5
)

// mendEntities makes the entity files true, one after the other.
func (r *Repair) mendEntities(ctx context.Context) error {
	for i, kind := range cbh.EntityFiles {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, err := r.db.Entities(kind)
		if r.isFailure(kind.Ext, err) {
			return err
		}
		if e == nil || err != nil || r.unsettled[i] {
			continue
		}
		if err := r.mendEntityFile(i, e); err != nil {
			return err
		}
	}
	return nil
}

func (r *Repair) mendEntityFile(i int, e *cbhdb.Entities) error {
	t, err := e.Load()
	if err != nil {
		return err
	}
	faults, signed := t.Verify()
	missed := r.uses[i].Dangling > 0 || slices.ContainsFunc(r.uses[i].Found[min(int(e.Count), len(r.uses[i].Found)):], func(use cbh.EntityUse) bool { return use.Count > 0 })
	if e.Head.Capacity > e.Count && (len(faults) > 0 || missed || e.End() != e.Size()) {
		return nil // records are missing
	}
	if err := r.mendTree(t, faults, signed); err != nil {
		return err
	}
	return r.mendUses(i, t)
}

// mendTree makes the tree, the list of deleted records and the header of an entity
// file true.
func (r *Repair) mendTree(t *cbhdb.Table, faults []avl.Finding, signed bool) error {
	old := t.Tree.Clone()
	for _, f := range faults {
		at := int64(0)
		if f.ID != avl.None {
			at = t.Offset(f.ID)
		}
		r.change(cbhdb.TreeCodes[f.Kind], t.Kind.Ext, int64(f.ID), at, string(f.Field), "%s; rebuilt", f.Text())
	}
	switch {
	case len(faults) == 1 && faults[0].Kind == avl.WrongLive:
		t.Tree.Live = faults[0].Want
	case len(faults) > 0:
		order := func(a, b int32) int { return t.Compare(a, b, signed) }
		if err := t.Tree.Rebuild(t.Tree.LiveIDs(), order); err != nil {
			return err
		}
	}
	for id, n := range t.Tree.Nodes {
		if n == old.Nodes[id] {
			continue
		}
		links := cbh.EntityLinks{Left: n.Left, Right: n.Right, Balance: n.Balance}
		if err := r.put(t.Kind.Ext, t.Offset(int32(id)), links.Append(nil)); err != nil {
			return err
		}
	}
	head := t.Head
	head.Root, head.FirstDeleted, head.Live, head.Capacity = t.Tree.Root, t.Tree.Free, t.Tree.Live, t.Count
	if t.Head.Capacity != t.Count {
		r.change(recordCount, t.Kind.Ext, -1, 0, "capacity", "%d, now %d", t.Head.Capacity, t.Count)
	}
	if string(head.Append(nil)) == string(t.Head.Append(nil)) {
		return nil
	}
	return r.put(t.Kind.Ext, 0, head.Append(nil))
}

// mendUses makes the counts of references and the first records true, of those
// entities that a record refers to.
func (r *Repair) mendUses(i int, t *cbhdb.Table) error {
	u := &r.uses[i]
	if !r.knowsUses(i) || u.Dangling > 0 || len(u.Found) < int(t.Count) {
		return nil // as long as there are any nobody knows whom they meant
	}
	for id, found := range u.Found {
		if found.Count > 0 && !t.IsLive(int32(id)) {
			return nil // a reference that leads nowhere
		}
	}
	for id, found := range u.Found[:t.Count] {
		payload := t.Payload(int32(id))
		stored := cbh.DecodeEntityUse(payload)
		if stored == found || found.Count == 0 {
			continue
		}
		code := "reference-count"
		if stored.Count == found.Count {
			code = "first-reference"
		}
		const size = 8
		at := t.Offset(int32(id)) + t.RecordSize() - size
		r.change(code, t.Kind.Ext, int64(id), at, "count", "%d from record %d on, now %d from record %d on",
			stored.Count, stored.First, found.Count, found.First)
		if err := r.put(t.Kind.Ext, at, wire.AppendI32LE(wire.AppendI32LE(nil, found.Count), found.First)); err != nil {
			return err
		}
	}
	return nil
}

// knowsUses reports whether all references to a kind of entities are known.
func (r *Repair) knowsUses(i int) bool {
	if !r.whole || i < teams {
		return r.whole
	}
	needed := cbh.ExtBlackTeam.End()
	if i == titles {
		needed = cbh.ExtGameTitle.End()
	}
	return r.exts != nil && r.exts.Stored >= int64(r.count()) && int(r.exts.Head.RecordSize) >= needed
}
