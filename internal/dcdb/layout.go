package dcdb

import (
	"fmt"

	"cbkit/internal/wire"
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

// Layout is one of the ways in which index files are laid out.
type Layout uint8

const (
	// V1 is what the format's description says.
	V1 Layout = iota + 1
	// V0 is what the author's own programs write and read.
	V0
	// The others are only read: drafts of the description and what was
	// written by them.
	v1Short     // version 1.0 of the text: no search fields
	v0NoEvent   // the text of early January 2017
	unversioned // pgn2dcg before 17.1.2017
	v1NoEvent
	v1NinePawns // the diagram's nine bytes of pawn moves
)

// layouts describes the layouts, by number.
var layouts = [...]struct {
	name          string
	header, entry int
	noEvent       bool
}{
	V1:          {"v1", 11, 61, false},
	V0:          {"v0", 19, 39, false},
	v1Short:     {"v1 without search fields", 11, 39, false},
	v0NoEvent:   {"v0 without events", 19, 35, true},
	unversioned: {"v0 without events and version", 10, 35, true},
	v1NoEvent:   {"v1 without events", 11, 35, true},
	v1NinePawns: {"v1 with nine pawn moves", 11, 54, false},
}

// String returns a short description, "v0" and "v1" for the two that are
// written.
func (l Layout) String() string { return layouts[l].name }

// HeaderSize is the size of the index header in bytes.
func (l Layout) HeaderSize() int { return layouts[l].header }

// EntrySize is the size of an index entry in bytes.
func (l Layout) EntrySize() int { return layouts[l].entry }

// Promotions returns how databases of the layout number the pieces that pawns
// become, as far as their version says.
func (l Layout) Promotions() Promotions {
	switch l {
	case V0, v0NoEvent, unversioned:
		return FromTwo
	}
	return FromOne
}

// ParseLayout reads "v0" and "v1".
func ParseLayout(s string) (Layout, error) {
	switch s {
	case "v0":
		return V0, nil
	case "v1":
		return V1, nil
	}
	return 0, fmt.Errorf("%q is no layout of a Simple Chess Database; there are v0 and v1", s)
}

// AppendIndexHeader appends the header of an index file of layout V0 or V1.
// OpenDefault, the number of the game to open first, exists in V0 only.
func (l Layout) AppendIndexHeader(dst []byte, openDefault uint64) []byte {
	dst = AppendMagic(dst, Index)
	if l == V1 {
		return append(dst, 1)
	}
	return wire.AppendU64BE(append(dst, 0), openDefault)
}

// OpenDefault returns the number of the game to open first, from 0, of a
// header that has one.
func (l Layout) OpenDefault(header []byte) uint64 {
	c := wire.NewCursor(header)
	c.Skip(MagicSize + 1)
	if l.HeaderSize() < MagicSize+1+8 {
		return 0
	}
	return c.U64BE()
}

// ProbeSize is how many bytes of an index file [Detect] looks at.
const ProbeSize = 11 + 16*61

// Detect tells the layout of an index file from its first [ProbeSize] bytes,
// its size and the size of the .dcg file. The version byte is asked first, but
// only the entries are believed: most of the first ones must make sense.
// (docs/formats/dcdb.md 2)
func Detect(head []byte, size, games int64) (Layout, error) {
	version := byte(0)
	if len(head) > MagicSize {
		version = head[MagicSize]
	}
	order := []Layout{V0, v1Short, v0NoEvent, unversioned, v1NoEvent, v1NinePawns, V1}
	if version == 1 {
		order = []Layout{V1, v1Short, v1NoEvent, v1NinePawns, v0NoEvent, unversioned, V0}
	}
	for _, whole := range []bool{true, false} {
		for _, l := range order {
			if l.fits(size, whole) && l.sensible(head, games) {
				return l, nil
			}
		}
	}
	if version <= 1 && size >= int64(order[0].HeaderSize()) {
		return order[0], nil
	}
	return 0, &model.FormatError{Offset: MagicSize, Record: -1, Field: "version",
		Err: fmt.Errorf("%w: version %d, and the entries have no layout that is known", model.ErrUnsupported, version)}
}

// fits reports whether an index file can have a size: whole says that all of
// its entries are complete, else the last may be cut and is not the only one.
func (l Layout) fits(size int64, whole bool) bool {
	rest, entry := size-int64(l.HeaderSize()), int64(l.EntrySize())
	if whole {
		return rest >= 0 && rest%entry == 0
	}
	return rest > entry
}

// sensible reports whether more than half of the first entries can be some; games is the
// size of the .dcg file.
func (l Layout) sensible(head []byte, games int64) bool {
	good, all := 0, 0
	for at := l.HeaderSize(); at+l.EntrySize() <= len(head); at += l.EntrySize() {
		all++
		e := l.DecodeEntry(head[at:])
		if (e.Status == 0 || e.Status == StatusDeleted) && e.Offset >= MagicSize && e.Offset < uint64(max(games, 0)) &&
			e.Result <= 3 && e.Month <= 12 && e.Day <= 31 {
			good++
		}
	}
	return all == 0 || 2*good > all
}
