package write

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"cbkit/check"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/cbhrepair"
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
	// Repaired, if not nil, is told of every change. Changes that come in one
	// transaction are told of before it is committed.
	Repaired func(Repaired)
	// Left, if not nil, is told of every finding of [check.Database] that is left
	// afterwards, and why nothing is done about it. Max is how many of a code it is
	// told of for each file, as in [check.Options].
	Left func(f check.Finding, why string)
	Max  int
	// Jobs is how many processors check, as in [check.Options].
	Jobs int
	// Progress, if not nil, is told how many of all records are done; the numbers
	// start again for the check of the result.
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

// RepairRuling says how [Repair] treats the findings of one code.
type RepairRuling struct {
	Code string `json:"code"`
	// By says what the value is computed from, "" if the finding is never repaired.
	By string `json:"by,omitempty"`
	// Unless says when, or why, it is not repaired, "" if it always is.
	Unless string `json:"unless,omitempty"`
}

// RepairRulings returns the rulings for the codes about databases and boosters.
func RepairRulings() []RepairRuling {
	var list []RepairRuling
	for _, c := range check.Codes(check.AboutDatabases, check.AboutBoosters) {
		by, unless := c.Repair()
		list = append(list, RepairRuling{c.Code, by, unless})
	}
	return list
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

// Repair makes true, in place and in one transaction, what can be derived in the
// ChessBase database at path: search trees, lists of deleted records, counts,
// checksums, flags, magnitudes, medals, move counts, sizes, holes, places that
// one of two fields has right; annotations that no game points to, but whose own
// head names a game that says it has some, are given back. What cannot be derived
// is not guessed: it stays as it is, byte for byte, and [RepairOptions].Left is told
// why. [RepairRulings] has a ruling for each code of a check. A second repair changes nothing.
//
// Should the machine stop, the next writer, or [Recover], puts the old state
// back. Games and names that could be read before can be read afterwards, and
// are the same. Search boosters that do not fit are dropped.
//
// Errors wrap model.ErrLocked if another process is writing the database,
// fs.ErrNotExist if there is none. Damage in its files is no error, except that
// the .cbh file must be there.
func Repair(ctx context.Context, path string, opt RepairOptions) (RepairResult, error) {
	page, err := repairPage(opt.CodePage)
	if err != nil {
		return RepairResult{}, err
	}
	main := path
	if opt.files == nil {
		opt.files = fsys.OS{}
		found, err := read.FindFiles(path)
		if err != nil {
			return RepairResult{}, err
		}
		if !found.Has(".cbh") {
			return RepairResult{}, fmt.Errorf("%s: %w: the file is missing; cbkit salvage saves what the others have",
				found.Name(".cbh"), model.ErrNotDatabase)
		}
		main = found.Path(".cbh")
	}
	set, err := openSet(ctx, opt.files, main, journal.Options{Wait: opt.Wait, Memory: opt.Memory, DryRun: opt.DryRun})
	if err != nil {
		return RepairResult{}, err
	}
	r := &repairer{opt: &opt, set: set, result: RepairResult{Repaired: map[string]int{}}, rulings: RepairRulings()}
	r.view = &cbhrepair.View{Files: opt.files, Dir: filepath.Dir(main), Set: set}
	err = r.run(ctx, filepath.Base(main), page)
	return r.result, errors.Join(err, set.Close())
}

func repairPage(name string) (page cbh.CodePage, err error) {
	if name == "" {
		return page, nil
	}
	return cbh.ParseCodePage(name)
}

// repairer is one run of [Repair].
type repairer struct {
	opt    *RepairOptions
	set    *journal.Set
	view   *cbhrepair.View
	engine *cbhrepair.Repair
	result RepairResult
	// rulings say why things are left.
	rulings []RepairRuling
}

func (r *repairer) run(ctx context.Context, main string, page cbh.CodePage) error {
	files, err := read.FindFilesFS(r.view, main)
	if err != nil {
		return err
	}
	r.engine = cbhrepair.New(r.set, cbhdb.FilesOf(files), page, r.repaired, r.opt.Progress)
	if err := r.engine.Run(ctx); err != nil {
		return err
	}
	if err := r.dropBoosters(ctx, main, files); err != nil {
		return err
	}
	left := check.Database(ctx, main, r.checkOptions())
	for f, err := range left.Findings() {
		if err == nil {
			r.left(f)
		}
	}
	if r.result.Left, err = left.Summary(); err != nil {
		return err
	}
	if n := r.result.Left.Codes[boosterMissing]; r.isOfDropped(boosterMissing) {
		r.result.Left.Notes -= n
		delete(r.result.Left.Codes, boosterMissing)
	}
	if err := r.view.Err(); err != nil {
		return err // which a check takes for damage
	}
	if r.opt.DryRun || !r.engine.Changed() {
		return nil
	}
	return journal.Committed(r.set.Commit())
}

// checkOptions are those of a check of the database as it will be.
func (r *repairer) checkOptions() check.Options {
	return check.Options{FS: r.view, CodePage: r.opt.CodePage, Jobs: r.opt.Jobs, Max: r.opt.Max, Progress: r.opt.Progress}
}

// repaired counts a change and passes it on.
func (r *repairer) repaired(c cbhrepair.Change) {
	r.result.Repaired[c.Code]++
	if c.Code == "booster-unsealed" {
		r.result.DroppedBoosters = append(r.result.DroppedBoosters, c.File)
	}
	if r.opt.Repaired != nil {
		r.opt.Repaired(Repaired{c.Code, c.File, c.Record, c.Offset, c.Field, c.Message})
	}
}

// left passes on what is left, with the reason.
func (r *repairer) left(f check.Finding) {
	if r.opt.Left != nil && !r.isOfDropped(f.Code) {
		i := slices.IndexFunc(r.rulings, func(ruling RepairRuling) bool { return ruling.Code == f.Code })
		r.opt.Left(f, r.rulings[i].Unless)
	}
}

// boosterMissing is the code of a finding that boosters are missing.
const boosterMissing = "booster-missing"

// isOfDropped reports whether a finding says no more than that boosters were
// dropped.
func (r *repairer) isOfDropped(code string) bool {
	return code == boosterMissing && len(r.result.DroppedBoosters) > 0
}

// dropBoosters takes the search boosters away that do not fit the database, with
// their other halves.
func (r *repairer) dropBoosters(ctx context.Context, main string, files *read.FileSet) error {
	opt := r.checkOptions()
	opt.Files, opt.Max = boosterEndings(files), -1
	if len(opt.Files) == 0 {
		return nil
	}
	wrong := map[string]check.Finding{} // by ending, the first of each file
	made := check.Database(ctx, main, opt)
	for f, err := range made.Findings() {
		if err != nil {
			break // Summary has it
		}
		if ext := dbfile.EndingOf(f.File); wrong[ext].Code == "" && (f.Severity == check.Error || f.Code == "booster-stale") {
			wrong[ext] = f
		}
	}
	_, err := made.Summary()
	if err != nil {
		return err
	}
	for _, group := range boosterGroups {
		var why check.Finding
		for _, ext := range group {
			if wrong[ext].Code != "" {
				why = wrong[ext]
			}
		}
		if why.Code == "" {
			continue
		}
		for _, ext := range group {
			if err := r.dropBooster(ext, files, &why); err != nil {
				return err
			}
		}
	}
	return nil
}

// boosterGroups are the endings of files that go together.
var boosterGroups = [][]string{{".cit", ".cib"}, {".cit2", ".cib2"}, {".cbb", ".cbkit"}, {".cbgi"}, {posindex.Ext}}

// boosterEndings returns the endings of the search boosters that are there.
func boosterEndings(files *read.FileSet) (exts []string) {
	for _, ext := range append(BoosterExts(), posindex.Ext) {
		if files.Has(ext) {
			exts = append(exts, ext)
		}
	}
	return exts
}

// dropBooster takes one file away.
func (r *repairer) dropBooster(ext string, files *read.FileSet, why *check.Finding) error {
	if !files.Has(ext) {
		return nil
	}
	r.repaired(cbhrepair.Change{
		Code: why.Code, Place: cbhdb.Place{File: files.Name(ext), Record: -1, Offset: -1}, Message: "dropped; cbkit boosters makes it anew: " + why.Message,
	})
	r.result.DroppedBoosters = append(r.result.DroppedBoosters, files.Name(ext))
	return r.engine.Drop(ext)
}
