package cbhdb

import (
	"encoding/binary"
	"errors"
	"iter"

	"cbkit/avl"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// Entities is an entity file.
type Entities struct {
	*dbfile.File
	Kind *cbh.EntityFile
	Head cbh.EntityHeader
	// Count is the number of whole records that the file has, deleted ones
	// included.
	Count int32
	// Miscount is not nil if the header counts others; see Heads.
	Miscount error
	// Mended is not nil if the header says wrongly where the records begin, which
	// Head has right.
	Mended error
}

// Entities returns the file of one kind, nil if there is none and databases may
// lack it.
func (db *DB) Entities(kind *cbh.EntityFile) (*Entities, error) {
	return db.entities[KindOf(kind)].get(func() (*Entities, error) { return db.openEntities(kind) })
}

func (db *DB) openEntities(kind *cbh.EntityFile) (*Entities, error) {
	open := db.mandatory
	if kind.Optional() {
		open = db.File
	}
	f, err := open(kind.Ext)
	if f == nil {
		return nil, err
	}
	head, mended, err := readEntityHeader(f, kind)
	if err == nil {
		err = kind.Check(&head)
	}
	if err != nil {
		return nil, wire.Locate(err, f.Name(), 0, -1)
	}
	records, wrong := head.Stored(f.Size())
	return &Entities{f, kind, head, int32(records), wire.Locate(wrong, f.Name(), 0, -1), wire.Locate(mended, f.Name(), 0, -1)}, nil
}

// usualEntityHeader is more than any header of an entity file that was seen.
const usualEntityHeader = 128

// readEntityHeader reads a header, however long its extension is, and mends the
// length of that.
func readEntityHeader(f *dbfile.File, kind *cbh.EntityFile) (head cbh.EntityHeader, mended, err error) {
	b, err := f.Start(usualEntityHeader)
	if err != nil {
		return head, nil, err
	}
	b, mended = kind.MendHeader(b, f.Size())
	head, err = cbh.DecodeEntityHeader(b)
	if !errors.Is(err, model.ErrTruncated) || len(b) < usualEntityHeader {
		return head, mended, err
	}
	extension := int32(binary.LittleEndian.Uint32(b[cbh.EntityHeaderSize-4:]))
	if b, err = f.Start(cbh.EntityHeaderSize + int64(max(extension, 0))); err != nil {
		return head, nil, err
	}
	head, err = cbh.DecodeEntityHeader(b)
	return head, nil, err
}

// RecordSize is the size of a record.
func (e *Entities) RecordSize() int64 { return int64(e.Kind.RecordSize()) }

// Offset is where a record begins.
func (e *Entities) Offset(id int32) int64 { return int64(e.Head.Size()) + int64(id)*e.RecordSize() }

// End is where the whole records end.
func (e *Entities) End() int64 { return e.Offset(e.Count) }

// Put writes a record: one that is there, or the next one. The header, which
// counts them, is written by PutHead.
func (e *Entities) Put(r EntityRecord) error {
	if err := e.PutAt(append(r.Links.Append(nil), r.Payload...), e.Offset(r.ID)); err != nil {
		return err
	}
	e.Count = max(e.Count, r.ID+1)
	return nil
}

// PutLinks changes where a record is in the tree.
func (e *Entities) PutLinks(id int32, links cbh.EntityLinks) error {
	return e.PutAt(links.Append(nil), e.Offset(id))
}

// PutHead writes the header as e.Head has it.
func (e *Entities) PutHead() error { return e.PutAt(e.Head.Append(nil), 0) }

// Tree returns the search tree that lies across the records, of which at reads
// those that are needed.
func (e *Entities) Tree(at func(id int32) (EntityRecord, error)) *avl.Tree {
	h := &e.Head
	return avl.Open(int(e.Count), h.Root, h.FirstDeleted, h.Live, func(id int32) (avl.Node, error) {
		r, err := at(id)
		return avl.Node(r.Links), err
	})
}

// PutTree writes the links that the last change of a tree has changed, and takes
// over what of it is in the header, which PutHead writes. New records must have
// been put before.
func (e *Entities) PutTree(t *avl.Tree) error {
	for _, id := range t.AppendChanged(nil) {
		if err := e.PutLinks(id, cbh.EntityLinks(t.Node(id))); err != nil {
			return err
		}
	}
	e.Head = e.headWith(t)
	return nil
}

// headWith returns the header with what of a tree is in it.
func (e *Entities) headWith(t *avl.Tree) cbh.EntityHeader {
	h := e.Head
	h.Root, h.FirstDeleted, h.Live, h.Capacity = t.Root, t.Free, t.Live, int32(t.Len())
	return h
}

// EntityRecord is a record of an entity file.
type EntityRecord struct {
	ID    int32
	Links cbh.EntityLinks
	// Payload is the record without its links.
	Payload []byte
}

// EntityReader reads entities. It is for one goroutine, and does not see what
// is written meanwhile.
type EntityReader struct {
	*Entities
	window *dbfile.Window
}

// Reader returns a reader that reads at least so many bytes at once.
func (e *Entities) Reader(ahead int) *EntityReader {
	return &EntityReader{e, dbfile.NewWindow(e.File, ahead)}
}

// At returns a record, from 0 to Count-1. Its payload is valid until the next
// call.
func (r *EntityReader) At(id int32) (EntityRecord, error) {
	b, err := r.window.At(r.Offset(id), r.RecordSize())
	if err != nil {
		return EntityRecord{}, err
	}
	links, err := cbh.DecodeEntityLinks(b)
	return EntityRecord{id, links, b[cbh.EntityLinksSize:]}, err
}

// All yields all records by number, deleted ones too.
func (r *EntityReader) All() iter.Seq2[EntityRecord, error] {
	return func(yield func(EntityRecord, error) bool) {
		for id := range r.Count {
			if rec, err := r.At(id); !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Live yields all live records by number.
func (r *EntityReader) Live() iter.Seq2[EntityRecord, error] {
	return func(yield func(EntityRecord, error) bool) {
		for rec, err := range r.All() {
			if (err != nil || !rec.Links.IsDeleted()) && !yield(rec, err) {
				return
			}
		}
	}
}
