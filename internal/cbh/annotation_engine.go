package cbh

import (
	"cbkit/internal/wire"
	"cbkit/model"
)

// The verdict of an engine, type 21: i16 value, kind and depth, little-endian
// (docs/formats/cba.md 7). An older form has 32 bytes and is not understood.
func decodeEngine(p []byte) model.Value {
	c := wire.NewCursor(p)
	v := model.Engine{Value: c.I16LE(), Type: c.I16LE(), Depth: c.I16LE()}
	if c.Err() != nil || c.Len() != 0 {
		return nil
	}
	return v
}

func appendEngine(dst []byte, v model.Engine) []byte {
	dst = wire.AppendU16LE(dst, uint16(v.Value))
	dst = wire.AppendU16LE(dst, uint16(v.Type))
	return wire.AppendU16LE(dst, uint16(v.Depth))
}

// The evaluations of the main line, type 26: u16 count, then u8 kind, u8
// depth, i16 value for each (docs/formats/cba.md 6).
func decodeEvaluations(p []byte) model.Value {
	c := wire.NewCursor(p)
	n := int(c.U16BE())
	if c.Err() != nil || c.Len() != 4*n {
		return nil
	}
	list := make(model.Evaluations, n)
	for i := range list {
		list[i] = model.Evaluation{Kind: model.EvaluationKind(c.U8()), Depth: c.U8(), Value: c.I16BE()}
	}
	return list
}

func appendEvaluations(dst []byte, list model.Evaluations) []byte {
	dst = wire.AppendU16BE(dst, uint16(len(list)))
	for _, e := range list {
		dst = append(dst, uint8(e.Kind), e.Depth)
		dst = wire.AppendU16BE(dst, uint16(e.Value))
	}
	return dst
}
