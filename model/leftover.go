package model

import (
	"bytes"
	"slices"
)

// Leftover is what a format stored with a value and the model has no word for:
// reserved words, bytes after the end of a string, a text in an unusual
// encoding.
//
// Only the format that made a leftover can read its Data. Other formats ignore
// it, and ignoring it is never a [Loss]. The methods of this package that
// change a value drop the leftovers that depend on it; code that sets a field
// directly calls [Game.Forget].
//
// [Equal] ignores leftovers, [Identical] does not.
type Leftover struct {
	// Format names the format, such as "cbh".
	Format string
	Data   []byte
}

// From returns the data if the leftover was made by the given format, else nil.
// It may be called on a nil leftover.
func (l *Leftover) From(format string) []byte {
	if l == nil || l.Format != format {
		return nil
	}
	return l.Data
}

// Clone returns a copy; the copy of nil is nil.
func (l *Leftover) Clone() *Leftover {
	if l == nil {
		return nil
	}
	return &Leftover{Format: l.Format, Data: slices.Clone(l.Data)}
}

// identical reports whether both are absent or equal.
func (l *Leftover) identical(m *Leftover) bool {
	if l == nil || m == nil {
		return l == m
	}
	return l.Format == m.Format && bytes.Equal(l.Data, m.Data)
}
