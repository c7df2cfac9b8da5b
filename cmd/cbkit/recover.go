package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cbkit/ctgwrite"
	"cbkit/internal/atomicset"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
	"cbkit/write"
)

// recoverCmd is "cbkit recover".
type recoverCmd struct {
	DB    string `arg:"" name:"db" help:"Database, book or file whose writing was interrupted."`
	Force bool   `help:"Take an interrupted edit back also where the files are not as it left them. A copy of them is kept."`
	JSON  bool   `name:"json" help:"Say what was done as JSON."`
}

// printsOutcome implements [outcomePrinter].
func (c *recoverCmd) printsOutcome() bool { return c.JSON }

// recoverable are the formats of several files, and what recovers each.
var recoverable = []struct {
	as format
	do func(path string, opt model.RecoverOptions) (model.Recovery, error)
}{
	{formatChessBase, write.Recover}, {formatChessBase2, write.Recover}, {formatSimple, write.RecoverSimple}, {formatScid, write.RecoverScid}, {formatBook, ctgwrite.Recover},
}

// Run implements the verb. A name without an ending is tried as that of each
// kind of database.
func (c *recoverCmd) Run(env *environment) error {
	done := []recoveredJSON{}
	note := func(path string, did model.Recovery, err error) error {
		if err = env.done(err); err == nil && !did.IsNothing() {
			done = append(done, recoveredJSON{path, did.String()})
		}
		if errors.Is(err, model.ErrLocked) {
			return fmt.Errorf("%w; recover it when that has ended", err)
		}
		return targetError(path, err)
	}
	info, err := os.Stat(c.DB)
	isFolder := err == nil && info.IsDir()
	if dbfile.IsNameless(c.DB) && (!isFolder || filepath.Clean(c.DB) == ".") {
		return usageError{fmt.Errorf("%q: the name of what to recover is empty", c.DB)}
	}
	as, base := named(c.DB), filepath.Clean(c.DB)
	if as.IsFile() {
		did, err := atomicset.RecoverFile(c.DB, atomicset.Options{})
		if err = note(c.DB, did, err); err != nil {
			return err
		}
		if len(done) == 0 && len(statAll([]string{c.DB})) == 0 {
			return fmt.Errorf("%s: %w, and nothing is left of writing it", c.DB, fs.ErrNotExist)
		}
		return reportRecovered(env, c.DB, done)
	}
	if as != "" {
		base = dbfile.StemOf(base)
	} else if left, err := atomicset.Interrupted(fsys.OS{}, base); err != nil {
		return err
	} else if left != "" {
		did, err := atomicset.Recover(fsys.OS{}, base, atomicset.Options{Force: c.Force})
		if err = note(base, did, err); err != nil {
			return err
		}
	}
	for _, r := range recoverable {
		if as != "" && as != r.as {
			continue
		}
		main := base + r.as.Endings()[0]
		did, err := r.do(main, model.RecoverOptions{Force: c.Force})
		if err = note(main, did, err); err != nil {
			return err
		}
	}
	if len(done) == 0 && len(filesOf(c.DB, formatOf(c.DB))) == 0 && !isFolder {
		return fmt.Errorf("%s: %w, and nothing is left of writing it", c.DB, fs.ErrNotExist)
	}
	return reportRecovered(env, mainFile(c.DB), done)
}

// recoveredJSON is a target and what was done about it.
type recoveredJSON struct {
	Path string `json:"path"`
	Did  string `json:"did"`
}

// reportRecovered says what was done, or that there was nothing to do about a path.
func reportRecovered(env *environment, path string, list []recoveredJSON) error {
	if env.setResult(list, false) {
		return nil
	}
	if len(list) == 0 {
		list = []recoveredJSON{{path, "nothing to recover; no replacement and no edit of it was interrupted"}}
	}
	for _, r := range list {
		if _, err := fmt.Fprintf(env.text, "%s: %s\n", r.Path, r.Did); err != nil {
			return err
		}
	}
	return nil
}
