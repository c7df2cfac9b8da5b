package cbh

import (
	"encoding/binary"
	"math"
	"slices"

	"cbkit/model"
)

// A record of the .cba file holds the annotations of one game. All numbers of
// the record and of most payloads are big-endian (docs/formats/cba.md 3):
//
//	record                             annotation
//	+0   u24 game id                   +0  i24 position, -1: the whole game
//	+3   01 00 0E 0E                   +3  u8  type
//	+7   u24 number of annotations+1   +4  u16 size, these 6 bytes included
//	+10  u32 size of the record        +6  payload
//	+14  annotations
//
// A position is the index of a move in stored order, which is the index of a
// node in [model.Tree] (docs/formats/cba.md 4). The files annotation_*.go,
// quotation*.go and training.go hold the payloads, one subject each.
const (
	// AnnotationHeadSize is the size of the head of a record in bytes.
	AnnotationHeadSize = 14

	annotationItemHead = 6
	maxPayload         = 0xFFFF - annotationItemHead
	maxPosition        = 1<<23 - 1
	maxAnnotationCount = 1<<24 - 2 // the count is stored plus one
	maxRecord          = math.MaxUint32
)

// AnnotationConstant follows the game id in every record.
var AnnotationConstant = [4]byte{0x01, 0x00, 0x0E, 0x0E}

// Format names this format in leftovers and opaque annotations.
const Format = "cbh"

// The types of annotations whose payload is understood (docs/formats/cba.md 6 and 7).
const (
	annotationText           uint8 = 0x02
	annotationSymbols        uint8 = 0x03
	annotationSquares        uint8 = 0x04
	annotationArrows         uint8 = 0x05
	annotationTimeSpent      uint8 = 0x07
	annotationTraining       uint8 = 0x09
	annotationQuotation      uint8 = 0x13
	annotationPawnStructure  uint8 = 0x14
	annotationPiecePath      uint8 = 0x15
	annotationWhiteClock     uint8 = 0x16
	annotationBlackClock     uint8 = 0x17
	annotationCritical       uint8 = 0x18
	annotationWebLink        uint8 = 0x1C
	annotationEngine         uint8 = 0x21
	annotationMedals         uint8 = 0x22
	annotationVariationColor uint8 = 0x23
	annotationTimeControl    uint8 = 0x24
	annotationVideoTime      uint8 = 0x25
	annotationEvaluations    uint8 = 0x26
	annotationTextBefore     uint8 = 0x80 | annotationText

	// Opaque, but with a flag of their own.
	annotationVideo              uint8 = 0x20
	annotationCorrespondenceHead uint8 = 0x61
)

// DecodePayload returns the annotation with the given type and payload. A type
// that is not understood, and a payload that contradicts the layout of its
// type, become a [model.Opaque] with a copy of the payload.
func DecodePayload(typ uint8, payload []byte, page CodePage) model.Value {
	if codec := codecOfType[typ]; codec != nil {
		if v := codec.decode(typ, payload, page); v != nil {
			return v
		}
	}
	return model.Opaque{Format: Format, Type: typ, Data: slices.Clone(payload)}
}

// AppendPayload appends the payload of v in the form that is written when no
// older bytes are known, and returns its type. What a payload cannot hold is
// written as near as it can, texts are cut: DecodePayload tells what became of
// the value.
//
// The error wraps [model.ErrUnsupported] if the value has no form here, and
// [model.ErrTooLarge] if it takes more than 65,529 bytes or a part of it does
// not fit into its field; dst is then returned as it was.
func AppendPayload(dst []byte, v model.Value, page CodePage) (out []byte, typ uint8, err error) {
	v, ok := model.KnownValue(v)
	if !ok {
		return dst, 0, model.ErrUnsupported
	}
	if typ, ok = payloadType(v); !ok {
		return dst, 0, model.ErrUnsupported
	}
	if opaque, is := v.(model.Opaque); is {
		out = append(dst, opaque.Data...)
	} else {
		out, ok = codecOfType[typ].append(dst, v, page)
	}
	if !ok || len(out)-len(dst) > maxPayload {
		return dst, 0, model.ErrTooLarge
	}
	return out, typ, nil
}

// payloadType returns the type under which v is stored, false if there is
// none.
func payloadType(v model.Value) (uint8, bool) {
	if opaque, is := v.(model.Opaque); is {
		return opaque.Type, opaque.Format == Format
	}
	kind := v.Kind()
	for i := range codecsByKind {
		if row := &codecsByKind[i]; row.kind == kind {
			return row.codec.typeOf(v), true
		}
	}
	return 0, false
}

// AnnotationFacts are the numbers that the .cbh record of a game repeats about
// its annotations, taken from the stored record (docs/formats/cba.md 8).
type AnnotationFacts struct {
	// Count is the number of annotations.
	Count int

	amounts [len(many)]int // by type: of texts their bytes, of others how many
	flags   uint32
	medals  uint32
}

// many are the amounts from which on the magnitude word has the bit of a type.
var many = [...]int{annotationText: 201, annotationSymbols: 10, annotationSquares: 10,
	annotationArrows: 6, annotationTimeSpent: 11, annotationTraining: 11}

// FactsOf scans a record of annotations. A damaged record is scanned as far as
// its sizes lead, an empty one has no facts.
func FactsOf(rec []byte) AnnotationFacts {
	var f AnnotationFacts
	for i := AnnotationHeadSize; i+annotationItemHead <= len(rec); {
		size := int(binary.BigEndian.Uint16(rec[i+4:]))
		if size < annotationItemHead || size > len(rec)-i {
			break
		}
		f.add(rec[i+3], rec[i+annotationItemHead:i+size])
		i += size
	}
	return f
}

func (f *AnnotationFacts) add(typ uint8, payload []byte) {
	f.Count++
	f.flags |= annotationFlag(typ)
	switch typ &^= 0x80; {
	case typ == annotationText:
		f.amounts[typ] += max(len(payload)-2, 0)
	case int(typ) < len(many):
		f.amounts[typ]++
	case typ == annotationMedals && len(payload) == 4:
		f.medals |= binary.BigEndian.Uint32(payload)
	}
}

// annotationFlag returns the bit of the flags that an annotation sets: the one
// of its type's number. Bits 0, 1 and 27 belong to the moves, 18 and 25 to two
// types beyond the range of bits.
func annotationFlag(typ uint8) uint32 {
	switch typ &= 0x7F; {
	case typ == annotationVideo:
		return 1 << 18
	case typ == annotationCorrespondenceHead:
		return 1 << 25
	case typ < 2 || typ > 31 || typ == 18 || typ == 25 || typ == 27:
		return 0
	}
	return 1 << typ
}

// Flags returns the bits of the flag word that come from annotations.
func (f AnnotationFacts) Flags() uint32 { return f.flags }

// Magnitude returns the bits of the magnitude word that come from annotations:
// bit n is set where there are many of type n.
func (f AnnotationFacts) Magnitude() uint16 {
	var m uint16
	for typ, n := range many {
		if n > 0 && f.amounts[typ] >= n {
			m |= 1 << typ
		}
	}
	return m
}

// Medals returns the medals of all places together.
func (f AnnotationFacts) Medals() uint16 { return uint16(f.medals) }

// withoutEmpty returns what is left of a value without the marks that ChessBase
// never stores: arrows that lead nowhere. It returns nil for a value that says
// nothing: no symbols, no text, no squares, arrows, evaluations or medals
// (docs/formats/cba.md 6).
func withoutEmpty(v model.Value) model.Value {
	says := true
	switch v := v.(type) {
	case model.Text:
		says = v.Text != ""
	case model.Symbols:
		says = v.Move != 0 || v.Position != 0 || v.Prefix != 0
	case model.Squares:
		says = len(v) > 0
	case model.Arrows:
		if slices.ContainsFunc(v, leadsNowhere) {
			v = slices.DeleteFunc(slices.Clone(v), leadsNowhere)
		}
		if len(v) > 0 {
			return v
		}
		says = false
	case model.Evaluations:
		says = len(v) > 0
	case model.Medals:
		says = v != 0
	}
	if !says {
		return nil
	}
	return v
}

func leadsNowhere(a model.ColoredArrow) bool { return a.From == a.To }

// hasEmpty reports whether withoutEmpty would take something away.
func hasEmpty(v model.Value) bool {
	if arrows, ok := v.(model.Arrows); ok {
		return len(arrows) == 0 || slices.ContainsFunc(arrows, leadsNowhere)
	}
	return withoutEmpty(v) == nil
}
