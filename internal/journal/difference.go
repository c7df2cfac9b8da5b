package journal

import (
	"errors"
	"io/fs"
)

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
