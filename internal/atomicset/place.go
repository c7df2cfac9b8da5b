package atomicset

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"cbkit/internal/dbfile"
	"cbkit/internal/fsys"
)

// MainFile returns the main file of the set that path names by any of its files
// or by their name without an ending. Extensions are those of [Options]. Nothing
// else counts as an ending: in "Mega.2024" the dot belongs to the name. The main
// file has its extension as it is given here, whatever its case in path.
func MainFile(path, extension string, extensions []string) string {
	if stem, ending := dbfile.Split(path); slices.Contains(endingsOf(extensions), ending) {
		path = stem
	}
	return path + "." + extension
}

// endingsOf returns extensions as package dbfile has them.
func endingsOf(extensions []string) (endings []string) {
	for _, e := range extensions {
		endings = append(endings, dbfile.ParseEnding(e))
	}
	return endings
}

// place is where a set of files is.
type place struct {
	fs      fsys.FS
	dir     string   // the target's folder
	main    string   // the main file's name in it
	endings []string // of data, the main file's among them
	own     []string
	members []string               // see Options; what a folder holds is in its mark
	proves  func(head []byte) bool // nil if every main file proves a set
}

func newPlace(files fsys.FS, main string, opt *Options) place {
	return place{
		fs: files, dir: filepath.Dir(main), main: filepath.Base(main),
		endings: append(endingsOf(opt.Extensions), dbfile.EndingOf(main)),
		own:     endingsOf(opt.Own),
		members: opt.Members,
		proves:  opt.Proves,
	}
}

func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

// base is the name of all files of the set without their endings.
func (p *place) base() string {
	stem, _ := dbfile.Split(p.main)
	return stem
}

func (p *place) exists(name string) (bool, error) {
	_, err := p.fs.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// isMain reports whether a name of the set's is that of its main file.
func (p *place) isMain(name string) bool { return dbfile.SameName(name, p.main) }

// isMember reports whether a file of the set's name makes way for a new set.
func (p *place) isMember(name string) bool { return dbfile.Is(name, p.endings...) }

// isData reports whether it also goes away then.
func (p *place) isData(name string) bool {
	return p.isMember(name) && !dbfile.Is(name, p.own...)
}

// found is what is in the target's folder.
type found struct {
	names *dbfile.Names
	main  string   // the main file, as it is spelt; "" if there is none
	data  []string // files with the endings of data, the main file first
	// inTheWay is what else has the name of something in the new set, and what is
	// the user's.
	inTheWay []string
	// twins have the endings of data, and a name that differs from the set's in
	// upper and lower case alone.
	twins []string
	// lent says that the main file by which the name asked for is understood is a
	// twin's.
	lent bool
	// edited says that an edit in place has left working files.
	edited bool
}

// find looks for what makes way for a set with the given names.
func (p *place) find(staged []string) (f found, err error) {
	entries, err := p.list()
	if err != nil {
		return f, err
	}
	byName := map[string]fs.DirEntry{}
	for _, e := range entries {
		byName[e.Name()] = e
	}
	names := slices.Sorted(maps.Keys(byName))
	takes := func(ending string) bool {
		return slices.Contains(p.endings, ending) || slices.ContainsFunc(staged, func(s string) bool { return dbfile.SameStem(s, p.base()) && dbfile.Is(s, ending) })
	}
	old, err := dbfile.Find(p.path(p.main), names, takes)
	if err != nil {
		return f, err
	}
	// A main file that is spelt otherwise is another one, or there is none: then
	// what is spelt as it is asked for is in the way, and nothing else.
	var own, twins []string
	for _, name := range names {
		if !dbfile.SameStem(name, p.base()) || !takes(dbfile.EndingOf(name)) {
			continue
		}
		// Another spelling is that of the same file where the file system ignores case.
		stem, _ := dbfile.Split(name)
		asked := p.base() + name[len(stem):]
		same, err := name == asked, error(nil)
		if !same && byName[asked] == nil {
			same, err = p.exists(p.path(asked))
		}
		if err != nil {
			return f, err
		}
		if same {
			own = append(own, name)
		} else {
			twins = append(twins, name)
		}
	}
	ending := dbfile.EndingOf(p.main)
	f.lent = old.Has(ending) && !slices.Contains(own, old.Main)
	if !old.Has(ending) || f.lent {
		if old, err = dbfile.Find(p.path(p.main), own, takes); err != nil {
			return f, err
		}
	}
	f.names = old
	f.edited = slices.ContainsFunc(names, func(name string) bool { of, is := old.WorksOn(name); return is && of != old.Stem })
	for _, ending := range old.Endings() {
		switch name := old.Name(ending); {
		case !isFile(byName[name].Type()) || !p.isData(name): // a folder is no data
			f.inTheWay = append(f.inTheWay, name)
		case p.isMain(name):
			f.main, f.data = name, slices.Insert(f.data, 0, name)
		default:
			f.data = append(f.data, name)
		}
	}
	for _, name := range twins {
		if !old.Belongs(name) && p.isMember(name) {
			f.twins = append(f.twins, name)
		}
	}
	return f, nil
}

// list lists the target's folder, or what of it can be of the set.
func (p *place) list() ([]fs.DirEntry, error) {
	if l, is := p.fs.(listed); is {
		return l.named(p.main)
	}
	return p.fs.ReadDir(p.dir)
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
