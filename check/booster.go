package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"

	"cbkit/internal/cbh"
	"cbkit/internal/wire"
	"cbkit/model"
	"cbkit/read"
)

// BoosterState says whether a search booster can be used.
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
	BoosterUnknown BoosterState = "unknown"
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

// boosterExts are the endings of the search boosters, and of the index behind them.
var boosterExts = dbfile.ChessBase.Exts(dbfile.Booster, dbfile.Index)

// Boosters computes what the search boosters of the ChessBase database at path
// must hold, and compares it with what they hold. Of opt.Files, if given, only
// .cit, .cib, .cit2, .cib2, .cbb, .cbgi and .cbkit-positions count. The two files of a pair
// have the same state. (docs/formats/boosters.md 9) The index of positions is in the list
// where there is one, or it is among opt.Files.
//
// Damage of a booster is a finding. An error means that the database itself
// cannot be read.
func Boosters(ctx context.Context, path string, opt Options) ([]Booster, error) {
	return checkBoosters(ctx, path, boosterChecker{opt: &opt})
}

// BoosterStates does what [Boosters] does in less time: it plays through no
// game. The .cbb file is judged as a search does it, by its size and its seal,
// and is valid or unsealed where Boosters would look at its records.
func BoosterStates(ctx context.Context, path string, opt Options) ([]Booster, error) {
	return checkBoosters(ctx, path, boosterChecker{opt: &opt, bySeal: true})
}

// checkBoosters runs a checker of which only the choices are set.
func checkBoosters(ctx context.Context, path string, c boosterChecker) ([]Booster, error) {
	set, watch, err := findWatched(c.opt, path)
	if err != nil {
		return nil, err
	}
	if !set.Has(".cbh") {
		return nil, fmt.Errorf("%s: %w: search boosters belong to a %s", path, model.ErrNotDatabase, set.Name(".cbh"))
	}
	chosen, err := chosenBoosters(c.opt.Files, set)
	if err != nil {
		return nil, err
	}
	c.findings = findings{set: set, see: c.keep}
	list, err := c.check(ctx, chosen)
	return list, oneState(watch, err)
}

// check checks the chosen boosters.
func (c *boosterChecker) check(ctx context.Context, chosen []string) ([]Booster, error) {
	c.db = cbhdb.New(cbhdb.FilesOf(c.set))
	defer c.db.Close() // it was only read
	headers, err := c.db.Headers()
	if err != nil {
		return nil, err
	}
	c.headers, c.found, c.kept, c.more = headers, map[string]*Booster{}, map[findingKind]int{}, map[findingKind]int{}
	for _, ext := range boosterExts {
		c.found[ext] = &Booster{File: c.set.Name(ext), State: BoosterValid, Covers: headers.Count}
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
		list = append(list, c.finish(ext))
	}
	return list, nil
}

// chosenBoosters reads a choice of files; none means all.
func chosenBoosters(names []string, set *read.FileSet) ([]string, error) {
	chosen := map[string]bool{}
	if len(names) == 0 {
		for _, ext := range boosterExts {
			chosen[ext] = ext != indexExt || set.Has(ext)
		}
	}
	for _, name := range names {
		ext := dbfile.ParseEnding(name)
		if !slices.Contains(boosterExts, ext) {
			return nil, fmt.Errorf("%w: %q is no search booster; there are %s", model.ErrOption, name, strings.Join(boosterExts, " "))
		}
		chosen[ext] = true
	}
	return slices.DeleteFunc(slices.Clone(boosterExts), func(ext string) bool { return !chosen[ext] }), nil
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
	headers *cbhdb.Headers
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
		b.State = BoosterUnknown
	}
}

// keep keeps a finding. An error makes the file wrong.
func (c *boosterChecker) keep(f Finding) {
	b := c.found[dbfile.EndingOf(f.File)]
	if f.Severity == Error {
		b.State = BoosterWrong
	}
	kind := findingKind{b.File, f.Code, f.Severity}
	if c.isEnough(b, kind) {
		c.more[kind]++
		return
	}
	c.kept[kind]++
	b.Findings = append(b.Findings, f)
}

// isEnough reports whether no more findings of a kind are to be kept.
func (c *boosterChecker) isEnough(b *Booster, kind findingKind) bool {
	if c.perCode == 0 {
		return len(b.Findings) >= maxBoosterFindings
	}
	return c.perCode > 0 && c.kept[kind] >= c.perCode
}

// skip counts n findings that were not even made.
func (c *boosterChecker) skip(code *Code, ext string, n int) {
	if n > 0 {
		c.more[findingKind{c.found[ext].File, code.Code, code.Severity}] += n
	}
}

// addError adds a finding from an error that tells its place in the file, or in
// another file.
func (c *boosterChecker) addError(code *Code, ext string, err error) {
	var e *model.FormatError
	if errors.As(err, &e) && c.found[dbfile.EndingOf(e.File)] == nil {
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

// finish completes what was found about a file.
func (c *boosterChecker) finish(ext string) Booster {
	b := *c.found[ext]
	if b.State != BoosterValid && b.State != BoosterStale {
		b.Covers = 0
	}
	if n := c.unlisted(b.File); n > 0 && c.perCode == 0 {
		b.Findings = append(b.Findings, Finding{
			Code: codeBoosterMore.Code, Severity: Note, File: b.File, Record: -1, Offset: -1,
			Message: quantity(n, "more finding"),
		})
	}
	return b
}

// unlisted is the number of findings about a file that were not kept.
func (c *boosterChecker) unlisted(file string) (n int) {
	for kind, more := range c.more {
		if kind.file == file {
			n += more
		}
	}
	return n
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

// step looks at the context and tells the progress from time to time.
func (c *boosterChecker) step(ctx context.Context, id model.RecordID) error {
	const every = 256
	if id%every != 0 && id != c.headers.Count {
		return nil
	}
	if c.opt.Progress != nil {
		c.opt.Progress(int(id), int(c.headers.Count))
	}
	return ctx.Err()
}
