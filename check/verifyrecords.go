package check

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/model"
	"cbkit/moveenc"
)

// take takes what a batch of records gave.
func (v *verifier) take(b *verifiedBatch) {
	for i := range b.reports {
		if r := v.files[recordExts[i]]; r != nil {
			r.merge(&b.reports[i])
		}
	}
	for i := range b.moves {
		v.moves.pass(b.moves[i])
		v.annotations.pass(b.annotations[i])
	}
}

// holes counts the bytes between the records of a file.
type holes struct {
	report *FileReport // nil if the file is not looked at
	end    int64       // of the records so far
	size   int64       // of the file
}

func (v *verifier) newHoles(ext string, blocks *cbhdb.Blocks) *holes {
	h := &holes{}
	if blocks != nil && v.files[ext] != nil {
		h.report, h.end, h.size = v.files[ext], int64(blocks.Head.Size), blocks.Size()
	}
	return h
}

// pass goes over the next record.
func (h *holes) pass(x cbhdb.Extent) {
	if x.Size > 0 {
		h.until(x.At)
		h.end = max(h.end, x.End())
	}
}

// until counts the hole before an offset.
func (h *holes) until(at int64) {
	if h.report != nil && at > h.end {
		h.report.add(Case{Outcome: outcomeTrash, Part: "hole", Record: -1, Offset: h.end, Message: reasonHole}, at-h.end, 0)
		h.end = at
	}
}

// verifiedBatch is what a batch of records gives.
type verifiedBatch struct {
	reports            [4]FileReport // on recordExts
	moves, annotations []cbhdb.Extent
}

// recordVerifier takes records; each goroutine has one.
type recordVerifier struct {
	d                                       *database
	max                                     int // cases to list
	out                                     verifiedBatch
	headers, extensions, moves, annotations *FileReport // in out, nil if not selected
	value, kept                             []byte      // memory for the record at hand
}

// begin prepares for a batch. What it gives is in w.out, of which the reports are
// written through headers, extensions, moves and annotations.
func (w *recordVerifier) begin() {
	w.out = verifiedBatch{}
	for i, to := range []**FileReport{&w.headers, &w.extensions, &w.moves, &w.annotations} {
		*to = nil
		if w.d.selected.has(recordExts[i]) {
			*to = &w.out.reports[i]
			(*to).max = w.max
		}
	}
}

// record takes a record.
func (w *recordVerifier) record(rec *record) {
	w.out.moves = append(w.out.moves, rec.moves.Extent)
	w.out.annotations = append(w.out.annotations, rec.annotations.Extent)
	if rec.isText {
		w.text(rec)
		return
	}
	w.game(rec)
	if w.complete(w.annotations, "record", rec, &rec.annotations) {
		w.verifyAnnotations(rec)
	}
}

// complete reports whether a part is there; if it is damaged, it is counted as
// unsupported.
func (w *recordVerifier) complete(r *FileReport, name string, rec *record, p *part) bool {
	if p.fault != nil {
		r.undecoded(name, int64(rec.id), p.At, p.Size, errors.New(p.fault.Field+": "+p.fault.Message))
	}
	return p.bytes != nil
}

// game takes the .cbh and .cbj records of a game, and its moves.
func (w *recordVerifier) game(rec *record) {
	h := rec.game.Header(&rec.extValues)
	_, chess960 := cbh.UnpackOpening(rec.game.Opening)

	fresh, ext := cbh.NewGameRecord(chess960), freshExt(rec)
	entities := rec.game.Entities(&rec.extValues)
	fresh.SetEntities(&ext, entities)
	fresh.SetHeader(&h, chess960) // what was read fits
	fresh.Type |= rec.game.Type & cbh.TypeDeleted
	fresh.MovesOffset, fresh.AnnotationsOffset = rec.game.MovesOffset, rec.game.AnnotationsOffset
	derived := cbh.DerivedOf(&rec.game, &rec.extValues)
	derived.Put(&fresh, &ext)

	kept, keptExt := rec.game, rec.extValues
	kept.SetEntities(&keptExt, entities)
	kept.SetHeader(&h, chess960)
	w.value, w.kept = fresh.Append(w.value[:0]), kept.Append(w.kept[:0])
	p := &rec.moves
	if !w.heads("game", rec, cbh.GameFields, &ext, &keptExt) {
		return
	}
	g, err := rec.decodeMoves()
	if err != nil {
		w.moves.undecoded("game", int64(rec.id), p.At, p.Size, err)
		return
	}
	t := trial{part: "game", record: int64(rec.id), offset: p.At, stored: p.bytes}
	// A record that cannot be encoded gives no bytes and is different.
	w.value, _ = moveenc.Append(w.value[:0], g.SetUp(), &g.Moves, nil)
	if t.value = w.value; !t.isExact() {
		w.kept, _ = moveenc.Append(w.kept[:0], g.SetUp(), &g.Moves, &g.Form)
		t.kept, t.why = w.kept, func(int) string { return moveForm(&g.Form) }
	}
	w.moves.try(t)
}

// text takes the records of a guiding text, and its content.
func (w *recordVerifier) text(rec *record) {
	h, ext := rec.text.Header(&rec.extValues), freshExt(rec)
	fresh := cbh.TextRecord{
		Type: cbh.TypeInUse | cbh.TypeText | rec.text.Type&cbh.TypeDeleted, Offset: rec.text.Offset, Flags: rec.text.Flags,
	}
	entities := rec.text.Entities(&rec.extValues)
	fresh.SetEntities(&ext, entities)
	fresh.SetHeader(&h) // what was read fits

	kept, keptExt := rec.text, rec.extValues
	kept.SetEntities(&keptExt, entities)
	kept.SetHeader(&h)
	w.value, w.kept = fresh.Append(w.value[:0]), kept.Append(w.kept[:0])
	p := &rec.moves
	if !w.heads("text", rec, cbh.TextFields, &ext, &keptExt) {
		return
	}
	g, err := rec.decodeGuide()
	if err != nil {
		w.moves.undecoded("text", int64(rec.id), p.At, p.Size, err)
		return
	}
	bare := cbh.Guide{HTML: g.HTML, Titles: withoutLeftovers(g.Titles), Contents: withoutLeftovers(g.Contents)}
	t := trial{part: "text", record: int64(rec.id), offset: p.At, stored: p.bytes, why: func(int) string { return guideForm(g) }}
	t.value, _ = cbh.AppendGuide(nil, bare, rec.id, w.d.page, nil)
	t.kept, _ = cbh.AppendGuide(nil, *g, rec.id, w.d.page, nil)
	w.moves.try(t)
}

// freshExt returns a .cbj record with only the fields that are given.
func freshExt(rec *record) cbh.ExtRecord {
	none := cbh.DefaultExtRecord()
	ext := rec.extValues
	ext.WhiteTeam, ext.BlackTeam, ext.GameTitle, ext.Tail = none.WhiteTeam, none.BlackTeam, none.GameTitle, nil
	return ext
}

// heads takes the .cbh record of a game or text, which is to be what w.value and w.kept are,
// and its .cbj record, and reports whether it has moves, or a text.
func (w *recordVerifier) heads(part string, rec *record, fields cbh.Fields, fresh, kept *cbh.ExtRecord) bool {
	w.headers.try(trial{
		part: part, record: int64(rec.id), offset: rec.headAt, stored: rec.head, value: w.value, kept: w.kept,
		given: int64(fields.Given(cbh.RecordSize)), field: fields.NameAt, why: meaningless,
	})
	if rec.ext != nil {
		size := len(rec.ext)
		fresh.Checksum = fresh.Sum()
		w.value, w.kept = fresh.Append(w.value[:0], size), kept.Append(w.kept[:0], size)
		w.extensions.try(trial{
			part: part, record: int64(rec.id), offset: rec.extAt, stored: rec.ext,
			value: w.value, kept: w.kept, given: int64(cbh.ExtFields.Given(size)), field: extFieldAt,
			why: func(offset int) string {
				if extFieldAt(offset) == cbh.ExtChecksum.Name {
					return reasonChecksum
				}
				return reasonMeaning
			},
		})
	}
	return w.complete(w.moves, part, rec, &rec.moves)
}

func withoutLeftovers(list []model.LocalText) []model.LocalText {
	list = slices.Clone(list)
	for i := range list {
		list[i].Leftover = nil
	}
	return list
}

// Where the head of a record of annotations has their number, and the size of
// the record, which is given: it follows from the annotations.
const (
	headCountAt = 7
	headSizeAt  = 10
)

// verifyAnnotations takes the annotations of a game: the head of the record, and
// each annotation by its kind.
func (w *recordVerifier) verifyAnnotations(rec *record) {
	p, id, page := &rec.annotations, int64(rec.id), w.d.page
	ctx, annotations := rec.annotationContext(), rec.decodeAnnotations()
	if annotations.err != nil {
		w.annotations.undecoded("record", id, p.At, p.Size, annotations.err)
		return
	}
	bare := slices.Clone(annotations.List)
	for i := range bare {
		bare[i].Leftover = nil
	}
	value := cbh.AppendAnnotations(nil, bare, nil, ctx, nil)
	kept := cbh.AppendAnnotations(nil, annotations.List, annotations.Leftover, ctx, nil)
	comesBack := bytes.Equal(kept, p.bytes) // as a whole

	head := trial{
		part: "record", record: id, offset: p.At, stored: p.bytes[:cbh.AnnotationHeadSize],
		value: value[:min(len(value), cbh.AnnotationHeadSize)], given: cbh.AnnotationHeadSize - headSizeAt,
		why: func(offset int) string {
			if offset < headCountAt {
				return reasonHead
			}
			return reasonCount
		},
	}
	if len(head.value) == cbh.AnnotationHeadSize {
		copy(head.value[headSizeAt:], head.stored[headSizeAt:])
	}
	if comesBack {
		head.kept = head.stored
	}
	w.annotations.try(head)

	last := int32(model.NoNode) // position of the annotation before
	for i := range annotations.items {
		item := &annotations.items[i]
		stored, at := p.bytes[item.Offset:][:item.Size()], p.At+item.Offset
		// Values are sorted by move, so one does not give its annotation any other position.
		misplaced := ""
		switch {
		case item.Position < model.NoNode, ctx.Moves != nil && int(item.Position) >= ctx.Moves.Len():
			misplaced = reasonPlace
		case item.Position < last:
			misplaced = reasonOrder
		}
		last = item.Position
		v := annotations.value(i, page)
		if opaque, ok := v.(model.Opaque); ok {
			err := fmt.Errorf("an annotation of type %02x with %d bytes is not understood", opaque.Type, len(opaque.Data))
			w.annotations.unsupported(fmt.Sprintf("opaque %02x", opaque.Type), id, at, int64(len(stored)), err)
			continue
		}
		kind := v.Kind()
		one := trial{
			part: string(kind), record: id, offset: at, stored: stored, field: func(int) string { return string(kind) },
		}
		if comesBack {
			one.kept = stored
		}
		if misplaced == "" {
			one.value, _ = cbh.AppendAnnotationItem(nil, item.Position, v, page) // nil is different
			head := min(len(stored)-len(item.Payload), len(one.value))
			one.why = func(int) string { return annotationForm(kind, item.Payload, one.value[head:]) }
		} else { // another annotation is written here
			one.why = because(misplaced)
		}
		w.annotations.try(one)
	}
}
