package cbh

import (
	"encoding/binary"

	"cbkit/internal/wire"
	"cbkit/model"
)

// The quotation of a game, type 13 (docs/formats/cba.md 6), big-endian:
//
//	u16 size of the payload | u16 mode | u16 start
//	start position, 28 bytes, only if start is 64
//	white, black | u16 ratings of both | u16 opening | event, site
//	u32 date | u16 event type | u16 nation | u16 category | u16 rounds
//	u8 subround | u8 round | u8 result | u16 spare
//	moves, u16 each
//
// A string is a length byte, its bytes and a zero that is not counted.
// The spare word looks like memory that was not cleared.
const (
	quoteHeader = 1 // mode: without moves
	quoteMoves  = 2 // mode: with the main line

	quoteFromStart  = 0
	quoteFromSetup  = 64
	quotedTeamEvent = 1 << 8 // bit of the event type
)

func decodeQuotation(p []byte, page CodePage) model.Value {
	var q model.Quotation
	c := wire.NewCursor(p)
	size, mode, start := c.U16BE(), c.U16BE(), c.U16BE()
	switch {
	case int(size) != len(p), mode != quoteHeader && mode != quoteMoves:
		return nil
	case start == quoteFromSetup:
		q.Start = decodeSetup(c.Bytes(setupSize))
		if q.Start == nil {
			return nil
		}
	case start != quoteFromStart:
		return nil
	}
	q.WithMoves = mode == quoteMoves
	q.White, q.Black = quotedString(&c, page), quotedString(&c, page)
	q.WhiteElo, q.BlackElo = c.U16BE(), c.U16BE()
	q.ECO, _ = UnpackOpening(c.U16BE())
	q.Event, q.Site = quotedString(&c, page), quotedString(&c, page)
	q.Date = UnpackDate(c.U32BE())
	q.EventType = unpackEventType(c.U16BE())
	nation := c.U16BE()
	q.Nation = model.Nation(nation)
	q.Category, q.Rounds = c.U16BE(), c.U16BE()
	q.Subround, q.Round = c.U8(), c.U8()
	result, okResult := UnpackResult(c.U8())
	q.Result = result
	q.Spare = c.U16BE()
	moves, okMoves := decodeQuotedMoves(c.Rest(), q.Start)
	q.Moves = moves
	if c.Err() != nil || nation > 255 || !okResult || !okMoves {
		return nil
	}
	return q
}

// appendQuotation returns false if the starting position does not fit.
func appendQuotation(dst []byte, q model.Quotation, page CodePage) (out []byte, ok bool) {
	start := len(dst)
	out = wire.AppendU16BE(dst, 0)
	mode := uint16(quoteHeader)
	if q.WithMoves {
		mode = quoteMoves
	}
	out = wire.AppendU16BE(out, mode)
	if q.Start == nil {
		out = wire.AppendU16BE(out, quoteFromStart)
	} else {
		out = wire.AppendU16BE(out, quoteFromSetup)
		if out, ok = appendSetup(out, q.Start); !ok {
			return dst, false
		}
	}
	out = appendQuotedString(out, q.White, page)
	out = appendQuotedString(out, q.Black, page)
	out = wire.AppendU16BE(out, q.WhiteElo)
	out = wire.AppendU16BE(out, q.BlackElo)
	out = wire.AppendU16BE(out, PackOpening(q.ECO, -1))
	out = appendQuotedString(out, q.Event, page)
	out = appendQuotedString(out, q.Site, page)
	date, _ := PackDate(q.Date)
	out = wire.AppendU32BE(out, date)
	out = wire.AppendU16BE(out, packEventType(q.EventType))
	out = wire.AppendU16BE(out, uint16(q.Nation))
	out = wire.AppendU16BE(out, q.Category)
	out = wire.AppendU16BE(out, q.Rounds)
	out = append(out, q.Subround, q.Round, PackResult(q.Result))
	out = wire.AppendU16BE(out, q.Spare)
	out = appendQuotedMoves(out, q.Moves, q.Start)
	binary.BigEndian.PutUint16(out[start:], uint16(len(out)-start))
	return out, true
}

func quotedString(c *wire.Cursor, page CodePage) string {
	b := c.Bytes(int(c.U8()))
	if c.U8() != 0 {
		c.Fail("", model.ErrCorrupt)
	}
	return page.Decode(b)
}

func appendQuotedString(dst []byte, s string, page CodePage) []byte {
	return append(appendShortString(dst, s, page), 0)
}

// The event type is the type byte of a .cbt record and the team bit.
func unpackEventType(v uint16) model.EventType {
	return model.EventType{
		System:         model.EventSystem(v & 31),
		Blitz:          v&(1<<5) != 0,
		Rapid:          v&(1<<6) != 0,
		Correspondence: v&(1<<7) != 0,
		Team:           v&quotedTeamEvent != 0,
	}
}

func packEventType(t model.EventType) uint16 {
	v := uint16(t.System & 31)
	for _, bit := range []struct {
		on  bool
		bit uint16
	}{{t.Blitz, 1 << 5}, {t.Rapid, 1 << 6}, {t.Correspondence, 1 << 7}, {t.Team, quotedTeamEvent}} {
		if bit.on {
			v |= bit.bit
		}
	}
	return v
}
