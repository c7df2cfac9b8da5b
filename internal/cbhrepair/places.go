package cbhrepair

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/model"
	"cbkit/moveenc"
)

// The codes of changes of places.
const (
	offsetTwins   = "offset-twins"
	offsetOutside = string(cbhdb.OffsetOutside)
	badChecksum   = "checksum"
)

// Where the headers of records have the places of their parts.
// (docs/formats/cbh.md, Where records lie)
const (
	lowMovesAt, fullMovesAt = 1, 30
	lowNotesAt, fullNotesAt = 5, 12
)

// contextStep is how many records go by between two looks at a context.
const contextStep = 512

// kindUses is who refers to the entities of one kind.
type kindUses struct {
	found []cbh.EntityUse // by id
	// dangling counts the references that lead nowhere; as long as there are any
	// nobody knows whom they meant.
	dangling int
}

// places is the pass over the headers of all records.
type places struct {
	*Repair
	headers      *cbhdb.HeaderReader
	moves, notes *cbhdb.BlockReader // nil if the file cannot be read
	game         moveenc.Game
	// needy are the games since the last one with annotations that say they have
	// some, and have none; fault says that their place leads nowhere.
	needy []needy
	sized [2][]model.RecordID // records of both files whose size cannot be
}

// needy is a game without its annotations.
type needy struct {
	id    model.RecordID
	flags uint32
	fault bool
}

// mendPlaces goes through the headers of all records: places, annotations that
// nobody points to, references.
func (r *Repair) mendPlaces(ctx context.Context) error {
	if r.heads == nil {
		return nil
	}
	p := &places{Repair: r, headers: r.heads.Headers(r.exts, dbfile.FarAhead)}
	for i, f := range []struct {
		blocks *blocks
		to     **cbhdb.BlockReader
	}{{&r.moves, &p.moves}, {&r.notes, &p.notes}} {
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
	if err := p.countUses(&h); err != nil {
		return err
	}
	if p.moves != nil {
		x, err := p.part(p.moves, &h, lowMovesAt, fullMovesAt)
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
	if h.NotesAt() != 0 || hasFarNotes(h) {
		var err error
		if x, err = p.part(p.notes, h, lowNotesAt, fullNotesAt); err != nil {
			return err
		}
		if x.At == 0 && noteFlags(h.Head) == 0 {
			return p.setPlace(h, 0, lowNotesAt, fullNotesAt, true)
		}
	}
	if x.Size == 0 {
		if flags := noteFlags(h.Head); flags != 0 {
			p.needy = append(p.needy, needy{h.ID, flags, x.At != 0})
		}
	}
	hole := p.follow(1, &p.Repair.notes, h.ID, x)
	if x.Size == 0 {
		return nil
	}
	return p.giveBack(hole)
}

// hasFarNotes reports whether the .cbj record of a game names a place of
// annotations.
func hasFarNotes(h *cbhdb.Header) bool {
	return len(h.Ext) >= fullNotesAt+8 && binary.BigEndian.Uint64(h.Ext[fullNotesAt:]) != 0
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
func (p *places) part(r *cbhdb.BlockReader, h *cbhdb.Header, low, full int) (cbhdb.Extent, error) {
	be := binary.BigEndian
	lowAt, fullAt := be.Uint32(h.Head[low:]), uint64(0)
	isWide := len(h.Ext) >= full+8
	if isWide {
		fullAt = be.Uint64(h.Ext[full:])
	}
	at := int64(lowAt)
	if isWide {
		at = cbh.Place(lowAt, fullAt)
	}
	x, fault, err := r.Locate(at, h.ID)
	if fault != nil && fault.Code == cbhdb.RecordSize {
		p.sized[fileOf(low)] = append(p.sized[fileOf(low)], h.ID)
	}
	if err != nil || !isWide {
		return x, err
	}
	differs := uint32(fullAt) != lowAt && !(fullAt == 0 && full == fullMovesAt && p.exts.Head.Version == 8)
	if fault == nil && !differs {
		return x, nil
	}
	best, err := p.better(r, h, int64(lowAt), int64(min(fullAt, 1<<62)))
	if err != nil || best.Size == 0 {
		return x, err
	}
	return best, p.setPlace(h, best.At, low, full, differs)
}

// fileOf returns the number of the file that a place leads into: 0 for moves, 1
// for annotations.
func fileOf(low int) int {
	if low == lowNotesAt {
		return 1
	}
	return 0
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
		return err == nil && int64(head.Game) == int64(h.ID) && isWholeNotes(b)
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
func (p *places) setPlace(h *cbhdb.Header, at int64, low, full int, twins bool) error {
	code, ext, offset := offsetOutside, ".cbh", p.heads.Offset(h.ID)+int64(low)
	if twins {
		code, ext, offset = offsetTwins, ".cbj", p.exts.Offset(h.ID)+int64(full)
	}
	field := "offset in .cbg"
	if low == lowNotesAt {
		field = "offset in .cba"
	}
	be := binary.BigEndian
	was := fmt.Sprintf("%d and %d", be.Uint32(h.Head[low:]), be.Uint64(h.Ext[full:]))
	be.PutUint32(h.Head[low:], uint32(at))
	if fits := full == fullMovesAt && p.exts.Head.Version == 8 && be.Uint64(h.Ext[full:]) == 0; !fits {
		be.PutUint64(h.Ext[full:], uint64(at))
	}
	p.change(code, ext, int64(h.ID), offset, field, "%s in .cbh and .cbj; now %d", was, at)
	return p.putHeader(h)
}

// putHeader writes the header of a record whose places have changed, with the
// checksum.
func (r *Repair) putHeader(h *cbhdb.Header) error {
	if err := r.put(".cbh", r.heads.Offset(h.ID), h.Head); err != nil || h.Ext == nil {
		return err
	}
	if len(h.Ext) >= cbh.ChecksumAt+2 {
		binary.BigEndian.PutUint16(h.Ext[cbh.ChecksumAt:], cbh.SumExt(h.Ext))
	}
	return r.put(".cbj", r.exts.Offset(h.ID), h.Ext)
}

// beginUses prepares the counts of references.
func (r *Repair) beginUses() error {
	for i, kind := range cbh.EntityFiles {
		r.uses[i] = kindUses{}
		e, err := r.db.Entities(kind)
		if r.isFailure(kind.Ext, err) {
			return err
		}
		if e != nil && err == nil {
			r.uses[i].found = make([]cbh.EntityUse, e.Count)
		}
	}
	return nil
}

// countUses counts the references of a record.
func (r *Repair) countUses(h *cbhdb.Header) error {
	refs, err := derive.ReferencesOf(h.Head, h.Ext)
	if err != nil {
		return err
	}
	none := int32(-1)
	if x := cbh.DecodeExtRecord(h.Ext); !refs.Text { // where there are other numbers below 0 than that of none
		refs.WhiteTeam, refs.BlackTeam, refs.Title = x.WhiteTeam, x.BlackTeam, x.GameTitle
	} else {
		refs.Title = x.GameTitle
	}
	for i, ids := range [6][2]int32{
		{refs.White, refs.Black}, {refs.Tournament, none}, {refs.Annotator, none}, {refs.Source, none},
		{refs.WhiteTeam, refs.BlackTeam}, {refs.Title, none},
	} {
		for side, id := range ids {
			u := &r.uses[i]
			needed := side == 0 && (i == 1 || i == 2 || i == 3) || i == 0 && !refs.Text
			switch {
			case id >= 0 && int(id) < len(u.found):
				use := &u.found[id]
				if use.Count == 0 {
					use.First = int32(h.ID)
				}
				use.Count++
			case id != none || needed:
				u.dangling++
			}
		}
	}
	return nil
}
