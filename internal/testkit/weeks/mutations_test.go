package weeks

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
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
	err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
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
	})
	if err != nil {
		t.Fatal(err)
	}
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
