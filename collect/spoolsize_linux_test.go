package collect_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/collect"
	"cbkit/internal/testkit/bulk"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/write"
)

// filesOpenIn returns the bytes of the files of a folder that are open, also of those that
// have no name any more.
func filesOpenIn(t *testing.T, dir string) (size int64) {
	t.Helper()
	list, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(list) == 0 {
		t.Fatal(err, len(list))
	}
	for _, fd := range list {
		if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, dir) {
			if info, err := os.Stat(fd); err == nil && info.Mode().IsRegular() {
				size += info.Size()
			}
		}
	}
	return size
}

// What the options say of temporary files: records of a text are kept in about twice its
// bytes, of a source that is read by number only the keys.
func TestSizeOfTemporaryFiles(t *testing.T) {
	const games = 2000
	var text bytes.Buffer
	made := func() model.Source { return bulk.New(bulk.Options{Games: games}) }
	must.Do(t, model.Copy(ctx, pgn.NewWriter(&text, pgn.WriterOptions{AcceptLosses: true}), made(), model.CopyOptions{}))
	path := filepath.Join(gen.Folder(t), "Games.cbh")
	sink := must.Get(write.Create(ctx, path, write.Options{AcceptLosses: true}))(t)
	must.Do(t, model.Copy(ctx, sink, made(), model.CopyOptions{}))
	db := must.Get(read.Open(path, read.Options{}))(t)
	defer db.Close()
	for _, c := range []struct {
		name        string
		src         model.Source
		least, most int
	}{
		{"text", pgn.NewReader(bytes.NewReader(text.Bytes()), pgn.ReaderOptions{}), text.Len() * 3 / 2, text.Len() * 5 / 2},
		{"database", db, 0, 50 * games},
	} {
		dir := gen.Folder(t)
		sorted := must.Get(collect.Sort(ctx, c.src, []collect.Order{{Key: "date"}}, collect.Options{TempDir: dir, Memory: 1}))(t)
		size := filesOpenIn(t, dir)
		t.Logf("%s: %d bytes of temporary files, %.2f times the text", c.name, size, float64(size)/float64(text.Len()))
		if size < int64(c.least) || size > int64(c.most) {
			t.Errorf("%s: %d bytes of temporary files, from %d to %d are said", c.name, size, c.least, c.most)
		}
		must.Do(t, sorted.Close())
		if left := filesOpenIn(t, dir); left > 0 {
			t.Errorf("%s: %d bytes stay open", c.name, left)
		}
	}
}
