package search

import (
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/model"
)

// IDSet is a set of records, or of entities by their numbers.
type IDSet struct {
	bits []uint64
	n    int
}

// Len returns how many records are in the set.
func (s *IDSet) Len() int { return s.n }

// Has reports whether a record is in the set.
func (s *IDSet) Has(id model.RecordID) bool {
	word := uint(uint32(id)) / 64 // of a negative id beyond all words
	return word < uint(len(s.bits)) && s.bits[word]>>(uint32(id)%64)&1 != 0
}

// all returns the records, which ascend; it is not nil.
func (s *IDSet) all() []model.RecordID {
	list := make([]model.RecordID, 0, s.n)
	for i, word := range s.bits {
		for ; word != 0; word &= word - 1 {
			list = append(list, model.RecordID(64*i+bits.TrailingZeros64(word)))
		}
	}
	return list
}

// add puts a record into the set; it reports false if it was there.
func (s *IDSet) add(id model.RecordID) bool {
	if id < 0 || s.Has(id) {
		return false
	}
	for len(s.bits) <= int(id)/64 {
		s.bits = append(s.bits, 0)
	}
	s.bits[id/64] |= 1 << (id % 64)
	s.n++
	return true
}

// unread are the records that a search could not read or decode, in whole or in
// part. It may be used from several goroutines.
type unread struct {
	lock sync.Mutex
	IDSet
	onUnread func(model.RecordID, error)
}

// report reports what is wrong with a record, the first time.
func (u *unread) report(id model.RecordID, faults ...error) {
	if len(faults) == 0 {
		return
	}
	u.lock.Lock()
	defer u.lock.Unlock()
	if !u.add(id) || u.onUnread == nil {
		return
	}
	for _, err := range faults {
		u.onUnread(id, err)
	}
}

// missing looks whether a record is marked as one, and whether it names an entity
// that its file does not have, of the kinds that the search is about.
func (s *session) missing(r *row) {
	if err := cbhdb.NotInUse(s.base.headers.Name(), r.id, r.typ); err != nil {
		s.unread.report(r.id, err)
	}
	for _, set := range s.sets {
		one, other := entitiesOf(r, set.kind)
		for _, id := range [...]int32{one, other} {
			isThere := int(id) < set.total || set.total == 0 && !set.cut // who has no file refers to nothing
			if id >= -1 && isThere {
				continue
			}
			file := s.base.files.Name(set.kind.file.Ext)
			e := &model.FormatError{File: s.base.files.Name(".cbh"), Offset: int64(r.id) * cbh.RecordSize, Record: int64(r.id), Field: set.kind.name}
			if set.kind == teams || set.kind == titles {
				e.File, e.Offset = s.base.files.Name(".cbj"), -1
			}
			e.Err = fmt.Errorf("there is no %s %d; %s has %d: %w", set.kind.name, id, file, set.total, set.why())
			s.unread.report(r.id, e)
		}
	}
}

// why says which of two files is damaged: one of entities that announces more
// than it has, or the one that refers to it.
func (s *nameSet) why() error {
	if s.cut {
		return model.ErrTruncated
	}
	return model.ErrCorrupt
}

// isCut reports whether a warning says that a file lacks records.
func isCut(warning error) bool { return errors.Is(warning, model.ErrTruncated) }
