// Package left reads what earlier versions of cbkit left on a disk when they were stopped,
// for tests that it can still be put right. It is kept as text, since the code that made it
// changes:
//
//	tab separated lines, three for each state
//	said    what the recovery of that version said of it
//	before  NAME CONTENT ...   the files and folders that were left
//	after   NAME CONTENT ...   those that were there after the recovery
//
// A name that ends in a slash is a folder's. A content is a Go string, or @FILE, what is in
// a file beside the list.
//
// The lists are of the version of November 2026: every state in which a crash at any call to
// the file system left a disk, with all that was written, and with what was synced alone.
package left

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cbkit/internal/testkit/crashfs"
	"cbkit/internal/testkit/must"
)

// State is what was left.
type State struct {
	Said          string
	Before, After []Entry
}

// Entry is a file or folder.
type Entry struct{ Name, Content string }

// States reads the list testdata/left/states of the package that is tested.
func States(t *testing.T) (list []State) {
	t.Helper()
	var s State
	for line := range strings.Lines(read(t, "states")) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch fields[0] {
		case "said":
			s = State{Said: fields[1]}
		case "before":
			s.Before = entries(t, fields[1:])
		case "after":
			s.After = entries(t, fields[1:])
			list = append(list, s)
		default:
			t.Fatalf("line %q", line)
		}
	}
	return list
}

func entries(t *testing.T, fields []string) (list []Entry) {
	t.Helper()
	for _, field := range fields {
		name, value, _ := strings.Cut(field, " ")
		if file, is := strings.CutPrefix(value, "@"); is {
			list = append(list, Entry{name, read(t, file)})
			continue
		}
		content, err := strconv.Unquote(value)
		if err != nil {
			t.Fatalf("%s: %v", field, err)
		}
		list = append(list, Entry{name, content})
	}
	return list
}

func read(t *testing.T, name string) string {
	t.Helper()
	b := must.Get(os.ReadFile(filepath.Join("testdata", "left", name)))(t)
	return string(b)
}

// Lay puts files and folders on an empty disk.
func Lay(t *testing.T, list []Entry) *crashfs.FS {
	t.Helper()
	disk := crashfs.New()
	for _, e := range list {
		if name, folder := strings.CutSuffix(e.Name, "/"); folder {
			must.Do(t, disk.Mkdir(name, 0o777))
		} else {
			disk.WriteFile(e.Name, []byte(e.Content))
		}
	}
	return disk
}

// On lists what is on a disk.
func On(disk *crashfs.FS) (list []Entry) {
	files := disk.Files()
	for _, name := range disk.Names() {
		if content, is := files[name]; is {
			list = append(list, Entry{name, string(content)})
		} else {
			list = append(list, Entry{name + "/", ""})
		}
	}
	return list
}
