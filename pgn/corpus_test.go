package pgn

import (
	"os"
	"path/filepath"
	"testing"
)

// corpusFile returns a file of the corpus of real files, nil without the
// corpus, which is an error where CI is set.
func corpusFile(t testing.TB, name string) []byte {
	t.Helper()
	root := os.Getenv("CBKIT_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "corpus")
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err == nil {
		return text
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("the corpus is missing: %v", err)
	}
	return nil
}
