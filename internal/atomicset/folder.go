package atomicset

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/internal/dbfile"
)

// stage is the last part of the name of a working folder.
type stage string

const (
	writing  stage = dbfile.SuffixWriting
	complete stage = dbfile.SuffixComplete
	moving   stage = dbfile.SuffixMoving
	backup   stage = dbfile.SuffixBackup
)

var stages = []stage{writing, complete, moving, backup}

// markName is the file that marks a working folder.
const markName = "cbkit-folder"

// mark is what the file says. Lines with the names of [Options].Members follow.
func (p *place) mark() string {
	return fmt.Sprintf("cbkit made this folder while it was replacing %s. \"cbkit recover\" clears it.\n", p.main)
}

// maxMark is more than the names of as many members have as archives can hold.
const maxMark = 64 << 20

// isMemberName reports whether a set of any name may have such a member: no name that
// leads elsewhere, is hidden, or is one of our own.
func isMemberName(name string) bool {
	return name != "" && name[0] != '.' && !strings.ContainsAny(name, "/\\\n") && filepath.IsLocal(name) &&
		name != markName && !dbfile.MayBeOurOwn(name)
}

func (p *place) folder(s stage) string { return p.path(p.main + string(s)) }

// leftovers returns the first working folder that is there, ours or not, ""
// if none is.
func (p *place) leftovers() (string, error) {
	for _, s := range stages {
		if there, err := p.exists(p.folder(s)); there || err != nil {
			return p.folder(s), err
		}
	}
	return "", nil
}

// makeFolder makes a working folder and marks it, on the disk. One that is there
// must be ours.
func (p *place) makeFolder(s stage) error {
	if err := p.fs.Mkdir(p.folder(s), 0o777); err != nil && (s == writing || !errors.Is(err, fs.ErrExist)) {
		return err
	}
	name := filepath.Join(p.folder(s), markName)
	if there, err := p.exists(name); there || err != nil {
		return err
	}
	f, err := p.fs.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	text := p.mark()
	if s == writing && len(p.members) > 0 {
		text += strings.Join(p.members, "\n") + "\n"
	}
	_, err = io.WriteString(f, text)
	if err := cmp.Or(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return p.fs.SyncDir(p.folder(s))
}

// contents is what is in a working folder.
type contents struct {
	there bool
	main  string   // the main file, "" if it is not there
	names []string // all but the mark, main files last, and that of the set behind the others
	types map[string]fs.FileMode
}

// rank says when a name of a set takes its place: main files come after all others,
// the set's own at last.
func (p *place) rank(name string) int {
	switch {
	case p.isMain(name):
		return 2
	case dbfile.FormatOf(dbfile.EndingOf(name)) != nil:
		return 1
	}
	return 0
}

// inspect lists a working folder. It returns an error if it is not ours.
func (p *place) inspect(s stage) (c contents, err error) {
	folder := p.folder(s)
	info, err := p.fs.Lstat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err != nil:
		return c, err
	case !info.IsDir():
		return c, fmt.Errorf("%s: is no folder that cbkit made; move it away", folder)
	}
	entries, err := p.fs.ReadDir(folder)
	if err != nil {
		return c, err
	}
	c.there, c.types = true, map[string]fs.FileMode{}
	if len(entries) == 0 {
		return c, nil
	}
	members, marked, err := p.readMark(folder)
	if err != nil {
		return c, err
	}
	for _, e := range entries {
		name := e.Name()
		if name == markName && marked {
			continue
		}
		if !marked || !dbfile.SameStem(name, p.base()) && !members[name] {
			return c, fmt.Errorf("%s: holds %s, which cbkit did not put there; move that away", folder, name)
		}
		c.types[name] = e.Type()
		if isFile(e.Type()) && p.isMain(name) {
			c.main = name
		}
		c.names = append(c.names, name)
	}
	slices.SortStableFunc(c.names, func(a, b string) int { return cmp.Compare(p.rank(a), p.rank(b)) })
	return c, nil
}

// readMark reports whether the mark in a folder is ours, and which members of other
// names it allows there. One that was not written to its end is ours, and so is one of
// which the disk has only parts, between zeros.
func (p *place) readMark(folder string) (members map[string]bool, marked bool, err error) {
	name := filepath.Join(folder, markName)
	info, err := p.fs.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxMark {
		return nil, false, err
	}
	f, err := p.fs.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, false, err
	}
	text, err := io.ReadAll(io.LimitReader(f, info.Size()))
	if err = cmp.Or(err, f.Close()); err != nil {
		return nil, false, err
	}
	if bytes.IndexByte(text, 0) >= 0 {
		for i := range min(len(text), len(p.mark())) {
			if text[i] != 0 && text[i] != p.mark()[i] {
				return nil, false, nil
			}
		}
		return nil, true, nil
	}
	lines, marked := strings.CutPrefix(string(text), p.mark())
	if !marked {
		return nil, strings.HasPrefix(p.mark(), string(text)), nil
	}
	members = map[string]bool{}
	for line := range strings.Lines(lines) {
		name, whole := strings.CutSuffix(line, "\n")
		if whole && !isMemberName(name) {
			return nil, false, nil
		}
		members[name] = whole
	}
	return members, true, nil
}

// unmark removes the mark from a folder, which is not ours from then on.
func (p *place) unmark(folder string) error {
	err := p.fs.Remove(filepath.Join(folder, markName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// keptFolders returns the names of all folders with kept files, and that of the next.
func (p *place) keptFolders() (folders []string, next string, err error) {
	for {
		next = p.path(dbfile.KeptFolder(p.main, len(folders)+1))
		if there, err := p.exists(next); !there || err != nil {
			return folders, next, err
		}
		folders = append(folders, next)
	}
}

// removeFolder deletes a working folder of ours and what is in it, the mark
// last; one that is not there is no error.
func (p *place) removeFolder(s stage) error {
	c, err := p.inspect(s)
	if err != nil || !c.there {
		return err
	}
	for _, name := range c.names {
		path := filepath.Join(p.folder(s), name)
		if c.types[name].IsDir() {
			err = p.removeAll(path)
		} else {
			err = p.fs.Remove(path)
		}
		if err != nil {
			return err
		}
	}
	return p.removeEmpty(s)
}

// removeEmpty deletes a working folder of ours that holds no more than its mark;
// one that is not there is no error.
func (p *place) removeEmpty(s stage) error {
	c, err := p.inspect(s)
	if err != nil || !c.there {
		return err
	}
	if len(c.names) > 0 {
		return fmt.Errorf("%s: still holds %s", p.folder(s), c.names[0])
	}
	// Whichever process removed what was in it: if it came back in a folder without a mark it would
	// not be ours.
	if err := p.fs.SyncDir(p.folder(s)); err != nil {
		return err
	}
	if err := p.unmark(p.folder(s)); err != nil {
		return err
	}
	return p.fs.Remove(p.folder(s))
}

// removeAll deletes a folder and what is in it. Folders in folders are followed
// one by one, however deep; links are not.
func (p *place) removeAll(root string) error {
	folders := []string{root}
	for i := 0; i < len(folders); i++ {
		entries, err := p.fs.ReadDir(folders[i])
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := filepath.Join(folders[i], e.Name())
			if e.IsDir() {
				folders = append(folders, name)
			} else if err := p.fs.Remove(name); err != nil {
				return err
			}
		}
	}
	for _, dir := range slices.Backward(folders) {
		if err := p.fs.Remove(dir); err != nil {
			return err
		}
	}
	return nil
}
