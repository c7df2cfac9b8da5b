package cbh

import (
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
	if v := decodePayload(typ, payload, page); v != nil {
		return v
	}
	return model.Opaque{Format: Format, Type: typ, Data: slices.Clone(payload)}
}

// decodePayload returns nil where DecodePayload returns an Opaque.
func decodePayload(typ uint8, p []byte, page CodePage) model.Value {
	if codec := codecOfType[typ]; codec != nil {
		return codec.decode(typ, p, page)
	}
	return nil
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
	codec, ok := kindCodecs[v.Kind()]
	if !ok {
		return 0, false
	}
	return codec.typeOf(v), true
}
