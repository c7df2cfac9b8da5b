package write

import (
	"cbkit/internal/atomicset"
	"cbkit/internal/fsys"
)

// Recover completes or takes back a replacement of the database at path that
// was interrupted, by a crash or a full disk, between two renames. It must not
// run while the database is being written. Without traces of such a
// replacement it does nothing. It returns what it did.
func Recover(path string) (Recovery, error) { return recoverSet(fsys.OS{}, path) }

// Recovery is what [Recover] did; its String says it in a few words.
type Recovery = atomicset.Outcome

// NothingToRecover: there were no traces of an interrupted replacement.
const NothingToRecover = atomicset.Nothing

func recoverSet(files fsys.FS, path string) (Recovery, error) {
	return atomicset.Recover(files, mainFile(path), setExtensions)
}

// mainFile returns the name of a database's .cbh file.
func mainFile(path string) string { return atomicset.MainFile(path, "cbh", setExtensions) }
