package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/wire"
	"cbkit/model"
)

// BoosterState says whether a search booster can be used. Besides the constants below it
// can be "unknown": the booster could not be compared with the database.
type BoosterState string

// The states of a booster.
const (
	BoosterMissing BoosterState = "missing"
	// BoosterInapplicable is one that the database cannot have: a version
	// without game titles has no lists of them.
	BoosterInapplicable BoosterState = "not applicable"
	BoosterValid        BoosterState = "valid"
	// BoosterStale is right about the first records, and does not know the
	// last ones.
	BoosterStale BoosterState = "stale"
	BoosterWrong BoosterState = "wrong"
	// BoosterUnsealed is a .cbb file that looks right, but that searches do not
	// rely on: no seal vouches for it.
	BoosterUnsealed BoosterState = "unsealed"
	// BoosterUnknown could not be compared with the database.
	boosterUnknown BoosterState = "unknown"
)

// Booster is the state of one of the six search boosters, or of the index of positions.
type Booster struct {
	// File is its name; of a missing one, the name it would have.
	File  string       `json:"file"`
	State BoosterState `json:"state"`
	// Covers is the last record that the file covers, if it is valid or stale.
	Covers model.RecordID `json:"covers,omitempty"`
	// Findings says where the file is wrong. At most twenty are listed; one more
	// gives the number of the others.
	Findings []Finding `json:"findings,omitempty"`
}

// boosterExts are the endings of the search boosters, and of the index behind them,
// boosterExts2 those beside a database of ChessBase 17.
var (
	boosterExts  = dbfile.ChessBase.Exts(dbfile.Booster, dbfile.Index)
	boosterExts2 = dbfile.ChessBase2.Exts(dbfile.Booster, dbfile.Index)
)

// Boosters computes what the search boosters of the ChessBase database at path must hold,
// and compares it with what they hold. Of opt.Files, if given, only .cit, .cib, .cit2,
// .cib2, .cbb, .cbgi and .cbkit-positions count. The two files of a pair have the same
// state. (docs/formats/boosters.md 9) The index of positions is in the list if it exists
// or opt.Files names it; a .2cbh database has no other booster (.cbkit-positions2).
//
// Damage of a booster is a finding. An error means that the database itself
// cannot be read.
func Boosters(ctx context.Context, path string, opt Options) ([]Booster, error) {
	return checkBoosters(ctx, path, boosterChecker{opt: &opt})
}

// BoosterStates is a faster [Boosters] that plays through no games. Like a search it
// judges the .cbb file by size and seal, so that the file is valid or unsealed where
// Boosters would compare its records.
func BoosterStates(ctx context.Context, path string, opt Options) ([]Booster, error) {
	return checkBoosters(ctx, path, boosterChecker{opt: &opt, bySeal: true})
}

// checkBoosters runs a checker of which only the choices are set.
func checkBoosters(ctx context.Context, path string, c boosterChecker) ([]Booster, error) {
	set, watch, err := findWatched(c.opt.FS, path, ".cbh")
	if err != nil {
		return nil, err
	}
	exts := boosterExts
	if set.Has(".2cbh") {
		exts = boosterExts2
	} else if !set.Has(".cbh") {
		return nil, fmt.Errorf("%s: %w: search boosters belong to a %s", path, model.ErrNotDatabase, set.Name(".cbh"))
	}
	isChosen := map[string]bool{}
	if len(c.opt.Files) == 0 {
		for _, ext := range exts {
			isChosen[ext] = ext != dbfile.PositionsExt || set.Has(ext)
		}
	}
	for _, name := range c.opt.Files {
		ext := dbfile.ParseEnding(name)
		if !slices.Contains(exts, ext) {
			return nil, fmt.Errorf("%w: %q is no search booster; there are %s", model.ErrOption, name, strings.Join(exts, " "))
		}
		isChosen[ext] = true
	}
	chosen := slices.DeleteFunc(slices.Clone(exts), func(ext string) bool { return !isChosen[ext] })
	c.findings = findings{set: set, see: c.keep}
	list, err := c.check(ctx, chosen)
	return list, oneState(watch, err)
}

// check checks the chosen boosters; a pair is checked if one of the two is chosen.
func (c *boosterChecker) check(ctx context.Context, chosen []string) ([]Booster, error) {
	c.db = cbhdb.New(cbhdb.FilesOf(c.set))
	defer c.db.Close() // it was only read
	if !c.set.Has(".2cbh") {
		headers, err := c.db.Headers()
		if err != nil {
			return nil, err
		}
		c.headers, c.count = headers, headers.Count
	}
	c.found, c.kept, c.more = map[string]*Booster{}, map[findingKind]int{}, map[findingKind]int{}
	for _, ext := range slices.Concat(boosterExts, boosterExts2) {
		c.found[ext] = &Booster{File: c.set.Name(ext), State: BoosterValid, Covers: c.count}
	}
	for _, k := range boosterChecks {
		if slices.ContainsFunc(k.files, func(ext string) bool { return slices.Contains(chosen, ext) }) {
			if err := c.unless(k.files[0], k.check(c, ctx)); err != nil {
				return nil, err
			}
		}
	}
	var list []Booster
	for _, ext := range chosen {
		b := *c.found[ext]
		if b.State != BoosterValid && b.State != BoosterStale {
			b.Covers = 0
		}
		unlisted := 0
		for kind, n := range c.more {
			if kind.file == b.File {
				unlisted += n
			}
		}
		if unlisted > 0 && c.perCode == 0 {
			b.Findings = append(b.Findings, c.finding(Note, codeBoosterMore, inFile(b.File), "%s", quantity(unlisted, "more finding")))
		}
		list = append(list, b)
	}
	return list, nil
}

// boosterChecker is one run of [Boosters], or of a part of [Database].
type boosterChecker struct {
	opt    *Options
	bySeal bool // the .cbb file is not compared with the moves
	// tolerant says that a database too damaged to compare a booster with it is
	// noted, and no error.
	tolerant bool
	// perCode is how many findings of a code are kept for each file, < 0: all;
	// 0: maxBoosterFindings in all.
	perCode int

	findings
	db      *cbhdb.DB
	headers *cbhdb.Headers // nil of a database of ChessBase 17
	count   model.RecordID
	found   map[string]*Booster // by ending
	kept    map[findingKind]int // numbers of findings
	more    map[findingKind]int // of those that were not kept
}

// maxBoosterFindings is how many findings [Boosters] keeps for each file.
const maxBoosterFindings = 20

// unless returns the error of a check, unless damage of the database is to be
// noted: then the booster was not compared to the end.
func (c *boosterChecker) unless(ext string, err error) error {
	if !c.tolerant || !dbfile.IsDamage(err) {
		return err
	}
	c.unknown(ext, "the database is damaged, and not all was compared: %v", err)
	return nil
}

// unknown notes that a file could not be compared.
func (c *boosterChecker) unknown(ext, format string, args ...any) {
	c.add(codeBoosterUnknown, inFile(ext), format, args...)
	if b := c.found[ext]; b.State != BoosterWrong {
		b.State = boosterUnknown
	}
}

// lacks reports whether one of some files is missing, without which a booster cannot be
// compared, and notes that.
func (c *boosterChecker) lacks(booster string, exts []string) bool {
	i := slices.IndexFunc(exts, func(ext string) bool { return !c.set.Has(ext) })
	if i >= 0 {
		c.unknown(booster, "%s is missing; without it nothing can be compared", c.set.Name(exts[i]))
	}
	return i >= 0
}

// keep keeps a finding. An error makes the file wrong.
func (c *boosterChecker) keep(f Finding) {
	b := c.found[dbfile.EndingOf(f.File)]
	if f.Severity == Error {
		b.State = BoosterWrong
	}
	kind := findingKind{b.File, f.Code, f.Severity}
	isEnough := c.perCode > 0 && c.kept[kind] >= c.perCode
	if c.perCode == 0 {
		isEnough = len(b.Findings) >= maxBoosterFindings
	}
	if isEnough {
		c.more[kind]++
		return
	}
	c.kept[kind]++
	b.Findings = append(b.Findings, f)
}

// addError adds a finding from an error that has its place in the file, or in
// another file.
func (c *boosterChecker) addError(code *Code, ext string, err error) {
	if e, ok := errors.AsType[*model.FormatError](err); ok && c.found[dbfile.EndingOf(e.File)] == nil {
		c.add(code, place{File: ext, Record: e.Record, Offset: e.Offset, Field: e.Field}, "%v", e.Err)
		return
	}
	c.addStated(code, inFile(ext), err)
}

// missing notes that a file is not there, if it could be.
func (c *boosterChecker) missing(ext string) {
	if cbh.ListFileOf(ext) == &cbh.TitleLists && !c.headers.HasTitles() {
		c.found[ext].State = BoosterInapplicable
		return
	}
	c.add(codeBoosterMissing, inFile(ext), "the file is missing; cbkit boosters computes it")
	c.found[ext].State = BoosterMissing
}

// stale notes where a file ends that is not wrong.
func (c *boosterChecker) stale(ext string, covers model.RecordID) {
	b := c.found[ext]
	if b.State == BoosterWrong || covers >= c.headers.Count {
		return
	}
	b.State, b.Covers = BoosterStale, covers
	c.add(codeBoosterStale, inFile(ext), "the file ends with record %d of %d", covers, c.headers.Count)
}

// startOf opens a booster and reads its first n bytes. Where that is not
// possible it says so, and the file is nil.
func (c *boosterChecker) startOf(ext string, n int64) (*dbfile.File, []byte) {
	if !c.set.Has(ext) {
		c.missing(ext)
		return nil, nil
	}
	f, err := openFile(c.set, ext)
	if err != nil {
		c.add(codeBoosterHeader, inFile(ext), "cannot be opened: %v", withoutName(err, c.set.Name(ext)))
		return nil, nil
	}
	b, err := f.Start(n)
	if err == nil && int64(len(b)) < n {
		err = wire.Locate(&model.FormatError{Offset: f.Size(), Record: -1, Err: model.ErrTruncated}, f.Name(), 0, -1)
	}
	if err != nil {
		f.Close()
		c.addError(codeBoosterHeader, ext, err)
		return nil, nil
	}
	return f, b
}

// step looks at the context and reports the progress from time to time.
func (c *boosterChecker) step(ctx context.Context, id model.RecordID) error {
	const every = 256
	if id%every != 0 && id != c.count {
		return nil
	}
	if c.opt.Progress != nil {
		c.opt.Progress(int(id), int(c.count))
	}
	return ctx.Err()
}

// checkBoosters checks the search boosters as [Boosters] does, with milder words:
// one that does not fit the records is out of date, which is a note, unless
// searches rely on it. Boosters that are missing are reported once, and not at all
// where there is none: most databases have none. (docs/formats/real-databases.md)
func (c *checker) checkBoosters(ctx context.Context) error {
	chosen := slices.DeleteFunc(slices.Clone(boosterExts), func(ext string) bool {
		pair := cbh.ListFileOf(ext) // which belong together
		return ext == dbfile.PositionsExt && !c.d.set.Has(ext) || !c.selected.has(ext) && (pair == nil || !c.selected.any(pair.Table, pair.Blocks))
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
		if cbh.ListFileOf(ext) != nil { // the pairs come first
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

// takeBooster takes over the findings about a booster, which is one of a pair, or
// alone in it. Where its content is wrong it says so once, and not at all where one of
// the pair is damaged whatever the records are.
func (c *checker) takeBooster(from *boosterChecker, b *Booster, ext string, pair []Booster) error {
	isBroken := slices.ContainsFunc(pair, func(b Booster) bool {
		return slices.ContainsFunc(b.Findings, func(f Finding) bool { return f.Severity == Error && !isContent(f.Code) })
	})
	relied := ext == dbfile.PositionsExt // else it is not compared
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
