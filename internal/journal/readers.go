package journal

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// Before returns the files of the machine as they were before the interrupted commit of
// which the journal lies beside the main file, for who reads them where it cannot be
// taken back: the folder, or a file that the commit was to change, is read-only. Where
// it can be, it returns nil. The journal must prove to be about the files, as for
// [Recover], which gives the same errors. Nothing is written.
func Before(files fsys.FS, main string) (fsys.ReadFS, error) {
	p, err := findPlace(files, main)
	if err != nil {
		return nil, err
	}
	isFixed := func(name string) bool { return fsys.IsReadOnly(p.fs, p.path(name)) }
	folder := fsys.IsReadOnly(p.fs, p.dir)
	names, err := p.proven()
	if err != nil || !folder && !slices.ContainsFunc(names, isFixed) {
		return nil, err
	}
	owner, err := p.owner()
	if err == nil && !p.isMain(owner) {
		err = fmt.Errorf("%s: %w: is about %s", p.journal(), model.ErrNeedsRecovery, p.path(owner))
	}
	if err != nil {
		return nil, err
	}
	p.main = owner // as it is spelt
	u, err := p.readJournal()
	if err != nil {
		return nil, err
	}
	if !folder && !slices.ContainsFunc(u.files, func(e entry) bool { return e.isChange() && isFixed(e.name) }) {
		return nil, nil
	}
	if err := p.prove(u, false); err != nil {
		return nil, err
	}
	v := &view{place: p, named: map[string]string{}, changed: map[string]*patch{}}
	for _, e := range u.names {
		v.named[e.name] = ""
		if e.kind == kindCreate {
			continue
		}
		aside, err := p.exists(e.old)
		if err != nil {
			return nil, err
		}
		if v.named[e.name] = e.name; aside {
			v.named[e.name] = e.old
		}
	}
	var last *patch
	err = p.eachEntry(func(_ *entryReader, at int64, e entry) error {
		switch {
		case e.kind == kindFile:
			last = &patch{size: e.oldSize}
			v.changed[e.name] = last
		case e.kind == kindBytes && len(e.was) > 0:
			last.blocks = append(last.blocks, block{e.at, int64(len(e.was)), at + bytesHead})
		}
		return nil
	})
	return v, err
}

// bytesHead is what precedes the old bytes in an entry of kind B.
const bytesHead = entryHead + 8 + 4

// view is the state before a commit, laid over the files that it left.
type view struct {
	place
	named   map[string]string // where the content of a file is that the commit moved; "" for one that it made
	changed map[string]*patch
}

// patch is what a file had before: its size, and bytes that are in the journal.
type patch struct {
	size   int64
	blocks []block // in their order in the file
}

// block is a part of a file, and where the journal has it.
type block struct{ at, size, from int64 }

// find returns the name of the file that has the content of another one, and what was in
// it, nil if that is what is there.
func (v *view) find(op, name string) (path string, p *patch, err error) {
	if filepath.Clean(filepath.Dir(name)) != filepath.Clean(v.dir) {
		return name, nil, nil
	}
	base := filepath.Base(name)
	has, moved := v.named[base]
	switch {
	case moved && has == "":
		return "", nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	case moved:
		return v.path(has), nil, nil
	}
	return name, v.changed[base], nil
}

// Open implements [fsys.ReadFS].
func (v *view) Open(name string) (fsys.ReadFile, error) {
	path, p, err := v.find("open", name)
	if err != nil {
		return nil, err
	}
	info, err := v.fs.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: fsys.ErrNotRegular}
	}
	if err != nil {
		return nil, err
	}
	f, err := v.fs.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	out := &viewed{File: f, patch: patch{size: info.Size()}}
	if p != nil {
		out.patch = *p
		if out.journal, err = v.fs.OpenFile(v.journal(), os.O_RDONLY, 0); err != nil {
			return nil, cmp.Or(err, f.Close())
		}
	}
	return out, nil
}

// viewed is an open file of a view.
type viewed struct {
	fsys.File
	journal fsys.File // nil if nothing of the file is in it
	patch
}

// Size implements [fsys.ReadFile].
func (f *viewed) Size() int64 { return f.size }

// Close implements [io.Closer].
func (f *viewed) Close() error {
	err := f.File.Close()
	if f.journal != nil {
		err = cmp.Or(err, f.journal.Close())
	}
	return err
}

// ReadAt implements [io.ReaderAt].
func (f *viewed) ReadAt(b []byte, at int64) (n int, err error) {
	if at < 0 || at >= f.size {
		return 0, io.EOF
	}
	short := int64(len(b)) > f.size-at
	b = b[:min(int64(len(b)), f.size-at)]
	if err := readFull(f.File, b, at); err != nil {
		return 0, err
	}
	end := at + int64(len(b))
	first, _ := slices.BinarySearchFunc(f.blocks, at, func(k block, at int64) int {
		if k.at+k.size <= at {
			return -1
		}
		return 1
	})
	for _, k := range f.blocks[first:] {
		if k.at >= end {
			break
		}
		from, to := max(k.at, at), min(k.at+k.size, end)
		if err := readFull(f.journal, b[from-at:to-at], k.from+from-k.at); err != nil {
			return 0, err
		}
	}
	if short {
		return len(b), io.EOF
	}
	return len(b), nil
}

// Stat implements [fsys.ReadFS].
func (v *view) Stat(name string) (fs.FileInfo, error) {
	path, p, err := v.find("stat", name)
	if err != nil {
		return nil, err
	}
	info, err := v.fs.Stat(path)
	if err != nil {
		return nil, err
	}
	return described(info, filepath.Base(name), p), nil
}

// described returns what is said of a file that had another name or size.
func described(info fs.FileInfo, name string, p *patch) fs.FileInfo {
	size := info.Size()
	if p != nil {
		size = p.size
	}
	return viewedInfo{info, name, size}
}

type viewedInfo struct {
	fs.FileInfo
	name string
	size int64
}

// Name and Size implement [fs.FileInfo].
func (i viewedInfo) Name() string { return i.name }
func (i viewedInfo) Size() int64  { return i.size }

// ReadDir implements [fsys.ReadFS].
func (v *view) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := v.fs.ReadDir(name)
	if err != nil || filepath.Clean(name) != filepath.Clean(v.dir) {
		return entries, err
	}
	was := map[string]string{} // names of files that have others now
	for name, has := range v.named {
		was[has] = name
	}
	list := entries[:0]
	for _, e := range entries {
		name, patch := e.Name(), v.changed[e.Name()]
		if other, is := was[name]; is {
			name = other
		} else if _, moved := v.named[name]; moved {
			continue
		}
		if name != e.Name() || patch != nil {
			info, err := e.Info()
			if err != nil {
				return nil, err
			}
			e = fs.FileInfoToDirEntry(described(info, name, patch))
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}
