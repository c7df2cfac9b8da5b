package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	lib "cbkit"
	"cbkit/model"
	"cbkit/search"
)

// withoutIDs are the flags of edit that take ids, unless --where says which records are meant.
var withoutIDs = []string{"--delete", "--undelete", "--drop-annotations"}

// bareEdits gives these flags an empty value where they have none behind --where.
func bareEdits(args []string) []string {
	isWhere := func(arg string) bool { return arg == "--where" || strings.HasPrefix(arg, "--where=") }
	if args[0] != "edit" || !slices.ContainsFunc(args, isWhere) {
		return args
	}
	args = slices.Clone(args)
	for i, arg := range args {
		bare := i+1 == len(args)
		if !bare {
			bare = args[i+1] != "-" && strings.Trim(args[i+1], "0123456789-., \n") != "" || strings.HasPrefix(args[i+1], "--")
		}
		if bare && slices.Contains(withoutIDs, arg) {
			args[i] = arg + "="
		}
	}
	return args
}

// readIDs puts the ids that standard input has in the place of "-".
func (c *editCmd) readIDs(env *environment) error {
	read := slices.Contains(c.Append, "-")
	for _, list := range [][]string{c.Delete, c.Undelete, c.DropAnnotations, c.Set} {
		for i, value := range list {
			rest, is := strings.CutPrefix(value, "-")
			if !is || rest != "" && rest[0] != '.' {
				continue
			}
			if read {
				return usageError{errors.New("-: only one flag can read standard input")}
			}
			read = true
			const most = 1 << 26
			ids, err := io.ReadAll(io.LimitReader(env.interruptible(""), most+1))
			if err != nil {
				return fmt.Errorf("standard input: %w", err)
			}
			if len(ids) > most {
				return errors.New("standard input: longer than 64 MB")
			}
			list[i] = string(ids) + rest
		}
	}
	return nil
}

// selected returns the records that ids name, or --where if they are empty: then they are found
// when the database is locked, before anything changes. Of those marked as deleted only some
// flags speak.
func (c *editCmd) selected(ids string, deleted bool) (*idSet, error) {
	if c.Where == "" {
		return parseIDs(ids)
	}
	if ids != "" {
		return nil, errors.New("ids and --where do not go together")
	}
	condition, err := whereFlag{Where: c.Where}.condition(deleted)
	if deleted && err == nil {
		condition = search.And(condition, search.Deleted())
	}
	found := &idSet{}
	c.find = append(c.find, func(t *transfer) (err error) {
		found.found, err = c.findWhere(t, condition)
		return err
	})
	return found, err
}

// findWhere finds the records of --where.
func (c *editCmd) findWhere(t *transfer, condition search.Condition) (found []model.RecordID, err error) {
	finder := newTransfer(t.env, t.flags, "edit", target{})
	src, err := finder.openInput(c.DB)
	if err != nil {
		return nil, err
	}
	defer func() { _ = src.close() }() // it was only read
	met, err := search.Select(src.Source, condition)
	if err != nil {
		return nil, err
	}
	for rec, err := range model.Readable(t.env.ctx, met, model.WantHeaders, finder.onError) {
		if err != nil {
			return nil, err
		}
		found = append(found, rec.ID)
	}
	if len(found) == 0 {
		t.env.reportNone(met.Unknown(), met.MainLinesOnly(), variationsQuery)
		return nil, errNoMatch
	}
	return found, src.Entities().Err()
}

// ofSelection returns a parser of selections of records, and what to do with each.
func (c *editCmd) ofSelection(deleted bool, do func(*lib.Editor, ...lib.IDs) error) func(string) (step, error) {
	return func(value string) (step, error) {
		which, err := c.selected(value, deleted)
		return func(_ *transfer, ed *lib.Editor) error { return do(ed, idsOf(which)...) }, err
	}
}
