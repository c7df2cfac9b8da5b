package fsys

import (
	"io"
	"slices"
)

// Memory is a ReadFile that can be written, with its bytes in memory. The zero
// value is empty.
type Memory struct{ bytes []byte }

// NewMemory returns a file of the given bytes, which belong to it from then
// on.
func NewMemory(b []byte) *Memory { return &Memory{b} }

// Bytes returns the content, valid until the next change.
func (m *Memory) Bytes() []byte { return m.bytes }

// ReadAt implements [io.ReaderAt].
func (m *Memory) ReadAt(b []byte, offset int64) (int, error) {
	if offset < 0 || offset > m.Size() {
		return 0, io.EOF
	}
	n := copy(b, m.bytes[offset:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt implements [io.WriterAt].
func (m *Memory) WriteAt(b []byte, offset int64) (int, error) {
	if end := offset + int64(len(b)); end > m.Size() {
		if err := m.Truncate(end); err != nil {
			return 0, err
		}
	}
	return copy(m.bytes[offset:], b), nil
}

// Truncate cuts or extends the file.
func (m *Memory) Truncate(size int64) error {
	more := max(int(size)-len(m.bytes), 0)
	m.bytes = slices.Grow(m.bytes, more)[:size]
	clear(m.bytes[int(size)-more:])
	return nil
}

// Size implements ReadFile.
func (m *Memory) Size() int64 { return int64(len(m.bytes)) }

// Close implements [io.Closer].
func (m *Memory) Close() error { return nil }
