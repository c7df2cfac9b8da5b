package posindex

import (
	"encoding/binary"
	"errors"
	"slices"

	"cbkit/model"
)

// idRange is records from one to another.
type idRange struct{ first, last model.RecordID }

// idRanges are sets of records, in order, with others between them.
type idRanges []idRange

// rangesOf returns the set of ids that ascend.
func rangesOf(ids []model.RecordID) idRanges { return idRanges(nil).with(ids) }

// with adds ids that ascend, and are behind the others.
func (r idRanges) with(ids []model.RecordID) idRanges {
	for _, id := range ids {
		r = r.add(idRange{id, id})
	}
	return r
}

// add adds records of which the first comes behind the first of those before.
func (r idRanges) add(more idRange) idRanges {
	if n := len(r) - 1; n >= 0 && more.first <= r[n].last+1 {
		r[n].last = max(r[n].last, more.last)
		return r
	}
	return append(r, more)
}

// has reports whether a record is in the set.
func (r idRanges) has(id model.RecordID) bool {
	n, is := slices.BinarySearchFunc(r, id, func(a idRange, id model.RecordID) int { return int(a.first) - int(id) })
	return is || n > 0 && id <= r[n-1].last
}

// count returns how many records there are.
func (r idRanges) count() (n int) {
	for _, a := range r {
		n += int(a.last-a.first) + 1
	}
	return n
}

// union returns what is in one of two sets.
func (r idRanges) union(o idRanges) (both idRanges) {
	for len(r)+len(o) > 0 {
		if len(o) == 0 || len(r) > 0 && r[0].first <= o[0].first {
			both, r = both.add(r[0]), r[1:]
		} else {
			both, o = both.add(o[0]), o[1:]
		}
	}
	return both
}

// without returns a set without some records.
func (r idRanges) without(some map[model.RecordID]bool) (rest idRanges) {
	if len(some) == 0 {
		return r
	}
	for _, a := range r {
		for id := a.first; id <= a.last; id++ {
			if _, is := some[id]; !is {
				rest = rest.add(idRange{id, id})
			}
		}
	}
	return rest
}

// append appends a set as it is stored: for each range, how many records are between it
// and the one before, and how many it has, less 1, both as in an entry.
func (r idRanges) append(dst []byte) []byte {
	next := model.RecordID(1)
	for _, a := range r {
		dst = binary.AppendUvarint(dst, uint64(a.first-next))
		dst = binary.AppendUvarint(dst, uint64(a.last-a.first))
		next = a.last + 1
	}
	return dst
}

// parseRanges reads what append gives, of so many records.
func parseRanges(b []byte, records model.RecordID) (r idRanges, err error) {
	next := uint64(1)
	for len(b) > 0 {
		gap, n := binary.Uvarint(b)
		more, m := binary.Uvarint(b[max(n, 0):])
		if n <= 0 || m <= 0 || gap > uint64(records) || more > uint64(records) || next+gap+more > uint64(records) {
			return nil, errors.New("a range is cut, or of records that are not there")
		}
		first := model.RecordID(next + gap)
		r = r.add(idRange{first, first + model.RecordID(more)})
		next, b = next+gap+more+1, b[n+m:]
	}
	return r, nil
}

// Records is a set of records.
type Records struct{ ranges idRanges }

// Has reports whether a record is in the set.
func (r Records) Has(id model.RecordID) bool { return r.ranges.has(id) }

// addTo adds what a segment has to another one, but for records of which something newer
// is known.
func (x *Index) addTo(b *Builder, segment int, newer idRanges) error {
	for n := range layerCount {
		if n == recordLayer && !b.names {
			continue
		}
		for e, err := range x.layer(segment, n).from(0) {
			if err != nil {
				return err
			}
			for _, id := range e.ids {
				if newer.has(id) {
					continue
				}
				if err := b.put(posting{uint8(n), e.key}, id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
