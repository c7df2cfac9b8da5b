package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	gocons "go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cbkit/internal/testkit/must"
)

// A sourceFile is a .go file of the module.
type sourceFile struct {
	name    string // with slashes, from the root
	imports []string
}

// root is the import path of the module; internal/release/rename.sh changes what
// stands before a slash.
var root = path.Clean("cbkit/")

// pkg returns the import path of the file's package.
func (f *sourceFile) pkg() string { return path.Join(root, path.Dir(f.name)) }

func (f *sourceFile) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// sourceFiles returns all .go files of the module.
func sourceFiles(t *testing.T) []sourceFile {
	t.Helper()
	list, err := readImports()
	if err != nil || len(list) < 100 {
		t.Fatalf("%d source files, %v", len(list), err)
	}
	return list
}

// readImports reads the imports of all .go files once.
var readImports = sync.OnceValues(func() (list []sourceFile, err error) {
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		f := sourceFile{name: filepath.ToSlash(name)}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			f.imports = append(f.imports, imported)
		}
		list = append(list, f)
		return nil
	})
	return list, err
})

// support lists the packages that exist for tests alone.
var support = []string{
	"cbkit/internal/duckdb", "cbkit/internal/house", "cbkit/internal/ledger", "cbkit/internal/testkit",
}

// Nothing but tests, and test support itself, imports test support.
func TestProductImportsNoTestSupport(t *testing.T) {
	for _, f := range sourceFiles(t) {
		of := func(list []string, pkg string) bool {
			return slices.ContainsFunc(list, func(s string) bool { return pkg == s || strings.HasPrefix(pkg, s+"/") })
		}
		if f.isTest() || of(support, f.pkg()) {
			continue
		}
		for _, imported := range f.imports {
			if of(support, imported) {
				t.Errorf("%s imports %s, which is test support", f.name, imported)
			}
		}
	}
}

// Tests with random input take the same seed every time.
func TestRandomTestsHaveOneSeed(t *testing.T) {
	random, seeded := map[string]bool{}, map[string]bool{"cbkit/internal/testkit/gen": true}
	for _, f := range sourceFiles(t) {
		for _, imported := range f.imports {
			switch {
			case !f.isTest():
			case imported == "pgregory.net/rapid":
				random[f.pkg()] = true
			case slices.Contains([]string{"seeds", "gen", "roomy"}, strings.TrimPrefix(imported, "cbkit/internal/testkit/")):
				seeded[f.pkg()] = true
			}
		}
	}
	for pkg := range random {
		if !seeded[pkg] {
			t.Errorf("%s: no test imports internal/testkit/seeds", pkg)
		}
	}
}

// floors are the packages of the module, from bottom to top: each imports only what
// stands on floors below its own.
var floors = []string{
	"avl internal/bookdamage internal/brief internal/duckdb internal/fsys internal/jobs internal/ledger internal/release internal/testkit/corpus internal/testkit/must internal/testkit/seeds web",
	"internal/testkit/crashfs internal/testkit/roomy model",
	"board",
	"cmd/internal/picture internal/codepage internal/dbfile internal/formats internal/jsontext internal/marks internal/namepattern internal/packed internal/replay internal/stale internal/testkit/left internal/testkit/neighbours internal/wire",
	"compose eco internal/cbh internal/cbh2 internal/ctg internal/dcdb internal/headerfields internal/lifecycle internal/lock internal/polyglot internal/scid internal/tempfile internal/typed moveenc",
	"internal/derive internal/epd internal/extsort internal/htmltext internal/scidgame internal/testkit/bulk internal/testkit/gen jsonl model/notnil",
	"internal/cbhdb internal/journal parquet pgn",
	"bench/parse internal/atomicset internal/booster internal/cbhsalvage",
	"archive internal/posindex read",
	"bench/scan check collect ctgwrite internal/cbhedit search",
	"internal/testkit/soundness stats write",
	"cmd/internal/viewer internal/testkit/bulk/makedb lines .",
	"cmd/internal/viewpage cmd/internal/viewwasm",
	"cmd/internal/viewhttp cmd/internal/viewsite",
	"cmd/cbkit examples examples/book examples/build examples/compact examples/convert examples/custom examples/edit examples/golden examples/memory examples/notnil examples/read examples/search internal/house internal/testkit/weeks roundtrip_test",
}

// sideways are the imports that no floor allows; docs/architecture.md has the reasons.
var sideways = []string{"check stats", "ctgwrite stats", "search stats", "write stats"}

// Rooms import downwards only (docs/architecture.md).
func TestRoomsImportDownwards(t *testing.T) {
	floor, needed := map[string]int{}, map[string]bool{}
	for i, names := range floors {
		for name := range strings.FieldsSeq(names) {
			floor[path.Join(root, name)] = i
		}
	}
	if len(sideways) > 4 {
		t.Errorf("%d exceptions, at most 4", len(sideways))
	}
	for _, f := range sourceFiles(t) {
		own, known := floor[f.pkg()]
		if f.isTest() || strings.HasPrefix(f.name, "cmd/internal/browsertest/") || strings.HasPrefix(f.name, "internal/pieces/") {
			continue // the last two are modules of their own
		}
		if !known {
			t.Errorf("%s stands on no floor", f.name)
		}
		for _, imported := range f.imports {
			if imported != root && !strings.HasPrefix(imported, "cbkit/") {
				continue
			}
			below, known := floor[imported]
			exception := strings.TrimPrefix(f.pkg(), "cbkit/") + " " + strings.TrimPrefix(imported, "cbkit/")
			needed[exception] = true
			modelOnly := f.pkg() == "cbkit/model" && imported != "cbkit/internal/brief" // it knows no files, bytes, trees
			if !known || modelOnly || below >= own && !slices.Contains(sideways, exception) {
				t.Errorf("%s imports %s, which is not below it", f.name, imported)
			}
		}
	}
	for _, exception := range sideways {
		if !needed[exception] {
			t.Errorf("%s: an exception that nothing needs", exception)
		}
	}
}

// A listed package is what go list says of one.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// listPackages asks go list once for all packages and what they import.
var listPackages = sync.OnceValues(func() (map[string]listed, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", "./...").Output()
	if err != nil {
		return nil, err
	}
	packages := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages[p.ImportPath] = p
	}
})

// exported imports packages from what the compiler has exported, each once.
var exported = importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) {
	packages, err := listPackages()
	if err != nil {
		return nil, err
	}
	return os.Open(packages[name].Export)
})

// publicPackages returns the type-checked public packages by their import path.
func publicPackages(t *testing.T) map[string]*types.Package {
	t.Helper()
	public := map[string]*types.Package{}
	for _, f := range sourceFiles(t) {
		name := f.pkg()
		if f.isTest() || public[name] != nil || strings.Contains(name, "/internal/") || strings.HasPrefix(name, "cbkit/cmd/") || strings.HasPrefix(name, "cbkit/bench/") || strings.HasPrefix(name, "cbkit/examples") {
			continue
		}
		pkg := must.Get(exported.Import(name))(t)
		public[name] = pkg
	}
	return public
}

// An apiWalk looks for types of internal packages in what users see of one
// package.
type apiWalk struct {
	t    *testing.T
	pkg  *types.Package
	seen map[types.Type]bool
}

// Types of internal packages cannot be named by users, nor looked up in the
// documentation, so that they appear in no public signature.
func TestNoInternalTypeIsPublic(t *testing.T) {
	public := publicPackages(t)
	if len(public) < 20 {
		t.Errorf("only %d public packages were found", len(public))
	}
	for _, pkg := range public {
		w := apiWalk{t: t, pkg: pkg, seen: map[types.Type]bool{}}
		for _, name := range pkg.Scope().Names() {
			if object := pkg.Scope().Lookup(name); object.Exported() {
				w.walk(pkg.Name()+"."+name, object.Type())
			}
		}
	}
}

// walk follows a type that is visible at a place.
func (w *apiWalk) walk(place string, typ types.Type) {
	if w.seen[typ] {
		return
	}
	w.seen[typ] = true
	switch typ := typ.(type) {
	case *types.Alias:
		w.walk(place, typ.Rhs())
	case *types.Named:
		w.named(place, typ)
	case *types.Signature:
		w.tuple(place, typ.Params())
		w.tuple(place, typ.Results())
	case *types.Struct:
		for field := range typ.Fields() {
			if field.Exported() || field.Embedded() {
				w.walk(place+"."+field.Name(), field.Type())
			}
		}
	case *types.Interface:
		for method := range typ.Methods() {
			if method.Exported() {
				w.walk(place+"."+method.Name(), method.Type())
			}
		}
	case *types.Map:
		w.walk(place, typ.Key())
		w.walk(place, typ.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		w.walk(place, typ.Elem())
	}
}

// named judges a named type. Those of other packages are looked at there; of
// unexported ones of this package users see fields and methods.
func (w *apiWalk) named(place string, typ *types.Named) {
	for arg := range typ.TypeArgs().Types() {
		w.walk(place, arg)
	}
	object := typ.Obj()
	if object.Pkg() != nil && strings.Contains(object.Pkg().Path(), "cbkit/internal/") {
		w.t.Errorf("%s is, or has, the internal type %s", place, typ)
		return
	}
	if object.Pkg() != w.pkg {
		return
	}
	w.walk(place, typ.Underlying())
	methods := types.NewMethodSet(types.NewPointer(typ))
	for method := range methods.Methods() {
		if method.Obj().Exported() {
			w.walk(fmt.Sprintf("%s.%s", place, method.Obj().Name()), method.Type())
		}
	}
}

func (w *apiWalk) tuple(place string, tuple *types.Tuple) {
	for v := range tuple.Variables() {
		w.walk(place, v.Type())
	}
}

// Names that documents mention, in code spans and links.
var (
	docLink  = regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)]*))?\)`)
	docSpan  = regexp.MustCompile("`([^`\n]+)`")
	goFile   = regexp.MustCompile(`^[\w./-]*[\w-]\.go$`)
	ourPath  = regexp.MustCompile(`^(?:cbkit/)?((?:internal|cmd|bench|docs|testdata|roundtrip_test)(?:/[\w.-]+)*)/?$`)
	testName = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w+`)
	goName   = regexp.MustCompile(`^([a-z][a-z0-9]*)\.([A-Z]\w*)(?:\.([A-Z]\w*))?(?:\(.*\))?$`)
	markHead = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// documents returns the pages that speak of the code as it is today, by name.
func documents(t *testing.T) map[string]string {
	t.Helper()
	names := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"}
	for _, pattern := range []string{"docs/*.md", "docs/formats/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		names = append(names, found...)
	}
	pages := map[string]string{}
	for _, name := range names {
		content := must.Get(os.ReadFile(name))(t)
		pages[filepath.ToSlash(name)] = string(content)
	}
	return pages
}

// Links of documents lead to files, and to headings that are there.
func TestLinksOfDocuments(t *testing.T) {
	pages := documents(t)
	for name, content := range pages {
		for _, m := range docLink.FindAllStringSubmatch(content, -1) {
			target, anchor := m[1], m[2]
			if strings.Contains(target, "://") {
				continue
			}
			to := name
			if target != "" {
				to = path.Join(path.Dir(name), target)
			}
			if _, err := os.Stat(filepath.FromSlash(to)); err != nil {
				t.Errorf("%s links to %s, which is not there", name, to)
			} else if anchor != "" && !slices.Contains(anchors(pages[to]), anchor) {
				t.Errorf("%s links to %s#%s, which is no heading", name, to, anchor)
			}
		}
	}
}

// Every page about a format is in the index, which says what it is about and what its
// facts are certain by.
func TestIndexOfFormats(t *testing.T) {
	pages := documents(t)
	row := regexp.MustCompile(`(?m)^\| \[([\w-]+\.md)\]\(([\w-]+\.md)\) \| \S.* \| \S.* \|$`)
	listed := map[string]bool{"README.md": true}
	for _, m := range row.FindAllStringSubmatch(pages["docs/formats/README.md"], -1) {
		listed[m[1]] = m[1] == m[2]
	}
	for name := range pages {
		if dir, page := path.Split(name); dir == "docs/formats/" && !listed[page] {
			t.Errorf("the index of docs/formats does not tell of %s", page)
		}
	}
}

// anchors returns the names that headings of a page have in links.
func anchors(content string) (list []string) {
	for _, m := range markHead.FindAllStringSubmatch(content, -1) {
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', r >= '0' && r <= '9', r >= 'a' && r <= 'z', r > 0x7F:
				return r
			}
			return -1
		}, strings.ToLower(m[1])))
	}
	return list
}

// Files, folders, tests and exported names that documents mention exist.
func TestDocumentsNameWhatExists(t *testing.T) {
	files := sourceFiles(t)
	tests := testFunctions(t, files)
	public := publicPackages(t)
	spans := 0
	for name, content := range documents(t) {
		for _, test := range testName.FindAllString(content, -1) {
			if !tests[test] {
				t.Errorf("%s names %s, which is not there", name, test)
			}
		}
		for _, m := range docSpan.FindAllStringSubmatch(content, -1) {
			spans++
			if complaint := missing(m[1], files, public); complaint != "" {
				t.Errorf("%s names %s, %s", name, m[1], complaint)
			}
		}
	}
	if spans < 1000 {
		t.Errorf("only %d code spans were found", spans)
	}
}

// Every package has its row in the table of rooms.
func TestEveryPackageIsARoom(t *testing.T) {
	page := must.Get(os.ReadFile("docs/architecture.md"))(t)
	told := map[string]bool{"cbkit/internal/testkit/bulk/makedb": true}
	for _, f := range sourceFiles(t) {
		if pkg := f.pkg(); !told[pkg] {
			told[pkg] = true
			name, _ := strings.CutPrefix(pkg, "cbkit/")
			if strings.HasPrefix(name, "examples/") {
				name = "examples" // programs
			}
			if !strings.Contains(string(page), "`"+name+"`") && !strings.Contains(string(page), "`"+path.Base(name)+"`") {
				t.Errorf("docs/architecture.md does not speak of %s", name)
			}
		}
	}
}

// missing says what is wrong with a code span of a document, "" if it names
// something that exists or nothing of ours.
func missing(span string, files []sourceFile, public map[string]*types.Package) string {
	if goFile.MatchString(span) {
		found := slices.ContainsFunc(files, func(f sourceFile) bool { return f.name == span || strings.HasSuffix(f.name, "/"+span) })
		if !found {
			return "which is no file"
		}
	}
	if m := ourPath.FindStringSubmatch(span); m != nil {
		if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
			return "which is no folder or file"
		}
	}
	if m := goName.FindStringSubmatch(span); m != nil {
		for _, pkg := range public {
			if pkg.Name() == m[1] && !hasName(pkg, m[2], m[3]) {
				return "which " + pkg.Path() + " does not have"
			}
		}
	}
	return ""
}

// hasName reports whether a package has an exported name and, if member is not
// "", a field or method of it.
func hasName(pkg *types.Package, name, member string) bool {
	object := pkg.Scope().Lookup(name)
	if object == nil || member == "" {
		return object != nil
	}
	found, _, _ := types.LookupFieldOrMethod(object.Type(), true, pkg, member)
	return found != nil
}

// testFunctions returns the names of all tests, fuzz targets and benchmarks.
func testFunctions(t *testing.T, files []sourceFile) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	names := map[string]bool{}
	for _, f := range files {
		if !f.isTest() {
			continue
		}
		content := must.Get(os.ReadFile(filepath.FromSlash(f.name)))(t)
		for _, m := range declared.FindAllStringSubmatch(string(content), -1) {
			names[m[1]] = true
		}
	}
	return names
}

// Which files are a database's is said by internal/dbfile alone (docs/decisions.md):
// what opens, locks, replaces or recovers sets takes no name apart, and compares no
// ending and no stem, by other means.
func TestNamesAreComparedInOnePlace(t *testing.T) {
	rooms := []string{
		root, "cbkit/archive", "cbkit/check", "cbkit/cmd/cbkit", "cbkit/ctgwrite", "cbkit/internal/atomicset", "cbkit/internal/booster",
		"cbkit/internal/cbhdb", "cbkit/internal/cbhedit", "cbkit/internal/cbhsalvage", "cbkit/internal/journal",
		"cbkit/internal/lock", "cbkit/internal/tempfile", "cbkit/read", "cbkit/write",
	}
	// Texts that are no names of files.
	texts := map[string]bool{
		"cmd/cbkit/edit.go: strings.LastIndexByte": true, // 1.white
		"cmd/cbkit/info.go: strings.Cut":           true, // 1999.12.31
		"cmd/cbkit/guesses.go: strings.EqualFold":  true, // words for flags
		"cmd/cbkit/edit.go: strings.Cut":           true, // 1.white=Tal
	}
	for _, room := range rooms {
		for _, wrong := range nameComparisons(t, room) {
			if place, what, _ := strings.Cut(wrong, " "); !texts[regexp.MustCompile(`:\d+:`).ReplaceAllString(place, ":")+" "+what] {
				t.Errorf("%s: ask internal/dbfile", wrong)
			}
		}
	}
}

// The test above sees what it should.
func TestNamesAreComparedInOnePlaceSees(t *testing.T) {
	const code = `package p
import ("path"; fp "path/filepath"; "slices"; "strings"; "cbkit/internal/dbfile")
const undo = ".cbkit-undo"
func _(a, b string) {
	_ = fp.Ext(a)
	_ = path.Ext
	_ = strings.HasSuffix(a, ".cbh")
	_ = strings.TrimSuffix(a, undo)
	_ = strings.TrimSuffix(a, dbfile.SuffixEdit)
	_ = strings.EqualFold(a, b)
	_ = strings.LastIndexByte(a, '.')
	_, _, _ = strings.Cut(a, ".")
	_ = "." + a
	_ = a[len(a)-4:] == ".cbh"
	_ = dbfile.EndingOf(a) == ".cbh"
	_ = dbfile.StemOf(a) != b
	switch dbfile.EndingOf(a) { case ".cbg": }
	_ = slices.Contains([]string{a}, dbfile.EndingOf(b))
	_ = strings.HasPrefix(a, "x") && a == "." && dbfile.Is(a, ".cbh")
	_ = "." + "x"
	new(strings.Builder).WriteString(".cbh")
}`
	files := token.NewFileSet()
	parsed := must.Get(parser.ParseFile(files, "p.go", code, 0))(t)
	if got := comparisonsIn(t, files, "p", []*ast.File{parsed}); len(got) != 14 {
		t.Errorf("%d: %q", len(got), got)
	}
}

// nameComparisons lists where a package compares names of files by itself.
func nameComparisons(t *testing.T, room string) []string {
	t.Helper()
	packages, err := listPackages()
	if err != nil || packages[room].GoFiles == nil {
		t.Fatal(room, err)
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range packages[room].GoFiles {
		f := must.Get(parser.ParseFile(files, path.Join(path.Clean(strings.TrimPrefix(room+"/", root+"/")), name), readAll(t, filepath.Join(packages[room].Dir, name)), 0))(t)
		parsed = append(parsed, f)
	}
	return comparisonsIn(t, files, room, parsed)
}

func readAll(t *testing.T, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(name))(t)
}

// endingLike is what the ending of a file looks like, and the beginning of our own.
var endingLike = regexp.MustCompile(`^\.[A-Za-z]`)

// comparisonsIn lists them as place and function.
func comparisonsIn(t *testing.T, files *token.FileSet, room string, parsed []*ast.File) (list []string) {
	t.Helper()
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	must.Get((&types.Config{Importer: exported}).Check(room, files, parsed, info))(t)
	add := func(at ast.Node, what string) {
		p := files.Position(at.Pos())
		list = append(list, fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, what))
	}
	constant := func(e ast.Expr) (value string, is bool) {
		v := info.Types[e].Value
		if v == nil || v.Kind() != gocons.String {
			return "", false
		}
		return gocons.StringVal(v), true
	}
	isDot := func(e ast.Expr) bool {
		v := info.Types[e].Value
		return v != nil && (v.ExactString() == `"."` || v.ExactString() == strconv.Itoa('.'))
	}
	called := func(e ast.Expr) string {
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return ""
		}
		if s, ok := call.Fun.(*ast.SelectorExpr); ok {
			if f, ok := info.Uses[s.Sel].(*types.Func); ok && f.Pkg() != nil && f.Signature().Recv() == nil {
				return f.Pkg().Name() + "." + f.Name()
			}
		}
		return ""
	}
	isPart := func(e ast.Expr) bool {
		f := called(e)
		return f == "dbfile.EndingOf" || f == "dbfile.StemOf"
	}
	sliced := func(e ast.Expr) bool { _, is := e.(*ast.SliceExpr); return is }
	like := func(e ast.Expr) bool {
		value, is := constant(e)
		return is && endingLike.MatchString(value)
	}
	for _, f := range parsed {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if fn, ok := info.Uses[n.Sel].(*types.Func); ok && fn.Name() == "Ext" && (fn.Pkg().Path() == "path" || fn.Pkg().Path() == "path/filepath") {
					add(n, fn.Pkg().Name()+".Ext")
				}
			case *ast.CallExpr:
				name := called(n)
				if fun, is := strings.CutPrefix(name, "strings."); is {
					dot := slices.Contains([]string{"Cut", "LastIndex", "LastIndexByte", "Index", "IndexByte", "Split", "SplitN"}, fun) &&
						slices.ContainsFunc(n.Args, isDot)
					if dot || fun == "EqualFold" || slices.ContainsFunc(n.Args, like) {
						add(n, name)
					}
				}
				if strings.HasPrefix(name, "slices.Contains") && slices.ContainsFunc(n.Args, isPart) {
					add(n, name)
				}
			case *ast.BinaryExpr:
				left, is := constant(n.X)
				_, both := constant(n)
				switch {
				case n.Op == token.ADD && is && left == "." && !both:
					add(n, `"." +`)
				case (n.Op == token.EQL || n.Op == token.NEQ) && (isPart(n.X) || isPart(n.Y) || sliced(n.X) && like(n.Y)):
					add(n, n.Op.String())
				}
			case *ast.SwitchStmt:
				if n.Tag != nil && isPart(n.Tag) {
					add(n, "switch")
				}
			}
			return true
		})
	}
	return list
}

// nameLink is a link of a comment to a name of two letters or more: [Name], [Name.Member], [pkg.Name], [*pkg.Name.Member].
var nameLink = regexp.MustCompile(`\[\*?(?:([a-z]\w*)\.)?([A-Z]\w+)(?:\.([A-Z]\w*))?\]`)

// Links in the documentation of public packages lead to names that exist, of packages that
// theirs imports: others are no links.
func TestDocLinks(t *testing.T) {
	public, files := publicPackages(t), sourceFiles(t)
	imported := map[string]map[string]*types.Package{} // of each package, ours by their names
	for _, f := range files {
		if f.isTest() {
			continue
		}
		if imported[f.pkg()] == nil {
			imported[f.pkg()] = map[string]*types.Package{"": public[f.pkg()]}
		}
		for _, path := range f.imports {
			if pkg := public[path]; pkg != nil {
				imported[f.pkg()][pkg.Name()] = pkg
			}
		}
	}
	ours := map[string]bool{"": true}
	for _, pkg := range public {
		ours[pkg.Name()] = true
	}
	for _, f := range files {
		if f.isTest() || public[f.pkg()] == nil {
			continue
		}
		parsed := must.Get(parser.ParseFile(token.NewFileSet(), f.name, nil, parser.ParseComments|parser.SkipObjectResolution))(t)
		ast.FileExports(parsed)
		ast.Inspect(parsed, func(n ast.Node) bool {
			group, ok := n.(*ast.CommentGroup)
			if !ok {
				return true
			}
			for _, m := range nameLink.FindAllStringSubmatch(group.Text(), -1) {
				if pkg := imported[f.pkg()][m[1]]; ours[m[1]] && (pkg == nil || !hasName(pkg, m[2], m[3])) {
					t.Errorf("%s: %s leads nowhere", f.name, m[0])
				}
			}
			return true
		})
	}
}
