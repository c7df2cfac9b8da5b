package check

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

// places is the pass over the headers of all records.
type places struct {
	*mender
	// unannotated are the games since the last one with annotations that say they have
	// some, and have none; fault says that their place leads nowhere.
	unannotated []unannotatedGame
	// left counts those that are left so, unowned the annotations that no record points
	// to, of which broken says that there are some that are not whole; holes are those
	// that were not looked into for them.
	left, unowned int
	broken        bool
	holes         []cbhdb.Extent
}

// unannotatedGame is a game without its annotations.
type unannotatedGame struct {
	id    model.RecordID
	flags uint32
	fault bool
	moves int // how many it has plus one, 0 before they are asked for
}

// mendPlaces goes through the headers of all records: places, annotations that
// nothing points to, references.
func (m *mender) mendPlaces(ctx context.Context) error {
	if m.headers == nil {
		return nil
	}
	p := &places{mender: m}
	for b, from := range map[*blocks]*cbhdb.Blocks{&m.moves: m.database.moves, &m.annotations: m.database.annotations} {
		if b.overlapping = newBitSet(m.count); from != nil {
			b.BlockReader, b.between = from.Reader(dbfile.NearAhead), from.Between()
		}
	}
	for _, kind := range cbh.EntityFiles {
		if e, err := m.entities(kind); err != nil {
			return err
		} else if e != nil {
			m.uses.Begin(kind, e.IDs())
		}
	}
	headers := m.headers.Headers(m.extensions, dbfile.FarAhead)
	for id := model.RecordID(1); id <= m.count; id++ {
		if id%batchSize == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		stored, err := headers.At(id)
		if err == nil {
			err = p.record(&cbhdb.Header{ID: id, Head: slices.Clone(stored.Head), Ext: slices.Clone(stored.Ext)})
		}
		if err != nil {
			return err
		}
	}
	if p.annotations.BlockReader != nil {
		if err := p.endOfAnnotations(); err != nil {
			return err
		}
	}
	return p.mendRecordSizes()
}

// record looks at one record.
func (p *places) record(h *cbhdb.Header) error {
	p.uses.Add(h, int(p.number(h.ID)))
	if p.moves.BlockReader != nil {
		x, err := p.part(&p.moves, h, cbh.MovesPlace)
		if err != nil {
			return err
		}
		p.moves.follow(h.ID, x)
	}
	if p.annotations.BlockReader == nil || h.Type().IsText() {
		return nil
	}
	var x cbhdb.Extent
	flags := cbhdb.NoteFlags(h.Head)
	if h.AnnotationsAt() != 0 || cbh.ExtAnnotations.Uint(h.Ext) != 0 {
		var err error
		if x, err = p.part(&p.annotations, h, cbh.AnnotationsPlace); err != nil {
			return err
		}
		if x.At == 0 && flags == 0 {
			p.setPlace(h, 0, cbh.AnnotationsPlace, true)
			return nil
		}
	}
	if x.Size == 0 && flags != 0 {
		p.unannotated = append(p.unannotated, unannotatedGame{h.ID, flags, x.At != 0, 0})
	}
	hole := p.annotations.follow(h.ID, x)
	if x.Size == 0 {
		return nil
	}
	return p.reattachAnnotations(hole)
}

// follow takes the next part of a file in the order of the records, and returns
// the hole before it.
func (b *blocks) follow(id model.RecordID, x cbhdb.Extent) cbhdb.Extent {
	if x.Size == 0 {
		if x.At != 0 {
			b.unsound++
		}
		return cbhdb.Extent{}
	}
	order, hole := b.between.Pass(x)
	if order != cbhdb.Ascending {
		b.unsound++
		b.overlapping.add(id)
		b.overlapping.add(b.last)
	}
	if b.between.End == x.End() {
		b.last = id
	}
	return hole
}

// part returns where a part of a record lies. Where one of two fields has that
// wrong it is made right. The part has no size if it is not known.
func (p *places) part(b *blocks, h *cbhdb.Header, f *cbh.PlaceFields) (cbhdb.Extent, error) {
	lowAt, fullAt := f.Low.Uint(h.Head), f.Full.Uint(h.Ext)
	isWide := f.Full.In(h.Ext)
	at := f.Of(h.Head, h.Ext)
	x, fault, err := b.Locate(at, h.ID)
	if fault != nil && fault.Code == cbhdb.RecordSize {
		b.sized = append(b.sized, h.ID)
	}
	if err != nil || !isWide {
		return x, err
	}
	differs := uint32(fullAt) != uint32(lowAt) && !p.stays0(h, f)
	if fault == nil && !differs {
		return x, nil
	}
	best, err := p.better(b, h, int64(lowAt), int64(min(fullAt, 1<<62)))
	if err != nil || best.Size == 0 {
		return x, err
	}
	p.setPlace(h, best.At, f, differs)
	return best, nil
}

// stays0 reports whether a header has 0 in the full place of its moves, as
// version 8 of the .cbj file may.
func (p *places) stays0(h *cbhdb.Header, f *cbh.PlaceFields) bool {
	return f == cbh.MovesPlace && p.extensions.Head.Version == 8 && f.Full.Uint(h.Ext) == 0
}

// better returns the first of the places that a header gives which leads to a
// part that decodes, nothing if none does.
func (p *places) better(from *blocks, h *cbhdb.Header, candidates ...int64) (none cbhdb.Extent, err error) {
	for _, at := range candidates {
		x, fault, err := from.Locate(at, h.ID)
		if err != nil {
			return none, err
		}
		if fault != nil {
			continue
		}
		b, err := from.Bytes(x)
		if err != nil {
			return none, err
		}
		if p.isPartOf(h, from == &p.annotations, b) {
			return x, nil
		}
	}
	return none, nil
}

// isPartOf reports whether bytes decode as a part of a record.
func (p *places) isPartOf(h *cbhdb.Header, isAnnotations bool, b []byte) bool {
	switch {
	case isAnnotations:
		head, err := cbh.DecodeAnnotationHead(b)
		return err == nil && int64(head.Game) == p.number(h.ID) && isWholeAnnotations(b)
	case h.Type().IsText():
		_, err := cbh.DecodeGuide(b, p.page)
		return err == nil
	}
	return moveenc.DecodeLegal(b, &p.game) == nil
}

// isWholeAnnotations reports whether the sizes in a record of annotations lead to its
// end.
func isWholeAnnotations(b []byte) bool {
	for _, err := range cbh.AnnotationItems(b) {
		if err != nil {
			return false
		}
	}
	return true
}

// setPlace gives a header the place of a part in both fields.
func (p *places) setPlace(h *cbhdb.Header, at int64, f *cbh.PlaceFields, twins bool) {
	code, field, offset := codeOffsetOutside, f.Low, p.headers.Offset(h.ID)
	if twins {
		code, field, offset = codeOffsetTwins, f.Full, p.extensions.Offset(h.ID)
	}
	was := fmt.Sprintf("%d and %d", f.Low.Uint(h.Head), f.Full.Uint(h.Ext))
	stays := p.stays0(h, f)
	f.Low.Put(h.Head, uint64(at))
	if !stays {
		f.Full.Put(h.Ext, uint64(at))
	}
	p.fix(code, inRecord(field.File, h.ID, offset+int64(field.At), field.Name), p.header(h), "%s in .cbh and .cbj; now %d", was, at)
}

// header returns the edits of a header whose places have changed, with the checksum.
func (m *mender) header(h *cbhdb.Header) []Edit {
	edits := []Edit{m.put(".cbh", m.headers.Offset(h.ID), h.Head)}
	if h.Ext != nil {
		cbh.PutSum(h.Ext)
		edits = append(edits, m.put(".cbj", m.extensions.Offset(h.ID), h.Ext))
	}
	return edits
}

// entities returns an entity file, nil if it cannot be read.
func (m *mender) entities(kind *cbh.EntityFile) (*cbhdb.Entities, error) {
	if m.files[kind.Ext] == nil {
		return nil, nil
	}
	e, err := m.stored.Entities(kind)
	if dbfile.IsDamage(err) {
		return nil, nil
	}
	return e, err
}
