package cbh

import (
	"errors"
	"slices"
	"strings"

	"cbkit/internal/wire"
	"cbkit/model"
)

// AppendAnnotations appends the record of a game's annotations. Without any it
// appends nothing: such a game has no record, and 0 for its offset.
//
// Leftovers are used where they still say the same as the values: the one of
// the record, then that of each annotation. What cannot be stored as it is goes
// to report: at each place there is one annotation of each type, the first, and
// one text for each language and side, into which the others are joined with a
// blank.
func AppendAnnotations(dst []byte, list []model.Annotation, leftover *model.Leftover, ctx AnnotationContext, report model.Report) []byte {
	if rec := storedRecord(list, leftover, ctx); rec != nil {
		return append(dst, rec...)
	}
	if !slices.IsSortedFunc(list, byNode) {
		list = slices.Clone(list)
		slices.SortStableFunc(list, byNode)
	}
	w := annotationWriter{ctx: ctx, report: report, start: len(dst)}
	w.out = wire.AppendZeros(dst, AnnotationHeadSize)
	for i := range list {
		w.add(list, i)
	}
	if w.count == 0 {
		return w.out[:w.start]
	}
	h := AnnotationHead{
		Game: uint32(ctx.Game), Constant: annotationConstant,
		Count: uint32(w.count + 1), Size: uint32(len(w.out) - w.start),
	}
	h.append(w.out[:w.start]) // over the zeros
	return w.out
}

// storedRecord returns the record in a leftover if it still says the same as
// the list. A record that cannot be decoded belongs to an empty list.
func storedRecord(list []model.Annotation, leftover *model.Leftover, ctx AnnotationContext) []byte {
	c := wire.NewCursor(leftover.From(Format))
	game := model.RecordID(c.U32BE())
	rec := c.Rest()
	if c.Err() != nil {
		return nil
	}
	stored, _ := DecodeAnnotations(rec, ctx, false) // after an error without a list
	if !slices.EqualFunc(list, stored.List, equalAnnotations) {
		return nil
	}
	if game != ctx.Game && len(rec) >= 3 {
		rec = append(wire.AppendU24BE(nil, uint32(ctx.Game)), rec[3:]...)
	}
	return rec
}

func equalAnnotations(a, b model.Annotation) bool {
	return a.Node == b.Node && a.Value.Equal(b.Value)
}

// annotationWriter holds the state of AppendAnnotations.
type annotationWriter struct {
	ctx     AnnotationContext
	report  model.Report
	out     []byte
	start   int // of the record in out
	count   int
	place   placeContent
	payload []byte
}

// add writes the annotation list[i], with the texts behind it that belong to
// it.
func (w *annotationWriter) add(list []model.Annotation, i int) {
	a := list[i]
	switch {
	case a.Node < model.NoNode || a.Node > maxPosition:
		w.lost(a, "the format has no position %d", a.Node)
		return
	case w.count == maxAnnotationCount || int64(len(w.out)-w.start) > maxRecord-0xFFFF:
		w.lost(a, "the record is full")
		return
	}
	text, isText := a.Value.(model.Text)
	if isText {
		if !w.place.add(a.Node, textType(text), []byte{0, textLanguage(text.Language)}) {
			return // joined to the first of its language
		}
		a = w.join(a, text, list[i+1:])
	}
	typ, payload, ok := w.encode(a)
	if !ok {
		return
	}
	if !isText && !w.place.add(a.Node, typ, payload) {
		w.lost(a, "the place has one of this kind already")
		return
	}
	w.out = wire.AppendI24BE(w.out, a.Node)
	w.out = append(w.out, typ)
	w.out = wire.AppendU16BE(w.out, uint16(annotationItemHead+len(payload)))
	w.out = append(w.out, payload...)
	w.count++
}

// join appends to a text those behind it that would be stored under the same
// language and side of the same place.
func (w *annotationWriter) join(a model.Annotation, text model.Text, behind []model.Annotation) model.Annotation {
	var joined strings.Builder
	for _, b := range behind {
		other, ok := b.Value.(model.Text)
		if b.Node != a.Node {
			break
		}
		if !ok || other.Before != text.Before || textLanguage(other.Language) != textLanguage(text.Language) {
			continue
		}
		if joined.Len() == 0 {
			joined.WriteString(text.Text)
		}
		joined.WriteByte(' ')
		joined.WriteString(other.Text)
		w.changed(a, "joined with %.40q of the same language and place", other.Text)
	}
	if joined.Len() > 0 {
		text.Text = joined.String()
		a.Value, a.Leftover = text, nil
	}
	return a
}

// encode returns the type and the payload of an annotation: the stored one if
// it still fits. It returns false, and reports why, if there is none.
func (w *annotationWriter) encode(a model.Annotation) (typ uint8, payload []byte, ok bool) {
	if typ, ok = payloadType(a.Value); ok {
		raw := a.Leftover.From(Format)
		if raw != nil && len(raw) <= maxPayload && DecodePayload(typ, raw, w.ctx.Page).Equal(a.Value) {
			return typ, raw, true
		}
	}
	var err error
	w.payload, typ, err = AppendPayload(w.payload[:0], a.Value, w.ctx.Page)
	switch {
	case errors.Is(err, model.ErrTooLarge):
		w.lost(a, "too large for an annotation of this format")
		return 0, nil, false
	case err != nil:
		w.lost(a, "not an annotation of this format")
		return 0, nil, false
	}
	if w.report != nil {
		w.explain(a, DecodePayload(typ, w.payload, w.ctx.Page))
	}
	return typ, w.payload, true
}
