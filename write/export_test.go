package write

import (
	"time"

	"cbkit/internal/fsys"
)

// IsInPlace reports whether a commit was done, whether it stays so or not.
var IsInPlace = isInPlace

// OnDisk are options of an editor on a disk of a test, with the clock of its change times.
func (opt EditOptions) OnDisk(files fsys.FS, changed func() time.Time) EditOptions {
	opt.files, opt.changed = files, changed
	return opt
}
