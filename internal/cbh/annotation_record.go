package cbh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"unicode/utf8"

	"cbkit/internal/wire"
	"cbkit/model"
)

// AnnotationContext is what a record of annotations belongs to.
type AnnotationContext struct {
	// Game is the id of the game, from 1.
	Game model.RecordID
	// Moves are the moves of the game, nil if they are not known. Positions
	// behind the last of them go to the end of the main line.
	Moves *model.Tree
	// Page is the code page of texts that are not UTF-8.
	Page CodePage
	// List is memory for the list of DecodeAnnotations, to be used again.
	List []model.Annotation
	// Damage is why the list is only the beginning of the stored record, nil
	// if it is not: model.Game.AnnotationsErr. Only AppendAnnotations asks.
	Damage error
	// Ordered asks AppendAnnotations for a record in order, with the right count,
	// even if a leftover has another one.
	Ordered bool
}

// AnnotationHead is the head of a record.
type AnnotationHead struct {
	// Game is the id of the game as it is stored; some programs write 0.
	Game     uint32
	Constant [4]byte // 01 00 0E 0E
	// Count is the number of annotations plus one.
	Count uint32
	// Size of the record in bytes, the head included.
	Size uint32
}

// AnnotationRecord is a decoded record of the .cba file.
type AnnotationRecord struct {
	// StoredGame is the id of the game in the record. It should be that of
	// the game, and nothing depends on it.
	StoredGame uint32
	// List is sorted by node.
	List []model.Annotation
	// Disorder says that the stored positions do not ascend, or that the head
	// counts other annotations than there are.
	Disorder bool
	// Leftover is the whole record where its list would not give the same
	// bytes again, nil otherwise: [model.GameLeftovers].Annotations.
	Leftover *model.Leftover
}

// DecodeAnnotationHead reads the first [AnnotationHeadSize] bytes of b, which
// tell how long the record is.
func DecodeAnnotationHead(b []byte) (AnnotationHead, error) {
	c := wire.NewCursor(b)
	h := AnnotationHead{Game: c.U24BE()}
	copy(h.Constant[:], c.Bytes(len(h.Constant)))
	h.Count, h.Size = c.U24BE(), c.U32BE()
	if c.Err() == nil && h.Size < AnnotationHeadSize {
		return h, fail(10, "size", fmt.Errorf("%d is less than the head: %w", h.Size, model.ErrCorrupt))
	}
	return h, c.Err()
}

// RenumberAnnotations gives a record that names the game it belongs to another
// game. One that names some other stays as it is.
func RenumberAnnotations(record []byte, from, to model.RecordID) {
	if int64(wire.U24BE(record)) == int64(from) {
		wire.AppendU24BE(record[:0], uint32(to))
	}
}

// append appends the head of a record.
func (h *AnnotationHead) append(dst []byte) []byte {
	dst = wire.AppendU24BE(dst, h.Game)
	dst = append(dst, h.Constant[:]...)
	dst = wire.AppendU24BE(dst, h.Count)
	return wire.AppendU32BE(dst, h.Size)
}

// DecodeAnnotations decodes a record, which must be all of rec. It accepts a
// wrong game id, constant and count, and positions in any order or outside the
// game, as long as the sizes lead exactly to the end.
//
// With raw, the leftovers of the record and of its annotations keep every byte
// that [AppendAnnotations] would write differently. That of the record is
// there after an error too.
//
// The error says how many annotations could be read; the list has those.
func DecodeAnnotations(rec []byte, ctx AnnotationContext, raw bool) (AnnotationRecord, error) {
	d := annotationDecoder{ctx: ctx, raw: raw, canonical: true, last: math.MinInt32}
	stored, err := d.decode(rec)
	out := AnnotationRecord{StoredGame: stored, List: d.list, Disorder: d.disorder}
	if raw && (err != nil || !d.canonical) {
		out.Leftover = wholeRecord(rec, ctx.Game)
	}
	return out, err
}

// annotationDecoder holds the state of DecodeAnnotations.
type annotationDecoder struct {
	ctx  AnnotationContext
	raw  bool
	list []model.Annotation
	// canonical says that AppendAnnotations would write the same record.
	canonical bool
	disorder  bool
	last      int32 // the stored position before
	scratch   []byte
	// whole is the record as a string once there is a text: texts of ASCII or
	// UTF-8 are parts of it.
	rec   []byte
	whole string
}

func (d *annotationDecoder) decode(rec []byte) (storedGame uint32, err error) {
	h, err := DecodeAnnotationHead(rec)
	if err != nil {
		return h.Game, err
	}
	if int64(h.Size) != int64(len(rec)) {
		return h.Game, fail(10, "size", fmt.Errorf("%d of a record with %d bytes: %w", h.Size, len(rec), model.ErrCorrupt))
	}
	d.rec = rec
	// The count may lie, but not make us allocate more than the bytes allow.
	d.list = slices.Grow(d.ctx.List[:0], min(int(h.Count), len(rec)/annotationItemHead))
	if !d.raw && d.quick(rec) {
		d.disorder = d.disorder || int64(h.Count) != int64(len(d.list))+1
		d.sort()
		return h.Game, nil
	}
	d.list, d.disorder, d.last = d.list[:0], false, math.MinInt32
	for item, err := range AnnotationItems(rec) {
		if err != nil {
			d.sort()
			return h.Game, d.damage(err, &h)
		}
		d.add(&item)
	}
	d.disorder = d.disorder || int64(h.Count) != int64(len(d.list))+1
	d.canonical = d.canonical && len(d.list) > 0 && int64(h.Game) == int64(d.ctx.Game) &&
		h.Constant == AnnotationConstant && int(h.Count) == len(d.list)+1
	d.sort()
	return h.Game, nil
}

// quick reads the annotations where it is not asked whether they would be written in
// the same bytes. It reports false where their sizes do not lead to the end.
func (d *annotationDecoder) quick(rec []byte) bool {
	for at := AnnotationHeadSize; at < len(rec); {
		rest := rec[at:]
		if len(rest) < annotationItemHead {
			return false
		}
		size := int(binary.BigEndian.Uint16(rest[4:]))
		if size < annotationItemHead || size > len(rest) {
			return false
		}
		item := AnnotationItem{Offset: int64(at), Position: int32(binary.BigEndian.Uint32(rest)) >> 8, Type: rest[3],
			Payload: rest[annotationItemHead:size:size]}
		d.disorder = d.disorder || item.Position < d.last
		d.last = item.Position
		d.list = append(d.list, model.Annotation{Node: d.node(item.Position), Value: d.value(&item)})
		at += size
	}
	return true
}

// damage adds to an error how many annotations could be read.
func (d *annotationDecoder) damage(err error, h *AnnotationHead) error {
	e, ok := errors.AsType[*model.FormatError](err)
	if !ok {
		return err
	}
	counted := *e
	counted.Err = fmt.Errorf("%w (%d of %d annotations could be read)", e.Err, len(d.list), int64(h.Count)-1)
	return &counted
}

// sort sorts the list by node, which a sound record does itself.
func (d *annotationDecoder) sort() {
	if !slices.IsSortedFunc(d.list, byNode) {
		d.canonical = false
		slices.SortStableFunc(d.list, byNode)
	}
}

// add puts an annotation on the list.
func (d *annotationDecoder) add(item *AnnotationItem) {
	a := model.Annotation{Node: d.node(item.Position), Value: d.value(item)}
	d.disorder = d.disorder || item.Position < d.last
	d.last = item.Position
	if a.Node != item.Position || item.Repeated {
		d.canonical = false
	}
	if d.raw {
		a.Leftover = d.payloadLeftover(item.Payload, a.Value)
	}
	d.list = append(d.list, a)
}

// value returns the value of an annotation.
func (d *annotationDecoder) value(item *AnnotationItem) model.Value {
	p := item.Payload
	if isText := item.Type&^0x80 == annotationText && len(p) >= 2; !isText || !utf8.Valid(p[2:]) {
		return DecodePayload(item.Type, p, d.ctx.Page)
	}
	if d.whole == "" {
		d.whole = string(d.rec)
	}
	from := int(item.Offset) + annotationItemHead
	return model.Text{Language: model.Language(p[1]), Before: item.Type == annotationTextBefore, Text: d.whole[from+2 : from+len(p)]}
}

// node returns the node that a stored position belongs to.
func (d *annotationDecoder) node(position int32) int32 {
	switch {
	case position < model.NoNode:
		return model.NoNode
	case d.ctx.Moves != nil && int(position) >= d.ctx.Moves.Len():
		return int32(d.ctx.Moves.MainLen() - 1) // without moves: NoNode
	}
	return position
}

// payloadLeftover keeps a payload that would be written differently.
func (d *annotationDecoder) payloadLeftover(payload []byte, v model.Value) *model.Leftover {
	if isOpaque(v) {
		return nil
	}
	var err error
	d.scratch, _, err = AppendPayload(d.scratch[:0], v, d.ctx.Page)
	if err == nil && bytes.Equal(d.scratch, payload) && !hasEmpty(v) {
		return nil
	}
	return &model.Leftover{Format: Format, Data: slices.Clone(payload)}
}

func isOpaque(v model.Value) bool {
	_, ok := v.(model.Opaque)
	return ok
}

func byNode(a, b model.Annotation) int { return int(a.Node) - int(b.Node) }

// placeContent knows which annotations a place has: at most one of each type,
// of texts one for each language and side (docs/formats/cba.md 3).
type placeContent struct {
	node  int32
	types [256 / 64]uint64
	texts [2][256 / 64]uint64 // by side and language
}

// add notes an annotation. It returns false if the place has one like it.
// Places must come in order.
func (p *placeContent) add(node int32, typ uint8, payload []byte) bool {
	if node != p.node {
		*p = placeContent{node: node}
	}
	set, n := &p.types, typ
	if typ&^0x80 == annotationText && len(payload) >= 2 {
		set, n = &p.texts[typ>>7], payload[1]
	}
	bit := uint64(1) << (n % 64)
	found := set[n/64]&bit != 0
	set[n/64] |= bit
	return !found
}

// wholeRecord keeps a record as it is, behind the id of the game it was read
// from in four bytes: a copy under another id has to put that into the head.
func wholeRecord(rec []byte, game model.RecordID) *model.Leftover {
	data := wire.AppendU32BE(make([]byte, 0, 4+len(rec)), uint32(game))
	return &model.Leftover{Format: Format, Data: append(data, rec...)}
}

// AnnotationItem is one annotation as a record stores it.
type AnnotationItem struct {
	// Offset of the item in the record, in bytes.
	Offset int64
	// Position is the index of a move in stored order, -1 for the whole game.
	Position int32
	Type     uint8
	// Payload is part of the record.
	Payload []byte
	// Repeated says that the place has had one like it: of texts one in the
	// same language and on the same side, of other types one of the type.
	Repeated bool
}

// Size returns the size of the item in bytes, its head included.
func (i *AnnotationItem) Size() int { return annotationItemHead + len(i.Payload) }

// AnnotationItems yields the annotations of a record one after the other, as
// far as their sizes lead, and at last the error where they do not lead to its
// end.
func AnnotationItems(rec []byte) iter.Seq2[AnnotationItem, error] {
	return func(yield func(AnnotationItem, error) bool) {
		c := wire.NewCursor(rec)
		var place placeContent
		for c.Skip(AnnotationHeadSize); c.Len() > 0; {
			i := AnnotationItem{Offset: c.Offset(), Position: c.I24BE(), Type: c.U8()}
			size := int(c.U16BE())
			if c.Err() == nil && size < annotationItemHead {
				err := fail(i.Offset+4, "size", fmt.Errorf("%d is less than the head: %w", size, model.ErrCorrupt))
				yield(i, err)
				return
			}
			i.Payload = c.Bytes(size - annotationItemHead)
			if c.Err() != nil {
				break
			}
			i.Repeated = !place.add(i.Position, i.Type, i.Payload)
			if !yield(i, nil) {
				return
			}
		}
		if err := c.Err(); err != nil {
			yield(AnnotationItem{}, err)
		}
	}
}

// AnnotationsEnd returns where the annotations of a record end, which may be longer than
// its head says: as many as the head counts, or the first ones whose sizes can be. all
// reports whether these are all.
func AnnotationsEnd(rec []byte) (end int64, all bool) {
	end = AnnotationHeadSize
	left := int64(wire.U24BE(rec[7:])) - 1
	for item, err := range AnnotationItems(rec) {
		if err != nil || left == 0 {
			break
		}
		left--
		end = item.Offset + int64(item.Size())
	}
	return end, left == 0
}

// AppendAnnotationItem appends an annotation as a record stores it when no
// older bytes of it are known. The errors are those of [AppendPayload].
func AppendAnnotationItem(dst []byte, node int32, v model.Value, page CodePage) ([]byte, error) {
	start := len(dst)
	out, typ, err := AppendPayload(append(dst, make([]byte, annotationItemHead)...), v, page)
	if err != nil {
		return dst, err
	}
	head := wire.AppendI24BE(out[:start], node)
	wire.AppendU16BE(append(head, typ), uint16(len(out)-start))
	return out, nil
}
