package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	lib "cbkit"
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
		found, err := lib.InFolder(path, wanted)
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

// inFolders is the function of that name, and in the place of a zip what is in it.
func (env *environment) inFolders(paths []string, wanted func(format) bool) (list []string, several bool, err error) {
	found, several, err := inFolders(paths, wanted)
	for _, name := range found {
		names, bad := env.unzipped.open(env.ctx, name, "reads")
		if bad != nil { // that shows again where it is opened
			names = []string{name}
		}
		list = append(list, names...)
	}
	return list, several, err
}

// reportFolders reports what of folders that are named is passed over: databases in formats
// that are known and not read, and folders in them.
func (env *environment) reportFolders(paths []string, wanted func(format) bool) {
	for _, path := range paths {
		entries, _ := os.ReadDir(path) // of a file there are none
		for _, e := range entries {
			inside := filepath.Join(path, e.Name())
			if info, err := os.Stat(inside); err == nil && !info.IsDir() && !info.Mode().IsRegular() && lib.FormatNamed(inside) != "" {
				fmt.Fprintf(env.stderr, "cbkit: %s: passed over: it is no file, and may never end\n", inside)
			}
			if is := foreign[dbfile.EndingOf(e.Name())]; is != "" && !e.IsDir() {
				fmt.Fprintf(env.stderr, "cbkit: %s: is %s\n", inside, is)
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
		if _, own := dbfile.OurOwn(e.Name()); own != "" && own != dbfile.SuffixBackup && own != dbfile.SuffixKept {
			continue // not finished
		}
		if found, _ := lib.InFolder(inside, wanted); e.IsDir() && len(found) > 0 && formatOf(inside) != formatParquet {
			list = append(list, inside)
		}
	}
	return list
}

// isGames reports whether a format is one of games that are read in folders.
func isGames(as format) bool { return !as.IsBook() && as != formatParquet }

// folderVerbs read all that is in a folder as one source.
var folderVerbs = []string{"find", "report", "stats", "list", "table", "dedup", "merge", "tree", "prepare"}

// openFolder opens all that is in a folder as one source; what is being made there is passed
// over. What is wrong with one of its databases is told, and the others are read.
func (t *transfer) openFolder(folder string) (*input, error) {
	if !slices.Contains(folderVerbs, t.verb) {
		_, err := read.FindFiles(folder) // which says what to do
		return nil, err
	}
	paths, _, err := t.env.inFolders([]string{folder}, isGames)
	if err != nil {
		return nil, err
	}
	if t.mute != muteAll {
		t.env.reportFolders([]string{folder}, isGames)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return filepath.Clean(path) == filepath.Clean(t.env.making) })
	one := *t
	one.where = nil // they are asked together
	src := lib.OpenEach(paths, func(path string) (*lib.Source, error) {
		in, err := one.openInput(path)
		if err != nil {
			return nil, err
		}
		return in.opened, nil
	}, t.broken)
	t.env.origin = src.Origin
	return &input{Source: src, name: folder, opened: src, closers: []func() error{src.Close}}, nil
}

// broken reports a database of a folder that cannot be read, or not to its end: once, however
// often the folder is read.
func (t *transfer) broken(err error) {
	if t.mute != muteAll && !slices.Contains(t.told, err.Error()) {
		t.told = append(t.told, err.Error())
		t.env.unread(messageSkipped, err)
	}
}

// label returns what a record is called: its number or, of a folder, its file and the
// number there, such as "week.pgn#3".
func (env *environment) label(id model.RecordID) string {
	if env.origin != nil {
		if name, in := env.origin(id); name != "" {
			return fmt.Sprintf("%s#%d", filepath.Base(name), in)
		}
	}
	return strconv.Itoa(int(id))
}

// labelJSON is label as JSON has it: a number where it is one.
func (env *environment) labelJSON(id model.RecordID) any {
	if label := env.label(id); label != strconv.Itoa(int(id)) {
		return label
	}
	return id
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
			if errors.As(err, new(usageError)) {
				what = "" // it is no such thing
			}
			line := fmt.Sprintf("%s: %s%s\n", path, what, oneLine(strings.TrimPrefix(err.Error(), path+": ")))
			fmt.Fprint(env.text, wrappedLines(env.text, line))
		}
	}
	return reportedIf(wrong)
}

// thousands writes a number with commas between its thousands.
func thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
