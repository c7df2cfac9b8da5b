package wire

import "encoding/binary"

// U8 reads one byte.
func (c *Cursor) U8() uint8 {
	if b := c.Bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// I8 reads one byte as a signed number.
func (c *Cursor) I8() int8 { return int8(c.U8()) }

// U16BE reads two bytes.
func (c *Cursor) U16BE() uint16 {
	if b := c.Bytes(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

// U16LE reads two bytes.
func (c *Cursor) U16LE() uint16 {
	if b := c.Bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// I16BE reads two bytes as a signed number.
func (c *Cursor) I16BE() int16 { return int16(c.U16BE()) }

// I16LE reads two bytes as a signed number.
func (c *Cursor) I16LE() int16 { return int16(c.U16LE()) }

// U24BE reads three bytes.
func (c *Cursor) U24BE() uint32 {
	if b := c.Bytes(3); b != nil {
		return U24BE(b)
	}
	return 0
}

// I24BE reads three bytes as a signed number, -8388608 to 8388607.
func (c *Cursor) I24BE() int32 { return int32(c.U24BE()<<8) >> 8 }

// U32BE reads four bytes.
func (c *Cursor) U32BE() uint32 {
	if b := c.Bytes(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// U32LE reads four bytes.
func (c *Cursor) U32LE() uint32 {
	if b := c.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// I32BE reads four bytes as a signed number.
func (c *Cursor) I32BE() int32 { return int32(c.U32BE()) }

// I32LE reads four bytes as a signed number.
func (c *Cursor) I32LE() int32 { return int32(c.U32LE()) }

// U64BE reads eight bytes.
func (c *Cursor) U64BE() uint64 {
	if b := c.Bytes(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// U64LE reads eight bytes.
func (c *Cursor) U64LE() uint64 {
	if b := c.Bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// U24BE returns the number in the first three bytes of b, which must be there:
// what encoding/binary has for the other widths.
func U24BE(b []byte) uint32 {
	_ = b[2]
	return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
}
