package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// A context is the first parameter of whatever takes one, and in no options: what is
// kept in a struct ends work that nobody sees begin.
func TestNoContextInOptions(t *testing.T) {
	isContext := func(typ types.Type) bool { return types.TypeString(typ, nil) == "context.Context" }
	first := func(place string, s *types.Signature) {
		for i := range s.Params().Len() {
			if i > 0 && isContext(s.Params().At(i).Type()) {
				t.Errorf("%s has its context in place %d", place, i+1)
			}
		}
	}
	taking := 0
	for _, pkg := range publicPackages(t) {
		for _, name := range pkg.Scope().Names() {
			object := pkg.Scope().Lookup(name)
			place := pkg.Name() + "." + name
			if !object.Exported() {
				continue
			}
			if s, is := object.Type().(*types.Signature); is {
				first(place, s)
				taking++
			}
			named, is := object.Type().(*types.Named)
			if !is {
				continue
			}
			for m := range named.Methods() {
				first(place+"."+m.Name(), m.Signature())
			}
			if s, is := named.Underlying().(*types.Struct); is {
				for field := range s.Fields() {
					if field.Exported() && isContext(field.Type()) {
						t.Errorf("%s.%s is a context", place, field.Name())
					}
				}
			}
		}
	}
	if taking < 100 {
		t.Errorf("only %d functions were looked at", taking)
	}
}

// An error has one name: no package calls that of another one its own.
func TestErrorsHaveOneName(t *testing.T) {
	seen := 0
	for _, pkg := range publicPackages(t) {
		dir := strings.TrimPrefix(strings.TrimPrefix(pkg.Path(), root), "/")
		files := must.Get(filepath.Glob(filepath.Join(".", dir, "*.go")))(t)
		for _, name := range files {
			src := must.Get(os.ReadFile(name))(t)
			file := must.Get(parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution))(t)
			for _, decl := range file.Decls {
				d, is := decl.(*ast.GenDecl)
				if !is || d.Tok != token.VAR {
					continue
				}
				for _, spec := range d.Specs {
					v := spec.(*ast.ValueSpec)
					for i, name := range v.Names {
						if !strings.HasPrefix(name.Name, "Err") || i >= len(v.Values) {
							continue
						}
						seen++
						switch v.Values[i].(type) {
						case *ast.SelectorExpr, *ast.Ident:
							t.Errorf("%s.%s is an error of another name", pkg.Name(), name.Name)
						}
					}
				}
			}
		}
	}
	if seen < 25 {
		t.Errorf("only %d errors were looked at", seen)
	}
}
