package archive_test

import (
	"bytes"
	"context"
	"crypto/des"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cbkit/archive"
	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/must"
)

// buffer is a file in memory.
type buffer struct{ data []byte }

// WriteAt implements io.WriterAt.
func (b *buffer) WriteAt(p []byte, at int64) (int, error) {
	if end := int(at) + len(p); end > len(b.data) {
		b.data = append(b.data, make([]byte, end-len(b.data))...)
	}
	return copy(b.data[at:], p), nil
}

// content is a file to pack with its content.
type content struct {
	name string
	data []byte
}

// moment is when the files of tests were changed.
var moment = time.Date(2016, 8, 1, 15, 18, 16, 0, time.Local)

// file returns the file to pack.
func (c content) file() archive.File {
	return archive.File{
		Name: c.name, Modified: moment, Size: int64(len(c.data)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(c.data)), nil },
	}
}

// pack returns an archive of the contents.
func pack(t testing.TB, opt archive.WriterOptions, contents ...content) []byte {
	t.Helper()
	files := make([]archive.File, len(contents))
	for i, c := range contents {
		files[i] = c.file()
	}
	return packFiles(t, opt, files)
}

func packFiles(t testing.TB, opt archive.WriterOptions, files []archive.File) []byte {
	t.Helper()
	var out buffer
	size := must.Get(archive.Write(context.Background(), &out, files, opt))(t)
	if size != int64(len(out.data)) {
		t.Fatalf("the archive has %d bytes, said were %d", len(out.data), size)
	}
	return out.data
}

// open opens an archive in memory.
func open(t testing.TB, data []byte, opt archive.Options) *archive.Archive {
	t.Helper()
	return must.Get(archive.NewReader(bytes.NewReader(data), int64(len(data)), "x.cbv", opt))(t)
}

// unpack returns all members of an archive.
func unpack(t testing.TB, a *archive.Archive) []content {
	t.Helper()
	var all []content
	for b := range must.All(t, a.Blocks(context.Background())) {
		if b.Member == len(all) {
			all = append(all, content{name: a.Members()[b.Member].Name, data: []byte{}})
		}
		all[b.Member].data = append(all[b.Member].data, b.Data...)
	}
	return all
}

// verify fails the test unless every block and the table are exact.
func verify(t testing.TB, a *archive.Archive) {
	t.Helper()
	for b, err := range a.Verify(context.Background()) {
		if err != nil || b.Outcome == archive.Different {
			t.Errorf("block %d of %s: %v, error %v", b.Number, a.Members()[b.Member].Name, b.Outcome, err)
		}
	}
	if wrong := differences(t, a); wrong != nil {
		t.Errorf("table: %v", wrong)
	}
}

// differences returns what is different in header and table.
func differences(t testing.TB, a *archive.Archive) (wrong []error) {
	t.Helper()
	verdicts := must.Get(a.VerifyTable())(t)
	if len(verdicts) != len(a.Members())+2 {
		t.Errorf("%d verdicts about %d files", len(verdicts), len(a.Members()))
	}
	for _, v := range verdicts {
		if (v.Err != nil) != (v.Outcome == archive.Different) {
			t.Errorf("%+v", v)
		}
		if v.Err != nil {
			wrong = append(wrong, v.Err)
		}
	}
	return wrong
}

// database returns the files of a database of the corpus that archives have, in
// ChessBase's order.
func database(t testing.TB, name string) []archive.File {
	t.Helper()
	dir := corpus.Path(t, path.Join("cbh", name))
	entries := must.Get(os.ReadDir(dir))(t)
	var names []string
	for _, e := range entries {
		if archive.Packs(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return must.Get(archive.Files(os.DirFS(dir), names...))(t)
}

// contentsOf reads files to pack.
func contentsOf(t testing.TB, files []archive.File) []content {
	t.Helper()
	contents := make([]content, len(files))
	for i, f := range files {
		in := must.Get(f.Open())(t)
		data := must.Get(io.ReadAll(in))(t)
		must.Do(t, in.Close())
		contents[i] = content{f.Name, data}
	}
	return contents
}

// same compares contents.
func same(a, b []content) bool {
	return slices.EqualFunc(a, b, func(a, b content) bool { return a.name == b.name && bytes.Equal(a.data, b.data) })
}

// withoutSlack clears what is behind the names in the table of an archive.
func withoutSlack(data []byte) []byte {
	data = bytes.Clone(data)
	count := int(data[2]) | int(data[3])<<8
	for i := range count {
		name := data[8+173*i:][:128]
		clear(name[bytes.IndexByte(name, 0):])
	}
	return data
}

// corpusFile is the path of a file of the corpus.
func corpusFile(t testing.TB, name string) string {
	t.Helper()
	return filepath.FromSlash(corpus.Path(t, name))
}

// decipher returns the plain bytes of an enciphered archive, by another way than
// the package's own: the standard library and the key of a password of eight
// bytes.
func decipher(t testing.TB, data []byte, password string) []byte {
	t.Helper()
	block := must.Get(des.NewCipher([]byte(password)))(t)
	plain := bytes.Clone(data)
	for b := plain; len(b) > 0; b = b[des.BlockSize:] {
		block.Decrypt(b, b)
	}
	return plain
}
