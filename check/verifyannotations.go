package check

import (
	"bytes"
	"fmt"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/model"
)

// annotations takes the annotations of a game: the head of the record, and
// each annotation by its kind.
func (w *recordVerifier) verifyAnnotations(rec *record) {
	p := &rec.annotations
	ctx, annotations := rec.notesContext(), rec.decodeAnnotations()
	if annotations.err != nil {
		w.annotations.undecoded("record", int64(rec.id), p.At, p.Size, annotations.err)
		return
	}
	bare := slices.Clone(annotations.List)
	for i := range bare {
		bare[i].Leftover = nil
	}
	value := cbh.AppendAnnotations(nil, bare, nil, ctx, nil)
	kept := cbh.AppendAnnotations(nil, annotations.List, annotations.Leftover, ctx, nil)

	t := annotationTrial{
		id: int64(rec.id), at: p.At, moves: ctx.Moves, last: model.NoNode,
		comesBack: bytes.Equal(kept, p.bytes), page: w.d.page, report: w.annotations,
	}
	t.head(p.bytes, value)
	for i := range annotations.items {
		item := &annotations.items[i]
		t.item(item, annotations.value(i, t.page), p.bytes[item.Offset:])
	}
}

// annotationTrial is a record of annotations that was encoded again.
type annotationTrial struct {
	id, at int64
	moves  *model.Tree // nil if they are not known
	last   int32       // position of the annotation before
	// comesBack says that the whole record comes back with what was kept.
	comesBack bool
	page      cbh.CodePage
	report    *FileReport
}

// Where the head of a record has the number of annotations, and the size of
// the record, which is given: it follows from the annotations.
const (
	headCountAt = 7
	headSizeAt  = 10
)

// head takes the head of the record.
func (t *annotationTrial) head(stored, value []byte) {
	head := trial{
		part: "record", record: t.id, offset: t.at, stored: stored[:cbh.AnnotationHeadSize],
		value: value[:min(len(value), cbh.AnnotationHeadSize)],
		given: cbh.AnnotationHeadSize - headSizeAt, why: headReason,
	}
	if len(head.value) == cbh.AnnotationHeadSize {
		copy(head.value[headSizeAt:], head.stored[headSizeAt:])
	}
	if t.comesBack {
		head.kept = head.stored
	}
	t.report.try(head)
}

// headReason says why a byte of a head is not that of its value.
func headReason(offset int) string {
	if offset < headCountAt {
		return reasonHead
	}
	return reasonCount
}

// item takes an annotation, which is at the beginning of stored.
func (t *annotationTrial) item(item *cbh.AnnotationItem, v model.Value, stored []byte) {
	stored = stored[:item.Size()]
	at := t.at + item.Offset
	misplaced := t.misplaced(item.Position)
	t.last = item.Position
	if opaque, ok := v.(model.Opaque); ok {
		err := fmt.Errorf("an annotation of type %02x with %d bytes is not understood", opaque.Type, len(opaque.Data))
		t.report.unsupported(fmt.Sprintf("opaque %02x", opaque.Type), t.id, at, int64(len(stored)), err)
		return
	}
	kind := v.Kind()
	one := trial{part: string(kind), record: t.id, offset: at, stored: stored, field: func(int) string { return string(kind) }}
	if t.comesBack {
		one.kept = stored
	}
	if misplaced == "" {
		one.value, _ = cbh.AppendAnnotationItem(nil, item.Position, v, t.page) // nil is different
		head := min(len(stored)-len(item.Payload), len(one.value))
		one.why = func(int) string { return annotationForm(kind, item.Payload, one.value[head:]) }
	} else { // another annotation is written here
		one.why = because(misplaced)
	}
	t.report.try(one)
}

// misplaced returns why a value does not give its annotation the position that
// is stored, "" if it does: values are sorted by move.
func (t *annotationTrial) misplaced(position int32) string {
	switch {
	case position < model.NoNode, t.moves != nil && int(position) >= t.moves.Len():
		return reasonPlace
	case position < t.last:
		return reasonOrder
	}
	return ""
}
