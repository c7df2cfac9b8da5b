package dcdb

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"cbkit/internal/wire"
	"cbkit/model"
)

// NameSize is the size of a record of a name file. (docs/formats/dcdb.md 3)
const NameSize = 36

// Name is a stored name.
type Name [NameSize]byte

// Unknown is the name of what is not known.
const Unknown = "?"

// EncodeName returns the record of a name up to its first NUL, without the
// blanks around it, cut between characters where it is too long.
func EncodeName(s string) Name {
	s, _, _ = strings.Cut(s, "\x00")
	n := Name(bytes.Repeat([]byte{' '}, NameSize))
	copy(n[:], wire.CutRunes(strings.TrimSpace(s), NameSize))
	return n
}

// DecodeName reads a name from a record, of which the last in a file may be
// short. It ends at a NUL; the blanks around it and a character that was cut
// at its end are no part of it. Bytes that are not UTF-8 are left to foreign,
// and ok is false.
func DecodeName(b []byte, foreign func([]byte) string) (name string, ok bool) {
	full := len(b) == NameSize
	if end := bytes.IndexByte(b, 0); end >= 0 {
		b, full = b[:end], false
	}
	if whole := wire.WithoutCutRune(b); full && utf8.Valid(whole) {
		b = whole
	}
	if utf8.Valid(b) {
		return string(bytes.TrimSpace(b)), true
	}
	return strings.TrimSpace(foreign(b)), false
}

// IsUnknown reports whether a stored name says that nothing is known.
func IsUnknown(name string) bool { return name == "" || name == Unknown }

// NamePlace returns the place of the record with the given number, from 0, in
// a name file.
func NamePlace(n int) int64 { return MagicSize + int64(n)*NameSize }

// NameNumber is the inverse of [NamePlace]; ok is false for places where no
// record begins.
func NameNumber(place uint32) (n int, ok bool) {
	if place < MagicSize || (place-MagicSize)%NameSize != 0 {
		return 0, false
	}
	return int((place - MagicSize) / NameSize), true
}

// Player returns the player of a stored name, the empty one if it is unknown.
// A name that would not fit any more with a blank behind its comma stays
// undivided.
func Player(name string) model.Player {
	p := model.ParsePlayer(name)
	switch full := p.String(); {
	case IsUnknown(full):
		return model.Player{}
	case len(full) > NameSize:
		return model.Player{LastName: name}
	}
	return p
}
