package check

import (
	"context"
	"iter"
	"slices"

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
	// Sample says of a database of ChessBase 17 what its format is known by, without names.
	Sample []string `json:"-"`
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
		known := slices.Concat(examinedExts, boosterExts)
		d, err := openDatabase(path, &opt, known)
		if err != nil {
			return Summary{}, Report{}, err
		}
		defer d.close()
		c := &checker{
			findings: d.findings(), d: d, opt: &opt, absent: map[string]int{},
			out: newReporter(Summary{Database: d.base(), Records: int(d.count)}, &opt, report),
		}
		p := &pass{d: d, opt: &opt, check: c}
		if opt.Fixes {
			c.mend = &mender{c: c, database: d, whole: d.knowsRecords()}
			if d.knowsExtensions() {
				c.mend.extensions = d.extensions
			}
		}
		for _, ext := range known {
			if d.set.Has(ext) && d.unreadable[ext] == nil && d.selected.has(ext) {
				c.out.summary.Files = append(c.out.summary.Files, d.set.Name(ext))
			}
		}
		if opt.Verify {
			p.verify = newVerifier(d, &opt)
		}
		err = p.run(ctx)
		if p.verify == nil {
			return c.out.summary, Report{}, err
		}
		return c.out.summary, p.verify.report(), err
	}}
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

// Check is a check that is made while its findings are read:
//
//	c := check.Database(ctx, "Games.cbh", check.Options{})
//	for f, err := range c.Findings() {
//		…
//	}
//	summary, err := c.Summary()
//
// It is made once. One goroutine may use it.
type Check struct {
	ctx     context.Context
	make    func(ctx context.Context, report func(Finding)) (Summary, Report, error)
	made    bool
	summary Summary
	report  Report
	err     error
}

// Findings yields what is found, as it is found: the records in order of their number, up
// to Options.Max of one code. An error comes last. Leaving the loop ends the check. What
// was checked already yields nothing again.
func (c *Check) Findings() iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		if c.made {
			return
		}
		c.made = true
		ctx, stop := context.WithCancel(c.ctx)
		defer stop()
		left := false
		c.summary, c.report, c.err = c.make(ctx, func(f Finding) {
			if !left && !yield(f, nil) {
				left = true
				stop()
			}
		})
		if !left && c.err != nil {
			yield(Finding{}, c.err)
		}
	}
}

// Summary returns what the check came to, and its error. It makes the check if its
// findings have not been read.
func (c *Check) Summary() (Summary, error) {
	for range c.Findings() {
		continue
	}
	return c.summary, c.err
}

// Report returns what was compared, with Options.Verify, and the error of the check.
func (c *Check) Report() (Report, error) {
	_, err := c.Summary()
	return c.report, err
}
