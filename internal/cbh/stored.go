package cbh

import (
	"fmt"
	"math"

	"cbkit/model"
)

// counter is a field of a header that counts the records of the file.
//
// Counters lie in old databases; what a file holds, its size says
// (docs/formats/real-databases.md 10).
type counter struct {
	offset  int64
	field   string
	records int64
}

// stored returns how many whole records a file of size bytes holds. Wrong is
// not nil if the counter says otherwise: it wraps model.ErrTruncated if records
// are missing, model.ErrCorrupt if there are more.
func (c counter) stored(size, headerSize, recordSize int64) (records int64, wrong error) {
	records = min(max(size-headerSize, 0)/recordSize, math.MaxInt32)
	switch {
	case records < c.records:
		wrong = fmt.Errorf("%w: %d records are announced, the file has %d whole ones", model.ErrTruncated, c.records, records)
	case records > c.records:
		wrong = fmt.Errorf("%w: %d records are announced, the file has %d; all are read", model.ErrCorrupt, c.records, records)
	default:
		return records, nil
	}
	return records, fail(c.offset, c.field, wrong)
}

// Stored returns how many whole records a .cbh file of so many bytes holds,
// whatever the header counts. Wrong says that it counts others.
func (h *FileHeader) Stored(size int64) (records int64, wrong error) {
	return counter{6, "next game id", max(int64(h.Next)-1, 0)}.stored(size, RecordSize, RecordSize)
}

// Stored is the same for a .cbj file.
func (h *ExtHeader) Stored(size int64) (records int64, wrong error) {
	return counter{8, "records", int64(h.Records)}.stored(size, ExtHeaderSize, int64(h.RecordSize))
}

// Stored is the same for an entity file.
func (h *EntityHeader) Stored(size int64) (records int64, wrong error) {
	return counter{0, "capacity", int64(h.Capacity)}.stored(size, int64(h.Size()), EntityLinksSize+int64(h.PayloadSize))
}

// End returns where the records of a .cbg or .cba file of so many bytes end by
// the header, at most the end of the file.
func (h *BlockHeader) End(size int64) int64 {
	if h.Size == BlockHeaderSize && size > math.MaxUint32 {
		return int64(min(h.FileSize64, uint64(size)))
	}
	return min(int64(h.FileSize), size)
}

// Declares reports whether the header of a .cbg or .cba file gives it so many
// bytes, in all fields.
func (h *BlockHeader) Declares(size int64) bool {
	if h.Size == BlockHeaderSize && h.FileSize64 != uint64(size) {
		return false
	}
	return h.FileSize == uint32(size)
}
