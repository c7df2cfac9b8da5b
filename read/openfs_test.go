package read_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// zipped returns a folder of the corpus as a file system whose files have no
// ReadAt.
func zipped(t *testing.T, dir string) fs.FS {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	must.Do(t, w.AddFS(os.DirFS(dir)))
	must.Do(t, w.Close())
	return must.Get(zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len())))(t)
}

// loaded reads everything of a database.
func loaded(t *testing.T, db read.Database, err error) *model.Database {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all, err := model.Load(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A database in a file system is what it is in a folder, also where its files
// cannot be read at any place.
func TestOpenFS(t *testing.T) {
	for dir, name := range map[string]string{"cbh/hedgehog": "Hedgehog.cbh", "cbh/mate2": "mate2", "dc-sample": "edge.dci"} {
		dir := corpus.Path(t, dir)
		db, err := read.Open(filepath.Join(dir, name), read.Options{})
		want := loaded(t, db, err)
		for _, c := range []struct {
			files fs.FS
			name  string
		}{
			{os.DirFS(dir), name}, {zipped(t, dir), name}, {os.DirFS(filepath.Dir(dir)), filepath.Base(dir) + "/" + name},
		} {
			db, err := read.OpenFS(c.files, c.name, read.Options{})
			if got := loaded(t, db, err); !model.Identical(got, want) || got.Count() == 0 {
				t.Errorf("%s in %T is another database", c.name, c.files)
			}
		}
	}
}

func TestOpenBookFS(t *testing.T) {
	dir := corpus.Path(t, "ctg/simple")
	list, err := filepath.Glob(filepath.Join(dir, "*.ctg"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	want := must.Get(read.OpenBook(context.Background(), list[0]))(t)
	defer want.Close()
	book := must.Get(read.OpenBookFS(context.Background(), zipped(t, dir), filepath.Base(list[0])))(t)
	defer book.Close()
	if book.Games() != want.Games() || book.Positions() != want.Positions() || book.(*read.CTG).Pages() != want.(*read.CTG).Pages() {
		t.Errorf("%d games, %d positions, %d pages", book.Games(), book.Positions(), book.(*read.CTG).Pages())
	}
}

// What is not there, is no file or is too large to be buffered is refused.
func TestOpenFSErrors(t *testing.T) {
	if _, err := read.OpenFS(os.DirFS(gen.Folder(t)), "games.cbh", read.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := read.OpenFS(huge{}, "games.cbh", read.Options{}); err == nil ||
		err.Error() != "games.cbh: 1099511627776 bytes or more that cannot be read at any place; copy the files to a folder first" {
		t.Error(err)
	}
}

// huge is a file system with one file that has a terabyte, and no ReadAt.
type huge struct{}

func (huge) Open(name string) (fs.File, error) {
	if name == "." {
		return os.Open(os.DevNull)
	}
	return hugeFile{}, nil
}

func (huge) ReadDir(string) ([]fs.DirEntry, error) {
	return []fs.DirEntry{fs.FileInfoToDirEntry(hugeInfo{})}, nil
}

type hugeFile struct{}

func (hugeFile) Stat() (fs.FileInfo, error) { return hugeInfo{}, nil }
func (hugeFile) Read(b []byte) (int, error) { return 0, io.ErrUnexpectedEOF }
func (hugeFile) Close() error               { return nil }

type hugeInfo struct{ fs.FileInfo }

func (hugeInfo) Name() string      { return "games.cbh" }
func (hugeInfo) Size() int64       { return 1 << 40 }
func (hugeInfo) Mode() fs.FileMode { return 0o644 }
func (hugeInfo) IsDir() bool       { return false }

// A file of a set is opened by its ending.
func TestFileSetOpen(t *testing.T) {
	set := must.Get(read.FindFiles(corpus.Path(t, "cbh/hedgehog/Hedgehog.cbh")))(t)
	f := must.Get(set.Open(".cbh"))(t)
	defer f.Close()
	b := make([]byte, 46)
	if _, err := f.ReadAt(b, 0); err != nil || f.Size() < 46 || b[4] != 46 {
		t.Errorf("% x, %d bytes, %v", b, f.Size(), err)
	}
	if _, err := set.Open(".cbb"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
