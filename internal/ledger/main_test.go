package main

import (
	"os"
	"path/filepath"
	"testing"
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
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	rows, err := count()
	if err != nil {
		t.Fatal(err)
	}
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
