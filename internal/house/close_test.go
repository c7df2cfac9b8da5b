package house

import (
	"context"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cbkit"
	"cbkit/archive"
	"cbkit/collect"
	"cbkit/ctgwrite"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/read"
	"cbkit/search"
	"cbkit/write"
)

// A closing folder has one of each: a database, a Simple Chess Database, a book and
// an archive.
type closingFolder struct{ database, simple, book, polyglot, archive, text, lines, target, zip string }

// closers make a value of every public type with a Close.
var closers = map[string]func(closingFolder) (io.Closer, error){
	root + ".Source": func(f closingFolder) (io.Closer, error) { return cbkit.Open(f.database, cbkit.Options{}) },
	root + ".Editor": func(f closingFolder) (io.Closer, error) {
		return cbkit.Edit(context.Background(), f.text, cbkit.EditOptions{})
	},
	root + ".Place":    func(f closingFolder) (io.Closer, error) { return cbkit.Locate(f.archive, cbkit.Options{}) },
	root + ".Unzipped": func(f closingFolder) (io.Closer, error) { return cbkit.Unzip(context.Background(), f.zip) },
	"cbkit/archive.Archive": func(f closingFolder) (io.Closer, error) {
		return archive.Open(f.archive, archive.Options{})
	},
	"cbkit/collect.Groups": func(closingFolder) (io.Closer, error) {
		return collect.Split(context.Background(), library(), "year", collect.Options{})
	},
	"cbkit/collect.Sorted": func(closingFolder) (io.Closer, error) {
		orders, err := collect.ParseOrders("date")
		if err != nil {
			return nil, err
		}
		return collect.Sort(context.Background(), library(), orders, collect.Options{})
	},
	"cbkit/ctgwrite.Builder": func(closingFolder) (io.Closer, error) {
		b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{})
		return b, b.Add(context.Background(), library())
	},
	"cbkit/ctgwrite.Editor": func(f closingFolder) (io.Closer, error) {
		return ctgwrite.Edit(context.Background(), f.book, ctgwrite.EditOptions{})
	},
	"cbkit/read.CTG": func(f closingFolder) (io.Closer, error) { return read.OpenBook(context.Background(), f.book) },
	"cbkit/read.Polyglot": func(f closingFolder) (io.Closer, error) {
		return read.OpenBook(context.Background(), f.polyglot)
	},
	"cbkit/read.ChessBase": func(f closingFolder) (io.Closer, error) { return read.Open(f.database, read.Options{}) },
	"cbkit/read.ChessBase2": func(closingFolder) (io.Closer, error) {
		return read.OpenFS(gen.EmptyChessBase2(), "Games.2cbh", read.Options{})
	},
	"cbkit/read.Scid": func(f closingFolder) (io.Closer, error) {
		path := filepath.Join(filepath.Dir(f.database), "Scid.si4")
		if err := cbkit.Save(context.Background(), path, library(), cbkit.SaveOptions{Force: true, AcceptLosses: true}); err != nil {
			return nil, err
		}
		return read.Open(path, read.Options{})
	},
	"cbkit/read.SimpleDB": func(f closingFolder) (io.Closer, error) { return read.Open(f.simple, read.Options{}) },
	"cbkit/search.Searcher": func(f closingFolder) (io.Closer, error) {
		return search.Open(f.database, search.Options{})
	},
	"cbkit/write.Editor": func(f closingFolder) (io.Closer, error) {
		return write.Edit(context.Background(), f.database, write.EditOptions{})
	},
	"cbkit/write.ScidEditor": func(f closingFolder) (io.Closer, error) {
		path := filepath.Join(filepath.Dir(f.database), "Edited.si4")
		if err := cbkit.Save(context.Background(), path, library(), cbkit.SaveOptions{Force: true, AcceptLosses: true}); err != nil {
			return nil, err
		}
		return write.EditScid(context.Background(), path, write.EditOptions{})
	},
	"cbkit/write.SimpleEditor": func(f closingFolder) (io.Closer, error) {
		return write.EditSimple(context.Background(), f.simple, write.EditOptions{})
	},
}

// Whatever can be closed can be closed again, as it happens with a deferred Close
// behind one whose error is looked at. And what was closed stands in nobody's way:
// the next one of the same kind can be opened, and is not closed along with it.
func TestCloseTwice(t *testing.T) {
	folder := newClosingFolder(t)
	for _, name := range slices.Sorted(maps.Keys(closers)) {
		t.Run(name, func(t *testing.T) {
			first := must.Get(closers[name](folder))(t)
			if err := first.Close(); err != nil {
				t.Errorf("closed once: %v", err)
			}
			second, err := closers[name](folder)
			if err != nil {
				t.Fatalf("opened again: %v", err)
			}
			if err := first.Close(); err != nil {
				t.Errorf("closed twice: %v", err)
			}
			if err := second.Close(); err != nil {
				t.Errorf("the next one: %v", err)
			}
		})
	}
}

// No type with a Close, Abort or Rollback is missing among those that are tested. The values of
// interfaces are of types that are.
func TestClosersAreAll(t *testing.T) {
	if testing.Short() {
		t.Skip("the types of all packages are read")
	}
	found := map[string]bool{}
	for path, pkg := range publicPackages(t) {
		for _, name := range pkg.Scope().Names() {
			object, is := pkg.Scope().Lookup(name).(*types.TypeName)
			if !is || !object.Exported() || object.IsAlias() || types.IsInterface(object.Type()) {
				continue
			}
			methods := types.NewMethodSet(types.NewPointer(object.Type()))
			for _, ending := range []string{"Close", "Abort", "Rollback"} {
				if methods.Lookup(pkg, ending) != nil {
					found[path+"."+name] = true
				}
			}
		}
	}
	for name := range found {
		if closers[name] == nil && sinks[name] == nil {
			t.Errorf("%s has an end that nobody calls twice", name)
		}
	}
	for _, name := range append(slices.Collect(maps.Keys(closers)), slices.Collect(maps.Keys(sinks))...) {
		if !found[name] {
			t.Errorf("there is no %s with an end", name)
		}
	}
}

// newClosingFolder writes the files that are opened.
func newClosingFolder(t *testing.T) closingFolder {
	t.Helper()
	packed := packedLibrary(t)
	dir := filepath.Dir(packed)
	f := closingFolder{
		zip:      filepath.Join(dir, "Classics.zip"),
		database: filepath.Join(dir, "Classics.cbh"), archive: packed, simple: filepath.Join(dir, "Simple.dci"),
		book: filepath.Join(dir, "Book.ctg"), polyglot: filepath.Join(dir, "Book.bin"), text: filepath.Join(dir, "Text.pgn"), lines: filepath.Join(dir, "Lines.jsonl"),
	}
	for _, path := range []string{f.simple, f.text, f.lines} {
		must.Do(t, cbkit.Save(context.Background(), path, library(), cbkit.SaveOptions{AcceptLosses: true}))
	}
	saveZip(t, f.zip, packed)
	b := ctgwrite.NewBuilder(ctgwrite.BuilderOptions{})
	defer b.Close()
	must.Do(t, b.Add(context.Background(), library()))
	must.Get(b.Write(context.Background(), f.book))(t)
	must.Do(t, os.WriteFile(f.polyglot, nil, 0o666))
	return f
}
