package roundtrip

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"cbkit/check"
	"cbkit/internal/testkit/gen"
	"cbkit/model"
	"cbkit/read"
	"cbkit/write"
)

// Without its index all games of a database of Scid are found, and what is damaged gives
// at least as many games, and as many moves of each, as reading it does.
func TestScidSalvage(t *testing.T) {
	dir := gen.Folder(t)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		db := gen.Database(gen.Config{NoChess960: true, NoTexts: true, TextBytes: 40, NameBytes: 20}).Draw(t, "db")
		path := filepath.Join(dir, "Games.si4")
		sink, err := write.CreateScid(ctx, path, write.Options{Force: true, AcceptLosses: true})
		if err == nil {
			err = model.Copy(ctx, sink, db, model.CopyOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		n := sink.Written()
		whole := lengths(path)
		ext := rapid.SampledFrom([]string{".si4", ".sg4", ".sn4"}).Draw(t, "file")
		name := strings.TrimSuffix(path, ".si4") + ext
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		gone := rapid.Bool().Draw(t, "gone")
		switch at := rapid.IntRange(0, len(b)).Draw(t, "at"); {
		case gone:
			err = os.Remove(name)
		case rapid.Bool().Draw(t, "cut"):
			err = os.WriteFile(name, b[:at], 0o666)
		default:
			copy(b[at:], rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "bytes"))
			err = os.WriteFile(name, b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		for f, err := range check.Scid(ctx, path, check.Options{}).Findings() {
			_, _ = f, err // no panic
		}
		readable := lengths(path)
		target := filepath.Join(dir, "New.cbh")
		result, err := write.Salvage(ctx, strings.TrimSuffix(path, ".si4")+".sg4", target, write.SalvageOptions{Force: true})
		if err != nil && (n > 0 && gone || len(readable) > 0) {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		got := lengths(target)
		if gone && ext != ".sg4" {
			if diff := cmp.Diff(whole, got); diff != "" {
				t.Fatal(diff)
			}
		}
		if len(got) < len(readable) {
			t.Fatalf("salvage gives %d games, reading %d: %+v", len(got), len(readable), result)
		}
		for i := range readable {
			if ext == ".sn4" && got[i] < readable[i] {
				t.Fatalf("salvage gives %v, reading %v", got, readable)
			}
		}
	})
}

// lengths are how many moves the games of a database have, as far as they can be read.
func lengths(path string) (list []int) {
	src, err := read.Open(path, read.Options{KeepGoing: true})
	if err != nil {
		return nil
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background(), 1, model.WantMoves) {
		if err == nil && rec.Game != nil {
			list = append(list, rec.Game.Moves.Len())
		}
	}
	return list
}
