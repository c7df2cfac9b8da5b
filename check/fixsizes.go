package check

import (
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// mendRecordSizes makes the sizes of records true that cannot be: a record ends
// where its content does, before the next one begins.
func (p *places) mendRecordSizes() error {
	for _, f := range []struct {
		blocks  *blocks
		placeOf func(*cbhdb.Header) int64
		sizeOf  func(*cbhdb.Header, []byte) int64 // of the record that the bytes begin with, 0 if it is not known
		size    cbh.Field
	}{
		{&p.moves, (*cbhdb.Header).MovesAt, p.movesSize, cbh.Field{File: ".cbg", Name: "size", At: 1, Size: 3}},
		{&p.annotations, (*cbhdb.Header).AnnotationsAt, p.notesSize, cbh.Field{File: ".cba", Name: "size", At: 10, Size: 4}},
	} {
		for _, id := range f.blocks.sized {
			stored, err := p.headers.Headers(p.extensions, dbfile.NearAhead).At(id)
			if err != nil {
				return err
			}
			h := &cbhdb.Header{ID: id, Head: slices.Clone(stored.Head), Ext: slices.Clone(stored.Ext)}
			at := f.placeOf(h)
			if _, fault, err := f.blocks.Reader(dbfile.NearAhead).Locate(at, id); err != nil {
				return err
			} else if fault == nil {
				continue // it has got another place
			}
			limit, err := p.nextPlace(f.blocks, f.placeOf, id, at)
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

// nextPlace returns where the next record begins behind a place, or the end of the
// file; the place itself if records before it do not lie before it.
func (p *places) nextPlace(b *blocks, placeOf func(*cbhdb.Header) int64, id model.RecordID, at int64) (int64, error) {
	find, headers := b.Reader(dbfile.NearAhead), p.headers.Headers(p.extensions, dbfile.NearAhead)
	for id++; id <= p.count; id++ {
		h, err := headers.At(id)
		if err != nil {
			return 0, err
		}
		place := placeOf(&h)
		if place == 0 {
			continue
		}
		if x, fault, err := find.Locate(place, id); err != nil || fault == nil {
			return max(x.At, at), err
		}
		return at, nil // two in a row: nothing is certain
	}
	return b.Size(), nil
}

// movesSize returns the size of a record of the .cbg file, if it is what the header
// says of it.
func (p *places) movesSize(h *cbhdb.Header, b []byte) int64 {
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
	r, err := cbh.DecodeGameRecord(h.Head)
	if err != nil || moveenc.DecodeLegal(b, &p.game) != nil || p.game.Form.NoEnd {
		return 0
	}
	facts, err := derive.Moves(p.game.SetUp(), &p.game.Moves)
	if err != nil || facts.FullMoves != r.MoveCount || (facts.Flags^r.Flags)&derive.FlagVariations != 0 {
		return 0
	}
	return int64(len(b) - len(p.game.Form.Trailer))
}

// notesSize returns the size of a record of annotations: that of as many as its
// head counts.
func (p *places) notesSize(h *cbhdb.Header, b []byte) int64 {
	if len(b) < cbh.AnnotationHeadSize || int64(wire.U24BE(b)) != p.number(h.ID) {
		return 0
	}
	left, end := int64(wire.U24BE(b[7:]))-1, int64(0)
	for item, err := range cbh.AnnotationItems(b) {
		if err != nil || left == 0 {
			break
		}
		left--
		end = item.Offset + int64(item.Size())
	}
	if left != 0 || cbh.FactsOf(b[:end]).Flags()&cbh.ProvenFlags != cbhdb.NoteFlags(h.Head) {
		return 0
	}
	return end
}
