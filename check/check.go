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
	for _, ext := range c.d.missing() {
		c.add(codeMissingFile, inFile(ext), "the file is missing; a database is not complete without it")
	}
	for _, ext := range examinedExts {
		if err := c.d.unreadable[ext]; err != nil {
			c.add(codeUnreadableFile, inFile(ext), "cannot be opened: %v", withoutName(err, c.d.set.Name(ext)))
		}
	}
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

// totals makes all checks of what only all records together say.
func (c *checker) totals(ctx context.Context) error {
	c.checkUses()
	for _, ext := range examinedExts {
		// Such a file is optional: without it, the records have no team, title or media list.
		if n := c.absent[ext]; n > 0 {
			c.add(codeMissingOptional, inFile(ext), "the file is missing; %s has %s to it", c.d.set.Name(".cbj"), quantity(n, "reference"))
		}
	}
	for _, ext := range examinedExts {
		if n := c.foreign[ext]; n > 0 && c.opt.CodePage == "" {
			c.add(codeCodePage, inFile(ext), "%s in a code page that the database does not name; --codepage 1251 would be right for Russian", quantity(n, "text"))
		}
	}
	if c.utf8 > 0 { // newer programs write some of their texts so
		c.add(codeTextUTF8, inFile(".cba"), "%s %s", quantity(c.utf8, "text"), reasonUTF8)
	}
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
