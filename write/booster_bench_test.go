package write_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/read"
	"cbkit/write"
)

// BenchmarkBoosters computes the boosters of twic1134: all of them, and those
// that need no moves.
func BenchmarkBoosters(b *testing.B) {
	real := findFiles(b, corpus.Path(b, "cbh/twic1134/twic1134.cbh"))
	dir := b.TempDir()
	for _, ext := range real.Endings() {
		content, err := os.ReadFile(real.Path(ext))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, real.Name(ext)), content, 0o644)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(dir, real.Name(".cbh"))
	db, err := read.Open(path, read.Options{})
	if err != nil {
		b.Fatal(err)
	}
	games := db.Count()
	db.Close()
	for name, files := range map[string][]string{"all": nil, "lists": {"cit", "cit2", "cbgi"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := write.Boosters(context.Background(), path, write.BoosterOptions{Files: files}); err != nil {
					b.Fatal(err)
				}
			}
			reportGames(b, games)
		})
	}
}
