package booster

import (
	"iter"

	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
)

// Entities is an open entity file, read record by record: a look-up by name
// follows the tree in the file and reads little more than lies on its way. It
// is for one goroutine.
type Entities struct {
	// Count is the number of records, deleted ones included.
	Count int32
	// Warning is not nil if the header counts others.
	Warning error

	kind   *cbh.EntityFile
	head   cbh.EntityHeader
	file   *dbfile.File
	window *dbfile.Window
	tree   treeFacts
}

// OpenEntities opens an entity file.
func OpenEntities(files Files, kind *cbh.EntityFile) (*Entities, error) {
	f, err := open(files, kind.Ext)
	if err != nil {
		return nil, err
	}
	e := &Entities{kind: kind, file: f, window: dbfile.NewWindow(f, NearAhead), tree: treeFacts{visited: map[int32]bool{}}}
	if err := e.readHead(); err != nil {
		f.Close()
		return nil, err
	}
	return e, nil
}

func (e *Entities) readHead() error {
	b, err := e.file.Start(maxEntityHeader)
	if err != nil {
		return err
	}
	if e.head, err = cbh.DecodeEntityHeader(b); err == nil {
		err = e.kind.Check(&e.head)
	}
	if err != nil {
		return wire.Locate(err, e.file.Name(), 0, -1)
	}
	records, wrong := e.head.Stored(e.file.Size())
	e.Count, e.Warning = int32(records), wire.Locate(wrong, e.file.Name(), 0, -1)
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
	b, err := e.window.At(offset, int64(e.kind.RecordSize()))
	if err != nil {
		return EntityRecord{}, err
	}
	links, err := cbh.DecodeEntityLinks(b)
	return EntityRecord{id, links, b[cbh.EntityLinksSize:]}, err
}

// Visited returns how many records were read on walks through the tree.
func (e *Entities) Visited() int { return len(e.tree.visited) }

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
