package check

import (
	"context"
	"iter"
	"slices"

	"cbkit/internal/cbh"
	"cbkit/read"
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
	// Sample describes, for a database of ChessBase 17, features of its format, without
	// names of people.
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
	return newCheck(ctx, &opt, func(ctx context.Context, i *inspection) (Report, error) {
		known := slices.Concat(examinedExts, boosterExts)
		d, err := openDatabase(path, &opt, known)
		if err != nil {
			return Report{}, err
		}
		defer d.close()
		i.begin(Summary{Database: d.base(), Records: int(d.count)})
		i.findings = d.findings() // which are listed first
		c := &checker{inspection: i, d: d, absent: map[string]int{}}
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
			return Report{}, err
		}
		return p.verify.report(), err
	})
}

// checker is what [Database] finds on a pass.
type checker struct {
	*inspection
	d *database

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
	ctx    context.Context
	of     inspection
	run    func(context.Context, *inspection) (Report, error)
	made   bool
	report Report
	err    error
}

func newCheck(ctx context.Context, opt *Options, run func(context.Context, *inspection) (Report, error)) *Check {
	return &Check{ctx: ctx, of: inspection{opt: opt}, run: run}
}

// inspection is what the checks of all formats have.
type inspection struct {
	findings
	opt    *Options
	report func(Finding) // nil of a verification
	out    reporter
}

// begin begins to count what is found, and to report it.
func (i *inspection) begin(s Summary) {
	i.out = newReporter(s, i.opt, i.report)
	i.see = i.out.see
}

// settle ends a check of files, unless they have changed meanwhile, which is the error then.
func (i *inspection) settle(watch *read.Watch, err error) error {
	if err = oneState(watch, err); err == nil {
		i.out.finish()
	}
	return err
}

// Findings yields what is found, as it is found: the records in order of their number, up
// to Options.Max of one code. An error comes last. Leaving the loop ends the check. A
// second call yields nothing.
func (c *Check) Findings() iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		if c.made {
			return
		}
		c.made = true
		ctx, stop := context.WithCancel(c.ctx)
		defer stop()
		left := false
		c.of.report = func(f Finding) {
			if !left && !yield(f, nil) {
				left = true
				stop()
			}
		}
		c.report, c.err = c.run(ctx, &c.of)
		if !left && c.err != nil {
			yield(Finding{}, c.err)
		}
	}
}

// Summary returns what the check came to, and its error. It runs the check if Findings
// was not called before.
func (c *Check) Summary() (Summary, error) {
	for range c.Findings() {
		continue
	}
	return c.of.out.summary, c.err
}

// Report returns what was compared, with Options.Verify, and the error of the check.
func (c *Check) Report() (Report, error) {
	_, err := c.Summary()
	return c.report, err
}
