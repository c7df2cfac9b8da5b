package cbh

import (
	"encoding/binary"

	"cbkit/internal/wire"
	"cbkit/model"
)

// Time spent on a move, type 07: hours, minutes, seconds and a byte whose
// meaning is not known (docs/formats/cba.md 6).
func decodeTimeSpent(p []byte) model.Value {
	if len(p) != 4 {
		return nil
	}
	return model.TimeSpent{Hours: p[0], Minutes: p[1], Seconds: p[2], Extra: p[3]}
}

func appendTimeSpent(dst []byte, t model.TimeSpent) []byte {
	return append(dst, t.Hours, t.Minutes, t.Seconds, t.Extra)
}

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

// A place in a video, type 25: u32.
func decodeVideoTime(p []byte) model.Value {
	if len(p) != 4 {
		return nil
	}
	return model.VideoTime(binary.BigEndian.Uint32(p))
}
