package viewpage

import (
	"bytes"
	"io/fs"
	"testing"

	"cbkit/internal/testkit/must"
	"cbkit/web"
)

// The page stays one that is read in an evening: its modules together.
func TestPageIsSmall(t *testing.T) {
	const most = 2200
	files := must.Get(fs.Glob(web.Files, "*.js"))(t)
	lines := 0
	for _, name := range files {
		lines += bytes.Count(file(name), []byte("\n"))
	}
	if lines > most || lines < most/4 {
		t.Errorf("web has %d lines; it may have %d", lines, most)
	}
}
