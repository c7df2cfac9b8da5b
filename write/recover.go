package write

import (
	"cbkit/internal/atomicset"
	"cbkit/internal/cbh"
	"cbkit/internal/fsys"
)

// Recover completes or takes back a replacement of the database at path that
// was interrupted, by a crash or a full disk, between two renames. Without traces
// of such a replacement it does nothing. It returns what it did; the error is
// model.ErrLocked while somebody writes the database.
func Recover(path string) (Recovery, error) { return recoverSet(fsys.OS{}, path) }

// Recovery is what [Recover] did.
type Recovery = atomicset.Recovery

// Replacement is what became of old files that a new database has nothing in the
// place of. See Options.OnReplace.
type Replacement = atomicset.Replacement

// ExistsError is the error of a target that is not to be replaced. It is an
// fs.ErrExist.
type ExistsError = atomicset.ExistsError

// Errors of targets, besides those of package model.
var (
	// ErrInterrupted: writing was interrupted; Force, or recovering, clears up.
	ErrInterrupted = atomicset.ErrInterrupted
	// ErrReadOnly: a file to be replaced may not be written to.
	ErrReadOnly = atomicset.ErrReadOnly
)

func recoverSet(files fsys.FS, path string) (Recovery, error) {
	return atomicset.Recover(files, mainFile(path), atomicset.Options{Extensions: cbh.SetExtensions})
}

// mainFile returns the name of a database's .cbh file.
func mainFile(path string) string { return atomicset.MainFile(path, "cbh", cbh.SetExtensions) }
