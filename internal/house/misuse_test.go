package house

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cbkit"
	"cbkit/archive"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// What is used wrongly is an error that says what to do, and no panic.
func TestMisuse(t *testing.T) {
	dir, db := t.TempDir(), library()
	at := func(name string) string { return filepath.Join(dir, name) }
	wrong := func(what string, err, kind error, says string) {
		t.Helper()
		if !errors.Is(err, kind) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %v that says %q", what, err, kind, says)
		}
	}
	save := func(path string, src model.Source) error {
		return cbkit.Save(t.Context(), path, src, cbkit.SaveOptions{AcceptLosses: true})
	}
	for _, name := range []string{"a.cbh", "b.dci", "c.pgn", "d.jsonl"} {
		must.Do(t, save(at(name), db))
		src := must.Get(cbkit.Open(at(name), cbkit.Options{}))(t)
		_, err := src.Record(t.Context(), 99, model.WantAll)
		wrong(name+": a record beyond the end", err, model.ErrNoRecord, "99")
		must.Do(t, src.Close())
		for _, id := range []model.RecordID{1, 99} {
			_, err := src.Record(t.Context(), id, model.WantAll)
			wrong(name+": a record after Close", err, fs.ErrClosed, "")
			if within, is := src.Unwrap().(read.Database); is {
				_, err := within.Record(t.Context(), id, model.WantAll)
				wrong(name+": a record of the database after Close", err, fs.ErrClosed, "")
			}
		}
		wrong(name+": saved after Close", save(at("closed.pgn"), src), fs.ErrClosed, "closed before it was saved")
	}
	wrong("no source", save(at("none.cbh"), nil), model.ErrOption, "nothing to save")
	wrong("no name", save("", db), model.ErrOption, "the name is empty")
	wrong("another ending", save(at("x.txt"), db), model.ErrOption, ".cbh .dci .si4 .pgn")
	wrong("a book", save(at("x.ctg"), db), model.ErrOption, "ctgwrite.NewBuilder")
	wrong("an archive", save(at("x.cbv"), db), model.ErrOption, "archive.Create")

	ed := must.Get(write.Edit(t.Context(), at("a.cbh"), write.EditOptions{}))(t)
	defer ed.Close()
	_, err := ed.Add(model.Record{Game: model.NewGame()}, nil)
	wrong("a game without tables", err, model.ErrOption, "tables")

	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of a file does not reach its caller")
			}
		}()
		_ = archive.Create(t.Context(), at("p.cbv"), []archive.File{{Name: "a", Open: func() (io.ReadCloser, error) { panic("boom") }}}, archive.CreateOptions{})
	}()
	if names := namesIn(t, dir); slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "p.cbv") || strings.HasPrefix(name, ".p") }) {
		t.Errorf("an archive that panicked leaves %q", names)
	}
	if err := archive.Create(t.Context(), at("p.cbv"), nil, archive.CreateOptions{}); err != nil {
		t.Errorf("an archive after one that panicked: %v", err)
	}
}
