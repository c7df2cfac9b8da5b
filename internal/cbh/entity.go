package cbh

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"

	"cbkit/internal/wire"
	"cbkit/model"
)

// entityMagic marks an entity file.
const entityMagic = 1234567890

// Sizes in an entity file.
const (
	// EntityHeaderSize is the size of the header without its extension.
	EntityHeaderSize = 28
	// EntityLinksSize is the size of the tree links before each payload.
	EntityLinksSize = 9
	// EntityUseSize is the size of EntityUse at the end of each payload.
	EntityUseSize = 8
	// entityExtension is the length of the header extension of new files.
	entityExtension = 4
)

// EntityHeader is the beginning of an entity file (.cbp .cbt .cbc .cbs .cbe
// .cbl), little-endian:
//
//	 0 capacity i32 | root i32 | 1234567890 | payload size i32
//	16 first deleted i32 | live i32 | extension length i32 | extension
//
// The record with id i begins at header size + i*(9+payload size). Source:
// docs/formats/cbh-entities.md 7.
type EntityHeader struct {
	// Capacity is the number of records, deleted ones included.
	Capacity int32
	// Root is the id at the root of the tree, 0 in an empty file.
	Root int32
	// PayloadSize is the size of a record without its links.
	PayloadSize int32
	// FirstDeleted is the id at the head of the free list, -1 if there is none.
	FirstDeleted int32
	// Live is the number of live records; old files have it wrong.
	Live int32
	// Extension has 4 bytes, none in old files.
	Extension []byte
}

// NewEntityHeader returns the header of an empty file.
func NewEntityHeader(f *EntityFile) EntityHeader {
	return EntityHeader{
		PayloadSize: int32(f.Size), FirstDeleted: NoLink, Extension: make([]byte, entityExtension),
	}
}

// Size returns the size of the header with its extension, in bytes.
func (h *EntityHeader) Size() int { return EntityHeaderSize + len(h.Extension) }

// DecodeEntityHeader reads the header at the beginning of b. It fails with
// model.ErrNotDatabase if b is not an entity file. The extension is part of b.
func DecodeEntityHeader(b []byte) (EntityHeader, error) {
	c := wire.NewCursor(b)
	h := EntityHeader{Capacity: c.I32LE(), Root: c.I32LE()}
	magic := c.U32LE()
	h.PayloadSize, h.FirstDeleted, h.Live = c.I32LE(), c.I32LE(), c.I32LE()
	extension := c.I32LE()
	switch {
	case c.Err() != nil:
		return h, c.Err()
	case magic != entityMagic:
		return h, fail(8, "signature", fmt.Errorf("%d: %w", magic, model.ErrNotDatabase))
	case h.Capacity < 0:
		return h, fail(0, "capacity", fmt.Errorf("%d: %w", h.Capacity, model.ErrCorrupt))
	case h.PayloadSize < EntityUseSize:
		return h, fail(12, "payload size", fmt.Errorf("%d: %w", h.PayloadSize, model.ErrCorrupt))
	}
	h.Extension = c.Bytes(int(extension))
	return h, c.Err()
}

// MendHeader looks at the length of the extension in the header at the beginning
// of b, whose file has so many bytes. Where the records do not end with
// the file, and would with one of the two lengths that files have, none and four
// bytes, that length is put into a copy of b. Wrong says what was mended, nil if
// nothing was.
func (f *EntityFile) MendHeader(b []byte, size int64) (mended []byte, wrong error) {
	const lengthAt = EntityHeaderSize - 4
	c := wire.NewCursor(b)
	capacity := int64(c.I32LE())
	c.Skip(8)
	payload := int64(c.I32LE())
	c.Skip(8)
	length := int64(c.I32LE())
	if c.Err() != nil || capacity < 0 || payload != int64(f.Size) {
		return b, nil // which decoding and Check tell
	}
	fits := func(extension int64) bool {
		return size == EntityHeaderSize+extension+capacity*(EntityLinksSize+payload)
	}
	if fits(length) {
		return b, nil
	}
	for _, usual := range []int64{entityExtension, 0} {
		if usual != length && fits(usual) {
			mended = slices.Clone(b)
			copy(mended[lengthAt:], wire.AppendI32LE(nil, int32(usual)))
			return mended, fail(lengthAt, "extension length", fmt.Errorf("%w: %d bytes; the records begin after %d", model.ErrCorrupt, length, usual))
		}
	}
	return b, nil
}

// Append appends the bytes of the header.
func (h *EntityHeader) Append(dst []byte) []byte {
	dst = wire.AppendI32LE(dst, h.Capacity)
	dst = wire.AppendI32LE(dst, h.Root)
	dst = wire.AppendU32LE(dst, entityMagic)
	dst = wire.AppendI32LE(dst, h.PayloadSize)
	dst = wire.AppendI32LE(dst, h.FirstDeleted)
	dst = wire.AppendI32LE(dst, h.Live)
	dst = wire.AppendI32LE(dst, int32(len(h.Extension)))
	return append(dst, h.Extension...)
}

// Links that are not ids.
const (
	NoLink      = -1   // no child; end of the free list
	DeletedLink = -999 // the left link of a deleted record
)

// EntityLinks are the first 9 bytes of an entity record, little-endian: its
// place in the tree, left i32, right i32, balance i8. In a deleted record left
// is DeletedLink and right the next deleted record.
type EntityLinks struct {
	Left, Right int32
	// Balance is the height of the right subtree less that of the left.
	Balance int8
}

// IsDeleted reports whether the record is deleted.
func (l EntityLinks) IsDeleted() bool { return l.Left == DeletedLink }

// DecodeEntityLinks reads the first 9 bytes of b.
func DecodeEntityLinks(b []byte) (EntityLinks, error) {
	if len(b) >= EntityLinksSize {
		left, right := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		return EntityLinks{int32(left), int32(right), int8(b[8])}, nil
	}
	c := wire.NewCursor(b)
	l := EntityLinks{Left: c.I32LE(), Right: c.I32LE(), Balance: c.I8()}
	return l, c.Err()
}

// Append appends the 9 bytes of the links.
func (l EntityLinks) Append(dst []byte) []byte {
	dst = wire.AppendI32LE(dst, l.Left)
	dst = wire.AppendI32LE(dst, l.Right)
	return append(dst, byte(l.Balance))
}

// EntityUse is the end of every entity payload, little-endian: who refers to
// the entity (docs/formats/cbh-entities.md 10).
type EntityUse struct {
	// Count is the number of references from all records.
	Count int32
	// First is the smallest id of a record that refers to it.
	First int32
}

// DecodeEntityUse reads the last 8 bytes of a payload; a shorter one has none.
func DecodeEntityUse(payload []byte) EntityUse {
	if at := len(payload) - EntityUseSize; at >= 0 {
		return EntityUse{int32(binary.LittleEndian.Uint32(payload[at:])), int32(binary.LittleEndian.Uint32(payload[at+4:]))}
	}
	c := wire.NewCursor(payload)
	return EntityUse{Count: c.I32LE(), First: c.I32LE()}
}

// Add counts a reference of a record.
func (u *EntityUse) Add(id model.RecordID) {
	if u.Count == 0 || int32(id) < u.First {
		u.First = int32(id)
	}
	u.Count++
}

// Put overwrites the last 8 bytes of a payload.
func (u EntityUse) Put(payload []byte) {
	wire.AppendI32LE(wire.AppendI32LE(payload[:len(payload)-EntityUseSize], u.Count), u.First)
}

// EntityFile is what the program needs to know of a kind of entity file to keep
// its tree, whatever the entities are.
type EntityFile struct {
	// Ext is the extension of the file, such as ".cbp".
	Ext string
	// Name is what one entity is called, such as "player".
	Name string
	// Size is the size of a payload, which is a record without its links.
	Size int
	// DefaultSigned is the order of new files; see Compare.
	DefaultSigned bool

	order []sortKey
	texts []*Field // the strings
}

// EntityFiles are the six kinds of entity files.
var EntityFiles = []*EntityFile{
	&Players.EntityFile, &Tournaments.EntityFile, &Annotators.EntityFile,
	&Sources.EntityFile, &Teams.EntityFile, &GameTitles.EntityFile,
}

// Compare compares two payloads of Size bytes by the order of the tree. Two
// orders exist: signed says whether bytes above 7F come before all others.
// Which one an existing file follows can only be seen from its tree.
func (f *EntityFile) Compare(a, b []byte, signed bool) int {
	if len(a) < f.Size || len(b) < f.Size {
		return 0
	}
	for _, key := range f.order {
		if c := key(a, b, signed); c != 0 {
			return c
		}
	}
	return 0
}

// RecordSize is the size of a record with its links.
func (f *EntityFile) RecordSize() int { return EntityLinksSize + f.Size }

// Optional reports whether databases may lack the file.
func (f *EntityFile) Optional() bool {
	return f == &Teams.EntityFile || f == &GameTitles.EntityFile
}

// Check returns an error if a file with the header h has records of another
// kind.
func (f *EntityFile) Check(h *EntityHeader) error {
	if int(h.PayloadSize) != f.Size {
		return fail(12, "payload size",
			fmt.Errorf("%d, not the %d of a %s: %w", h.PayloadSize, f.Size, f.Name, model.ErrUnsupported))
	}
	return nil
}

// EntityCodec turns the payloads of one kind of entity file into values of the
// model and back. The tree links and the EntityUse at the end of a payload are
// not part of the value.
type EntityCodec[T comparable] struct {
	EntityFile
	fields layout[T]
}

func newEntityCodec[T comparable](file EntityFile, fields layout[T]) EntityCodec[T] {
	for i := range fields {
		if fields[i].text != nil {
			file.texts = append(file.texts, &fields[i].Field)
		}
	}
	return EntityCodec[T]{file, fields}
}

// Decode returns the value of a payload. Fields missing from a payload that is
// too short are empty.
func (c *EntityCodec[T]) Decode(payload []byte, cp CodePage) T {
	var v T
	c.DecodeTo(&v, payload, cp)
	return v
}

// DecodeTo is Decode for a value that is there and empty.
func (c *EntityCodec[T]) DecodeTo(v *T, payload []byte, cp CodePage) { c.fields.read(v, payload, cp) }

// IsUTF8 reports whether all texts of a payload are UTF-8, with what stands behind their ends.
func (f *EntityFile) IsUTF8(payload []byte) bool {
	for _, t := range f.texts {
		if t.In(payload) && !utf8.Valid(t.bytes(payload)) {
			return false
		}
	}
	return true
}

// Append appends the payload of v, with nothing in its EntityUse. It returns
// what of v could not be held.
func (c *EntityCodec[T]) Append(dst []byte, v T, cp CodePage) ([]byte, []model.Loss) {
	return c.Merge(dst, v, nil, cp)
}

// Merge appends the payload of v as a change of raw, an older payload of the
// same entity: fields whose value did not change, all that lies between the
// fields, and the EntityUse keep their bytes. If raw does not have Size bytes
// it does not count.
func (c *EntityCodec[T]) Merge(dst []byte, v T, raw []byte, cp CodePage) ([]byte, []model.Loss) {
	if len(raw) != c.Size {
		raw = make([]byte, c.Size)
	}
	dst = append(dst, raw...)
	losses := c.fields.merge(dst[len(dst)-c.Size:], &v, cp)
	return dst, losses
}

// sortKey compares one part of the order of an entity file in two payloads of
// the right size.
type sortKey func(a, b []byte, signed bool) int

// textKey compares strings; see CompareText.
func textKey(at, size int) sortKey {
	return func(a, b []byte, signed bool) int { return CompareText(a[at:at+size], b[at:at+size], signed) }
}

// CompareText compares two strings by the order of an entity file: byte by
// byte up to the first NUL or the end of the field, case counting. The end
// takes part as a 0. As unsigned bytes the shorter of two strings that begin
// alike comes first. Some files take the bytes as signed: those above 7F are
// negative then, and come before the end and all others.
// (docs/formats/cbh.md, "The order of entities")
func CompareText(a, b []byte, signed bool) int {
	a, b = beforeNUL(a), beforeNUL(b)
	if !signed {
		return bytes.Compare(a, b)
	}
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	var next [2]int8 // 0 at the end
	for i, rest := range [2][]byte{a[same:], b[same:]} {
		if len(rest) > 0 {
			next[i] = int8(rest[0])
		}
	}
	return cmp.Compare(next[0], next[1])
}

// numberKey compares signed 32-bit numbers.
func numberKey(at int) sortKey {
	return func(a, b []byte, _ bool) int {
		return cmp.Compare(int32(binary.LittleEndian.Uint32(a[at:])), int32(binary.LittleEndian.Uint32(b[at:])))
	}
}

// descendingKey compares a part of a packed date, later first.
func descendingKey(at int, shift, mask uint32) sortKey {
	return func(a, b []byte, _ bool) int {
		part := func(p []byte) uint32 { return binary.LittleEndian.Uint32(p[at:]) >> shift & mask }
		return cmp.Compare(part(b), part(a))
	}
}

// byteKey compares the bits of a byte that are set in mask.
func byteKey(at int, mask uint8) sortKey {
	return func(a, b []byte, _ bool) int { return cmp.Compare(a[at]&mask, b[at]&mask) }
}

// setFirst turns an order around.
func setFirst(key sortKey) sortKey {
	return func(a, b []byte, signed bool) int { return key(b, a, signed) }
}

// ClearTails overwrites with zeros what stands behind the NUL of each string of
// a payload: memory of the program that wrote it (docs/formats/cbh-entities.md 6.7).
func (f *EntityFile) ClearTails(payload []byte) {
	for _, text := range f.texts {
		if !text.In(payload) {
			continue
		}
		field := text.bytes(payload)
		clear(field[len(beforeNUL(field)):])
	}
}

// FieldAt returns the name of the field that a byte of a payload belongs to, ""
// if there is none.
func (c *EntityCodec[T]) FieldAt(offset int) string {
	if offset >= c.Size-EntityUseSize {
		return "references"
	}
	return c.fields.nameAt(offset)
}

// HasDetails reports whether entities of one key can differ: in the other kinds the key
// is all that they say.
func (f *EntityFile) HasDetails() bool { return f.Ext == Tournaments.Ext || f.Ext == Sources.Ext }

// Unite compares an entity that a database has with another one of the same key. It
// returns what the entity says from then on, and the names of the fields in which the
// other one says something that it does not. A tournament says what it said before. Of a
// source the fields become empty in which both say something, and not the same, since
// it is not known which is right; and one that says nothing has the others say nothing, since
// they would say it of its games too. (docs/formats/cbh-entities.md 7.2)
func (c *EntityCodec[T]) Unite(has, brings T, cp CodePage) (says T, lost []string) {
	var none T
	_, empties := any(has).(model.Publication)
	if empties && brings == none {
		return none, nil
	}
	says = has
	fields := c.fields
	if extras, ok := any(tournamentExtras).(layout[T]); ok {
		fields = append(fields[:len(fields):len(fields)], extras...)
	}
	for i := range fields {
		f := &fields[i]
		if f.equal(&brings, &none) || f.storedAlike(&has, &brings, cp) {
			continue
		}
		lost = append(lost, f.Name)
		if empties {
			f.read(&says, make([]byte, f.Size), cp)
		}
	}
	return says, lost
}

// storedAlike reports whether the field has the same bytes for both.
func (f *field[T]) storedAlike(v, w *T, cp CodePage) bool {
	if f.equal(v, w) {
		return true
	}
	a, b := make([]byte, f.Size), make([]byte, f.Size)
	f.write(a, v, cp)
	f.write(b, w, cp)
	return bytes.Equal(a, b)
}
