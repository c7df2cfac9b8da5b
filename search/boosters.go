package search

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"cbkit/read"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/model"
)

// bound is a choice of lists that together hold all records a test can be true
// for.
type bound struct {
	sets []*nameSet
	ids  []model.RecordID // of the index of positions
}

// uses is how long the lists are together.
func (b *bound) uses() int64 {
	sum := int64(len(b.ids))
	for _, s := range b.sets {
		sum += s.uses
	}
	return sum
}

// When lists are used: if they are short as such, or short as compared with the
// database, whose headers can be read in a row.
const (
	shortLists = 1000
	listCost   = 8
)

// findByLists searches the records in lists. It reports false if they cannot be
// used, or turn out not to be complete: then all records have to be read.
func (s *session) findByLists(t test, b *bound) (ids []model.RecordID, ok bool, err error) {
	listed := len(b.sets) == 0 // by the index: nothing is to be proven, and few headers are read
	if n := b.uses(); n < 0 || !listed && n > shortLists && n*listCost > int64(s.plan.Records) {
		s.plan.note("%d records of %d would have to be looked at in lists: all are read instead", n, s.plan.Records)
		return nil, false, nil
	}
	candidates, used, err := s.readLists(b)
	if err != nil {
		if !unusable(err) {
			return nil, false, err
		}
		s.plan.note("not used: %v", err)
		return nil, false, nil
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	if len(b.sets) == 0 {
		ids, err = s.judgeRows(t, candidates)
		return ids, err == nil, err
	}
	traces, err := s.openTraces(len(candidates))
	if err != nil {
		return nil, false, err
	}
	defer traces.close()
	references := make([]int64, len(b.sets))
	count := func(r *row) {
		for i, set := range b.sets {
			references[i] += set.references(r)
		}
	}
	found, open, err := s.sift(t, s.base.rows(s.ctx, candidates), traces, count)
	if err != nil {
		return nil, false, err
	}
	for i, set := range b.sets {
		if references[i] != set.uses {
			s.plan.note("not used: the lists of %s lead to %d references, %s counts %d",
				set.kind.pair.Blocks, references[i], s.base.files.Name(set.kind.file.Ext), set.uses)
			return nil, false, nil
		}
	}
	s.plan.Boosters = append(used, s.plan.Boosters...)
	ids, err = s.settle(t, found, open, s.plan.Records)
	return ids, true, err
}

// unusable reports whether an error is about a booster, which need not be there
// and need not be right.
func unusable(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || dbfile.IsDamage(err)
}

// references counts how often a record refers to entities of the set.
func (s *nameSet) references(r *row) int64 {
	one, other := entitiesOf(r, s.kind)
	n := int64(0)
	if s.has(one) {
		n++
	}
	if s.kind.file.OnBothSides() && s.has(other) {
		n++
	}
	return n
}

// readLists returns all records in the lists, each once, and the files that
// were read.
func (s *session) readLists(b *bound) (ids []model.RecordID, used []string, err error) {
	open := map[*cbh.ListFile]*booster.Lists{}
	defer func() {
		for _, l := range open {
			l.Close()
		}
	}()
	if len(b.sets) == 0 {
		return append([]model.RecordID{}, b.ids...), nil, nil
	}
	seen := map[model.RecordID]bool{}
	for _, id := range b.ids {
		seen[id] = true
	}
	for _, set := range b.sets {
		if set.ids.Len() == 0 {
			continue // no entity is called so; no list can say more
		}
		pair := set.kind.pair
		if open[pair] == nil {
			lists, err := booster.OpenLists(s.base.stored.Files(), pair)
			if err != nil {
				return nil, nil, err
			}
			open[pair] = lists
			used = append(used, s.base.files.Name(pair.Table), s.base.files.Name(pair.Blocks))
		}
		for _, entity := range set.ids.all() {
			if err := s.readList(open[pair], set, int32(entity), seen); err != nil {
				return nil, nil, err
			}
		}
	}
	// Not nil, which would be all records.
	return slices.AppendSeq(make([]model.RecordID, 0, len(seen)), maps.Keys(seen)), used, nil
}

// readList adds the records of one list.
func (s *session) readList(lists *booster.Lists, set *nameSet, entity int32, seen map[model.RecordID]bool) error {
	if entity >= lists.Rows {
		return nil // it is new; the count of references will tell
	}
	kind := set.kind.list
	ends, err := lists.Ends(derive.Reference{Kind: kind, Entity: entity})
	if err != nil {
		return err
	}
	list, err := lists.Append(nil, entity, kind, ends, s.base.headers.Count, nil)
	for _, id := range list {
		seen[model.RecordID(id)] = true
	}
	return err
}

// traceFile is an open .cbb file that holds for the database as it is.
type traceFile struct {
	file   read.File
	covers model.RecordID
	buf    []byte // of records from first on
	first  model.RecordID
	trace  cbh.GameTrace
}

// openTraces opens the .cbb file if it can answer something about so many
// records; nil if it cannot.
func (s *session) openTraces(records int) (*traceFile, error) {
	files := s.base.files
	if !s.filters || s.opt.NoBoosters || records == 0 {
		return nil, nil
	}
	if !files.Has(".cbb") {
		s.plan.note("not used: there is no %s", files.Name(".cbb"))
		return nil, nil
	}
	if err := booster.CheckSeal(s.base.stored.Files(), ".cbb"); err != nil {
		if !errors.Is(err, booster.ErrNoSeal) && !unusable(err) {
			return nil, err
		}
		s.plan.note("not used: %s is %v", files.Name(".cbb"), err)
		return nil, nil
	}
	f, err := files.Open(".cbb")
	if err != nil {
		return nil, err
	}
	head := cbh.NewTraceHeader(int(s.base.headers.Count))
	s.plan.use(files.Name(".cbb"))
	return &traceFile{file: f, covers: model.RecordID(head.Covers(int(s.base.headers.Count), f.Size()))}, nil
}

// close closes the file; t may be nil.
func (t *traceFile) close() {
	if t != nil {
		t.file.Close() // it was only read
	}
}

// traceChunk is how many records are read at once.
const traceChunk = 4096

// fill gives a row its record. Rows come in ascending order.
func (t *traceFile) fill(r *row) error {
	r.trace = nil
	if r.id > t.covers {
		return nil
	}
	at := int(r.id-t.first) * cbh.TraceSize
	if t.first == 0 || at+cbh.TraceSize > len(t.buf) {
		n := min(traceChunk, int(t.covers-r.id)+1)
		t.buf = slices.Grow(t.buf[:0], n*cbh.TraceSize)[:n*cbh.TraceSize]
		if _, err := t.file.ReadAt(t.buf, int64(r.id)*cbh.TraceSize); err != nil {
			return err
		}
		t.first, at = r.id, 0
	}
	var err error
	if t.trace, err = cbh.DecodeGameTrace(t.buf[at:]); t.trace != (cbh.GameTrace{}) {
		r.trace = &t.trace // else the game could not be played through
	}
	return err
}
