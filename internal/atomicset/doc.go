// Package atomicset replaces a set of files that belong together, such as
// book.ctg, book.cto and book.ctb, so that after a crash at any moment the
// complete old set or the complete new one is there, never a mixture.
//
// # What belongs to a set
//
// The main file defines the set. If it exists, the files of its name with the endings of
// data (Options.Extensions) are the old set and are removed when it is replaced. Without
// a main file, or with one that is not what its name says, they are the user's files:
// they are moved aside and kept. So are the files of a set that are the user's own work
// ([Options].Own). Every other file and folder stays where it is, unless the new set has
// one of the same name; then it is moved aside and kept. What is kept lies in a folder
// beside the target, book.ctg.cbkit-kept, and is reported ([model.Replacement]). Names
// that differ in upper and lower case alone are one where the file system says so.
//
// # The course of a replacement
//
// Everything happens in folders beside the target, whose names begin with
// the main file's name:
//
//	book.ctg.cbkit-writing    the new set while it is being written
//	book.ctg.cbkit-complete   the same folder, once all of it is on the disk
//	book.ctg.cbkit-moving     the same folder, once the old set is out of the way
//	book.ctg.cbkit-backup     the old set, and what is kept
//
// The steps of [Set.Commit], each on the disk before the next begins:
//
//	1  sync all new files;                 rename writing -> complete
//	2  the old main file -> backup, then all that is in the way -> backup
//	3                                      rename complete -> moving
//	4  the new files, then the new main file -> the target's folder
//	5  remove moving; remove the old set from backup, its main file last;
//	   if anything is left there,          rename backup -> kept
//
// A set without its main file is no set, so the target's folder shows the old set until
// step 2, the new one from the end of step 4, and none in between. In between, a complete
// set is in one of the folders, whose names show how far the work has got; [Recover]
// finishes it.
//
// # Whose folder it is
//
// A working folder is marked by a small file before anything else is put into
// it. A folder without the mark that is not empty, a link, and a folder with
// names that no set of the target has are not ours: they are refused, and
// neither followed nor cleared.
//
// # One writer
//
// From [NewClaim] or [New] on the target is locked (package lock) until the work
// ends. All access to files goes through [fsys.FS], so that tests can fail and
// cut off every single call (see package crashfs).
package atomicset
