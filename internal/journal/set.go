package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cbkit/internal/dbfile"
	"cbkit/internal/extsort"
	"cbkit/internal/fsys"
	"cbkit/internal/lock"
	"cbkit/model"
)

// Options say how a set is changed.
type Options struct {
	// Memory is how many bytes of changes are kept in memory; 0 is 16 MiB.
	Memory int
	// Wait is how long to wait for another writer to end.
	Wait time.Duration
	// DryRun says that nothing will be committed: what a crash has left is not put
	// right but an error that wraps model.ErrNeedsRecovery.
	DryRun bool
}

// defaultMemory is the memory for changes.
const defaultMemory = 16 << 20

// Set is a set of files that is open for change, in one transaction after the
// other. It must not be used by more than one goroutine at a time.
type Set struct {
	place
	opt    Options
	locks  []*lock.Lock
	pool   pool
	files  []*File
	listed map[string]fs.FileMode // what was in the folder at the beginning
	last   int                    // number of the last finished file
	works  []string               // working files, each noted before it is made and forgotten when it has gone
	litter []string               // old files that commits have replaced or dropped
	// uncertain: the folder may not know yet that the last journal is gone.
	uncertain  bool
	commitLock error // of giving back the lock of the last commit
	closed     bool
	stage      func(name string) (fsys.File, error) // of a set in the making, see Stage
	derived    bool                                 // see CommitDerived
	failed     error                                // why nothing can be done any more
}

// recovered is the key of what [WithRecovered] is given.
type recovered struct{}

// WithRecovered returns a context with which who opens a set for change tells what he put
// right of it.
func WithRecovered(ctx context.Context, tell func(main string, did model.Recovery)) context.Context {
	return context.WithValue(ctx, recovered{}, tell)
}

// Tell tells who gave the context what was put right.
func Tell(ctx context.Context, main string, did model.Recovery) {
	if tell, is := ctx.Value(recovered{}).(func(string, model.Recovery)); is && did.Outcome != model.RecoveryNothing {
		tell(main, did)
	}
}

// Open opens the set of a main file for change, which no other writer can until it
// is closed: another writer gives a [*lock.HeldError]. Whatever a crash has left
// is put right first: see [Recover].
func Open(ctx context.Context, files fsys.FS, main string, opt Options) (s *Set, err error) {
	defer func() { err = unrecovered(files, main, err) }()
	p, locks, err := lockSet(ctx, files, main, opt.Wait, false)
	if err != nil {
		return nil, err
	}
	s = &Set{place: p, opt: opt, locks: locks, listed: map[string]fs.FileMode{}}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, release(locks))
	}
	return s, nil
}

// lockSet keeps other writers from the main file, and from all files of its
// name: a book and a database of one name would have one journal. The main file may be
// locked by the caller.
func lockSet(ctx context.Context, files fsys.FS, main string, wait time.Duration, locked bool) (p place, locks []*lock.Lock, err error) {
	if p, err = findPlace(files, main); err != nil {
		return p, nil, err
	}
	for _, target := range []string{p.path(p.main), p.path(p.base)} {
		if locked && target == p.path(p.main) {
			continue
		}
		l, err := lock.Acquire(ctx, files, target, lock.Writer, wait)
		if err != nil {
			return p, nil, errors.Join(err, release(locks))
		}
		locks = append(locks, l)
	}
	found := p.main
	if err = p.look(); err == nil && p.main != found { // by who holds the locks
		err = fmt.Errorf("%s: %w by another program in the meantime: it is %s now", p.path(found), model.ErrChanged, p.main)
	}
	if err != nil {
		return p, nil, errors.Join(err, release(locks))
	}
	return p, locks, nil
}

// release gives locks back, the last one first.
func release(locks []*lock.Lock) error {
	var errs []error
	for _, l := range slices.Backward(locks) {
		errs = append(errs, l.Release())
	}
	return errors.Join(errs...)
}

// open puts the set right and looks at what is there.
func (s *Set) open(ctx context.Context) error {
	if s.opt.DryRun {
		if err := s.pending(); err != nil {
			return err
		}
	} else if o, err := s.recover(false); err != nil {
		return err
	} else if o.PlayedBack {
		Tell(ctx, s.path(s.main), model.Recovery{Outcome: model.RecoveryUndone, Cleared: o.Cleared})
	}
	memory := s.opt.Memory
	if memory == 0 {
		memory = defaultMemory
	}
	s.pool = pool{set: s, limit: max(memory/pageSize, 1)}
	entries, err := s.fs.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		s.listed[e.Name()] = e.Type()
	}
	if mode, is := s.listed[s.main]; !is || !mode.IsRegular() {
		_, err = s.fs.Stat(s.path(s.main))
	}
	return err
}

// check refuses work on a set that is closed.
func (s *Set) check() error {
	if s.closed {
		return fs.ErrClosed
	}
	return s.failed
}

// File returns a file of the set, which may not be there ([File.Exists]). Its
// name is as on the disk, without the folder. A link is refused: what lies
// elsewhere may be in other sets too.
func (s *Set) File(name string) (*File, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	for _, f := range s.files {
		if f.name == name && !f.temp {
			return f, nil
		}
	}
	if !s.belongs(name) {
		return nil, fmt.Errorf("%s: not a file of the set %s", name, s.base)
	}
	if !s.listed[name].IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file; change the database where its files are", s.path(name))
	}
	f := &File{set: s, name: name}
	if s.names.Has(dbfile.EndingOf(name)) { // as the folder was listed, while no other writer could
		if err := f.note(); err != nil {
			return nil, err
		}
	}
	s.files = append(s.files, f)
	return f, f.forget()
}

// Temp returns a file for what a transaction needs itself, empty at its
// beginning. Of what is written to it only as much is on the disk as does not
// fit into memory.
func (s *Set) Temp() *File {
	f := &File{set: s, temp: true, pages: map[int64]*page{}}
	s.files = append(s.files, f)
	return f
}

// Sorting says how to sort what a transaction writes: in its memory, and beside its files.
func (s *Set) Sorting() extsort.Options {
	return extsort.Options{Memory: cmp.Or(s.opt.Memory, defaultMemory), FS: s.fs, Dir: s.dir}
}

// Exists reports whether the file is there, or will be after the commit.
func (f *File) Exists() bool { return f.work != "" || f.exists && !f.dropped }

// Drop removes the file. It can be written anew.
func (f *File) Drop() error {
	if err := f.check(); err != nil {
		return err
	}
	work := f.work
	if err := f.forget(); err != nil {
		return err
	}
	f.dropped = true
	f.set.discard(work)
	return nil
}

// Rollback forgets all changes since the last commit, closes the files until they are
// needed again, and removes what earlier commits could not.
func (s *Set) Rollback() error {
	if s.closed {
		return nil
	}
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.forget(), f.close())
	}
	s.pool.reset()
	_ = s.tidy() // what is left is tried again
	return errors.Join(errs...)
}

// Close ends the work: changes that were not committed are forgotten. Where nothing fails
// but the removal of working files and locks, the error is a [*model.UntidyError]. A second
// time it does nothing.
func (s *Set) Close() error {
	if s.closed {
		return nil
	}
	err := s.Rollback()
	if left, names := s.tidy(), slices.Concat(s.works, s.litter); left != nil && len(names) > 0 {
		err = errors.Join(err, &model.UntidyError{Path: s.path(names[0]), Err: left})
	}
	s.closed = true
	return errors.Join(err, s.commitLock, release(s.locks))
}

// Dir returns the folder of the set.
func (s *Set) Dir() string { return s.dir }

// Main returns the name of the main file, as its folder has it.
func (s *Set) Main() string { return s.main }

// Listed reports whether something had a name in the folder when the set was opened.
func (s *Set) Listed(name string) bool {
	_, is := s.listed[name]
	return is
}

// Disk returns the files as they are on the disk, for who reads a set that is locked: those
// of the set are opened once, and stay open.
func (s *Set) Disk() fs.FS { return onDisk{s} }

type onDisk struct{ set *Set }

// Open implements [fs.FS].
func (d onDisk) Open(name string) (fs.File, error) {
	if h := d.handle(name); h != nil {
		return kept{h}, nil
	}
	return d.set.fs.OpenFile(name, os.O_RDONLY, 0)
}

// handle returns a file of the set that is open, nil if the name is that of something else.
func (d onDisk) handle(name string) fsys.File {
	if f, err := d.set.File(filepath.Base(name)); err == nil && f.exists && f.work == "" {
		return f.handle
	}
	return nil
}

// ReadDir implements [fs.ReadDirFS].
func (d onDisk) ReadDir(name string) ([]fs.DirEntry, error) { return d.set.fs.ReadDir(name) }

// Stat implements [fs.StatFS].
func (d onDisk) Stat(name string) (fs.FileInfo, error) {
	if h := d.handle(name); h != nil {
		return h.Stat()
	}
	return d.set.fs.Stat(name)
}

// kept is a file that its set closes.
type kept struct{ fsys.File }

// Close implements [fs.File].
func (kept) Close() error { return nil }

// Files says which files of its folder belong to the set as it is now on the
// disk, those that are links among them, which cannot be opened.
func (s *Set) Files() (*dbfile.Names, error) {
	err := cmp.Or(s.check(), s.look())
	return s.names, err
}
