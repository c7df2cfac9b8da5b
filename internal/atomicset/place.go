package atomicset

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/internal/fsys"
)

// stage is the last part of the name of a working folder.
type stage string

const (
	writing  stage = ".cbkit-writing"
	complete stage = ".cbkit-complete"
	moving   stage = ".cbkit-moving"
	backup   stage = ".cbkit-backup"
)

// MainFile returns the main file of the set that path names by any of its files
// or by their name without an ending. Extensions are those of [Options]. Nothing
// else counts as an ending: in "Mega.2024" the dot belongs to the name. The main
// file has its extension as it is given here, whatever its case in path.
func MainFile(path, extension string, extensions []string) string {
	ext := filepath.Ext(path)
	if isOneOf(extensions, ext) {
		path = strings.TrimSuffix(path, ext)
	}
	return path + "." + extension
}

// isOneOf reports whether an extension with its dot is one of a list without.
func isOneOf(extensions []string, ext string) bool {
	return slices.ContainsFunc(extensions, func(e string) bool { return strings.EqualFold("."+e, ext) })
}

// place is where a set of files is.
type place struct {
	fs         fsys.FS
	dir        string // the target's folder
	main       string // the main file's name in it
	extensions []string
	force      bool
}

func newPlace(files fsys.FS, main string, extensions []string) place {
	return place{
		fs: files, dir: filepath.Dir(main), main: filepath.Base(main),
		extensions: append(slices.Clone(extensions), strings.TrimPrefix(filepath.Ext(main), ".")),
	}
}

func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

func (p *place) folder(s stage) string { return p.path(p.main + string(s)) }

func (p *place) exists(name string) (bool, error) {
	_, err := p.fs.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// leftovers returns the first working folder that is there, "" if none is.
func (p *place) leftovers() (string, error) {
	for _, s := range []stage{writing, complete, moving, backup} {
		if there, err := p.exists(p.folder(s)); there || err != nil {
			return p.folder(s), err
		}
	}
	return "", nil
}

// members lists what is in the target's folder and belongs to the set, or
// has one of the extra names; the main file comes first.
func (p *place) members(extra []string) ([]string, error) {
	entries, err := p.fs.ReadDir(p.dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		sameName := func(s string) bool { return strings.EqualFold(s, name) }
		switch {
		case strings.EqualFold(name, p.main):
			names = slices.Insert(names, 0, name)
		case p.belongs(name) || slices.ContainsFunc(extra, sameName):
			names = append(names, name)
		}
	}
	return names, nil
}

func (p *place) belongs(name string) bool {
	ext := filepath.Ext(name)
	base := strings.TrimSuffix(p.main, filepath.Ext(p.main))
	return strings.EqualFold(strings.TrimSuffix(name, ext), base) && isOneOf(p.extensions, ext)
}

// names lists a working folder, with the main file at the end. A folder that
// is not there is empty.
func (p *place) names(s stage) ([]string, error) {
	entries, err := p.fs.ReadDir(p.folder(s))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	main := ""
	for _, e := range entries {
		if strings.EqualFold(e.Name(), p.main) {
			main = e.Name()
			continue
		}
		names = append(names, e.Name())
	}
	if main != "" {
		names = append(names, main)
	}
	return names, nil
}

// removeAll deletes a folder and what is in it; a folder that is not there is
// no error. Folders in folders are followed one by one, however deep.
func (p *place) removeAll(root string) error {
	folders := []string{root}
	for i := 0; i < len(folders); i++ {
		entries, err := p.fs.ReadDir(folders[i])
		if i == 0 && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
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
