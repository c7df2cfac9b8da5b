package cbh

import (
	"math"
	"slices"

	"cbkit/internal/wire"
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

// annotationConstant follows the game id in every record.
var annotationConstant = [4]byte{0x01, 0x00, 0x0E, 0x0E}

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
	switch typ {
	case annotationText, annotationTextBefore:
		return decodeText(p, typ == annotationTextBefore, page)
	case annotationSymbols:
		return decodeSymbols(p)
	case annotationSquares:
		return decodeSquares(p)
	case annotationArrows:
		return decodeArrows(p)
	case annotationTimeSpent:
		return decodeTimeSpent(p)
	case annotationTraining:
		return decodeTraining(p, page)
	case annotationQuotation:
		return decodeQuotation(p, page)
	case annotationPawnStructure:
		return decodePawnStructure(p)
	case annotationPiecePath:
		return decodePiecePath(p)
	case annotationWhiteClock:
		return decodeClock(p, model.White)
	case annotationBlackClock:
		return decodeClock(p, model.Black)
	case annotationCritical:
		return decodeCritical(p)
	case annotationWebLink:
		return decodeWebLink(p, page)
	case annotationEngine:
		return decodeEngine(p)
	case annotationMedals:
		return decodeMedals(p)
	case annotationVariationColor:
		return decodeVariationColor(p)
	case annotationTimeControl:
		return decodeTimeControl(p)
	case annotationVideoTime:
		return decodeVideoTime(p)
	case annotationEvaluations:
		return decodeEvaluations(p)
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
	out, ok = appendPayload(dst, v, page)
	if !ok || len(out)-len(dst) > maxPayload {
		return dst, 0, model.ErrTooLarge
	}
	return out, typ, nil
}

// payloadType returns the type under which v is stored, false if there is
// none.
func payloadType(v model.Value) (uint8, bool) {
	switch v := v.(type) {
	case model.Text:
		return textType(v), true
	case model.Clock:
		if v.Player == model.White {
			return annotationWhiteClock, true
		}
		return annotationBlackClock, true
	case model.Opaque:
		return v.Type, v.Format == Format
	}
	typ, ok := typeOfKind[v.Kind()]
	return typ, ok
}

// typeOfKind holds the kinds that are stored under one type.
var typeOfKind = map[model.Kind]uint8{
	model.KindSymbols:        annotationSymbols,
	model.KindSquares:        annotationSquares,
	model.KindArrows:         annotationArrows,
	model.KindTimeSpent:      annotationTimeSpent,
	model.KindTraining:       annotationTraining,
	model.KindQuotation:      annotationQuotation,
	model.KindPawnStructure:  annotationPawnStructure,
	model.KindPiecePath:      annotationPiecePath,
	model.KindCritical:       annotationCritical,
	model.KindWebLink:        annotationWebLink,
	model.KindEngine:         annotationEngine,
	model.KindMedals:         annotationMedals,
	model.KindVariationColor: annotationVariationColor,
	model.KindTimeControl:    annotationTimeControl,
	model.KindVideoTime:      annotationVideoTime,
	model.KindEvaluations:    annotationEvaluations,
}

// appendPayload returns false if a count in the payload is too large for it.
func appendPayload(dst []byte, v model.Value, page CodePage) (out []byte, ok bool) {
	switch v := v.(type) {
	case model.Text:
		return appendText(dst, v, page), true
	case model.Symbols:
		return appendSymbols(dst, v), true
	case model.Squares:
		return appendSquares(dst, v), true
	case model.Arrows:
		return appendArrows(dst, v), true
	case model.TimeSpent:
		return append(dst, v.Hours, v.Minutes, v.Seconds, v.Extra), true
	case model.Training:
		return appendTraining(dst, v, page)
	case model.Quotation:
		return appendQuotation(dst, v, page)
	case model.PawnStructure:
		return append(dst, uint8(v)), true
	case model.PiecePath:
		return append(dst, v.Mode, squareOne(v.Square)), true
	case model.Clock:
		return wire.AppendU32BE(dst, v.Centiseconds), true
	case model.Critical:
		return append(dst, uint8(v)), true
	case model.WebLink:
		return appendWebLink(dst, v, page), true
	case model.Engine:
		return appendEngine(dst, v), true
	case model.Medals:
		return wire.AppendU32BE(dst, uint32(v)), true
	case model.VariationColor:
		return append(dst, v.Flags, v.Blue, v.Green, v.Red), true
	case model.TimeControl:
		return appendTimeControl(dst, v), true
	case model.VideoTime:
		return wire.AppendU32BE(dst, uint32(v)), true
	case model.Evaluations:
		return appendEvaluations(dst, v), true
	case model.Opaque:
		return append(dst, v.Data...), true
	}
	return dst, false
}
