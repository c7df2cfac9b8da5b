package check

import (
	"context"
	"errors"

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
	{[]string{indexExt}, (*boosterChecker).checkIndex},
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
		c.found[pair.Blocks].State = BoosterUnknown
		return nil
	}
	lists, err := booster.OpenLists(c.db.Files(), pair)
	if err != nil {
		var damage *model.FormatError
		if !errors.As(err, &damage) {
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
	ids   []int32
	row   []cbh.ListEnds
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

func (k *listChecker) run(ctx context.Context) error {
	k.use = booster.NewBlockUse(k.lists)
	k.sums = make([]listSum, int(k.lists.Rows)*len(k.pair.Kinds))
	k.twice, k.bothSides = map[listedID]bool{}, map[int]int32{}
	if err := k.readLists(ctx); err != nil {
		return err
	}
	if err := k.checkFree(); err != nil {
		return err
	}
	wanted, err := k.wantedSums(ctx)
	if err != nil {
		return err
	}
	if err := k.compare(ctx, wanted); err != nil {
		return err
	}
	if k.later {
		k.c.stale(k.pair.Table, model.RecordID(k.last))
		k.c.stale(k.pair.Blocks, model.RecordID(k.last))
	}
	return k.checkUses()
}

// readLists walks all lists.
func (k *listChecker) readLists(ctx context.Context) error {
	for entity := range k.lists.Rows {
		if entity%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var err error
		if k.row, err = k.lists.Row(k.row[:0], entity); err != nil {
			return err
		}
		for kind, ends := range k.row {
			k.readList(entity, cbh.ListKind(kind), ends)
		}
	}
	return nil
}

// readList walks one list and sums it up. What is wrong in it is noted; what
// comes behind a fault is not read.
func (k *listChecker) readList(entity int32, kind cbh.ListKind, ends cbh.ListEnds) {
	var err error
	k.ids, err = k.lists.Append(k.ids[:0], entity, kind, ends, k.c.headers.Count, k.visit)
	if err != nil {
		k.c.addError(codeBoosterList, k.pair.Blocks, err)
	}
	list, last := k.index(derive.Reference{Kind: kind, Entity: entity}), int32(0)
	for _, id := range k.ids {
		if id == last {
			k.twice[listedID{list, id}] = true
			continue
		}
		k.sums[list].add(id)
		last = id
	}
	k.last = max(k.last, last)
}

// visit notes a block that is in a list.
func (k *listChecker) visit(n int32, b *cbh.ListBlock) error {
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

// index is the place of a list in sums.
func (k *listChecker) index(ref derive.Reference) int {
	return int(ref.Entity)*len(k.pair.Kinds) + int(ref.Kind)
}

// checkFree follows the free blocks. What is neither free nor in use is lost.
func (k *listChecker) checkFree() error {
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
	if lost := k.use.Lost(free); lost > 0 {
		k.c.add(codeBoosterLost, inFile(k.pair.Blocks), "%s neither in use nor free", quantity(lost, "block"))
	}
	if behind > 0 {
		k.c.addAs(Note, codeBoosterLost, inRecord(k.pair.Blocks, 0, cbh.BlockOffset(0), ""),
			"neither in use nor free; block 0 cannot be marked as free")
	}
	if behind > 1 {
		k.c.addAs(Note, codeBoosterLost, inRecord(k.pair.Blocks, 0, cbh.BlockOffset(0), "next block"),
			"leads to %s neither in use nor free, which were free before it", quantity(behind-1, "block"))
	}
	return nil
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
		if err := c.compareOffset(headers, id, inRecord(ext, id, at, "offset"), stored); err != nil {
			return err
		}
	}
	c.stale(ext, covers)
	return nil
}

// compareOffset compares one entry. That of a guiding text may be 0.
func (c *boosterChecker) compareOffset(headers *cbhdb.HeaderReader, id model.RecordID, p place, stored uint32) error {
	h, err := headers.At(id)
	if err != nil {
		return err
	}
	r, err := cbh.DecodeGameRecord(h.Head)
	if err != nil {
		return err
	}
	// A text has its offset at the same place.
	if stored != r.MovesOffset && (stored != 0 || !r.Type.IsText()) {
		c.add(codeBoosterOffset, p, "%d, the record is at %d", stored, r.MovesOffset)
	}
	return nil
}
