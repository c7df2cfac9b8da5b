// Package crashfs is a file system in memory for tests of writers: every
// single call can be made to fail, or to be the moment when the machine stops.
//
// What a crash leaves behind follows journaling file systems. Changes of names
// (creating, renaming, removing) reach the disk in the order they were made;
// syncing anything brings all earlier ones there. The content of a file is
// certain only as of its last Sync; later writes may be on the disk, or
// not, or in part. Stricter file systems, on which a sync says less, are there too
// ([FS.StrictNames], [FS.FoldersApart], [FS.RestartUnordered]).
//
// It has what is found beside files: second names of a file, symbolic links, pipes,
// files that another process has locked. Names can be without case.
package crashfs
