package ctgwrite

import (
	"cbkit/internal/atomicset"
	"cbkit/internal/ctg"
	"cbkit/internal/fsys"
	"cbkit/model"
)

// Recover completes or takes back a replacement of the book at path that was
// interrupted, so that one complete book is there. Without such a replacement
// it does nothing. It returns what it did, whose String says it in a few words;
// the error is model.ErrLocked while somebody writes the book.
func Recover(path string, opt model.RecoverOptions) (model.Recovery, error) {
	return atomicset.Recover(fsys.OS{}, mainPath(path), atomicset.Options{Extensions: setExtensions, Proves: isMain, Force: opt.Force})
}

// isMain reports whether a .ctg file that begins so is one.
func isMain(head []byte) bool {
	_, err := ctg.DecodeHeader(head)
	return err == nil
}
