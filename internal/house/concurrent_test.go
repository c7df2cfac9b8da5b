package house

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cbkit"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/search"
)

// The documentation of every source says what several goroutines may do with it.
func TestSourcesTellOfGoroutines(t *testing.T) {
	packages := publicPackages(t)
	source := packages["cbkit/model"].Scope().Lookup("Source").Type().Underlying().(*types.Interface)
	seen := 0
	for path, pkg := range packages {
		docs := docsOf(t, strings.TrimPrefix(strings.TrimPrefix(path, root), "/"))
		for _, name := range pkg.Scope().Names() {
			object, is := pkg.Scope().Lookup(name).(*types.TypeName)
			if !is || !object.Exported() || object.IsAlias() || types.IsInterface(object.Type()) {
				continue
			}
			if generic, is := object.Type().(*types.Named); is && generic.TypeParams().Len() > 0 {
				continue
			}
			if types.Implements(types.NewPointer(object.Type()), source) {
				if seen++; !strings.Contains(docs[name], "goroutine") {
					t.Errorf("%s.%s does not say what goroutines may do with it at once", path, name)
				}
			}
		}
	}
	if seen < 9 {
		t.Errorf("%d sources", seen)
	}
}

// docsOf returns the comments of the types of a folder.
func docsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(".", dir, "*.go")))(t)
	docs := map[string]string{}
	for _, name := range files {
		file := must.Get(parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments))(t)
		for _, decl := range file.Decls {
			if g, is := decl.(*ast.GenDecl); is && g.Tok == token.TYPE && len(g.Specs) == 1 {
				docs[g.Specs[0].(*ast.TypeSpec).Name.Name] = g.Doc.Text()
			}
		}
	}
	return docs
}

// What the documentation says may be done at once is: the race detector has the last
// word.
func TestAtOnce(t *testing.T) {
	dir := gen.Folder(t)
	memory := manyGames(300)
	path := filepath.Join(dir, "a.cbh")
	must.Do(t, cbkit.Save(t.Context(), path, memory, cbkit.SaveOptions{}))
	stored := must.Get(cbkit.Open(path, cbkit.Options{Jobs: 2}))(t)
	defer stored.Close()
	searcher := must.Get(search.Open(path, search.Options{Jobs: 2}))(t)
	defer searcher.Close()
	pass := func(ctx context.Context, src model.Source) {
		n := 0
		for rec, err := range src.Records(ctx, 1, model.WantAll) {
			if err != nil || rec.Game.WhiteElo != uint16(999+rec.ID) {
				t.Errorf("record %d: %v, %v", rec.ID, rec.Game, err)
				return
			}
			players := &src.Entities().Players
			p := players.Value(rec.Game.White)
			if _, ok := players.Find(p); !ok || p.LastName == "" {
				t.Errorf("record %d: its player %q is not found", rec.ID, p.LastName)
			}
			n++
		}
		if n != 300 {
			t.Errorf("%d records", n)
		}
	}
	somebody := must.Get(search.Term("player", "Somebody"))(t)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { pass(t.Context(), memory) })
		all.Go(func() { pass(t.Context(), stored) })
		all.Go(func() {
			for id := range model.RecordID(300) {
				if rec, err := stored.Record(t.Context(), id+1, model.WantAll); err != nil || rec.ID != id+1 {
					t.Errorf("record %d: %v", id+1, err)
				}
			}
		})
		all.Go(func() {
			found, err := searcher.Find(t.Context(), somebody)
			if err != nil || len(found.IDs) != 300 {
				t.Errorf("%d found, %v", len(found.IDs), err)
			}
		})
	}
	all.Wait()
}
