package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"cbkit/board"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/posindex"
	"cbkit/model"
)

// listedTest is a condition about a position of which the index says which games can
// meet it: those that are listed, and those where it has no positions.
type listedTest struct {
	*positionCondition
	ids    []model.RecordID // all of them
	known  []model.RecordID // those that are listed
	listed IDSet            // the same, as open for judging
	open   IDSet
	trust  bool // what is listed is not played through
	// deleted are the records that are marked as deleted, if it is trusted.
	deleted posindex.Records
}

// begin makes the sets by which records are judged.
func (t *listedTest) begin() {
	for _, id := range t.known {
		t.listed.add(id)
	}
	for _, id := range t.ids[len(t.known):] {
		t.open.add(id)
	}
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

// lookUp asks an index for a condition. The error is errNotListed if the index does not
// know, or if reading games is no slower.
type lookUp func(x *posindex.Index) (listed, open []model.RecordID, err error)

var errNotListed = errors.New("not listed")

// ofStructures is a look-up of an index that has structures.
func ofStructures(f lookUp) lookUp {
	return func(x *posindex.Index) (listed, open []model.RecordID, err error) {
		if !x.Structures {
			return nil, nil, errNotListed
		}
		return f(x)
	}
}

// manyMaterials is for how many combinations of pieces an index is asked at most.
const manyMaterials = 1 << 12

// lookUp asks an index for all combinations of pieces that the material may be; nil if
// they are too many.
func (m materialCount) lookUp() lookUp {
	list := []posindex.Material{{}}
	for c := range m.sides {
		for _, t := range materialKinds {
			var longer []posindex.Material
			for _, one := range list {
				for n := m.sides[c][t].least; n <= min(m.sides[c][t].most, posindex.MostOfKind); n++ {
					one[c][t] = n
					longer = append(longer, one)
				}
			}
			if list = longer; len(list) > manyMaterials {
				return nil
			}
		}
	}
	return ofStructures(func(x *posindex.Index) ([]model.RecordID, []model.RecordID, error) { return x.WithMaterial(list) })
}

// findListed looks a condition up in the index of positions; nil if that does not know.
func (s *session) findListed(c *positionCondition) (test, error) {
	if c.lookUp == nil {
		return nil, nil
	}
	x, err := s.positionIndex()
	if x == nil || err != nil {
		return nil, err
	}
	listed, open, err := c.lookUp(x)
	if errors.Is(err, errNotListed) {
		return nil, nil
	}
	if err != nil {
		return nil, s.passOverIndex(err)
	}
	t := &listedTest{positionCondition: c, trust: s.counts && c.first == 0 && c.last == 0 && c.plies == 1 && !c.atEnd}
	if t.trust {
		t.deleted = x.Deleted()
	}
	t.ids = append(listed, open...)
	t.known = t.ids[:len(listed):len(listed)]
	s.lists = append(s.lists, t)
	s.filters = s.filters || len(open) > 0 && c.filter != noFilter
	s.plan.use(x.Name())
	s.plan.note("%s %s: %d records by %s, %d more may have it", c.name, c.value, len(listed), x.Name(), len(open))
	return t, nil
}

// positionIndex returns the index of positions, nil if there is none that fits.
func (s *session) positionIndex() (*posindex.Index, error) {
	if s.of == nil || s.of.files == nil || s.opt.NoBoosters || s.index != nil || s.noIndex {
		return s.index, nil
	}
	x, err := posindex.Open(cbhdb.FilesOf(s.of.files))
	if err == nil && int(x.Records) != s.of.count() {
		x.Close()
		err = posindex.ErrNotFit
	}
	if err != nil {
		return nil, s.passOverIndex(err)
	}
	s.index = x
	return x, nil
}

// keptIndex is the index of positions, open from one question of [Searcher.Reaching] to the
// next.
type keptIndex struct {
	lock sync.Mutex
	run  *session // nil until it is asked
}

func (k *keptIndex) close() {
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.run != nil {
		k.run.closeIndex()
	}
}

// Reaching returns the games of a database that the index of positions lists under a
// position of their main line; with others, also those that may reach it beyond what the
// index covers: then no other game does. Each of the two groups ascends. Deleted games
// are included, and some games may not reach the position (docs/formats/positions.md 8).
// The error wraps [fs.ErrNotExist] if no index can be used; [Options].Warn is called for
// one that is damaged or does not fit.
func (s *Searcher) Reaching(p board.Position, others bool) (ids []model.RecordID, err error) {
	k := &s.reaching
	k.lock.Lock()
	defer k.lock.Unlock()
	if s.closed.Load() {
		return nil, fs.ErrClosed
	}
	if k.run == nil {
		k.run = &session{ctx: context.Background(), of: s, opt: &s.opt, base: s.chess}
	}
	x, err := k.run.positionIndex()
	if x != nil && err == nil {
		var open []model.RecordID
		if others {
			ids, open, err = x.Reached(&p)
		} else {
			ids, err = x.Listed(&p)
		}
		if err == nil {
			return append(ids, open...), s.oneState(nil)
		}
		err = k.run.passOverIndex(err)
	}
	if err == nil {
		err = fmt.Errorf("no index of positions: %w", fs.ErrNotExist)
	}
	return nil, err
}

// passOverIndex says that the index is not used, and why; other errors it returns, and
// errNotNarrowed if there is no use in going on without.
func (s *session) passOverIndex(err error) error {
	s.noIndex = true
	s.closeIndex()
	name := s.of.files.Name(dbfile.IndexExt(s.of.files))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.isNarrowed()
	case !errors.Is(err, posindex.ErrNotFit) && !unusable(err):
		return err
	}
	err = posindex.NotUsed(name, err)
	s.plan.note("%v", err)
	if s.opt.Warn != nil {
		s.opt.Warn(err)
	}
	return s.isNarrowed()
}

// closeIndex closes the index of positions, if it is open.
func (s *session) closeIndex() {
	if s.index != nil {
		s.index.Close()
		s.index = nil
	}
}
