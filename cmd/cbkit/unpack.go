package main

import (
	lib "cbkit"
	"errors"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/archive"
	"cbkit/internal/dbfile"
	"cbkit/internal/packed"
	"cbkit/model"
)

// unpackCmd is "cbkit unpack".
type unpackCmd struct {
	In        string   `arg:"" zip:"reads" name:"in" help:"Archive: IN.cbv, IN.cbz; IN.cbv:NAME.cbh is one of its databases alone."`
	To        string   `arg:"" name:"to" help:"Folder to unpack to, which is made if need be; or NAME.cbh for a database by another name."`
	KeepGoing bool     `help:"Unpack the files that are sound where others are not."`
	MaxSize   count    `help:"Megabytes that may come of the archive; without it, a gigabyte, or a hundred times what it has." placeholder:"MB"`
	Codepage  codePage `help:"Code page of the names of files." default:"1252" placeholder:"PAGE"`
	Jobs      count    `help:"How many processors to use; 0 uses all." placeholder:"N"`
	writeFlags
	passwordFlag
}

// Run implements the verb.
func (c *unpackCmd) Run(env *environment) error {
	file, inside, is := lib.SplitArchive(c.In)
	if !is {
		return usageError{fmt.Errorf("%s: archives end in %s", c.In, strings.Join(formatArchive.Endings(), " or "))}
	}
	env.making = c.To
	a, err := env.openArchive(file, c.passwordFlag, c.Codepage, c.Jobs, c.KeepGoing)
	if err != nil {
		return c.unreadable(err)
	}
	defer a.Close()
	dir, opt, err := c.options(file, inside, a)
	if err != nil {
		return err
	}
	if c.KeepGoing {
		size := int64(0)
		for _, m := range a.Members() {
			size += m.Size
		}
		bar := newByteProgress(env.stderr, c.Quiet, size, "check")
		faults, err := a.Faults(env.ctx, bar.at)
		bar.done()
		if err != nil {
			return err
		}
		wrong, only := map[string]bool{}, opt.Only
		for i, fault := range faults {
			if name := a.Members()[i].Name; fault != nil && (only(name) || a.Members()[i].Err != nil) {
				wrong[name] = true
				env.messages.say(messageSkipped, fault)
			}
		}
		opt.Only = func(name string) bool { return only(name) && !wrong[name] }
	}
	files, size, from := 0, int64(0), int64(0)
	for _, m := range a.Members() {
		if m.Err == nil && opt.Only(m.Name) {
			files++
			size += m.Size
			from += m.Packed
		}
	}
	opt.MaxSize = c.allowed(from)
	if files == 0 {
		return fmt.Errorf("%s: there is nothing to unpack", c.In)
	}
	bar := newByteProgress(env.stderr, c.Quiet, size, "unpack")
	written := int64(0)
	opt.Progress = func(done int64) { written = done; bar.at(done) }
	opt.OnReplace = func(r model.Replacement) {
		if r.Folder == "" {
			files -= len(r.Kept)
		}
		env.reportReplaced(c.To)(r)
	}
	err = a.Unpack(env.ctx, dir, opt)
	bar.done()
	if errors.Is(err, model.ErrTooLarge) && size > opt.MaxSize {
		return fmt.Errorf("%s: %w; nothing was unpacked; --max-size %d takes all", c.In, err, (size+1<<20-1)>>20)
	}
	if err = env.done(err); err != nil {
		return c.unreadable(unpackError(c.To, err))
	}
	env.finish(madeTarget{Path: c.To, Files: files, Bytes: written}, nil, c.Quiet, plural(files, "file")+", "+plural(written, "byte"))
	return nil
}

// unreadable adds to an error about a damaged archive what can be done.
func (c *unpackCmd) unreadable(err error) error {
	if !c.KeepGoing && (errors.Is(err, model.ErrCorrupt) || errors.Is(err, model.ErrTruncated)) {
		return fmt.Errorf("%w; nothing was unpacked; --keep-going takes what is sound", err)
	}
	return err
}

// options says what is unpacked, under which names, and where to.
func (c *unpackCmd) options(file, inside string, a *archive.Archive) (dir string, opt archive.UnpackOptions, err error) {
	opt = archive.UnpackOptions{Force: c.Force, Wait: c.duration(), Only: func(string) bool { return true }}
	dir = c.To
	rename := dbfile.Is(c.To, mainEnding)
	if inside == "" && rename {
		if inside, err = lib.OnlyDatabase(a); err != nil {
			return "", opt, err
		}
	}
	if inside == "" {
		return dir, opt, nil
	}
	main, err := databaseIn(file, inside, a)
	if err != nil {
		return "", opt, err
	}
	folder := path.Dir(main)
	var names []string
	for _, m := range a.Members() {
		if top, is := topIn(m.Name, folder); is && !slices.Contains(names, top) {
			names = append(names, top)
		}
	}
	set, err := dbfile.Find(main, names, dbfile.Format(nil).Takes)
	if err != nil {
		return "", opt, fmt.Errorf("%s: %w", file, err)
	}
	opt.Only = func(name string) bool {
		top, is := topIn(name, folder)
		return is && set.Belongs(top)
	}
	to := set.Stem
	if rename {
		dir = filepath.Dir(c.To)
		to = dbfile.StemOf(filepath.Base(c.To))
	}
	// Folders around the database stay behind.
	opt.Rename = func(name string) string {
		top, _ := topIn(name, folder) // it is one of them
		return to + dbfile.Spelt(top) + strings.TrimPrefix(name, path.Join(folder, top))
	}
	return dir, opt, nil
}

// allowed returns how many bytes may come of so many.
func (c *unpackCmd) allowed(from int64) int64 {
	if c.MaxSize > 0 {
		return min(int64(c.MaxSize), math.MaxInt64>>20) << 20
	}
	return packed.MostOf(from)
}

// topIn returns the first part of the name of a member behind a folder; is is false if
// it is not in that.
func topIn(name, folder string) (top string, is bool) {
	if folder != "." {
		if name, is = strings.CutPrefix(name, folder+"/"); !is {
			return "", false
		}
	}
	top, _, _ = strings.Cut(name, "/")
	return top, true
}

// mainEnding is that of the main file of a ChessBase database.
const mainEnding = ".cbh"

// databaseIn returns the name of the main file of a database in an archive that is
// named by one of its files or without an ending.
func databaseIn(file, inside string, a *archive.Archive) (string, error) {
	stems := []string{inside}
	if stem, ending := dbfile.Split(inside); dbfile.IsChessBase(ending) {
		stems = append(stems, stem)
	}
	all := a.Databases()
	for _, stem := range stems {
		for _, is := range []func(main string) bool{
			func(main string) bool { return main == stem+dbfile.Spelt(main) },
			func(main string) bool { return dbfile.SameStem(main, stem) },
		} {
			if i := slices.IndexFunc(all, is); i >= 0 {
				return all[i], nil
			}
		}
	}
	return "", fmt.Errorf("%s: holds no database %s; it holds %s", file, inside, strings.Join(all, ", "))
}

// unpackError says what to do about an error of unpacking.
func unpackError(to string, err error) error {
	if exists, is := errors.AsType[*model.ExistsError](err); is {
		if exists.Orphan {
			return inTheWay(exists.Main, err)
		}
		return fmt.Errorf("%s: exists already; unpack to another folder or use --force", exists.Path)
	}
	if target, is := errors.AsType[*archive.TargetError](err); is {
		to = target.Path
	}
	return targetError(to, err)
}
