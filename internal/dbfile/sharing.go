package dbfile

import (
	"fmt"

	"cbkit/model"
)

// Sharing bounds how many bytes one reading of all records takes. Records that
// share their bytes are damage, or a trick: thousands that all lead to one large
// game make a small file endless work. As much is read again as a whole file has,
// and a little more, which is far beyond what a few records share or lie out of
// order; a later one is refused.
type Sharing struct {
	budget  int64 // how many bytes may be read again
	end     int64 // of the furthest record so far
	started bool
}

// freeSharing is how much may be read again of a file of any size.
const freeSharing = 1 << 22

// Pass takes the next record of a file of total bytes, or a part of it, and
// reports whether it may be read.
func (s *Sharing) Pass(total, at, size int64) bool {
	if !s.started {
		*s = Sharing{budget: total + freeSharing, started: true}
	}
	if at < s.end {
		if size > s.budget {
			return false
		}
		s.budget -= size
	}
	s.end = max(s.end, at+size)
	return true
}

// Refused is the error about a record, or a part of it, that Pass does not take.
func (s *Sharing) Refused(file string, at, size int64, record model.RecordID) error {
	return &model.FormatError{File: file, Offset: at, Record: int64(record), Err: fmt.Errorf(
		"%w: its %d bytes belong to other records too, which share more than the whole file has; it is not read", model.ErrCorrupt, size)}
}
