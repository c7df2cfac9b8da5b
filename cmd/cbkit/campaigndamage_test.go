package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
)

// damageFile damages one file of the input and says how.
func (c *campaignCase) damageFile() string {
	names := slices.Sorted(maps.Keys(c.files))
	name := names[c.rand.IntN(len(names))]
	if c.rand.IntN(3) > 0 { // the larger files have more to damage
		name = c.bySize(names)
	}
	b := c.files[name]
	if len(b) == 0 {
		c.files[name] = c.garbage(1 + c.rand.IntN(64))
		return name + " filled with garbage"
	}
	kinds := []func(name string, b []byte) string{
		c.flipBit, c.flipBit, c.flipBit, c.setByte, c.setByte, c.setNumber, c.setNumber, c.setNumber,
		c.garble, c.zero, c.cut, c.cut, c.insert, c.remove, c.swap, c.repeat, c.extend, c.fieldToField, c.fieldToField,
		c.drop, c.exchange,
	}
	return kinds[c.rand.IntN(len(kinds))](name, b)
}

// bySize chooses a file by its share of all bytes.
func (c *campaignCase) bySize(names []string) string {
	total := size(c.files)
	if total == 0 {
		return names[0]
	}
	at := c.rand.IntN(total)
	for _, name := range names {
		if at -= len(c.files[name]); at < 0 {
			return name
		}
	}
	return names[0]
}

// place chooses a place in a file, more often near its beginning, where the
// headers are.
func (c *campaignCase) place(b []byte) int {
	if c.rand.IntN(4) == 0 {
		return c.rand.IntN(min(len(b), 64))
	}
	return c.rand.IntN(len(b))
}

func (c *campaignCase) garbage(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(c.rand.Uint32())
	}
	return b
}

func (c *campaignCase) flipBit(name string, b []byte) string {
	at, bit := c.place(b), c.rand.IntN(8)
	b[at] ^= 1 << bit
	return fmt.Sprintf("%s: bit %d at %#x flipped", name, bit, at)
}

func (c *campaignCase) setByte(name string, b []byte) string {
	at, v := c.place(b), []byte{0, 1, 0x7f, 0x80, 0xfe, 0xff, '"', '{', '}', '(', ')', ';', '\n', '[', byte(c.rand.Uint32())}[c.rand.IntN(15)]
	b[at] = v
	return fmt.Sprintf("%s: %#x at %#x", name, v, at)
}

// campaignNumbers are values at which computations go wrong.
var campaignNumbers = []uint64{
	0, 1, 2, 0x7f, 0xff, 0x100, 0x7fff, 0xffff, 0x10000, 0xffffff, 0x1000000,
	1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1<<64 - 1, 1 << 20, 1 << 28,
}

func (c *campaignCase) setNumber(name string, b []byte) string {
	v := campaignNumbers[c.rand.IntN(len(campaignNumbers))]
	if c.rand.IntN(4) == 0 {
		v = uint64(c.rand.IntN(2*len(b) + 1))
	}
	width := []int{1, 2, 3, 4, 4, 8}[c.rand.IntN(6)]
	at := c.place(b)
	var number [8]byte
	if c.rand.IntN(2) == 0 {
		binary.LittleEndian.PutUint64(number[:], v)
		copy(b[at:], number[:width])
	} else {
		binary.BigEndian.PutUint64(number[:], v)
		copy(b[at:], number[8-width:])
	}
	return fmt.Sprintf("%s: the number %#x in %d bytes at %#x", name, v, width, at)
}

func (c *campaignCase) garble(name string, b []byte) string {
	at, n := c.place(b), 1+c.rand.IntN(512)
	copy(b[at:], c.garbage(n))
	return fmt.Sprintf("%s: %d bytes of garbage at %#x", name, n, at)
}

func (c *campaignCase) zero(name string, b []byte) string {
	at := c.place(b)
	n := min(1+c.rand.IntN(4096), len(b)-at)
	clear(b[at : at+n])
	return fmt.Sprintf("%s: %d zeros at %#x", name, n, at)
}

func (c *campaignCase) cut(name string, b []byte) string {
	n := c.rand.IntN(len(b))
	if c.rand.IntN(3) == 0 {
		n = c.rand.IntN(min(len(b), 100))
	}
	c.files[name] = b[:n]
	return fmt.Sprintf("%s: cut after %d of %d bytes", name, n, len(b))
}

func (c *campaignCase) insert(name string, b []byte) string {
	at, n := c.place(b), 1+c.rand.IntN(100)
	c.files[name] = slices.Insert(b, at, c.garbage(n)...)
	return fmt.Sprintf("%s: %d bytes inserted at %#x", name, n, at)
}

func (c *campaignCase) remove(name string, b []byte) string {
	at := c.place(b)
	n := min(1+c.rand.IntN(100), len(b)-at)
	c.files[name] = slices.Delete(b, at, at+n)
	return fmt.Sprintf("%s: %d bytes removed at %#x", name, n, at)
}

func (c *campaignCase) swap(name string, b []byte) string {
	n := 1 + c.rand.IntN(min(len(b), 200))
	one, other := c.rand.IntN(len(b)-n+1), c.rand.IntN(len(b)-n+1)
	kept := slices.Clone(b[one : one+n])
	copy(b[one:], b[other:other+n])
	copy(b[other:], kept)
	return fmt.Sprintf("%s: %d bytes at %#x and %#x exchanged", name, n, one, other)
}

func (c *campaignCase) repeat(name string, b []byte) string {
	at := c.place(b)
	n := min(1+c.rand.IntN(200), len(b)-at)
	c.files[name] = slices.Insert(b, at, slices.Clone(b[at:at+n])...)
	return fmt.Sprintf("%s: %d bytes at %#x repeated", name, n, at)
}

func (c *campaignCase) extend(name string, b []byte) string {
	n := 1 + c.rand.IntN(5000)
	c.files[name] = append(b, c.garbage(n)...)
	return fmt.Sprintf("%s: %d bytes added", name, n)
}

// fieldToField copies a few bytes to where others of the kind are: offsets to
// offsets, ids to ids.
func (c *campaignCase) fieldToField(name string, b []byte) string {
	record := []int{46, 120, 67, 99, 62, 68, 72, 61, 39, 36, 4}[c.rand.IntN(11)]
	n := []int{1, 2, 3, 4, 8, 9, record}[c.rand.IntN(7)]
	from := c.rand.IntN(len(b))
	to := from + record*(c.rand.IntN(9)-4)
	n = min(n, len(b)-from)
	if to < 0 || to+n > len(b) {
		to = c.rand.IntN(len(b) - n + 1)
	}
	copy(b[to:to+n], slices.Clone(b[from:from+n]))
	return fmt.Sprintf("%s: %d bytes at %#x copied to %#x", name, n, from, to)
}

func (c *campaignCase) drop(name string, _ []byte) string {
	if len(c.files) == 1 || name == c.subject.main && c.rand.IntN(2) == 0 {
		c.files[name] = nil
		return name + ": emptied"
	}
	delete(c.files, name)
	return name + ": removed"
}

func (c *campaignCase) exchange(name string, b []byte) string {
	names := slices.Sorted(maps.Keys(c.files))
	other := names[c.rand.IntN(len(names))]
	c.files[name] = slices.Clone(c.files[other])
	return fmt.Sprintf("%s: what %s has", name, other)
}

// ownBytes are the bytes that one record is made of.
type ownBytes struct {
	key   string
	spans []span
}

// span is a part of a file: the bytes from an offset to another.
type span struct {
	file     string
	from, to int
	// moves says that the bytes may move with the end of the file: those of a
	// text, where nothing has a place of its own.
	moves bool
	// begins says that the bytes are a line, or lines: behind others on the same
	// line they are none.
	begins bool
	// comments says that a comment between records is of one of its neighbours, so
	// that they are others with it.
	comments bool
	// ends says that the file has to end there.
	ends bool
}

// intact reports whether all bytes are where they were.
func (o *ownBytes) intact(was, is map[string][]byte) bool {
	return !slices.ContainsFunc(o.spans, func(s span) bool { return !s.same(was[s.file], is[s.file]) })
}

func (s span) same(was, is []byte) bool {
	if s.ends && len(is) != len(was) {
		return false
	}
	at, there := s.find(was, is)
	return there && !(s.comments && s.commented(was, is, at))
}

// find returns where the bytes are.
func (s span) find(was, is []byte) (at int, there bool) {
	if s.to <= len(is) && slices.Equal(was[s.from:s.to], is[s.from:s.to]) && (!s.moves || slices.Equal(was[:s.from], is[:s.from])) {
		return s.from, true
	}
	behind := len(was) - s.from
	if !s.moves || behind > len(is) {
		return 0, false
	}
	at = len(is) - behind
	if s.begins && at > 0 && is[at-1] != '\n' {
		return 0, false
	}
	return at, slices.Equal(was[s.from:], is[at:])
}

// commented reports whether a comment stands directly in front of the bytes, or
// behind them, which did not before.
func (s span) commented(was, is []byte, at int) bool {
	behind := bytes.TrimSpace(is[at+s.to-s.from:])
	if len(behind) > 0 && (behind[0] == ';' || behind[0] == '{') {
		return true
	}
	front := lastLine(is[:at])
	return bytes.ContainsAny(front, ";}") && !bytes.Equal(front, lastLine(was[:s.from]))
}

// lastLine returns the last line that is not blank.
func lastLine(b []byte) []byte {
	b = bytes.TrimSpace(b)
	return b[bytes.LastIndexByte(b, '\n')+1:]
}

// damageKind says whose work a place is for.
type damageKind uint

const (
	damagedMoves       damageKind = 1 << iota // they do not decode, or lie outside their file
	damagedAnnotations                        // annotations that are broken
	damagedText                               // the content of a guiding text
	damagedHeader                             // a record that is none
	damagedReference                          // an entity that is not there
	damagedChecksum                           // of a .cbj record
	damagedFile                               // a file that is not what its name says
	damagedIllegal                            // a move against the rules
	damagedPage                               // a page of a book
	damagedArchive                            // a file in an archive

	// damagedHeads is in the way of all that reads the headers of records,
	// damagedGame of all that plays through games.
	damagedHeaders = damagedHeader | damagedReference | damagedFile
	damagedGame    = damagedHeaders | damagedMoves | damagedIllegal
	damagedRecord  = damagedGame | damagedAnnotations | damagedText
	damagedAny     = ^damageKind(0)
)

// visibleDamage is damage that can be seen.
type visibleDamage struct {
	kind   damageKind
	record int    // 0 if it is not of one alone
	file   string // the ending of a file that is damaged, or refers to nothing; or ""
	what   string
}
