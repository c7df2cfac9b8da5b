package cbh

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

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
// blank. Values that say nothing, and the part of a damaged record that could
// not be read, are left out unless a leftover has them.
func AppendAnnotations(dst []byte, list []model.Annotation, leftover *model.Leftover, ctx AnnotationContext, report model.Report) []byte {
	if rec := storedRecord(list, leftover, ctx); rec != nil {
		return append(dst, rec...)
	}
	if !slices.IsSortedFunc(list, byNode) {
		list = slices.Clone(list)
		slices.SortStableFunc(list, byNode)
	}
	w := annotationWriter{ctx: ctx, report: report, start: len(dst)}
	if ctx.Damage != nil {
		report.Add(model.LostAnnotation, ctx.Game, "annotations", "what could not be read: %v", ctx.Damage)
	}
	w.out = wire.AppendZeros(dst, AnnotationHeadSize)
	for i := range list {
		if !w.addUsual(list, i) {
			w.add(list, i)
		}
	}
	if w.count == 0 {
		return w.out[:w.start]
	}
	h := AnnotationHead{
		Game: uint32(ctx.Game), Constant: AnnotationConstant,
		Count: uint32(w.count + 1), Size: uint32(len(w.out) - w.start),
	}
	h.append(w.out[:w.start]) // over the zeros
	return w.out
}

// storedRecord returns the record in a leftover if it still says the same as
// the list: all of it, or if it is damaged as much as can be read. One that is out
// of order, or counts wrongly, is none where order is asked for.
func storedRecord(list []model.Annotation, leftover *model.Leftover, ctx AnnotationContext) []byte {
	c := wire.NewCursor(leftover.From(Format))
	game := model.RecordID(c.U32BE())
	rec := c.Rest()
	if c.Err() != nil {
		return nil
	}
	stored, err := DecodeAnnotations(rec, ctx, false)
	if err == nil && stored.Disorder && ctx.Ordered || (err != nil) != (ctx.Damage != nil) || !slices.EqualFunc(list, stored.List, equalAnnotations) {
		return nil
	}
	if game != ctx.Game && len(rec) >= 3 {
		rec = append(wire.AppendU24BE(nil, uint32(ctx.Game)), rec[3:]...)
	}
	return rec
}

// HasWholeAnnotations reports whether the leftover of a game's annotations is a
// record of the size it says, so that a reader of the file finds its end.
func HasWholeAnnotations(l *model.Leftover) bool {
	c := wire.NewCursor(l.From(Format))
	c.U32BE()
	rec := c.Rest()
	h, err := DecodeAnnotationHead(rec)
	return err == nil && int64(h.Size) == int64(len(rec))
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

// addUsual writes the annotation list[i] if it is as most are: a text that is
// alone at its move and of which nothing is lost. The bytes are those of add.
func (w *annotationWriter) addUsual(list []model.Annotation, i int) bool {
	a := &list[i]
	text, isText := a.Value.(model.Text)
	switch {
	case !isText || a.Leftover != nil || text.Text == "" || !textReadsBack(text):
		return false
	case i > 0 && list[i-1].Node == a.Node || i+1 < len(list) && list[i+1].Node == a.Node:
		return false
	case a.Node < model.NoNode || a.Node > maxPosition || w.count == maxAnnotationCount || int64(len(w.out)-w.start) > maxRecord-0xFFFF:
		return false
	}
	from := len(w.out)
	w.out = append(wire.AppendI24BE(w.out, a.Node), textType(text), 0, 0)
	w.out = appendText(w.out, text, w.ctx.Page)
	binary.BigEndian.PutUint16(w.out[from+4:], uint16(len(w.out)-from))
	w.count++
	return true
}

// add writes the annotation list[i], with the texts behind it that belong to
// it.
func (w *annotationWriter) add(list []model.Annotation, i int) {
	a, ok := w.withoutEmpty(list[i])
	switch {
	case !ok:
		return
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
		if other.Text == "" && !w.isStored(b) {
			continue // left out
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

// withoutEmpty takes from an annotation what is never stored, unless a leftover
// shows that it was. It returns false if nothing remains; both are reported.
func (w *annotationWriter) withoutEmpty(a model.Annotation) (model.Annotation, bool) {
	if !hasEmpty(a.Value) || w.isStored(a) {
		return a, true
	}
	rest := withoutEmpty(a.Value)
	if rest == nil {
		w.lost(a, "nothing in it can be stored")
		return a, false
	}
	w.changed(a, "arrows that lead nowhere are left out")
	a.Value = rest
	return a, true
}

// isStored reports whether a leftover has the payload of an annotation.
func (w *annotationWriter) isStored(a model.Annotation) bool {
	_, _, ok := w.stored(a)
	return ok
}

// stored returns the type and the payload of an annotation from its leftover,
// false if that does not fit the value.
func (w *annotationWriter) stored(a model.Annotation) (typ uint8, payload []byte, ok bool) {
	if a.Leftover == nil || a.Leftover.Format != Format {
		return 0, nil, false
	}
	payload = a.Leftover.Data
	if typ, ok = payloadType(a.Value); !ok || len(payload) > maxPayload {
		return 0, nil, false
	}
	return typ, payload, DecodePayload(typ, payload, w.ctx.Page).Equal(a.Value)
}

// encode returns the type and the payload of an annotation: the stored one if
// it still fits. It returns false, and reports why, if there is none.
func (w *annotationWriter) encode(a model.Annotation) (typ uint8, payload []byte, ok bool) {
	if typ, payload, ok = w.stored(a); ok {
		return typ, payload, true
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
	if w.report != nil && !readsBack(a.Value) {
		w.explain(a, DecodePayload(typ, w.payload, w.ctx.Page))
	}
	return typ, w.payload, true
}

// readsBack reports, for most values of the commonest kinds, that what is written
// of them reads back as they are, so that it need not be read to know.
func readsBack(v model.Value) bool {
	switch v := v.(type) {
	case model.Text:
		return textReadsBack(v)
	case model.Symbols:
		return len(v.More) == 0 && foldNAG(v.Move) == v.Move && foldNAG(v.Position) == v.Position && foldNAG(v.Prefix) == v.Prefix
	case model.Squares:
		return !slices.ContainsFunc(v, func(s model.ColoredSquare) bool { return s.Square >= model.NoSquare })
	case model.Arrows:
		return !slices.ContainsFunc(v, func(a model.ColoredArrow) bool { return max(a.From, a.To) >= model.NoSquare })
	}
	return false
}

func textReadsBack(t model.Text) bool {
	return t.Language < model.GuideLanguageBase && len(t.Text) <= maxPayload-2 && utf8.ValidString(t.Text)
}

// lost reports an annotation that is not written.
func (w *annotationWriter) lost(a model.Annotation, format string, args ...any) {
	w.reportLoss(model.LostAnnotation, a, format, args...)
}

// changed reports an annotation that is written in another form.
func (w *annotationWriter) changed(a model.Annotation, format string, args ...any) {
	w.reportLoss(model.Changed, a, format, args...)
}

func (w *annotationWriter) reportLoss(kind model.LossKind, a model.Annotation, format string, args ...any) {
	w.report.Add(kind, w.ctx.Game, string(a.Value.Kind()), format, args...)
}

// explain reports in what a value as it was written, and reads back, differs
// from the one that was to be written.
func (w *annotationWriter) explain(a model.Annotation, got model.Value) {
	if got.Equal(a.Value) || isOpaque(a.Value) {
		return
	}
	switch v := a.Value.(type) {
	case model.Text:
		w.explainText(a, v, got)
	case model.Symbols:
		w.explainSymbols(a, v)
	case model.Quotation:
		w.explainQuotation(a, v, got)
	case model.WebLink:
		g, _ := got.(model.WebLink)
		w.explainString(a, v.URL, g.URL)
		w.explainString(a, v.Caption, g.Caption)
	case model.Training:
		w.changed(a, "a language without a number in training questions became any language")
	default:
		w.changed(a, "a value outside its range was written as another")
	}
}

func (w *annotationWriter) explainString(a model.Annotation, want, got string) {
	explainString(w.report, w.ctx.Game, string(a.Value.Kind()), want, got)
}

func (w *annotationWriter) explainText(a model.Annotation, v model.Text, got model.Value) {
	g, _ := got.(model.Text)
	if g.Language != v.Language {
		w.changed(a, "language %s became any language", v.Language)
	}
	w.explainString(a, v.Text, g.Text)
}

// explainString reports a difference between a string and what reads back.
func explainString(report model.Report, record model.RecordID, field, want, got string) {
	switch {
	case got == want:
	case strings.HasPrefix(want, got):
		report.Add(model.LostTextEnd, record, field, "cut to %d of %d bytes: %.40q", len(got), len(want), want)
	default:
		report.Add(model.Changed, record, field, "bytes that are not UTF-8, or line ends, have another form: %.40q", want)
	}
}

func (w *annotationWriter) explainSymbols(a model.Annotation, v model.Symbols) {
	for _, n := range []model.NAG{v.Prefix, v.Move, v.Position} {
		if stored := foldNAG(n); stored != n {
			w.changed(a, "$%d became $%d", n, stored)
		}
	}
	for _, n := range v.More {
		w.lost(a, "$%d: its place among the symbols is taken", n)
	}
}

func (w *annotationWriter) explainQuotation(a model.Annotation, v model.Quotation, got model.Value) {
	g, _ := got.(model.Quotation)
	w.explainString(a, v.White, g.White)
	w.explainString(a, v.Black, g.Black)
	w.explainString(a, v.Event, g.Event)
	w.explainString(a, v.Site, g.Site)
	g.White, g.Black, g.Event, g.Site = v.White, v.Black, v.Event, v.Site
	if !g.Equal(v) {
		w.changed(a, "the date, the starting position or a move of the game %s - %s has another form here", v.White, v.Black)
	}
}
