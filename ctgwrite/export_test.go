package ctgwrite

import "cbkit/internal/fsys"

// WithEditFiles returns options for editing in another file system than the machine's.
func WithEditFiles(opt EditOptions, files fsys.FS) EditOptions {
	opt.files = files
	return opt
}
