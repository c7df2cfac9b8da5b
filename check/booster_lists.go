package check

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/model"
)

// boosterChecks are the checks of boosters, in order: of those files of which one is chosen.
var boosterChecks = []struct {
	files []string
	check func(*boosterChecker, context.Context) error
}{
	{[]string{cbh.Lists.Table, cbh.Lists.Blocks}, func(c *boosterChecker, ctx context.Context) error { return c.checkPair(ctx, &cbh.Lists) }},
	{[]string{cbh.TitleLists.Table, cbh.TitleLists.Blocks}, func(c *boosterChecker, ctx context.Context) error { return c.checkPair(ctx, &cbh.TitleLists) }},
	{[]string{tracesExt}, (*boosterChecker).checkTraces},
	{[]string{".cbgi"}, (*boosterChecker).checkOffsets},
	{[]string{dbfile.PositionsExt, dbfile.Positions2Ext}, (*boosterChecker).checkIndex},
}

// checkPair checks a table and its blocks.
func (c *boosterChecker) checkPair(ctx context.Context, pair *cbh.ListFile) error {
	defer c.sameState(pair)
	for _, ext := range []string{pair.Table, pair.Blocks} {
		if !c.set.Has(ext) {
			c.missing(ext)
		}
	}
	switch here, there := c.set.Has(pair.Table), c.set.Has(pair.Blocks); {
	case !here && !there:
		return nil
	case !there:
		c.add(codeBoosterPair, inFile(pair.Table), "%s, which belongs to it, is missing", c.set.Name(pair.Blocks))
		return nil
	case !here:
		c.addAs(Note, codeBoosterPair, inFile(pair.Blocks),
			"%s, which belongs to it, is missing, as after an interrupted rebuild: searches use neither; cbkit boosters makes both", c.set.Name(pair.Table))
		c.found[pair.Blocks].State = boosterUnknown
		return nil
	}
	lists, err := booster.OpenLists(c.db.Files(), pair)
	if err != nil {
		if _, ok := errors.AsType[*model.FormatError](err); !ok {
			return err
		}
		c.addError(codeBoosterHeader, pair.Table, err)
		return nil
	}
	defer lists.Close()
	k := &listChecker{c: c, pair: pair, lists: lists}
	return k.run(ctx)
}

// sameState gives both files of a pair the worse state of the two.
func (c *boosterChecker) sameState(pair *cbh.ListFile) {
	table, blocks := c.found[pair.Table], c.found[pair.Blocks]
	for _, worse := range []BoosterState{BoosterWrong, BoosterStale} {
		if (table.State == worse || blocks.State == worse) && table.State != BoosterMissing && blocks.State != BoosterMissing {
			covers := min(table.Covers, blocks.Covers)
			table.State, table.Covers, blocks.State, blocks.Covers = worse, covers, worse, covers
			return
		}
	}
}

// listSum is what a list holds, in a form that takes little memory and does not
// depend on the order: two lists with the same sum are the same but for one
// case in 2^64.
type listSum struct {
	sum   uint64
	count int32
	first int32 // the smallest id, 0 if there is none
}

func (s *listSum) add(id int32) {
	if s.first == 0 || id < s.first {
		s.first = id
	}
	// The finisher of a hash spreads ids over all bits.
	x := uint64(id) * 0x9E3779B97F4A7C15
	x ^= x >> 32
	x *= 0xD6E8FEB86659FD93
	x ^= x >> 32
	s.sum += x
	s.count++
}

// listChecker compares a pair of files with the headers of all records.
type listChecker struct {
	c     *boosterChecker
	pair  *cbh.ListFile
	lists *booster.Lists

	use   *booster.BlockUse
	sums  []listSum // of each list in the files, row by row
	last  int32     // the largest id in any list
	later bool      // there are references from records behind it
	refs  []derive.Reference

	// A record with the same player, or team, on both sides may be listed once
	// or twice: the sums have it once. These are the ids that are listed twice
	// and, of the lists that should have such ids, how many.
	twice     map[listedID]bool
	bothSides map[int]int32
}

// listedID is a record in a list.
type listedID struct {
	list int // its index in sums
	id   int32
}

// run makes all comparisons of the pair.
func (k *listChecker) run(ctx context.Context) error {
	k.use = booster.NewBlockUse(k.lists)
	k.sums = make([]listSum, int(k.lists.Rows)*len(k.pair.Kinds))
	k.twice, k.bothSides = map[listedID]bool{}, map[int]int32{}
	// What is wrong in a list is noted; what comes behind a fault is not read.
	visit := func(n int32, b *cbh.ListBlock) error {
		p := inRecord(k.pair.Blocks, n, cbh.BlockOffset(n), "")
		if err := k.use.Take(n); err != nil {
			k.c.add(codeBoosterShared, p, "%v", err)
			return err
		}
		if b.Unknown4 != 0 {
			k.c.add(codeBoosterBlock, p, "the second word is %d, not 0", b.Unknown4)
		}
		return nil
	}
	var row []cbh.ListEnds
	var ids []int32
	for entity := range k.lists.Rows {
		if entity%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var err error
		if row, err = k.lists.Row(row[:0], entity); err != nil {
			return err
		}
		for i, ends := range row {
			kind := cbh.ListKind(i)
			if ids, err = k.lists.Append(ids[:0], entity, kind, ends, k.c.headers.Count, visit); err != nil {
				k.c.addError(codeBoosterList, k.pair.Blocks, err)
			}
			list, last := k.index(derive.Reference{Kind: kind, Entity: entity}), int32(0)
			for _, id := range ids {
				if id == last {
					k.twice[listedID{list, id}] = true
					continue
				}
				k.sums[list].add(id)
				last = id
			}
			k.last = max(k.last, last)
		}
	}
	// What is neither free nor in use is lost.
	free, fault, err := k.use.Free()
	if err != nil {
		return err
	}
	if fault != nil {
		k.c.addError(codeBoosterFree, k.pair.Blocks, fault)
	}
	behind, err := k.use.TakeLostBehind(free)
	if err != nil {
		return err
	}
	k.c.addSome(codeBoosterLost, inFile(k.pair.Blocks), k.use.Lost(free), "block", "%s neither in use nor free")
	if behind > 0 {
		k.c.addAs(Note, codeBoosterLost, inRecord(k.pair.Blocks, 0, cbh.BlockOffset(0), ""),
			"neither in use nor free; block 0 cannot be marked as free")
	}
	if behind > 1 {
		k.c.addAs(Note, codeBoosterLost, inRecord(k.pair.Blocks, 0, cbh.BlockOffset(0), "next block"),
			"leads to %s neither in use nor free, which were free before it", quantity(behind-1, "block"))
	}
	if err := k.compare(ctx); err != nil {
		return err
	}
	if k.later {
		k.c.stale(k.pair.Table, model.RecordID(k.last))
		k.c.stale(k.pair.Blocks, model.RecordID(k.last))
	}
	return k.checkUses()
}

// index is the place of a list in sums.
func (k *listChecker) index(ref derive.Reference) int {
	return int(ref.Entity)*len(k.pair.Kinds) + int(ref.Kind)
}

// checkOffsets compares the .cbgi file with the .cbh file.
func (c *boosterChecker) checkOffsets(ctx context.Context) error {
	const ext = ".cbgi"
	f, b := c.startOf(ext, cbh.OffsetSize)
	if f == nil {
		return nil
	}
	defer f.Close()
	count, err := cbh.DecodeOffset(b)
	if err != nil {
		return err
	}
	if int64(count) > int64(c.headers.Count) {
		c.add(codeBoosterHeader, inHeader(ext, 0, "count"), "%d records, the database has %d", count, c.headers.Count)
	}
	covers := model.RecordID(cbh.OffsetsCover(count, int(c.headers.Count), f.Size()))
	entries, headers := newWindow(f), c.headers.Reader(dbfile.FarAhead)
	for id := model.RecordID(1); id <= covers; id++ {
		if err := c.step(ctx, id); err != nil {
			return err
		}
		at := int64(id) * cbh.OffsetSize
		b, err := entries.At(at, cbh.OffsetSize)
		if err != nil {
			return err
		}
		stored, err := cbh.DecodeOffset(b)
		if err != nil {
			return err
		}
		h, err := headers.At(id)
		if err != nil {
			return err
		}
		r, err := cbh.DecodeGameRecord(h.Head)
		if err != nil {
			return err
		}
		// A text has its offset at the same place; its entry may be 0.
		if stored != r.MovesOffset && (stored != 0 || !r.Type.IsText()) {
			c.add(codeBoosterOffset, inRecord(ext, id, at, "offset"), "%d, the record is at %d", stored, r.MovesOffset)
		}
	}
	c.stale(ext, covers)
	return nil
}

// references returns the references of a record to entities of this pair.
func (k *listChecker) references(headers *cbhdb.HeaderReader, id model.RecordID) ([]derive.Reference, error) {
	h, err := headers.At(id)
	if err != nil {
		return nil, err
	}
	refs := h.References()
	k.refs = refs.Append(k.refs[:0], k.pair)
	return k.refs, nil
}

// maxWrongLists is how many wrong lists are looked at closely.
const maxWrongLists = 10

// compare finds the lists that are not as they follow from the headers of the records
// that the files know of.
func (k *listChecker) compare(ctx context.Context) error {
	wanted := make([]listSum, len(k.sums))
	headers := k.c.headers.Reader(dbfile.FarAhead)
	for id := model.RecordID(1); id <= k.c.headers.Count; id++ {
		if err := k.c.step(ctx, id); err != nil {
			return err
		}
		refs, err := k.references(headers, id)
		if err != nil {
			return err
		}
		for i, ref := range refs {
			switch {
			case slices.Contains(refs[:i], ref):
				k.bothSides[k.index(ref)]++
				delete(k.twice, listedID{k.index(ref), int32(id)})
			case int32(id) > k.last:
				k.later = true
			case ref.Entity >= k.lists.Rows:
				k.c.add(codeBoosterContent, inRecord(k.pair.Table, ref.Entity, -1, k.pair.Kinds[ref.Kind].Name),
					"record %d refers to it, but there are %d rows", id, k.lists.Rows)
			default:
				wanted[k.index(ref)].add(int32(id))
			}
		}
	}
	// What is left was listed twice without the entity being on both sides of the game.
	for _, at := range slices.SortedFunc(maps.Keys(k.twice), func(a, b listedID) int {
		return cmp.Or(cmp.Compare(a.list, b.list), cmp.Compare(a.id, b.id))
	}) {
		k.c.add(codeBoosterContent, k.placeOf(k.reference(at.list)), "record %d is listed twice and refers to it once", at.id)
	}
	closely := map[derive.Reference][]int32{}
	for i := range wanted {
		if wanted[i] == k.sums[i] {
			continue
		}
		ref := k.reference(i)
		if len(closely) < maxWrongLists {
			closely[ref] = nil
			continue
		}
		k.c.add(codeBoosterContent, k.placeOf(ref), "%s listed, %s found", quantity(k.sums[i].count, "record"), quantity(wanted[i].count, "record"))
	}
	if len(closely) == 0 {
		return nil
	}
	headers = k.c.headers.Reader(dbfile.FarAhead)
	for id := model.RecordID(1); id <= min(k.c.headers.Count, model.RecordID(k.last)); id++ {
		if id%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		refs, err := k.references(headers, id)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if list, ok := closely[ref]; ok && !slices.Contains(list[max(len(list)-1, 0):], int32(id)) {
				closely[ref] = append(list, int32(id))
			}
		}
	}
	for _, ref := range slices.SortedFunc(maps.Keys(closely), func(a, b derive.Reference) int {
		return cmp.Or(cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Kind, b.Kind))
	}) {
		row, err := k.lists.Row(nil, ref.Entity)
		if err != nil {
			return err
		}
		// What is wrong with the list itself was noted before.
		got, _ := k.lists.Append(nil, ref.Entity, ref.Kind, row[ref.Kind], k.c.headers.Count, nil)
		got = slices.Compact(got)
		want, p := closely[ref], k.placeOf(ref)
		// The first record that is missing, or too much, is named.
		at := 0
		for at < len(got) && at < len(want) && got[at] == want[at] {
			at++
		}
		switch {
		case at < len(want) && (at == len(got) || want[at] < got[at]):
			k.c.add(codeBoosterContent, p,
				"record %d refers to it and is not listed; %d are listed, %d should be", want[at], len(got), len(want))
		case at < len(got):
			k.c.add(codeBoosterContent, p,
				"record %d is listed and does not refer to it; %d are listed, %d should be", got[at], len(got), len(want))
		}
	}
	return nil
}

// reference is the inverse of index.
func (k *listChecker) reference(list int) derive.Reference {
	kinds := len(k.pair.Kinds)
	return derive.Reference{Kind: cbh.ListKind(list % kinds), Entity: int32(list / kinds)}
}

// placeOf is the place of a list in the table.
func (k *listChecker) placeOf(ref derive.Reference) place {
	at := k.pair.RowOffset(ref.Entity) + int64(ref.Kind)*cbh.ListEndsSize
	return inRecord(k.pair.Table, ref.Entity, at, k.pair.Kinds[ref.Kind].Name)
}

// checkUses compares the lists with what the entities say of themselves, which
// searches rely on.
func (k *listChecker) checkUses() error {
	if k.c.found[k.pair.Table].State != BoosterValid || k.c.found[k.pair.Blocks].State != BoosterValid {
		return nil
	}
	for kind, file := range k.pair.Kinds {
		if !k.c.set.Has(file.Ext) {
			continue
		}
		entities, err := k.c.db.Entities(file)
		if err != nil {
			return err
		}
		for record, err := range entities.Reader(dbfile.FarAhead).Live() {
			if err != nil {
				return err
			}
			if record.ID >= k.lists.Rows {
				continue
			}
			ref, use := derive.Reference{Kind: cbh.ListKind(kind), Entity: record.ID}, cbh.DecodeEntityUse(record.Payload)
			list := k.index(ref)
			sum := k.sums[list]
			if once, all := sum.count, sum.count+k.bothSides[list]; use.Count != once && use.Count != all {
				k.c.add(codeBoosterCount, k.placeOf(ref),
					"%s counts %s, the list has %d", entities.Name(), quantity(use.Count, "reference"), all)
			} else if sum.count > 0 && use.First != sum.first {
				k.c.add(codeBoosterCount, k.placeOf(ref), "%s says that record %d is the first, the list begins with %d",
					entities.Name(), use.First, sum.first)
			}
		}
	}
	return nil
}
