package check

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
)

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
		pair := pairOf(ext)
		return !c.selected.has(ext) && (pair == nil || !c.selected.any(pair.Table, pair.Blocks))
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
	b := boosterChecker{opt: c.opt, tolerant: true, perCode: c.out.max, set: c.d.set}
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
		c.addBooster(codeBoosterMissing, inFile(missing[0]), "of the search boosters %s %s missing; cbkit boosters computes them",
			strings.Join(missing, " "), verb)
	}
	return nil
}

// addBooster adds a finding with the severity that its code has for boosters.
func (c *checker) addBooster(code string, p place, format string, args ...any) {
	c.addAs(boosterSeverities[code], code, p, format, args...)
}

// isContent reports whether a finding is about the records that a booster should
// be of, not about the booster itself.
func isContent(code string) bool {
	return code == codeBoosterContent || code == codeBoosterTrace || code == codeBoosterOffset
}

// isBroken reports whether a booster, or the other file of its pair, is damaged
// whatever the records are.
func isBroken(list []Booster, exts []string, i int) bool {
	pair := list[i : i+1]
	if pairOf(exts[i]) != nil { // the pairs come first
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

// pairOf returns the pair that a booster is one of, nil if there is none.
func pairOf(ext string) *cbh.ListFile {
	for _, pair := range []*cbh.ListFile{&cbh.Lists, &cbh.TitleLists} {
		if ext == pair.Table || ext == pair.Blocks {
			return pair
		}
	}
	return nil
}

// takeBooster takes over the findings about a booster. Where its content is
// wrong it says so once, and not at all of a file that is broken anyway.
func (c *checker) takeBooster(from *boosterChecker, b *Booster, ext string, broken bool) error {
	relied := false
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
		case f.Code == codeBoosterMissing:
		case !isContent(f.Code) || relied:
			c.list = append(c.list, f)
		case !outdated:
			outdated = true
			c.addBooster(codeBoosterStale, place{ext, f.Record, f.Offset, f.Field},
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
