package wire

import (
	"cbkit/model"
)

// Cursor is a place in a slice of bytes from which it reads forward. The zero
// value is a cursor over nothing.
type Cursor struct {
	data  []byte
	pos   int
	base  int64 // where data begins: see Sub
	fault *model.FormatError
}

// NewCursor returns a cursor at the beginning of b. The cursor never changes b,
// and the slices it returns are parts of b.
func NewCursor(b []byte) Cursor { return Cursor{data: b} }

// Err returns the first failure as a [*model.FormatError] with the place of
// the read that failed, nil if there was none. Its File is empty, its Record
// -1: the caller knows them.
func (c *Cursor) Err() error {
	if c.fault == nil {
		return nil
	}
	return c.fault
}

// Fail makes the cursor fail at its present place, unless it failed already:
// field names what was read there, err says what is wrong with it.
func (c *Cursor) Fail(field string, err error) {
	if c.fault == nil {
		c.fault = &model.FormatError{Offset: c.Offset(), Record: -1, Field: field, Err: err}
		c.pos = len(c.data)
	}
}

// Offset returns the place of the next read, counted from the beginning of the
// slice given to [NewCursor].
func (c *Cursor) Offset() int64 { return c.base + int64(c.pos) }

// Len returns the number of bytes not yet read; it is 0 after a failure.
func (c *Cursor) Len() int { return len(c.data) - c.pos }

// Bytes reads n bytes, without copying them. If there are fewer, or n is
// negative, it fails and returns nil.
func (c *Cursor) Bytes(n int) []byte {
	if n < 0 || n > len(c.data)-c.pos {
		c.Fail("", model.ErrTruncated)
		return nil
	}
	b := c.data[c.pos : c.pos+n : c.pos+n]
	c.pos += n
	return b
}

// Skip passes over n bytes; it fails like [Cursor.Bytes].
func (c *Cursor) Skip(n int) { c.Bytes(n) }

// Rest reads all bytes that are left, without copying them.
func (c *Cursor) Rest() []byte { return c.Bytes(c.Len()) }

// Sub reads n bytes and returns a cursor over them that tells the same offsets.
// If there are fewer, both cursors have failed.
func (c *Cursor) Sub(n int) Cursor {
	sub := Cursor{base: c.Offset()}
	sub.data = c.Bytes(n)
	sub.fault = c.fault
	return sub
}
