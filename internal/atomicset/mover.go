package atomicset

import (
	"fmt"
	"path/filepath"
	"slices"

	"cbkit/internal/dbfile"
)

// mover renames, remembers what it did, and can undo it.
type mover struct {
	*place
	renames [][2]string
}

// replace does steps 1 to 4 of the package comment, from a complete set in
// the folder "writing".
func (m *mover) replace(staged []string) error {
	if err := m.rename(m.folder(writing), m.folder(complete)); err != nil {
		return err
	}
	return m.finish(staged)
}

// finish does steps 2 to 4, from a complete set in the folder "complete".
func (m *mover) finish(staged []string) error {
	if err := m.backUp(staged); err != nil {
		return err
	}
	if err := m.rename(m.folder(complete), m.folder(moving)); err != nil {
		return err
	}
	return m.moveIn(moving)
}

// backUp moves what is in the way into the backup folder, the main file first.
func (m *mover) backUp(staged []string) error {
	old, err := m.find(staged)
	if err != nil {
		return err
	}
	all := append(old.data, old.inTheWay...)
	if len(all) == 0 {
		return nil
	}
	if err := m.makeFolder(backup); err != nil {
		return err
	}
	// What is in a folder whose name is not on the disk would be nowhere.
	if err := m.fs.SyncDir(m.dir); err != nil {
		return err
	}
	for i, name := range all {
		if err := m.move(name, m.dir, m.folder(backup)); err != nil {
			return err
		}
		if i == 0 || i == len(all)-1 {
			if err := m.sync(m.folder(backup), m.dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveIn moves the files of a working folder to the target, main files last.
func (m *mover) moveIn(from stage) error {
	c, taken, err := m.facing(from)
	if err != nil || len(c.names) == 0 {
		return err
	}
	for _, name := range c.names {
		other := taken[dbfile.EndingOf(name)]
		if !dbfile.SameStem(name, m.base()) {
			there, err := m.exists(m.path(name))
			if err != nil {
				return err
			}
			if other = ""; there {
				other = name
			}
		}
		if other != "" {
			return fmt.Errorf("%s: is in the place of a file of %s; move one of them away", m.path(other), m.folder(from))
		}
	}
	rank := 0
	for _, name := range c.names {
		if r := m.rank(name); r > rank {
			rank = r
			if err := m.sync(m.dir, m.folder(from)); err != nil {
				return err
			}
		}
		if err := m.move(name, m.folder(from), m.dir); err != nil {
			return err
		}
	}
	return m.sync(m.dir, m.folder(from))
}

// facing returns what is in a working folder, and in the places of that, by their endings.
func (p *place) facing(s stage) (c contents, taken map[string]string, err error) {
	if c, err = p.inspect(s); err != nil || len(c.names) == 0 {
		return c, nil, err
	}
	now, err := p.find(c.names)
	taken = map[string]string{}
	for _, name := range append(now.data, now.inTheWay...) {
		taken[dbfile.EndingOf(name)] = name
	}
	return c, taken, err
}

// move moves a file or folder of the set from one folder to another.
func (m *mover) move(name, from, to string) error {
	return m.try(filepath.Join(from, name), filepath.Join(to, name))
}

// rename gives a working folder its next name.
func (m *mover) rename(from, to string) error {
	if err := m.try(from, to); err != nil {
		return err
	}
	return m.fs.SyncDir(m.dir)
}

// try renames. It takes its note first: a call that fails may have had its
// effect all the same, as on network drives.
func (m *mover) try(from, to string) error {
	m.renames = append(m.renames, [2]string{from, to})
	return m.fs.Rename(from, to)
}

// sync makes moves from one folder to another permanent, the arrival first.
func (m *mover) sync(to, from string) error {
	if err := m.fs.SyncDir(to); err != nil {
		return err
	}
	return m.fs.SyncDir(from)
}

// undo takes the renames back, last first: a new main file goes away before
// anything else, an old one comes back after everything else. Each is on the
// disk before the next, but for files beside main files, which are together.
func (m *mover) undo() error {
	for i, r := range slices.Backward(m.renames) {
		done, err := m.takeBack(r[0], r[1])
		if err == nil && done && (i == 0 || !m.areTogether(r, m.renames[i-1])) {
			err = m.sync(filepath.Dir(r[0]), filepath.Dir(r[1]))
		}
		if err != nil {
			return err
		}
	}
	// Only the empty folder goes: no file of the old set is ever deleted here. If it comes
	// back, it is empty again, or has its mark alone, and goes with the next writer.
	return m.removeEmpty(backup)
}

// areTogether reports whether it does not matter which of two renamings is on the
// disk first: those of files between the same folders, none of which is a main file.
func (m *mover) areTogether(a, b [2]string) bool {
	return m.rank(filepath.Base(a[0]))+m.rank(filepath.Base(b[0])) == 0 &&
		filepath.Dir(a[0]) == filepath.Dir(b[0]) && filepath.Dir(a[1]) == filepath.Dir(b[1]) && filepath.Dir(a[0]) != filepath.Dir(a[1])
}

// takeBack undoes a renaming unless it did not happen.
func (m *mover) takeBack(from, to string) (done bool, err error) {
	if there, err := m.exists(from); there || err != nil {
		return false, err
	}
	if there, err := m.exists(to); !there || err != nil {
		return false, err
	}
	return true, m.fs.Rename(to, from)
}

// moveBack brings what is in the backup back into its place, the main file last,
// but for what has a successor there.
func (m *mover) moveBack() error {
	c, taken, err := m.facing(backup)
	if err != nil {
		return err
	}
	for _, name := range c.names {
		if taken[dbfile.EndingOf(name)] != "" {
			continue
		}
		done, err := m.takeBack(m.path(name), filepath.Join(m.folder(backup), name))
		if err == nil && done {
			err = m.sync(m.dir, m.folder(backup))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
