package cbkit_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"cbkit"
	"cbkit/archive"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/internal/testkit/roomy"
	"cbkit/model"
	_ "cbkit/parquet"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"
)

func TestMain(m *testing.M) { os.Exit(roomy.Run(m)) }

// Every kind of source opens by its ending, gives equal games, and closes twice.
func TestOpenEveryKind(t *testing.T) {
	dir, ctx, library := gen.Folder(t), context.Background(), library()
	for _, name := range []string{"a.cbh", "b.dci", "c.pgn", "d.pgn.gz", "e.pgn.zst", "f.jsonl", "g.ndjson.gz"} {
		path, want := filepath.Join(dir, name), library
		if name == "b.dci" {
			want = withoutDates(library)
		}
		must.Do(t, cbkit.Save(ctx, path, want, cbkit.SaveOptions{}))
		if err := cbkit.Save(ctx, path, want, cbkit.SaveOptions{}); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: saved over: %v", name, err)
		}
		if err := cbkit.Save(ctx, path, want, cbkit.SaveOptions{Force: true}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		check(t, path, want)
	}
	packed := filepath.Join(dir, "a.cbv")
	var names []string
	parts, _ := filepath.Glob(filepath.Join(dir, "a.*"))
	for _, path := range parts {
		names = append(names, filepath.Base(path))
	}
	files := must.Get(archive.Files(os.DirFS(dir), names...))(t)
	must.Do(t, archive.Create(ctx, packed, files, archive.CreateOptions{}))
	check(t, packed, library)
	// A copy of a ChessBase database is one to the byte.
	src := must.Get(cbkit.Open(filepath.Join(dir, "a.cbh"), cbkit.Options{}))(t)
	defer src.Close()
	if _, ok := src.Unwrap().(*read.ChessBase); !ok {
		t.Errorf("%T", src.Unwrap())
	}
	must.Do(t, cbkit.Save(ctx, filepath.Join(dir, "copy.cbh"), src, cbkit.SaveOptions{}))
	one, _ := os.ReadFile(filepath.Join(dir, "a.cbg"))
	two, _ := os.ReadFile(filepath.Join(dir, "copy.cbg"))
	if string(one) != string(two) || len(one) == 0 {
		t.Error("the copy differs")
	}
}

// A searcher closes twice like every source.
func TestSearcherClosesTwice(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "Games.cbh")
	must.Do(t, cbkit.Save(t.Context(), path, library(), cbkit.SaveOptions{}))
	s := must.Get(search.Open(path, search.Options{}))(t)
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
}

// check reads a source and compares its main lines.
func check(t *testing.T, path string, want *model.Database) {
	t.Helper()
	src := must.Get(cbkit.Open(path, cbkit.Options{}))(t)
	got := must.Get(model.Load(t.Context(), src))(t)
	if len(got.List) != len(want.List) {
		t.Fatalf("%s: %d games", path, len(got.List))
	}
	for i := range got.List {
		if !got.List[i].Game.Moves.Equal(&want.List[i].Game.Moves) {
			t.Errorf("%s: game %d has other moves", path, i+1)
		}
	}
	if err := errors.Join(src.Close(), src.Close()); err != nil {
		t.Errorf("%s: closed twice: %v", path, err)
	}
}

// What cannot be opened or saved is said, and leaves nothing.
func TestCannot(t *testing.T) {
	dir := gen.Folder(t)
	for _, name := range []string{"none.cbh", "none.pgn", "none.jsonl", "none.cbv", "none.parquet", "none"} {
		if src, err := cbkit.Open(filepath.Join(dir, name), cbkit.Options{}); err == nil {
			t.Errorf("%s: %v", name, src.Close())
		}
	}
	// What cannot be packed is not written under the name of something packed.
	for _, name := range []string{"x.pgn.bz2", "x.jsonl.BZ2"} {
		if err := cbkit.Save(t.Context(), filepath.Join(dir, name), library(), cbkit.SaveOptions{Force: true}); !errors.Is(err, model.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := cbkit.Save(t.Context(), filepath.Join(dir, "x.doc"), library(), cbkit.SaveOptions{}); !errors.Is(err, model.ErrOption) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := cbkit.Save(ctx, filepath.Join(dir, "x.pgn"), library(), cbkit.SaveOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// withoutDates returns games whose tournaments have no dates, for which a Simple Chess
// Database has no place.
func withoutDates(db *model.Database) *model.Database {
	plain := &model.Database{Tables: db.Tables.Clone(), List: db.List}
	for id, t := range db.Tables.Tournaments.Live() {
		t.Start = model.Date{}
		plain.Tables.Tournaments.Set(id, t)
	}
	return plain
}

// Several sources are one, of one format and of several, and text comes from
// anywhere.
func TestOpenAllAndNewReader(t *testing.T) {
	dir, want := gen.Folder(t), library()
	paths := map[cbkit.Format]string{}
	for _, name := range []string{"a.pgn", "b.pgn.gz", "c.jsonl", "d.cbh", "e.dci"} {
		path := filepath.Join(dir, name)
		must.Do(t, cbkit.Save(t.Context(), path, withoutDates(want), cbkit.SaveOptions{}))
		paths[cbkit.FormatOf(path)] = path
	}
	first, second := filepath.Join(dir, "a.pgn"), filepath.Join(dir, "b.pgn.gz")
	for _, list := range [][]string{{first, second}, {first, paths[cbkit.ChessBase]}, {paths[cbkit.JSONLines], paths[cbkit.Simple], second}} {
		src := must.Get(cbkit.OpenAll(list, cbkit.Options{}))(t)
		got, err := model.Load(t.Context(), src)
		if err != nil || len(got.List) != len(list)*len(want.List) {
			t.Fatalf("%v: %d games, %v", list, len(got.List), err)
		}
		if got.Entities().Players.Len() != want.Entities().Players.Len() {
			t.Errorf("%v: %d players", list, got.Entities().Players.Len())
		}
		if done, total := src.Progress(); done != total || total <= 0 {
			t.Errorf("%v: %d of %d bytes were read", list, done, total)
		}
		if err := errors.Join(src.Close(), src.Close()); err != nil {
			t.Error(err)
		}
	}
	for format, path := range paths {
		if !format.IsText() {
			continue
		}
		f := must.Get(os.Open(path))(t)
		defer f.Close()
		src := must.Get(cbkit.NewReader(f, cbkit.Options{}))(t)
		got, err := model.Load(t.Context(), src)
		if done, total := src.Progress(); err != nil || len(got.List) != len(want.List) || src.Format() != format || done != total || total <= 0 {
			t.Errorf("%s: %v, %v, %d of %d", path, src.Format(), err, done, total)
		}
	}
	for _, opt := range []cbkit.Options{{Part: 1, Parts: 2}, {Part: 2, Parts: 2}} {
		src, err := cbkit.Open(paths[cbkit.ChessBase], opt)
		if err != nil || src.Count() != opt.Part {
			t.Errorf("%+v: %v, %v", opt, src, err)
		}
	}
	for _, opt := range []cbkit.Options{{Part: 3, Parts: 2}, {CodePage: "nonsense"}} {
		if _, err := cbkit.Open(paths[cbkit.ChessBase], opt); err == nil {
			t.Errorf("%+v: no error", opt)
		}
	}
	if _, err := cbkit.Open(paths[cbkit.JSONLines], cbkit.Options{Part: 1, Parts: 2}); !errors.Is(err, model.ErrOption) {
		t.Errorf("a part of lines: %v", err)
	}
	if _, err := cbkit.OpenAll(nil, cbkit.Options{}); !errors.Is(err, model.ErrOption) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := cbkit.Open(filepath.Join(dir, "x.ctg"), cbkit.Options{}); !errors.Is(err, model.ErrNotDatabase) {
		t.Errorf("a book: %v", err)
	}
}

// An archive of several databases says so; one of them is named behind a colon.
func TestDatabasesInArchive(t *testing.T) {
	dir, want := gen.Folder(t), library()
	for _, name := range []string{"a.cbh", "b.cbh"} {
		must.Do(t, cbkit.Save(t.Context(), filepath.Join(dir, name), want, cbkit.SaveOptions{}))
	}
	entries := must.Get(os.ReadDir(dir))(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	files, err := archive.Files(os.DirFS(dir), names...)
	packed := filepath.Join(dir, "both.cbz")
	if err == nil {
		err = archive.Create(t.Context(), packed, files, archive.CreateOptions{WriterOptions: archive.WriterOptions{Password: []byte("secret")}})
	}
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	opt := cbkit.Options{AskPassword: func(string) ([]byte, error) { asked++; return []byte("secret"), nil }}
	several := new(cbkit.AmbiguousError)
	if _, err := cbkit.Open(packed, opt); !errors.As(err, &several) || !errors.Is(err, model.ErrOption) || len(several.Databases) != 2 {
		t.Errorf("%v", err)
	}
	src, err := cbkit.Open(packed+":b.cbh", opt)
	if err != nil || src.Count() != len(want.List) || asked != 2 {
		t.Fatal(err, asked)
	}
	if err := errors.Join(src.Close(), src.Close()); err != nil {
		t.Error(err)
	}
	if _, err := cbkit.Open(packed, cbkit.Options{}); !errors.Is(err, archive.ErrEnciphered) {
		t.Errorf("without a password: %v", err)
	}
}

// Parquet opens and saves like all others where its package is imported.
func TestParquetByTheFrontDoor(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "a.parquet")
	want := library()
	must.Do(t, cbkit.Save(t.Context(), path, want, cbkit.SaveOptions{}))
	if err := cbkit.Save(t.Context(), path, want, cbkit.SaveOptions{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("saved over: %v", err)
	}
	check(t, path, want)
}

// What Save selects and how it writes is what its options say.
func TestSaveOptions(t *testing.T) {
	path := filepath.Join(gen.Folder(t), "a.pgn")
	seen := 0
	opt := cbkit.SaveOptions{Plain: true, AcceptLosses: true,
		Keep: func(rec model.Record) bool { return rec.ID > 1 }, Progress: func(model.RecordID) { seen++ }}
	must.Do(t, cbkit.Save(t.Context(), path, library(), opt))
	text, err := os.ReadFile(path)
	if err != nil || seen != 3 || strings.Contains(string(text), "Tartakower") || !strings.Contains(string(text), "Morphy") {
		t.Errorf("%d told, %v:\n%s", seen, err, text)
	}
	left, err := cbkit.Create(t.Context(), filepath.Join(filepath.Dir(path), "b.cbh"), cbkit.SaveOptions{})
	if err == nil {
		err = errors.Join(left.Begin(library()), left.Abort(), left.Abort())
	}
	if names, _ := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
		t.Errorf("an aborted sink leaves %v, %v", names, err)
	}
}

// What is saved in memory, boosters included, is what is saved on the disk, and opens
// from there; nothing appears on the disk. Archives and embedded files open in the same
// way.
func TestSavedInMemory(t *testing.T) {
	dir, memory := gen.Folder(t), write.NewMemory()
	opt := cbkit.SaveOptions{Now: func() time.Time { return time.Unix(1e9, 0) }, AcceptLosses: true, Boosters: &write.BoosterOptions{NoSeal: true}}
	want := library()
	for _, name := range []string{"a.cbh", "b.dci", "c.pgn", "d.pgn.gz", "e.jsonl", "f.parquet"} {
		must.Do(t, cbkit.Save(t.Context(), filepath.Join(dir, name), want, opt))
		within := opt
		within.In = memory
		if err := cbkit.Save(t.Context(), "deep/"+name, want, within); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := cbkit.Save(t.Context(), "deep/"+name, want, within); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: saved over: %v", name, err)
		}
		if within.Force = true; cbkit.Save(t.Context(), "deep/"+name, want, within) != nil {
			t.Errorf("%s: not replaced", name)
		}
		src := must.Get(cbkit.Open("deep/"+name, cbkit.Options{FS: memory}))(t)
		got, err := model.Load(t.Context(), src)
		if err != nil || len(got.List) != len(want.List) {
			t.Errorf("%s: %d records, %v", name, len(got.List), err)
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
	names := must.Get(fs.ReadDir(memory, "deep"))(t)
	if on, err := os.ReadDir(dir); err != nil || len(on) != len(names) {
		t.Errorf("on the disk %v, in memory %v", on, names)
	}
	for _, e := range names {
		there, err := fs.ReadFile(memory, "deep/"+e.Name())
		here, failed := os.ReadFile(filepath.Join(dir, e.Name()))
		if err = errors.Join(err, failed); err != nil || !bytes.Equal(there, here) {
			t.Errorf("%s differs, %v", e.Name(), err)
		}
	}
	both := must.Get(cbkit.OpenAll([]string{"deep/c.pgn", "deep/d.pgn.gz"}, cbkit.Options{FS: memory}))(t)
	defer both.Close()
	if all, err := model.Load(t.Context(), both); err != nil || len(all.List) != 2*len(want.List) {
		t.Errorf("two as one: %v", err)
	}
	packed, remove := packedClassics()
	defer remove()
	archived := must.Get(cbkit.Open(filepath.Base(packed), cbkit.Options{FS: os.DirFS(filepath.Dir(packed))}))(t)
	if err := archived.Close(); err != nil {
		t.Error(err)
	}
	for name, wanted := range map[string]error{"none.cbh": fs.ErrNotExist, "none.pgn": fs.ErrNotExist, "none.parquet": fs.ErrNotExist} {
		if _, err := cbkit.Open(name, cbkit.Options{FS: memory}); !errors.Is(err, wanted) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Text that is UTF-8 throughout has no code page, however long it is and wherever
// the pieces that are looked at are cut.
func TestLongUTF8HasNoCodePage(t *testing.T) {
	for _, lines := range []string{"[White \"Алёхин, Александр\"]\n", strings.Repeat("Ёж ", 30) + "\n", strings.Repeat("é", 1<<17) + "\n"} {
		path := filepath.Join(gen.Folder(t), "long.pgn")
		text := strings.Repeat(lines, (3<<20)/len(lines))
		must.Do(t, os.WriteFile(path, []byte("x"+text), 0o600))
		if g := cbkit.GuessTextPage(path); g.Texts != 0 {
			t.Errorf("lines like %.40s: %v", lines, g)
		}
		src := must.Get(cbkit.NewReader(strings.NewReader("x"+text), cbkit.Options{GuessCodePage: true, KeepGoing: true}))(t)
		if g := src.Guess(); g.Texts != 0 {
			t.Errorf("read, lines like %.40s: %v", lines, g)
		}
	}
}

// A guess looks at so much of all files together that it does not keep anybody waiting.
func TestGuessOfMany(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.pgn")
	text := bytes.Repeat([]byte("[White \"M\xfcller\"]\n"), 8)
	must.Do(t, os.WriteFile(name, append(text, bytes.Repeat([]byte("1. e4 e5 *\n"), 1<<17)...), 0o600))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	guess := cbkit.GuessTextPage(slices.Repeat([]string{name}, 400)...)
	runtime.ReadMemStats(&after)
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 600 || guess.Page != "1252" {
		t.Errorf("%v, with %d MiB", guess, mib)
	}
}

// Every format that can be changed is changed in the same way, transaction by transaction:
// what was rolled back, rehearsed or not there leaves no trace, and what a format cannot do
// is one error.
func TestEditEveryFormat(t *testing.T) {
	dir, ctx := gen.Folder(t), context.Background()
	for _, name := range []string{"a.cbh", "b.dci", "c.si4", "d.pgn", "e.pgn.gz", "f.jsonl", "g.jsonl.zst"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			must.Do(t, cbkit.Save(ctx, path, library(), cbkit.SaveOptions{AcceptLosses: true}))
			ed := must.Get(cbkit.Edit(ctx, path, cbkit.EditOptions{AcceptLosses: true, NewNames: true}))(t)
			defer ed.Close()
			if _, err := cbkit.Edit(ctx, path, cbkit.EditOptions{}); !errors.Is(err, model.ErrLocked) {
				t.Errorf("a second editor: %v", err)
			}
			white := func() (list []string) {
				src := must.Get(cbkit.Open(path, cbkit.Options{}))(t)
				defer src.Close()
				for rec := range must.All(t, src.Records(ctx, 1, model.WantHeaders)) {
					if !rec.Deleted {
						list = append(list, rec.Header(src.Entities()).White.LastName)
					}
				}
				return list
			}
			check := func(what string, err error, want ...string) {
				t.Helper()
				if got := white(); err != nil || !slices.Equal(got, want) {
					t.Errorf("%s: %v, games of %q, want %q", what, err, got, want)
				}
			}
			first, all := cbkit.IDs{From: 1, To: 1}, cbkit.IDs{From: 1}
			old := white()

			e, h := new(model.Entities), model.NewHeader()
			e.Players.Intern(model.Player{LastName: "Nobody"})
			h.White = e.Players.Intern(model.Player{LastName: "Other"})
			err := errors.Join(ed.SetHeader(1, h, e), ed.Commit())
			check("another header", err, append([]string{"Other"}, old[1:]...)...)
			own := model.NewHeader()
			own.White = model.NoEntity
			check("of the tables of its own", errors.Join(ed.SetHeader(1, own, nil), ed.Commit()), append([]string{""}, old[1:]...)...)
			check("and back", errors.Join(ed.Set("white", old[0], first), ed.Commit()), old...)
			err = errors.Join(ed.Set("white", "Nobody", all), ed.Rollback())
			check("rolled back", err, old...)
			err = ed.Delete(all)
			did, dry := ed.DryRun()
			check("rehearsed", errors.Join(err, dry), old...)
			if did.Deleted != len(old) {
				t.Errorf("%d would be deleted", did.Deleted)
			}
			if err := errors.Join(ed.Set("white", "Nobody", first), ed.Delete(cbkit.IDs{From: 99, To: 99})); err == nil {
				err = ed.Commit() // which is when a text knows
				check("not there", nil, old...)
				if !errors.Is(err, model.ErrNoRecord) {
					t.Errorf("not there: %v", err)
				}
			} else if err = errors.Join(err, ed.Rollback()); !errors.Is(err, model.ErrNoRecord) {
				t.Errorf("not there: %v", err)
			}

			err = errors.Join(ed.Append(ctx, library(), model.CopyOptions{Keep: func(r model.Record) bool { return r.ID == 2 }}), ed.Commit())
			check("appended", err, append(slices.Clone(old), old[1])...)
			if r := ed.Result(); r.Appended != 1 || ed.Count() != len(old)+1 {
				t.Errorf("%+v, and there are %d", r, ed.Count())
			}
			err = errors.Join(ed.Append(ctx, library(), model.CopyOptions{Keep: func(r model.Record) bool { return r.ID == 1 }}),
				ed.Set("white", "Last", cbkit.IDs{From: model.RecordID(len(old)) + 2}), ed.Delete(first), ed.Commit())
			check("appended and changed", err, append(slices.Clone(old[1:]), old[1], "Last")...)

			ids, renamed := cbkit.IDs{From: 2, To: 2}, "Renamed"
			if ed.Format() == cbkit.PGN {
				ids = first // the first one is gone
			}
			if err = ed.Rename("player", "Last", renamed); ed.Format() == cbkit.Simple {
				if !errors.Is(err, model.ErrUnsupported) {
					t.Errorf("renamed: %v", err)
				}
				err, renamed = nil, "Last"
			}
			err = errors.Join(err, ed.Set("white", "Ordinal", ids), ed.Commit())
			check("renamed", err, append(append([]string{"Ordinal"}, old[2:]...), old[1], renamed)...)

			strict, failed := new(model.LossError), ed.Close()
			if ed, err = cbkit.Edit(ctx, path, cbkit.EditOptions{}); err != nil || failed != nil {
				t.Fatal(err, failed)
			}
			defer ed.Close()
			lossy := library()
			lossy.List[0].Deleted = true
			if err := errors.Join(ed.Append(ctx, lossy, model.CopyOptions{}), ed.Commit()); ed.Format() == cbkit.PGN && !errors.As(err, &strict) {
				t.Errorf("a loss that nobody hears of: %v", err)
			}

			if err := ed.Merge("r", "#0", "#1"); !errors.Is(err, model.ErrOption) || errors.Is(err, model.ErrUnsupported) {
				t.Errorf("a kind that is none: %v", err)
			}
			if err := ed.RemoveUnused(); errors.Is(err, model.ErrUnsupported) != (ed.Format() != cbkit.ChessBase) {
				t.Errorf("names that nobody has: %v", err)
			}
			if err := errors.Join(ed.Rollback(), ed.Delete(), ed.Commit()); err != nil || ed.Result().Deleted != 0 {
				t.Errorf("no records are all of them: %v, %+v", err, ed.Result())
			}
			if err := errors.Join(ed.Close(), ed.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	for name, want := range map[string]error{"none.pgn": fs.ErrNotExist, "none.cbh": fs.ErrNotExist, "none.2cbh": model.ErrUnsupported} {
		if _, err := cbkit.Edit(ctx, filepath.Join(dir, name), cbkit.EditOptions{}); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// saveZip makes a zip of files.
func saveZip(t *testing.T, path string, files ...string) {
	t.Helper()
	contents := map[string]string{}
	for _, name := range files {
		data := must.Get(os.ReadFile(name))(t)
		contents[filepath.Base(name)] = string(data)
	}
	saveZipOf(t, path, contents)
}

// saveZipOf makes a zip of names and contents.
func saveZipOf(t *testing.T, path string, contents map[string]string) {
	t.Helper()
	out := must.Get(os.Create(path))(t)
	w := zip.NewWriter(out)
	for name, content := range contents {
		f := must.Get(w.Create(name))(t)
		must.Get(f.Write([]byte(content)))(t)
	}
	must.Do(t, w.Close(), out.Close())
}

// countIn returns how many records there are under a name, read twice.
func countIn(t *testing.T, path string, opt cbkit.Options) (n int) {
	t.Helper()
	src, err := cbkit.Open(path, opt)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer src.Close()
	passes := 2
	if opt.FS != nil {
		passes = 1 // text can be read once there
	}
	for range passes {
		n = 0
		for _, err := range src.Records(context.Background(), 1, model.WantMoves) {
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			n++
		}
	}
	return n
}

// Names of a text that cannot be read are an error of whatever asks for them.
func TestEditNamesOfTextNotRead(t *testing.T) {
	for _, name := range []string{"a.pgn", "b.jsonl"} {
		path := filepath.Join(gen.Folder(t), name)
		must.Do(t, cbkit.Save(context.Background(), path, library(), cbkit.SaveOptions{AcceptLosses: true}))
		ctx, end := context.WithCancel(context.Background())
		ed := must.Get(cbkit.Edit(ctx, path, cbkit.EditOptions{}))(t)
		end()
		if err := ed.Rename("player", "Nobody", "Somebody"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		_ = ed.Close()
	}
}

// What is in a zip is opened as if it was not: texts one after the other, a database and
// an archive in a temporary folder that goes with the source.
func TestOpenZip(t *testing.T) {
	dir := gen.Folder(t)
	t.Setenv("TMPDIR", dir)
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"Games.cbh", "Games.dci", "a.pgn", "b.pgn.gz", "c.jsonl"} {
		must.Do(t, cbkit.Save(context.Background(), path(name), library(), cbkit.SaveOptions{AcceptLosses: true}))
	}
	chess := must.Get(filepath.Glob(path("Games.cb*")))(t)
	simple := must.Get(filepath.Glob(path("Games.dc*")))(t)
	one := countIn(t, path("a.pgn"), cbkit.Options{})
	saveZip(t, path("texts.ZIP"), path("a.pgn"), path("b.pgn.gz"))
	saveZip(t, path("mixed.zip"), path("a.pgn"), path("c.jsonl"))
	saveZip(t, path("chess.zip"), chess...)
	saveZip(t, path("simple.zip"), simple...)
	saveZip(t, path("both.zip"), append(append(chess, simple...), path("a.pgn"))...)
	before, _ := os.ReadDir(dir)
	for name, want := range map[string]int{
		"texts.ZIP": 2 * one, "mixed.zip": 2 * one, "chess.zip": one, "simple.zip": one, "texts.ZIP:a.pgn": one, "texts.ZIP:b.pgn.gz": one,
		"both.zip:Games.cbh": one, "both.zip:games.dci": one, "both.zip:a.pgn": one, "chess.zip:Games": one,
	} {
		if got := countIn(t, path(name), cbkit.Options{GuessCodePage: true}); got != want {
			t.Errorf("%s: %d games, want %d", name, got, want)
		}
		if strings.HasPrefix(name, "both.zip:g") {
			continue // names in file systems are as they are spelt
		}
		if got := countIn(t, name, cbkit.Options{FS: os.DirFS(dir)}); got != want {
			t.Errorf("%s in a file system: %d games, want %d", name, got, want)
		}
	}
	if src, err := cbkit.OpenAll([]string{path("texts.ZIP"), path("chess.zip"), path("a.pgn")}, cbkit.Options{}); err != nil {
		t.Error(err)
	} else if err := src.Close(); err != nil {
		t.Error(err)
	}
	if p, err := cbkit.Locate(path("chess.zip"), cbkit.Options{}); err != nil || filepath.Base(p.Name) != "Games.cbh" {
		t.Errorf("%+v, %v", p, err)
	} else if err := p.Close(); err != nil {
		t.Error(err)
	}
	for name, says := range map[string]string{
		"both.zip": "name one of them", "both.zip:x.cbh": `there is no "x.cbh" in the zip`, "chess.zip:../Games.cbh": "there is no",
	} {
		if _, err := cbkit.Open(path(name), cbkit.Options{}); !errors.Is(err, model.ErrOption) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after, _ := os.ReadDir(dir); len(after) != len(before) {
		t.Errorf("something is left: %v", after)
	}
}

// A zip that cannot be unpacked leaves nothing.
func TestZipLeavesNothing(t *testing.T) {
	dir := gen.Folder(t)
	t.Setenv("TMPDIR", dir)
	path := func(name string) string { return filepath.Join(dir, name) }
	must.Do(t, cbkit.Save(context.Background(), path("Games.cbh"), library(), cbkit.SaveOptions{AcceptLosses: true}))
	chess, _ := filepath.Glob(path("Games.cb*"))
	saveZip(t, path("x.zip"), chess...)
	data := must.Get(os.ReadFile(path("x.zip")))(t)
	for i := range len(data) / 2 { // the files, not the directory
		data[i] ^= 0x55
	}
	must.Do(t, os.WriteFile(path("x.zip"), data, 0o666))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before, _ := os.ReadDir(dir)
	if _, err := cbkit.Open(path("x.zip"), cbkit.Options{}); err == nil || !strings.Contains(err.Error(), "x.zip:Games.") {
		t.Errorf("damaged: %v", err)
	}
	if _, err := cbkit.Unzip(ctx, path("x.zip")); err == nil {
		t.Error("unpacked though it was to stop")
	}
	if after, _ := os.ReadDir(dir); len(after) != len(before) {
		t.Errorf("something is left: %v", after)
	}
	if _, err := cbkit.Open("x.zip", cbkit.Options{FS: fstest.MapFS{"x.zip": {Data: []byte("no zip")}}}); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("no zip: %v", err)
	}
}

// A damaged text in a zip is named with the zip, and what stands before the damage is
// read.
func TestDamagedTextInZip(t *testing.T) {
	dir := gen.Folder(t)
	path := filepath.Join(dir, "x.zip")
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "[Event \"%d\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n", i)
	}
	saveZipOf(t, path, map[string]string{"a.pgn": text.String()})
	data := must.Get(os.ReadFile(path))(t)
	at := strings.Index(string(data), "PK\x01\x02")
	data[at-20] ^= 0xFF // the end of the compressed text
	must.Do(t, os.WriteFile(path, data, 0o666))
	src := must.Get(cbkit.Open(path, cbkit.Options{}))(t)
	defer src.Close()
	n, last := 0, error(nil)
	for _, err := range src.Records(context.Background(), 1, model.WantMoves) {
		if last = err; err == nil {
			n++
		}
	}
	if n == 0 || last == nil || strings.Count(last.Error(), path+":a.pgn: ") != 1 {
		t.Errorf("%d games, then %v", n, last)
	}
}

// A source has one state: a text that has become another since it was opened, or since it was
// read, is an error that names it, in a zip and in a folder, too.
func TestSourceIsOneState(t *testing.T) {
	ctx, short := context.Background(), library()
	short.List = short.List[:2]
	for _, name := range []string{"a.pgn", "b.pgn.gz", "c.jsonl", "d.jsonl.zst", "e.epd", "f.zip", "g"} {
		t.Run(name, func(t *testing.T) {
			dir := gen.Folder(t)
			path, named := filepath.Join(dir, name), name
			save := func(path string, db *model.Database) {
				t.Helper()
				must.Do(t, cbkit.Save(ctx, path, db, cbkit.SaveOptions{AcceptLosses: true, Force: true}))
			}
			put := func(db *model.Database) { save(path, db) }
			switch name {
			case "e.epd":
				put = func(db *model.Database) {
					line := "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n"
					must.Do(t, os.WriteFile(path, []byte(strings.Repeat(line, len(db.List))), 0o666))
				}
			case "f.zip":
				put = func(db *model.Database) {
					save(filepath.Join(dir, "in.pgn"), db)
					saveZip(t, path, filepath.Join(dir, "in.pgn"))
				}
			case "g":
				must.Do(t, os.Mkdir(path, 0o777))
				named, put = "in.cbh", func(db *model.Database) { save(filepath.Join(path, "in.cbh"), db) }
			}
			put(library())
			src := must.Get(cbkit.Open(path, cbkit.Options{}))(t)
			defer src.Close()
			read := func() (n int, last error) {
				for _, err := range src.Records(ctx, 1, model.WantMoves) {
					if n++; err != nil {
						last = err
					}
				}
				return n, last
			}
			if !strings.Contains(name, ".jsonl") && name != "e.epd" { // the others are opened, and their leftover is asked for
				for range 2 {
					if n, err := read(); err != nil || n != 3 {
						t.Fatalf("%d records, %v", n, err)
					}
				}
			}
			src.Leftover()
			put(short)
			if _, err := read(); !errors.Is(err, model.ErrChanged) || !strings.Contains(err.Error(), named) {
				t.Errorf("after a change: %v", err)
			}
		})
	}
}

// A text that becomes shorter while it is read ends with an error that names it.
func TestShrinkingText(t *testing.T) {
	ctx, dir := context.Background(), gen.Folder(t)
	many := library()
	atLeast := 30000 // more than is read at once
	if testing.Short() {
		atLeast = 10000
	}
	for len(many.List) < atLeast {
		many.List = append(many.List, many.List...)
	}
	for i := range many.List {
		many.List[i].ID = model.RecordID(i + 1)
	}
	for _, name := range []string{"a.pgn", "c.jsonl", "e.epd"} {
		path := filepath.Join(dir, name)
		err := cbkit.Save(ctx, path, many, cbkit.SaveOptions{AcceptLosses: true, Force: true})
		if name == "e.epd" { // of positions
			err = os.WriteFile(path, []byte(strings.Repeat("4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n", len(many.List))), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		src := must.Get(cbkit.Open(path, cbkit.Options{}))(t)
		defer src.Close()
		n := 0
		var last error
		for _, err := range src.Records(ctx, 1, model.WantHeaders) {
			if n++; n == 1 {
				if info, err := os.Stat(path); err != nil || os.Truncate(path, info.Size()-100) != nil {
					t.Fatal("it cannot be cut")
				}
			}
			last = err
		}
		if !errors.Is(last, model.ErrChanged) || !strings.Contains(last.Error(), name) {
			t.Errorf("%s: %d of %d records, %v", name, n, len(many.List), last)
		}
	}
}
