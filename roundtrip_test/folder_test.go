package roundtrip

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"cbkit"
	"cbkit/collect"
	"cbkit/internal/testkit/gen"
	"cbkit/model"
)

// A folder has the records of the union of its files, each with its file and number
// there, as often as it is read; a file that cannot be opened is told.
func TestFolder(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "cbkit-folder-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		var parts []model.Source
		type place struct {
			name string
			id   model.RecordID
		}
		var places []place
		for i := range rapid.IntRange(1, 4).Draw(t, "files") {
			name := fmt.Sprintf("%c.%s", 'a'+i, rapid.SampledFrom([]string{"cbh", "jsonl", "jsonl.gz", "pgn", "si4"}).Draw(t, "format"))
			db := gen.Database(gen.Config{}).Draw(t, "database")
			path := filepath.Join(dir, name)
			err := cbkit.Save(ctx, path, db, cbkit.SaveOptions{AcceptLosses: true, OnError: func(model.RecordID, error) error { return nil }})
			if err != nil {
				t.Skip(err)
			}
			src, err := cbkit.Open(path, cbkit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			parts = append(parts, src)
			for rec, err := range src.Records(ctx, 1, model.WantHeaders) {
				if rec.ID == 0 {
					t.Skip(err)
				}
				places = append(places, place{path, rec.ID})
			}
		}
		broken := rapid.Bool().Draw(t, "broken")
		if broken {
			if err := os.WriteFile(filepath.Join(dir, "aa.cbh"), []byte("junk"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		told := 0
		folder, err := cbkit.Open(dir, cbkit.Options{Damage: func(error) { told++ }})
		if err != nil {
			t.Fatal(err)
		}
		for pass := range 2 {
			n, all := 0, collect.NewUnion(parts...)
			var want []model.Record
			var wantErr []error
			for rec, err := range all.Records(ctx, 1, model.WantAll) {
				want, wantErr = append(want, rec.Clone()), append(wantErr, err)
			}
			told = 0
			for rec, err := range folder.Records(ctx, 1, model.WantAll) {
				if n >= len(want) || (err != nil) != (wantErr[n] != nil) {
					t.Fatalf("record %d: %v", n+1, err)
				}
				if name, id := folder.Origin(rec.ID); (place{name, id}) != places[n] {
					t.Fatalf("record %d is %s#%d, want %v", n+1, name, id, places[n])
				}
				rec.ID = want[n].ID
				if err == nil && !model.EqualRecords(rec, folder.Entities(), want[n], all.Entities()) {
					t.Fatalf("record %d differs", n+1)
				}
				n++
			}
			if n != len(want) || (told > 0) != broken {
				t.Fatalf("pass %d: %d records of %d, %d errors", pass, n, len(want), told)
			}
		}
		if broken {
			strict, err := cbkit.Open(dir, cbkit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for rec, err := range strict.Records(ctx, 1, model.WantHeaders) {
				if rec.ID == 0 && !errors.Is(err, model.ErrNotDatabase) {
					t.Fatal(err)
				} else if rec.ID == 0 {
					return
				}
			}
			t.Fatal("the broken file is passed over")
		}
	})
}
