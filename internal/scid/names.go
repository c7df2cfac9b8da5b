package scid

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"cbkit/internal/wire"
	"cbkit/model"
)

// The kinds of names.
const (
	Players = iota
	Events
	Sites
	Rounds
	kinds
)

// kindNames are what errors call them.
var kindNames = [kinds]string{"players", "events", "sites", "rounds"}

// Name is a name and how often games refer to it.
type Name struct {
	ID        uint32
	Frequency uint32
	Bytes     []byte
}

// Names is a file of names. Each list is in stored order.
type Names struct {
	Stamp uint32 // once a time
	// Most are the greatest frequencies, which say how wide the frequencies are.
	Most  [kinds]uint32
	Lists [kinds][]Name
	// Rest is what stands behind the last name.
	Rest []byte
}

const namesMagic = "Scid.sn\x00"

// idSize is how many bytes ids have, of so many names.
func idSize(names int) int {
	if names >= 1<<16 {
		return 3
	}
	return 2
}

// frequencySize is how many bytes frequencies have, of which the greatest is known.
func frequencySize(most uint32) int {
	switch {
	case most < 1<<8:
		return 1
	case most < 1<<16:
		return 2
	}
	return 3
}

// namesPiece is how many bytes of names have their memory together.
const namesPiece = 1 << 16

// DecodeNames reads a file of names of version 3 or 4. Names have memory of their own. An
// error leaves what stands before.
func DecodeNames(b []byte) (*Names, error) {
	n := &Names{}
	c := wire.NewCursor(b)
	magic := c.Bytes(len(namesMagic))
	n.Stamp = c.U32BE()
	var counts [kinds]int
	for k := range counts {
		counts[k] = int(c.U24BE())
	}
	for k := range n.Most {
		n.Most[k] = c.U24BE()
	}
	if err := c.Err(); err != nil {
		return n, err
	}
	if string(magic) != namesMagic {
		return n, wrong(0, "magic", model.ErrNotDatabase, "% x does not begin names of Scid", magic)
	}
	number := func(size int) (v uint32) {
		for _, b := range c.Bytes(size) {
			v = v<<8 | uint32(b)
		}
		return v
	}
	for k := range kinds {
		// A name has an id, a frequency and its length at least.
		if least := counts[k] * (idSize(counts[k]) + frequencySize(n.Most[k]) + 1); least > c.Len() {
			return n, wrong(int(c.Offset()), kindNames[k], model.ErrTruncated, "%d are announced, which need %d bytes; the file has %d", counts[k], least, c.Len())
		}
		var before, piece []byte
		have := make([]bool, counts[k])
		n.Lists[k] = make([]Name, 0, counts[k])
		for i := range counts[k] {
			at := int(c.Offset())
			name := Name{ID: number(idSize(counts[k])), Frequency: number(frequencySize(n.Most[k]))}
			size, shared := int(c.U8()), 0
			if i > 0 {
				shared = int(c.U8())
			}
			if c.Err() == nil && (shared > size || shared > len(before)) {
				return n, wrong(at, kindNames[k], model.ErrCorrupt, "name %d of %d bytes shares %d with one of %d", i+1, size, shared, len(before))
			}
			rest := c.Bytes(size - shared)
			if err := c.Err(); err != nil {
				return n, wrong(at, kindNames[k], model.ErrTruncated, "name %d of %d", i+1, counts[k])
			}
			if int(name.ID) >= counts[k] || have[name.ID] {
				return n, wrong(at, kindNames[k], model.ErrCorrupt, "name %d has the id %d, which is another one's or too large for %d names", i+1, name.ID, counts[k])
			}
			have[name.ID] = true
			if cap(piece)-len(piece) < size {
				piece = make([]byte, 0, namesPiece)
			}
			from := len(piece)
			piece = append(append(piece, before[:shared]...), rest...)
			name.Bytes = piece[from:len(piece):len(piece)]
			before = name.Bytes
			n.Lists[k] = append(n.Lists[k], name)
		}
	}
	n.Rest = c.Rest()
	return n, nil
}

// Append appends a file of names.
func (n *Names) Append(dst []byte) []byte {
	dst = wire.AppendU32BE(append(dst, namesMagic...), n.Stamp)
	for k := range n.Lists {
		dst = wire.AppendU24BE(dst, uint32(len(n.Lists[k])))
	}
	for _, most := range n.Most {
		dst = wire.AppendU24BE(dst, most)
	}
	number := func(v uint32, size int) {
		for i := size - 1; i >= 0; i-- {
			dst = append(dst, byte(v>>(8*i)))
		}
	}
	for k, list := range n.Lists {
		for i, name := range list {
			number(name.ID, idSize(len(list)))
			number(name.Frequency, frequencySize(n.Most[k]))
			dst = append(dst, byte(len(name.Bytes)))
			shared := 0
			if i > 0 {
				before := list[i-1].Bytes
				for shared < min(len(before), len(name.Bytes)) && before[shared] == name.Bytes[shared] {
					shared++
				}
				dst = append(dst, byte(shared))
			}
			dst = append(dst, name.Bytes[shared:]...)
		}
	}
	return append(dst, n.Rest...)
}

// Sort puts the names into Scid's order, and finds the greatest frequencies.
func (n *Names) Sort() {
	for kind, list := range n.Lists {
		slices.SortStableFunc(list, func(a, b Name) int { return compare(a.Bytes, b.Bytes) })
		n.Most[kind] = 0
		for _, name := range list {
			n.Most[kind] = max(n.Most[kind], name.Frequency)
		}
	}
}

// Less reports whether Scid stores a name before another.
func Less(a, b []byte) bool { return compare(a, b) < 0 }

// compare orders names as Scid stores them: by the first byte, then by the others as signed
// ones, the end being 0.
func compare(a, b []byte) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(a), len(b))
	}
	order := cmp.Compare(a[0], b[0])
	for i := 1; order == 0 && i < max(len(a), len(b)); i++ {
		var x, y int8
		if i < len(a) {
			x = int8(a[i])
		}
		if i < len(b) {
			y = int8(b[i])
		}
		order = cmp.Compare(x, y)
	}
	return order
}

// kindSetting is the kind of a setting among the names of version 5.
const kindSetting = 4

// settings5 are the names of settings, each followed by its value.
var settings5 = [...]string{"type", "description", "autoload", "flag1", "flag2", "flag3", "flag4", "flag5", "flag6"}

// DecodeNames5 reads a file of names of version 5, and what it says in place of a header.
func DecodeNames5(b []byte) (*Names, Header, error) {
	n, h := &Names{}, Header{Version: 500}
	for at := 0; at < len(b); {
		v, size := binary.Uvarint(b[at:])
		kind, length := int(v&7), v>>3
		switch {
		case size <= 0 || length > uint64(len(b)-at-size):
			return n, h, wrong(at, "names", model.ErrTruncated, "a name is cut")
		case kind > kindSetting:
			return n, h, wrong(at, "names", model.ErrCorrupt, "a name of the kind %d", kind)
		}
		value := b[at+size : at+size+int(length)]
		at += size + int(length)
		if kind < kinds {
			n.Lists[kind] = append(n.Lists[kind], Name{ID: uint32(len(n.Lists[kind])), Bytes: bytes.Clone(value)})
			continue
		}
		h.set(value)
	}
	return n, h, nil
}

// set takes a setting over; those that are unknown say nothing.
func (h *Header) set(value []byte) {
	for i, name := range settings5 {
		text, is := bytes.CutPrefix(value, []byte(name))
		if !is {
			continue
		}
		number := uint32(0)
		for _, d := range text {
			if d >= '0' && d <= '9' && number < 1<<24 {
				number = 10*number + uint32(d-'0')
			}
		}
		switch i {
		case 0:
			h.Type = number
		case 1:
			text, _ = bytes.CutPrefix(text, []byte("Text"))
			h.Description = [descriptionSize]byte{}
			copy(h.Description[:descriptionSize-1], text)
		case 2:
			h.Autoload = number
		default:
			h.FlagNames[i-3] = [flagNameSize]byte{}
			text, _ = bytes.CutPrefix(text, []byte("Name"))
			copy(h.FlagNames[i-3][:flagNameSize-1], text)
		}
	}
}
