package read

import (
	"bytes"
	"sync"
	"sync/atomic"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/model"
)

const (
	// pageSize is how many entities are read and decoded at once when one is
	// asked for: those of neighbouring games are often neighbours.
	pageSize = 32
	// playersMemory and othersMemory are about how many bytes of each kind stay in
	// memory: 370,000 players, 25,000 tournaments. Players come back throughout a
	// database, all else soon or not at all.
	playersMemory = 20 << 20
	othersMemory  = 4 << 20
	// textsOf is how many bytes of text an entity has, more or less.
	textsOf = 24
	// slotsAtOnce is how many are read at once where all are asked for.
	slotsAtOnce = 512
	// liveAtOnce is how many bytes are read at once where all values are asked for.
	liveAtOnce = 1 << 18
)

// storedTable is an entity file as a [model.Stored]: it keeps the pages that were
// asked for last.
type storedTable[T comparable] struct {
	db       *ChessBase
	codec    *cbh.EntityCodec[T]
	file     *cbhdb.Entities
	complete func(first int32, values []T) error // nil if there is nothing to add

	pages []atomic.Pointer[entityPage[T]]
	most  int // pages in memory

	loading sync.Mutex // for what follows
	buf     []byte
	first   int32 // of the entities in buf
	kept    []int // the pages in memory
	hand    int   // where the next one to go is looked for
}

// entityPage is a run of entities in memory.
type entityPage[T comparable] struct {
	values  []T         // no array, for which programs get a function that compares it
	deleted uint32      // bit n is that of values[n]
	used    atomic.Bool // since the hand went by
}

// Len implements [model.Stored].
func (s *storedTable[T]) Len() int { return int(s.file.Count) }

// Err implements [model.Stored].
func (s *storedTable[T]) Err() error { return s.db.lost() }

// Value implements [model.Stored].
func (s *storedTable[T]) Value(id model.EntityID) (v T) {
	if p := s.page(id); p != nil {
		v = p.values[uint(id)%pageSize]
	}
	return v
}

// IsDeleted implements [model.Stored].
func (s *storedTable[T]) IsDeleted(id model.EntityID) bool {
	p := s.page(id)
	return p != nil && p.deleted>>(uint(id)%pageSize)&1 != 0
}

// page returns the page of an entity, nil if it cannot be read.
func (s *storedTable[T]) page(id model.EntityID) *entityPage[T] {
	number := uint(id) / pageSize
	p := s.pages[number].Load()
	if p == nil {
		return s.load(int(number))
	}
	if len(s.pages) > s.most && !p.used.Load() {
		p.used.Store(true)
	}
	return p
}

// load reads a page, for which another one may have to go; nil if it cannot be
// read.
func (s *storedTable[T]) load(number int) *entityPage[T] {
	s.loading.Lock()
	defer s.loading.Unlock()
	if p := s.pages[number].Load(); p != nil {
		return p
	}
	first := int32(number * pageSize)
	n := min(pageSize, s.file.Count-first)
	p := &entityPage[T]{values: make([]T, n)}
	if !s.read(first, p.values) {
		return nil
	}
	for i := range n {
		if s.isDeleted(first + i) {
			p.deleted |= 1 << i
		}
	}
	s.pages[number].Store(p)
	if len(s.kept) < s.most {
		s.kept = append(s.kept, number)
		return p
	}
	for ; ; s.hand = (s.hand + 1) % s.most {
		if old := s.pages[s.kept[s.hand]].Load(); !old.used.Swap(false) {
			break
		}
	}
	s.pages[s.kept[s.hand]].Store(nil)
	s.kept[s.hand] = number
	s.hand = (s.hand + 1) % s.most
	return p
}

// read reads entities from one on into s.buf, and decodes them. It reports false, and
// notes the error, if they cannot be read.
func (s *storedTable[T]) read(first int32, values []T) bool {
	err := s.fetch(first, int32(len(values)))
	if err == nil {
		err = s.decode(first, values)
	}
	if err != nil {
		s.db.lose(err)
	}
	return err == nil
}

// fetch reads n entities from one on into s.buf.
func (s *storedTable[T]) fetch(first, n int32) (err error) {
	s.first = first
	s.buf, err = s.file.Bytes(s.buf, s.file.Offset(first), int64(n)*int64(s.file.RecordSize()))
	return s.db.unlessChanged(err)
}

// decode decodes entities from one on, which are in s.buf.
func (s *storedTable[T]) decode(first int32, values []T) error {
	page := s.db.page
	if len(values) > 1 { // one alone would keep the memory of many
		page = page.Into(new(cbh.Names))
	}
	for i := range values {
		s.codec.DecodeTo(&values[i], s.record(first + int32(i))[cbh.EntityLinksSize:], page)
	}
	if s.complete == nil {
		return nil
	}
	return s.db.unlessChanged(s.complete(first, values))
}

// record returns the bytes of an entity that is in s.buf.
func (s *storedTable[T]) record(id int32) []byte {
	size := int(s.file.RecordSize())
	return s.buf[int(id-s.first)*size:][:size:size]
}

// isDeleted reports whether an entity that is in s.buf is deleted.
func (s *storedTable[T]) isDeleted(id int32) bool {
	links, _ := cbh.DecodeEntityLinks(s.record(id)) // it is long enough
	return links.IsDeleted()
}

// Slot implements [model.Stored].
func (s *storedTable[T]) Slot(id model.EntityID) (slot model.Slot[T]) {
	s.loading.Lock()
	defer s.loading.Unlock()
	var values [1]T
	var err error
	if first := int32(id) / pageSize * pageSize; s.buf == nil || s.first != first { // else the page was the last one
		err = s.fetch(first, min(pageSize, s.file.Count-first))
	}
	if err == nil {
		err = s.decode(int32(id), values[:])
	}
	if err != nil {
		s.db.lose(err)
		return slot
	}
	return model.Slot[T]{Value: values[0], Deleted: s.isDeleted(int32(id)), Leftover: &model.Leftover{Format: cbh.Format, Data: bytes.Clone(s.record(int32(id)))}}
}

// Slots implements [model.Stored].
func (s *storedTable[T]) Slots(yield func(model.EntityID, model.Slot[T]) bool) {
	for first := int32(0); first < s.file.Count; first += slotsAtOnce {
		one, values := s.apart(), make([]T, min(slotsAtOnce, s.file.Count-first))
		if !one.read(first, values) {
			return
		}
		leftovers := make([]model.Leftover, len(values)) // of one piece of memory
		for i := range values {
			id := first + int32(i)
			leftovers[i] = model.Leftover{Format: cbh.Format, Data: one.record(id)}
			if !yield(model.EntityID(id), model.Slot[T]{Value: values[i], Deleted: one.isDeleted(id), Leftover: &leftovers[i]}) {
				return
			}
		}
	}
}

// apart returns the table with memory of its own for what is read, and no pages.
func (s *storedTable[T]) apart() *storedTable[T] {
	return &storedTable[T]{db: s.db, codec: s.codec, file: s.file, complete: s.complete}
}

// Live implements [model.Stored].
func (s *storedTable[T]) Live(yield func(model.EntityID, T) bool) {
	one := s.apart()
	values := make([]T, min(liveAtOnce/int32(s.file.RecordSize()), s.file.Count))
	for first := int32(0); first < s.file.Count; first += int32(len(values)) {
		values = values[:min(len(values), int(s.file.Count-first))]
		clear(values)
		if !one.read(first, values) {
			return
		}
		for i := range values {
			if !one.isDeleted(first+int32(i)) && !yield(model.EntityID(first+int32(i)), values[i]) {
				return
			}
		}
	}
}
