package cbhrepair

import (
	"context"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/moveenc"
)

// The codes of changes of places.
const (
	offsetTwins   = "offset-twins"
	offsetOutside = string(cbhdb.OffsetOutside)
	badChecksum   = "checksum"
	badOrder      = "descending"
)

// contextStep is how many records go by between two looks at a context.
const contextStep = 512

// places is the pass over the headers of all records.
type places struct {
	*Repair
	headers      *cbhdb.HeaderReader
	moves, notes *cbhdb.BlockReader // nil if the file cannot be read
	game         moveenc.Game
	// needy are the games since the last one with annotations that say they have
	// some, and have none; fault says that their place leads nowhere.
	needy []needy
	// left counts those that are left so, unowned the annotations that nobody points
	// to, of which broken says that there are some that are not whole; holes are those
	// that were not looked into for them.
	left, unowned int
	broken        bool
	holes         []cbhdb.Extent
	sized         [2][]model.RecordID // records of both files whose size cannot be
}

// needy is a game without its annotations.
type needy struct {
	id    model.RecordID
	flags uint32
	fault bool
	moves int // how many it has plus one, 0 before they are asked for
}

// mendPlaces goes through the headers of all records: places, annotations that
// nobody points to, references.
func (r *Repair) mendPlaces(ctx context.Context) error {
	if r.heads == nil {
		return nil
	}
	r.given, r.namedGames = newBitSet(r.count()), nil
	p := &places{Repair: r, headers: r.heads.Headers(r.exts, dbfile.FarAhead)}
	for i, f := range []struct {
		blocks *blocks
		to     **cbhdb.BlockReader
	}{{&r.moves, &p.moves}, {&r.notes, &p.notes}} {
		f.blocks.unsound, f.blocks.last = 0, 0
		if f.blocks.Blocks != nil {
			*f.to, f.blocks.between = f.blocks.Reader(dbfile.NearAhead), f.blocks.Between()
		}
		r.unbelieved[i] = newBitSet(r.count())
	}
	if err := r.beginUses(); err != nil {
		return err
	}
	for id := model.RecordID(1); id <= r.count(); id++ {
		if id%contextStep == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := p.record(id); err != nil {
			return err
		}
	}
	if err := p.endOfNotes(); err != nil {
		return err
	}
	return p.mendRecordSizes()
}

// record looks at one record.
func (p *places) record(id model.RecordID) error {
	stored, err := p.headers.At(id)
	if err != nil {
		return err
	}
	h := cbhdb.Header{ID: id, Head: slices.Clone(stored.Head), Ext: slices.Clone(stored.Ext)}
	p.uses.Add(&h, int(p.number(id)))
	if p.moves != nil {
		x, err := p.part(p.moves, &h, cbh.MovesPlace)
		if err != nil {
			return err
		}
		p.follow(0, &p.Repair.moves, id, x)
	}
	if p.notes == nil || h.Type().IsText() {
		return nil
	}
	return p.notesOf(&h)
}

// notesOf looks at the annotations of a game.
func (p *places) notesOf(h *cbhdb.Header) error {
	var x cbhdb.Extent
	if h.NotesAt() != 0 || cbh.ExtNotes.Uint(h.Ext) != 0 {
		var err error
		if x, err = p.part(p.notes, h, cbh.NotesPlace); err != nil {
			return err
		}
		if x.At == 0 && cbhdb.NoteFlags(h.Head) == 0 {
			return p.setPlace(h, 0, cbh.NotesPlace, true)
		}
	}
	if x.Size == 0 {
		if flags := cbhdb.NoteFlags(h.Head); flags != 0 {
			p.needy = append(p.needy, needy{h.ID, flags, x.At != 0, 0})
		}
	}
	hole := p.follow(1, &p.Repair.notes, h.ID, x)
	if x.Size == 0 {
		return nil
	}
	return p.giveBack(hole)
}

// follow takes the next part of a file in the order of the records, and returns
// the hole before it.
func (p *places) follow(file int, b *blocks, id model.RecordID, x cbhdb.Extent) cbhdb.Extent {
	if x.Size == 0 {
		if x.At != 0 {
			b.unsound++
		}
		return cbhdb.Extent{}
	}
	order, hole := b.between.Pass(x)
	if order != cbhdb.Ascending {
		b.unsound++
		p.unbelieved[file].add(id)
		p.unbelieved[file].add(b.last)
	}
	if b.between.End == x.End() {
		b.last = id
	}
	return hole
}

// part returns where a part of a record lies. Where one of two fields has that
// wrong it is made right. The part has no size if it is not known.
func (p *places) part(r *cbhdb.BlockReader, h *cbhdb.Header, f *cbh.PlaceFields) (cbhdb.Extent, error) {
	lowAt, fullAt := f.Low.Uint(h.Head), f.Full.Uint(h.Ext)
	isWide := f.Full.In(h.Ext)
	at := f.Of(h.Head, h.Ext)
	x, fault, err := r.Locate(at, h.ID)
	if fault != nil && fault.Code == cbhdb.RecordSize {
		p.sized[fileOf(f)] = append(p.sized[fileOf(f)], h.ID)
	}
	if err != nil || !isWide {
		return x, err
	}
	differs := uint32(fullAt) != uint32(lowAt) && !p.stays0(h, f)
	if fault == nil && !differs {
		return x, nil
	}
	best, err := p.better(r, h, int64(lowAt), int64(min(fullAt, 1<<62)))
	if err != nil || best.Size == 0 {
		return x, err
	}
	return best, p.setPlace(h, best.At, f, differs)
}

// fileOf returns the number of the file that a place leads into: 0 for moves, 1
// for annotations.
func fileOf(f *cbh.PlaceFields) int {
	if f == cbh.NotesPlace {
		return 1
	}
	return 0
}

// stays0 reports whether a header has 0 in the full place of its moves, as
// version 8 of the .cbj file may.
func (p *places) stays0(h *cbhdb.Header, f *cbh.PlaceFields) bool {
	return f == cbh.MovesPlace && p.exts.Head.Version == 8 && f.Full.Uint(h.Ext) == 0
}

// better returns the first of the places that a header gives which leads to a
// part that decodes, nothing if none does.
func (p *places) better(r *cbhdb.BlockReader, h *cbhdb.Header, candidates ...int64) (none cbhdb.Extent, err error) {
	for _, at := range candidates {
		x, fault, err := r.Locate(at, h.ID)
		if err != nil {
			return none, err
		}
		if fault != nil {
			continue
		}
		b, err := r.Bytes(x)
		if err != nil {
			return none, err
		}
		if p.isPartOf(h, r == p.notes, b) {
			return x, nil
		}
	}
	return none, nil
}

// isPartOf reports whether bytes decode as a part of a record.
func (p *places) isPartOf(h *cbhdb.Header, isNotes bool, b []byte) bool {
	switch {
	case isNotes:
		head, err := cbh.DecodeAnnotationHead(b)
		return err == nil && int64(head.Game) == p.number(h.ID) && isWholeNotes(b)
	case h.Type().IsText():
		_, err := cbh.DecodeGuide(b, p.page)
		return err == nil
	}
	return moveenc.DecodeLegal(b, &p.game) == nil
}

// isWholeNotes reports whether the sizes in a record of annotations lead to its
// end.
func isWholeNotes(b []byte) bool {
	for _, err := range cbh.AnnotationItems(b) {
		if err != nil {
			return false
		}
	}
	return true
}

// setPlace gives a header the place of a part in both fields.
func (p *places) setPlace(h *cbhdb.Header, at int64, f *cbh.PlaceFields, twins bool) error {
	code, field, offset := offsetOutside, f.Low, p.heads.Offset(h.ID)
	if twins {
		code, field, offset = offsetTwins, f.Full, p.exts.Offset(h.ID)
	}
	was := fmt.Sprintf("%d and %d", f.Low.Uint(h.Head), f.Full.Uint(h.Ext))
	stays := p.stays0(h, f)
	f.Low.Put(h.Head, uint64(at))
	if !stays {
		f.Full.Put(h.Ext, uint64(at))
	}
	p.change(code, field.File, int64(h.ID), offset+int64(field.At), field.Name, "%s in .cbh and .cbj; now %d", was, at)
	return p.putHeader(h)
}

// putHeader writes the header of a record whose places have changed, with the
// checksum.
func (r *Repair) putHeader(h *cbhdb.Header) error {
	if err := r.put(".cbh", r.heads.Offset(h.ID), h.Head); err != nil || h.Ext == nil {
		return err
	}
	cbh.PutSum(h.Ext)
	return r.put(".cbj", r.exts.Offset(h.ID), h.Ext)
}

// beginUses prepares the counts of references.
func (r *Repair) beginUses() error {
	r.uses = cbhdb.References{}
	for _, kind := range cbh.EntityFiles {
		e, err := r.db.Entities(kind)
		if r.isFailure(kind.Ext, err) {
			return err
		}
		if e != nil && err == nil {
			r.uses.Begin(kind, e.IDs())
		}
	}
	return nil
}
