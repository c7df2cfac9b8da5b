package check

import (
	"bytes"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/model"
)

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
		one := trial{part: string(kind), record: id, offset: at, stored: stored, field: func(int) string { return string(kind) }}
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
