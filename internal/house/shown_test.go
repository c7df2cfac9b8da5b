package house

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

// Whoever looks a function or a type of a public package up finds it in a runnable
// example: a function is called in one, a type is that of a value there, or of a
// field, parameter or result of what is used there. Interfaces need none: those who
// implement one read its methods, and the others never name it.
func TestExamplesShowThePublicInterface(t *testing.T) {
	public, shown := publicPackages(t), map[string]bool{}
	for name := range public {
		dir := path.Join(".", strings.TrimPrefix(name, root))
		maps.Copy(shown, namesInExamples(t, dir))
	}
	for _, pkg := range public {
		for _, name := range pkg.Scope().Names() {
			object := pkg.Scope().Lookup(name)
			switch object.(type) {
			case *types.Func, *types.TypeName:
			default:
				continue // constants and variables
			}
			if object.Exported() && !types.IsInterface(object.Type()) && !shown[pkg.Path()+"."+name] {
				t.Errorf("no example shows %s.%s", pkg.Path(), name)
			}
		}
	}
}

// namesInExamples returns the functions and types that the examples of a folder
// use, and the types of all their values. The helpers in a file of examples belong
// to them.
func namesInExamples(t *testing.T, dir string) map[string]bool {
	files := token.NewFileSet()
	paths := must.Get(filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*_test.go")))(t)
	var parsed []*ast.File
	var examples []ast.Node
	for _, name := range paths {
		f := must.Get(parser.ParseFile(files, name, nil, parser.ParseComments))(t)
		if strings.HasSuffix(f.Name.Name, "_test") {
			parsed = append(parsed, f)
			for _, e := range doc.Examples(f) {
				if e.Output == "" && !e.EmptyOutput {
					t.Errorf("%s: Example%s has no output, so that it is not run", name, e.Name)
				}
			}
			examples = append(examples, examplesOf(f, strings.HasPrefix(filepath.Base(name), "example"))...)
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	check := types.Config{Importer: exported, Error: func(error) {}} // what only tests import is not looked at
	_, _ = check.Check(dir, files, parsed, info)
	names := map[string]bool{}
	for _, example := range examples {
		ast.Inspect(example, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is && info.Uses[id] != nil && info.Uses[id].Pkg() != nil {
				object := info.Uses[id]
				addType(names, object.Type())
				if object.Parent() == object.Pkg().Scope() { // no field or method of the name
					names[object.Pkg().Path()+"."+object.Name()] = true
				}
			}
			if expr, is := n.(ast.Expr); is && info.Types[expr].Type != nil {
				addType(names, info.Types[expr].Type)
			}
			return true
		})
	}
	return names
}

// examplesOf returns the examples of a file: the whole file, or its functions with
// the name of an example.
func examplesOf(f *ast.File, whole bool) (list []ast.Node) {
	if whole {
		return []ast.Node{f}
	}
	for _, decl := range f.Decls {
		if fn, is := decl.(*ast.FuncDecl); is && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Example") {
			list = append(list, fn)
		}
	}
	return list
}

// addType adds a named type, those of the fields of a structure, and those of which
// it is a pointer, list, parameter or result.
func addType(names map[string]bool, typ types.Type) {
	switch t := typ.(type) {
	case *types.Named:
		object := t.Obj()
		if object.Pkg() == nil || names[object.Pkg().Path()+"."+object.Name()] {
			return
		}
		names[object.Pkg().Path()+"."+object.Name()] = true
		if fields, is := t.Underlying().(*types.Struct); is {
			for field := range fields.Fields() {
				if field.Exported() {
					addType(names, field.Type())
				}
			}
		}
	case *types.Alias:
		if object := t.Obj(); object.Pkg() != nil {
			names[object.Pkg().Path()+"."+object.Name()] = true
		}
		addType(names, t.Rhs())
	case *types.Pointer:
		addType(names, t.Elem())
	case *types.Slice:
		addType(names, t.Elem())
	case *types.Array:
		addType(names, t.Elem())
	case *types.Map:
		addType(names, t.Key())
		addType(names, t.Elem())
	case *types.Signature:
		if receiver := t.Recv(); receiver != nil {
			addType(names, receiver.Type())
		}
		for value := range t.Params().Variables() {
			addType(names, value.Type())
		}
		for value := range t.Results().Variables() {
			addType(names, value.Type())
		}
	}
}
