package cbkit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cbkit"
	"cbkit/internal/testkit/gen"
)

// Text that is UTF-8 throughout has no code page, however long it is and wherever
// the pieces that are looked at are cut.
func TestLongUTF8HasNoCodePage(t *testing.T) {
	for _, lines := range []string{"[White \"Алёхин, Александр\"]\n", strings.Repeat("Ёж ", 30) + "\n", strings.Repeat("é", 1<<17) + "\n"} {
		path := filepath.Join(gen.Folder(t), "long.pgn")
		text := strings.Repeat(lines, (3<<20)/len(lines))
		if err := os.WriteFile(path, []byte("x"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		if g := cbkit.GuessTextPage(path); g.Texts != 0 {
			t.Errorf("lines like %.40s: %v", lines, g)
		}
		src, err := cbkit.NewReader(strings.NewReader("x"+text), cbkit.Options{GuessCodePage: true, KeepGoing: true})
		if err != nil {
			t.Fatal(err)
		}
		if g := src.Guess(); g.Texts != 0 {
			t.Errorf("read, lines like %.40s: %v", lines, g)
		}
	}
}
