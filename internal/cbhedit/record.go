package cbhedit

import (
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
)

// Header returns the stored header of a record as it is now. It is the caller's
// to keep and to change.
func (d *DB) Header(id model.RecordID) (cbhdb.Header, error) {
	if err := d.check(); err != nil {
		return cbhdb.Header{}, err
	}
	if id < 1 || id > d.headers.Count {
		return cbhdb.Header{}, fmt.Errorf("%s: record %d: %w; there are %d", d.headers.Name(), id, model.ErrNoRecord, d.headers.Count)
	}
	head, err := d.headers.Bytes(nil, d.headers.Offset(id), cbh.RecordSize)
	if err != nil || !d.extensions.Has(id) {
		return cbhdb.Header{ID: id, Head: head}, err
	}
	ext, err := d.extensions.Bytes(nil, d.extensions.Offset(id), int64(d.extensions.Head.RecordSize))
	return cbhdb.Header{ID: id, Head: head, Ext: ext}, err
}

// ExtSize returns the size of the records of the .cbj file; of one that is
// missing, what it would have.
func (d *DB) ExtSize() int {
	if d.extensions == nil {
		return cbh.ExtRecordSize
	}
	return int(d.extensions.Head.RecordSize)
}

// HasExtensions reports whether there is a .cbj file.
func (d *DB) HasExtensions() bool { return d.extensions != nil }

// HasTitles reports whether records can refer to a game title.
func (d *DB) HasTitles() bool { return d.ExtSize() >= cbh.ExtRecordSize }

// PutHeader changes the header of a record, places apart: they are what they
// were. A record of the .cbj file that was missing is made, and all before it.
func (d *DB) PutHeader(h cbhdb.Header) (err error) {
	old, err := d.Header(h.ID)
	if err != nil {
		return err
	}
	defer func() { err = d.fail(err) }()
	if h.Ext != nil && old.Ext == nil {
		if err := d.padExtensions(h.ID); err != nil {
			return err
		}
		if cbh.ExtMoves.In(h.Ext) {
			cbh.ExtMoves.Put(h.Ext, uint64(old.MovesAt()))
		}
	}
	for _, f := range []*cbh.Field{&cbh.GameMoves, &cbh.ExtMoves} { // as they are, right or wrong
		if f.In(h.Record(f)) && f.In(old.Record(f)) {
			f.Put(h.Record(f), f.Uint(old.Record(f)))
		}
	}
	if err := h.SetAnnotationsAt(old.AnnotationsAt()); err != nil {
		return err
	}
	if h.ID <= d.before {
		d.changedHeaders.add(h.ID, d.before)
	}
	before, now := old.AppendReferences(nil), h.AppendReferences(nil)
	// First those that come: an entity that only changes sides never has none.
	if err := d.countEach(without(now, before), h.ID, (*Entities).add); err != nil {
		return err
	}
	if err := d.countEach(without(before, now), h.ID, (*Entities).release); err != nil {
		return err
	}
	return d.store(h)
}

// countEach counts references of a record, each in the file of its kind.
func (d *DB) countEach(list []cbhdb.Reference, id model.RecordID, count func(*Entities, int32, model.RecordID) error) error {
	for _, ref := range list {
		d.noteReference(ref.Kind)
		if id <= d.before {
			d.changedReferences.add(id, d.before)
		}
		if err := count(d.entities[ref.Kind], ref.ID, id); err != nil {
			return fmt.Errorf("%s: record %d: %w", d.headers.Name(), id, err)
		}
	}
	return nil
}

// noteReference notes that a reference to a kind of entities, or their number,
// has changed.
func (d *DB) noteReference(kind int) {
	if kind == cbhdb.Titles {
		d.titlesChanged = true
	} else {
		d.listsChanged = true
	}
}

// store writes a header.
func (d *DB) store(h cbhdb.Header) error {
	d.headersChanged = true
	if err := d.headers.Put(h.ID, h.Head); err != nil || h.Ext == nil {
		return err
	}
	return d.extensions.Put(h.ID, h.Ext)
}

// without returns the references of list that are not in other, each as often
// as it is not.
func without[T comparable](list, other []T) []T {
	other = slices.Clone(other)
	var rest []T
	for _, ref := range list {
		if i := slices.Index(other, ref); i >= 0 {
			other = slices.Delete(other, i, i+1)
		} else {
			rest = append(rest, ref)
		}
	}
	return rest
}

// Append adds a record behind all others and returns its id. Its header says
// nothing of places; its annotations may be missing. The record of the .cbj file
// has ExtSize bytes.
func (d *DB) Append(h cbhdb.Header, moves, annotations []byte) (model.RecordID, error) {
	if err := d.check(); err != nil {
		return 0, err
	}
	if d.headers.Count == cbh.MaxRecords {
		return 0, fmt.Errorf("%s: %w: a database holds %d games and texts", d.headers.Name(), model.ErrTooLarge, cbh.MaxRecords)
	}
	h.ID = d.headers.Count + 1
	return h.ID, d.fail(d.append(h, moves, annotations))
}

func (d *DB) append(h cbhdb.Header, moves, annotations []byte) error {
	if err := d.padExtensions(h.ID); err != nil {
		return err
	}
	at, err := d.moves.append(moves)
	if err == nil {
		err = h.SetMovesAt(at)
	}
	if err != nil {
		return err
	}
	at = 0
	if len(annotations) > 0 {
		if at, err = d.annotations.append(annotations); err != nil {
			return err
		}
	}
	if err := h.SetAnnotationsAt(at); err != nil {
		return err
	}
	var refs [8]cbhdb.Reference
	if err := d.countEach(h.AppendReferences(refs[:0]), h.ID, (*Entities).add); err != nil {
		return err
	}
	return d.store(h)
}

// padExtensions makes the .cbj file, if it is missing, and the records of it before
// that of a record: they say nothing but where moves and annotations are.
func (d *DB) padExtensions(id model.RecordID) error {
	if d.extensions == nil || d.extensions.Stored < int64(id) {
		d.extsGrown = true
	}
	if d.extensions == nil {
		head := cbh.NewExtHeader()
		if err := d.create(".cbj", head.Append(nil)); err != nil {
			return err
		}
		if err := d.reopen(); err != nil {
			return err
		}
		d.noteOnce("%s was made", d.extensions.Name())
	}
	missing := int64(id) - 1 - d.extensions.Stored
	if missing <= 0 {
		return nil
	}
	d.noteOnce("%s got %d missing records that say nothing", d.extensions.Name(), missing)
	blank := cbh.DefaultExtRecord()
	blank.MovesOffset = 1 // not 0, which would stay
	h := cbhdb.Header{}
	read := d.headers.Headers(nil, dbfile.NearAhead)
	for d.extensions.Stored < int64(id)-1 {
		next, err := read.At(model.RecordID(d.extensions.Stored + 1))
		if err != nil {
			return err
		}
		h = cbhdb.Header{ID: next.ID, Head: next.Head, Ext: blank.Append(h.Ext[:0], d.ExtSize())}
		movesAt, notesAt := next.MovesAt(), next.AnnotationsAt()
		if err := h.SetMovesAt(movesAt); err != nil {
			return err
		}
		if err := h.SetAnnotationsAt(notesAt); err != nil {
			return err
		}
		if err := d.extensions.Put(h.ID, h.Ext); err != nil {
			return err
		}
	}
	return nil
}
