package write

import (
	"os"
	"path/filepath"
	"testing"

	"cbkit/internal/testkit/corpus"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
	"cbkit/model"
	"cbkit/read"
)

// What is left of a database of ChessBase 17 comes out, and every id has its fate.
func TestSalvageChessBase2(t *testing.T) {
	zero := func(ext string, at, n int) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, "Games"+ext)
			b := must.Get(os.ReadFile(path))(t)
			if at < 0 {
				b = b[:len(b)+at]
			}
			clear(b[max(at, 0):][:n])
			must.Do(t, os.WriteFile(path, b, 0o644))
		}
	}
	without := func(ext string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "Games"+ext)) }
	}
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		want   SalvageResult
		first  string // White of the first game
	}{
		{"whole", func(*testing.T, string) {}, SalvageResult{IDs: 150, Kept: 150, Written: 150}, "Player037"},
		{"a header", zero(".2cbh", 192*5, 192), SalvageResult{IDs: 150, Kept: 149, Cut: 1, Written: 150}, "Player037"},
		{"a place", zero(".2cbh", 192*5+8, 8), SalvageResult{IDs: 150, Kept: 149, Cut: 1, Written: 150}, "Player037"},
		{"the header", zero(".2cbh", 0, 192), SalvageResult{IDs: 150, Kept: 150, Written: 150}, "Player037"},
		{"headers cut", zero(".2cbh", -192*10-1, 0), SalvageResult{IDs: 139, Kept: 139, Found: 11, Written: 150}, "Player037"},
		{"a mark", zero(".2cbg", 12, 1), SalvageResult{IDs: 150, Kept: 149, Cut: 1, HeaderOnly: 1, Written: 150}, "Player037"},
		{"a word", zero(".2cbg", 12+26+2, 2), SalvageResult{IDs: 150, Kept: 149, Cut: 1, HeaderOnly: 1, Written: 150}, "Player037"},
		{"moves cut", zero(".2cbg", -9, 0), SalvageResult{IDs: 150, Kept: 149, Cut: 1, HeaderOnly: 1, Written: 150}, "Player037"},
		{"no headers", without(".2cbh"), SalvageResult{Found: 150, Written: 150, Unread: []string{"Games.2cbh"}}, ""},
		{"no moves", without(".2cbg"), SalvageResult{IDs: 150, Cut: 150, HeaderOnly: 150, Written: 150, Unread: []string{"Games.2cbg"}}, "Player037"},
		{"no annotations", without(".2cba"), SalvageResult{IDs: 150, Kept: 150, Written: 150, Unread: []string{"Games.2cba"}}, "Player037"},
		{"no names", without(".2lid"), SalvageResult{IDs: 150, Kept: 150, Written: 150, Unread: []string{"Games.2lid"}}, "#1"},
		{"the header of names", zero(".2lid", 0, 8), SalvageResult{IDs: 150, Kept: 150, Written: 150, Unread: []string{"Games.2lid"}}, "#1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := gen.Folder(t)
			for _, ext := range []string{".2cbh", ".2cbg", ".2cba", ".2lid"} {
				must.Do(t, os.WriteFile(filepath.Join(dir, "Games"+ext), corpus.Read(t, "2cbh/many"+ext), 0o644))
			}
			c.damage(t, dir)
			fates := 0
			name := "Games.2cbh"
			if c.name == "no headers" {
				name = "Games.2cbg"
			}
			got, err := Salvage(t.Context(), filepath.Join(dir, name), filepath.Join(dir, "New.cbh"), SalvageOptions{Account: func(s Salvaged) {
				if fates++; (len(s.Why) == 0) != (s.State == SalvageKept) || s.New == 0 {
					t.Errorf("%+v", s)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if fates != got.IDs+got.Found || got.IsWhole() != (c.name == "whole" || c.name == "the header") {
				t.Errorf("%d fates of %+v", fates, got)
			}
			if len(got.Unread) == len(c.want.Unread) && len(got.Unread) == 1 && got.Unread[0] == c.want.Unread[0] {
				got.Unread, c.want.Unread = nil, nil
			}
			if got.IDs != c.want.IDs || got.Kept != c.want.Kept || got.Cut != c.want.Cut || got.Found != c.want.Found || got.Lost != 0 ||
				got.HeaderOnly != c.want.HeaderOnly || got.Written != c.want.Written || len(got.Unread)+len(c.want.Unread) > 0 {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			db := must.Get(read.Open(filepath.Join(dir, "New.cbh"), read.Options{Warn: func(err error) { t.Error(err) }}))(t)
			defer db.Close()
			moves := 0
			for rec := range must.All(t, db.Records(t.Context(), 1, model.WantAll)) {
				moves += rec.Game.Moves.Len()
				white := ""
				if rec.Game.White >= 0 {
					white = db.Entities().Players.Value(rec.Game.White).LastName
				}
				if rec.ID == 1 && white != c.first {
					t.Errorf("White is %q", white)
				}
			}
			if (moves == 0) != (c.name == "no moves") {
				t.Errorf("%d moves", moves)
			}
		})
	}
}
