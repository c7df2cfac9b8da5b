package check

import (
	"context"
	"iter"
)

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
