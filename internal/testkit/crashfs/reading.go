package crashfs

import "io/fs"

// Open implements [fs.FS], for readers.
func (f *FS) Open(name string) (fs.File, error) {
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	in, err := f.OpenFile(name, 0, 0)
	if err != nil {
		return nil, err
	}
	return reading{in.(*file), info}, nil
}

// reading is an open file that is read.
type reading struct {
	*file
	info fs.FileInfo
}

// Stat implements [fs.File].
func (r reading) Stat() (fs.FileInfo, error) { return r.info, nil }
