package cbh

import (
	"encoding/binary"

	"cbkit/internal/wire"
	"cbkit/model"
)

// kindCodec stores the values of one kind, under one type or several.
type kindCodec struct {
	types []uint8
	// typeOf returns the type of a value.
	typeOf func(model.Value) uint8
	// decode returns nil for a payload that contradicts the layout of its type.
	decode func(typ uint8, payload []byte, page CodePage) model.Value
	// append returns false if a count in the payload is too large for it.
	append func(dst []byte, v model.Value, page CodePage) (out []byte, ok bool)
}

// kindCodecs has a row for each kind of annotation that has a form here
// (docs/formats/cba.md 6).
var kindCodecs = map[model.Kind]*kindCodec{
	model.KindText: {
		types:  []uint8{annotationText, annotationTextBefore},
		typeOf: func(v model.Value) uint8 { return textType(v.(model.Text)) },
		decode: func(typ uint8, p []byte, page CodePage) model.Value {
			return decodeText(p, typ == annotationTextBefore, page)
		},
		append: func(dst []byte, v model.Value, page CodePage) ([]byte, bool) {
			return appendText(dst, v.(model.Text), page), true
		},
	},
	model.KindSymbols: bytesCodec(annotationSymbols, decodeSymbols, appendSymbols),
	model.KindSquares: bytesCodec(annotationSquares, decodeSquares, appendSquares),
	model.KindArrows:  bytesCodec(annotationArrows, decodeArrows, appendArrows),
	// The meaning of the last byte is not known.
	model.KindTimeSpent: fixedCodec(annotationTimeSpent, 4,
		func(p []byte) model.TimeSpent {
			return model.TimeSpent{Hours: p[0], Minutes: p[1], Seconds: p[2], Extra: p[3]}
		},
		func(dst []byte, t model.TimeSpent) []byte {
			return append(dst, t.Hours, t.Minutes, t.Seconds, t.Extra)
		}),
	model.KindTraining:  textsCodec(annotationTraining, decodeTraining, appendTraining),
	model.KindQuotation: textsCodec(annotationQuotation, decodeQuotation, appendQuotation),
	model.KindPawnStructure: fixedCodec(annotationPawnStructure, 1,
		func(p []byte) model.PawnStructure { return model.PawnStructure(p[0]) },
		func(dst []byte, v model.PawnStructure) []byte { return append(dst, uint8(v)) }),
	model.KindPiecePath: bytesCodec(annotationPiecePath, decodePiecePath,
		func(dst []byte, v model.PiecePath) []byte { return append(dst, v.Mode, squareOne(v.Square)) }),
	model.KindClock: {
		types:  []uint8{annotationWhiteClock, annotationBlackClock},
		typeOf: func(v model.Value) uint8 { return clockType(v.(model.Clock)) },
		decode: func(typ uint8, p []byte, _ CodePage) model.Value { return decodeClock(p, typ) },
		append: func(dst []byte, v model.Value, _ CodePage) ([]byte, bool) {
			return wire.AppendU32BE(dst, v.(model.Clock).Centiseconds), true
		},
	},
	model.KindCritical: fixedCodec(annotationCritical, 1,
		func(p []byte) model.Critical { return model.Critical(p[0]) },
		func(dst []byte, v model.Critical) []byte { return append(dst, uint8(v)) }),
	model.KindWebLink: textsCodec(annotationWebLink, decodeWebLink, appendWebLink),
	model.KindEngine:  bytesCodec(annotationEngine, decodeEngine, appendEngine),
	model.KindMedals: fixedCodec(annotationMedals, 4,
		func(p []byte) model.Medals { return model.Medals(binary.BigEndian.Uint32(p)) },
		func(dst []byte, v model.Medals) []byte { return wire.AppendU32BE(dst, uint32(v)) }),
	model.KindVariationColor: fixedCodec(annotationVariationColor, 4,
		func(p []byte) model.VariationColor {
			return model.VariationColor{Flags: p[0], Blue: p[1], Green: p[2], Red: p[3]}
		},
		func(dst []byte, v model.VariationColor) []byte { return append(dst, v.Flags, v.Blue, v.Green, v.Red) }),
	model.KindTimeControl: bytesCodec(annotationTimeControl, decodeTimeControl, appendTimeControl),
	model.KindVideoTime: fixedCodec(annotationVideoTime, 4,
		func(p []byte) model.VideoTime { return model.VideoTime(binary.BigEndian.Uint32(p)) },
		func(dst []byte, v model.VideoTime) []byte { return wire.AppendU32BE(dst, uint32(v)) }),
	model.KindEvaluations: bytesCodec(annotationEvaluations, decodeEvaluations, appendEvaluations),
}

// codecsByKind are the rows of kindCodecs in the order of [model.Kinds], in which
// the commonest come first: to compare with those takes less than a map.
var codecsByKind = func() (rows []struct {
	kind  model.Kind
	codec *kindCodec
}) {
	for _, kind := range model.Kinds() {
		if codec, ok := kindCodecs[kind]; ok {
			rows = append(rows, struct {
				kind  model.Kind
				codec *kindCodec
			}{kind, codec})
		}
	}
	return rows
}()

// codecOfType finds the row of a type, nil for one that is not understood.
var codecOfType = func() (codecs [256]*kindCodec) {
	for _, codec := range kindCodecs {
		for _, typ := range codec.types {
			codecs[typ] = codec
		}
	}
	return codecs
}()

// bytesCodec stores a kind of one type without texts in a code page.
func bytesCodec[V model.Value](typ uint8, decode func([]byte) model.Value, appendTo func([]byte, V) []byte) *kindCodec {
	return textsCodec(typ,
		func(p []byte, _ CodePage) model.Value { return decode(p) },
		func(dst []byte, v V, _ CodePage) ([]byte, bool) { return appendTo(dst, v), true })
}

// fixedCodec stores a kind of one type whose payload has one size.
func fixedCodec[V model.Value](typ uint8, size int, decode func([]byte) V, appendTo func([]byte, V) []byte) *kindCodec {
	return bytesCodec(typ, func(p []byte) model.Value {
		if len(p) != size {
			return nil
		}
		return decode(p)
	}, appendTo)
}

// textsCodec stores a kind of one type.
func textsCodec[V model.Value](typ uint8, decode func([]byte, CodePage) model.Value, appendTo func([]byte, V, CodePage) ([]byte, bool)) *kindCodec {
	return &kindCodec{
		types:  []uint8{typ},
		typeOf: func(model.Value) uint8 { return typ },
		decode: func(_ uint8, p []byte, page CodePage) model.Value { return decode(p, page) },
		append: func(dst []byte, v model.Value, page CodePage) ([]byte, bool) { return appendTo(dst, v.(V), page) },
	}
}
