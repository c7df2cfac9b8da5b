package check

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/derive"
	"cbkit/model"
)

// references returns the references of a record to entities of this pair.
func (k *listChecker) references(headers *cbhdb.HeaderReader, id model.RecordID) ([]derive.Reference, error) {
	h, err := headers.At(id)
	if err != nil {
		return nil, err
	}
	refs := h.References()
	if k.pair == &cbh.TitleLists {
		k.refs = refs.AppendTitleLists(k.refs[:0])
	} else {
		k.refs = refs.AppendLists(k.refs[:0])
	}
	return k.refs, nil
}

// wantedSums sums up the lists as they follow from the headers of the records
// that the files know of.
func (k *listChecker) wantedSums(ctx context.Context) ([]listSum, error) {
	wanted := make([]listSum, len(k.sums))
	headers := k.c.headers.Reader(dbfile.FarAhead)
	for id := model.RecordID(1); id <= k.c.headers.Count; id++ {
		if err := k.c.step(ctx, id); err != nil {
			return nil, err
		}
		refs, err := k.references(headers, id)
		if err != nil {
			return nil, err
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
	return wanted, nil
}

// maxWrongLists is how many wrong lists are looked at closely.
const maxWrongLists = 10

// compare finds the lists that are not as they follow from the headers.
func (k *listChecker) compare(ctx context.Context, wanted []listSum) error {
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
	headers := k.c.headers.Reader(dbfile.FarAhead)
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
			k.c.add(codeBoosterContent, p, "record %d refers to it and is not listed; %d are listed, %d should be", want[at], len(got), len(want))
		case at < len(got):
			k.c.add(codeBoosterContent, p, "record %d is listed and does not refer to it; %d are listed, %d should be", got[at], len(got), len(want))
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
				k.c.add(codeBoosterCount, k.placeOf(ref), "%s counts %s, the list has %d", entities.Name(), quantity(use.Count, "reference"), all)
			} else if sum.count > 0 && use.First != sum.first {
				k.c.add(codeBoosterCount, k.placeOf(ref), "%s says that record %d is the first, the list begins with %d",
					entities.Name(), use.First, sum.first)
			}
		}
	}
	return nil
}

// checkBoosters checks the search boosters as [Boosters] does, with milder words:
// one that does not fit the records is out of date, which is a note, unless
// searches rely on it. Boosters that are missing are reported once, and not at all
// where there is none: most databases have none. (docs/formats/real-databases.md)
func (c *checker) checkBoosters(ctx context.Context) error {
	chosen := slices.DeleteFunc(slices.Clone(boosterExts), func(ext string) bool {
		pair := pairOf(ext) // which belong together
		return ext == indexExt && !c.d.set.Has(ext) || !c.selected.has(ext) && (pair == nil || !c.selected.any(pair.Table, pair.Blocks))
	})
	if len(chosen) == 0 || c.d.count == 0 {
		return nil
	}
	b := boosterChecker{opt: c.opt, tolerant: true, perCode: c.out.max}
	b.findings = findings{set: c.d.set, see: b.keep}
	list, err := b.check(ctx, chosen)
	if err = oneState(c.d.watch, err); err != nil {
		if dbfile.IsDamage(err) || errors.Is(err, fs.ErrNotExist) {
			return nil // of the headers, which was found before
		}
		return err
	}
	var missing []string
	for i := range list {
		ext := chosen[i]
		if !c.selected.has(ext) {
			continue
		}
		if list[i].State == BoosterMissing {
			missing = append(missing, ext)
		}
		pair := list[i : i+1]
		if pairOf(ext) != nil { // the pairs come first
			pair = list[i&^1 : i&^1+2]
		}
		if err := c.takeBooster(&b, &list[i], ext, pair); err != nil {
			return err
		}
	}
	if len(missing) > 0 && slices.ContainsFunc(boosterExts, c.d.set.Has) {
		verb := "is"
		if len(missing) > 1 {
			verb = "are"
		}
		c.add(codeBoosterMissing, inFile(missing[0]), "of the search boosters %s %s missing; cbkit boosters computes them",
			strings.Join(missing, " "), verb)
	}
	return nil
}

// isContent reports whether a finding is about the records that a booster should
// be of, not about the booster itself.
func isContent(code string) bool {
	return code == codeBoosterContent.Code || code == codeBoosterTrace.Code || code == codeBoosterOffset.Code
}

// pairOf returns the pair that a booster is one of, nil if there is none.
func pairOf(ext string) *cbh.ListFile {
	for _, pair := range []*cbh.ListFile{&cbh.Lists, &cbh.TitleLists} {
		if ext == pair.Table || ext == pair.Blocks {
			return pair
		}
	}
	return nil
}

// takeBooster takes over the findings about a booster, which is one of a pair, or
// alone in it. Where its content is wrong it says so once, and not at all where one of
// the pair is damaged whatever the records are.
func (c *checker) takeBooster(from *boosterChecker, b *Booster, ext string, pair []Booster) error {
	isBroken := slices.ContainsFunc(pair, func(b Booster) bool {
		return slices.ContainsFunc(b.Findings, func(f Finding) bool { return f.Severity == Error && !isContent(f.Code) })
	})
	relied := ext == indexExt // else it is not compared
	if ext == tracesExt && b.State == BoosterWrong && !isBroken {
		err := booster.CheckSeal(cbhdb.FilesOf(c.d.set), tracesExt)
		if err != nil && !errors.Is(err, booster.ErrNoSeal) {
			return err
		}
		relied = err == nil
	}
	outdated := isBroken
	for _, f := range b.Findings {
		switch {
		case f.Code == codeBoosterMissing.Code:
		case !isContent(f.Code) || relied:
			c.list = append(c.list, f)
		case !outdated:
			outdated = true
			c.add(codeBoosterStale, place{File: ext, Record: f.Record, Offset: f.Offset, Field: f.Field},
				"%s: the file is out of date; cbkit boosters computes it anew", f.Message)
		}
	}
	c.flush()
	for kind, n := range from.more {
		if kind.file == b.File && (!isContent(kind.code) || relied) {
			c.out.count(kind, n)
		}
	}
	return nil
}
