package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// The rules on a package in which each of them decides something.
func TestCount(t *testing.T) {
	dir := t.TempDir()
	for name, src := range map[string]string{
		"go.mod": "module house\n\ngo 1.26\n",
		"room/room.go": `// Package room has a comment.
package room

/* and
another */

// A Door is exported with a field and a method.
type Door struct {
	Wide bool // counts
	hole int
}

func (d *Door) Open() { once(); twice(); generic(1) }

const text = ` + "`one\n\nthree`" + `

func once() { twice() }

func twice() {}

func again() { again() }

func generic[T any](T) {}

var _ = again
`,
		"room/room_windows.go":       "package room\n\nconst onWindows = true\n",
		"room/room_test.go":          "package room\n\nfunc init() { once() }\n",
		"internal/testkit/bulk/b.go": "package bulk\n\nfunc Exported() {}\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o777))
		must.Do(t, os.WriteFile(name, []byte(src), 0o666))
	}
	t.Chdir(dir)
	rows := must.Get(count())(t)
	want := []row{
		{name: "internal/testkit/bulk", files: 1, code: 2, functions: 1, lines: 1},
		// once and generic are used by Open, again but by itself and a variable.
		{name: "room", files: 2, code: 16, functions: 5, single: 3, lines: 5, singleLines: 3, exportedTops: 1, exported: 3},
	}
	if len(rows) != len(want) {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	for i := range want {
		if rows[i] != want[i] {
			t.Errorf("got  %+v\nwant %+v", rows[i], want[i])
		}
	}
}

// What is above its limit is named, and so is a limit that is missing or unknown.
func TestCompare(t *testing.T) {
	rows := []row{{name: "room", code: 16, exportedTops: 1}, {name: "internal/testkit/bulk", code: 2, exportedTops: 9}}
	all := "# as agreed\n16 lines of code\n1 exported names\n4 root entries\n1 packages\n"
	for limits, want := range map[string]string{
		all:                                 "",
		strings.Replace(all, "16", "15", 1): "above the limit: lines of code",
		strings.NewReplacer("1 exported", "0 exported", "4", "3").Replace(all): "above the limit: exported names, root entries",
		strings.Replace(all, "1 packages\n", "", 1):                            "limits.txt: no limit of packages",
		all + "7 doors\n": `limits.txt: "7 doors" is no number and what it limits`,
	} {
		var out strings.Builder
		got := ""
		if err := compare(&out, rows, 4, limits); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", limits, got, want)
		}
		if want == "" && !strings.HasPrefix(out.String(), "16 lines of code, 16 allowed\n") {
			t.Errorf("it prints %q", out.String())
		}
	}
}
