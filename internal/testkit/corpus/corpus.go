// Package corpus finds the real databases that tests read. They are not part
// of this repository.
package corpus

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var everyGame = flag.Bool("every-game", false, "slow tests of real games: try all games of the large databases")

// EveryGame reports whether slow tests try all games of the large databases.
func EveryGame() bool { return *everyGame }

// IsTried reports whether a slow test tries the game of a number, from 0, in a database
// of so many: all of a small one, by default every seventh of a large one.
func IsTried(game, games int) bool { return *everyGame || games < 500 || game%7 == 0 }

// Path returns the path of a file of the corpus, given with slashes. The
// corpus is at $CBKIT_CORPUS or, from the module root, at ../shared/corpus.
// Where it is absent the test is skipped; when CI is "true" that is a failure.
func Path(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("CBKIT_CORPUS")
	if root == "" {
		root = filepath.Join(moduleRoot(t), "..", "shared", "corpus")
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s: the corpus is missing; set CBKIT_CORPUS to its folder", path)
	}
	t.Skipf("%s: the corpus is missing; set CBKIT_CORPUS to its folder", path)
	return ""
}

// Read returns a file of the corpus, found as [Path] finds it.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// started is the folder in which the tests began: a test may have changed it.
var started, startedErr = os.Getwd()

// moduleRoot returns the folder of go.mod.
func moduleRoot(t testing.TB) string {
	dir, err := started, startedErr
	for err == nil && dir != filepath.Dir(dir) {
		if _, found := os.Stat(filepath.Join(dir, "go.mod")); found == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("the tests do not run inside the module")
	return ""
}
