package posindex

import (
	"slices"

	"cbkit/internal/extsort"
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

// Renew begins a segment of some records, in order, that have changed or are new, and of
// those in the changes of the index, which it takes the place of. Of each of them it asks
// for the game, nil if it cannot be read, or whether it is a text. Segments that are not
// twice as large as what is newer become part of it.
//
// So each record is written once for each doubling of what has changed, and there are few
// segments to ask.
func (x *Index) Renew(ids []model.RecordID, game func(model.RecordID) (g *model.Game, text bool, err error), sorting extsort.Options) (_ *Builder, err error) {
	newest := rangesOf(ids)
	if len(x.segments) > 0 {
		newest = newest.union(x.later[len(x.segments)-1])
	}
	stay, size := len(x.segments), newest.count()
	for ; stay > 0; stay-- {
		of := x.names[stay-1].count()
		if stay == 1 {
			of = int(x.Records)
		}
		if stay < mostSegments && of >= 2*size {
			break
		}
		size += of
	}
	b := NewBuilder(x.Plies, x.Men, x.Structures, sorting)
	b.edited = true // summaries go
	b.segments, b.names = x.segments[:stay:stay], stay > 0
	b.at = b.end()
	defer func() {
		if err != nil {
			_ = b.Close()
		}
	}()
	for _, r := range newest {
		for id := r.first; id <= r.last; id++ {
			g, text, err := game(id)
			if err == nil {
				err = b.Add(id, g, text)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	for i := stay; i < len(x.segments); i++ {
		if err := x.addTo(b, i, newest.union(x.later[i])); err != nil {
			return nil, err
		}
	}
	return b, nil
}

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
				if err := b.add(posting{uint8(n), e.key}, id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
