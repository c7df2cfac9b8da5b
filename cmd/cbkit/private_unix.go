//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	lib "cbkit"
	"cbkit/internal/dbfile"
)

// keepPrivate keeps what the program makes from users who may not read what it is made
// from: the files that the arguments name, with all of a database, and standard
// input. What is replaced or changed keeps its own permissions.
func keepPrivate(args []string) {
	mask, known := fs.FileMode(0), folders{}
	secret := "--password-file" // says nothing about what is made
	for i, arg := range args {
		if strings.HasPrefix(arg, secret+"=") || i > 0 && args[i-1] == secret {
			continue
		}
		mask |= known.closedBy(arg)
		for j, c := range arg { // --flag=FILE, --replace=ID=FILE
			if c == '=' {
				mask |= known.closedBy(arg[j+1:])
			}
		}
	}
	old := syscall.Umask(int(mask)) // there is no other way to read it
	syscall.Umask(old | int(mask))
}

// folders are what is in folders, each of which is listed once.
type folders map[string][]fs.DirEntry

// closedBy returns the bits of a mask for those who may not read what an argument
// may name, 0 if there is no such file.
func (known folders) closedBy(name string) (mask fs.FileMode) {
	if name == "" {
		return 0
	}
	if name == "-" {
		info, err := os.Stdin.Stat()
		return closed(info, err)
	}
	if file, _, is := lib.SplitArchive(name); is {
		name = file
	}
	dir, file := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	entries, is := known[dir]
	if !is {
		entries, _ = os.ReadDir(dir) // what cannot be listed has none
		known[dir] = entries
	}
	for _, e := range entries {
		if e.Name() == file || isOfOne(e.Name(), file) {
			mask |= closed(os.Stat(filepath.Join(dir, e.Name())))
		}
	}
	return mask
}

// isOfOne reports whether a file belongs to the database or book that a name means:
// one of its files, or their name without an ending.
func isOfOne(name, asked string) bool {
	stem, ending := dbfile.Split(asked)
	its := dbfile.EndingOf(name)
	return slices.ContainsFunc([]dbfile.Format{dbfile.ChessBase, dbfile.Simple, dbfile.Book}, func(of dbfile.Format) bool {
		return of.Takes(its) && (dbfile.SameStem(name, asked) || of.Takes(ending) && dbfile.SameStem(name, stem))
	})
}

// closed returns the bits of a mask for those who may not read a regular file.
func closed(info fs.FileInfo, err error) (mask fs.FileMode) {
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	if info.Mode()&0o040 == 0 {
		mask |= 0o070
	}
	if info.Mode()&0o004 == 0 {
		mask |= 0o007
	}
	return mask
}
