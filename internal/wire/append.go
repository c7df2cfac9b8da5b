package wire

import "encoding/binary"

// AppendU16BE appends two bytes.
func AppendU16BE(dst []byte, v uint16) []byte { return binary.BigEndian.AppendUint16(dst, v) }

// AppendU16LE appends two bytes.
func AppendU16LE(dst []byte, v uint16) []byte { return binary.LittleEndian.AppendUint16(dst, v) }

// AppendU24BE appends the low 24 bits of v in three bytes.
func AppendU24BE(dst []byte, v uint32) []byte {
	return append(dst, byte(v>>16), byte(v>>8), byte(v))
}

// AppendI24BE appends the low 24 bits of v, which hold -8388608 to 8388607.
func AppendI24BE(dst []byte, v int32) []byte { return AppendU24BE(dst, uint32(v)) }

// AppendU32BE appends four bytes.
func AppendU32BE(dst []byte, v uint32) []byte { return binary.BigEndian.AppendUint32(dst, v) }

// AppendU32LE appends four bytes.
func AppendU32LE(dst []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(dst, v) }

// AppendI32BE appends four bytes.
func AppendI32BE(dst []byte, v int32) []byte { return AppendU32BE(dst, uint32(v)) }

// AppendI32LE appends four bytes.
func AppendI32LE(dst []byte, v int32) []byte { return AppendU32LE(dst, uint32(v)) }

// AppendU64BE appends eight bytes.
func AppendU64BE(dst []byte, v uint64) []byte { return binary.BigEndian.AppendUint64(dst, v) }

// AppendU64LE appends eight bytes.
func AppendU64LE(dst []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(dst, v) }

// AppendZeros appends n zero bytes.
func AppendZeros(dst []byte, n int) []byte { return append(dst, make([]byte, n)...) }
