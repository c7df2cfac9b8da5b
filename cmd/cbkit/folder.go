package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cbkit/internal/dbfile"
	"cbkit/model"
	"cbkit/read"
)

// inFolders returns what is named, and in the place of a folder what is in it: each
// database once, by its main file. Several are more than one, or a folder.
func inFolders(paths []string, wanted func(format) bool) (list []string, several bool, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() || formatOf(path) == formatParquet {
			list = append(list, path)
			continue
		}
		several = true
		found, err := databasesIn(path, wanted)
		if err != nil {
			return nil, true, err
		}
		if len(found) == 0 {
			return nil, true, fmt.Errorf("%s: there is no database in this folder%s", path, optional("; there are in ", strings.Join(foldersIn(path, wanted), ", ")))
		}
		list = append(list, found...)
	}
	return list, several || len(list) > 1, nil
}

// reportFolders reports what of folders that are named is passed over: databases in formats
// that are known and not read, and folders in them.
func (env *environment) reportFolders(paths []string, wanted func(format) bool) {
	for _, path := range paths {
		entries, _ := os.ReadDir(path) // of a file there are none
		for _, e := range entries {
			if is := foreign[dbfile.EndingOf(e.Name())]; is != "" && !e.IsDir() {
				fmt.Fprintf(env.stderr, "cbkit: %s: is %s\n", filepath.Join(path, e.Name()), is)
			}
		}
		if list := foldersIn(path, wanted); len(list) > 0 {
			fmt.Fprintf(env.stderr, "cbkit: %s: not looked into %s in it, which can be named too: %s\n", path, plural(len(list), "folder"), strings.Join(list, " "))
		}
	}
}

// foldersIn returns the folders inside a folder that have databases.
func foldersIn(path string, wanted func(format) bool) (list []string) {
	entries, _ := os.ReadDir(path) // of a file, or one that may not be read, there are none
	for _, e := range entries {
		inside := filepath.Join(path, e.Name())
		if found, _ := databasesIn(inside, wanted); e.IsDir() && len(found) > 0 && formatOf(inside) != formatParquet {
			list = append(list, inside)
		}
	}
	return list
}

// databasesIn returns the databases, books and files of games in a folder.
func databasesIn(folder string, wanted func(format) bool) (list []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	mains := map[string]bool{}
	var orphans []string
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		as := named(path)
		if e.IsDir() || as == "" || !wanted(as) {
			continue
		}
		if !as.IsFile() && !dbfile.Is(path, as.Endings()[0]) {
			orphans = append(orphans, path)
			continue
		}
		if as == formatPolyglot && errors.Is(canOpen(context.Background(), path), model.ErrNotDatabase) {
			continue // the ending is used for much else
		}
		mains[dbfile.SetKey(path)] = true
		list = append(list, path)
	}
	// A database of which the main file is gone is there, too.
	for _, path := range orphans {
		if key := dbfile.SetKey(path); !mains[key] {
			mains[key] = true
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list, nil
}

// canOpen returns why an opening book cannot be opened.
func canOpen(ctx context.Context, path string) error {
	book, err := read.OpenBook(ctx, path)
	if err == nil {
		_ = book.Close() // it was only read
	}
	return err
}

// eachOf does the same with several sources. What is wrong with one is printed, and the
// others are done.
func eachOf(env *environment, paths []string, do func(path string) error) error {
	wrong := false
	for _, path := range paths {
		switch err := do(path); {
		case env.ctx.Err() != nil:
			return env.ctx.Err()
		case errors.Is(err, errReported):
			wrong = true
		case err != nil:
			wrong = true
			what := "cannot be read: "
			if usage := new(usageError); errors.As(err, usage) {
				what = "" // it is no such thing
			}
			line := fmt.Sprintf("%s: %s%s\n", path, what, oneLine(strings.TrimPrefix(err.Error(), path+": ")))
			fmt.Fprint(env.text, wrappedLines(env.text, line))
		}
	}
	if wrong {
		return errReported
	}
	return nil
}

// thousands writes a number with commas between its thousands.
func thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
