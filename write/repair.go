package write

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"cbkit/check"
	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/internal/posindex"
	"cbkit/model"
	"cbkit/read"
)

// RepairOptions configures [Repair]. The zero value is good for most databases.
type RepairOptions struct {
	// DryRun finds out what would be changed, and changes nothing.
	DryRun bool
	// CodePage is the page of names and texts, as in [Options].
	CodePage string
	// Repaired, if not nil, is called for every change. Changes that come in one
	// transaction are reported before it is committed.
	Repaired func(Repaired)
	// Left, if not nil, is called for every finding of [check.Database] that is left
	// afterwards, with why nothing is done about it, at most Max times for each code and
	// file, as in [check.Options].
	Left func(f check.Finding, why string)
	Max  int
	// Jobs is how many processors check, as in [check.Options].
	Jobs int
	// Progress, if not nil, is called with how many of all records are done; the numbers
	// start again for each pass that mends something.
	Progress func(done, total int)
	// Wait is how long to wait for another writer of the database to end; Memory
	// is how many bytes of changes are kept in memory, as in [EditOptions].
	Wait   time.Duration
	Memory int

	// files is the file system, for tests; nil is the machine's.
	files fsys.FS
}

// Repaired is one repair: the code of the finding of [check.Database] that it
// mends, the place, and what changed.
type Repaired struct {
	// Code is that of the finding, File the name of the file.
	Code, File string
	// Record is the number of the record, -1 for the file as a whole; Offset the
	// place in the file in bytes.
	Record, Offset int64
	// Field names the field, "" if there is none.
	Field string
	// Message says what the value was and what it is now.
	Message string
}

// RepairResult reports what [Repair] did.
type RepairResult struct {
	// Repaired says how many changes were made of each code.
	Repaired map[string]int `json:"repaired"`
	// Left is the check of the database afterwards.
	Left check.Summary `json:"left"`
	// DroppedBoosters are the names of search boosters that did not fit and went;
	// [Boosters] makes them anew.
	DroppedBoosters []string `json:"droppedBoosters,omitempty"`
}

// Repair corrects, in place and in one transaction, what can be derived in the ChessBase
// database at path: search trees, lists of deleted records, counts, checksums, flags,
// magnitudes, medals, move counts, sizes, holes, and offsets stored in two fields of
// which one is right. What cannot be derived is not guessed: it stays as it is, byte for
// byte, and [RepairOptions].Left is called with the reason, which [check.Code.Repair]
// gives for each code. No record is moved or made, or given to another game; [Salvage]
// does that. A second repair changes nothing.
//
// If the machine stops, the next writer, or [Recover], restores the old state. In a Scid
// database (.si4) Repair corrects what Scid searches by (material, flags, home pawns and
// counts) and the order and frequencies of names. Games and names that could be read
// before can be read afterwards, and are the same. Search boosters that do not fit are
// dropped.
//
// Errors wrap model.ErrLocked if another process is writing the database,
// fs.ErrNotExist if there is none. Damage in its files is no error, except that
// the .cbh file must be there.
func Repair(ctx context.Context, path string, opt RepairOptions) (RepairResult, error) {
	main := path
	if opt.files == nil {
		opt.files = fsys.OS{}
		found, err := read.FindFiles(path)
		if err != nil {
			return RepairResult{}, err
		}
		ext := ".cbh"
		if dbfile.Scid.Has(dbfile.EndingOf(path)) || found.Main(path) == ".si4" {
			ext = ".si4"
		}
		if !found.Has(ext) {
			return RepairResult{}, fmt.Errorf("%s: %w: the file is missing; cbkit salvage saves what the others have",
				found.Name(ext), model.ErrNotDatabase)
		}
		main = found.Path(ext)
	}
	set, err := openSet(ctx, opt.files, main, journal.Options{Wait: opt.Wait, Memory: opt.Memory, DryRun: opt.DryRun})
	if err != nil {
		return RepairResult{}, err
	}
	r := &repairer{
		opt: &opt, main: filepath.Base(main), view: &repairView{files: opt.files, dir: filepath.Dir(main), set: set},
		result: RepairResult{Repaired: map[string]int{}}, changed: map[string]bool{},
	}
	if err = r.run(ctx); err == nil && !opt.DryRun && len(r.changed) > 0 {
		err = set.Commit()
	}
	return r.result, errors.Join(err, set.Close())
}

// repairer is one run of [Repair].
type repairer struct {
	opt     *RepairOptions
	main    string // the name of the main file
	view    *repairView
	files   *read.FileSet
	changed map[string]bool // endings of files
	result  RepairResult
}

// mostRounds is how often a database is looked at for more to mend, mostLeft how many
// findings are remembered until there is no more.
const (
	mostRounds = 64
	mostLeft   = 1 << 16
)

// run applies the fixes of a check until it finds no more, and reports what is left.
func (r *repairer) run(ctx context.Context) error {
	for round := 0; ; round++ {
		var err error
		if r.files, err = read.FindFilesFS(r.view, r.main); err != nil {
			return err
		}
		opt := r.checkOptions()
		opt.Fixes = round < mostRounds
		var left []check.Finding
		more, isMisfit := false, false
		err = r.check(ctx, opt, func(f check.Finding) error {
			if f.Fix == nil {
				isMisfit = isMisfit || misfits(&f)
				if len(left) < mostLeft {
					left = append(left, f)
				}
				return nil
			}
			more = true
			r.repaired(Repaired{f.Code, f.File, f.Record, f.Offset, f.Field, f.Message})
			for e := range f.Fix.Edits() {
				r.changed[dbfile.EndingOf(e.File)] = true
				if err := r.view.apply(&e); err != nil {
					return err
				}
			}
			return nil
		})
		switch {
		case err != nil:
		case more:
			err = r.dropTraces()
		case isMisfit:
			more, err = r.dropBoosters(ctx)
		}
		switch {
		case err != nil:
			return err
		case more:
			continue
		case len(left) == mostLeft:
			opt.Fixes = false
			return r.check(ctx, opt, r.left)
		}
		for _, f := range left {
			_ = r.left(f)
		}
		return nil
	}
}

// check checks the database as it is now; each takes the findings.
func (r *repairer) check(ctx context.Context, opt check.Options, each func(check.Finding) error) (err error) {
	look := check.Database
	if dbfile.Is(r.main, ".si4") {
		look = check.Scid
	}
	made := look(ctx, r.main, opt)
	for f, failed := range made.Findings() {
		if failed != nil {
			break // Summary has it
		}
		if err := each(f); err != nil {
			return err
		}
	}
	if r.result.Left, err = made.Summary(); err != nil {
		return err
	}
	if n := r.result.Left.Codes[boosterMissing]; r.isOfDropped(boosterMissing) {
		r.result.Left.Notes -= n
		delete(r.result.Left.Codes, boosterMissing)
	}
	return r.view.Err() // which a check takes for damage
}

// checkOptions are those of a check of the database as it will be.
func (r *repairer) checkOptions() check.Options {
	return check.Options{FS: r.view, CodePage: r.opt.CodePage, Jobs: r.opt.Jobs, Max: r.opt.Max, Progress: r.opt.Progress}
}

// repaired counts a change and passes it on.
func (r *repairer) repaired(c Repaired) {
	r.result.Repaired[c.Code]++
	if r.opt.Repaired != nil {
		r.opt.Repaired(c)
	}
}

// left passes on what is left, with the reason.
func (r *repairer) left(f check.Finding) error {
	if r.opt.Left != nil && !r.isOfDropped(f.Code) {
		codes := check.Codes()
		_, unless := codes[slices.IndexFunc(codes, func(c check.Code) bool { return c.Code == f.Code })].Repair()
		r.opt.Left(f, unless)
	}
	return nil
}

// boosterMissing is the code of a finding that boosters are missing.
const boosterMissing = "booster-missing"

// isOfDropped reports whether a finding says no more than that boosters were
// dropped.
func (r *repairer) isOfDropped(code string) bool {
	return code == boosterMissing && len(r.result.DroppedBoosters) > 0
}

// misfits reports whether a finding says that a search booster does not fit the
// database.
func misfits(f *check.Finding) bool {
	return dbfile.IsBooster(dbfile.EndingOf(f.File)) && (f.Severity == check.Error || f.Code == "booster-stale")
}

// dropBoosters takes the search boosters away that do not fit the database, with
// their other halves, and reports whether there were some.
func (r *repairer) dropBoosters(ctx context.Context) (dropped bool, err error) {
	opt := r.checkOptions()
	opt.Files, opt.Max = slices.DeleteFunc(slices.Concat(boosterGroups...), func(ext string) bool { return ext == booster.SealExt || !r.files.Has(ext) }), -1
	wrong := map[string]check.Finding{} // by ending, the first of each file
	left := r.result.Left
	err = r.check(ctx, opt, func(f check.Finding) error {
		if ext := dbfile.EndingOf(f.File); wrong[ext].Code == "" && misfits(&f) {
			wrong[ext] = f
		}
		return nil
	})
	r.result.Left = left
	for _, group := range boosterGroups {
		var why check.Finding
		for _, ext := range group {
			if wrong[ext].Code != "" {
				why = wrong[ext]
			}
		}
		for _, ext := range group {
			if err == nil && why.Code != "" && r.files.Has(ext) {
				dropped = true
				r.dropped(ext, why.Code, "dropped; cbkit boosters makes it anew: "+why.Message)
				err = r.view.drop(r.files.Name(ext))
			}
		}
	}
	return dropped, err
}

// dropped reports a search booster that goes.
func (r *repairer) dropped(ext, code, message string) {
	name := r.files.Name(ext)
	r.changed[ext] = true
	r.repaired(Repaired{Code: code, File: name, Record: -1, Offset: -1, Message: message})
	r.result.DroppedBoosters = append(r.result.DroppedBoosters, name)
}

// boosterGroups are the endings of files that go together: pairs, and the seal with what
// it vouches for.
var boosterGroups = func() (groups [][]string) {
	for _, ext := range BoosterExts() {
		pair := cbh.ListFileOf(ext)
		switch {
		case ext == ".cbb":
			groups = append(groups, []string{ext, booster.SealExt})
		case pair == nil:
			groups = append(groups, []string{ext})
		case ext == pair.Table:
			groups = append(groups, []string{pair.Table, pair.Blocks})
		}
	}
	return append(groups, []string{posindex.Ext})
}()

// dropTraces takes the .cbb file and its seal away, and the index of positions, where a
// file has changed that they are about: nothing says any more that they fit.
func (r *repairer) dropTraces() error {
	for _, d := range []struct {
		exts []string // what is dropped
		of   []string // what it is about
		verb string
	}{
		{[]string{".cbb", booster.SealExt}, append(booster.Bases(), ".cbb"), "cbkit boosters"},
		{[]string{posindex.Ext}, booster.Bases(), "cbkit boosters --positions"},
	} {
		i := slices.IndexFunc(d.of, func(ext string) bool { return r.changed[ext] })
		if i < 0 || !r.files.Has(d.exts[0]) {
			continue
		}
		r.dropped(d.exts[0], "booster-unsealed", fmt.Sprintf("dropped, since %s has changed; %s makes it anew", r.files.Name(d.of[i]), d.verb))
		for _, ext := range d.exts {
			if err := r.view.drop(r.files.Name(ext)); err != nil {
				return err
			}
		}
	}
	return nil
}
