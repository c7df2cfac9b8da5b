package atomicset

import "strings"

// Recover finishes a replacement that was interrupted, or takes it back, and
// removes its folders; without such folders it does nothing. It must not run
// while the set is being written. A main file with the folders of
// interrupted work beside it is complete; without the main file nothing can
// be said about the other files until Recover has run.
//
// An unfinished set is removed, a complete one takes the place of the old one
// unless the old one was still untouched.
func Recover(fsys FS, main string, extensions []string) error {
	p := newPlace(fsys, main, extensions)
	return p.recover()
}

// Interrupted returns the name of a folder of interrupted work beside the
// main file, "" if there is none.
func Interrupted(fsys FS, main string) (string, error) {
	p := newPlace(fsys, main, nil)
	return p.leftovers()
}

func (p *place) recover() error {
	if err := p.removeAll(p.folder(writing)); err != nil {
		return err
	}
	there, err := p.mainExists()
	if err != nil {
		return err
	}
	m := mover{place: p}
	if !there {
		if err := m.resume(); err != nil {
			return err
		}
	}
	if err := p.removeAll(p.folder(complete)); err != nil {
		return err
	}
	if err := p.clear(); err != nil {
		return err
	}
	return p.fs.SyncDir(p.dir)
}

func (p *place) mainExists() (bool, error) {
	// Through members: the name may be spelt in upper case.
	names, err := p.members(nil)
	if err != nil || len(names) == 0 {
		return false, err
	}
	return strings.EqualFold(names[0], p.main), nil
}

// resume goes on where the work was interrupted, the main file being absent.
func (m *mover) resume() error {
	if there, err := m.exists(m.folder(moving)); there || err != nil {
		if err != nil {
			return err
		}
		return m.moveIn(moving)
	}
	if there, err := m.exists(m.folder(complete)); there || err != nil {
		if err != nil {
			return err
		}
		staged, err := m.names(complete)
		if err != nil {
			return err
		}
		if err := m.backUp(staged); err != nil {
			return err
		}
		if err := m.rename(m.folder(complete), m.folder(moving)); err != nil {
			return err
		}
		return m.moveIn(moving)
	}
	// The new set is gone: somebody deleted its folder. The old one comes back.
	return m.moveIn(backup)
}
