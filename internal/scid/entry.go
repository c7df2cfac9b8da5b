package scid

import (
	"bytes"
	"encoding/binary"
	"sort"

	"cbkit/internal/wire"
	"cbkit/model"
)

// Version is a layout of the files of a database.
type Version uint8

// The versions that are read.
const (
	V3 Version = 3 // .si3, which Scid up to 3.6 wrote
	V4 Version = 4 // .si4
	V5 Version = 5 // .si5, of Scid 5
)

// EntrySize returns how many bytes an entry has.
func (v Version) EntrySize() int { return [...]int{V3: 46, V4: 47, V5: 56}[v] }

// HeaderSize returns how many bytes stand in front of the first entry.
func (v Version) HeaderSize() int { return [...]int{V3: 128, V4: 182, V5: 0}[v] }

// Block returns the size of the blocks that no record crosses.
func (v Version) Block() int64 {
	if v == V3 {
		return OldBlockSize
	}
	return BlockSize
}

// indexMagic is what an index begins with; those of .si5 have no header.
const indexMagic = "Scid.si\x00"

// The sizes of texts of a header, with the 0 that ends them where there is one.
const (
	descriptionSize = 108
	flagNameSize    = 9
	customFlags     = 6
)

// Header is the beginning of an index, or what .sn5 says in its place.
type Header struct {
	Version  uint16 // 400 for .si4, 300 for .si3
	Type     uint32 // an icon's number, which says nothing of the games
	Games    uint32
	Autoload uint32 // the game that is shown first, by one of two rules
	// Description and FlagNames are what their fields have to the end, with what stands
	// behind the 0.
	Description [descriptionSize]byte
	FlagNames   [customFlags][flagNameSize]byte
}

// DecodeHeader reads the header of an index of version 3 or 4.
func DecodeHeader(b []byte) (h Header, v Version, err error) {
	c := wire.NewCursor(b)
	magic := c.Bytes(len(indexMagic))
	if h.Version = c.U16BE(); c.Err() != nil {
		return h, 0, c.Err()
	}
	if string(magic) != indexMagic {
		return h, 0, wrong(0, "magic", model.ErrNotDatabase, "% x does not begin an index of Scid", magic)
	}
	switch v = V4; {
	case h.Version < 300 || h.Version > 400:
		return h, 0, wrong(len(indexMagic), "version", model.ErrUnsupported, "%d; those from 300 to 400 are read", h.Version)
	case h.Version < 400:
		v = V3
	}
	h.Type, h.Games, h.Autoload = c.U32BE(), c.U24BE(), c.U24BE()
	copy(h.Description[:], c.Bytes(descriptionSize))
	if v == V4 {
		for i := range h.FlagNames {
			copy(h.FlagNames[i][:], c.Bytes(flagNameSize))
		}
	}
	return h, v, c.Err()
}

// Append appends a header.
func (h *Header) Append(dst []byte) []byte {
	dst = wire.AppendU16BE(append(dst, indexMagic...), h.Version)
	dst = wire.AppendU24BE(wire.AppendU24BE(wire.AppendU32BE(dst, h.Type), h.Games), h.Autoload)
	dst = append(dst, h.Description[:]...)
	if h.Version >= 400 {
		for i := range h.FlagNames {
			dst = append(dst, h.FlagNames[i][:]...)
		}
	}
	return dst
}

// CString returns what stands in front of the first 0.
func CString(b []byte) []byte {
	b, _, _ = bytes.Cut(b, []byte{0})
	return b
}

// FlagDeleted marks a game as deleted. The flags 0 to 2 are those of records.
const FlagDeleted = 1 << 3

// FlagsTag is the tag of PGN that has the letters of the flags of a game.
const FlagsTag = "ScidFlags"

// FlagLetters are what Scid calls the flags, by bit. The last six are the custom ones.
const FlagLetters = "SXYDWBMENPTKQ!?U123456"

const customBit = 16

// Entry is what an index says of a game.
type Entry struct {
	Offset                           uint64 // of the record
	Length                           uint32
	Flags                            uint32
	White, Black, Event, Site, Round uint32
	Result                           uint8 // 0 *, 1 1-0, 2 0-1, 3 1/2-1/2; more in entries that no program wrote
	NAGs, Comments, Variations       uint8 // codes of counts; see CountCode
	ECO                              uint16
	Date                             uint32 // year<<9 | month<<5 | day
	EventDate                        uint32 // likewise; of V3 and V4 the 12 bits that are stored
	Elo                              [2]uint16
	RatingType                       [2]uint8
	Line                             uint8  // a number of an opening line, 0 without
	Material                         uint32 // of the last position of the main line
	Plies                            uint16 // of the main line, modulo 1024
	HomePawns                        uint8  // how many pawns have left their home squares
	Pawns                            [8]byte
	Chess960                         bool // V5
	unused                           bool // bit 6 of byte 6
}

// RatingTypes are the words for ratings of players, by their numbers.
var RatingTypes = [...]string{"Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF"}

// DecodeEntry reads an entry, which must be whole.
func (v Version) DecodeEntry(b []byte) (e Entry) {
	if v == V5 {
		return decodeEntry5(b)
	}
	c := wire.NewCursor(b)
	e.Offset, e.Length = uint64(c.U32BE()), uint32(c.U16BE())
	custom := byte(0)
	if v == V4 {
		high := c.U8()
		e.Length |= uint32(high>>7) << 16
		custom, e.unused = high&0x3f, high&0x40 != 0
	}
	e.Flags = uint32(c.U16BE()) | uint32(custom)<<customBit
	players := c.U8()
	e.White, e.Black = uint32(players>>4)<<16|uint32(c.U16BE()), uint32(players&15)<<16|uint32(c.U16BE())
	places := uint32(c.U8())
	e.Event, e.Site, e.Round = places>>5<<16|uint32(c.U16BE()), places>>2&7<<16|uint32(c.U16BE()), places&3<<16|uint32(c.U16BE())
	counts := c.U16BE()
	e.Result, e.NAGs, e.Comments, e.Variations = uint8(counts>>12), uint8(counts>>8&15), uint8(counts>>4&15), uint8(counts&15)
	e.ECO = c.U16BE()
	dates := c.U32BE()
	e.EventDate, e.Date = dates>>20, dates&(1<<20-1)
	for i := range e.Elo {
		w := c.U16BE()
		e.RatingType[i], e.Elo[i] = uint8(w>>12), w&0xfff
	}
	e.Line, e.Material = c.U8(), c.U24BE()
	e.Plies = uint16(c.U8())
	high := c.U8()
	e.Plies |= uint16(high>>6) << 8
	e.HomePawns = high & 0x3f
	copy(e.Pawns[:], c.Bytes(len(e.Pawns)))
	return e
}

// AppendEntry appends an entry.
func (v Version) AppendEntry(dst []byte, e *Entry) []byte {
	if v == V5 {
		return appendEntry5(dst, e)
	}
	dst = wire.AppendU16BE(wire.AppendU32BE(dst, uint32(e.Offset)), uint16(e.Length))
	if v == V4 {
		high := byte(e.Length>>16&1<<7) | byte(e.Flags>>customBit&0x3f)
		if e.unused {
			high |= 0x40
		}
		dst = append(dst, high)
	}
	dst = wire.AppendU16BE(dst, uint16(e.Flags))
	dst = append(dst, byte(e.White>>16&15<<4|e.Black>>16&15))
	dst = wire.AppendU16BE(wire.AppendU16BE(dst, uint16(e.White)), uint16(e.Black))
	dst = append(dst, byte(e.Event>>16&7<<5|e.Site>>16&7<<2|e.Round>>16&3))
	dst = wire.AppendU16BE(wire.AppendU16BE(wire.AppendU16BE(dst, uint16(e.Event)), uint16(e.Site)), uint16(e.Round))
	dst = wire.AppendU16BE(dst, uint16(e.Result&15)<<12|uint16(e.NAGs&15)<<8|uint16(e.Comments&15)<<4|uint16(e.Variations&15))
	dst = wire.AppendU16BE(dst, e.ECO)
	dst = wire.AppendU32BE(dst, e.EventDate<<20|e.Date&(1<<20-1))
	for i := range e.Elo {
		dst = wire.AppendU16BE(dst, uint16(e.RatingType[i])<<12|e.Elo[i]&0xfff)
	}
	dst = wire.AppendU24BE(append(dst, e.Line), e.Material)
	dst = append(dst, byte(e.Plies), byte(e.Plies>>8&3<<6)|e.HomePawns&0x3f)
	return append(dst, e.Pawns[:]...)
}

// decodeEntry5 reads an entry of .si5: twelve words, the lowest byte first, and the home pawns.
func decodeEntry5(b []byte) (e Entry) {
	var w [12]uint32
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	e.Comments, e.White = uint8(w[0]>>28), w[0]&(1<<28-1)
	e.Variations, e.Black = uint8(w[1]>>28), w[1]&(1<<28-1)
	e.NAGs, e.Event = uint8(w[2]>>28), w[2]&(1<<28-1)
	e.Site = w[3]
	e.Chess960, e.Round = w[4]>>31 != 0, w[4]&(1<<31-1)
	e.Elo, e.Date, e.EventDate = [2]uint16{uint16(w[5] >> 20), uint16(w[6] >> 20)}, w[5]&(1<<20-1), w[6]&(1<<20-1)
	e.Plies, e.Flags = uint16(w[7]>>22), w[7]&(1<<22-1)
	e.Length, e.Offset = w[8]>>15, uint64(w[8]&(1<<15-1))<<32|uint64(w[9])
	e.Line, e.Material = uint8(w[10]>>24), w[10]&(1<<24-1)
	e.HomePawns, e.RatingType = uint8(w[11]>>24), [2]uint8{uint8(w[11] >> 21 & 7), uint8(w[11] >> 18 & 7)}
	e.Result, e.ECO = uint8(w[11]>>16&3), uint16(w[11])
	copy(e.Pawns[:], b[48:])
	return e
}

func appendEntry5(dst []byte, e *Entry) []byte {
	chess960 := uint32(0)
	if e.Chess960 {
		chess960 = 1 << 31
	}
	for _, w := range [12]uint32{
		uint32(e.Comments)<<28 | e.White, uint32(e.Variations)<<28 | e.Black, uint32(e.NAGs)<<28 | e.Event, e.Site, chess960 | e.Round,
		uint32(e.Elo[0])<<20 | e.Date, uint32(e.Elo[1])<<20 | e.EventDate, uint32(e.Plies)<<22 | e.Flags,
		e.Length<<15 | uint32(e.Offset>>32), uint32(e.Offset), uint32(e.Line)<<24 | e.Material,
		uint32(e.HomePawns)<<24 | uint32(e.RatingType[0])<<21 | uint32(e.RatingType[1])<<18 | uint32(e.Result)<<16 | uint32(e.ECO),
	} {
		dst = wire.AppendU32LE(dst, w)
	}
	return append(dst, e.Pawns[:]...)
}

// Day returns a stored date.
func Day(v uint32) model.Date {
	return model.Date{Year: uint16(v >> 9), Month: uint8(v >> 5 & 15), Day: uint8(v & 31)}
}

// maxYear is the last year that can be stored.
const maxYear = 2047

// StoredDay is the inverse of Day; a later year is lost.
func StoredDay(d model.Date) uint32 {
	if d.Year > maxYear {
		d.Year = 0
	}
	return uint32(d.Year)<<9 | uint32(d.Month&15)<<5 | uint32(d.Day&31)
}

// DayOfEvent returns the date of the event. In V3 and V4 its year is counted from that of
// the game.
func (v Version) DayOfEvent(e *Entry) model.Date {
	if v == V5 {
		return Day(e.EventDate)
	}
	d, years := Day(e.EventDate&(1<<9-1)), int(e.EventDate>>9)
	if years == 0 {
		return model.Date{}
	}
	d.Year = uint16(max(0, int(e.Date>>9)+years-4))
	return d
}

// StoredEvent returns how the date of an event is stored in an entry of V4 that has its
// date: 0 for none, and where it is more than three years from the game's.
func StoredEvent(event model.Date, date uint32) uint32 {
	years := int(event.Year) - int(date>>9)
	if event.IsZero() || years < -3 || years > 3 {
		return 0
	}
	return uint32(years+4)<<9 | uint32(event.Month&15)<<5 | uint32(event.Day&31)
}

// What codes of openings count: the codes A00 to E99 and, in each, small letters with digits.
const (
	ecoSubs   = 131
	ecoDigits = 5
	lastECO   = 500 * ecoSubs
)

// FormatECO returns the code of an opening, with Scid's own letter and digit; "" for none.
func FormatECO(v uint16) string {
	if v == 0 || v > lastECO {
		return ""
	}
	n := int(v) - 1
	code, sub := n/ecoSubs, n%ecoSubs
	text := append(make([]byte, 0, 5), byte('A'+code/100), byte('0'+code/10%10), byte('0'+code%10))
	if sub > 0 {
		text = append(text, byte('a'+(sub-1)/ecoDigits))
		if digit := (sub - 1) % ecoDigits; digit > 0 {
			text = append(text, byte('0'+digit))
		}
	}
	return string(text)
}

// ParseECO is the inverse of FormatECO; of what is no such code it returns 0.
func ParseECO(text string) uint16 {
	if len(text) < 3 || len(text) > 5 || text[0] < 'A' || text[0] > 'E' || text[1] < '0' || text[1] > '9' || text[2] < '0' || text[2] > '9' {
		return 0
	}
	n := 1 + ecoSubs*(100*int(text[0]-'A')+10*int(text[1]-'0')+int(text[2]-'0'))
	if len(text) > 3 {
		if text[3] < 'a' || text[3] > 'z' {
			return 0
		}
		n += 1 + ecoDigits*int(text[3]-'a')
	}
	if len(text) > 4 {
		if text[4] < '1' || text[4] > '4' {
			return 0
		}
		n += int(text[4] - '0')
	}
	return uint16(n)
}

// countSteps are the greatest numbers of each code of a count, from 10 on.
var countSteps = [...]int{12, 17, 24, 34, 44}

// CountCode returns the code of a number of comments, variations or NAGs.
func CountCode(n int) uint8 {
	if n <= 10 {
		return uint8(n)
	}
	return uint8(10 + sort.SearchInts(countSteps[:], n))
}
