package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cbkit/internal/atomicset"
	"cbkit/internal/cbh"
	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// UnpackOptions configures [Archive.Unpack]. The zero value unpacks everything.
type UnpackOptions struct {
	// Only names the members to unpack; nil is all.
	Only func(name string) bool
	// Rename, if not nil, gives the names that members get, with slashes.
	Rename func(name string) string
	// Force allows existing files to be replaced, except settings (.ini) of databases,
	// which stay.
	Force bool
	// MaxSize, if not 0, is how many bytes may be unpacked. More are refused with
	// [model.ErrTooLarge] before anything is written.
	MaxSize int64
	// Wait is how long to wait for another process that writes there; 0 is not
	// at all.
	Wait time.Duration
	// OnReplace, if not nil, is called for each database that was replaced, with the old
	// files that no new file replaced and the files in the way that are kept.
	OnReplace func(model.Replacement)
	// Progress, if not nil, is called with how many bytes have been unpacked so far.
	Progress func(done int64)
}

// TargetError reports which file cannot be made: the main file of a database,
// or a single file.
type TargetError struct {
	Path string
	Err  error
}

// Error returns what the error inside says.
func (e *TargetError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *TargetError) Unwrap() error { return e.Err }

// Unpack unpacks members into a folder, which is made if it is not there. Files
// get the times they have in the archive.
//
// All files appear or none. The files of one database, or files that differ only in their
// endings, appear at once, even if the power fails. Several databases that replace others
// appear one after the other, once everything is unpacked and on the disk; those that
// replace nothing in their folder appear there together.
//
// Errors wrap fs.ErrExist if a file is there already and Force is not set. Members with
// an Err are left out; damage found while unpacking is an error. [Archive.Faults] tells
// beforehand what can be unpacked.
func (a *Archive) Unpack(ctx context.Context, dir string, opt UnpackOptions) error {
	return a.unpackTo(ctx, fsys.OS{}, dir, opt)
}

// unpackTo is Unpack over the given files.
func (a *Archive) unpackTo(ctx context.Context, files fsys.FS, dir string, opt UnpackOptions) (err error) {
	u := &unpacking{a: a, fs: files, dir: dir, opt: opt}
	if err := u.plan(); err != nil {
		return err
	}
	defer func() {
		if model.IsDone(err) {
			return
		}
		// What was made goes. Sets that are in place stay.
		errs := []error{err}
		for _, s := range u.begun {
			errs = append(errs, s.Abort())
		}
		for _, folder := range slices.Backward(u.made) {
			_ = u.fs.Remove(folder) // what is not empty stays
		}
		err = errors.Join(errs...)
	}()
	if err := u.begin(ctx); err != nil {
		return err
	}
	for b, err := range a.Blocks(ctx) {
		if err != nil {
			if b.Member >= 0 && u.targets[b.Member].set == nil {
				continue // it is not asked for
			}
			return errors.Join(err, closeOpen(&u.file))
		}
		if err := u.write(&b); err != nil {
			return errors.Join(err, closeOpen(&u.file))
		}
	}
	var untidy error
	for _, s := range u.begun {
		if err := s.Commit(); !model.IsDone(err) {
			return err
		} else if err != nil {
			untidy = err
		}
	}
	if u.opt.OnReplace != nil && len(u.stay) > 0 {
		u.opt.OnReplace(model.Replacement{Kept: u.stay})
	}
	return untidy
}

// Faults unpacks all members without keeping anything, and returns an error for
// each damaged member, nil for the others. The second result is the error of
// ctx.
func (a *Archive) Faults(ctx context.Context, progress func(done int64)) (faults []error, err error) {
	faults = make([]error, len(a.members))
	for i := range a.members {
		faults[i] = a.members[i].Err
	}
	done := int64(0)
	for b, err := range a.Blocks(ctx) {
		if b.Member < 0 {
			return faults, err
		}
		if err != nil {
			faults[b.Member] = err
			continue
		}
		if done += int64(len(b.Data)); progress != nil {
			progress(done)
		}
	}
	return faults, nil
}

// unpacking is an archive that is being unpacked.
type unpacking struct {
	a       *Archive
	fs      fsys.FS
	dir     string
	opt     UnpackOptions
	targets []target // of the members
	sets    []*fileSet
	begun   []*atomicset.Set
	made    []string // folders that were not there
	stay    []string // settings that are there
	file    fsys.File
	done    int64
}

// target is where a member goes.
type target struct {
	set  *fileSet // nil for nowhere
	name string   // in the set
}

// fileSet is files that appear together: those in one folder whose names differ
// in their endings alone, and what is in folders of that name.
type fileSet struct {
	main string         // the file that appears last, with the folders it is in
	tops []string       // files, and folders, beside it
	set  *atomicset.Set // which may be that of others, too
}

// mainEnding is that of the file without which there is no database.
const mainEnding = ".cbh"

// plan finds the sets and what goes where.
func (u *unpacking) plan() error {
	names := make([]string, len(u.a.members))
	for i := range u.a.members {
		m := &u.a.members[i]
		if m.Err != nil || u.opt.Only != nil && !u.opt.Only(m.Name) {
			continue
		}
		names[i] = m.Name
		if u.opt.Rename != nil {
			names[i] = u.opt.Rename(m.Name)
		}
		if err := checkName(names[i]); err != nil {
			return err
		}
	}
	for i, err := range clashes(names) {
		return fmt.Errorf("%s: %w", u.a.members[i].Name, err)
	}
	sets := map[string]*fileSet{}
	packed, size := int64(0), int64(0)
	for i, name := range names {
		if name == "" {
			continue
		}
		packed += u.a.members[i].Packed
		size += u.a.members[i].Size
		key := dbfile.SetKey(name)
		s := sets[key]
		if s == nil {
			s = &fileSet{main: name}
			sets[key] = s
			u.sets = append(u.sets, s)
		}
		if dbfile.Is(name, mainEnding) {
			s.main = name // a database appears with it
		}
	}
	if u.opt.MaxSize > 0 && size > u.opt.MaxSize {
		return &sizeError{packed, size, u.opt.MaxSize}
	}
	u.targets = make([]target, len(names))
	for i, name := range names {
		if name != "" {
			u.targets[i] = findTarget(sets, name)
		}
	}
	return nil
}

// sizeError reports that more would be unpacked than is allowed.
type sizeError struct{ packed, size, allowed int64 }

// Error returns one line.
func (e *sizeError) Error() string {
	return fmt.Sprintf("%d bytes become %d, %d times as many; %d are allowed", e.packed, e.size, e.size/max(e.packed, 1), e.allowed)
}

// Unwrap returns what kind of error it is.
func (e *sizeError) Unwrap() error { return model.ErrTooLarge }

// findTarget returns where a file goes: into the set of the outermost folder
// around it that has the name of files beside it, or into its own.
func findTarget(sets map[string]*fileSet, name string) target {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		if s := sets[dbfile.SetKey(name[:i])]; s != nil {
			return s.target(name)
		}
	}
	return sets[dbfile.SetKey(name)].target(name)
}

// target returns the place of a file in a set.
func (s *fileSet) target(name string) target {
	folder := path.Dir(s.main)
	inside := strings.TrimPrefix(name, folder+"/")
	if top, _, _ := strings.Cut(inside, "/"); !slices.Contains(s.tops, top) {
		s.tops = append(s.tops, top)
	}
	return target{s, inside}
}

// begin makes the folders that are missing, and begins all sets.
func (u *unpacking) begin(ctx context.Context) error {
	if err := u.mkdirAll(u.dir); err != nil {
		return err
	}
	// The sets are told apart by their names without endings, and so are the
	// main files: sets with nothing in them are folders of others.
	u.sets = slices.DeleteFunc(u.sets, func(s *fileSet) bool { return len(s.tops) == 0 })
	inFolder := map[string][]*fileSet{}
	var folders []string
	for _, s := range u.sets {
		folder := filepath.Join(u.dir, filepath.FromSlash(path.Dir(s.main)))
		if inFolder[folder] == nil {
			folders = append(folders, folder)
		}
		inFolder[folder] = append(inFolder[folder], s)
	}
	for _, folder := range folders {
		if err := u.beginFolder(ctx, folder, inFolder[folder]); err != nil {
			return err
		}
	}
	return nil
}

// beginFolder begins the sets in a folder: each by itself of which anything is there
// already, and all others together, so that many cost no more than one.
func (u *unpacking) beginFolder(ctx context.Context, folder string, sets []*fileSet) error {
	if err := u.mkdirAll(folder); err != nil {
		return err
	}
	for _, s := range sets {
		if u.opt.Force {
			break
		}
		for _, top := range s.tops { // none may be there
			name := filepath.Join(folder, top)
			switch _, err := u.fs.Lstat(name); {
			case err == nil:
				return &model.ExistsError{Path: name, Main: filepath.Join(folder, path.Base(s.main))}
			case !errors.Is(err, fs.ErrNotExist):
				return err
			}
		}
	}
	for {
		taken, err := u.taken(folder)
		if err != nil {
			return err
		}
		var fresh []*fileSet
		for _, s := range sets {
			if !taken[dbfile.SetKey(path.Base(s.main))] {
				fresh = append(fresh, s)
			} else if err := u.beginSet(ctx, folder, s); err != nil {
				return err
			}
		}
		if len(fresh) == len(sets) {
			return u.beginSet(ctx, folder, fresh...)
		}
		// What was left of an interrupted run can have come back.
		sets = fresh
	}
}

// taken returns what the names in a folder begin with, up to each of their dots.
func (u *unpacking) taken(folder string) (map[string]bool, error) {
	entries, err := u.fs.ReadDir(folder)
	taken := map[string]bool{}
	for _, e := range entries {
		name := dbfile.FoldName(e.Name())
		for i, c := range name {
			if c == '.' {
				taken[name[:i]] = true
			}
		}
		taken[name] = true
	}
	return taken, err
}

// beginSet begins the set of one or more sets of files in a folder. Of several, that of
// a database has the name.
func (u *unpacking) beginSet(ctx context.Context, folder string, sets ...*fileSet) error {
	if len(sets) == 0 {
		return nil
	}
	first := sets[0]
	opt := atomicset.Options{Force: u.opt.Force, Wait: u.opt.Wait, Context: ctx, OnReplace: u.opt.OnReplace}
	if len(sets) > 1 {
		first = sets[max(0, slices.IndexFunc(sets, func(s *fileSet) bool { return dbfile.FormatOf(dbfile.EndingOf(s.main)) != nil }))]
		for _, s := range sets {
			opt.Members = append(opt.Members, s.tops...)
		}
	}
	isDatabase := dbfile.Is(first.main, mainEnding)
	if isDatabase {
		opt.Extensions, opt.Own, opt.Proves = dbfile.ChessBase.Data(), dbfile.ChessBase.Exts(dbfile.Own), cbh.IsFileHeader
	}
	main := filepath.Join(folder, path.Base(first.main))
	set, err := atomicset.New(u.fs, main, opt)
	if err != nil {
		return &TargetError{main, err}
	}
	u.begun = append(u.begun, set)
	for _, s := range sets {
		s.set = set
	}
	for i, t := range u.targets {
		if !isDatabase || t.set != first || !dbfile.IsSettings(t.name) || strings.Contains(t.name, "/") {
			continue
		}
		if _, err := u.fs.Lstat(filepath.Join(folder, t.name)); err == nil {
			u.targets[i], u.stay = target{}, append(u.stay, t.name)
		}
	}
	return nil
}

// mkdirAll makes a folder and those it is in, and takes note of them.
func (u *unpacking) mkdirAll(folder string) error {
	made, err := fsys.MkdirAll(u.fs, folder)
	u.made = append(u.made, made...)
	return err
}

// write writes a block.
func (u *unpacking) write(b *Block) error {
	t := u.targets[b.Member]
	if t.set == nil {
		return nil
	}
	if b.Number <= 1 {
		if err := t.set.set.MkdirAll(path.Dir(t.name)); err != nil {
			return err
		}
		f, err := t.set.set.Create(t.name)
		if err != nil {
			return err
		}
		u.file = f
	}
	if _, err := u.file.Write(b.Data); err != nil {
		return err
	}
	u.done += int64(len(b.Data))
	if u.opt.Progress != nil {
		u.opt.Progress(u.done)
	}
	if !b.Last {
		return nil
	}
	if err := closeOpen(&u.file); err != nil {
		return err
	}
	if changed, ok := u.a.members[b.Member].Stamp.In(time.Local); ok {
		return t.set.set.Chtimes(t.name, changed)
	}
	return nil
}
