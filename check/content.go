package check

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"cbkit/internal/cbh"
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
		w.addDecodeError(code, in, "the moves do not decode", err)
		return
	}
	w.facts.hasMoves = true
	in.Field = "moves"
	form := &w.moves.Form
	w.addSome(codeMoveDummy, in, len(form.Dummies), "byte", "hold %s without a meaning")
	if form.NoEnd {
		w.add(codeMoveEnd, in, "end without the mark of the end")
	}
	w.addSome(codeMoveTrailer, in, len(form.Trailer), "byte", "%s behind their end")
	w.addSome(codeMoveForm, in, len(form.Words), "move", "%s in two bytes that a code of one byte says")
	w.addSome(codeMoveForm, in, len(form.Twins), "move", "%s in the second of two codes that say the same")
	if !w.moves.HasStart {
		return
	}
	start := &w.moves.Start
	var odd []string
	if m := p.bytes[startMarkerAt]; m != startMarker {
		odd = append(odd, fmt.Sprintf("marker %d instead of %d", m, startMarker))
	}
	file := p.bytes[startFlagsAt] & 0x0F
	switch {
	case file > 8:
		odd = append(odd, fmt.Sprintf("%d is no file of an en passant capture", file))
	case start.EnPassant != model.NoFile && !namesPawn(start):
		odd = append(odd, fmt.Sprintf("no pawn on the %c-file can have made two steps, as its en passant byte says",
			'a'+start.EnPassant))
	}
	if p.bytes[startFlagsAt]&^0x1F != 0 || p.bytes[startRightsAt]&^rightsMask != 0 {
		odd = append(odd, "bits that mean nothing")
	}
	if start.Chess960 && !validSquares(p.bytes, start) {
		odd = append(odd, "squares of kings and rooks where none stand")
	}
	if len(odd) > 0 {
		in.Offset, in.Field = p.At+moveenc.HeadSize, "start position"
		w.add(codeStartBlock, in, "%s", strings.Join(odd, "; "))
	}
}

// The start position of a game is behind the head of its record
// (docs/formats/cbg.md 4). A move number of 0 and a wrong number of a Chess960 position
// are usual, and rights may be missing.
const (
	startMarkerAt = moveenc.HeadSize
	startFlagsAt  = startMarkerAt + 1 // e.p. file and side to move
	startRightsAt = startMarkerAt + 2
	startKingsAt  = startMarkerAt + 28 // Chess960: kings, then rooks

	startMarker = 1
	rightsMask  = 0x0F
)

// namesPawn reports whether the pawn that the en passant file names is there,
// with the two squares behind it free.
func namesPawn(p *model.Position) bool {
	pawn, step := model.NewPiece(model.Black, model.Pawn), 1
	rank := 4
	if p.Turn == model.Black {
		pawn, step, rank = model.NewPiece(model.White, model.Pawn), -1, 3
	}
	on := func(rank int) model.Piece { return p.Board[model.NewSquare(int(p.EnPassant), rank)] }
	return on(rank) == pawn && on(rank+step) == model.NoPiece && on(rank+2*step) == model.NoPiece
}

// validSquares reports whether kings, and rooks with a right to castle, stand
// where the Chess960 part of a start position says.
func validSquares(rec []byte, p *model.Position) bool {
	squares := rec[startKingsAt : startKingsAt+6]
	for i, n := range squares {
		if n > 63 {
			return false
		}
		s := model.SquareFromFileMajor(n)
		if i < 2 && s != p.KingSquare(model.Color(i)) {
			return false
		}
		if i >= 2 && rec[startRightsAt]&rightOf[i-2] != 0 && p.Board[s] != model.NewPiece(model.Color(i/2-1), model.Rook) {
			return false
		}
	}
	return true
}

// rightOf are the bits of the castling rights in the order of the rooks.
var rightOf = [4]byte{1 << 1, 1 << 0, 1 << 3, 1 << 2}

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
			w.mend.fix(codeTextMark, in, []Edit{w.mend.put(in.File, p.At, []byte{p.bytes[0] | mark})},
				"not marked as a guiding text; now it is")
		}
	}
	guide, err := rec.decodeGuide()
	if err != nil {
		code := codeText
		if errors.Is(err, model.ErrUnsupported) {
			code = codeUnsupportedText
		}
		w.addDecodeError(code, in, "the text does not decode", err)
		return
	}
	for _, list := range [][]model.LocalText{guide.Titles, guide.Contents} {
		for _, t := range list {
			w.out.foreign.see(".cbg", t.Text)
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
		w.addDecodeError(codeAnnotationRecord, in, "the annotations do not decode", err)
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
	var disorder, beyond, repeated, opaque, otherForm int // annotations that are not as usual
	var opaqueType uint8                                  // the first of them
	var firstForm string
	last := int32(model.NoNode) // position of the annotation before
	for i := range n.items {
		item := &n.items[i]
		if item.Position < last {
			disorder++
		}
		last = item.Position
		if item.Position < model.NoNode || w.facts.hasMoves && int(item.Position) >= w.moves.Moves.Len() {
			beyond++
		}
		if item.Repeated {
			repeated++
		}
		value := n.value(i, w.d.page)
		switch v := value.(type) {
		case model.Text:
			w.out.foreign.see(".cba", v.Text)
		case model.Opaque:
			if opaque++; opaque == 1 {
				opaqueType = v.Type
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
			w.out.utf8++
		} else if otherForm++; otherForm == 1 {
			firstForm = form
		}
	}
	if n.itemsErr != nil {
		w.addDecodeError(codeAnnotationRecord, in, "the annotations do not decode", n.itemsErr)
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
	w.addSome(codeAnnotationOrder, in, disorder, "annotation", "%s behind one of a later move")
	w.addSome(codeAnnotationPosition, in, beyond, "annotation", "%s of a move that the game does not have")
	w.addSome(codeAnnotationDuplicate, in, repeated, "annotation", "%s of the same type, or language, as another at the same move")
	if opaque > 0 {
		w.add(codeAnnotationOpaque, in,
			"%s not understood, the first of type %02x", quantity(opaque, "annotation"), opaqueType)
	}
	if otherForm > 0 {
		w.add(codeAnnotationForm, in,
			"%s stored in another form than values are, the first: %s", quantity(otherForm, "annotation"), firstForm)
	}
	w.facts.hasAnnotations = true
	w.facts.annotations = cbh.FactsOf(p.bytes)
	if w.mend != nil && w.ownsAnnotations(rec) {
		w.mend.nameAnnotations(rec.id, p.At, p.bytes)
	}
}

// ownsAnnotations reports whether a game is known to have no annotations, or those at
// hand, which are whole, and name it or no game at all.
func (w *recordChecker) ownsAnnotations(rec *record) bool {
	m := w.mend
	if !rec.annotations.there {
		return m.annotations.isSound()
	}
	if !w.facts.hasAnnotations || m.annotations.overlapping.has(rec.id) {
		return false
	}
	named := int64(wire.U24BE(rec.annotations.bytes))
	return named == int64(rec.id) || named == 0 || named > max(int64(m.count), int64(m.headers.Head.Next)-1)
}

// nameAnnotations makes the head of annotations true: the game that they belong to, the
// bytes that all heads have, and their number.
func (m *mender) nameAnnotations(id model.RecordID, at int64, annotations []byte) {
	const countAt, size = 7, 10
	count := cbh.FactsOf(annotations).Count + 1
	want := append(wire.AppendU24BE(nil, uint32(id)), cbh.AnnotationConstant[:]...)
	want = wire.AppendU24BE(want, uint32(count))
	have := annotations[:size]
	if !bytes.Equal(have[:countAt], want[:countAt]) {
		m.fix(codeAnnotationHead, inRecord(".cba", id, at, "head"), []Edit{m.put(".cba", at, want[:countAt])},
			"% x, now % x", have[:countAt], want[:countAt])
	}
	if !bytes.Equal(have[countAt:], want[countAt:]) {
		m.fix(codeAnnotationCount, inRecord(".cba", id, at+countAt, "count"), []Edit{m.put(".cba", at+countAt, want[countAt:])},
			"%d, now %d", wire.U24BE(have[countAt:]), count)
	}
}
