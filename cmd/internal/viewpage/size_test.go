package viewpage

import (
	"bytes"
	"io/fs"
	"path"
	"testing"

	"cbkit/web"
)

// The page stays one that is read in an evening: HTML, style and modules together.
func TestPageIsSmall(t *testing.T) {
	const most = 1500
	files, err := fs.Glob(web.Files, "*")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range files {
		switch path.Ext(name) {
		case ".js", ".html", ".css":
			lines += bytes.Count(file(name), []byte("\n"))
		}
	}
	if lines > most || lines < most/2 {
		t.Errorf("web has %d lines; it may have %d", lines, most)
	}
}
