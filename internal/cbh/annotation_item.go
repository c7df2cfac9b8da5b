package cbh

import (
	"fmt"
	"iter"

	"cbkit/internal/wire"
	"cbkit/model"
)

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
