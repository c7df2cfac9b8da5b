package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"cbkit/internal/fsys"
	"cbkit/model"
)

// span is a part of a file.
type span struct{ at, end int64 }

// edit is what a commit does to a file whose bytes are changed in place.
type edit struct {
	file *File
	// spans are the parts to be written, in order, of which those below the
	// old size differ from what is there.
	spans []span
	out   fsys.File // open for writing
}

// plan is what a commit does.
type plan struct {
	edits []edit
	names []*File // that come, give way to others, or go
	main  fs.FileInfo
	// entries are what the folder has.
	entries []fs.DirEntry
}

// finished are the files that get their content as a whole.
func (p *plan) finished() []*File {
	return slices.DeleteFunc(slices.Clone(p.names), func(f *File) bool { return f.work == "" })
}

// aside are the files that are in the way, or not wanted any more.
func (p *plan) aside() []*File {
	return slices.DeleteFunc(slices.Clone(p.names), func(f *File) bool { return !f.exists })
}

// plan compares what is to be with what is.
func (s *Set) plan() (*plan, error) {
	p := &plan{}
	var err error
	if p.entries, err = s.fs.ReadDir(s.dir); err != nil {
		return nil, err
	}
	for _, f := range s.files {
		if f.temp {
			continue
		}
		there := slices.ContainsFunc(p.entries, func(e fs.DirEntry) bool { return e.Name() == f.name })
		same := there == f.exists
		if there && same {
			info, err := s.fs.Stat(s.path(f.name))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			same = err == nil && info.Size() == f.old && info.ModTime().Equal(f.changed)
			if f.info = info; f.name == s.main {
				p.main = info
			}
		}
		if !same {
			return nil, fmt.Errorf("%s: %w by another program in the meantime; nothing was written", s.path(f.name), model.ErrChanged)
		}
		if f.work != "" || f.dropped && f.exists {
			if err := f.flush(); err != nil {
				return nil, err
			}
			p.names = append(p.names, f)
			continue
		}
		spans, err := f.spans()
		if err != nil {
			return nil, err
		}
		if len(spans) > 0 || f.size != f.old {
			p.edits = append(p.edits, edit{file: f, spans: spans})
		}
	}
	if p.main == nil && len(p.edits)+len(p.names) > 0 {
		p.main, err = s.fs.Stat(s.path(s.main))
	}
	return p, err
}

// open opens all files that will be changed, so that one that may not be written
// to, or that has other names which would change with it, is noticed before
// anything is.
func (p *plan) open() (err error) {
	for i := range p.edits {
		f := p.edits[i].file
		if err := fsys.RefuseLinked(f.set.path(f.name), f.info); err != nil {
			return err
		}
		if p.edits[i].out, err = f.writable(); err != nil {
			return err
		}
	}
	for _, f := range p.aside() {
		h, err := f.writable()
		if err == nil {
			err = h.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// close closes what was opened and not closed since. What was written is synced
// by then, or taken back.
func (p *plan) close() {
	for i := range p.edits {
		if h := p.edits[i].out; h != nil {
			_ = h.Close()
		}
	}
}

// writable opens the file on the disk for writing. One without any permission for
// that is refused to all, also to those whom the system would let.
func (f *File) writable() (fsys.File, error) {
	name := f.set.path(f.name)
	if f.info.Mode().Perm()&0o222 == 0 {
		return nil, &fs.PathError{Op: "change", Path: name, Err: fs.ErrPermission}
	}
	return f.set.fs.OpenFile(name, os.O_RDWR, 0)
}

// spans returns what of the file must be written: the smallest part of each page that
// differs from what is on the disk, and what lies behind the end of that.
func (f *File) spans() ([]span, error) {
	if f.compared {
		return f.parts, nil
	}
	var list []span
	add := func(at, end int64) {
		if n := len(list); n > 0 && list[n-1].end == at {
			list[n-1].end = end
			return
		}
		list = append(list, span{at, end})
	}
	is, was := make([]byte, pageSize), make([]byte, pageSize)
	for _, n := range slices.Sorted(maps.Keys(f.pages)) {
		at := n * pageSize
		end := min(at+pageSize, f.size)
		middle := min(max(f.old, at), end) // old bytes before, new ones behind
		is, was := is[:middle-at], was[:middle-at]
		if err := f.readBoth(at, is, was); err != nil {
			return nil, err
		}
		if !bytes.Equal(is, was) {
			from, to := 0, len(is)
			for is[from] == was[from] {
				from++
			}
			for is[to-1] == was[to-1] {
				to--
			}
			add(at+int64(from), at+int64(to))
		}
		if middle < end {
			add(middle, end)
		}
	}
	f.parts, f.compared = list, true
	return list, nil
}

// readBoth reads what a part of the file is to be and what it is on the disk.
func (f *File) readBoth(at int64, to, is []byte) error {
	if len(to) == 0 {
		return nil
	}
	if err := f.readPages(to, at); err != nil {
		return err
	}
	h, err := f.open()
	if err != nil {
		return err
	}
	return readFull(h, is, at)
}

// IsChanged reports whether a commit would change anything now.
func (s *Set) IsChanged() (bool, error) {
	for _, f := range s.files {
		if f.temp {
			continue
		}
		if changed, err := f.IsChanged(); changed || err != nil {
			return changed, err
		}
	}
	return false, nil
}

// IsChanged reports whether a commit would change the file now.
func (f *File) IsChanged() (bool, error) {
	if f.work != "" || f.dropped && f.exists || f.size != f.old {
		return true, nil
	}
	parts, err := f.spans()
	return len(parts) > 0, err
}

// IsNew reports whether the content as a whole is a new one.
func (f *File) IsNew() bool { return f.work != "" }

// OldSize returns the size before the transaction, 0 if the file was not there.
func (f *File) OldSize() int64 { return f.old }

// ReadOld fills b with what was in the file before the transaction.
func (f *File) ReadOld(b []byte, at int64) error {
	switch {
	case !f.exists:
		return &fs.PathError{Op: "read", Path: f.set.path(f.name), Err: fs.ErrNotExist}
	case f.work != "":
		return errors.New("the file is another one already")
	}
	h, err := f.open()
	if err != nil {
		return err
	}
	return readFull(h, b, at)
}

// Differences calls do with the parts of the file that differ from what was there
// before, in order, as far as there were bytes before and are now: was and is
// have the same length, and lie in one page of 4 KiB. A file that IsNew has none.
func (f *File) Differences(do func(at int64, was, is []byte) error) error {
	if f.work != "" {
		return nil
	}
	parts, err := f.spans()
	if err != nil {
		return err
	}
	was, is := make([]byte, pageSize), make([]byte, pageSize)
	for _, part := range parts {
		end := min(part.end, f.old)
		for at := part.at; at < end; {
			n := min(end, (at/pageSize+1)*pageSize) - at
			if err := f.readBoth(at, is[:n], was[:n]); err != nil {
				return err
			}
			if err := do(at, was[:n], is[:n]); err != nil {
				return err
			}
			at += n
		}
	}
	return nil
}
