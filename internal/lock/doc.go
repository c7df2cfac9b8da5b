// Package lock keeps two programs from writing the same database, book or
// file at once.
//
// A lock is on a name: that of the main file, such as Games.cbh, whether the
// file is there or not and whatever becomes of it meanwhile. There are two
// [Kind]s: [Writer] from the beginning to the end of the work, and [Commit]
// only while a commit changes files in their places, or is taken back, so that readers
// can tell whether they met a moment of change.
//
// # The files
//
// Systems lock files, so a lock is a file beside the target, of the name
//
//	Games.cbh.cbkit-lock      Writer
//	Games.cbh.cbkit-commit    Commit
//
// (the ending of a main file in lower case) that holds the process id of its owner,
// after a byte that is left alone: that one is locked, and where locks are
// mandatory no other process can read it.
//
// The file is not the lock. The system's lock on it is, and that ends with the process:
// the file of a process that was killed locks nothing, and goes with the next owner. The
// file of an owner that ends as it should goes with it. If another process removed the
// file between opening and locking it here, it is not the lock either; so after locking,
// the open file is compared with the file that has the name then.
//
// A link, a folder, or a file with other content under the name of a lock is
// no lock: it is refused and left as it is.
//
// # Systems without locks
//
// On js, wasip1 and plan9, on file systems that have no locks, and on those of tests
// ([fsys.FS] other than [fsys.OS]) every lock is granted unless the file system says that
// another process has it, and no file is made: nothing keeps two programs apart. On aix
// and solaris errors do not name the owner.
package lock
