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
	k.refs = refs.Append(k.refs[:0], k.pair)
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
	k.addWronglyTwice()
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
	return k.explain(ctx, closely)
}

// addWronglyTwice tells of ids that are twice in a list without the entity being
// on both sides of the game.
func (k *listChecker) addWronglyTwice() {
	wrong := slices.SortedFunc(maps.Keys(k.twice), func(a, b listedID) int {
		return cmp.Or(cmp.Compare(a.list, b.list), cmp.Compare(a.id, b.id))
	})
	for _, at := range wrong {
		k.c.add(codeBoosterContent, k.placeOf(k.reference(at.list)), "record %d is listed twice and refers to it once", at.id)
	}
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

// explain tells where wrong lists go wrong.
func (k *listChecker) explain(ctx context.Context, wrong map[derive.Reference][]int32) error {
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
			if list, ok := wrong[ref]; ok && !slices.Contains(list[max(len(list)-1, 0):], int32(id)) {
				wrong[ref] = append(list, int32(id))
			}
		}
	}
	for _, ref := range sortedReferences(wrong) {
		if err := k.explainList(ref, wrong[ref]); err != nil {
			return err
		}
	}
	return nil
}

func sortedReferences(m map[derive.Reference][]int32) []derive.Reference {
	var list []derive.Reference
	for ref := range m {
		list = append(list, ref)
	}
	slices.SortFunc(list, func(a, b derive.Reference) int {
		if a.Entity != b.Entity {
			return int(a.Entity - b.Entity)
		}
		return int(a.Kind) - int(b.Kind)
	})
	return list
}

// explainList names the first record that is missing from a list, or too much.
func (k *listChecker) explainList(ref derive.Reference, want []int32) error {
	row, err := k.lists.Row(nil, ref.Entity)
	if err != nil {
		return err
	}
	// What is wrong with the list itself was noted before.
	got, _ := k.lists.Append(nil, ref.Entity, ref.Kind, row[ref.Kind], k.c.headers.Count, nil)
	got = slices.Compact(got)
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	p := k.placeOf(ref)
	switch {
	case at < len(want) && (at == len(got) || want[at] < got[at]):
		k.c.add(codeBoosterContent, p, "record %d refers to it and is not listed; %d are listed, %d should be", want[at], len(got), len(want))
	case at < len(got):
		k.c.add(codeBoosterContent, p, "record %d is listed and does not refer to it; %d are listed, %d should be", got[at], len(got), len(want))
	}
	return nil
}

// checkUses compares the lists with what the entities say of themselves, which
// searches rely on.
func (k *listChecker) checkUses() error {
	if k.c.found[k.pair.Table].State != BoosterValid || k.c.found[k.pair.Blocks].State != BoosterValid {
		return nil
	}
	for kind, file := range k.pair.Kinds {
		if err := k.checkUsesOf(cbh.ListKind(kind), file); err != nil {
			return err
		}
	}
	return nil
}

func (k *listChecker) checkUsesOf(kind cbh.ListKind, file *cbh.EntityFile) error {
	if !k.c.set.Has(file.Ext) {
		return nil
	}
	entities, err := k.c.db.Entities(file)
	if err != nil {
		return err
	}
	for record, err := range entities.Reader(dbfile.FarAhead).Live() {
		if err != nil {
			return err
		}
		if record.ID < k.lists.Rows {
			k.checkUse(derive.Reference{Kind: kind, Entity: record.ID}, cbh.DecodeEntityUse(record.Payload), entities.Name())
		}
	}
	return nil
}

// checkUse compares a list with what the entity says of itself.
func (k *listChecker) checkUse(ref derive.Reference, use cbh.EntityUse, name string) {
	list := k.index(ref)
	sum := k.sums[list]
	if once, all := sum.count, sum.count+k.bothSides[list]; use.Count != once && use.Count != all {
		k.c.add(codeBoosterCount, k.placeOf(ref), "%s counts %s, the list has %d", name, quantity(use.Count, "reference"), all)
	} else if sum.count > 0 && use.First != sum.first {
		k.c.add(codeBoosterCount, k.placeOf(ref), "%s says that record %d is the first, the list begins with %d", name, use.First, sum.first)
	}
}

// boosters returns the endings of the selected boosters that are there.
func (c *checker) boosters() []string {
	return slices.DeleteFunc(slices.Clone(boosterExts), func(ext string) bool {
		return !c.selected.has(ext) || !c.d.set.Has(ext)
	})
}

// chosenBoosters returns the endings of the selected boosters, and of those that
// belong to them.
func (c *checker) chosenBoosters() []string {
	return slices.DeleteFunc(slices.Clone(boosterExts), func(ext string) bool {
		pair := cbh.ListFileOf(ext)
		return ext == indexExt && !c.d.set.Has(ext) || !c.selected.has(ext) && (pair == nil || !c.selected.any(pair.Table, pair.Blocks))
	})
}

// checkBoosters checks the search boosters as [Boosters] does, with milder words:
// one that does not fit the records is out of date, which is a note, unless
// searches rely on it. Of boosters that are missing it tells once, and not at all
// where there is none: most databases have none. (docs/formats/real-databases.md)
func (c *checker) checkBoosters(ctx context.Context) error {
	chosen := c.chosenBoosters()
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
		if err := c.takeBooster(&b, &list[i], ext, isBroken(list, chosen, i)); err != nil {
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

// isBroken reports whether a booster, or the other file of its pair, is damaged
// whatever the records are.
func isBroken(list []Booster, exts []string, i int) bool {
	pair := list[i : i+1]
	if cbh.ListFileOf(exts[i]) != nil { // the pairs come first
		pair = list[i&^1 : i&^1+2]
	}
	for _, b := range pair {
		for _, f := range b.Findings {
			if f.Severity == Error && !isContent(f.Code) {
				return true
			}
		}
	}
	return false
}

// takeBooster takes over the findings about a booster. Where its content is
// wrong it says so once, and not at all of a file that is broken anyway.
func (c *checker) takeBooster(from *boosterChecker, b *Booster, ext string, broken bool) error {
	relied := ext == indexExt // else it is not compared
	if ext == tracesExt && b.State == BoosterWrong && !broken {
		err := booster.CheckSeal(cbhdb.FilesOf(c.d.set), tracesExt)
		if err != nil && !errors.Is(err, booster.ErrNoSeal) {
			return err
		}
		relied = err == nil
	}
	outdated := broken
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
