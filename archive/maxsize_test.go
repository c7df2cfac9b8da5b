package archive_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"cbkit/archive"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// More than is allowed is refused before anything is made.
func TestUnpackMaxSize(t *testing.T) {
	a := open(t, pack(t, archive.WriterOptions{}, content{"a.txt", make([]byte, 1000)}, content{"b.txt", make([]byte, 24)}), archive.Options{})
	dir := filepath.Join(gen.Folder(t), "new")
	if err := a.Unpack(t.Context(), dir, archive.UnpackOptions{MaxSize: 1023}); !errors.Is(err, model.ErrTooLarge) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
	if err := a.Unpack(t.Context(), dir, archive.UnpackOptions{MaxSize: 1024}); err != nil {
		t.Error(err)
	}
}

// A file whose name begins with a dot is damage like any other bad name: the rest
// can be had without it.
func TestHiddenMember(t *testing.T) {
	r := newRaw()
	r.members[3].name = ".bashrc"
	a := open(t, r.bytes(), archive.Options{KeepGoing: true})
	dir := gen.Folder(t)
	must.Do(t, a.Unpack(t.Context(), dir, archive.UnpackOptions{}))
	if got := listFolder(t, dir); len(got) != len(r.members)-1 {
		t.Errorf("%d files", len(got))
	}
}
