package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// Outcome is what [Recover] did.
type Outcome struct {
	// PlayedBack: a commit was interrupted, and was taken back.
	PlayedBack bool
	// Cleared are the names of the working files that were removed.
	Cleared []string
}

// Recover takes back a commit that was interrupted and removes working files
// that a crash has left; without any it does nothing. It keeps other writers
// away meanwhile, after waiting for them for some time. A damaged journal is an
// error that wraps model.ErrCorrupt; nothing is changed then. After any error it
// can be run again. The journal of another set of the name is left to that.
func Recover(ctx context.Context, files fsys.FS, main string, wait time.Duration) (Outcome, error) {
	locks, err := lockSet(ctx, files, main, wait)
	if err != nil {
		return Outcome{}, err
	}
	p := newPlace(files, main)
	var o Outcome
	if owner, look := p.owner(); look != nil || p.isMain(owner) {
		o, err = p.recover()
	}
	return o, errors.Join(err, release(locks))
}

// recover is Recover for who has the locks.
func (p *place) recover() (Outcome, error) {
	var o Outcome
	var err error
	if o.PlayedBack, err = p.playBack(); err != nil {
		return o, err
	}
	o.Cleared, err = p.clear()
	return o, err
}

// playBack takes back what the journal says, if there is one.
func (p *place) playBack() (bool, error) {
	there, err := p.exists(p.base + Ending)
	if !there || err != nil {
		return false, err
	}
	switch owner, err := p.owner(); {
	case err != nil:
		return false, err
	case !p.isMain(owner):
		return false, fmt.Errorf("%s: %w: is about %s; run cbkit recover %[3]s first", p.journal(), model.ErrNeedsRecovery, p.path(owner))
	}
	p.main, _ = p.owner() // as it is spelt
	before, err := p.fs.Stat(p.path(p.main))
	if errors.Is(err, fs.ErrNotExist) {
		before, err = p.fs.Stat(p.path(p.main + undoEnding))
	}
	if err != nil {
		return false, err
	}
	u, err := p.readJournal()
	if err != nil {
		return false, err
	}
	if err := p.judge(u); err != nil {
		return false, err
	}
	if err := p.takeBackNames(u.names); err != nil {
		return false, err
	}
	if err := p.takeBackBytes(u); err != nil {
		return false, err
	}
	if err := p.touch(before.ModTime()); err != nil {
		return false, err
	}
	if err := p.fs.Remove(p.journal()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return true, p.fs.SyncDir(p.dir)
}

// undo is what a journal says, but for the bytes.
type undo struct {
	names []entry // of kinds R, C, D, M
	files []entry // of kind F
}

// readJournal reads the whole journal and judges it.
func (p *place) readJournal() (*undo, error) {
	u := &undo{}
	return u, p.eachEntry(func(r *entryReader, at int64, e entry) error {
		err := u.add(p, e)
		if err != nil {
			err = r.wrong(at, err)
		}
		return err
	})
}

// eachEntry calls do with every entry of the journal but its end, and where it
// begins.
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
		if err != nil || e.kind == kindEnd {
			return err
		}
		if err := do(r, at, e); err != nil {
			return err
		}
	}
}

// add judges an entry and takes what it says.
func (u *undo) add(p *place, e entry) error {
	for _, name := range []string{e.name, e.other, e.old} {
		if name != "" && !p.belongs(name) {
			return fmt.Errorf("%q is not a file of the set %s", name, p.base)
		}
	}
	switch e.kind {
	case kindSet:
		return nil // owner has judged it
	case kindBytes:
		if int64(e.file) >= int64(len(u.files)) {
			return fmt.Errorf("there is no file %d", e.file)
		}
		if size := u.files[e.file].oldSize; e.at < 0 || e.at > size || int64(len(e.data)) > size-e.at {
			return fmt.Errorf("%d bytes at %d of %s, which had %d", len(e.data), e.at, u.files[e.file].name, size)
		}
		return nil
	case kindFile:
		if e.name == "" || e.oldSize < 0 || e.newSize < 0 {
			return errors.New("a file without a name or a size")
		}
		u.files = append(u.files, e)
		return nil
	case kindReplace:
		if of, ok := p.isWorking(e.other); !ok || of != e.name || e.old != e.name+undoEnding {
			return fmt.Errorf("%q and %q are no working files of %q", e.other, e.old, e.name)
		}
	case kindCreate:
		if of, ok := p.isWorking(e.other); !ok || of != e.name {
			return fmt.Errorf("%q is no working file of %q", e.other, e.name)
		}
	case kindDrop:
		if e.old != e.name+dropEnding {
			return fmt.Errorf("%q is no working file of %q", e.old, e.name)
		}
	case kindMove:
		if e.name == "" || e.other == "" {
			return errors.New("a renaming without a name")
		}
	}
	u.names = append(u.names, e)
	return nil
}

// takeBackNames gives files their old names. Each step can have been done
// before.
func (p *place) takeBackNames(list []entry) error {
	if len(list) == 0 {
		return nil
	}
	for _, e := range list {
		var err error
		switch e.kind {
		case kindReplace:
			err = p.putBack(e.old, e.name)
		case kindCreate:
			err = p.removeNew(e.name, e.other)
		case kindDrop:
			err = p.putBack(e.old, e.name)
		case kindMove:
			err = p.putBack(e.other, e.name)
		}
		if err != nil {
			return err
		}
	}
	return p.fs.SyncDir(p.dir)
}

// inTheWay returns an error if a file must have its old name again, and another
// one has it.
func (p *place) inTheWay(from, to string) error {
	there, err := p.exists(from)
	if err != nil || !there {
		return err
	}
	if taken, err := p.exists(to); err != nil || !taken {
		return err
	}
	return fmt.Errorf("%s: is in the way of %s, which must have that name again; move it elsewhere", p.path(to), from)
}

// putBack gives a file its old name again if it has the other one. What has
// the old name by then is new.
func (p *place) putBack(from, to string) error {
	there, err := p.exists(from)
	if err != nil || !there {
		return err
	}
	if err := p.remove(to); err != nil {
		return err
	}
	return p.fs.Rename(p.path(from), p.path(to))
}

// removeNew removes a file that was not there before, once it has its name. As
// long as it has its working name it is cleared like all others.
func (p *place) removeNew(name, work string) error {
	unfinished, err := p.exists(work)
	if err != nil || unfinished {
		return err
	}
	there, err := p.exists(name)
	if err != nil || !there {
		return err
	}
	return p.fs.Remove(p.path(name))
}

// takeBackBytes gives files their old sizes and bytes, and syncs them.
func (p *place) takeBackBytes(u *undo) error {
	open := make([]fsys.File, 0, len(u.files))
	defer func() {
		for _, h := range open {
			h.Close()
		}
	}()
	for _, e := range u.files {
		h, err := p.resize(e)
		if h != nil {
			open = append(open, h)
		}
		if err != nil {
			return err
		}
	}
	err := p.eachEntry(func(_ *entryReader, _ int64, e entry) error {
		if e.kind != kindBytes {
			return nil
		}
		_, err := open[e.file].WriteAt(e.data, e.at)
		return err
	})
	if err != nil {
		return err
	}
	return syncAll(open, func(h fsys.File) (fsys.File, error) { return h, nil })
}

// judge returns an error if a file cannot be the one that the journal is about,
// or somebody's file is in the way.
func (p *place) judge(u *undo) error {
	for _, e := range u.names {
		var err error
		switch e.kind {
		case kindDrop:
			err = p.inTheWay(e.old, e.name)
		case kindMove:
			err = p.inTheWay(e.other, e.name)
		}
		if err != nil {
			return err
		}
	}
	for _, e := range u.files {
		name := p.path(e.name)
		info, err := p.fs.Stat(name)
		if err != nil {
			return fmt.Errorf("%s: needed to take back an interrupted change: %w", name, err)
		}
		low, high := min(e.oldSize, e.newSize), max(e.oldSize, e.newSize)
		if size := info.Size(); size < low || size > high {
			return fmt.Errorf("%s: %w: has %d bytes, but an interrupted change of a file of %d to %d bytes is to be taken back; "+
				"if it comes from a backup, remove %s", name, model.ErrCorrupt, size, low, high, p.journal())
		}
	}
	return nil
}

// resize opens a file and gives it its old size.
func (p *place) resize(e entry) (fsys.File, error) {
	info, err := p.fs.Stat(p.path(e.name))
	if err != nil {
		return nil, err
	}
	h, err := p.fs.OpenFile(p.path(e.name), os.O_RDWR, 0)
	if err != nil || info.Size() == e.oldSize {
		return h, err
	}
	return h, h.Truncate(e.oldSize)
}
