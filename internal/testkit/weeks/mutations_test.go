package weeks

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"cbkit/internal/testkit/must"
)

var (
	mutations = flag.Bool("mutations", false, "take out each sync and each lock in turn, and see which seed notices")
	only      = flag.String("only", "", "take out only what has this in its place")
	budget    = flag.Int("budget", 200, "how many seeds are played for each of them, and 20 turns of the step that is meant")
)

// site returns where in the product a call comes from: "internal/journal/commit.go:171".
func site() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "golang.org/x/sync/errgroup") {
			return "internal/journal/commit.go:syncAll"
		}
		dir, name := path.Split(f.Function)
		name, _, _ = strings.Cut(name, ".")
		if dir, in := strings.CutPrefix(dir+name, "cbkit"); in && !strings.Contains(dir, "testkit/") && name != "fsys" && name != "lock" {
			return strings.TrimPrefix(fmt.Sprintf("%s/%s:%d", dir, path.Base(f.File), f.Line), "/")
		}
		if !more {
			return "?"
		}
	}
}

// call says which call is made, and where.
func call(op, name string) string {
	if op == "lock" {
		op += name[strings.LastIndex(name, "."):]
	}
	return strings.Replace(op, "syncdir", "sync", 1) + " " + site()
}

// syncs are the places in the product that sync a file or a folder.
func syncs(t *testing.T) (list []string) {
	root := filepath.Join("..", "..", "..")
	must.Do(t, filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, at)
		name = filepath.ToSlash(name)
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasPrefix(name, "internal/testkit/") || strings.HasPrefix(name, "internal/fsys/") || strings.HasPrefix(name, "cmd/") ||
			strings.HasPrefix(name, "internal/release/") || strings.HasPrefix(name, "bench/") || strings.Contains(name, "node_modules") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, at, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, is := n.(*ast.SelectorExpr); is && (s.Sel.Name == "Sync" || s.Sel.Name == "SyncDir") {
				list = append(list, fmt.Sprintf("%s:%d", name, set.Position(s.Sel.Pos()).Line))
			}
			return true
		})
		return nil
	}))
	return list
}

// TestMutations takes out each sync of a file or folder, and each lock, and plays seeds until one
// notices.
func TestMutations(t *testing.T) {
	if !*mutations {
		t.Skip("it takes long: -mutations")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	defer func() { skip = nil }()
	t.Setenv("TMPDIR", "tmp")
	calls := map[string]int{}
	skip = func(op, name string) bool {
		if op == "sync" || op == "syncdir" || op == "lock" {
			calls[call(op, name)]++
		}
		return false
	}
	for seed := range uint64(100) {
		play(script(seed+*from, faults))
	}
	var list []string
	for what := range calls {
		list = append(list, what)
	}
	slices.Sort(list)
	for _, where := range syncs(t) {
		if calls["sync "+where] == 0 {
			t.Logf("%-50s is not called", where)
		}
	}
	for _, what := range list {
		if !strings.Contains(what, *only) {
			continue
		}
		first := -1 // the step that makes the call
		skip = func(op, name string) bool {
			if op != "sync" && op != "syncdir" && op != "lock" || call(op, name) != what {
				return false
			}
			if first < 0 {
				first = playing
			}
			return true
		}
		faults := []string{"crash", "crash", "crash", "fail and crash", "fail", "drop", ""}
		if strings.HasPrefix(what, "lock") {
			faults = []string{"second", "readers", "crash"}
		}
		noticed := "NOT NOTICED"
		for seed := *from; seed < *from+uint64(*budget); seed++ {
			first = -1
			list := script(seed, faults)
			_, f := play(list)
			for turn := range uint64(20) {
				if f != nil || first < 0 {
					break
				}
				short := slices.Clone(list[:first+1])
				short[first].turn = 1 + turn
				if short[first].fault == "" {
					short[first].fault = faults[0]
				}
				_, f = play(short)
			}
			if f != nil {
				noticed = fmt.Sprintf("seed %d: %s: %s", seed, f.kind, cut(f.what, 100))
				break
			}
		}
		t.Logf("%-50s %5d  %s", what, calls[what], noticed)
	}
}

// rules are orders of two steps, and checks of what a crash has left: where they stand, and what
// breaks them.
var rules = []struct{ what, file, is, becomes string }{
	{"a journal is on the disk before it has its name", "internal/journal/commit.go", "err = out.Sync()\n\t}\n\tif err = errors.Join(err, out.Close()); err == nil {\n\t\terr = s.fs.Rename(name, s.journal())",
		"err = s.fs.Rename(name, s.journal())\n\t}\n\tif err == nil {\n\t\terr = errors.Join(out.Sync(), out.Close())"},
	{"new files are on the disk before the journal names them", "internal/journal/commit.go", "func (s *Set) writeJournal(p *plan) error {\n", "func (s *Set) writeJournal(p *plan) (failed error) {\n\tdefer func() { failed = cmp.Or(failed, syncAll(s.fs, p.finished(), (*File).open)) }()\n\tsyncAll := func(fsys.FS, []*File, func(*File) (fsys.File, error)) error { return nil }\n"},
	{"bytes are taken back before the journal goes", "internal/journal/recover.go", "if err == nil {\n\t\terr = p.takeBackBytes(u)\n\t}", "defer func() {\n\t\tif err == nil {\n\t\t\terr = p.takeBackBytes(u)\n\t\t}\n\t}()"},
	{"the main file of an old set goes last", "internal/atomicset/commit.go", "for _, name := range c.names {", "for _, name := range slices.Backward(c.names) {"},
	{"main files come last", "internal/atomicset/folder.go", "cmp.Compare(p.rank(a), p.rank(b))", "cmp.Compare(p.rank(b), p.rank(a))"},
	{"old tables go before new ones come", "parquet/placing.go", "\tif err := f.syncTables(); err != nil {\n\t\treturn false, err\n\t}\n\tfor _, n := range f.done {", "\tfor _, n := range f.done {"},
	{"a journal is about these names", "internal/journal/proof.go", "func (p *place) proveName(e entry, force bool) error {\n", "func (p *place) proveName(e entry, force bool) error {\n\tforce = true\n"},
	{"a journal is about these bytes", "internal/journal/proof.go", "func (p *place) proveBytes(u *undo, force bool) error {\n", "func (p *place) proveBytes(u *undo, force bool) error {\n\tforce = true\n"},
	{"a journal knows all files of the set", "internal/journal/proof.go", "if !force && !u.has(name) {", "if false {"},
	{"a journal is of this set", "internal/journal/names.go", "case err == nil && !dbfile.SameStem(e.name, p.base):", "case false:"},
	{"an old set is proven by its main file", "internal/atomicset/commit.go", "if err != nil || !proven {", "if err != nil || false && !proven {"},
	{"a working folder holds what cbkit put there", "internal/atomicset/folder.go", "if !marked || !dbfile", "if false && !dbfile"},
	{"nothing is replaced without force", "internal/atomicset/claim.go", "if !c.opt.Force || c.opt.Members != nil {", "if c.opt.Members != nil {"},
}

// TestRules breaks each of the rules in turn, and stops the machine at every call, and if that is not
// noticed runs the tests of its package.
func TestRules(t *testing.T) {
	if !*mutations {
		t.Skip("it takes long: -mutations")
	}
	root := must.Get(filepath.Abs(filepath.Join("..", "..", "..")))(t)
	for _, rule := range rules {
		if !strings.Contains(rule.file, *only) {
			continue
		}
		name, broken, overlay := filepath.Join(root, filepath.FromSlash(rule.file)), filepath.Join(t.TempDir(), "broken.go"), filepath.Join(t.TempDir(), "overlay.json")
		text := must.Get(os.ReadFile(name))(t)
		if strings.Count(string(text), rule.is) != 1 {
			t.Errorf("%s: %q is not there once", rule.file, rule.is)
			continue
		}
		must.Do(t, os.WriteFile(broken, []byte(strings.Replace(string(text), rule.is, rule.becomes, 1)), 0o666))
		must.Do(t, os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace": {%q: %q}}`, name, broken), 0o666))
		noticed := "NOT NOTICED"
		for _, args := range [][]string{{"./internal/testkit/weeks", "-run", "EveryCall", "-every-call", "-seeds", fmt.Sprint(*budget / 10)}, {"./" + path.Dir(rule.file)}} {
			cmd := exec.Command("go", append([]string{"test", "-overlay", overlay}, args...)...)
			cmd.Dir = root
			if out, err := cmd.CombinedOutput(); err != nil {
				lines := strings.SplitN(string(out), "\n", 3)
				noticed = cut(strings.TrimSpace(lines[min(1, len(lines)-1)]), 160)
				break
			}
		}
		t.Logf("%-60s %s", rule.what, noticed)
	}
}
