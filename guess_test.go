package cbkit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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

// A guess looks at so much of all files together that it does not keep anybody waiting.
func TestGuessOfMany(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.pgn")
	text := bytes.Repeat([]byte("[White \"M\xfcller\"]\n"), 8)
	if err := os.WriteFile(name, append(text, bytes.Repeat([]byte("1. e4 e5 *\n"), 1<<17)...), 0o600); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	guess := cbkit.GuessTextPage(slices.Repeat([]string{name}, 400)...)
	runtime.ReadMemStats(&after)
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 600 || guess.Page != "1252" {
		t.Errorf("%v, with %d MiB", guess, mib)
	}
}
