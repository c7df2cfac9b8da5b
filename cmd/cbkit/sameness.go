package main

import (
	lib "cbkit"
	"fmt"
	"os"
	"slices"

	"cbkit/read"
)

// refuseSources returns an error if making the target would destroy a file of
// one of the sources, under whatever name: nothing is converted onto itself.
func (env *environment) refuseSources(to target, sources ...string) error {
	if to.path == "-" {
		return nil
	}
	targets := statAll(filesOf(to.path, to.as))
	for _, name := range sources {
		for _, source := range env.statSource(name) {
			if slices.ContainsFunc(targets, func(t os.FileInfo) bool { return os.SameFile(t, source) }) {
				return usageError{fmt.Errorf("%s: is the source too; write to another name, and put it in place of the source when it is complete", to.path)}
			}
		}
	}
	return nil
}

// statSource describes the files of a source that are there.
func (env *environment) statSource(name string) []os.FileInfo {
	if name != "-" {
		return statAll(filesOf(name, formatOf(name)))
	}
	if f, ok := env.stdin.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return []os.FileInfo{info}
		}
	}
	return nil
}

// filesOf returns the names of the files that are, or would be replaced by, a
// database.
func filesOf(path string, as format) []string {
	if file, _, is := lib.SplitArchive(path); is {
		return []string{file}
	}
	if as.IsFile() {
		if list, err := expand([]string{path}); err == nil {
			return list
		}
		return []string{path}
	}
	set, err := read.FindFiles(path)
	if err != nil {
		return nil // there is nothing
	}
	var files []string
	for _, ext := range set.Endings() {
		if slices.Contains(as.Endings(), ext) || slices.Contains(companionEndings, ext) {
			files = append(files, set.Path(ext))
		}
	}
	return files
}

// statAll describes those files that are there; links are followed.
func statAll(paths []string) []os.FileInfo {
	var list []os.FileInfo
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			list = append(list, info)
		}
	}
	return list
}
