package cbh

import (
	"encoding/binary"
	"slices"
)

// Class says what a field of a stored record is about, which decides who can
// make it anew.
type Class uint8

const (
	// ClassValue: the model has a word for it.
	ClassValue Class = iota
	// ClassReference: the number of an entity. The model has it too.
	ClassReference
	// ClassSum follows from other fields of the record.
	ClassSum
	// ClassPlace is where a part of the record lies in another file.
	ClassPlace
	// ClassDerived follows from moves and annotations.
	ClassDerived
	// ClassKept: the model has no word for it; it is carried along.
	ClassKept
	// ClassReserved was always zero.
	ClassReserved
)

// IsGiven reports whether an encoder of records has to be told the bytes of
// such a field, since the values of the record do not say them.
func (c Class) IsGiven() bool { return c == ClassPlace || c == ClassDerived || c == ClassKept }

// Field is a field at a fixed place of a record.
type Field struct {
	// File is the ending of the file that has the record.
	File string
	// Name is what findings call it.
	Name     string
	At, Size int
	Class    Class
	// Entity is the kind of entities that a reference is to.
	Entity *EntityFile
}

// End is where the next field begins.
func (f *Field) End() int { return f.At + f.Size }

// In reports whether a record, which may be of an older version, has the field.
func (f *Field) In(record []byte) bool { return f.End() <= len(record) }

// bytes returns the field's part of a record.
func (f *Field) bytes(record []byte) []byte { return record[f.At:f.End()] }

// Uint returns the big-endian number in the field, of which a record that is too
// short has none: 0.
func (f *Field) Uint(record []byte) (n uint64) {
	if f.In(record) {
		for _, b := range f.bytes(record) {
			n = n<<8 | uint64(b)
		}
	}
	return n
}

// Put stores the low bytes of a number in the field, which the record must have.
func (f *Field) Put(record []byte, n uint64) {
	b := f.bytes(record)
	for i := len(b) - 1; i >= 0; i-- {
		b[i], n = byte(n), n>>8
	}
}

// Fields are the fields of a record in their order.
type Fields []*Field

// NameAt returns the name of the field that a byte of a record belongs to, "" if
// there is none.
func (l Fields) NameAt(offset int) string {
	for _, f := range l {
		if offset >= f.At && offset < f.End() {
			return f.Name
		}
	}
	return ""
}

// Given returns how many bytes of a record of the given size are not those of
// fields that its values say; see [Class.IsGiven].
func (l Fields) Given(size int) int {
	given := size
	for _, f := range l {
		if f.End() <= size && !f.Class.IsGiven() {
			given -= f.Size
		}
	}
	return given
}

// The references of games and of texts, which have no teams.
var (
	gameReferences = slices.Concat(GameFields.references(), ExtFields.references())
	textReferences = append(TextFields.references(), &ExtGameTitle)
)

// References returns the fields of a game or guiding text, in both files, that
// refer to entities.
func References(text bool) Fields {
	if text {
		return textReferences
	}
	return gameReferences
}

func (l Fields) references() (refs Fields) {
	for _, f := range l {
		if f.Class == ClassReference {
			refs = append(refs, f)
		}
	}
	return refs
}

// PlaceFields are the two fields that have the place of one part of a record: the
// .cbh file has its low 32 bits, the .cbj file all 64. [Place] says when these
// count.
type PlaceFields struct{ Low, Full *Field }

// Where the moves of a game, or the content of a text, begin in the .cbg file,
// and the annotations of a game in the .cba file.
var (
	MovesPlace       = &PlaceFields{&GameMoves, &ExtMoves}
	AnnotationsPlace = &PlaceFields{&GameAnnotations, &ExtAnnotations}
)

// Of returns the place in both records of a header, the second of which may be
// too short to have it.
func (p *PlaceFields) Of(head, ext []byte) int64 {
	low := binary.BigEndian.Uint32(head[p.Low.At:])
	if !p.Full.In(ext) {
		return int64(low)
	}
	return Place(low, binary.BigEndian.Uint64(ext[p.Full.At:]))
}
