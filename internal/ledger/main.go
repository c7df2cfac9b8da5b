// The program ledger prints the size of the module: for each package the lines of code,
// files and functions, the share of functions with one caller and of lines in them, and
// the exported names. It is run from the root of the module:
//
//	go run ./internal/ledger            a table, as docs/architecture.md holds it
//	go run ./internal/ledger -packages  with a row for each package
//	go run ./internal/ledger -limits    the counts beside limits.txt; above one of them it fails
//
// Limits are raised only for a feature, and by what was agreed for it; other code that it
// needs must be saved elsewhere. When the module gets smaller, so do the limits.
//
// The rules it counts by:
//
//   - A line of code is a line of a file that is not a test on which something
//     stands besides blanks and comments. Files of all systems count.
//   - A function is a declared function or method with a body. Functions, names and
//     callers are those of the system that the ledger runs on.
//   - A function has one caller if it is not exported and its name is used exactly
//     once in its package outside tests, by go/types; a use within itself is none.
//   - Exported names are those of the package and the exported fields and methods of
//     its exported types. What is below internal, and programs, have none.
//   - Test support (testkit, duckdb, bench, browsertest, the examples, the rules of the
//     house and this ledger) is counted apart, since the product does not contain it.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// support are the rooms of test support, as they are below the root.
var support = []string{
	"bench", "examples", "cmd/internal/browsertest", "internal/duckdb", "internal/house", "internal/ledger", "internal/testkit", "roundtrip_test",
}

// A row is what is counted of one package, or the sum of several.
type row struct {
	name                   string
	files, code            int
	functions, single      int // functions, those with one caller
	lines, singleLines     int // of functions
	exported, exportedTops int // all exported names; those of packages alone
}

func (r *row) add(other row) {
	r.files += other.files
	r.code += other.code
	r.functions += other.functions
	r.single += other.single
	r.lines += other.lines
	r.singleLines += other.singleLines
	r.exported += other.exported
	r.exportedTops += other.exportedTops
}

// A listed package is what go list tells of one.
type listed struct {
	ImportPath, Dir, Export string
	Module                  *struct{ Path string }
	GoFiles, IgnoredGoFiles []string
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("ledger: ")
	each := flag.Bool("packages", false, "print a row for each package")
	limits := flag.Bool("limits", false, "compare what is counted with limits.txt")
	flag.Parse()
	rows, err := count()
	if err != nil {
		log.Fatal(err)
	}
	if *limits {
		text, err := os.ReadFile("internal/ledger/limits.txt")
		if err != nil {
			log.Fatal(err)
		}
		entries, err := exec.Command("git", "ls-tree", "--name-only", "HEAD").Output()
		if err != nil {
			log.Fatal(fmt.Errorf("git ls-tree: %w", err))
		}
		if err := compare(os.Stdout, rows, bytes.Count(entries, []byte("\n")), string(text)); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := show(os.Stdout, rows, *each); err != nil {
		log.Fatal(err)
	}
}

// count counts every package of the module in the working folder.
func count() (rows []row, err error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,Module,GoFiles,IgnoredGoFiles", "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var ours []listed
	exported := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg listed
		if err := d.Decode(&pkg); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		exported[pkg.ImportPath] = pkg.Export
		if rel, err := filepath.Rel(root, pkg.Dir); err == nil && filepath.IsLocal(rel) && pkg.Module != nil {
			ours = append(ours, pkg)
		}
	}
	for _, pkg := range ours {
		r, err := countPackage(root, pkg, exported)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pkg.ImportPath, err)
		}
		if r.files > 0 {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.name, b.name) })
	return rows, nil
}

func countPackage(root string, pkg listed, exported map[string]string) (r row, err error) {
	rel, err := filepath.Rel(root, pkg.Dir)
	if err != nil {
		return r, err
	}
	r.name = filepath.ToSlash(rel)
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Concat(pkg.GoFiles, pkg.IgnoredGoFiles) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		name = filepath.Join(pkg.Dir, name)
		src, err := os.ReadFile(name)
		if err != nil {
			return r, err
		}
		r.files++
		r.code += codeLines(src)
		if slices.Contains(pkg.GoFiles, filepath.Base(name)) {
			file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if err != nil {
				return r, err
			}
			files = append(files, file)
		}
	}
	from := importer.ForCompiler(fset, "gc", func(name string) (io.ReadCloser, error) { return os.Open(exported[name]) })
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	checked, err := (&types.Config{Importer: from}).Check(pkg.ImportPath, fset, files, info)
	if err != nil {
		return r, err
	}
	uses := map[types.Object]int{}
	for _, file := range files {
		for _, decl := range file.Decls {
			self := types.Object(nil)
			if f, ok := decl.(*ast.FuncDecl); ok {
				self = info.Defs[f.Name]
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if f, ok := info.Uses[id].(*types.Func); ok && f.Origin() != self {
						uses[f.Origin()]++
					}
				}
				return true
			})
		}
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			lines := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1
			r.functions++
			r.lines += lines
			if !f.Name.IsExported() && uses[info.Defs[f.Name]] == 1 {
				r.single++
				r.singleLines += lines
			}
		}
	}
	if !strings.Contains("/"+r.name+"/", "/internal/") && checked.Name() != "main" {
		r.exportedTops, r.exported = exportedNames(checked)
	}
	return r, nil
}

// codeLines counts the lines on which a token other than a comment stands. The
// lines of a text in backquotes all count.
func codeLines(src []byte) int {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		first := file.Line(pos)
		for i := range strings.Count(text, "\n") + 1 {
			lines[first+i] = true
		}
	}
}

// exportedNames counts the exported names of a package, and with them those of
// their fields and methods.
func exportedNames(pkg *types.Package) (tops, all int) {
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		tops++
		all++
		named, ok := object.Type().(*types.Named)
		if _, isType := object.(*types.TypeName); !ok || !isType {
			continue
		}
		for method := range named.Methods() {
			if method.Exported() {
				all++
			}
		}
		switch under := named.Underlying().(type) {
		case *types.Struct:
			for field := range under.Fields() {
				if field.Exported() {
					all++
				}
			}
		case *types.Interface:
			for method := range under.ExplicitMethods() {
				if method.Exported() {
					all++
				}
			}
		}
	}
	return tops, all
}

// isSupport reports whether a row is that of a room of test support.
func (r *row) isSupport() bool {
	return slices.ContainsFunc(support, func(s string) bool { return r.name == s || strings.HasPrefix(r.name, s+"/") })
}

// compare prints what is counted beside its limit, a line each, and returns an error
// that names what is above. Limits are lines of a number and what it limits; those
// that begin with # are comments.
func compare(w io.Writer, rows []row, entries int, limits string) error {
	counts := map[string]int{"root entries": entries, "lines of code": 0, "exported names": 0, "packages": 0}
	for _, r := range rows {
		if !r.isSupport() {
			counts["lines of code"] += r.code
			counts["exported names"] += r.exportedTops
			counts["packages"]++
		}
	}
	var above []string
	for line := range strings.Lines(limits) {
		number, what, _ := strings.Cut(strings.TrimSpace(line), " ")
		if number == "" || number == "#" {
			continue
		}
		limit, err := strconv.Atoi(number)
		counted, known := counts[what]
		if err != nil || !known {
			return fmt.Errorf("limits.txt: %q is no number and what it limits", strings.TrimSpace(line))
		}
		delete(counts, what)
		fmt.Fprintf(w, "%d %s, %d allowed\n", counted, what, limit)
		if counted > limit {
			above = append(above, what)
		}
	}
	if len(counts) > 0 {
		return fmt.Errorf("limits.txt: no limit of %s", strings.Join(slices.Sorted(maps.Keys(counts)), ", "))
	}
	if above != nil {
		return fmt.Errorf("above the limit: %s", strings.Join(above, ", "))
	}
	return nil
}

// show prints the rows as a table in Markdown.
func show(w io.Writer, rows []row, each bool) error {
	var product, tests row
	product.name, tests.name = "**the product**", "test support"
	out := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	line := func(r row) {
		share := func(part, whole int) string { return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(max(whole, 1))) }
		fmt.Fprintf(out, "| %s\t| %d\t| %d\t| %d\t| %s\t| %s\t| %d\t| %d\t|\n", r.name, r.code, r.files, r.functions,
			share(r.single, r.functions), share(r.singleLines, r.lines), r.exportedTops, r.exported)
	}
	fmt.Fprintln(out, "| Room\t| Code\t| Files\t| Functions\t| One caller\t| of lines\t| Names\t| with members\t|")
	fmt.Fprintln(out, "|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|")
	for _, r := range rows {
		if r.isSupport() {
			tests.add(r)
		} else {
			product.add(r)
		}
		if each {
			line(r)
		}
	}
	line(product)
	line(tests)
	return out.Flush()
}
