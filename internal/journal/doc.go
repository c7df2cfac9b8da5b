// Package journal changes several files of a folder as one transaction: after
// a crash at any moment all of the changes are there or none of them is. It
// knows no format.
//
// # The course of a transaction
//
// A [Set] is the files NAME.* of a folder, open for change; its main file is
// one of them. What is written to a [File] of the set goes into memory, and
// from there to a scratch file where it is too much, until [Set.Commit] brings
// it into the files:
//
//	1  what is to be is compared with what is: a file that another program has
//	   changed ends the commit here, and without a difference nothing is done
//	2  the lock of a commit is taken, and what earlier commits could not remove is
//	   removed
//	3  the files to be changed are opened for writing: one that may not be
//	   written to, or has another hard link, ends the commit here
//	4  finished files (see below) are synced, side by side
//	5  the journal is written under a working name: all that is needed to take
//	   the changes back, and to prove what they were made to; it is synced, gets
//	   its name, the folder is synced
//	6  replaced and dropped files get another name, the folder is synced, finished
//	   files take their places, the folder is synced
//	7  the changed bytes are written and the file gets its new size, one file after
//	   the other; then each of them is synced once, side by side
//	8  files get the change times that were asked for ([File.SetChanged]; where one has
//	   another in the end, that is told); that
//	   of the main file becomes later than it was in any case, unless what is
//	   committed can be computed from the rest ([Set.CommitDerived])
//	9  the journal is removed and the folder synced: the commit is done
//	10 the old files that were replaced or dropped are removed, and the folder is
//	   synced; where that fails, the next commit does it, or the next writer
//
// Until step 5 is done, no byte of the files has changed. From then until step 9 a
// journal lies beside them, and the next to open them plays it back before anything else
// ([Open] and [Recover] do): the state is the old one. After step 9 it is the new one. A
// crash may also leave working files; no other file has such names, and they are removed.
//
// A writer that is killed in step 9 leaves no journal, which may come back if the power
// is cut then. So the next one syncs the folder before it makes its first finished file,
// which can have a name that this journal has.
//
//	NAME.cbkit-journal        undo journal of a commit that is not done
//	NAME.cbkit-journal-new    the same in the making, never needed
//	NAME.cbkit-scratch        changes that did not fit into memory
//	NAME.ext.cbkit-edit-N     a finished file, or one in the making
//	NAME.ext.cbkit-undo       a file that was replaced
//	NAME.ext.cbkit-drop       a file that was dropped
//
// A file of which most changes is written anew beside the old one ([File.Rewrite]) and
// not journalled: writes to a finished file go to it at once, except that appended bytes
// are collected. For a file that grows the journal holds the old size and the added
// bytes, so that undoing cuts off nothing else.
//
// A set of new files that the caller puts in place ([Stage]) has no transaction: all its
// files are finished ones.
//
// # The journal
//
// Little-endian. Entries follow a header; each has a checksum of all that
// comes before it, so that none can be missing, repeated or exchanged:
//
//	header   "cbkitjnl" | version u32
//	entry    kind u8 | size of body u32 | body | CRC-32C u32
//
//	kind  body
//	S     name | change time of it i64, or 0                 the main file; first of all. 0: it keeps its change time
//	F     name | old size i64 | new size i64                 a file with changed bytes, or one that stays
//	B     offset i64 | count u32 | bytes | bytes             of the F before: what was there, what will be
//	W     offset i64 | size i64 | CRC-32C u32                of the F before: bytes that stay
//	R     name | working name | name of the old one          a file replaced by a finished one
//	        | content of the old one | content of the new one
//	C     name | working name | content                      a file that was not there before
//	D     name | name of the old one | content               a file dropped
//	E     number of entries before it u64                    the end
//
// A name is its length, u16, and its bytes; a content the size of a file, i64, and
// its CRC-32C; a change time nanoseconds since 1970. All names are those of files in
// the folder of the journal that begin with NAME and a dot, each named once; a
// journal that says
// anything else is refused, like one whose checksums are wrong or whose end is
// missing: the name of the journal is given only to one that is complete and
// on the disk, so only a failing disk or an enemy can have written such a
// thing. Nothing is changed then.
//
// # Whose state it is
//
// A journal can lie beside files that are not what its commit left: a backup was copied
// over them, another program has changed them, or another program made the journal. So it
// is played back only if each entry proves that it belongs to the existing files; all
// proofs are checked before the first byte changes:
//
//	F, B   The size is between the old and the new one. Each byte that was to be
//	       changed is the old or the new one; behind the smaller size it can
//	       be zero or missing too, since a disk may make a file longer without its
//	       content. There is nothing else behind the smaller size. What is to be
//	       made longer again is in the journal, all of it.
//	W      What stays is what it was: of files of up to 16 KiB all of it, of larger
//	       ones the rest of every page of 4 KiB in which something changes, the first
//	       page and the one of the smaller end.
//	R, D   The old file has its old name or the other one, with its content. What
//	       has the old name beside it is the new file.
//	C      Nothing has the name, or the new file.
//
// The files of the set that the commit does not change have their entries F and W too,
// and a file of which the journal says nothing has come since: the journal is refused.
// Settings (.ini), which programs write at any time, and links, which are never changed,
// are left out.
//
// All of them are regular files: a link, a pipe or a folder is refused, and neither
// followed nor waited for, and so is one whose bytes would change and that has another
// hard link. What changed is judged byte by byte, so that it does not
// matter how much of it a disk writes at once.
//
// Sums and bytes protect against mistakes; they are no signature. An attacker who knows
// the files can forge a journal that changes their bytes, but not one that names other
// files or makes a file larger or smaller than the content it proves to know. Sums over
// large files would make the cost of a change depend on the size of the database. So a
// later state in which all files have the sizes that the commit left them, and all of
// these places the bytes, cannot be told from its own: one that differs in inner pages of
// large files alone, that the commit did not touch, with headers, counts and ends as they
// were.
//
// [RecoverOptions].Force leaves out the proofs of content, not those of names, kinds
// and sizes, and copies all files of the set into a folder first.
//
// Playing back is done in an order that can be cut off anywhere and begun
// again: names, sizes, bytes, syncs, the change time, the end of the journal.
//
// # Locks
//
// An open set has the writer's locks of package lock, on its main file and on
// NAME; a commit has the other one while it writes. Who finds a journal can
// tell by that whether a commit is going on or was interrupted.
//
// # Where nothing can be written
//
// A journal beside files that cannot be put right, since their folder or they themselves
// are read-only, still says what they were: [Before] lays the old names, sizes and bytes
// over them, for who only reads, after the same proofs.
//
// # Readers beside a writer
//
// Readers take no part in this. Bytes of the files change only while the
// journal is there, and before it goes the change time of the main file has
// become later than it ever was. So a reader that notes the main file's state
// ([Stamp]) when it opens a database without a journal, and that finds
// no journal and the same state after it has read something, has read a state that was
// committed, and the same one all the time.
package journal
