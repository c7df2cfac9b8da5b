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
func (w *recordVerifier) annotations(rec *record) {
	p := &rec.notes
	ctx := cbh.AnnotationContext{Game: rec.id, Moves: w.tree, Page: w.d.page}
	notes, err := cbh.DecodeAnnotations(p.bytes, ctx, true)
	if err != nil {
		w.notes.unsupported("record", int64(rec.id), p.at, p.size, err)
		return
	}
	bare := slices.Clone(notes.List)
	for i := range bare {
		bare[i].Leftover = nil
	}
	value := cbh.AppendAnnotations(nil, bare, nil, ctx, nil)
	kept := cbh.AppendAnnotations(nil, notes.List, notes.Leftover, ctx, nil)

	t := annotationTrial{id: int64(rec.id), at: p.at, comesBack: bytes.Equal(kept, p.bytes), page: w.d.page, report: w.notes}
	t.head(p.bytes, value)
	i := 0
	for item, err := range cbh.AnnotationItems(p.bytes) {
		if err != nil || i >= len(bare) {
			break // cannot be: the record was decoded
		}
		t.item(&item, p.bytes[item.Offset:], &bare[i])
		i++
	}
}

// annotationTrial is a record of annotations that was encoded again.
type annotationTrial struct {
	id, at int64
	// comesBack says that the whole record comes back with what was kept.
	comesBack bool
	page      cbh.CodePage
	report    *FileReport
}

// headSizeAt is where the head has the size of the record, which is given: it
// follows from the annotations.
const headSizeAt = 10

// head takes the head of the record.
func (t *annotationTrial) head(stored, value []byte) {
	head := trial{
		part: "record", record: t.id, offset: t.at, stored: stored[:cbh.AnnotationHeadSize],
		value: value[:min(len(value), cbh.AnnotationHeadSize)],
		given: cbh.AnnotationHeadSize - headSizeAt,
	}
	if len(head.value) == cbh.AnnotationHeadSize {
		copy(head.value[headSizeAt:], head.stored[headSizeAt:])
	}
	if t.comesBack {
		head.kept = head.stored
	}
	t.report.try(head)
}

// item takes an annotation, which is at the beginning of stored. Sorted
// annotations are those of the record in its order.
func (t *annotationTrial) item(item *cbh.AnnotationItem, stored []byte, a *model.Annotation) {
	stored = stored[:item.Size()]
	at := t.at + item.Offset
	if opaque, ok := a.Value.(model.Opaque); ok {
		err := fmt.Errorf("an annotation of type %02x with %d bytes is not understood", opaque.Type, len(opaque.Data))
		t.report.unsupported(fmt.Sprintf("opaque %02x", opaque.Type), t.id, at, int64(len(stored)), err)
		return
	}
	kind := string(a.Value.Kind())
	one := trial{part: kind, record: t.id, offset: at, stored: stored, field: func(int) string { return kind }}
	one.value, _ = cbh.AppendAnnotationItem(nil, a.Node, a.Value, t.page) // nil is different
	if t.comesBack {
		one.kept = stored
	}
	t.report.try(one)
}
