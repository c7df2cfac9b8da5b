package fsys

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"cbkit/internal/testkit/must"
	_ "cbkit/internal/testkit/seeds"

	"pgregory.net/rapid"
)

// Files are opened with the size that they have; what is no file is refused, by
// all file systems.
func TestReadFS(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, "a"), []byte("content"), 0o600), os.Mkdir(filepath.Join(dir, "d"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		files ReadFS
		dir   string
	}{
		{OS{}, dir}, {FromFS(os.DirFS(dir)), "."},
		{FromFS(fstest.MapFS{"a": {Data: []byte("content")}, "d": {Mode: fs.ModeDir}}), "."},
		{FromFS(streams{os.DirFS(dir)}), "."},
	} {
		f, err := c.files.Open(filepath.Join(c.dir, "a"))
		if err != nil {
			t.Fatalf("%T: %v", c.files, err)
		}
		b := make([]byte, 4)
		if n, err := f.ReadAt(b, 3); n != 4 || string(b) != "tent" || f.Size() != 7 {
			t.Errorf("%T: %d bytes %q of %d, %v", c.files, n, b, f.Size(), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if _, err := c.files.Open(filepath.Join(c.dir, "d")); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%T: a folder: %v", c.files, err)
		}
		if _, err := c.files.Open(filepath.Join(c.dir, "b")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%T: a missing file: %v", c.files, err)
		}
		if list, err := c.files.ReadDir(c.dir); len(list) != 2 || err != nil {
			t.Errorf("%T: %v, %v", c.files, list, err)
		}
		if info, err := c.files.Stat(filepath.Join(c.dir, "a")); err != nil || info.Size() != 7 {
			t.Errorf("%T: %v, %v", c.files, info, err)
		}
	}
}

// streams is a file system whose files have no ReadAt.
type streams struct{ fs.FS }

func (s streams) Open(name string) (fs.File, error) {
	f, err := s.FS.Open(name)
	if dir, ok := f.(fs.ReadDirFile); ok && err == nil {
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return dir, nil
		}
	}
	return struct{ fs.File }{f}, err
}

// A file that cannot be read at any place is taken into memory up to a limit,
// whatever size it says it has.
func TestBuffered(t *testing.T) {
	if _, err := buffered(nil, maxBuffered+1); err == nil {
		t.Error("a file that is too large is read")
	}
	if b, err := buffered(iotest.OneByteReader(io.LimitReader(zeros{}, 1000)), 3); len(b) != 1000 || err != nil {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if testing.Short() {
		return
	}
	if _, err := buffered(zeros{}, 3); err == nil {
		t.Error("a file without an end is read")
	}
}

// zeros is a file without an end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// A file in memory is what a slice of bytes says.
func TestMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, want := new(Memory), []byte{}
		grow := func(size int) {
			if more := size - len(want); more > 0 {
				want = append(want, make([]byte, more)...)
			}
		}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			at := rapid.IntRange(0, 50).Draw(t, "at")
			if rapid.Bool().Draw(t, "truncate") {
				grow(at)
				want = want[:at]
				must.Do(t, m.Truncate(int64(at)))
			} else {
				b := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes")
				grow(at + len(b))
				copy(want[at:], b)
				if n, err := m.WriteAt(b, int64(at)); n != len(b) || err != nil {
					t.Fatal(n, err)
				}
			}
			if string(m.Bytes()) != string(want) || m.Size() != int64(len(want)) {
				t.Fatalf("%x, want %x", m.Bytes(), want)
			}
			b, n := make([]byte, 10), max(len(want)-at, 0)
			if read, err := m.ReadAt(b, int64(at)); read != min(n, 10) || (err == io.EOF) != (n < 10) {
				t.Fatalf("%d bytes at %d, %v", read, at, err)
			}
		}
	})
}
