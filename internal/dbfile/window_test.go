package dbfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/fsys"
	"cbkit/internal/testkit/must"
	"cbkit/model"

	"pgregory.net/rapid"
)

// open returns a file with the given content.
func open(t testing.TB, content []byte) *File {
	t.Helper()
	f, _ := openPath(t, content)
	return f
}

// openPath also returns its path.
func openPath(t testing.TB, content []byte) (*File, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "content")
	must.Do(t, os.WriteFile(path, content, 0o600))
	f := must.Get(Open(fsys.OS{}, path, "games.cbg"))(t)
	t.Cleanup(func() { f.Close() })
	return f, path
}

// In any order, a window gives the bytes of the file, and an error where there
// are none.
func TestWindow(t *testing.T) {
	content := make([]byte, 1000)
	for i := range content {
		content[i] = byte(i ^ i>>8)
	}
	f := open(t, content)
	rapid.Check(t, func(t *rapid.T) {
		w := NewWindow(f, rapid.IntRange(0, 1100).Draw(t, "ahead"))
		for range rapid.IntRange(1, 20).Draw(t, "reads") {
			at, n := rapid.Int64Range(-2, 1010).Draw(t, "at"), rapid.Int64Range(-2, 1010).Draw(t, "n")
			b, err := w.At(at, n)
			inside := at >= 0 && n >= 0 && at+n <= 1000
			if inside && (err != nil || !bytes.Equal(b, content[at:at+n])) || !inside && !errors.Is(err, model.ErrTruncated) {
				t.Fatalf("%d bytes at %d: %d bytes, %v", n, at, len(b), err)
			}
		}
	})
}

// The memory for a record that was very large is given back.
func TestWindowGivesBack(t *testing.T) {
	const ahead = 1 << 10
	w := NewWindow(open(t, make([]byte, 3*kept)), ahead)
	for _, at := range []int64{0, kept + 1} {
		must.Get(w.At(at, kept+1))(t)
	}
	if _, err := w.At(5, 10); err != nil || cap(w.buf) > ahead {
		t.Errorf("%d bytes, %v", cap(w.buf), err)
	}
	if b, err := w.At(9, 7); err != nil || len(b) != 7 || w.start != 5 {
		t.Errorf("%d bytes from %d, %v", len(b), w.start, err)
	}
}

// An extent outside the file costs no memory, and the error says where.
func TestBytes(t *testing.T) {
	f, path := openPath(t, []byte("0123456789"))
	if _, err := f.Bytes(nil, 4, 1<<60); !errors.Is(err, model.ErrTruncated) ||
		err.Error() != "games.cbg: at 0x4: truncated: 1152921504606846976 bytes are needed here, the file has 10 in all" {
		t.Error(err)
	}
	if b, err := f.Start(20); string(b) != "0123456789" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	must.Do(t, os.Truncate(path, 5))
	if _, err := f.All(); !errors.Is(err, model.ErrTruncated) {
		t.Errorf("a file that has become shorter: %v", err)
	}
}

func TestOpen(t *testing.T) {
	if _, err := Open(fsys.OS{}, filepath.Join(t.TempDir(), "x"), "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(fsys.OS{}, t.TempDir(), "x"); !errors.Is(err, model.ErrNotDatabase) {
		t.Error(err)
	}
}
