package cbh

import (
	"encoding/binary"

	"cbkit/internal/wire"
	"cbkit/model"
)

// A clock, type 16 White's and 17 Black's: u32 hundredths of a second.
func decodeClock(p []byte, typ uint8) model.Value {
	if len(p) != 4 {
		return nil
	}
	player := model.White
	if typ == annotationBlackClock {
		player = model.Black
	}
	return model.Clock{Player: player, Centiseconds: binary.BigEndian.Uint32(p)}
}

func clockType(c model.Clock) uint8 {
	if c.Player == model.White {
		return annotationWhiteClock
	}
	return annotationBlackClock
}

// A time control, type 24: three stages of u32 start, u32 increment, u16
// moves, u8 kind.
func decodeTimeControl(p []byte) model.Value {
	var control model.TimeControl
	c := wire.NewCursor(p)
	for i := range control {
		control[i] = model.TimeStage{
			Start: c.U32BE(), Increment: c.U32BE(), Moves: c.U16BE(), Kind: c.U8(),
		}
	}
	if c.Err() != nil || c.Len() != 0 {
		return nil
	}
	return control
}

func appendTimeControl(dst []byte, control model.TimeControl) []byte {
	for _, stage := range control {
		dst = wire.AppendU32BE(dst, stage.Start)
		dst = wire.AppendU32BE(dst, stage.Increment)
		dst = wire.AppendU16BE(dst, stage.Moves)
		dst = append(dst, stage.Kind)
	}
	return dst
}

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
