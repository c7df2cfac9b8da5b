package check

import (
	"context"

	"cbkit/internal/cbh"
)

// Summary reports what was checked, and counts the findings.
type Summary struct {
	// Database is the path of the database without an ending.
	Database string `json:"database"`
	// Files are the names of the files that were looked at.
	Files []string `json:"files"`
	// Records is the number of games and guiding texts.
	Records int `json:"records"`
	// Texts is how many of the records that were looked at are guiding texts.
	Texts int `json:"texts,omitempty"`
	// Errors and Notes are the numbers of all findings, reported one by one or not.
	Errors int `json:"errors"`
	Notes  int `json:"notes"`
	// Codes says how often each code was found.
	Codes map[string]int `json:"codes,omitempty"`
}

// Database checks the ChessBase database that path names: its main file, any
// of its other files, or the name without an ending.
//
// Damage of any kind, a missing file included, is a finding. An error means
// that the check could not be made: there is no such database
// (fs.ErrNotExist, [cbkit/model.ErrNotDatabase]), the options are wrong, ctx is
// done, the machine cannot read the files, or another program has changed them
// meanwhile ([cbkit/model.ErrChanged]).
func Database(ctx context.Context, path string, opt Options) *Check {
	return &Check{ctx: ctx, make: func(ctx context.Context, report func(Finding)) (Summary, Report, error) {
		return examine(ctx, path, opt, report)
	}}
}

func newChecker(d *database, opt *Options, report func(Finding)) *checker {
	c := &checker{
		findings: d.findings(), d: d, opt: opt, absent: map[string]int{},
		out: newReporter(Summary{Database: d.base(), Records: int(d.count)}, opt, report),
	}
	if opt.Fixes {
		c.mend = newMender(c)
	}
	for _, ext := range examinedExts {
		if d.files[ext] != nil && d.selected.has(ext) {
			c.out.summary.Files = append(c.out.summary.Files, d.files[ext].Name())
		}
	}
	for _, ext := range c.boosters() {
		c.out.summary.Files = append(c.out.summary.Files, d.set.Name(ext))
	}
	return c
}

// checker is what [Database] finds on a pass.
type checker struct {
	findings
	out reporter
	d   *database
	opt *Options

	mend *mender // nil without Options.Fixes

	moves, annotations *extents

	tables  [len(entityKinds)]entityTable
	media   *cbh.MediaHeader
	foreign foreignTexts
	absent  map[string]int // references to missing optional files, by ending
	utf8    int            // texts of annotations in UTF-8 without need
}

// files makes all checks that come before those of the records.
func (c *checker) files(ctx context.Context) error {
	c.checkFiles()
	c.checkHeaders()
	for _, step := range []func() error{c.checkEntities, c.checkTournamentExtras, c.checkMedia, c.checkExamined} {
		if err := step(); err != nil {
			return err
		}
		c.flush()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// uses makes all checks of what the records have told.
func (c *checker) uses(ctx context.Context) error {
	c.checkUses()
	c.reportAbsent()
	c.reportForeign()
	c.reportUTF8()
	c.flush()
	err := c.checkBoosters(ctx)
	c.flush()
	c.out.finish()
	return err
}

// flush reports what was found so far, unless it may come from a change of the
// database meanwhile.
func (c *checker) flush() {
	if len(c.list) > 0 && c.d.watch.Check() != nil {
		c.list = c.list[:0]
	}
	for _, f := range c.list {
		c.out.see(f)
	}
	c.list = c.list[:0]
}

// spill is a flush once there is much to report, for loops over all entities
// of a file.
func (c *checker) spill() {
	if len(c.list) >= batchSize {
		c.flush()
	}
}

// checkFiles looks at which files are there.
func (c *checker) checkFiles() {
	for _, ext := range c.d.missing() {
		c.add(codeMissingFile, inFile(ext), "the file is missing; a database is not complete without it")
	}
	for _, ext := range examinedExts {
		if err := c.d.unreadable[ext]; err != nil {
			c.add(codeUnreadableFile, inFile(ext), "cannot be opened: %v", withoutName(err, c.d.set.Name(ext)))
		}
	}
}
