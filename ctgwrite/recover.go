package ctgwrite

import (
	"cbkit/internal/atomicset"
	"cbkit/internal/fsys"
)

// Recover completes or takes back a replacement of the book at path that was
// interrupted, so that one complete book is there. Without such a replacement
// it does nothing. It must not run while the book is being written. It returns
// what it did, whose String says it in a few words.
func Recover(path string) (atomicset.Outcome, error) {
	return atomicset.Recover(fsys.OS{}, mainPath(path), setExtensions)
}
