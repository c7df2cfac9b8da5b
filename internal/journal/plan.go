package journal

import (
	"bytes"
	"cmp"
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
	edits                      []edit
	replaced, created, dropped []*File
}

// isEmpty reports whether nothing is to be done.
func (p *plan) isEmpty() bool {
	return len(p.edits) == 0 && !p.changesNames()
}

// finished are the files that get their content as a whole.
func (p *plan) finished() []*File { return slices.Concat(p.replaced, p.created) }

// aside are the files that are in the way, or not wanted any more.
func (p *plan) aside() []*File { return slices.Concat(p.replaced, p.dropped) }

// changesNames reports whether entries of the folder change.
func (p *plan) changesNames() bool {
	return len(p.replaced)+len(p.created)+len(p.dropped) > 0
}

// plan compares what is to be with what is.
func (s *Set) plan() (*plan, error) {
	p := &plan{}
	for _, f := range s.files {
		if f.temp {
			continue
		}
		if err := f.unchanged(); err != nil {
			return nil, err
		}
		switch {
		case f.work != "" && f.exists:
			p.replaced = append(p.replaced, f)
		case f.work != "":
			p.created = append(p.created, f)
		case f.dropped && f.exists:
			p.dropped = append(p.dropped, f)
		default:
			spans, err := f.spans()
			if err != nil {
				return nil, err
			}
			if len(spans) > 0 || f.size != f.old {
				p.edits = append(p.edits, edit{file: f, spans: spans})
			}
		}
	}
	return p, nil
}

// open opens all files that will be changed, so that one that may not be written
// to, or that has other names which would change with it, is noticed before
// anything is.
func (p *plan) open() (err error) {
	for i := range p.edits {
		f := p.edits[i].file
		if err := fsys.RefuseLinked(f.set.fs, f.set.path(f.name)); err != nil {
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
// that is refused to everybody, also to those whom the system would let.
func (f *File) writable() (fsys.File, error) {
	name := f.set.path(f.name)
	info, err := f.set.fs.Stat(name)
	if err == nil && info.Mode().Perm()&0o222 == 0 {
		err = &fs.PathError{Op: "change", Path: name, Err: fs.ErrPermission}
	}
	if err != nil {
		return nil, err
	}
	return f.set.fs.OpenFile(name, os.O_RDWR, 0)
}

// unchanged returns an error if somebody else has changed the file.
func (f *File) unchanged() error {
	info, err := f.set.fs.Stat(f.set.path(f.name))
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !missing:
		return err
	case missing != !f.exists, !missing && (info.Size() != f.old || !info.ModTime().Equal(f.changed)):
		return fmt.Errorf("%s: %w by another program in the meantime; nothing was written", f.set.path(f.name), model.ErrChanged)
	}
	return nil
}

// spans returns what of the file must be written.
func (f *File) spans() (list []span, err error) {
	if !f.compared {
		if f.parts, err = f.compare(); err != nil {
			return nil, err
		}
		f.compared = true
	}
	return f.parts, nil
}

// compare compares the pages with what is on the disk.
func (f *File) compare() ([]span, error) {
	var list []span
	add := func(at, end int64) {
		if n := len(list); n > 0 && list[n-1].end == at {
			list[n-1].end = end
			return
		}
		list = append(list, span{at, end})
	}
	numbers := slices.Collect(maps.Keys(f.pages))
	slices.SortFunc(numbers, cmp.Compare)
	data, was := make([]byte, pageSize), make([]byte, pageSize)
	for _, n := range numbers {
		at := n * pageSize
		end := min(at+pageSize, f.size)
		middle := min(max(f.old, at), end) // old bytes before, new ones behind
		if at < middle {
			if err := f.readBoth(at, data[:middle-at], was[:middle-at]); err != nil {
				return nil, err
			}
			if from, to := difference(data[:middle-at], was[:middle-at]); from < to {
				add(at+from, at+to)
			}
		}
		if middle < end {
			add(middle, end)
		}
	}
	return list, nil
}

// readBoth reads what a part of the file is to be and what it is on the disk.
func (f *File) readBoth(at int64, to, is []byte) error {
	if err := f.readPages(to, at); err != nil {
		return err
	}
	h, err := f.open()
	if err != nil {
		return err
	}
	return readFull(h, is, at)
}

// difference returns the smallest part in which a and b, of the same length,
// differ.
func difference(a, b []byte) (from, to int64) {
	if bytes.Equal(a, b) {
		return 0, 0
	}
	n := len(a)
	first, last := 0, n-1
	for a[first] == b[first] {
		first++
	}
	for a[last] == b[last] {
		last--
	}
	return int64(first), int64(last + 1)
}
