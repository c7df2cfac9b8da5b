package ctgwrite

import "cbkit/internal/atomicset"

// WithFiles returns options for writing in another file system than the
// machine's.
func WithFiles(opt Options, files atomicset.FS) Options {
	opt.files = files
	return opt
}
