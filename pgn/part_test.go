package pgn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
)

// placed is what a reading gives of a game: where it begins, and the game.
type placed struct {
	at   int64
	game string
}

// readPlaced reads a file, or a part of it.
func readPlaced(t rapid.TB, path string, part, parts int) (list []placed, skipped int) {
	t.Helper()
	r := must.Get(Open(ReaderOptions{Part: part, Parts: parts}, path))(t)
	for rec, err := range r.Records(context.Background(), 1, model.WantAll) {
		var bad *GameError
		if errors.As(err, &bad) {
			skipped++
			continue
		}
		if err != nil {
			t.Fatalf("part %d of %d: %v", part, parts, err)
		}
		list = append(list, placed{r.Offset(), fmt.Sprintf("%+v", rec.Game.Resolve(r.Entities()))})
	}
	return list, skipped
}

// checkParts reads a file as a whole and in several numbers of parts: the games
// are the same, in the same order, each once.
func checkParts(t rapid.TB, path string, numbers ...int) {
	t.Helper()
	whole, bad := readPlaced(t, path, 0, 0)
	for _, parts := range numbers {
		var all []placed
		skipped := 0
		for part := 1; part <= parts; part++ {
			list, n := readPlaced(t, path, part, parts)
			all, skipped = append(all, list...), skipped+n
		}
		if len(all) != len(whole) || skipped != bad {
			t.Fatalf("%d parts: %d games and %d errors, want %d and %d", parts, len(all), skipped, len(whole), bad)
		}
		for i := range all {
			if all[i] != whole[i] {
				t.Fatalf("%d parts: game %d is at %d:\n%s\nwant at %d:\n%s", parts, i+1, all[i].at, all[i].game, whole[i].at, whole[i].game)
			}
		}
	}
}

func TestPartsOfRealFiles(t *testing.T) {
	for _, name := range []string{"pgn/lichess-big.pgn", "pgn/eco.pgn", "dc-sample/edge.pgn"} {
		if testing.Short() && name == "pgn/lichess-big.pgn" {
			continue // it is large
		}
		checkParts(t, corpus.Path(t, name), 1, 2, 3, 7, 40)
	}
}

// TestOffsets looks for each game at the place that it is said to begin.
func TestOffsets(t *testing.T) {
	text := corpus.Read(t, "pgn/lichess-big.pgn")
	for _, mark := range []string{"", "\xEF\xBB\xBF", "\r\n\r\n"} {
		path := filepath.Join(gen.Folder(t), "x.pgn")
		must.Do(t, os.WriteFile(path, append([]byte(mark), text...), 0o600))
		list, _ := readPlaced(t, path, 0, 0)
		at := int64(len(mark))
		for i := range list {
			if list[i].at != at {
				t.Fatalf("after %q: game %d is at %d, want %d", mark, i+1, list[i].at, at)
			}
			next := bytes.Index(text[at-int64(len(mark))+1:], []byte("\n[Event "))
			at += int64(next) + 2
		}
	}
}

// TestPartsOfAnything cuts files of generated games at every share: with
// comments that quote tags, without tags, with games that cannot be read.
func TestPartsOfAnything(t *testing.T) {
	dir := gen.Folder(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprintf("%d.pgn", n))
		db := gen.Database(gen.Config{}).Draw(rt, "db")
		var text bytes.Buffer
		must.Do(rt, model.Copy(context.Background(), NewWriter(&text, WriterOptions{AcceptLosses: true}), db, model.CopyOptions{}))
		pieces := []string{text.String(), "[Event \"bad\"]\n\n1. e5 *\n\n", "1. e4 e5 1-0\n\n1. d4 *\n\n", "; [Event \"x\"]\n", "% escaped\n",
			"[Event \"q\"]\n\n1. e4 {a comment\n\n[Event \"quoted\"]\n\nends} e5 *\n\n", "\n\n"}
		all := ""
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(pieces)-1), 1, 6).Draw(rt, "pieces") {
			all += pieces[i]
		}
		all += "[Event \"last\"]\n\n1. e4 *\n"
		must.Do(rt, os.WriteFile(path, []byte(all), 0o600))
		checkParts(rt, path, rapid.IntRange(1, 30).Draw(rt, "parts"))
	})
}

// TestFindingTheWay starts in the middle of games, so near that it must find
// its way within a few of them: the place is that of a game all the same.
func TestFindingTheWay(t *testing.T) {
	text := corpus.Read(t, "pgn/lichess-big.pgn")
	size := int64(len(text))
	for offset := int64(1); offset < size; offset += 3989 {
		got, err := gameFrom(bytes.NewReader(text), size, offset, 16<<10)
		want := size
		if k := bytes.Index(text[offset-1:], []byte("\n[Event ")); k >= 0 {
			want = offset + int64(k)
		}
		if err != nil || got != want {
			t.Fatalf("the first game from %d on is at %d, %v, want %d", offset, got, err, want)
		}
	}
}

func TestPartsRefused(t *testing.T) {
	packed := filepath.Join(gen.Folder(t), "x.pgn.gz")
	must.Do(t, os.WriteFile(packed, []byte("\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x00\x00"), 0o600))
	r := must.Get(Open(ReaderOptions{Part: 1, Parts: 2}, packed))(t)
	for _, err := range r.Records(t.Context(), 1, model.WantAll) {
		if !errors.Is(err, model.ErrUnsupported) || !strings.Contains(err.Error(), "unpack it first") {
			t.Errorf("a compressed file: %v", err)
		}
	}
	for _, part := range [][2]int{{0, 2}, {3, 2}, {-1, 2}, {1, -2}} {
		if _, err := Open(ReaderOptions{Part: part[0], Parts: part[1]}, packed); !errors.Is(err, model.ErrOption) {
			t.Errorf("part %d of %d: %v", part[0], part[1], err)
		}
	}
}
