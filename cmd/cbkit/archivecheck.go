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
	names, damaged := a.Databases(), false
	if inside != "" {
		names = []string{inside}
	}
	err = c.examine(env, file, "block", func(opt check.Options) *check.Check {
		opt.Files = nil // those are of databases
		opt.Verify = opt.Verify && inside == ""
		return check.Archive(env.ctx, a, opt)
	}, &damaged)
	wrong := errors.Is(err, errReported)
	if wrong && damaged && len(names) > 0 {
		fmt.Fprintf(env.stderr, "cbkit: %s: is damaged, so %s was not checked\n", file, strings.Join(names, ", "))
	}
	if damaged || err != nil && !wrong {
		return err
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
	return c.examine(env, file+":"+name, "record", func(opt check.Options) *check.Check {
		opt.FS = a.FS()
		return check.Database(env.ctx, name, opt)
	}, nil)
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
