// Package atomicset replaces a set of files that belong together, such as
// book.ctg, book.cto and book.ctb, so that after a crash at any moment the
// complete old set or the complete new one is there, never a mixture.
//
// # The course of a replacement
//
// Everything happens in folders beside the target, whose names begin with
// the main file's name:
//
//	book.ctg.cbkit-writing    the new set while it is being written
//	book.ctg.cbkit-complete   the same folder, once all of it is on the disk
//	book.ctg.cbkit-moving     the same folder, once the old set is out of the way
//	book.ctg.cbkit-backup     the old set
//
// The steps of [Set.Commit], each on the disk before the next begins:
//
//	1  sync all new files;                 rename writing -> complete
//	2  the old main file -> backup, then all other old files -> backup
//	3                                      rename complete -> moving
//	4  the new files, then the new main file -> the target's folder
//	5  remove moving and backup
//
// A set without its main file is no set, so the target's folder shows the old
// set until step 2, the new one from the end of step 4, and none in between.
// In between a complete set is in one of the folders, and their names say how
// far the work has come: [Recover] finishes it.
//
// All access to files goes through [fsys.FS], so that tests can fail and cut off
// every single call (see package crashfs).
package atomicset
