package atomicset

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/internal/fsys"
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
	own        []string
	proves     func(head []byte) bool // nil if every main file proves a set
}

func newPlace(files fsys.FS, main string, opt *Options) place {
	return place{
		fs: files, dir: filepath.Dir(main), main: filepath.Base(main),
		extensions: append(slices.Clone(opt.Extensions), strings.TrimPrefix(filepath.Ext(main), ".")),
		own:        opt.Own,
		proves:     opt.Proves,
	}
}

func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

// base is the name of all files of the set without their endings.
func (p *place) base() string { return strings.TrimSuffix(p.main, filepath.Ext(p.main)) }

func (p *place) exists(name string) (bool, error) {
	_, err := p.fs.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// isMain reports whether a name of the set's is that of its main file.
func (p *place) isMain(name string) bool { return strings.EqualFold(name, p.main) }

// isMember reports whether a file of the set's name makes way for a new set.
func (p *place) isMember(name string) bool { return isOneOf(p.extensions, filepath.Ext(name)) }

// isData reports whether it also goes away then.
func (p *place) isData(name string) bool {
	return p.isMember(name) && !isOneOf(p.own, filepath.Ext(name))
}

// found is what is in the target's folder.
type found struct {
	main string   // the main file, as it is spelt; "" if there is none
	data []string // files with the endings of data, the main file first
	// inTheWay is what else has the name of something in the new set, and what is
	// the user's.
	inTheWay []string
	// twins have the endings of data, and a name that differs from the set's in
	// upper and lower case alone.
	twins []string
}

// find looks for what makes way for a set with the given names.
func (p *place) find(staged []string) (f found, err error) {
	entries, err := p.fs.ReadDir(p.dir)
	if err != nil {
		return f, err
	}
	listed := map[string]bool{}
	for _, e := range entries {
		listed[e.Name()] = true
	}
	seen := map[string]string{}
	for _, e := range entries {
		name := e.Name()
		isStaged := slices.ContainsFunc(staged, func(s string) bool { return strings.EqualFold(s, name) })
		ext := filepath.Ext(name)
		stem := strings.TrimSuffix(name, ext)
		if !strings.EqualFold(stem, p.base()) || !isStaged && !p.isMember(name) {
			continue
		}
		same, err := p.isSpelling(name, p.base()+ext, listed)
		if err != nil {
			return f, err
		}
		if !same {
			if p.isMember(name) {
				f.twins = append(f.twins, name)
			}
			continue
		}
		if other := seen[strings.ToLower(name)]; other != "" {
			return f, fmt.Errorf("%s: differs from %s in upper and lower case alone; give one of them another name", p.path(name), other)
		}
		seen[strings.ToLower(name)] = name
		f.add(p, e)
	}
	return f, nil
}

// isSpelling reports whether a name in a folder is another spelling of the name
// that it is asked for: the same file, where the file system ignores case.
func (p *place) isSpelling(name, asked string, listed map[string]bool) (bool, error) {
	if name == asked || listed[asked] {
		return name == asked, nil
	}
	return p.exists(p.path(asked))
}

// add adds something that has a name of the set. A folder is no data.
func (f *found) add(p *place, e fs.DirEntry) {
	name := e.Name()
	switch {
	case !isFile(e.Type()) || !p.isData(name):
		f.inTheWay = append(f.inTheWay, name)
	case p.isMain(name):
		f.main = name
		f.data = slices.Insert(f.data, 0, name)
	default:
		f.data = append(f.data, name)
	}
}

// isFile reports whether something is a file, or a link, which can be removed
// without harm to what it leads to.
func isFile(kind fs.FileMode) bool { return kind.Type()&^fs.ModeSymlink == 0 }

// proofSize is how much of a main file is looked at.
const proofSize = 4096

// proven reports whether a main file proves that there is a set.
func (p *place) proven(path string) (bool, error) {
	if p.proves == nil {
		return true, nil
	}
	info, err := p.fs.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return false, nil // a link that leads nowhere, or to something else
	}
	if err != nil {
		return false, err
	}
	f, err := p.fs.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	head := make([]byte, min(proofSize, info.Size()))
	_, err = f.ReadAt(head, 0)
	if err = cmp.Or(err, f.Close()); err != nil {
		return false, err
	}
	return p.proves(head), nil
}

// mainExists reports whether the main file is in place, however it is spelt.
func (p *place) mainExists() (bool, error) {
	f, err := p.find(nil)
	return f.main != "", err
}
