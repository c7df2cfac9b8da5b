package atomicset

import (
	"strings"

	"cbkit/internal/fsys"
)

// Outcome is what [Recover] did.
type Outcome uint8

// The outcomes.
const (
	// Nothing: there were no traces of an interrupted replacement.
	Nothing Outcome = iota
	// TakenBack: the new set was not complete and was removed; an old one, if
	// there was any, was still in its place.
	TakenBack
	// Completed: the new set is in place.
	Completed
	// Restored: of the new set nothing was left; the old one is back.
	Restored
)

// String says it in a few words.
func (o Outcome) String() string {
	return [...]string{
		Nothing:   "nothing to recover",
		TakenBack: "the unfinished new files were removed; what was there before is as it was",
		Completed: "the replacement was completed; the new files are in place",
		Restored:  "the old files were put back",
	}[o]
}

// Recover finishes a replacement that was interrupted, or takes it back, and
// removes its folders; without such folders it does nothing. It must not run
// while the set is being written. A main file with the folders of
// interrupted work beside it is complete; without the main file nothing can
// be said about the other files until Recover has run.
//
// An unfinished set is removed, a complete one takes the place of the old one
// unless the old one was still untouched.
func Recover(files fsys.FS, main string, extensions []string) (Outcome, error) {
	p := newPlace(files, main, extensions)
	return p.recover()
}

// Interrupted returns the name of a folder of interrupted work beside the
// main file, "" if there is none.
func Interrupted(files fsys.FS, main string) (string, error) {
	p := newPlace(files, main, nil)
	return p.leftovers()
}

func (p *place) recover() (Outcome, error) {
	outcome, err := p.outcome()
	if err != nil || outcome == Nothing {
		return outcome, err
	}
	if err := p.removeAll(p.folder(writing)); err != nil {
		return outcome, err
	}
	there, err := p.mainExists()
	if err != nil {
		return outcome, err
	}
	m := mover{place: p}
	if !there {
		if err := m.resume(); err != nil {
			return outcome, err
		}
	}
	if err := p.removeAll(p.folder(complete)); err != nil {
		return outcome, err
	}
	if err := p.clear(); err != nil {
		return outcome, err
	}
	return outcome, p.fs.SyncDir(p.dir)
}

// outcome says what recovering will do, from the folders that are there.
func (p *place) outcome() (Outcome, error) {
	left, err := p.leftovers()
	if err != nil || left == "" {
		return Nothing, err
	}
	main, err := p.mainExists()
	if err != nil {
		return Nothing, err
	}
	has := map[stage]bool{}
	for _, s := range []stage{complete, moving, backup} {
		if has[s], err = p.exists(p.folder(s)); err != nil {
			return Nothing, err
		}
	}
	switch {
	case has[moving], has[complete] && !main, has[backup] && main && !has[complete]:
		return Completed, nil
	case has[backup] && !main:
		return Restored, nil
	}
	return TakenBack, nil
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
