package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Outcome is what [Recover] did.
type Outcome struct {
	// PlayedBack: a commit was interrupted, and was taken back.
	PlayedBack bool
	// Cleared are the names of the working files that were removed.
	Cleared []string
	// Copy is the folder with a copy of the files as they were, "" if none was
	// made.
	Copy string
}

// RecoverOptions say how interrupted work is put right.
type RecoverOptions struct {
	// Wait is how long to wait for another writer to end.
	Wait time.Duration
	// Force takes a commit back also where the files are not what it left, after
	// making a copy of them.
	Force bool
	// Locked says that the caller has the main file locked, and keeps it so.
	Locked bool
}

// Recover takes back a commit that was interrupted and removes working files
// that a crash has left; without any it does nothing. It keeps other writers
// away meanwhile, after waiting for them for some time. A damaged journal is an
// error that wraps model.ErrCorrupt, one about another state of the files wraps
// model.ErrNeedsRecovery; nothing is changed then. After any error it
// can be run again. The journal of another set of the name is left to that.
func Recover(ctx context.Context, files fsys.FS, main string, opt RecoverOptions) (o Outcome, err error) {
	defer func() { err = unrecovered(files, main, err) }()
	p, locks, err := lockSet(ctx, files, main, opt.Wait, opt.Locked)
	if err != nil {
		return o, err
	}
	if owner, look := p.owner(); look != nil || p.isMain(owner) {
		if o, err = p.recover(opt.Force); errors.Is(err, errUnsynced) {
			err = fmt.Errorf("%s: %w: %w", p.path(p.main), model.ErrUncertain, err)
		}
	}
	return o, errors.Join(err, release(locks))
}

// unrecovered makes of an error, such as too many open files, one that tells of the journal.
func unrecovered(files fsys.FS, main string, err error) error {
	told := []error{nil, model.ErrNeedsRecovery, model.ErrCorrupt, model.ErrLocked, model.ErrChanged, fs.ErrNotExist,
		fsys.ErrNotRegular, context.Canceled, context.DeadlineExceeded}
	if slices.ContainsFunc(told, func(kind error) bool { return errors.Is(err, kind) }) {
		return err
	}
	if left, _ := Interrupted(files, main); left == "" {
		return err
	}
	return fmt.Errorf("%s: %w: a change of it was interrupted, and could not be taken back: %w; run cbkit recover %[1]s",
		main, model.ErrNeedsRecovery, err)
}

// recover is Recover for who has the locks.
func (p *place) recover(force bool) (Outcome, error) {
	o, err := p.playBack(force)
	if err == nil {
		err = p.look()
	}
	if err == nil {
		o.Cleared, err = p.clear()
	}
	return o, err
}

// pending returns an error if there is something to recover.
func (p *place) pending() error {
	left, err := p.working()
	if there, look := p.exists(p.base + Ending); there || look != nil {
		left, err = append(left, p.base+Ending), errors.Join(err, look)
	}
	if err != nil || len(left) == 0 {
		return err
	}
	return fmt.Errorf("%s: %w: a change of it was interrupted and left %s; run cbkit recover %[1]s",
		p.path(p.main), model.ErrNeedsRecovery, left[len(left)-1])
}

// playBack takes back what the journal says, if there is one.
func (p *place) playBack(force bool) (o Outcome, err error) {
	there, err := p.exists(p.base + Ending)
	if !there || err != nil {
		return o, err
	}
	owner, err := p.owner()
	if err == nil && !p.isMain(owner) {
		err = fmt.Errorf("%s: %w: is about %s; run cbkit recover %[3]s first", p.journal(), model.ErrNeedsRecovery, p.path(owner))
	}
	if err != nil {
		return o, err
	}
	p.main = owner // as it is spelt
	before, err := p.fs.Stat(p.path(p.main))
	if errors.Is(err, fs.ErrNotExist) {
		before, err = p.fs.Stat(p.path(p.main + undoEnding))
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: %w, but a change of it was interrupted: if the files have another name now, rename them back to %s.*; "+
			"else remove %s", p.path(p.main), fs.ErrNotExist, p.base, p.journal())
	}
	if err != nil {
		return o, err
	}
	u, err := p.readJournal()
	if err == nil {
		err = p.prove(u, false)
	}
	if force && errors.Is(err, model.ErrNeedsRecovery) {
		if err = p.prove(u, true); err == nil {
			o.Copy, err = p.save()
		}
	}
	if err == nil {
		err = p.takeBackNames(u.names)
	}
	if err == nil {
		err = p.takeBackBytes(u)
	}
	if err == nil && u.changed != 0 {
		last := before.ModTime()
		if first := time.Unix(0, u.changed); first.After(last) {
			last = first // the clock was set back since
		}
		err = p.touch(last)
	}
	if err == nil {
		err = p.remove(p.base + Ending)
	}
	if err != nil {
		return o, err
	}
	o.PlayedBack = true
	if err := p.fs.SyncDir(p.dir); err != nil {
		return o, fmt.Errorf("%w: %w", errUnsynced, err)
	}
	return o, nil
}

// errUnsynced: a commit was taken back, and the folder could not be synced.
var errUnsynced = errors.New("the interrupted change was taken back")

// undo is what a journal says, but for the bytes.
type undo struct {
	names []entry // of kinds R, C, D
	files []entry // of kind F
	at    int64   // behind the last changed bytes of the last file
	// changed is when the main file was changed before the commit; 0 if that leaves its
	// change time alone.
	changed int64
}

// readJournal reads the whole journal and judges it.
func (p *place) readJournal() (*undo, error) {
	u := &undo{}
	err := p.eachEntry(func(r *entryReader, at int64, e entry) error {
		err := u.add(p, e)
		if err != nil {
			err = r.wrong(at, err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}

// eachEntry calls do with every entry of the journal, and where it begins.
func (p *place) eachEntry(do func(r *entryReader, at int64, e entry) error) error {
	in, err := p.fs.OpenFile(p.journal(), os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	r, err := newEntryReader(p.journal(), in)
	if err != nil {
		return err
	}
	for {
		at := r.at
		e, err := r.next()
		if err != nil {
			return err
		}
		if err := do(r, at, e); err != nil || e.kind == kindEnd {
			return err
		}
	}
}

// add judges an entry and takes what it says.
func (u *undo) add(p *place, e entry) error {
	if slices.Contains([]kind{kindFile, kindReplace, kindCreate, kindDrop}, e.kind) && !p.belongs(e.name) {
		return fmt.Errorf("%q is not a file of the set %s", e.name, p.base)
	}
	if e.kind != kindBytes && e.kind != kindWitness && len(u.files) > 0 && len(u.names) == 0 {
		if f := u.files[len(u.files)-1]; f.oldSize > f.newSize && u.at < f.oldSize {
			return fmt.Errorf("bytes of %s behind %d are missing", f.name, u.at) // which were cut off
		}
	}
	switch e.kind {
	case kindSet, kindEnd: // owner and the reader have judged them
		u.changed = max(u.changed, e.changed)
		return nil
	case kindBytes, kindWitness:
		if len(u.files) == 0 || len(u.names) > 0 {
			return errors.New("bytes of no file")
		}
		return u.addBytes(u.files[len(u.files)-1], e)
	case kindFile:
		if e.name == "" || e.oldSize < 0 || e.newSize < 0 || u.has(e.name) || len(u.names) > 0 {
			return errors.New("a file without a name or a size, or one that was named before")
		}
		u.files, u.at = append(u.files, e), 0
		return nil
	case kindReplace:
		if of, ok := p.names.WorksOn(e.other); !ok || of != e.name || e.old != e.name+undoEnding {
			return fmt.Errorf("%q and %q are no working files of %q", e.other, e.old, e.name)
		}
	case kindCreate:
		if of, ok := p.names.WorksOn(e.other); !ok || of != e.name {
			return fmt.Errorf("%q is no working file of %q", e.other, e.name)
		}
	case kindDrop:
		if e.old != e.name+dropEnding {
			return fmt.Errorf("%q is no working file of %q", e.old, e.name)
		}
	}
	if u.has(e.name) {
		return fmt.Errorf("%q was named before", e.name)
	}
	u.names = append(u.names, e)
	return nil
}

// has reports whether an entry before names a file.
func (u *undo) has(name string) bool {
	is := func(e entry) bool { return e.name == name }
	return slices.ContainsFunc(u.files, is) || slices.ContainsFunc(u.names, is)
}

// addBytes judges bytes of a file: they come in order, and there are as many as
// both states have.
func (u *undo) addBytes(f, e entry) error {
	if e.kind == kindWitness {
		if low := min(f.oldSize, f.newSize); e.stays.size > maxBytes || e.at < 0 || e.stays.size < 0 || e.at > low || e.stays.size > low-e.at {
			return fmt.Errorf("%d bytes at %d of %s stay, which had %d", e.stays.size, e.at, f.name, low)
		}
		return nil
	}
	n := int64(max(len(e.was), len(e.is)))
	high := max(f.oldSize, f.newSize)
	if n == 0 || n > maxBytes || e.at < u.at || e.at > high || n > high-e.at ||
		int64(len(e.was)) != min(n, max(f.oldSize-e.at, 0)) || int64(len(e.is)) != min(n, max(f.newSize-e.at, 0)) {
		return fmt.Errorf("%d and %d bytes at %d of %s, which had %d and gets %d", len(e.was), len(e.is), e.at, f.name, f.oldSize, f.newSize)
	}
	if f.oldSize > f.newSize && e.at > max(u.at, f.newSize) {
		return fmt.Errorf("bytes of %s before %d are missing", f.name, e.at)
	}
	u.at = e.at + n
	u.files[len(u.files)-1].count++
	return nil
}

// takeBackNames gives files their old names. Each step can have been done
// before.
func (p *place) takeBackNames(list []entry) error {
	for _, e := range list {
		// A file that was made has its working name until it comes, and is cleared like
		// all of that kind; one that was there has another one once it has gone.
		isNew, name := e.kind == kindCreate, e.old
		if isNew {
			name = e.other
		}
		there, err := p.exists(name)
		if err == nil && there != isNew {
			err = p.remove(e.name)
			if err == nil && !isNew {
				err = p.fs.Rename(p.path(e.old), p.path(e.name))
			}
		}
		if err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return nil
	}
	return p.fs.SyncDir(p.dir)
}

// takeBackBytes gives files their old sizes and bytes, and syncs them.
func (p *place) takeBackBytes(u *undo) error {
	open := make([]fsys.File, len(u.files)) // nil for those that are only to be proved
	var opened []fsys.File
	defer func() {
		for _, h := range opened {
			h.Close()
		}
	}()
	for i, e := range u.files {
		if !e.isChange() {
			continue
		}
		h, err := p.fs.OpenFile(p.path(e.name), os.O_RDWR, 0)
		if err != nil {
			return err
		}
		open[i], opened = h, append(opened, h)
		// Also where it has that size: a sync that failed before may have dropped it.
		if err := h.Truncate(e.oldSize); err != nil {
			return err
		}
	}
	file := -1 // its place in the journal
	err := p.eachEntry(func(_ *entryReader, _ int64, e entry) error {
		var err error
		switch {
		case e.kind == kindFile:
			file++
		case e.kind == kindBytes && len(e.was) > 0:
			_, err = open[file].WriteAt(e.was, e.at)
		}
		return err
	})
	if err != nil {
		return err
	}
	return syncAll(p.fs, opened, func(h fsys.File) (fsys.File, error) { return h, nil })
}

// isChange reports whether a file was to be changed in its place, and not only to be
// proved.
func (e *entry) isChange() bool { return e.count > 0 || e.oldSize != e.newSize }

// save copies all files of the set, with journal and working files, into a new
// folder beside them.
func (p *place) save() (folder string, err error) {
	for n := 1; ; n++ {
		folder = p.path(dbfile.KeptFolder(p.main, n))
		if err = p.fs.Mkdir(folder, 0o777); err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	entries, err := p.fs.ReadDir(p.dir)
	if err != nil {
		return folder, err
	}
	for _, e := range entries {
		_, working := p.names.WorksOn(e.Name())
		if (working || p.belongs(e.Name()) || e.Name() == p.base+Ending) && e.Type().IsRegular() {
			if err := p.copyTo(e.Name(), filepath.Join(folder, e.Name())); err != nil {
				return folder, err
			}
		}
	}
	return folder, errors.Join(p.fs.SyncDir(folder), p.fs.SyncDir(p.dir))
}

// copyTo copies a file.
func (p *place) copyTo(name, target string) error {
	in, err := p.fs.OpenFile(p.path(name), os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := fsys.CreateNew(p.fs, target, p.mode(name))
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{out}, struct{ io.Reader }{in}, make([]byte, applyBuffer))
	return errors.Join(err, out.Sync(), out.Close())
}
