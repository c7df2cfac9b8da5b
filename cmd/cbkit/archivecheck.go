package main

import (
	lib "cbkit"
	"context"
	"errors"
	"fmt"
	"strings"

	"cbkit/archive"
	"cbkit/check"
)

// archiveOptions are those of opening an archive to judge it.
func (f *checkFlags) archiveOptions() lib.Options {
	return lib.Options{CodePage: string(f.Codepage), Jobs: int(f.Jobs), KeepGoing: true}
}

// runArchive checks an archive and, where it is sound, the databases in it, or the
// one that is named.
func (c *checkCmd) runArchive(env *environment) error {
	file, inside, _ := lib.SplitArchive(c.Path)
	a, err := env.openArchive(file, c.passwordFlag, c.archiveOptions())
	if err != nil {
		return err
	}
	defer a.Close()
	opt, done := c.options(env, "check")
	opt.Files = nil // those are of databases
	var failed error
	summary, err := check.Archive(env.ctx, a, opt, c.printFinding(env, &failed))
	done()
	if err == nil {
		err = failed
	}
	if err == nil {
		err = c.printSummary(env, file, "block", &summary)
	}
	if err != nil {
		return err
	}
	names := a.Databases()
	if inside != "" {
		names = []string{inside}
	}
	if summary.Errors > 0 {
		if len(names) > 0 {
			fmt.Fprintf(env.stderr, "cbkit: %s: is damaged, so %s was not checked\n", file, strings.Join(names, ", "))
		}
		return errReported
	}
	wrong := false
	if c.Verify && inside == "" {
		report, err := check.VerifyArchive(env.ctx, a, opt)
		if err == nil {
			err = c.printReport(env, &report)
		}
		if err != nil {
			return err
		}
		wrong = verifyError(env.stderr, &report) != nil
	}
	for _, name := range names {
		if err := c.checkInside(env, a, file, name); errors.Is(err, errReported) {
			wrong = true
		} else if err != nil {
			return err
		}
	}
	if wrong {
		return errReported
	}
	return nil
}

// checkInside checks a database in an archive.
func (c *checkCmd) checkInside(env *environment, a *archive.Archive, file, name string) error {
	return c.examine(env, file+":"+name, func(opt check.Options, print func(check.Finding)) (check.Summary, *check.Report, error) {
		opt.FS = a.FS()
		if c.Verify {
			summary, report, err := check.Examine(env.ctx, name, opt, print)
			return summary, &report, err
		}
		summary, err := check.Database(env.ctx, name, opt, print)
		return summary, nil, err
	})
}

// verifyArchive returns what verifies an archive, or a database that is named in
// it.
func (c *verifyCmd) verifyArchive(env *environment) func(context.Context, string, check.Options) (check.Report, error) {
	return func(ctx context.Context, name string, opt check.Options) (check.Report, error) {
		file, inside, _ := lib.SplitArchive(name)
		a, err := env.openArchive(file, c.passwordFlag, c.archiveOptions())
		if err != nil {
			return check.Report{}, err
		}
		defer a.Close()
		if inside != "" {
			opt.FS = a.FS()
			return check.Verify(ctx, inside, opt)
		}
		if len(opt.Files) > 0 {
			return check.Report{}, usageError{fmt.Errorf("--files: an archive is verified as a whole; %s:NAME.cbh is a database in it", file)}
		}
		return check.VerifyArchive(ctx, a, opt)
	}
}
