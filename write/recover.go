package write

import "cbkit/internal/atomicset"

// Recover completes or takes back a replacement of the database at path that
// was interrupted, by a crash or a full disk, between two renames. It must not
// run while the database is being written. Without traces of such a
// replacement it does nothing.
func Recover(path string) error { return recoverSet(atomicset.OS{}, path) }

func recoverSet(files atomicset.FS, path string) error {
	return atomicset.Recover(files, mainFile(path), setExtensions)
}

// mainFile returns the name of a database's .cbh file.
func mainFile(path string) string { return atomicset.MainFile(path, "cbh", setExtensions) }
