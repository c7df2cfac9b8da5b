package dcdb

import (
	"fmt"

	"cbkit/model"
)

// MagicSize is the size of the bytes every file begins with. In all files but
// the index the first record follows them at once. (docs/formats/dcdb.md 1)
const MagicSize = 10

// File is a file of a database: the last letter of its magic bytes.
type File byte

// The files.
const (
	Index  File = 'i'
	Names  File = 'n'
	Sites  File = 's'
	Events File = 'e'
	Games  File = 'g'
)

const magic = "SimpleCDb"

// typo is what stands for the 'm' in four of the five examples of the format's
// description.
const typo = 0xed

// AppendMagic appends the magic bytes of a file.
func AppendMagic(dst []byte, f File) []byte {
	return append(append(dst, magic...), byte(f))
}

// CheckMagic looks whether b begins with the magic bytes of a file; misprinted
// says that it does, with the misprint of the format's description.
func CheckMagic(b []byte, f File) (misprinted bool, err error) {
	if len(b) < MagicSize {
		return false, &model.FormatError{Offset: 0, Record: -1, Field: "magic",
			Err: fmt.Errorf("%w: %d bytes are too few for a Simple Chess Database", model.ErrTruncated, len(b))}
	}
	var head [MagicSize]byte
	copy(head[:], b)
	if misprinted = head[2] == typo; misprinted {
		head[2] = 'm'
	}
	if string(head[:MagicSize-1]) != magic || head[MagicSize-1] != byte(f) {
		return false, &model.FormatError{Offset: 0, Record: -1, Field: "magic",
			Err: fmt.Errorf("%w: it begins with %q instead of %q", model.ErrNotDatabase, b[:MagicSize], magic+string(rune(f)))}
	}
	return misprinted, nil
}
