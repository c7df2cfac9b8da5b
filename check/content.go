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

// flagPicture is set in texts that use media files (docs/formats/cbh-entities.md 4).
const flagPicture = 1 << 17

// checkText looks at the fields of a guiding text in the .cbh file, and decodes its
// content. (docs/formats/cbg.md 8)
func (w *recordChecker) checkText(rec *record) {
	t := &rec.text
	if t.Reserved5 != 0 || t.Reserved22 != [24]byte{} {
		w.add(codeUnknownBits, rec.in(&cbh.TextReserved), "bytes are set that were always zero")
	}
	// The flag without a list is usual in texts with pictures inside.
	if rec.ext != nil && rec.extValues.Media != cbh.NoMedia && t.Flags&flagPicture == 0 {
		w.add(codeTextFlags, rec.in(&cbh.TextFlags), "do not have the bit for pictures, though the text has a media list")
		if w.isDecoded(rec) && w.mend.extensions != nil {
			w.mendField(codeTextFlags, rec, &cbh.TextFlags, uint64(t.Flags|flagPicture))
		}
	}
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
	in := inRecord(".cba", rec.id, p.At, "")
	h, err := cbh.DecodeAnnotationHead(p.bytes)
	if err != nil { // a part has the size of its head at least
		w.addError(codeAnnotationRecord, in, "the annotations do not decode", err)
		return
	}
	head := in
	head.Field = "head"
	if int64(h.Game) != int64(rec.id) {
		w.add(codeAnnotationHead, head, "names game %d", h.Game)
	}
	if h.Constant != cbh.AnnotationConstant {
		w.add(codeAnnotationHead, head, "has % x in the place of % x", h.Constant, cbh.AnnotationConstant)
	}
	n := rec.decodeAnnotations()
	odd := w.surveyAnnotations(n)
	if n.itemsErr != nil {
		w.addError(codeAnnotationRecord, in, "the annotations do not decode", n.itemsErr)
		return
	}
	if count := len(n.items); int64(h.Count) != int64(count)+1 {
		at := in
		at.Offset, at.Field = at.Offset+7, "count"
		w.add(codeAnnotationCount, at, "is %d for %s, one more than these is right", h.Count, quantity(count, "annotation"))
	}
	if len(n.items) == 0 {
		w.add(codeAnnotationEmpty, in, "holds no annotations")
	}
	if odd.disorder > 0 {
		w.add(codeAnnotationOrder, in, "%s behind one of a later move", quantity(odd.disorder, "annotation"))
	}
	if odd.beyond > 0 {
		w.add(codeAnnotationPosition, in, "%s of a move that the game does not have", quantity(odd.beyond, "annotation"))
	}
	if odd.repeated > 0 {
		w.add(codeAnnotationDuplicate, in, "%s of the same type, or language, as another at the same move", quantity(odd.repeated, "annotation"))
	}
	if odd.opaque > 0 {
		w.add(codeAnnotationOpaque, in, "%s not understood, the first of type %02x", quantity(odd.opaque, "annotation"), odd.opaqueType)
	}
	if odd.otherForm > 0 {
		w.add(codeAnnotationForm, in, "%s stored in another form than values are, the first: %s", quantity(odd.otherForm, "annotation"), odd.form)
	}
	w.facts.hasAnnotations = true
	w.facts.annotations = cbh.FactsOf(p.bytes)
	if w.mend != nil && w.ownsAnnotations(rec, w.isDecoded(rec)) {
		w.mend.nameAnnotations(rec.id, p.At, p.bytes)
	}
}

// annotationOddities counts the annotations of a game that are not as they usually are.
type annotationOddities struct {
	disorder, beyond, repeated, opaque, otherForm int

	opaqueType uint8  // the first of them
	form       string // of the first of them
}

// surveyAnnotations looks at the annotations of a game one by one.
func (w *recordChecker) surveyAnnotations(n *decodedAnnotations) (odd annotationOddities) {
	last := int32(model.NoNode) // position of the annotation before
	for i := range n.items {
		item := &n.items[i]
		if item.Position < last {
			odd.disorder++
		}
		last = item.Position
		if item.Position < model.NoNode || w.facts.hasMoves && int(item.Position) >= w.moves.Moves.Len() {
			odd.beyond++
		}
		if item.Repeated {
			odd.repeated++
		}
		value := n.value(i, w.d.page)
		switch v := value.(type) {
		case model.Text:
			w.foreign.see(".cba", v.Text)
		case model.Opaque:
			if odd.opaque++; odd.opaque == 1 {
				odd.opaqueType = v.Type
			}
			continue
		}
		if n.inOrder && n.List[i].Leftover == nil {
			continue // it is stored as it is written
		}
		again, _, err := cbh.AppendPayload(w.payload[:0], value, w.d.page)
		w.payload = again
		kind := value.Kind()
		if err == nil && bytes.Equal(again, item.Payload) && (len(again) > 0 || kind != model.KindSymbols) {
			continue
		}
		if form := annotationForm(kind, item.Payload, again); form == reasonUTF8 {
			w.utf8++
		} else if odd.otherForm++; odd.otherForm == 1 {
			odd.form = form
		}
	}
	return odd
}

// ownsAnnotations reports whether a game is known to have no annotations, or those at hand,
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
