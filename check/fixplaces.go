package check

import (
	"context"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// headerPass is the pass over the headers of all records.
type headerPass struct {
	*mender
	misses int            // games that say that they have annotations, and point to none
	holes  []cbhdb.Extent // of the .cba file
}

// judgeRows finds out whether headers stand beside the .cbj records of others: then the
// .cbj file is not believed, nor are counts of records.
func (m *mender) judgeRows(context.Context) (err error) {
	m.inStep = true
	if m.headers == nil || m.extensions == nil {
		return nil
	}
	headers := m.headers.Headers(nil, dbfile.FarAhead)
	window := dbfile.NewWindow(m.extensions.File, dbfile.FarAhead)
	outOf, err := cbhdb.OutOfStep(cbhdb.RowFile{Count: int(m.count), At: func(slot int) ([]byte, error) {
		h, err := headers.At(model.RecordID(slot))
		return h.Head, err
	}}, cbhdb.RowFile{Count: int(min(m.extensions.Stored, cbh.MaxRecords)), At: func(slot int) ([]byte, error) {
		return window.At(m.extensions.Offset(model.RecordID(slot)), int64(m.extensions.Head.RecordSize))
	}})
	if outOf {
		m.inStep, m.whole, m.extensions = false, false, nil
	}
	return err
}

// judgeEntities finds the entity files of which it is not certain whose records stand at
// all ids: a tree that is built anew would make wrong names look right.
func (m *mender) judgeEntities(ctx context.Context) error {
	for i, kind := range cbh.EntityFiles {
		e, err := m.entities(kind)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if e == nil {
			continue
		}
		t, err := e.Load()
		if err != nil {
			return err
		}
		uses := m.uses[i]
		uses.Whole = uses.Whole && m.knowsUses(i)
		doubtful, err := t.Doubtful(func() (cbhdb.Uses, error) { return uses, nil })
		if err != nil {
			return err
		}
		m.unsettled[i] = len(doubtful) > 0
	}
	return nil
}

// mendPlaces goes through the headers of all records: places, holes, references.
func (m *mender) mendPlaces(ctx context.Context) error {
	if m.headers == nil {
		return nil
	}
	p := &headerPass{mender: m}
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
	if p.annotations.BlockReader == nil {
		return p.mendRecordSizes()
	}
	// Games without their annotations keep their flags, and annotations without their
	// game are no hole, as long as there are both.
	end := p.annotations.between.End
	window := dbfile.NewWindow(p.annotations.File, dbfile.FarAhead)
	for _, hole := range append(p.holes, cbhdb.Extent{At: end, Size: p.annotations.Size() - end}) {
		if p.misses == 0 || hole.Size <= 0 {
			continue
		}
		at, err := p.annotations.NextAnnotations(window, hole)
		if err != nil {
			return err
		}
		if at < hole.End() {
			p.annotations.unsound++
			break
		}
	}
	return p.mendRecordSizes()
}

// record looks at one record.
func (p *headerPass) record(h *cbhdb.Header) error {
	p.uses.Add(h, int(h.ID))
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
		p.misses++
	}
	if hole := p.annotations.follow(h.ID, x); hole.Size > 0 {
		p.holes = append(p.holes, hole)
	}
	return nil
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
func (p *headerPass) part(b *blocks, h *cbhdb.Header, f *cbh.PlaceFields) (cbhdb.Extent, error) {
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
func (p *headerPass) stays0(h *cbhdb.Header, f *cbh.PlaceFields) bool {
	return f == cbh.MovesPlace && p.extensions.Head.Version == 8 && f.Full.Uint(h.Ext) == 0
}

// better returns the one of the places that a header gives which leads to a part that
// decodes, nothing if none does, or both do.
func (p *headerPass) better(from *blocks, h *cbhdb.Header, candidates ...int64) (best cbhdb.Extent, err error) {
	for _, at := range candidates {
		x, fault, err := from.Locate(at, h.ID)
		if err != nil {
			return best, err
		}
		if fault != nil || x == best {
			continue
		}
		b, err := from.Bytes(x)
		if err != nil {
			return best, err
		}
		decodes := false
		switch {
		case from == &p.annotations:
			head, err := cbh.DecodeAnnotationHead(b)
			decodes = err == nil && model.RecordID(head.Game) == h.ID && isWholeAnnotations(b)
		case h.Type().IsText():
			_, err := cbh.DecodeGuide(b, p.page)
			decodes = err == nil
		default:
			decodes = moveenc.DecodeLegal(b, &p.game) == nil
		}
		if decodes && best.Size > 0 {
			return cbhdb.Extent{}, nil
		}
		if decodes {
			best = x
		}
	}
	return best, nil
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
func (p *headerPass) setPlace(h *cbhdb.Header, at int64, f *cbh.PlaceFields, twins bool) {
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
	p.fix(code, inRecord(field.File, h.ID, offset+int64(field.At), field.Name), p.header(h),
		"%s in .cbh and .cbj; now %d", was, at)
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

// mendRecordSizes makes the sizes of records true that cannot be: a record ends
// where its content does, before the next one begins.
func (p *headerPass) mendRecordSizes() error {
	for _, f := range []struct {
		blocks   *blocks
		offsetOf func(*cbhdb.Header) int64
		sizeOf   func(*cbhdb.Header, []byte) int64 // of the record that the bytes begin with, 0 if it is not known
		size     cbh.Field
	}{
		{&p.moves, (*cbhdb.Header).MovesAt, p.movesSize, cbh.Field{File: ".cbg", Name: "size", At: 1, Size: 3}},
		{&p.annotations, (*cbhdb.Header).AnnotationsAt, p.annotationsSize,
			cbh.Field{File: ".cba", Name: "size", At: 10, Size: 4}},
	} {
		for _, id := range f.blocks.sized {
			stored, err := p.headers.Headers(p.extensions, dbfile.NearAhead).At(id)
			if err != nil {
				return err
			}
			h := &cbhdb.Header{ID: id, Head: slices.Clone(stored.Head), Ext: slices.Clone(stored.Ext)}
			at := f.offsetOf(h)
			if _, fault, err := f.blocks.Reader(dbfile.NearAhead).Locate(at, id); err != nil {
				return err
			} else if fault == nil {
				continue // it has got another place
			}
			limit, err := p.nextOffset(f.blocks, f.offsetOf, id, at)
			if err != nil {
				return err
			}
			const most = 1<<24 - 1 // more than any record that is not made up
			b, err := f.blocks.File.Bytes(nil, at, min(limit-at, most))
			if err != nil {
				return err
			}
			n := f.sizeOf(h, b)
			if n == 0 {
				continue
			}
			was := f.size.Uint(b)
			f.size.Put(b, uint64(n))
			p.fix(codeRecordSize, inRecord(f.size.File, id, at+int64(f.size.At), f.size.Name), []Edit{p.put(f.size.File, at, b[:f.size.End()])},
				"%d, now %d, where its content ends", was, n)
		}
	}
	return nil
}

// nextOffset returns where the next record begins behind a place, or the end of the
// file; the place itself if records before it do not lie before it.
func (p *headerPass) nextOffset(b *blocks, offsetOf func(*cbhdb.Header) int64, id model.RecordID, at int64) (
	int64, error,
) {
	find, headers := b.Reader(dbfile.NearAhead), p.headers.Headers(p.extensions, dbfile.NearAhead)
	for id++; id <= p.count; id++ {
		h, err := headers.At(id)
		if err != nil {
			return 0, err
		}
		next := offsetOf(&h)
		if next == 0 {
			continue
		}
		if x, fault, err := find.Locate(next, id); err != nil || fault == nil {
			return max(x.At, at), err
		}
		return at, nil // two in a row: nothing is certain
	}
	return b.Size(), nil
}

// movesSize returns the size of a record of the .cbg file, if it is what the header
// says of it.
func (p *headerPass) movesSize(h *cbhdb.Header, b []byte) int64 {
	if len(b) < moveenc.HeadSize {
		return 0
	}
	b = slices.Clone(b)
	wire.AppendU24BE(b[:1], uint32(len(b)))
	if h.Type().IsText() {
		if _, err := cbh.DecodeGuide(b, p.page); err != nil {
			return 0
		}
		return int64(len(b))
	}
	if moveenc.DecodeLegal(b, &p.game) != nil || p.game.Form.NoEnd || !cbhdb.MovesFit(h.Head, p.game.SetUp(), &p.game.Moves) {
		return 0
	}
	return int64(len(b) - len(p.game.Form.Trailer))
}

// annotationsSize returns the size of a record of annotations: that of as many as its
// head counts.
func (p *headerPass) annotationsSize(h *cbhdb.Header, b []byte) int64 {
	if len(b) < cbh.AnnotationHeadSize || int64(wire.U24BE(b)) != int64(h.ID) {
		return 0
	}
	end, all := cbh.AnnotationsEnd(b)
	if !all || end == cbh.AnnotationHeadSize || cbh.FactsOf(b[:end]).Flags()&cbh.ProvenFlags != cbhdb.NoteFlags(h.Head) {
		return 0
	}
	return end
}
