package posindex

import (
	"encoding/binary"
	"iter"
	"slices"

	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// idRange is records from one to another.
type idRange struct{ first, last model.RecordID }

// Records is a set of records: ranges in order, with others between them.
type Records []idRange

// with returns the set with a record that is not before the last one.
func (r Records) with(id model.RecordID) Records { return r.add(idRange{id, id}) }

// add adds records of which the first comes behind the first of those before.
func (r Records) add(more idRange) Records {
	if n := len(r) - 1; n >= 0 && more.first <= r[n].last+1 {
		r[n].last = max(r[n].last, more.last)
		return r
	}
	return append(r, more)
}

// Has reports whether a record is in the set.
func (r Records) Has(id model.RecordID) bool {
	n, is := slices.BinarySearchFunc(r, id, func(a idRange, id model.RecordID) int { return int(a.first) - int(id) })
	return is || n > 0 && id <= r[n-1].last
}

// all yields the records.
func (r Records) all() iter.Seq[model.RecordID] {
	return func(yield func(model.RecordID) bool) {
		for _, a := range r {
			for id := a.first; id <= a.last; id++ {
				if !yield(id) {
					return
				}
			}
		}
	}
}

// count returns how many records there are.
func (r Records) count() (n int) {
	for _, a := range r {
		n += int(a.last-a.first) + 1
	}
	return n
}

// union returns what is in one of two sets.
func (r Records) union(o Records) (both Records) {
	for len(r)+len(o) > 0 {
		if len(o) == 0 || len(r) > 0 && r[0].first <= o[0].first {
			both, r = both.add(r[0]), r[1:]
		} else {
			both, o = both.add(o[0]), o[1:]
		}
	}
	return both
}

// without returns what is in one set and not in another one.
func (r Records) without(o Records) (rest Records) {
	if len(o) == 0 {
		return r
	}
	for id := range r.all() {
		if !o.Has(id) {
			rest = rest.with(id)
		}
	}
	return rest
}

// appendTo appends a set as it is stored: for each range, how many records are between it
// and the one before, and how many it has, less 1.
func (r Records) appendTo(dst []byte) []byte {
	next := model.RecordID(1)
	for _, a := range r {
		dst = binary.AppendUvarint(dst, uint64(a.first-next))
		dst = binary.AppendUvarint(dst, uint64(a.last-a.first))
		next = a.last + 1
	}
	return dst
}

// parseRecords reads what appendTo gives, of so many records.
func parseRecords(content []byte, records model.RecordID) (r Records, ok bool) {
	b, next := numbers{rest: content}, uint64(1)
	for len(b.rest) > 0 {
		gap, more := b.next(), b.next()
		if b.cut || gap > uint64(records) || more > uint64(records) || next+gap+more > uint64(records) {
			return nil, false
		}
		r = r.add(idRange{model.RecordID(next + gap), model.RecordID(next + gap + more)})
		next += gap + more + 1
	}
	return r, true
}

// partHead is what a part has before its content: their sum, then the size.
const partHead = 4 + 4

// appendPart appends a part with some content.
func appendPart(dst, content []byte) []byte {
	from := len(dst)
	dst = wire.AppendU32LE(wire.AppendZeros(dst, 4), uint32(len(content)))
	dst = append(dst, content...)
	binary.LittleEndian.PutUint32(dst[from:], sum(dst[from+4:]))
	return dst
}

// part is what appendPart has appended, with its place in the file.
type part struct {
	at      int64
	content []byte
}

// parts yields the parts that fill a piece of a file.
func parts(f *dbfile.File, at, size int64, what string) iter.Seq2[part, error] {
	return func(yield func(part, error) bool) {
		b, err := f.Bytes(nil, at, size)
		for err == nil && len(b) > 0 {
			end := int64(partHead)
			if len(b) >= partHead {
				end += int64(binary.LittleEndian.Uint32(b[4:]))
			}
			if end > int64(len(b)) || binary.LittleEndian.Uint32(b) != sum(b[4:end]) {
				err = f.Wrong(at, -1, what, model.ErrCorrupt, "it is cut, or has another sum")
				break
			}
			if !yield(part{at, b[partHead:end]}, nil) {
				return
			}
			b, at = b[end:], at+end
		}
		if err != nil {
			yield(part{}, err)
		}
	}
}
