package cbhdb

import (
	"slices"

	"cbkit/avl"
	"cbkit/internal/cbh"
)

// Table is an entity file in memory.
type Table struct {
	*Entities
	// Tree are the links of all records.
	Tree avl.Tree
	// Records are the bytes of all records, with their links.
	Records []byte
}

// Load reads all records of the file.
func (e *Entities) Load() (*Table, error) {
	b, err := e.Bytes(nil, e.Offset(0), e.End()-e.Offset(0))
	if err != nil {
		return nil, err
	}
	t := &Table{Entities: e, Records: b}
	t.Tree = avl.Tree{Nodes: make([]avl.Node, e.Count), Root: e.Head.Root, Free: e.Head.FirstDeleted, Live: e.Head.Live}
	for id := range t.Tree.Nodes {
		links, err := cbh.DecodeEntityLinks(t.record(int32(id)))
		if err != nil {
			return nil, err
		}
		t.Tree.Nodes[id] = avl.Node(links)
	}
	return t, nil
}

// record returns a record, from 0 to Count-1.
func (t *Table) record(id int32) []byte {
	size := t.Kind.RecordSize()
	return t.Records[int(id)*size : (int(id)+1)*size]
}

// Payload returns a record, from 0 to Count-1, without its links.
func (t *Table) Payload(id int32) []byte { return t.record(id)[cbh.EntityLinksSize:] }

// At returns a record, from 0 to Count-1, with the links of the tree.
func (t *Table) At(id int32) EntityRecord {
	return EntityRecord{ID: id, Links: cbh.EntityLinks(t.Tree.Nodes[id]), Payload: t.Payload(id)}
}

// PutPayload stores the payload of a record: one that is there, or the next one. Its links are
// those of the tree.
func (t *Table) PutPayload(id int32, payload []byte) {
	if size := t.Kind.RecordSize(); int(id)*size == len(t.Records) {
		t.Records = append(t.Records, make([]byte, cbh.EntityLinksSize)...)
		t.Records = append(t.Records, payload...)
		return
	}
	copy(t.Payload(id), payload)
}

// linked returns all records with the links of the tree.
func (t *Table) linked() []byte {
	for id, n := range t.Tree.Nodes {
		cbh.EntityLinks(n).Append(t.record(int32(id))[:0])
	}
	return t.Records
}

// Store writes all records, of which there may be more than the file had, and takes over
// what of the tree is in the header, which PutHead writes.
func (t *Table) Store() error {
	t.Head, t.Count = t.headWith(&t.Tree), int32(t.Tree.Len())
	return t.PutAt(t.linked(), t.Offset(0))
}

// IsLive reports whether an id is that of a live record.
func (t *Table) IsLive(id int32) bool { return t.InRange(id) && t.Tree.Nodes[id].Live() }

// InRange reports whether there is a record with an id. No table has none.
func (t *Table) InRange(id int32) bool { return t != nil && id >= 0 && int(id) < len(t.Tree.Nodes) }

// Compare compares two records by the order of the tree; files differ in whether
// they take bytes as signed.
func (t *Table) Compare(a, b int32, signed bool) int {
	return t.Kind.Compare(t.Payload(a), t.Payload(b), signed)
}

// Verify returns what is wrong with the tree and the list of deleted records
// under the order that suits the tree better, and which one that is: whether
// bytes above 7F come first, no header says.
func (t *Table) Verify() (faults []avl.Finding, signed bool) {
	under := func(signed bool) ([]avl.Finding, int) {
		list, n := t.Tree.Verify(func(a, b int32) int { return t.Compare(a, b, signed) }), 0
		for _, f := range list {
			if f.Kind == avl.Disorder {
				n++
			}
		}
		return list, n
	}
	usual, n := under(t.Kind.DefaultSigned)
	if n == 0 {
		return usual, t.Kind.DefaultSigned
	}
	if other, m := under(!t.Kind.DefaultSigned); m < n {
		return other, !t.Kind.DefaultSigned
	}
	return usual, t.Kind.DefaultSigned
}

// Rebuild builds the tree anew from all live records.
func (t *Table) Rebuild(signed bool) error {
	return t.Tree.Rebuild(t.Tree.LiveIDs(), func(a, b int32) int { return t.Compare(a, b, signed) })
}

// Remove deletes live records. A tree that is damaged is built anew first.
func (t *Table) Remove(ids []int32) error {
	faults, signed := t.Verify()
	if len(faults) > 0 {
		if err := t.Rebuild(signed); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if err := t.Tree.Remove(id, func(other int32) int { return t.Compare(id, other, signed) }); err != nil {
			return err
		}
	}
	return nil
}

// Append appends the header, with what the tree says of it, and all records
// with their links.
func (t *Table) Append(dst []byte) []byte {
	head := t.headWith(&t.Tree)
	return append(head.Append(slices.Grow(dst, int(t.End()))), t.linked()...)
}
