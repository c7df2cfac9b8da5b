package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"

	"cbkit/model"
)

// What a file says about itself is a structure in the compact protocol of
// Thrift. A decoder makes room for as many elements as a list says it
// has. So each structure is walked over first, to see that all is there.
//
//	structure   fields, then the byte 0
//	field       u8 difference of the number << 4 | type, or the type and a
//	            varint; then the value
//	list, set   u8 count << 4 | type, or 0xF and a varint; then the values
//	map         varint count, u8 type of keys << 4 | type of values; then pairs
//	binary      varint length, then so many bytes
//
// (Thrift's document "Thrift Compact protocol encoding")

// The types of values.
const (
	compactTrue   = 1
	compactFalse  = 2
	compactByte   = 3
	compactInt16  = 4
	compactInt32  = 5
	compactInt64  = 6
	compactDouble = 7
	compactBinary = 8
	compactList   = 9
	compactSet    = 10
	compactMap    = 11
	compactStruct = 12
	compactUUID   = 13
)

// compactDepth is how deep structures may be nested. Those of Parquet are ten
// deep at most.
const compactDepth = 32

// errShort says that a structure goes on behind the bytes that are there.
var errShort = fmt.Errorf("%w: it ends in the middle of a structure", model.ErrTruncated)

var (
	errCompactType  = fmt.Errorf("%w: a structure has a value of no known type", model.ErrCorrupt)
	errCompactDepth = fmt.Errorf("%w: structures are nested too deep", model.ErrCorrupt)
	errCompactEmpty = fmt.Errorf("%w: a list has empty structures", model.ErrCorrupt)
)

// compactSize returns the size of the structure with which b begins.
func compactSize(b []byte) (int, error) {
	w := compactWalk{b: b}
	if err := w.structure(0); err != nil {
		return 0, err
	}
	return w.at, nil
}

// compactWalk goes over a structure.
type compactWalk struct {
	b  []byte
	at int
}

func (w *compactWalk) structure(depth int) error {
	if depth > compactDepth {
		return errCompactDepth
	}
	for {
		head, err := w.byte()
		if err != nil || head == 0 {
			return err
		}
		if head>>4 == 0 {
			if _, err := w.varint(); err != nil {
				return err
			}
		}
		if t := head & 15; t == compactTrue || t == compactFalse {
			continue // the type is the value
		}
		if err := w.value(head&15, depth); err != nil {
			return err
		}
	}
}

// value goes over a value as it stands in a list.
func (w *compactWalk) value(t byte, depth int) error {
	switch t {
	case compactTrue, compactFalse, compactByte:
		return w.skip(1)
	case compactInt16, compactInt32, compactInt64:
		_, err := w.varint()
		return err
	case compactDouble:
		return w.skip(8)
	case compactUUID:
		return w.skip(16)
	case compactBinary:
		n, err := w.varint()
		if err != nil {
			return err
		}
		return w.skip(n)
	case compactList, compactSet:
		head, err := w.byte()
		if err != nil {
			return err
		}
		n := uint64(head >> 4)
		if n == 15 {
			if n, err = w.varint(); err != nil {
				return err
			}
		}
		for range n {
			from := w.at
			if depth >= compactDepth {
				return errCompactDepth
			}
			if err := w.value(head&15, depth+1); err != nil {
				return err
			}
			if head&15 == compactStruct && w.at-from < 2 {
				return errCompactEmpty // it would need much more room than it has bytes
			}
		}
		return nil
	case compactMap:
		n, err := w.varint()
		if err != nil || n == 0 {
			return err
		}
		types, err := w.byte()
		if err != nil {
			return err
		}
		for range n {
			if depth >= compactDepth {
				return errCompactDepth
			}
			if err := errors.Join(w.value(types>>4, depth+1), w.value(types&15, depth+1)); err != nil {
				return err
			}
		}
		return nil
	case compactStruct:
		return w.structure(depth + 1)
	}
	return errCompactType
}

func (w *compactWalk) byte() (byte, error) {
	if w.at == len(w.b) {
		return 0, errShort
	}
	w.at++
	return w.b[w.at-1], nil
}

func (w *compactWalk) varint() (uint64, error) {
	v, n := binary.Uvarint(w.b[w.at:])
	switch {
	case n == 0:
		return 0, errShort
	case n < 0:
		return 0, errCompactType
	}
	w.at += n
	return v, nil
}

func (w *compactWalk) skip(n uint64) error {
	if n > uint64(len(w.b)-w.at) {
		return errShort
	}
	w.at += int(n)
	return nil
}
