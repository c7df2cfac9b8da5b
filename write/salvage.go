package write

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/cbhsalvage"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/internal/journal"
	"cbkit/model"
	"cbkit/read"
)

// SalvageOptions configures [Salvage]. The zero value is good for most
// databases. Fields that [Options] has too mean the same here.
type SalvageOptions struct {
	Force    bool
	CodePage string
	// Now is the clock of creation stamps of games that have lost theirs; nil is the
	// time at which the last file of the damaged database changed, so that a second
	// salvage gives the same bytes.
	Now       func() time.Time
	Report    model.Report
	Wait      time.Duration
	OnReplace func(model.Replacement)
	// DryRun makes nothing and only gives the account. Records that the new database
	// would refuse count as saved.
	DryRun bool
	// Account, if not nil, is called with the fate of every id in order, and then
	// of each record that was found without an id.
	Account func(Salvaged)
	// Progress, if not nil, is called with how many ids of all are done.
	Progress func(done, total int)

	// files is the file system of the target, for tests; nil is the machine's.
	files fsys.FS
}

// Salvaged is the fate of one id.
type Salvaged struct {
	// ID is the number in the damaged database. A record that was found without an
	// id has a number above all others.
	ID model.RecordID `json:"id"`
	// New is its number in the new database, 0 if it has none.
	New   model.RecordID `json:"new,omitempty"`
	State SalvageState   `json:"state"`
	// Moves is "none" for a game saved without moves and "some" if its moves break off;
	// else it is empty.
	Moves string `json:"moves,omitempty"`
	// Why says what is missing and the reason. It is empty for a record that was
	// saved whole.
	Why []string `json:"why,omitempty"`
}

// SalvageState says how much of a record was saved.
type SalvageState string

// String returns the word, such as "kept".
func (s SalvageState) String() string { return string(s) }

// The fates of an id: its record was saved whole, in part, or not at all; SalvageFound is
// a record that was found without an id.
const (
	SalvageKept  = SalvageState(cbhsalvage.Kept)
	SalvageCut   = SalvageState(cbhsalvage.Cut)
	SalvageLost  = SalvageState(cbhsalvage.Lost)
	SalvageFound = SalvageState(cbhsalvage.Found)
)

// SalvageResult counts the ids by their fate.
type SalvageResult struct {
	IDs   int `json:"ids"`
	Kept  int `json:"kept"`
	Cut   int `json:"cut"`
	Lost  int `json:"lost"`
	Found int `json:"found"`
	// HeaderOnly and SomeMoves count, among Cut and Found, games saved without moves and
	// games whose moves break off.
	HeaderOnly int `json:"headerOnly"`
	SomeMoves  int `json:"someMoves"`
	// Written is the number of records of the new database.
	Written int `json:"written"`
	// Unread are the names of additional files that cannot be read at all: data of
	// tournaments, lists of media.
	Unread []string `json:"unread,omitempty"`
	// Unsearched is how many bytes of moves were not searched for records without
	// an id, because the search would have taken too long for the size of the file.
	Unsearched int64 `json:"unsearched,omitempty"`
	// OutOfStep lists the files of headers or names whose records are not at their
	// numbers, or for which nothing proves that they are.
	OutOfStep []string `json:"outOfStep,omitempty"`
}

// IsWhole reports whether nothing was lost.
func (r *SalvageResult) IsWhole() bool {
	return r.Kept == r.IDs && r.Found == 0 && len(r.Unread) == 0 && r.Unsearched == 0
}

// Salvage makes a new ChessBase database at target of everything that can still be
// read of the damaged one, or the one of ChessBase 17, that path names, whichever of its files are damaged or
// missing:
//
//   - games and texts are found where their headers say or, if these are missing or wrong,
//     by looking for records between the others;
//   - moves whose header is lost become a game without names; a game that breaks off keeps
//     the moves before the damage;
//   - names are read from their files without headers; a name is left out if trees and
//     counts show that it may belong elsewhere;
//   - annotations go to the game that points to them or that they name themselves.
//
// Marks, settings and media folders are copied. [SalvageOptions].Account is called with
// the fate of every id. The damaged database is not changed, and must not be the target.
//
// Errors are those of [Create], those of the system, and [model.ErrNotDatabase] if path
// names no file of a ChessBase database or nothing of it can be read.
func Salvage(ctx context.Context, path, target string, opt SalvageOptions) (SalvageResult, error) {
	if opt.DryRun {
		target = ""
	}
	of := dbfile.ChessBase
	for _, f := range []dbfile.Format{dbfile.ChessBase2, dbfile.Scid, dbfile.Scid3, dbfile.Scid5} {
		if f.Has(dbfile.EndingOf(path)) {
			of = f
		}
	}
	set, err := damagedSet(of, path, target)
	if err != nil {
		return SalvageResult{}, err
	}
	var page cbh.CodePage
	if opt.CodePage != "" {
		if page, err = cbh.ParseCodePage(opt.CodePage); err != nil {
			return SalvageResult{}, err
		}
	}
	s := &salvage{opt: &opt}
	var from damagedSource
	if of[0].Ext != ".cbh" {
		from, err = openRescued(of, set, &opt, s.account)
	} else {
		from, err = cbhsalvage.New(ctx, cbhdb.FilesOf(set), page, s.account)
	}
	if err != nil {
		return SalvageResult{}, err
	}
	defer func() { _ = from.Close() }() // it was only read
	s.from, s.result.IDs, s.result.OutOfStep = from, from.IDs(), from.OutOfStep()
	for _, ext := range from.Unread() {
		s.result.Unread = append(s.result.Unread, set.Name(ext))
	}
	if opt.DryRun {
		for rec, err := range from.Records(ctx, 1, model.WantAll) {
			if err != nil {
				return s.result, err
			}
			s.written(rec.ID)
		}
		s.result.Unsearched = from.Unsearched()
		return s.result, ctx.Err()
	}
	if opt.Now == nil {
		var last time.Time
		for _, ext := range of.Exts() {
			if at, err := set.Changed(ext); err == nil && at.After(last) {
				last = at
			}
		}
		opt.Now = func() time.Time { return last }
	}
	sink, err := Create(ctx, target, Options{
		Force: opt.Force, CodePage: opt.CodePage, Now: opt.Now, Report: opt.Report, AcceptLosses: true,
		Wait: opt.Wait, OnReplace: opt.OnReplace, apart: true, files: opt.files,
	})
	if err != nil {
		return s.result, err
	}
	err = model.Copy(ctx, salvageSink{sink, s}, salvageSource{from, set}, model.CopyOptions{
		OnError: s.refused, Progress: s.written,
	})
	s.result.Unsearched = from.Unsearched()
	return s.result, err
}

// damagedSet finds the files of a damaged database, none of which may be the target's.
func damagedSet(of dbfile.Format, path, target string) (*read.FileSet, error) {
	set, err := read.FindFiles(path)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(of.Data(), set.Has) {
		return nil, fmt.Errorf("%s: %w: none of its files is one of a database", path, model.ErrNotDatabase)
	}
	base := mainFile(target)
	base = base[:len(base)-len(".cbh")]
	for _, ext := range cbh.NewFileExts {
		mine, err := os.Stat(set.Path(ext))
		if err != nil || target == "" {
			continue
		}
		if there, err := os.Stat(base + ext); err == nil && os.SameFile(mine, there) {
			return nil, fmt.Errorf("%s: %w: the damaged database cannot be the target too", target, model.ErrOption)
		}
	}
	main := set.Path(of[0].Ext)
	if left, err := journal.Interrupted(fsys.OS{}, main); err == nil && left != "" {
		// Where nothing can be written, the set is that from before the change.
		if view, err := journal.Before(fsys.OS{}, main); view != nil || err != nil {
			return set, err
		}
		return nil, fmt.Errorf("%s: %w: a change of it was interrupted; run cbkit recover %[1]s", main, model.ErrNeedsRecovery)
	}
	return set, nil
}

// salvageSource has the files that go along.
type salvageSource struct {
	damagedSource
	set *read.FileSet
}

// Files returns the set of files the database consists of.
func (s salvageSource) Files() *read.FileSet { return s.set }

// salvageSink is a new database that replaces nothing if it would be empty.
type salvageSink struct {
	*Creator
	salvage *salvage
}

// Commit implements [model.Sink].
func (s salvageSink) Commit() error {
	if r := &s.salvage.result; r.Written == 0 && r.IDs > 0 {
		return fmt.Errorf("%w: nothing of the database could be read, and nothing was written", model.ErrNotDatabase)
	}
	return s.Creator.Commit()
}

// salvage is one run.
type salvage struct {
	opt    *SalvageOptions
	from   damagedSource
	result SalvageResult
	left   model.RecordID // the last record that the new database did not take
}

// account counts a fate and passes it on.
func (s *salvage) account(f cbhsalvage.Fate) {
	r := &s.result
	switch f.State {
	case cbhsalvage.Kept:
		r.Kept++
	case cbhsalvage.Cut:
		r.Cut++
	case cbhsalvage.Lost:
		r.Lost++
	case cbhsalvage.Found:
		r.Found++
	}
	switch {
	case f.State == cbhsalvage.Lost:
	case f.Moves == cbhsalvage.NoMoves:
		r.HeaderOnly++
	case f.Moves == cbhsalvage.SomeMoves:
		r.SomeMoves++
	}
	if s.opt.Account != nil {
		s.opt.Account(Salvaged{ID: f.ID, New: f.New, State: SalvageState(f.State), Moves: string(f.Moves), Why: f.Why})
	}
	if s.opt.Progress != nil && int(f.ID) <= r.IDs {
		s.opt.Progress(int(f.ID), r.IDs)
	}
}

// written notes a record that is in the new database.
func (s *salvage) written(id model.RecordID) {
	if id == s.left {
		return
	}
	f := s.from.Fate()
	s.result.Written++
	f.New = model.RecordID(s.result.Written)
	s.account(f)
}

// refused notes a record that the new database does not take.
func (s *salvage) refused(id model.RecordID, err error) error {
	s.left = id
	f := s.from.Fate()
	f.State, f.Why = cbhsalvage.Lost, append(f.Why, err.Error())
	s.account(f)
	return nil
}
