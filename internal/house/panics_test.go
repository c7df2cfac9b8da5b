package house

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cbkit"
	"cbkit/archive"
	judge "cbkit/check"
	"cbkit/collect"
	"cbkit/ctgwrite"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/parquet"
	"cbkit/pgn"
	"cbkit/read"
	"cbkit/search"
)

// errBoom is what callbacks and sources panic with.
var errBoom = errors.New("boom")

// boomFS is a file system whose files panic when a byte behind the first ones is read.
type boomFS struct {
	fs.FS
	from int64
}

func (b boomFS) Open(name string) (fs.File, error) {
	f, err := b.FS.Open(name)
	if _, is := f.(io.ReaderAt); is && err == nil {
		return boomFile{f, b.from}, nil
	}
	return f, err
}

func (b boomFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(b.FS, name) }

type boomFile struct {
	fs.File
	from int64
}

func (f boomFile) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		panic(errBoom)
	}
	return f.File.(io.ReaderAt).ReadAt(p, off)
}

// boomSource is a source that panics behind some records.
type boomSource struct {
	model.Source
	after model.RecordID
}

func (s boomSource) Records(ctx context.Context, from model.RecordID, want model.Want) iter.Seq2[model.Record, error] {
	return func(yield func(model.Record, error) bool) {
		for rec, err := range s.Source.Records(ctx, from, want) {
			if rec.ID > s.after {
				panic(errBoom)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// boomText is a file that panics behind its text.
type boomText struct{ text io.Reader }

func (t boomText) Read(p []byte) (int, error) {
	n, err := t.text.Read(p)
	if err != nil {
		panic(errBoom)
	}
	return n, nil
}
func (boomText) Close() error { return nil }

// boomWriter panics after some writes.
type boomWriter struct{ n int }

func (w *boomWriter) Write(p []byte) (int, error) {
	if w.n--; w.n < 0 {
		panic(errBoom)
	}
	return len(p), nil
}

func (w *boomWriter) WriteAt(p []byte, _ int64) (int, error) { return w.Write(p) }

// What a callback, a file system, a reader, a writer or a source of the caller panics
// with reaches the caller, who can recover from it, also where the work is done in
// parallel. No process dies of it, and no temporary file is left.
func TestPanicsReachTheCaller(t *testing.T) {
	ctx, dir := t.Context(), gen.Folder(t)
	games := manyGames(700)
	for _, name := range []string{"a.cbh", "b.dci", "c.pgn"} {
		must.Do(t, cbkit.Save(ctx, filepath.Join(dir, name), games, cbkit.SaveOptions{AcceptLosses: true}))
	}
	text := must.Get(os.ReadFile(filepath.Join(dir, "c.pgn")))(t)
	before := namesIn(t, dir)
	all := func(src model.Source) {
		for range src.Records(ctx, 1, model.WantAll) {
		}
	}
	readAll := func(name string) func() {
		return func() {
			db := must.Get(read.OpenFS(boomFS{os.DirFS(dir), 9000}, name, read.Options{Jobs: 4}))(t)
			defer db.Close()
			all(db)
		}
	}
	for what, do := range map[string]func(){
		"files of .cbh": readAll("a.cbh"),
		"files of .dci": readAll("b.dci"),
		"PGN reader": func() {
			all(pgn.NewReader(boomText{strings.NewReader(string(text))}, pgn.ReaderOptions{Jobs: 4}))
		},
		"PGN DecodeText": func() {
			all(pgn.NewReader(strings.NewReader("[White \"\xe9\"]\n\n1. e4 *\n"),
				pgn.ReaderOptions{Jobs: 4, DecodeText: func([]byte) string { panic(errBoom) }}))
		},
		"source of a book": func() {
			b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{Jobs: 4})
			defer b.Close()
			_ = b.Add(ctx, boomSource{games, 300})
		},
		"writer of Parquet": func() {
			w := must.Get(parquet.NewWriter(&boomWriter{}, parquet.Options{Jobs: 4, AcceptLosses: true}))(t)
			_ = model.Copy(ctx, w, games, model.CopyOptions{})
		},
		"file of an archive": func() {
			open := func() (io.ReadCloser, error) { return boomText{strings.NewReader("text")}, nil }
			_, _ = archive.Write(ctx, &boomWriter{1 << 30}, []archive.File{{Name: "a.cbh", Modified: time.Unix(1e9, 0), Open: open}}, archive.WriterOptions{Jobs: 4})
		},
		"archive's target": func() {
			open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("text")), nil }
			_, _ = archive.Write(ctx, &boomWriter{}, []archive.File{{Name: "a.cbh", Modified: time.Unix(1e9, 0), Open: open}}, archive.WriterOptions{Jobs: 4})
		},
		"progress of a search": func() {
			s := must.Get(search.Open(filepath.Join(dir, "a.cbh"), search.Options{Jobs: 4, Progress: func(int, int) { panic(errBoom) }}))(t)
			defer s.Close()
			c := must.Get(search.Parse("id:5..40 piece:Pa3"))(t)
			_, _ = s.Find(ctx, c)
		},
		"progress of a check": func() {
			_, _ = judge.Database(ctx, filepath.Join(dir, "a.cbh"), judge.Options{Jobs: 4, Progress: func(int, int) { panic(errBoom) }}).Summary()
		},
		"sorted source": func() {
			orders := must.Get(collect.ParseOrders("date"))(t)
			_, _ = collect.Sort(ctx, boomSource{games, 300}, orders, collect.Options{})
		},
		"saved source": func() {
			_ = cbkit.Save(ctx, filepath.Join(dir, "new.pgn"), boomSource{games, 300}, cbkit.SaveOptions{})
		},
		"saved with progress": func() {
			_ = cbkit.Save(ctx, filepath.Join(dir, "new.pgn"), games, cbkit.SaveOptions{AcceptLosses: true, Progress: func(model.RecordID) { panic(errBoom) }})
		},
	} {
		t.Run(what, func(t *testing.T) {
			defer func() {
				if err, _ := recover().(error); !errors.Is(err, errBoom) {
					t.Errorf("the caller gets %v", err)
				}
				if now := namesIn(t, dir); !slices.Equal(now, before) {
					t.Errorf("left behind: %v", now)
				}
				// The name is nobody's.
				if err := cbkit.Save(ctx, filepath.Join(dir, "new.pgn"), games, cbkit.SaveOptions{}); err != nil {
					t.Error(err)
				}
				if err := os.Remove(filepath.Join(dir, "new.pgn")); err != nil {
					t.Error(err)
				}
			}()
			do()
		})
	}
}

// namesIn lists what is in a folder.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	list := must.Get(os.ReadDir(dir))(t)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}
