package search

import (
	"errors"
	"io/fs"

	"cbkit/internal/posindex"
	"cbkit/model"
)

// listedTest is a condition about a position of which the index says which games can
// meet it: those that are listed, and those where it has no positions.
type listedTest struct {
	*positionCondition
	ids    []model.RecordID // all of them
	listed IDSet
	open   IDSet
	trust  bool // what is listed is not played through
}

func (t *listedTest) eval(r *row) truth {
	switch {
	case t.listed.Has(r.id):
		if t.trust {
			return yes
		}
	case !t.open.Has(r.id):
		return no
	}
	return t.positionCondition.eval(r)
}

func (t *listedTest) bound() *bound { return &bound{ids: t.ids} }

// findListed looks a condition up in the index of positions; nil if that does not know.
func (s *session) findListed(c *positionCondition) (test, error) {
	if c.position == nil {
		return nil, nil
	}
	x, err := s.positionIndex()
	if x == nil || err != nil {
		return nil, err
	}
	listed, open, err := x.Reached(c.position)
	if err != nil {
		return nil, s.passOverIndex(err)
	}
	t := &listedTest{positionCondition: c, trust: s.counts && c.first == 0 && c.last == 0}
	for _, id := range listed {
		t.listed.add(id)
	}
	for _, id := range open {
		t.open.add(id)
	}
	t.ids = append(listed, open...)
	s.filters = s.filters || len(open) > 0 && c.filter != noFilter
	s.plan.use(x.Name())
	s.plan.note("fen %s: %d records have the position by %s, %d more may have it", c.value, len(listed), x.Name(), len(open))
	return t, nil
}

// positionIndex returns the index of positions, nil if there is none that fits.
func (s *session) positionIndex() (*posindex.Index, error) {
	if s.base == nil || s.opt.NoBoosters || s.index != nil || s.noIndex {
		return s.index, nil
	}
	x, err := posindex.Open(s.base.stored.Files())
	if err == nil && x.Records != s.base.headers.Count {
		x.Close()
		err = posindex.ErrNotFit
	}
	if err != nil {
		return nil, s.passOverIndex(err)
	}
	s.index = x
	return x, nil
}

// passOverIndex says that the index is not used, and why; other errors it returns.
func (s *session) passOverIndex(err error) error {
	s.noIndex = true
	s.closeIndex()
	name := s.base.files.Name(posindex.Ext)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case !errors.Is(err, posindex.ErrNotFit) && !unusable(err):
		return err
	}
	err = posindex.NotUsed(name, err)
	s.plan.note("%v", err)
	if s.opt.Warn != nil {
		s.opt.Warn(err)
	}
	return nil
}

// closeIndex closes the index of positions, if it is open.
func (s *session) closeIndex() {
	if s.index != nil {
		s.index.Close()
		s.index = nil
	}
}
