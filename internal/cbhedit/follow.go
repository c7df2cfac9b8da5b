package cbhedit

import (
	"errors"
	"io/fs"
	"iter"
	"math/bits"
	"slices"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/model"
	"cbkit/moveenc"
)

// followBoosters keeps the search boosters in step with what was changed, but for
// the places of moves, which are not known yet, and the seal. Those that did not
// fit before go.
func (d *DB) followBoosters(moved bool) error {
	if d.offsets == nil && (moved || d.headers.Count > d.before) {
		if err := d.drop(".cbgi"); err != nil {
			return err
		}
	}
	for _, p := range []struct {
		pair    *cbh.ListFile
		changed bool
	}{{&cbh.Lists, d.listsChanged}, {&cbh.TitleLists, d.titlesChanged}} {
		if !p.changed || !d.has(p.pair.Table) && !d.has(p.pair.Blocks) {
			continue
		}
		err := d.followPair(p.pair)
		if dbfile.IsDamage(err) || errors.Is(err, fs.ErrNotExist) {
			err = d.drop(p.pair.Table, p.pair.Blocks)
		}
		if err != nil {
			return err
		}
	}
	if !d.headersChanged && len(d.moves.waiting) == 0 && len(d.annotations.waiting) == 0 {
		return nil
	}
	return d.followTraces()
}

// followTraces computes the records of the .cbb file anew of games whose moves have
// changed, or that have come. Without a seal nothing tells whether the others are
// right: then the file goes, and so does a seal that does not fit.
func (d *DB) followTraces() error {
	const ext = ".cbb"
	if fits, err := d.sealed(); err != nil || !fits {
		return errors.Join(err, d.drop(ext, booster.SealExt))
	}
	if !d.has(ext) {
		return nil
	}
	if fits, err := d.sealed(ext); err != nil || !fits {
		return errors.Join(err, d.drop(ext))
	}
	f, err := files{d}.Open(ext)
	if err != nil {
		return err
	}
	if came := d.headers.Count - d.before; came > 0 { // with which some programs count the header too
		b, err := f.Start(cbh.TraceSize)
		if err != nil {
			return err
		}
		head, err := cbh.DecodeTraceHeader(b)
		if err != nil {
			return err
		}
		head.Count += uint32(came)
		if _, err = f.WriteAt(head.Append(nil), 0); err != nil {
			return err
		}
	}
	var played moveenc.Game
	for _, id := range d.withNew(d.moves.ids()) {
		var trace cbh.GameTrace // all zeros of a text, and of a game that cannot be played through
		rec, err := d.indexed(&played, id, true)
		if err == nil && rec.Game != nil {
			trace, _ = derive.Trace(rec.Game.Start, &rec.Game.Moves)
		}
		if err == nil {
			_, err = f.WriteAt(trace.Append(nil), int64(id)*cbh.TraceSize)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pairEdit changes a pair of list files.
type pairEdit struct {
	d      *DB
	pair   *cbh.ListFile
	sealed bool      // the lists are right
	old    *cbhdb.DB // the database before the transaction
	index  *booster.Index
	proven map[derive.Reference]bool
}

// followPair keeps a pair of list files in step. An error that is damage says that
// the lists do not fit the database, or each other.
func (d *DB) followPair(pair *cbh.ListFile) (err error) {
	e := &pairEdit{d: d, pair: pair, proven: map[derive.Reference]bool{}, old: cbhdb.New(oldFiles{files{d}})}
	if e.sealed, err = d.sealed(pair.Table, pair.Blocks); err != nil {
		return err
	}
	if e.index, err = booster.OpenIndex(files{d}, pair); err != nil {
		return err
	}
	rows := int32(0) // as many as the largest of the entity files has records
	for _, kind := range pair.Kinds {
		if !d.has(kind.Ext) {
			continue
		}
		n, err := d.Entities(kind).Count()
		if err != nil {
			return err
		}
		rows = max(rows, n)
	}
	if err := e.index.Grow(rows); err != nil {
		return err
	}
	// Lists that stop before what the last record referred to are not in step.
	if !e.sealed && d.before > 0 {
		headers, err := e.old.Headers()
		if err != nil {
			return err
		}
		h, err := headers.Reader(near).At(d.before)
		if err == nil {
			err = e.proveAll(h)
		}
		if err != nil {
			return err
		}
	}
	if err := e.change(); err != nil {
		return err
	}
	if err := e.append(); err != nil {
		return err
	}
	if d.emptied {
		if err := e.index.Cut(rows); err != nil {
			return err
		}
	}
	return e.index.Finish()
}

// references returns the references of a header that the pair lists.
func (e *pairEdit) references(h cbhdb.Header) []derive.Reference {
	refs := h.References()
	return refs.Append(nil, e.pair)
}

// list reads a list as it was. It is an error if that cannot be complete: it has another
// number of records than the entity had, or another first one. What is sealed needs no proof.
func (e *pairEdit) list(ref derive.Reference) ([]int32, error) {
	ends, err := e.index.Ends(ref)
	if err != nil {
		return nil, err
	}
	ids, err := e.index.Lists.Append(nil, ref.Entity, ref.Kind, ends, e.d.before, nil)
	if err != nil {
		return nil, err
	}
	if e.sealed || e.proven[ref] {
		return ids, nil
	}
	e.proven[ref] = true
	use, err := e.useBefore(ref)
	if err == nil && (int(use.Count) != len(ids) || len(ids) > 0 && use.First != ids[0]) {
		err = e.wrong(ref)
	}
	return ids, err
}

// wrong is the error of a list that does not fit the database.
func (e *pairEdit) wrong(ref derive.Reference) error {
	return &model.FormatError{File: e.d.Name(e.pair.Table), Offset: e.pair.RowOffset(ref.Entity), Record: int64(ref.Entity),
		Field: "list", Err: model.ErrCorrupt}
}

// useBefore returns who referred to an entity before the transaction.
func (e *pairEdit) useBefore(ref derive.Reference) (cbh.EntityUse, error) {
	kind := e.pair.Kinds[ref.Kind]
	if !e.old.Files().Has(kind.Ext) {
		return cbh.EntityUse{}, nil
	}
	file, err := e.old.Entities(kind)
	if err != nil || file == nil || ref.Entity >= file.Count {
		return cbh.EntityUse{}, err
	}
	r, err := file.Reader(near).At(ref.Entity)
	if err != nil || r.Links.IsDeleted() {
		return cbh.EntityUse{}, err
	}
	return cbh.DecodeEntityUse(r.Payload), nil
}

// proveAll proves the lists of all that a record refers to.
func (e *pairEdit) proveAll(h cbhdb.Header) error {
	if e.sealed {
		return nil
	}
	for _, ref := range e.references(h) {
		if e.proven[ref] {
			continue
		}
		if _, err := e.list(ref); err != nil {
			return err
		}
	}
	return nil
}

// listChange says that a record comes to a list, or goes.
type listChange struct {
	ref   derive.Reference
	id    int32
	comes bool
}

// change changes the lists of what records from before the transaction refer to now
// and referred to then.
func (e *pairEdit) change() error {
	headers, err := e.old.Headers()
	if err != nil {
		return err
	}
	read := headers.Reader(near)
	var changes []listChange // by list and record
	for id := range e.d.changedReferences.all() {
		old, err := read.At(id)
		if err != nil {
			return err
		}
		before := e.references(old)
		h, err := e.d.Header(id)
		if err != nil {
			return err
		}
		now := e.references(h)
		for _, ref := range without(now, before) {
			changes = append(changes, listChange{ref, int32(id), true})
		}
		for _, ref := range without(before, now) {
			changes = append(changes, listChange{ref, int32(id), false})
		}
	}
	slices.SortStableFunc(changes, func(a, b listChange) int { return a.ref.Compare(b.ref) })
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].ref == changes[0].ref {
			n++
		}
		ids, err := e.list(changes[0].ref)
		if err != nil {
			return err
		}
		if ids, err = e.changed(ids, changes[:n]); err != nil {
			return err
		}
		if err := e.index.Replace(changes[0].ref, ids); err != nil {
			return err
		}
		changes = changes[n:]
	}
	return nil
}

// changed returns a list after changes, both in the order of records.
func (e *pairEdit) changed(ids []int32, changes []listChange) ([]int32, error) {
	var list []int32
	for _, c := range changes {
		n, there := slices.BinarySearch(ids, c.id)
		list, ids = append(list, ids[:n]...), ids[n:]
		switch {
		case c.comes:
			list = append(list, c.id)
		case !there:
			return nil, e.wrong(c.ref)
		default:
			ids = ids[1:]
		}
	}
	return append(list, ids...), nil
}

// largestBatch is how many records are listed at once.
const largestBatch = 1 << 16

// append lists the records that have come: one like a game that is saved, several
// like games that are copied.
func (e *pairEdit) append() error {
	var batch []booster.Entry
	for id := e.d.before + 1; id <= e.d.headers.Count; id++ {
		h, err := e.d.Header(id)
		if err == nil {
			err = e.proveAll(h)
		}
		if err != nil {
			return err
		}
		batch = append(batch, booster.Entry{ID: id, Refs: h.References()})
		if len(batch) == largestBatch {
			if err := e.index.AppendBatch(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	if len(batch) == 1 && e.d.headers.Count == e.d.before+1 {
		return e.index.Append(batch[0])
	}
	return e.index.AppendBatch(batch)
}

// withNew returns some records and all that have come, in order, each once.
func (d *DB) withNew(ids []model.RecordID) []model.RecordID {
	for id := d.before + 1; id <= d.headers.Count; id++ {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// idSet is a set of records that takes little room.
type idSet []uint64

// add adds a record, of which there are so many.
func (s *idSet) add(id, count model.RecordID) {
	if *s == nil {
		*s = make(idSet, count/64+1)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

// all yields the records in order.
func (s idSet) all() iter.Seq[model.RecordID] {
	return func(yield func(model.RecordID) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(model.RecordID(i*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
