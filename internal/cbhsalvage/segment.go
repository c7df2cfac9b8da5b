package cbhsalvage

import (
	"context"
	"slices"

	"cbkit/internal/cbhdb"
	"cbkit/model"
)

// yielder takes a record; it reports whether more are wanted.
type yielder = func(model.Record, error) bool

// segment yields the ids between two reliable records, and looks for theirs between
// the places of those.
func (s *Source) segment(ctx context.Context, ids []model.RecordID, from, to int64, yield yielder) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// Where nothing is missing, what lies between records is a hole.
	if len(ids) == 0 && (len(s.row) == int(s.count) && s.count > 0) {
		return nil
	}
	found, err := s.scan(from, to)
	if err != nil {
		return err
	}
	theirs, err := s.assign(ids, found)
	if err != nil {
		return err
	}
	for i, id := range ids {
		limit := to
		for _, b := range found {
			if b.at > s.at[id] {
				limit = b.at
				break
			}
		}
		if err := s.record(id, theirs[i], limit, yield); err != nil {
			return err
		}
	}
	return nil
}

// assign gives ids their records. What is left is found.
func (s *Source) assign(ids []model.RecordID, found []block) ([]block, error) {
	theirs := make([]block, len(ids))
	var open []int // ids without a record, as indices
	for i, id := range ids {
		// The place that it gives itself holds if no other id gives it and a whole record is there.
		if at := s.at[id]; at != 0 && s.claims[at] == 1 && !s.isBroken(at) {
			taken, err := s.insideReliable(at)
			if err == nil && !taken {
				theirs[i], err = s.blockAt(at)
			}
			if err != nil {
				return nil, err
			}
		}
		if theirs[i].size == 0 {
			open = append(open, i)
		}
	}
	free := slices.DeleteFunc(slices.Clone(found), func(b block) bool { return s.claims[b.at] == 1 && !s.isBroken(b.at) })
	if len(open) != len(free) {
		var err error
		if open, free, err = s.assignFitting(ids, theirs, open, free); err != nil {
			return nil, err
		}
	}
	if len(open) == len(free) {
		for n, i := range open {
			theirs[i] = free[n]
		}
		free = nil
	}
	s.found = append(s.found, free...)
	return theirs, nil
}

// isBroken reports whether no whole record begins at a place.
func (s *Source) isBroken(at int64) bool {
	b, err := s.blockAt(at)
	if err != nil || b.size == 0 {
		return true
	}
	whole, err := s.isWhole(b)
	return err != nil || !whole
}

// assignFitting gives records to the ids whose headers fit them, in order. It
// returns what is left.
func (s *Source) assignFitting(ids []model.RecordID, theirs []block, open []int, free []block) ([]int, []block, error) {
	var left []int
	next := 0
	for _, i := range open {
		h, err := s.header(ids[i])
		if err != nil {
			return nil, nil, err
		}
		at := -1
		for n := next; n < len(free) && h.Head != nil; n++ {
			fits, err := s.fits(&h, free[n])
			if err != nil {
				return nil, nil, err
			}
			if fits {
				at = n
				break
			}
		}
		if at < 0 {
			left = append(left, i)
			continue
		}
		theirs[i] = free[at]
		free[at].size = 0 // taken
		next = at + 1
	}
	return left, slices.DeleteFunc(free, func(b block) bool { return b.size == 0 }), nil
}

// fits reports whether a header is that of a record: the same kind and number of
// moves, variations where it says so.
func (s *Source) fits(h *cbhdb.Header, b block) (bool, error) {
	rec, err := s.bytesOf(b)
	if err != nil {
		return false, err
	}
	c := s.decode(rec, isGuideHead(rec))
	if c.broken != nil || c.isText != h.Type().IsText() {
		return false, nil
	}
	return c.isText || cbhdb.MovesFit(h.Head, c.start, &c.moves), nil
}
