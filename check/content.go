package check

import (
	"bytes"
	"cmp"
	"errors"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/moveenc"
)

// checkMoves decodes the moves of a game. (docs/formats/cbg.md)
func (w *recordChecker) checkMoves(rec *record) {
	p := &rec.moves
	if p.bytes == nil {
		return
	}
	in := inRecord(".cbg", rec.id, p.At, "")
	var err error
	if w.moves, err = rec.decodeMoves(); err != nil {
		code := codeMoves
		if errors.Is(err, model.ErrUnsupported) {
			code = codeUnsupportedMoves
		}
		w.addError(code, in, "the moves do not decode", err)
		return
	}
	w.facts.hasMoves = true
	in.Field = "moves"
	form := &w.moves.Form
	if n := len(form.Dummies); n > 0 {
		w.add(codeMoveDummy, in, "hold %s without a meaning", quantity(n, "byte"))
	}
	if form.NoEnd {
		w.add(codeMoveEnd, in, "end without the mark of the end")
	}
	if n := len(form.Trailer); n > 0 {
		w.add(codeMoveTrailer, in, "%s behind their end", quantity(n, "byte"))
	}
	if n := len(form.Words); n > 0 {
		w.add(codeMoveForm, in, "%s in two bytes that a code of one byte says", quantity(n, "move"))
	}
	if n := len(form.Twins); n > 0 {
		w.add(codeMoveForm, in, "%s in the second of two codes that say the same", quantity(n, "move"))
	}
	if odd := startOddities(p.bytes, w.moves); odd != "" {
		in.Offset, in.Field = p.At+moveenc.HeadSize, "start position"
		w.add(codeStartBlock, in, "%s", odd)
	}
}

// checkGuide decodes the content of a guiding text. (docs/formats/cbg.md 8)
func (w *recordChecker) checkGuide(rec *record) {
	p := &rec.moves
	if p.bytes == nil {
		return
	}
	in := inRecord(".cbg", rec.id, p.At, "")
	if head, err := moveenc.DecodeHead(p.bytes); err == nil && !head.Bit7 {
		w.add(codeTextMark, in, "is not marked as a guiding text")
		if w.isDecoded(rec) {
			const mark = 1 << 7
			w.mend.fix(codeTextMark, in, []Edit{w.mend.put(in.File, p.At, []byte{p.bytes[0] | mark})}, "not marked as a guiding text; now it is")
		}
	}
	guide, err := rec.decodeGuide()
	if err != nil {
		code := codeText
		if errors.Is(err, model.ErrUnsupported) {
			code = codeUnsupportedText
		}
		w.addError(code, in, "the text does not decode", err)
		return
	}
	for _, list := range [][]model.LocalText{guide.Titles, guide.Contents} {
		for _, t := range list {
			w.foreign.see(".cbg", t.Text)
		}
	}
}

// checkAnnotations looks at the annotations of a game. (docs/formats/cba.md 3, 4)
func (w *recordChecker) checkAnnotations(rec *record) {
	p := &rec.annotations
	if p.bytes == nil {
		w.facts.hasAnnotations = !p.there && w.d.annotations != nil
		return
	}
	h, err := cbh.DecodeAnnotationHead(p.bytes)
	if err != nil { // a part has the size of its head at least
		w.addError(codeAnnotationRecord, inRecord(".cba", rec.id, p.At, ""), "the annotations do not decode", err)
		return
	}
	s := annotationSurvey{recordChecker: w, in: inRecord(".cba", rec.id, p.At, ""), head: &h, last: model.NoNode}
	s.checkHead(rec.id)
	n := rec.decodeAnnotations()
	for i := range n.items {
		s.see(n, i)
	}
	if n.itemsErr != nil {
		w.addError(codeAnnotationRecord, s.in, "the annotations do not decode", n.itemsErr)
		return
	}
	s.finish()
	w.facts.hasAnnotations = true
	w.facts.annotations = cbh.FactsOf(p.bytes)
	if w.mend != nil && w.ownsAnnotations(rec, w.isDecoded(rec)) {
		w.mend.nameAnnotations(rec.id, p.At, p.bytes)
	}
}

// ownsNotes reports whether a game is known to have no annotations, or those at hand,
// which are whole: they name it, or no game at all; or another one, which has some
// that name it, while these are all that the header of the game says of its own.
func (w *recordChecker) ownsAnnotations(rec *record, hasMoves bool) bool {
	m := w.mend
	if !rec.annotations.there {
		return m.annotations.isSound()
	}
	if !w.facts.hasAnnotations || m.annotations.overlapping.has(rec.id) {
		return false
	}
	named, own := int64(wire.U24BE(rec.annotations.bytes)), m.number(rec.id)
	if named == own || named == 0 || named > max(m.number(m.count), int64(m.headers.Head.Next)-1) {
		return true
	}
	if !hasMoves || !cbhdb.AnnotationsFit(rec.head, rec.annotations.bytes, w.moves.Moves.Len()) || m.isNamed(rec.id) {
		return false
	}
	is, err := m.hasNamed(named)
	m.err = cmp.Or(m.err, err)
	return is
}

// annotationSurvey is the look at one record of annotations.
type annotationSurvey struct {
	*recordChecker
	in    place
	head  *cbh.AnnotationHead
	count int
	last  int32 // position of the annotation before

	disorder, beyond, repeated, opaque, otherForm int

	opaqueType uint8  // the first of them
	form       string // of the first of them
}

// checkHead looks at the head of the record.
func (s *annotationSurvey) checkHead(id model.RecordID) {
	in := s.in
	in.Field = "head"
	if int64(s.head.Game) != int64(id) {
		s.add(codeAnnotationHead, in, "names game %d", s.head.Game)
	}
	if s.head.Constant != cbh.AnnotationConstant {
		s.add(codeAnnotationHead, in, "has % x in the place of % x", s.head.Constant, cbh.AnnotationConstant)
	}
}

// see looks at an annotation.
func (s *annotationSurvey) see(n *decodedAnnotations, i int) {
	item := &n.items[i]
	s.count++
	if item.Position < s.last {
		s.disorder++
	}
	s.last = item.Position
	if item.Position < model.NoNode || s.facts.hasMoves && int(item.Position) >= s.moves.Moves.Len() {
		s.beyond++
	}
	if item.Repeated {
		s.repeated++
	}
	value := n.value(i, s.d.page)
	switch v := value.(type) {
	case model.Text:
		s.foreign.see(".cba", v.Text)
	case model.Opaque:
		if s.opaque++; s.opaque == 1 {
			s.opaqueType = v.Type
		}
		return
	}
	if !n.inOrder || n.List[i].Leftover != nil { // else it is stored as it is written
		s.compare(item, value)
	}
}

// compare looks at how an annotation is stored.
func (s *annotationSurvey) compare(item *cbh.AnnotationItem, v model.Value) {
	again, _, err := cbh.AppendPayload(s.payload[:0], v, s.d.page)
	s.payload = again
	isExact := err == nil && bytes.Equal(again, item.Payload)
	if isExact && (len(again) > 0 || v.Kind() != model.KindSymbols) {
		return
	}
	switch form := annotationForm(v.Kind(), item.Payload, again); {
	case form == reasonUTF8:
		s.utf8++
	default:
		if s.otherForm++; s.otherForm == 1 {
			s.form = form
		}
	}
}

// finish reports what was counted.
func (s *annotationSurvey) finish() {
	if int64(s.head.Count) != int64(s.count)+1 {
		in := s.in
		in.Offset, in.Field = in.Offset+7, "count"
		s.add(codeAnnotationCount, in, "is %d for %s, one more than these is right", s.head.Count, quantity(s.count, "annotation"))
	}
	if s.count == 0 {
		s.add(codeAnnotationEmpty, s.in, "holds no annotations")
	}
	if s.disorder > 0 {
		s.add(codeAnnotationOrder, s.in, "%s behind one of a later move", quantity(s.disorder, "annotation"))
	}
	if s.beyond > 0 {
		s.add(codeAnnotationPosition, s.in, "%s of a move that the game does not have", quantity(s.beyond, "annotation"))
	}
	if s.repeated > 0 {
		s.add(codeAnnotationDuplicate, s.in, "%s of the same type, or language, as another at the same move", quantity(s.repeated, "annotation"))
	}
	if s.opaque > 0 {
		s.add(codeAnnotationOpaque, s.in, "%s not understood, the first of type %02x", quantity(s.opaque, "annotation"), s.opaqueType)
	}
	if s.otherForm > 0 {
		s.add(codeAnnotationForm, s.in, "%s stored in another form than values are, the first: %s", quantity(s.otherForm, "annotation"), s.form)
	}
}
