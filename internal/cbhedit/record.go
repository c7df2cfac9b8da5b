package cbhedit

import (
	"fmt"
	"math"
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
	if id < 1 || id > d.heads.Count {
		return cbhdb.Header{}, fmt.Errorf("%s: record %d: %w; there are %d", d.heads.Name(), id, model.ErrNoRecord, d.heads.Count)
	}
	head, err := d.heads.Bytes(nil, d.heads.Offset(id), cbh.RecordSize)
	if err != nil || !d.exts.Has(id) {
		return cbhdb.Header{ID: id, Head: head}, err
	}
	ext, err := d.exts.Bytes(nil, d.exts.Offset(id), int64(d.exts.Head.RecordSize))
	return cbhdb.Header{ID: id, Head: head, Ext: ext}, err
}

// ExtSize returns the size of the records of the .cbj file; of one that is
// missing, what it would have.
func (d *DB) ExtSize() int {
	if d.exts == nil {
		return cbh.ExtRecordSize
	}
	return int(d.exts.Head.RecordSize)
}

// HasExts reports whether there is a .cbj file.
func (d *DB) HasExts() bool { return d.exts != nil }

// HasTitles reports whether records can refer to a game title.
func (d *DB) HasTitles() bool { return d.ExtSize() >= cbh.ExtRecordSize }

// PutHeader changes the header of a record, places apart: they are what they
// were. A record of the .cbj file that was missing is made, and all before it.
func (d *DB) PutHeader(h cbhdb.Header) error {
	old, err := d.Header(h.ID)
	if err != nil {
		return err
	}
	return d.fail(d.putHeader(old, h))
}

func (d *DB) putHeader(old, h cbhdb.Header) error {
	movesAt, notesAt := old.MovesAt(), old.NotesAt()
	if h.Ext != nil && old.Ext == nil {
		if err := d.padExts(h.ID); err != nil {
			return err
		}
		if err := setMovesAt(&h, movesAt); err != nil {
			return err
		}
	}
	keepMovesAt(&h, &old)
	if err := setNotesAt(&h, notesAt); err != nil {
		return err
	}
	if err := d.references(old, h); err != nil {
		return err
	}
	return d.store(h)
}

// references counts the references of a record that changes from old to h.
func (d *DB) references(old, h cbhdb.Header) error {
	before, now := old.AppendReferences(nil), h.AppendReferences(nil)
	// First those that come: an entity that only changes sides never has none.
	if err := d.eachOf(without(now, before), h.ID, (*Entities).add); err != nil {
		return err
	}
	return d.eachOf(without(before, now), h.ID, (*Entities).release)
}

// eachOf counts references of a record, each in the file of its kind.
func (d *DB) eachOf(list []cbhdb.Reference, id model.RecordID, count func(*Entities, int32, model.RecordID) error) error {
	for _, ref := range list {
		d.noteReference(ref.Kind)
		if id <= d.before {
			d.relisted.add(id, d.before)
		}
		if err := count(d.entities[ref.Kind], ref.ID, id); err != nil {
			return fmt.Errorf("%s: record %d: %w", d.heads.Name(), id, err)
		}
	}
	return nil
}

// noteReference notes that a reference to a kind of entities, or their number,
// has changed.
func (d *DB) noteReference(kind int) {
	if kind == cbhdb.Titles {
		d.titled = true
	} else {
		d.listed = true
	}
}

// store writes a header.
func (d *DB) store(h cbhdb.Header) error {
	d.touched = true
	if err := d.heads.Put(h.ID, h.Head); err != nil || h.Ext == nil {
		return err
	}
	return d.exts.Put(h.ID, h.Ext)
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
func (d *DB) Append(h cbhdb.Header, moves, notes []byte) (model.RecordID, error) {
	if err := d.check(); err != nil {
		return 0, err
	}
	if d.heads.Count == cbh.MaxRecords {
		return 0, fmt.Errorf("%s: %w: a database holds %d games and texts", d.heads.Name(), model.ErrTooLarge, cbh.MaxRecords)
	}
	h.ID = d.heads.Count + 1
	return h.ID, d.fail(d.append(h, moves, notes))
}

func (d *DB) append(h cbhdb.Header, moves, notes []byte) error {
	if err := d.padExts(h.ID); err != nil {
		return err
	}
	at, err := d.moves.append(moves)
	if err == nil {
		err = setMovesAt(&h, at)
	}
	if err != nil {
		return err
	}
	at = 0
	if len(notes) > 0 {
		if at, err = d.notes.append(notes); err != nil {
			return err
		}
	}
	if err := setNotesAt(&h, at); err != nil {
		return err
	}
	var refs [8]cbhdb.Reference
	if err := d.eachOf(h.AppendReferences(refs[:0]), h.ID, (*Entities).add); err != nil {
		return err
	}
	return d.store(h)
}

// padExts makes the .cbj file, if it is missing, and the records of it before
// that of a record: they say nothing but where moves and annotations are.
func (d *DB) padExts(id model.RecordID) error {
	if d.exts == nil || d.exts.Stored < int64(id) {
		d.grown = true
	}
	if d.exts == nil {
		head := cbh.NewExtHeader()
		if err := d.create(".cbj", head.Append(nil)); err != nil {
			return err
		}
		if err := d.reopen(); err != nil {
			return err
		}
		d.once("%s was made", d.exts.Name())
	}
	missing := int64(id) - 1 - d.exts.Stored
	if missing <= 0 {
		return nil
	}
	d.once("%s got %d missing records that say nothing", d.exts.Name(), missing)
	blank := cbh.DefaultExtRecord()
	h := cbhdb.Header{}
	read := d.heads.Headers(nil, dbfile.NearAhead)
	for d.exts.Stored < int64(id)-1 {
		next, err := read.At(model.RecordID(d.exts.Stored + 1))
		if err != nil {
			return err
		}
		h = cbhdb.Header{ID: next.ID, Head: next.Head, Ext: blank.Append(h.Ext[:0], d.ExtSize())}
		movesAt, notesAt := next.MovesAt(), next.NotesAt()
		if err := setMovesAt(&h, movesAt); err != nil {
			return err
		}
		if err := setNotesAt(&h, notesAt); err != nil {
			return err
		}
		if err := d.exts.Put(h.ID, h.Ext); err != nil {
			return err
		}
	}
	return nil
}

// setMovesAt puts the place of moves or a text into a header. The 64-bit field of
// an existing record that has 0 there, as some programs write it, stays 0 as long
// as it can.
func setMovesAt(h *cbhdb.Header, at int64) error {
	cbh.GameMoves.Put(h.Head, uint64(at))
	if cbh.ExtMoves.In(h.Ext) {
		cbh.ExtMoves.Put(h.Ext, uint64(at))
		return nil
	}
	return fits(at)
}

// keepMovesAt gives a header the place of moves of an old one, in both fields as
// they are.
func keepMovesAt(h, old *cbhdb.Header) {
	cbh.GameMoves.Put(h.Head, cbh.GameMoves.Uint(old.Head))
	if cbh.ExtMoves.In(h.Ext) && cbh.ExtMoves.In(old.Ext) {
		cbh.ExtMoves.Put(h.Ext, cbh.ExtMoves.Uint(old.Ext))
	}
}

// moveMovesAt is setMovesAt for a record that moves.
func moveMovesAt(h *cbhdb.Header, at int64) error {
	was := cbh.ExtMoves.In(h.Ext) && cbh.ExtMoves.Uint(h.Ext) == 0
	if err := setMovesAt(h, at); err != nil {
		return err
	}
	if was && at <= math.MaxUint32 {
		cbh.ExtMoves.Put(h.Ext, 0)
	}
	return nil
}

// setNotesAt puts the place of annotations into a header, 0 for none. A checksum
// that was right stays right.
func setNotesAt(h *cbhdb.Header, at int64) error {
	if h.Type().IsText() {
		return nil
	}
	cbh.GameNotes.Put(h.Head, uint64(at))
	if !cbh.ExtNotes.In(h.Ext) {
		return fits(at)
	}
	if cbh.ExtNotes.Uint(h.Ext) == uint64(at) {
		return nil
	}
	right := cbh.HasRightSum(h.Ext)
	cbh.ExtNotes.Put(h.Ext, uint64(at))
	if right {
		cbh.PutSum(h.Ext)
	}
	return nil
}

// fits refuses a place that only 64 bits hold.
func fits(at int64) error {
	if at > math.MaxUint32 {
		return fmt.Errorf("%w: the .cbj file of this database has no room for places beyond 4 GiB", model.ErrTooLarge)
	}
	return nil
}
