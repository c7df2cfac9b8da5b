package journal

import (
	"cbkit/internal/fsys"
)

// tailSize is how many bytes are collected at the end of a new file before they are
// written.
const tailSize = 1 << 16

// Stage returns a set of new files in the making: create makes one of a name beside the
// main file, and the one that asks for the set puts them in place when [Set.Complete] has
// closed them. Nothing is there to be locked or taken back, and there is no commit.
func Stage(files fsys.FS, main string, create func(name string) (fsys.File, error)) (*Set, error) {
	p, err := findPlace(files, main)
	if err != nil {
		return nil, err
	}
	s := &Set{place: p, stage: create}
	s.pool = pool{set: s, limit: defaultMemory / pageSize}
	return s, nil
}

// Complete writes what was collected of new files and closes them.
func (s *Set) Complete() error {
	for _, f := range s.files {
		if err := f.flush(); err != nil {
			return err
		}
		if err := f.close(); err != nil {
			return err
		}
		f.tail = nil
	}
	return nil
}

// collect adds bytes behind the end of a new file.
func (f *File) collect(b []byte) (int, error) {
	for done := 0; done < len(b); {
		n := min(len(b)-done, tailSize-len(f.tail))
		f.tail = append(f.tail, b[done:done+n]...)
		f.size += int64(n)
		if done += n; len(f.tail) < tailSize {
			break
		}
		if err := f.flush(); err != nil {
			return done, err
		}
	}
	return len(b), nil
}

// flush writes what was collected.
func (f *File) flush() error {
	if len(f.tail) == 0 {
		return nil
	}
	h, err := f.open()
	if err == nil {
		_, err = h.WriteAt(f.tail, f.size-int64(len(f.tail)))
	}
	f.tail = f.tail[:0]
	return err
}

// reach writes what was collected if a part of the file up to a place is asked for that
// has some of it.
func (f *File) reach(end int64) error {
	if end <= f.size-int64(len(f.tail)) {
		return nil
	}
	return f.flush()
}
