package moveenc

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"cbkit/model"
)

// Form is what a record holds besides its start position and its moves, where it differs
// from what [Append] writes by itself. The three together give back the record byte for
// byte. The zero Form is that of a record that Append wrote without one, and of every
// record of a newer ChessBase.
//
// Nodes are indices into the game's tree. Lists ascend.
type Form struct {
	// Mode is the encoding mode, 0 for the default of the game: [ModeRegular],
	// or [ModeChess960] if it is a game of Chess960.
	Mode Mode
	// Bit7 is bit 7 of the first byte.
	Bit7 bool
	// NoEnd says that the last POP is missing (of the simple encoder: its bit
	// in the last word).
	NoEnd bool
	// Start is the start position as stored, 28 or 36 bytes, if it is not as
	// we would write it: a move number 0, a wrong Chess960 number, other bits.
	Start []byte
	// Dummies are the places of bytes without meaning: the number of tokens (moves, PUSH,
	// POP) before each. Old programs wrote one into about half of their games
	// (docs/formats/real-databases.md 4).
	Dummies []uint32
	// Words are the nodes whose moves stand in two bytes although they have a
	// one-byte code.
	Words []uint32
	// Twins are the nodes whose moves stand in the second of two codes with
	// the same meaning: a queen's or bishop's four steps.
	Twins []uint32
	// Bits are the moves whose word has bits for a promotion that mean nothing,
	// since no pawn reaches the last rank (of the compact encoder null moves
	// alone): for each its node times 4, plus the number of the piece, 1 to 3.
	Bits []uint32
	// Trailer are the bytes after the last POP.
	Trailer []byte
}

// IsZero reports whether the record is exactly what [Append] writes.
func (f *Form) IsZero() bool {
	return f.Mode == 0 && !f.Bit7 && !f.NoEnd && len(f.Start) == 0 && !f.hasPlaces() && len(f.Trailer) == 0
}

// hasPlaces reports whether there is anything at certain places of the record.
func (f *Form) hasPlaces() bool { return f.isCompact() || len(f.Bits) > 0 }

// isCompact reports whether there is anything that only the compact encoder
// knows.
func (f *Form) isCompact() bool {
	return len(f.Dummies)+len(f.Words)+len(f.Twins) > 0
}

// reset makes f zero and keeps its memory.
func (f *Form) reset() {
	*f = Form{Start: f.Start[:0], Dummies: f.Dummies[:0], Words: f.Words[:0],
		Twins: f.Twins[:0], Bits: f.Bits[:0], Trailer: f.Trailer[:0]}
}

// takeFirst removes the first of an ascending list if it is n.
func takeFirst(list *[]uint32, n int) bool {
	if len(*list) == 0 || (*list)[0] != uint32(n) {
		return false
	}
	*list = (*list)[1:]
	return true
}

// The bytes of a form, for a [model.Leftover]: nothing for the zero form, else
//
//	+0  1   which parts follow, see below
//	+1  1   mode
//	...     the parts in the order of their bits. Start and trailer: length,
//	        bytes. Lists: count, then for each number its distance from the
//	        one before, from 0 for the first. Bits: the list of their nodes,
//	        then a byte for each
//
// Lengths, counts and distances are unsigned varints as in encoding/binary.
const (
	formBit7 = 1 << iota
	formNoEnd
	formStart
	formDummies
	formWords
	formTwins
	formTrailer
	formBits
)

// AppendForm appends the form as bytes that [DecodeForm] reads; nothing for the
// zero form.
func AppendForm(dst []byte, f *Form) []byte {
	if f.IsZero() {
		return dst
	}
	at := len(dst)
	dst = append(dst, 0, byte(f.Mode))
	var parts byte
	if f.Bit7 {
		parts |= formBit7
	}
	if f.NoEnd {
		parts |= formNoEnd
	}
	if len(f.Start) > 0 {
		parts |= formStart
		dst = appendBytes(dst, f.Start)
	}
	for i, list := range [][]uint32{f.Dummies, f.Words, f.Twins} {
		if len(list) > 0 {
			parts |= formDummies << i
			dst = appendList(dst, list)
		}
	}
	if len(f.Trailer) > 0 {
		parts |= formTrailer
		dst = appendBytes(dst, f.Trailer)
	}
	if len(f.Bits) > 0 {
		parts |= formBits
		dst = appendBits(dst, f.Bits)
	}
	dst[at] = parts
	return dst
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

func appendList(dst []byte, list []uint32) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	last := uint32(0)
	for _, n := range list {
		dst = binary.AppendUvarint(dst, uint64(n-last))
		last = n
	}
	return dst
}

// appendBits appends the nodes and then the pieces.
func appendBits(dst []byte, bits []uint32) []byte {
	nodes := make([]uint32, len(bits))
	for i, n := range bits {
		nodes[i] = n >> 2
	}
	dst = appendList(dst, nodes)
	for _, n := range bits {
		dst = append(dst, byte(n&3))
	}
	return dst
}

// DecodeForm reads what [AppendForm] wrote and refuses all else with
// model.ErrCorrupt. The form shares no memory with data.
func DecodeForm(data []byte) (Form, error) {
	var f Form
	if len(data) == 0 {
		return f, nil
	}
	if !f.parse(data) || !bytes.Equal(AppendForm(nil, &f), data) {
		return Form{}, fmt.Errorf("form of a game record: %w", model.ErrCorrupt)
	}
	return f, nil
}

func (f *Form) parse(data []byte) bool {
	if len(data) < 2 || data[1] > headMode {
		return false
	}
	parts, r := data[0], formReader{rest: data[2:]}
	f.Mode, f.Bit7, f.NoEnd = Mode(data[1]), parts&formBit7 != 0, parts&formNoEnd != 0
	if parts&formStart != 0 {
		f.Start = r.bytes()
	}
	for i, list := range []*[]uint32{&f.Dummies, &f.Words, &f.Twins} {
		if parts&(formDummies<<i) != 0 {
			*list = r.list()
		}
	}
	if parts&formTrailer != 0 {
		f.Trailer = r.bytes()
	}
	if parts&formBits != 0 {
		f.Bits = r.bits()
	}
	return !r.failed && len(r.rest) == 0
}

// formReader reads numbers, bytes and lists until the first that does not fit.
type formReader struct {
	rest   []byte
	failed bool
}

// number returns the next number; no number in a form is larger than a record.
func (r *formReader) number() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > MaxSize {
		r.failed, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

// length returns the next number as a count of things of one byte or more.
func (r *formReader) length() int {
	n := r.number()
	if n > len(r.rest) {
		r.failed, r.rest = true, nil
		return 0
	}
	return n
}

func (r *formReader) bytes() []byte {
	n := r.length()
	b := bytes.Clone(r.rest[:n])
	r.rest = r.rest[n:]
	return b
}

func (r *formReader) list() []uint32 {
	list := make([]uint32, r.length())
	last := 0
	for i := range list {
		last += r.number()
		if last > MaxSize {
			r.failed = true
		}
		list[i] = uint32(last)
	}
	return list
}

func (r *formReader) bits() []uint32 {
	list := r.list()
	if r.failed || len(r.rest) < len(list) {
		r.failed = true
		return nil
	}
	for i := range list {
		list[i] = list[i]<<2 | uint32(r.rest[i]&3)
	}
	r.rest = r.rest[len(list):]
	return list
}
