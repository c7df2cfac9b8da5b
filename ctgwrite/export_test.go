package ctgwrite

import "cbkit/internal/fsys"

// WithFiles returns options for writing in another file system than the
// machine's.
func WithFiles(opt Options, files fsys.FS) Options {
	opt.files = files
	return opt
}

// WithEditFiles is WithFiles for editing.
func WithEditFiles(opt EditOptions, files fsys.FS) EditOptions {
	opt.files = files
	return opt
}
