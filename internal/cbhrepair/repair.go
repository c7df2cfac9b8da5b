package cbhrepair

import (
	"context"
	"fmt"
	"slices"

	"cbkit/internal/booster"
	"cbkit/internal/cbh"
	"cbkit/internal/cbhdb"
	"cbkit/internal/dbfile"
	"cbkit/internal/journal"
	"cbkit/model"
)

// Change is one thing that was made true.
type Change struct {
	// Code is that of the finding that a check makes of it.
	Code string
	cbhdb.Place
	// Message says what it was and what it is now.
	Message string
}

// Repair is one run.
type Repair struct {
	set    *journal.Set
	files  cbhdb.Files
	page   cbh.CodePage
	report func(Change)
	step   func(done, total int) // of a pass over all records

	db      *cbhdb.DB
	changed map[string]bool // endings of files

	heads *cbhdb.Heads // nil if they cannot be read
	exts  *cbhdb.Exts  // likewise, if there is none, and if its version is not known
	whole bool         // no record is missing in the .cbh file
	rows  cbhdb.Rows   // how records stand to their numbers, where that is left as it is

	moves, notes blocks
	// unbelieved are records whose moves, or annotations, lie inside those of
	// others.
	unbelieved [2]bitSet
	given      bitSet // games that got annotations back in the last pass
	namedGames bitSet // by annotations; nil before it is asked for
	uses       cbhdb.References
	// unsettled are the entity files of which it is not known whose records stand at
	// all ids.
	unsettled [len(cbhdb.References{})]bool
}

// blocks is what is known of the .cbg or .cba file.
type blocks struct {
	*cbhdb.Blocks // nil if the file cannot be read
	between       cbhdb.Between
	// unsound counts the records of which it is not known where they lie, or that
	// lie inside of others.
	unsound int
	last    model.RecordID // the record that reaches furthest so far
}

// isSound reports whether it is known where all records lie.
func (b *blocks) isSound() bool { return b.Blocks != nil && b.unsound == 0 }

// New returns a repair of the files of a set, which are also those of files.
// Report, if not nil, is told of every change, step of the progress.
func New(set *journal.Set, files cbhdb.Files, page cbh.CodePage, report func(Change), step func(done, total int)) *Repair {
	return &Repair{set: set, files: files, page: page, report: report, step: step, changed: map[string]bool{}}
}

// Run makes true in the transaction what can be derived. An error is one of the
// machine, or of ctx; the transaction can only be rolled back then.
func (r *Repair) Run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{r.mendHeaders, r.mendRows, r.mendCounts} {
		if err := r.do(ctx, step); err != nil {
			return err
		}
	}
	// Annotations that have got their game back can tell whose others are.
	for again := mostRounds; again > 0; again-- {
		for _, step := range []func(context.Context) error{r.mendPlaces, r.mendContent} {
			if err := r.do(ctx, step); err != nil {
				return err
			}
		}
		if r.given.isEmpty() {
			break
		}
	}
	for _, step := range []func(context.Context) error{r.mendEntityRows, r.mendEntities, r.mendSizes, r.mendSmallFiles, r.dropTraces} {
		if err := r.do(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// mostRounds is how often games are looked at for annotations that are theirs.
const mostRounds = 16

// do takes a step on the files as they are now.
func (r *Repair) do(ctx context.Context, step func(context.Context) error) error {
	if err := r.open(); err != nil {
		return err
	}
	err := step(ctx)
	_ = r.db.Close() // it was only read
	return err
}

// Changed reports whether there is something to commit.
func (r *Repair) Changed() bool { return len(r.changed) > 0 }

// open opens the files anew, as they are now.
func (r *Repair) open() (err error) {
	r.db = cbhdb.New(r.files)
	if r.heads, err = r.db.Heads(); r.isFailure(".cbh", err) {
		return err
	}
	if r.exts, err = r.db.Exts(); r.isFailure(".cbj", err) {
		return err
	}
	if r.exts != nil && !r.exts.Head.IsKnown() {
		r.exts = nil
	}
	if len(r.rows.Heads.Gaps) > 0 || len(r.rows.Exts.Gaps) > 0 {
		r.exts = nil // which of its records are whose is not for it to say
	}
	r.whole = r.heads != nil && r.heads.Cut() == nil && len(r.rows.Heads.Gaps) == 0
	if r.moves.Blocks, err = r.db.Moves(); r.isFailure(".cbg", err) {
		return err
	}
	if r.notes.Blocks, err = r.db.Notes(); r.isFailure(".cba", err) {
		return err
	}
	return nil
}

// isFailure reports whether an error of opening a file is one of the machine.
// What the file holds, or that it is missing, is none.
func (r *Repair) isFailure(ext string, err error) bool {
	return err != nil && !dbfile.IsDamage(err) && r.regular(ext)
}

// regular reports whether there is a file that can be changed.
func (r *Repair) regular(ext string) bool {
	if !r.files.Has(ext) {
		return false
	}
	f, err := r.set.File(r.files.Name(ext))
	return err == nil && f.Exists()
}

// count is the number of records.
func (r *Repair) count() model.RecordID {
	if r.heads == nil {
		return 0
	}
	return r.heads.Count
}

// change tells of a change.
func (r *Repair) change(code, ext string, record, offset int64, field, format string, args ...any) {
	if r.report != nil {
		r.report(Change{code, cbhdb.Place{File: r.files.Name(ext), Record: record, Offset: offset, Field: field}, fmt.Sprintf(format, args...)})
	}
}

// put writes bytes of a file.
func (r *Repair) put(ext string, at int64, b []byte) error {
	f, err := r.set.File(r.files.Name(ext))
	if err != nil {
		return err
	}
	r.changed[ext] = true
	_, err = f.WriteAt(b, at)
	return err
}

// Drop takes a search booster away.
func (r *Repair) Drop(ext string) error {
	f, err := r.set.File(r.files.Name(ext))
	if err != nil || !f.Exists() {
		return err
	}
	r.changed[ext] = true
	return f.Drop()
}

// dropTraces takes the .cbb file and its seal away, and the index of positions, where a
// file has changed that they are about: nothing says any more that they fit.
func (r *Repair) dropTraces(context.Context) error {
	for _, d := range []struct {
		exts []string // what is dropped
		of   []string // what it is about
		verb string
	}{
		{[]string{".cbb", booster.SealExt}, append(booster.Bases(), ".cbb"), "cbkit boosters"},
		{[]string{dbfile.PositionsExt}, booster.Bases(), "cbkit boosters --positions"},
	} {
		at := slices.IndexFunc(d.of, func(ext string) bool { return r.changed[ext] })
		if at < 0 || !r.files.Has(d.exts[0]) {
			continue
		}
		r.change("booster-unsealed", d.exts[0], -1, -1, "", "dropped, since %s has changed; %s makes it anew", r.files.Name(d.of[at]), d.verb)
		for _, ext := range d.exts {
			if err := r.Drop(ext); err != nil {
				return err
			}
		}
	}
	return nil
}

// quantity returns a number of things, such as "1 byte" and "2 bytes".
func quantity[N int | int32 | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// bitSet is a set of records.
type bitSet []uint64

func newBitSet(n model.RecordID) bitSet { return make(bitSet, n/64+1) }

func (s bitSet) add(id model.RecordID) { s[id/64] |= 1 << (id % 64) }

func (s bitSet) isEmpty() bool {
	return !slices.ContainsFunc(s, func(word uint64) bool { return word != 0 })
}

func (s bitSet) has(id model.RecordID) bool { return s != nil && s[id/64]>>(id%64)&1 != 0 }
