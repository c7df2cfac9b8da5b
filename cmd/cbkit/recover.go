package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"cbkit/ctgwrite"
	"cbkit/write"
)

// recoverCmd is "cbkit recover".
type recoverCmd struct {
	DB string `arg:"" name:"db" help:"Database or book whose replacement was interrupted."`
}

// Help says what an interrupted replacement is.
func (recoverCmd) Help() string {
	return `A database or book is replaced as a whole. If the machine stopped in between, folders such as
Games.cbh.cbkit-writing are left beside it; this verb finishes the work, or takes it back, and removes them.
It must not run while another program is writing the database.`
}

// recoverable are the formats of several files, and what recovers each.
var recoverable = []struct {
	as format
	do func(path string) (write.Recovery, error)
}{
	{formatChessBase, write.Recover}, {formatSimple, write.RecoverSimple}, {formatBook, ctgwrite.Recover},
}

// Run implements the verb. A name without an ending is tried as that of each
// kind of database.
func (c *recoverCmd) Run(env *environment) error {
	as, base := named(c.DB), c.DB
	if as.isText() {
		return usageError{fmt.Errorf("%s: is a single file, which is complete when it is there", c.DB)}
	}
	if as != "" {
		base = strings.TrimSuffix(base, filepath.Ext(base))
	}
	done := false
	for _, r := range recoverable {
		if as != "" && as != r.as {
			continue
		}
		main := base + formatEndings[r.as][0]
		did, err := r.do(main)
		if err != nil {
			return targetError(main, err)
		}
		if did != write.NothingToRecover {
			done = true
			fmt.Fprintf(env.stdout, "%s: %s\n", main, did)
		}
	}
	if done {
		return nil
	}
	if len(filesOf(c.DB, formatOf(c.DB))) == 0 {
		return fmt.Errorf("%s: %w, and no interrupted replacement of it", c.DB, fs.ErrNotExist)
	}
	_, err := fmt.Fprintf(env.stdout, "%s: nothing to recover; no replacement of it was interrupted\n", mainFile(c.DB))
	return err
}
